#include "driver/judge.h"

#include "gate/expectations.h"
#include "gate/line_filter.h"
#include "gate/suppressions.h"
#include "report/launch_floor.h"
#include "syntax/comments.h"
#include "sinks/files.h"

#include <algorithm>
#include <set>

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Regex.h>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;

/// Every source file that a program or one of its accesses is in, and the analysed files themselves.
std::set<std::string> source_files(std::span<const FileAnalysis> files) {
  std::set<std::string> all;
  for (const FileAnalysis &file : files) {
    all.insert(file.file);
    for (const Program &program : file.programs) {
      if (program.location.known())
        all.insert(program.location.file);
      for (const Site &site : program.sites)
        if (site.location.known())
          all.insert(site.location.file);
    }
  }
  return all;
}

struct Comments {
  std::vector<NoLint> nolints;
  std::vector<Expectation> expectations;
};

Comments read_comments(const std::set<std::string> &files, SourceLines &sources, std::vector<Diagnostic> &diagnostics) {
  Comments all;
  for (const std::string &file : files) {
    const std::string_view text = sources.text(file);
    if (text.find("NOLINT") == std::string_view::npos && text.find("smem-lint:") == std::string_view::npos)
      continue;
    const std::vector<CommentLine> lines = comment_lines(text);
    NoLints nolints = find_nolints(file, lines);
    Expectations expectations = find_expectations(file, text, lines);
    std::move(nolints.comments.begin(), nolints.comments.end(), std::back_inserter(all.nolints));
    std::move(nolints.diagnostics.begin(), nolints.diagnostics.end(), std::back_inserter(diagnostics));
    std::move(expectations.expectations.begin(), expectations.expectations.end(), std::back_inserter(all.expectations));
    std::move(expectations.diagnostics.begin(), expectations.diagnostics.end(), std::back_inserter(diagnostics));
  }
  return all;
}

/// Where the array that a finding is about is declared.
SourceLocation declaration_of(const Finding &finding, std::span<const FileAnalysis> files) {
  if (!finding.site || finding.program == Finding::kNoIndex)
    return {};
  return files[finding.file].programs[finding.program].sites[*finding.site].array_location;
}

std::vector<std::string> texts(const std::vector<BaselineEntry> &entries) {
  std::vector<std::string> out;
  for (const BaselineEntry &entry : entries)
    out.push_back(entry.path + ": " + entry.occurrence.kernel + ": " + entry.rule +
                  (entry.occurrence.expression.empty() ? "" : " at " + entry.occurrence.expression));
  return out;
}

std::string write_baseline(const BaselinePlace &place, const std::string &text,
                           const std::optional<std::string> &before) {
  sinks::Writing how;
  how.before = &before;
  if (place.within.empty())
    return sinks::write_file(place.path, text, how);
  std::string error;
  const sinks::Tree tree = sinks::Tree::open(place.within, error);
  const std::string name = tree ? tree.inside(place.path, error) : std::string();
  return name.empty() ? "the baseline of the configuration: " + error : tree.write(name, text, how);
}

const Gpu *gpu_of(const DriverOptions &options) { return options.gpu ? &*options.gpu : nullptr; }

void use_baseline(const DriverOptions &options, const BaselinePlace &place, std::span<const FileAnalysis> files,
                  bool line_filtered, const std::function<bool(std::string_view)> &enabled,
                  const std::optional<Baseline> &old, const std::optional<std::string> &text,
                  std::vector<Finding> &findings, RepositoryPaths &paths, Judgement &judgement) {
  if (!old)
    return;
  Baseline current = *old;
  if (options.baseline_action != BaselineAction::Compare) {
    const Floors floors = floors_of(files, gpu_of(options), paths);
    std::vector<Finding> scratch = findings;
    current = options.baseline_action == BaselineAction::Update
                  ? updated(*old, files, findings, floors, paths)
                  : pruned(*old, compare_with(*old, files, scratch, paths, enabled), findings, floors, paths);
  }
  if (options.baseline_action != BaselineAction::Compare && (current.text() != old->text() || !text))
    if (const std::string error = write_baseline(place, current.text(), text); !error.empty()) {
      judgement.diagnostics.push_back(
          {Severity::Error, {}, error + (error.ends_with(sinks::kHasChanged) ? ", by another run: run again" : "")});
      return;
    }
  // Compared with what stood there before: a run that updates still says what has changed.
  const BaselineComparison comparison =
      compare_with(options.baseline_action == BaselineAction::Update ? current : *old, files, findings, paths, enabled);
  drop_explained_floors(findings);
  const auto raised = static_cast<std::size_t>(std::ranges::count_if(
      findings, [](const Finding &finding) { return finding.rule->id == rule::floor_raised && !finding.suppression; }));
  judgement.baseline =
      BaselineSummary{comparison.added, comparison.worse + raised, comparison.unchanged, comparison.better, {}, {}};
  if (!line_filtered) {
    judgement.baseline->gone = texts(comparison.gone);
    judgement.baseline->not_known = texts(comparison.not_known);
  }
}

} // namespace

BaselinePlace baseline_place(const DriverOptions &options, const Config &config) {
  if (!options.baseline.empty() || !config.baseline)
    return {options.baseline, {}};
  return {*config.baseline, config.baseline_within};
}

std::optional<Baseline> read_baseline(const std::string &path, bool may_be_missing,
                                      std::vector<Diagnostic> &diagnostics, std::optional<std::string> *text) {
  std::string wrong;
  const std::optional<std::string> contents = sinks::read_file(path, wrong);
  const bool missing = !contents && wrong.empty();
  if (text)
    *text = contents;
  if (missing && may_be_missing)
    return Baseline();
  std::optional<Baseline> baseline;
  if (contents)
    baseline = Baseline::parse(*contents, wrong);
  else
    wrong = "cannot be read: " + (missing ? "No such file or directory; --update-baseline writes one" : wrong);
  if (!baseline)
    diagnostics.push_back({Severity::Error, {path, 0, 0}, "the baseline " + wrong});
  return baseline;
}

Judgement judge(const DriverOptions &options, std::span<const FileAnalysis> files, SourceLines &sources,
                const std::function<const FileSettings &(const std::string &)> &settings_of,
                const BaselinePlace &baseline, const std::string &line_filter_text, const Floors *floors) {
  Judgement judgement;
  std::vector<const FileSettings *> settings;
  for (const FileAnalysis &file : files)
    settings.push_back(&settings_of(file.file));

  std::vector<Finding> findings =
      find_all(files, [&](std::size_t i) -> const FindingOptions & { return settings[i]->findings; });
  const std::set<std::string> all_sources = source_files(files);
  Comments comments = read_comments(all_sources, sources, judgement.diagnostics);
  if (!options.races)
    std::erase_if(comments.expectations,
                  [](const Expectation &one) { return one.metric == Expectation::Metric::RaceFree; });

  RepositoryPaths paths;
  std::optional<Baseline> known;
  std::optional<std::string> known_text;
  if (!baseline.path.empty())
    known = read_baseline(baseline.path, options.baseline_action == BaselineAction::Update, judgement.diagnostics,
                          &known_text);
  std::vector<const std::vector<KernelBudget> *> budgets;
  for (const FileSettings *of_file : settings)
    budgets.push_back(&of_file->config.budgets);
  if (known && options.baseline_action != BaselineAction::Update)
    floors = &known->floors;
  for (std::vector<Finding> more :
       {check_expectations(files, comments.expectations), check_budgets(files, budgets),
        floors ? raised_floors(*floors, files, gpu_of(options), paths) : std::vector<Finding>()})
    for (Finding &finding : more) {
      const FindingOptions &of_place = settings_of(finding.location.file).findings;
      if (!of_place.checks.enabled(finding.rule->id, finding.location.file))
        continue;
      apply_severity(finding, of_place);
      findings.push_back(std::move(finding));
    }
  apply_nolints(files, comments.nolints, findings,
                [&](const std::string &file) -> const FindingOptions & { return settings_of(file).findings; });
  sort_findings(findings);
  add_worth(findings, files, gpu_of(options));

  // What is filtered away does not exist for anything that follows.
  std::set<std::string> main_files;
  for (const FileAnalysis &file : files)
    main_files.insert(file.file);
  // Whoever compiles a file can do nothing about the toolkit's and the system's headers; a header filter of the user's may name them.
  std::set<std::string> system_headers;
  for (const FileAnalysis &file : files)
    for (const SourceVersion &source : file.sources)
      if (source.system)
        system_headers.insert(source.file);
  std::erase_if(findings, [&](const Finding &finding) {
    const std::optional<std::string> &filter = settings_of(finding.location.file).header_filter;
    if (!filter && system_headers.count(finding.location.file))
      return true;
    return filter && all_sources.count(finding.location.file) && !main_files.count(finding.location.file) &&
           !llvm::Regex(*filter).match(finding.location.file);
  });
  const bool line_filtered = !options.line_filter.empty();
  if (line_filtered) {
    std::string error;
    const LineFilter filter = LineFilter::parse(line_filter_text, error);
    if (!error.empty())
      judgement.diagnostics.push_back({Severity::Error, {}, "--line-filter: " + error});
    std::erase_if(findings,
                  [&](const Finding &finding) { return !filter.keeps(finding, declaration_of(finding, files)); });
  }

  add_fingerprints(findings, paths);
  if (!baseline.path.empty())
    use_baseline(
        options, baseline, files, line_filtered,
        [&](std::string_view rule) {
          return std::any_of(settings.begin(), settings.end(),
                             [&](const FileSettings *s) { return s->findings.checks.enabled(rule); });
        },
        known, known_text, findings, paths, judgement);
  for (const std::string &file : all_sources)
    judgement.repository_paths.emplace(file, paths.show(file));
  for (Finding &finding : findings) {
    for (const std::string &file : {finding.location.file, declaration_of(finding, files).file})
      judgement.repository_paths.emplace(file, paths.show(file));
    if (finding.suppression) {
      judgement.suppressed.push_back(std::move(finding));
      continue;
    }
    judgement.gated |= gates(finding, settings_of(finding.location.file));
    const bool known = finding.baseline == BaselineState::Unchanged || finding.baseline == BaselineState::Better;
    (known ? judgement.known : judgement.shown).push_back(std::move(finding));
  }
  judgement.source_root = paths.common_root();
  return judgement;
}

} // namespace smem
