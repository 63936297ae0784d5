#include "join.h"

#include "match_launches.h"
#include "moved_lines.h"
#include "opcodes.h"
#include "places.h"
#include "reasons.h"
#include "repeats.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace smem::compare {
namespace {

using Key = std::tuple<Place, Space, Operation>;

class LaunchJoin {
public:
  explicit LaunchJoin(const LaunchMatch &match) {
    out.predicted = match.predicted;
    out.measured = match.measured;
    std::set<std::string> files{match.predicted->place.file};
    for (const PredictedSite &site : match.predicted->sites)
      files.insert(user_place(site.chain).file);
    known_files.assign(files.begin(), files.end());
    for (const PredictedSite &site : match.predicted->sites)
      if (const Place place = user_place(site.chain); place.pc)
        known_pcs.insert(*place.pc);
  }

  LaunchComparison run(const Repeats &repeats) {
    for (const PredictedSite &site : out.predicted->sites)
      add(site);
    for (const Instruction &instruction : out.measured.front()->instructions)
      add(instruction);
    drop_what_never_ran();
    for (auto &[key, row] : rows)
      decide(row);
    find_undetermined();
    set_aside(repeats);
    for (auto &[key, row] : rows)
      out.rows.push_back(std::move(row));
    join_moved_lines(out.rows);
    explain_mismatches(out);
    return std::move(out);
  }

private:
  /// ptxas gives wgmma no line: in the tables it has that of whatever stands before it. Its row is that of the whole launch.
  const Place &line_of(const Place &place, Operation operation) const {
    return operation == Operation::MatrixMultiply ? out.predicted->place : place;
  }

  Row &row_at(const Place &at, Space space, Operation operation) {
    const Place &place = line_of(at, operation);
    const auto [entry, added] = rows.try_emplace(Key{place, space, operation});
    Row &row = entry->second;
    if (added) {
      row.place = place;
      row.space = space;
      row.operation = operation;
    }
    return row;
  }

  void add(const PredictedSite &site) {
    // One row carries both sides of an asynchronous copy.
    const Space space = site.operation == Operation::AsyncCopy ? Space::Shared : site.space;
    Row &row = row_at(user_place(site.chain), space, site.operation);
    row.sites.push_back(&site);
    row.claim = std::max(row.claim, site.claim);
    if (!row.predicted)
      row.predicted.emplace();
    *row.predicted += site.figures;
  }

  /// The place of an instruction, under the name that the prediction gives to the file.
  Place place_of(const Instruction &instruction) {
    Place place = user_place(instruction.chain);
    if (known_pcs.contains(instruction.pc) || (!known_pcs.empty() && place.line == 0))
      return {"", 0, instruction.pc};
    const auto [entry, added] = file_names.try_emplace(place.file, place.file);
    if (added)
      if (const auto file = same_file(place.file, known_files))
        entry->second = *file;
    place.file = entry->second;
    return place;
  }

  void add(const Instruction &instruction) {
    const Figures &figures = instruction.figures;
    const bool shared = figures.wavefronts || figures.ideal_wavefronts;
    const bool global = figures.sectors || figures.ideal_sectors || figures.tags;
    const std::optional<OpcodeClass> what = classify_opcode(instruction.opcode);
    const Place place = place_of(instruction);
    if (!what) {
      if (shared)
        attach(instruction, row_at(place, Space::Shared, Operation::Undecoded), shared_part(figures));
      if (global)
        attach(instruction, row_at(place, Space::Global, Operation::Undecoded), global_part(figures));
      return;
    }
    switch (what->reach) {
    case Reach::None: return;
    case Reach::Local: out.spills |= figures.requests != 0; return;
    case Reach::Shared: measure(instruction, place, Space::Shared, what->operation, figures); return;
    case Reach::Global: measure(instruction, place, Space::Global, what->operation, figures); return;
    case Reach::Both: measure(instruction, place, Space::Shared, what->operation, figures); return;
    case Reach::Generic:
      if (shared)
        measure(instruction, place, Space::Shared, what->operation, shared_part(figures));
      if (global || !shared)
        measure(instruction, place, Space::Global, what->operation, shared ? global_part(figures) : figures);
      return;
    }
  }

  static Figures shared_part(Figures figures) {
    figures.sectors = figures.ideal_sectors = figures.tags = 0;
    return figures;
  }
  static Figures global_part(Figures figures) {
    figures.wavefronts = figures.ideal_wavefronts = 0;
    return figures;
  }

  void measure(const Instruction &instruction, const Place &place, Space space, Operation operation,
               const Figures &figures) {
    if (figures.nothing() && !rows.contains(Key{line_of(place, operation), space, operation})) {
      ++out.ignored_instructions; // a row with counts may still turn up at this place; this one adds nothing to it
      return;
    }
    attach(instruction, row_at(place, space, operation), figures);
  }

  void attach(const Instruction &instruction, Row &row, const Figures &figures) {
    row.instructions.push_back(&instruction);
    if (!row.measured)
      row.measured.emplace();
    *row.measured += figures;
  }

  /// Sites that were predicted to have no active lane, and that the compiler left out or that have no counts.
  void drop_what_never_ran() {
    for (auto entry = rows.begin(); entry != rows.end();) {
      const Row &row = entry->second;
      if (!row.measured && row.claim != Claim::Unknown && row.predicted->nothing()) {
        out.ignored_sites += row.sites.size();
        entry = rows.erase(entry);
      } else {
        ++entry;
      }
    }
  }

  /// A site that is declared unknown and may be what this row, without a prediction of its own, was measured for: its space
  /// or its line was not known, or it is an atomic that the compiler makes of several instructions.
  const PredictedSite *unknown_at(const Row &row) const {
    const auto may_be = [&](const PredictedSite &site) {
      if (user_place(site.chain) != row.place)
        return site.line_assumed && user_place(site.chain).file == row.place.file && site.space == row.space &&
               site.operation == row.operation;
      return site.operation == row.operation || (site.operation == Operation::Atomic && site.space == row.space);
    };
    for (const PredictedSite &site : out.predicted->sites)
      if (site.claim == Claim::Unknown && may_be(site))
        return &site;
    return nullptr;
  }

  void decide(Row &row) {
    if (row.predicted && row.claim == Claim::Unknown) {
      row.verdict = Verdict::Unknown;
      for (const PredictedSite *site : row.sites)
        if (site->claim == Claim::Unknown && row.reason.empty())
          row.reason = site->reason;
      return;
    }
    if (!row.predicted) {
      if (const PredictedSite *site = unknown_at(row)) {
        row.verdict = Verdict::Unknown;
        row.claim = Claim::Unknown;
        row.reason = site->reason;
      } else {
        row.verdict = Verdict::Mismatch;
      }
      return;
    }
    row.verdict = row.measured && row.predicted->agrees_with(*row.measured) ? Verdict::Exact : Verdict::Mismatch;
  }

  /// Rows that other launches, which look the same from outside, were measured differently for.
  void find_undetermined() {
    const std::vector<Instruction> &first = out.measured.front()->instructions;
    std::set<std::pair<std::string, std::uint64_t>> differing;
    for (const MeasuredLaunch *other : out.measured) {
      if (other->instructions == first)
        continue;
      std::map<std::pair<std::string, std::uint64_t>, const Figures *> figures;
      for (const Instruction &instruction : other->instructions)
        figures[{instruction.function, instruction.pc}] = &instruction.figures;
      for (const Instruction &instruction : first) {
        const auto found = figures.find({instruction.function, instruction.pc});
        // One that was not executed may be missing: of a launch, CUPTI has brought such rows of the kernel before.
        if ((found == figures.end() ? Figures() : *found->second) != instruction.figures)
          differing.insert({instruction.function, instruction.pc});
      }
    }
    if (differing.empty())
      return;
    for (auto &[key, row] : rows)
      if (row.verdict != Verdict::Unknown &&
          std::any_of(row.instructions.begin(), row.instructions.end(),
                      [&](const Instruction *i) { return differing.contains({i->function, i->pc}); })) {
        row.verdict = Verdict::Mismatch;
        row.cause = Cause::Undetermined;
      }
  }

  /// What the hardware does not count alike each time has no integer to be compared with, and a prediction that is exact is wrong of it.
  void set_aside(const Repeats &repeats) {
    for (auto &[key, row] : rows) {
      if (!repeats.vary(out.measured, row.instructions))
        continue;
      if (row.predicted && row.claim == Claim::Exact) {
        row.verdict = Verdict::Mismatch;
        row.cause = Cause::Undetermined;
      } else {
        row.verdict = Verdict::Unstable;
        row.cause = Cause::None;
        row.reason = "measurements of the same program have different counts here";
      }
    }
  }

  LaunchComparison out;
  std::map<Key, Row> rows;
  std::vector<std::string> known_files;
  std::set<std::uint64_t> known_pcs; ///< of sites without a line
  std::map<std::string, std::string> file_names;
};

/// Files of which the two sides have different versions.
std::vector<std::string> other_versions(const Prediction &prediction, const Measurement &measurement) {
  std::vector<std::string> names, differing;
  for (const auto &[file, hash] : measurement.hashes)
    names.push_back(file);
  for (const auto &[file, hash] : prediction.hashes)
    if (const auto found = same_file(file, names); found && measurement.hashes.at(*found) != hash)
      differing.push_back(file);
  return differing;
}

} // namespace

Comparison compare(const Prediction &prediction, const Measurement &measurement, const CompareOptions &options) {
  Comparison out;
  out.warnings = measurement.warnings;
  std::string digits = prediction.arch.substr(std::min<std::size_t>(3, prediction.arch.size())),
              capability = measurement.compute_capability;
  capability.erase(std::remove(capability.begin(), capability.end(), '.'), capability.end());
  if (!digits.empty() && !capability.empty() && digits != capability)
    out.warnings.push_back("predicted for " + prediction.arch + ", measured on " + measurement.gpu +
                           " (compute capability " + measurement.compute_capability + ")");
  for (const std::string &file : other_versions(prediction, measurement))
    out.other_versions.push_back(file);

  const Repeats repeats(measurement, options.again);
  const LaunchMatches matches = match_launches(prediction, measurement);
  const auto wanted = [&](const std::string &kernel) { return !options.wants_kernel || options.wants_kernel(kernel); };
  for (const LaunchMatch &match : matches.matches)
    if (wanted(match.predicted->kernel) || wanted(match.predicted->mangled))
      out.launches.push_back(LaunchJoin(match).run(repeats));
  std::copy_if(matches.only_predicted.begin(), matches.only_predicted.end(), std::back_inserter(out.only_predicted),
               [&](const Unmatched &u) { return wanted(u.kernel); });
  std::copy_if(matches.only_measured.begin(), matches.only_measured.end(), std::back_inserter(out.only_measured),
               [&](const Unmatched &u) { return wanted(u.kernel); });

  Summary &summary = out.summary;
  for (const LaunchComparison &launch : out.launches) {
    ++summary.launches;
    summary.ignored_instructions += launch.ignored_instructions;
    summary.ignored_sites += launch.ignored_sites;
    for (const Row &row : launch.rows) {
      summary.unstable += row.verdict == Verdict::Unstable;
      summary.rows += row.verdict != Verdict::Unstable;
      summary.exact += row.verdict == Verdict::Exact;
      summary.unknown += row.verdict == Verdict::Unknown;
      summary.mismatch += row.verdict == Verdict::Mismatch;
      summary.false_claims += row.false_claim();
      if (row.verdict == Verdict::Exact || (row.verdict == Verdict::Mismatch && row.predicted)) {
        const bool right = row.verdict == Verdict::Exact;
        ++(row.claim == Claim::Exact ? (right ? summary.exact_right : summary.exact_wrong)
                                     : (right ? summary.assumed_right : summary.assumed_wrong));
      } else if (row.verdict == Verdict::Mismatch) {
        ++summary.missing;
      }
      if (row.verdict == Verdict::Mismatch)
        ++summary.causes[row.cause];
    }
  }
  return out;
}

} // namespace smem::compare
