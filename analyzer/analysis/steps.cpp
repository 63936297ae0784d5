#include "analysis/steps.h"

#include <algorithm>
#include <map>

#include <llvm/Support/FormatVariadic.h>

#include "smem/pattern.h"
#include "support/paths.h"

namespace smem {

namespace {

void assume(SiteResult &site, const Assumption &what) {
  if (site.verdict == Verdict::Unknown)
    return;
  site.verdict = Verdict::Assumed;
  site.assumptions.push_back(what);
  site.reason += (site.reason.empty() ? "" : "; ") + what.text;
}

} // namespace

void assume_rules(SimulationResult &result, const Architecture &architecture) {
  if (architecture.wavefront_evidence != Evidence::Inferred)
    return;
  const Assumption rules{"rules of " + std::string(architecture.rules_of) + ": what the compiler and memory do on " +
                         std::string(architecture.name) + " has not been measured"};
  for (SiteResult &site : result.sites)
    if (site.counts.requests != 0)
      assume(site, rules);
}

void assume_headers(FileAnalysis &analysis) {
  if (analysis.assumed_headers.empty())
    return;
  const Assumption headers{analysis.assumed_headers};
  for (LaunchAnalysis &launch : analysis.launches) {
    for (SiteResult &site : launch.result.sites)
      assume(site, headers);
    for (std::optional<Races> *races : {&launch.races, &launch.global_races})
      if (*races) {
        (*races)->assumed = true;
        (*races)->always = (*races)->barriers_always = (*races)->barriers_by_all = false;
        (*races)->assumptions.push_back(headers);
      }
  }
}

void find_patterns_of(FileAnalysis &analysis, const AnalysisOptions &options) {
  const std::vector<Program> &programs = analysis.programs;
  analysis.patterns.assign(programs.size(), {});
  std::vector<std::size_t> same(programs.size()), work;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    same[i] = i;
    for (const std::size_t j : work)
      if (same[i] == i && alike(programs[i], programs[j]))
        same[i] = j;
    if (same[i] == i)
      work.push_back(i);
  }
  const PatternFinder finder(*options.frontend.architecture);
  options.parallel_for(work.size(), [&](std::size_t n) {
    if (options.frontend.stop.stop_requested() || !verify(programs[work[n]]).empty())
      return;
    analysis.patterns[work[n]] = finder.find(programs[work[n]]);
  });
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (same[i] != i)
      analysis.patterns[i] = analysis.patterns[same[i]];
}

void note_late(FileAnalysis &analysis, const std::vector<Late> &launches, const std::string &why) {
  struct Template {
    const Program *first = nullptr;
    std::size_t others = 0;
    Late all;
  };
  std::map<SourceLocation, Template> templates;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (launches[i].late == 0)
      continue;
    Template &own = templates[analysis.programs[i].location];
    own.others += own.first != nullptr;
    own.first = own.first ? own.first : &analysis.programs[i];
    own.all.launches += launches[i].launches;
    own.all.late += launches[i].late;
  }
  for (const auto &[location, kernel] : templates) {
    std::string message;
    if (kernel.all.late != kernel.all.launches)
      message = llvm::formatv("{0} of {1} launches of ", kernel.all.late, kernel.all.launches).str();
    message += kernel.first->kernel;
    if (kernel.others != 0)
      message += llvm::formatv(" and {0} other instantiation{1}", kernel.others, kernel.others == 1 ? "" : "s").str();
    analysis.diagnostics.push_back(
        {Diagnostic::Severity::Error, location, message + " not analysed: " + why, /*incomplete=*/true});
  }
}

void note_end(FileAnalysis &analysis, const AnalysisOptions &options) {
  if (!options.frontend.stop.stop_requested())
    return;
  analysis.stopped = true;
  const bool said = std::ranges::any_of(analysis.diagnostics, [&](const Diagnostic &one) {
    return one.incomplete && one.severity == Diagnostic::Severity::Error &&
           one.message.find(options.stop_reason) != std::string::npos;
  });
  if (!said) // every launch has its counts: arithmetic, races or patterns may lack
    analysis.diagnostics.push_back({Diagnostic::Severity::Error,
                                    {normalise_path(analysis.file), 0, 0},
                                    "not analysed to the end: " + options.stop_reason,
                                    /*incomplete=*/true});
}

} // namespace smem
