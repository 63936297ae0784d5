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

  /// The nearest compile_commands.json in the folder of `file` or above it, or in the folder `build` of one of these; empty if there is none.
  static std::string find_above(const std::string &file);

  struct Entry {
    /// No compiler, no output, no source; relative folders made absolute, options files taken apart.
    std::vector<std::string> flags;
    bool ambiguous = false; ///< other commands compile the file with other flags; this is the first one
  };

  /// Entries that say less than is needed: "entry 2 has no \"file\"", counted from 1.
  const std::vector<std::string> &problems() const { return problems_; }

  /// How `file` is compiled. None if the database does not mention it.
  std::optional<Entry> find(const std::string &file) const;

  /// What is compiled as CUDA, absolute and sorted.
  std::vector<std::string> cuda_files() const;
  /// What is compiled as C++, the same.
  std::vector<std::string> host_files() const;

  /// A file of the database that includes `header`, which is not in it, by a directive of its own; empty if there is none.
  std::string includer_of(const std::string &header) const;

private:
  /// As the database has it: of thousands, a run needs the flags of few.
  struct Command {
    std::string directory;
    std::vector<std::string> arguments; ///< unless `line` has them
    std::string line;

    std::vector<std::string> words() const;
  };
  using Commands = std::vector<Command>; ///< of one file, the first first

  static bool is_cuda(const std::string &path, const Commands &commands);

  std::map<std::string, Commands> files; ///< by normalised path
  std::vector<std::string> problems_;
};

/// Whether a file holds CUDA by the end of its name.
bool is_cuda_source(std::string_view path);

/// Exposed for tests: what remains of a compiler's arguments that were meant for `directory`.
std::vector<std::string> flags_of_command(const std::vector<std::string> &arguments, const std::string &directory,
                                          const std::string &source);

} // namespace smem
