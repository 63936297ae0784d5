#include "driver/analyse.h"
#include "driver/conclude.h"
#include "driver/find_files.h"
#include "driver/judge.h"
#include "driver/lint.h"
#include "driver/output.h"
#include "driver/version.h"
#include "gate/compare_runs.h"
#include "gate/git.h"
#include "sinks/escape.h"
#include "sinks/files.h"
#include "support/paths.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <unistd.h>

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

namespace smem {
namespace fs = std::filesystem;
namespace {

/// A folder that goes when its owner does.
class ScratchFolder {
public:
  ScratchFolder() { failed = static_cast<bool>(llvm::sys::fs::createUniqueDirectory("smem-lint-diff", path_)); }
  ~ScratchFolder() {
    std::error_code error;
    if (!failed)
      fs::remove_all(path_.c_str(), error);
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  bool ok() const { return !failed; }
  std::string path() const { return path_.str().str(); }

private:
  llvm::SmallString<128> path_;
  bool failed = false;
};

/// Another working directory for a while: relative paths of the command line, the flags and the configuration mean the copy.
class WorkingDirectory {
public:
  explicit WorkingDirectory(const std::string &path) : old(fs::current_path()) { fs::current_path(path); }
  ~WorkingDirectory() {
    std::error_code error;
    fs::current_path(old, error);
  }
  WorkingDirectory(const WorkingDirectory &) = delete;
  WorkingDirectory &operator=(const WorkingDirectory &) = delete;

private:
  fs::path old;
};

/// The findings of one side, those that comments suppress included.
struct Side {
  std::vector<FileAnalysis> files;
  std::vector<Finding> findings;
  SourceLines sources;
  std::vector<Diagnostic> diagnostics;
  std::map<std::string, std::string> repository_paths;
  std::string source_root;
};

std::optional<Side> analyse_side(const DriverOptions &options, Settings &settings,
                                 const std::optional<Relocation> &relocation, const Floors *floors = nullptr) {
  std::optional<Analysed> analysed = analyse(options, settings, relocation);
  if (!analysed || print_file_diagnostics(analysed->files, options) || (analysed->unmatched && !relocation))
    return std::nullopt;
  Judgement judgement = judge(
      options, analysed->files, analysed->sources,
      [&](const std::string &path) -> const FileSettings & { return settings.of(path); }, {}, "", floors);
  // A comment that could not be read in the old version is no concern of the new one.
  if (!relocation &&
      (print_diagnostics(judgement.diagnostics, options) || print_diagnostics(settings.take_diagnostics(), options)))
    return std::nullopt;
  Side side{std::move(analysed->files),
            std::move(judgement.shown),
            std::move(analysed->sources),
            std::move(judgement.diagnostics),
            std::move(judgement.repository_paths),
            judgement.source_root};
  std::move(judgement.suppressed.begin(), judgement.suppressed.end(), std::back_inserter(side.findings));
  return side;
}

/// The CUDA files of the commit and of the work tree below `directory`, relative to it.
std::vector<std::string> all_files(const std::string &directory, const std::string &commit, std::string &error) {
  std::set<std::string> files;
  for (const std::string &file : split_list(
           run_git(directory, {"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.cu"}, error)))
    files.insert(file);
  for (const std::string &file : split_list(run_git(directory, {"ls-tree", "-r", "-z", "--name-only", commit}, error)))
    if (file.ends_with(".cu"))
      files.insert(file);
  return {files.begin(), files.end()};
}

/// What the command line names, of a folder what lies in it on either side; without anything named, of this folder.
std::vector<std::string> compared_files(const DriverOptions &options, const std::string &commit, std::string &error) {
  Settings settings(options); // what is wrong with them is said when a side is analysed
  std::vector<std::string> files;
  for (const std::string &name : options.files.empty() ? std::vector<std::string>{"."} : options.files) {
    std::error_code no_folder;
    if (!fs::is_directory(name, no_folder)) {
      files.push_back(name);
      continue;
    }
    for (const std::string &file : all_files(normalise_path(name), commit, error))
      if (std::string path = normalise_path(file, normalise_path(name)); !is_excluded(path, options, settings))
        files.push_back(std::move(path));
    if (!error.empty())
      break;
  }
  return files;
}

std::vector<std::string> present(const std::vector<std::string> &files) {
  std::vector<std::string> out;
  std::error_code error;
  std::copy_if(files.begin(), files.end(), std::back_inserter(out),
               [&](const std::string &file) { return fs::exists(file, error); });
  return out;
}

/// What got worse, as the report of a run that has found nothing else.
std::string sarif(const DiffReport &diff, Side &now) {
  std::vector<Finding> worse;
  std::copy_if(now.findings.begin(), now.findings.end(), std::back_inserter(worse), [](const Finding &finding) {
    return !finding.suppression && (finding.baseline == BaselineState::New || finding.baseline == BaselineState::Worse);
  });
  Report report{now.files, worse, SMEM_LINT_VERSION};
  report.diagnostics = now.diagnostics;
  report.repository_paths = now.repository_paths;
  report.source_root = now.source_root;
  report.homepage = SMEM_LINT_HOMEPAGE;
  report.diff = &diff;
  return sarif_report(report, now.sources);
}

std::string render(const DiffReport &report, Side &now, const DriverOptions &options) {
  switch (options.format) {
  case Format::Markdown: return diff_markdown(report);
  case Format::Json: return diff_json(report, now.findings, SMEM_LINT_VERSION);
  case Format::Sarif: return sarif(report, now);
  default: break;
  }
  const bool color = options.output.empty() && wants_color(options.color, STDOUT_FILENO);
  return sinks::terminal(diff_text(report, color), color);
}

int fail(const std::string &message) {
  complain("diff: " + message);
  return kFailure;
}

} // namespace

int diff(const DriverOptions &options) {
  const std::string here = fs::path(normalise_path("./x")).parent_path().string(), root = repository_root(here);
  if (root.empty())
    return fail("'" + here + "' is in no git repository");
  std::string error;
  const std::string commit = resolve_revision(root, options.revision, error);
  if (!error.empty())
    return fail(error);
  const std::vector<std::string> files = compared_files(options, commit, error);
  if (!error.empty())
    return fail(error);
  for (const std::string &file : options.files)
    if (!(normalise_path(file) + "/").starts_with(root + "/"))
      return fail("'" + file + "' is not in the repository '" + root + "'");

  const ScratchFolder scratch;
  if (!scratch.ok())
    return fail("no temporary folder can be made");
  const std::string copy = normalise_path(scratch.path()) + "/tree", copy_here = copy + here.substr(root.size());
  check_out(root, commit, copy, error);
  if (error.empty()) {
    // The revision may have a link where this folder is now.
    const sinks::Tree tree = sinks::Tree::open(copy, error, /*make=*/true);
    if (tree && here != root)
      tree.folder(here.substr(root.size() + 1), error);
    if (tree && error.empty())
      tree.folder(".git", error); // so that paths are relative to the copy's root
  }
  if (!error.empty())
    return fail("cannot check out '" + options.revision + "': " + error);
  std::error_code made;

  DriverOptions side_options = options;
  if (options.build_path)
    side_options.build_path = normalise_path(*options.build_path);
  // Absolute paths would name the work tree's files on both sides.
  std::vector<std::string> relative;
  for (const std::string &file : files)
    relative.push_back(fs::path(normalise_path(file)).lexically_relative(here).string());
  for (const std::string &file : options.files) {
    const std::string name = fs::path(normalise_path(file)).lexically_relative(here).string();
    if (!fs::is_directory(file, made) && !fs::exists(name, made) && !fs::exists(fs::path(copy_here) / name, made))
      return fail("'" + file + "' is neither in the work tree nor in '" + options.revision + "'");
  }
  side_options.fail_on = FailOn::Never; // the sides themselves gate nothing; see below

  const Gpu *const gpu = options.gpu ? &*options.gpu : nullptr;
  RunSummary before;
  {
    const WorkingDirectory directory(copy_here);
    DriverOptions copy_options = side_options;
    copy_options.files = present(relative);
    copy_options.quiet = true;
    if (!copy_options.files.empty()) {
      Settings settings(copy_options);
      const std::optional<Side> side = analyse_side(copy_options, settings, Relocation{root, copy});
      if (!side)
        return fail("'" + options.revision + "' cannot be analysed");
      RepositoryPaths paths;
      before = {kernel_costs(side->files, paths), Baseline::of(side->findings, paths)};
      before.findings.floors = floors_of(side->files, gpu, paths);
    }
  }
  side_options.files = present(relative);
  Side now;
  Settings settings(side_options);
  if (!side_options.files.empty()) {
    std::optional<Side> side = analyse_side(side_options, settings, {}, &before.findings.floors);
    if (!side)
      return kFailure;
    now = std::move(*side);
  }
  RepositoryPaths paths;
  const FailOn level = options.fail_on.value_or(FailOn::Regression);
  DiffReport report = compare_runs(before, now.files, now.findings, gpu, paths, [&](const Finding &finding) {
    return gates(finding, level, settings.of(finding.location.file).min_gain);
  });
  report.revision = options.revision;
  report.files = relative.size();
  if (const std::string wrong = deliver(render(report, now, options), options.output); !wrong.empty()) {
    complain(wrong);
    return kFailure;
  }
  return report.regressed() ? kFindings : kClean;
}

} // namespace smem
