#include "driver/write_fixes.h"

#include "driver/conclude.h"
#include "fixes/apply.h"
#include "gate/repository.h"
#include "report/format.h"
#include "source/paths.h"

#include <cstdio>
#include <set>

namespace smem {

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
  const auto may_edit = [&](const std::string &path) { return named.count(path) != 0 || (path.starts_with(root) && path.size() > root.size() && path[root.size()] == '/'); };

  const Applied applied = apply_fixes(fixes, may_edit);
  if (!applied.error.empty()) {
    complain("--fix: " + applied.error + "; no file was changed");
    return false;
  }
  for (const std::string &text : applied.skipped)
    std::fprintf(stderr, "smem-lint: warning: --fix: %s; its fixes were left out\n", text.c_str());
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    if (!applied.done[i])
      continue;
    files[i] = std::move(fixes[i].after);
    fixes[i].combined.clear();
    std::erase_if(fixes[i].sites, [&](const FixedSite &site) { return !fixes[i].suggestions[site.suggestion].edits.empty(); });
  }
  if (!options.quiet)
    std::fprintf(stderr, "smem-lint: --fix: %s in %s\n", plural(applied.edits, "edit").c_str(), plural(applied.files.size(), "file").c_str());
  return true;
}

} // namespace smem
