#include "fixes/prove.h"

#include "fixes/traffic.h"
#include "nvcc/uncertainties.h"
#include "smem/shared_layout.h"
#include "smem/trace.h"
#include "support/paths.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace smem {
namespace {

constexpr std::uint64_t kTraceSteps = 3'000'000;
constexpr std::size_t kMostTouched = 8'000'000; // bytes times threads

enum class Way : std::uint64_t { Read, Write, Update };

Way way_of(Operation operation) {
  switch (operation) {
  case Operation::Load:
  case Operation::MatrixMultiply:
  case Operation::MatrixLoad: return Way::Read;
  case Operation::Atomic: return Way::Update;
  case Operation::Store:
  case Operation::AsyncCopy:
  case Operation::BulkCopy:
  case Operation::MatrixStore: break;
  }
  return Way::Write;
}

std::uint64_t excess_of(const std::vector<ArrayCounts> &arrays) {
  return std::accumulate(arrays.begin(), arrays.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const ArrayCounts &array) { return sum + array.excess(); });
}

std::size_t unknown_sites(const LaunchAnalysis &launch) {
  return static_cast<std::size_t>(
      std::count_if(launch.result.sites.begin(), launch.result.sites.end(), [](const SiteResult &site) {
        return site.space == Space::Shared && site.verdict == Verdict::Unknown;
      }));
}

/// Accesses that nvcc may make otherwise than the model has them: what they would gain is no proof.
std::size_t uncertain_sites(const LaunchAnalysis &launch) {
  const auto may_differ = [](const Assumption &assumption) {
    const UncertaintyInfo *info = assumption.id.empty() ? nullptr : find_uncertainty(assumption.id);
    return info && info->scope == UncertaintyScope::Source;
  };
  return static_cast<std::size_t>(std::ranges::count_if(launch.result.sites, [&](const SiteResult &site) {
    return site.space == Space::Shared && site.verdict == Verdict::Assumed &&
           std::ranges::any_of(site.assumptions, may_differ);
  }));
}

/// What the threads of the first block touch in shared memory. An entry is thread, way, array and byte.
struct Touched {
  bool known = false;
  std::vector<std::uint64_t> all;      ///< sorted, each once
  std::vector<std::uint64_t> required; ///< likewise: written, or read by accesses of single elements
  /// Of reads wider than an element: the compiler may have merged them, and then reads more than it needs.
  std::vector<std::uint64_t> wide;
  std::vector<std::size_t> wide_ends; ///< in `wide`
};

void sort_once(std::vector<std::uint64_t> &values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// `moved_already`: the program is the edited one; else the layouts of `intents` are applied to its addresses.
Touched touched(const Program &program, const Launch &launch, const Architecture &architecture,
                const std::vector<Intent> &intents, bool moved_already) {
  SimulationOptions options;
  options.max_steps = kTraceSteps;
  const Trace trace = trace_first_block(program, launch, architecture, options);
  Touched result;
  if (!trace.complete)
    return result;
  const SharedLayout layout = layout_shared(program.shared_arrays, architecture);
  for (const TracedRequest &traced : trace.requests) {
    const MemoryOperation &operation = program.memory_operations[traced.operation];
    const unsigned width = operation.access.width_bits / 8u;
    const Way way = way_of(operation.access.operation);
    LaneMask lanes = traced.request.active;
    if (operation.access.matrices != 0 && operation.access.matrices < 4)
      lanes &= (1u << (8 * operation.access.matrices)) - 1;
    for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(lanes));
      const std::uint64_t address = traced.request.address[lane];
      const std::uint32_t array = array_of(program, layout, launch.dynamic_shared_bytes, operation, address);
      if (array == kNone)
        return result;
      const auto intent =
          std::find_if(intents.begin(), intents.end(), [&](const Intent &each) { return each.array == array; });
      const bool wide = way == Way::Read && width > (intent != intents.end() ? intent->extents.element : 4u);
      for (unsigned byte = 0; byte < width; ++byte) {
        std::uint64_t offset = address + byte - layout.offset[array];
        if (!moved_already && intent != intents.end())
          offset = place(intent->layout, intent->extents, offset);
        const std::uint64_t entry = (std::uint64_t{traced.warp} * kWarpSize + lane) << 48 |
                                    static_cast<std::uint64_t>(way) << 44 | std::uint64_t{array} << 32 |
                                    (offset & 0xffffffffu);
        (wide ? result.wide : result.required).push_back(entry);
      }
      if (wide)
        result.wide_ends.push_back(result.wide.size());
    }
    if (result.required.size() + result.wide.size() > kMostTouched)
      return result;
  }
  result.all = result.required;
  result.all.insert(result.all.end(), result.wide.begin(), result.wide.end());
  sort_once(result.all);
  sort_once(result.required);
  result.known = true;
  return result;
}

/// Everything that `one` needs is in `other`: single elements all, of wider reads at least half.
bool covered(const Touched &one, const Touched &other) {
  if (!std::includes(other.all.begin(), other.all.end(), one.required.begin(), one.required.end()))
    return false;
  std::size_t begin = 0;
  for (const std::size_t end : one.wide_ends) {
    const auto shared = std::count_if(
        one.wide.begin() + static_cast<std::ptrdiff_t>(begin), one.wide.begin() + static_cast<std::ptrdiff_t>(end),
        [&](std::uint64_t entry) { return std::binary_search(other.all.begin(), other.all.end(), entry); });
    if (2 * static_cast<std::size_t>(shared) < end - begin)
      return false;
    begin = end;
  }
  return true;
}

/// What was free of races no longer is, or what was not known to race does.
bool less_certain(const std::optional<Races> &was, const std::optional<Races> &is) {
  const auto rank = [](RaceVerdict verdict) {
    return verdict == RaceVerdict::Free ? 0 : verdict == RaceVerdict::Unknown ? 1 : 2;
  };
  return was && is &&
         (rank(is->between_warps) > rank(was->between_warps) || rank(is->within_warp) > rank(was->within_warp));
}

} // namespace

Proof prove(const FileAnalysis &before, const AnalysisOptions &options, const std::vector<Intent> &intents,
            const std::vector<Edit> &edits, const FileTexts &texts) {
  Proof proof;
  AnalysisOptions edited = options;
  const std::string main = normalise_path(options.frontend.file);
  for (const auto &[file, text] : texts) {
    if (std::none_of(edits.begin(), edits.end(), [&file = file](const Edit &edit) { return edit.file == file; }))
      continue;
    std::string after = apply_edits(text, edits, file);
    if (file == main)
      edited.frontend.contents = std::move(after);
    else
      edited.frontend.overlays[file] = std::move(after);
  }
  proof.after = analyze_file(edited);
  const FileAnalysis &after = proof.after;
  if (!after.parsed) {
    proof.why_not = "the edited text does not compile";
    for (const Diagnostic &diagnostic : after.diagnostics)
      if (diagnostic.severity == Diagnostic::Severity::Error) {
        proof.why_not += ": " + diagnostic.message;
        break;
      }
    return proof;
  }
  const auto differs = [&] {
    proof.why_not = "the edited text has other kernels or launches";
    return std::move(proof);
  };
  if (after.programs.size() != before.programs.size() || after.launches.size() != before.launches.size())
    return differs();

  for (std::size_t i = 0; i < before.launches.size(); ++i) {
    const LaunchAnalysis &was = before.launches[i], &is = after.launches[i];
    const Program &old_program = before.programs[was.program], &new_program = after.programs[is.program];
    if (old_program.mangled != new_program.mangled ||
        old_program.shared_arrays.size() != new_program.shared_arrays.size())
      return differs();
    std::vector<Intent> own;
    for (const Intent &intent : intents)
      if (intent.program == was.program)
        own.push_back(intent);
    const std::vector<ArrayCounts> old_counts = counts_by_array(old_program, was, *before.architecture);
    const std::vector<ArrayCounts> new_counts = counts_by_array(new_program, is, *before.architecture);
    std::uint64_t old_rest = excess_of(old_counts), new_rest = excess_of(new_counts);
    for (const Intent &intent : own) {
      proof.counts += new_counts[intent.array].counts;
      proof.verdict = std::max(proof.verdict, new_counts[intent.array].verdict);
      proof.excess_left += new_counts[intent.array].excess();
      new_rest -= new_counts[intent.array].excess();
      old_rest -= old_counts[intent.array].excess();
    }
    if (new_rest > old_rest)
      proof.why_not = "the conflict would move to another array";
    if (is.result.problems.size() > was.result.problems.size())
      proof.why_not = is.result.problems.back().message;
    if (less_certain(was.races, is.races))
      proof.why_not = is.races->verdict() == RaceVerdict::Race
                          ? "threads of the edited kernel would race"
                          : "the edited kernel would no longer be known to be free of races: " + is.races->reason;
    if (unknown_sites(is) > unknown_sites(was))
      proof.why_not = "less would be known of the edited kernel";
    proof.rests_on_merging |= uncertain_sites(is) > uncertain_sites(was);
    if (!proof.why_not.empty()) {
      proof.useless = true;
      return proof;
    }
  }
  if (proof.excess_left != 0) {
    proof.useless = true;
    proof.why_not = "conflicts would be left";
    return proof;
  }
  for (std::size_t i = 0; i < before.launches.size(); ++i) {
    const LaunchAnalysis &was = before.launches[i], &is = after.launches[i];
    std::vector<Intent> own;
    for (const Intent &intent : intents)
      if (intent.program == was.program)
        own.push_back(intent);
    if (own.empty())
      continue;
    const Touched expected = touched(before.programs[was.program], was.launch, *before.architecture, own, false);
    const Touched found = touched(after.programs[is.program], is.launch, *before.architecture, own, true);
    if (!expected.known || !found.known) {
      proof.why_not = "not every address is known";
      return proof;
    }
    if (!covered(expected, found) || !covered(found, expected)) {
      proof.why_not = "the edited kernel would not touch the same elements";
      return proof;
    }
  }
  proof.holds = true;
  return proof;
}

} // namespace smem
