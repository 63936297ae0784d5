#include "driver/display_paths.h"

#include "support/paths.h"

namespace smem {

DisplayPaths::DisplayPaths(const std::vector<std::string> &files) : directory(normalise_path(".")) {
  if (directory.empty() || directory.back() != '/')
    directory += '/';
  for (const std::string &file : files)
    typed.emplace(normalise_path(file), file);
}

std::string DisplayPaths::show(const std::string &path) const {
  if (const auto known = typed.find(path); known != typed.end())
    return known->second;
  return path.starts_with(directory) ? path.substr(directory.size()) : path;
}

void DisplayPaths::apply(SourceLocation &location) const { location.file = show(location.file); }

void DisplayPaths::apply(Races &races) const {
  apply(races.reason_location);
  for (UnwrittenRead &read : races.unwritten)
    apply(read.access.location);
  for (std::vector<RaceWitness> *witnesses : {&races.witnesses, &races.same_value})
    for (RaceWitness &witness : *witnesses) {
      for (RacingAccess *access : {&witness.first, &witness.second}) {
        apply(access->location);
        apply(access->call);
      }
      apply(witness.interval_begin);
      apply(witness.interval_end);
      for (BarrierEdit &edit : witness.edits)
        apply(edit.line);
    }
  for (Problem &problem : races.barriers)
    apply(problem.location);
  for (SourceLocation &barrier : races.redundant)
    apply(barrier);
}

void DisplayPaths::apply(FileAnalysis &analysis) const {
  for (Diagnostic &diagnostic : analysis.diagnostics)
    apply(diagnostic.location);
  for (SourceVersion &source : analysis.sources)
    source.file = show(source.file);
  for (Program &program : analysis.programs) {
    apply(program.location);
    for (Site &site : program.sites) {
      apply(site.location);
      apply(site.array_location);
      for (InlineFrame &frame : site.inlined_at)
        apply(frame.call);
    }
    for (SharedArray &array : program.shared_arrays)
      apply(array.location);
  }
  for (std::vector<Pattern> &patterns : analysis.patterns)
    for (Pattern &pattern : patterns)
      apply(pattern.reason_location);
  for (LaunchAnalysis &launch : analysis.launches) {
    apply(launch.launch.location);
    apply(launch.launch.called_from);
    for (SiteResult &site : launch.result.sites)
      apply(site.reason_location);
    for (Problem &problem : launch.result.problems)
      apply(problem.location);
    for (std::optional<Races> *races : {&launch.races, &launch.global_races})
      if (*races)
        apply(**races);
  }
}

} // namespace smem
