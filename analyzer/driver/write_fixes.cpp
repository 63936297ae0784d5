#include "driver/write_fixes.h"

#include "driver/output.h"
#include "fixes/apply.h"
#include "support/repository.h"
#include "report/format.h"
#include "support/paths.h"

#include <map>
#include <set>

namespace smem {

namespace {

/// The trees that --fix may write to, each opened once.
class Trees {
public:
  WritableFile find(const std::string &root, const std::string &path) {
    auto known = trees_.find(root);
    if (known == trees_.end()) {
      Opened opened;
      opened.tree = sinks::Tree::open(root, opened.error);
      known = trees_.emplace(root, std::move(opened)).first;
    }
    WritableFile file;
    file.refusal = known->second.error;
    if (known->second.tree)
      file.name = known->second.tree.inside(path, file.refusal);
    if (!file.name.empty())
      file.tree = &known->second.tree;
    return file;
  }

private:
  struct Opened {
    sinks::Tree tree;
    std::string error;
  };
  std::map<std::string, Opened> trees_; ///< by root
};

} // namespace

bool write_fixes(const DriverOptions &options, std::vector<FileAnalysis> &files, std::vector<FileFixes> &fixes) {
  std::set<std::string> named;
  for (const std::string &file : options.files)
    named.insert(normalise_path(file));
  const std::string here = normalise_path(".");
  std::string root = repository_root(here);
  if (root.empty())
    root = here;
  while (root.size() > 1 && root.back() == '/')
    root.pop_back();
  const std::string below = root == "/" ? root : root + "/";
  Trees trees;
  const auto writable = [&](const std::string &path) {
    if (path.starts_with(below))
      return trees.find(home_of(path, root), path);
    if (named.count(path) != 0)
      return trees.find(home_of(path), path);
    return WritableFile{nullptr, {}, "'" + path + "' is not one of the project's files"};
  };

  const Applied applied = apply_fixes(fixes, writable);
  if (!applied.error.empty()) {
    complain("--fix: " + applied.error + "; no file was changed");
    return false;
  }
  for (const std::string &text : applied.skipped)
    warn("--fix: " + text + "; its fixes were left out");
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    if (!applied.done[i])
      continue;
    files[i] = std::move(fixes[i].after);
    fixes[i].combined.clear();
    std::erase_if(fixes[i].sites,
                  [&](const FixedSite &site) { return !fixes[i].suggestions[site.suggestion].edits.empty(); });
  }
  if (!options.quiet)
    remark("--fix: " + plural(applied.edits, "edit") + " in " + plural(applied.files.size(), "file"));
  return true;
}

} // namespace smem
