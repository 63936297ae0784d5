#include "driver/write_fixes.h"

#include "driver/display_paths.h"
#include "driver/output.h"
#include "fixes/apply.h"
#include "fixes/unified_diff.h"
#include "support/repository.h"
#include "report/format.h"
#include "sinks/escape.h"
#include "support/paths.h"

#include <map>
#include <set>
#include <unistd.h>

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

/// What may be written of `fixes`, with the trees that it is in.
struct WritableFixes {
  Trees trees;
  FixPlan plan;
};

void plan(const DriverOptions &options, const std::vector<FileFixes> &fixes, const char *option, WritableFixes &out) {
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
  out.plan = plan_fixes(fixes, [&](const std::string &path) {
    if (path.starts_with(below))
      return out.trees.find(home_of(path, root), path);
    if (named.count(path) != 0)
      return out.trees.find(home_of(path), path);
    return WritableFile{nullptr, {}, "'" + path + "' is not one of the project's files"};
  });
  for (const std::string &text : out.plan.skipped)
    warn(std::string(option) + ": " + text + "; its fixes were left out");
}

std::string summary(const FixPlan &plan) {
  return plural(plan.edits(), "edit") + " in " + plural(plan.files.size(), "file");
}

/// A line of a patch in the colours of git.
Style style_of(std::string_view line) {
  if (line.starts_with("--- ") || line.starts_with("+++ "))
    return Style::Bold;
  return line.starts_with("@@")  ? Style::Cyan
         : line.starts_with('-') ? Style::Red
         : line.starts_with('+') ? Style::Green
                                 : Style::Plain;
}

} // namespace

bool write_fixes(const DriverOptions &options, std::vector<FileAnalysis> &files, std::vector<FileFixes> &fixes) {
  WritableFixes writable;
  plan(options, fixes, "--fix", writable);
  if (const std::string error = apply_fixes(writable.plan); !error.empty()) {
    complain("--fix: " + error + "; no file was changed");
    return false;
  }
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    if (!writable.plan.done[i])
      continue;
    files[i] = std::move(fixes[i].after);
    fixes[i].combined.clear();
    std::erase_if(fixes[i].sites,
                  [&](const FixedSite &site) { return !fixes[i].suggestions[site.suggestion].edits.empty(); });
  }
  if (!options.quiet)
    remark("--fix: " + summary(writable.plan));
  return true;
}

std::optional<std::vector<std::string>> show_fixes(const DriverOptions &options, const std::vector<FileFixes> &fixes) {
  WritableFixes writable;
  plan(options, fixes, "--diff", writable);
  const DisplayPaths paths(options.files);
  std::map<std::string, std::string> diffs; // by the name that is shown
  std::vector<std::string> changed;
  for (const EditedFile &file : writable.plan.files) {
    const std::string name = paths.show(file.path);
    if (std::string diff = unified_diff(name, file.text, file.edits); !diff.empty()) {
      diffs.emplace(name, std::move(diff));
      changed.push_back(name);
    }
  }
  std::string patch;
  for (const auto &[name, diff] : diffs)
    patch += diff;
  bool spelled = false;
  if (options.output.empty()) { // what is printed is no command to whoever reads it; a file has the bytes
    const std::string plain = sinks::terminal(patch, false);
    spelled = plain != patch;
    patch = plain;
    if (wants_color(options.color, STDOUT_FILENO)) {
      std::string colored;
      for (std::size_t at = 0; at < plain.size();) {
        const std::size_t end = plain.find('\n', at);
        colored +=
            styled(std::string_view(plain).substr(at, end - at), style_of(std::string_view(plain).substr(at)), true);
        colored += '\n';
        at = end + 1;
      }
      patch = std::move(colored);
    }
  }
  if (const std::string error = deliver(patch, options.output); !error.empty()) {
    complain(error);
    return std::nullopt;
  }
  if (spelled)
    warn(
        "--diff: hidden characters, carriage returns included, are spelled out here; -o FILE writes a patch that can be applied");
  if (!options.quiet)
    remark("--diff: " + summary(writable.plan) + " would be written");
  return changed;
}

} // namespace smem
