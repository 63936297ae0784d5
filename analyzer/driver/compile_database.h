// Compiler flags out of compile_commands.json.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

class CompileDatabase {
public:
  /// `path` is the file or the folder that holds it. On failure `error` says why.
  static std::optional<CompileDatabase> load(const std::string &path, std::string &error);

  /// The nearest compile_commands.json in the folder of `file` or above it; empty if there is none.
  static std::string find_above(const std::string &file);

  /// The flags that `file` is compiled with: no compiler, no output, no source; relative folders made absolute. Null if the
  /// database does not mention it.
  const std::vector<std::string> *flags_for(const std::string &file) const;

private:
  std::map<std::string, std::vector<std::string>> flags; ///< by normalised path; the first entry wins
};

/// Exposed for tests: what remains of a compiler's arguments that were meant for `directory`.
std::vector<std::string> flags_of_command(const std::vector<std::string> &arguments, const std::string &directory,
                                          const std::string &source);

} // namespace smem
