// What has changed since a git revision, and which files that concerns.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace smem {

struct ChangedFiles {
  std::string root;            ///< of the repository
  std::set<std::string> files; ///< absolute paths: what differs from the revision, is new, or is gone
};

/// Those of this folder's repository. Nothing on failure, and `error` says why.
std::optional<ChangedFiles> files_changed_since(const std::string &revision, std::string &error);

/// Which translation units contain or include one of some files. By the text of their directives, as they are not compiled for that: a file that may be
/// meant counts, whatever conditions say, and where a name comes from a macro, any may be.
class Includers {
public:
  explicit Includers(ChangedFiles changed) : changed_(std::move(changed)) {}

  /// `flags`: the compiler's, with absolute folders. A configuration above the file concerns it, too.
  bool concerns(const std::string &file, const std::vector<std::string> &flags) const;

private:
  bool is_meant(std::string_view included) const;

  const ChangedFiles changed_;
};

/// Whether one of the names stands in the text as a word.
bool names_any(std::string_view text, const std::set<std::string> &names);

} // namespace smem
