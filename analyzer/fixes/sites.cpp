#include "fixes/sites.h"

#include "fixes/traffic.h"
#include "smem/shared_layout.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace smem {
namespace {

/// The request under the layout, and what it costs there. Nullopt: it would fault, or no rule says what it costs.
std::optional<Example> example_after(const Example &example, Access access, const FixedArray &own, std::uint64_t base,
                                     const Architecture &architecture) {
  Example out = example;
  access.space = Space::Shared;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(example.request.active >> lane & 1))
      continue;
    out.request.address[lane] = base + place(own.layout, own.extents, example.request.address[lane] - base);
    if (out.request.address[lane] % (access.width_bits / 8u) != 0)
      return std::nullopt;
  }
  if (access.operation == Operation::AsyncCopy || !unsupported_reason(access, architecture).empty())
    return std::nullopt;
  out.cost = evaluate(out.request, access, architecture);
  return out;
}

bool is_about(const FixedArray &each, std::size_t program, std::uint32_t array) {
  return each.program == program && each.array == array;
}

} // namespace

const FixSuggestion *suggestion_for(const std::vector<FixSuggestion> &suggestions, std::size_t program,
                                    std::uint32_t array) {
  for (const FixSuggestion &suggestion : suggestions)
    for (const FixedArray &each : suggestion.arrays)
      if (is_about(each, program, array))
        return &suggestion;
  return nullptr;
}

std::vector<FixedSite> sites_of(const std::vector<FixSuggestion> &suggestions, const FileAnalysis &analysis) {
  std::vector<FixedSite> sites;
  for (std::size_t i = 0; i < analysis.launches.size(); ++i) {
    const LaunchAnalysis &launch = analysis.launches[i];
    const Program &program = analysis.programs[launch.program];
    const SharedLayout layout = layout_shared(program.shared_arrays, *analysis.architecture);
    for (const MemoryOperation &operation : program.memory_operations) {
      const SiteResult *site =
          operation.site < launch.result.sites.size() ? &launch.result.sites[operation.site] : nullptr;
      if (!site || !site->shared_example || site->shared_example->request.active == 0 ||
          site->counts.wavefronts <= site->counts.ideal_wavefronts)
        continue;
      const Request &request = site->shared_example->request;
      const std::uint32_t array = array_of(program, layout, launch.launch.dynamic_shared_bytes, operation,
                                           request.address[static_cast<std::size_t>(std::countr_zero(request.active))]);
      const FixSuggestion *suggestion = suggestion_for(suggestions, launch.program, array);
      if (!suggestion)
        continue;
      const auto own = std::find_if(suggestion->arrays.begin(), suggestion->arrays.end(),
                                    [&](const FixedArray &each) { return is_about(each, launch.program, array); });
      sites.push_back(
          {i, operation.site, static_cast<std::size_t>(suggestion - suggestions.data()),
           example_after(*site->shared_example, operation.access, *own, layout.offset[array], *analysis.architecture)});
    }
  }
  return sites;
}

} // namespace smem
