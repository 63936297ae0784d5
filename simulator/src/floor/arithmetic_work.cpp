#include "smem/arithmetic_work.h"

#include <algorithm>

#include "smem/floor.h"
#include "saturating.h"
#include "smem/kernel_arithmetic.h"

namespace smem {
namespace {

constexpr auto kCounts = {&ArithmeticWork::fp32,    &ArithmeticWork::fp64,     &ArithmeticWork::special,
                          &ArithmeticWork::integer, &ArithmeticWork::multiply, &ArithmeticWork::instructions,
                          &ArithmeticWork::tensor,  &ArithmeticWork::shuffles};

} // namespace

ArithmeticWork &ArithmeticWork::operator+=(const ArithmeticWork &other) {
  for (const auto count : kCounts)
    this->*count = saturating_add(this->*count, other.*count);
  return *this;
}

ArithmeticWork ArithmeticWork::times(std::uint64_t count) const {
  ArithmeticWork out;
  for (const auto each : kCounts)
    out.*each = saturating_multiply(this->*each, count);
  return out;
}

ArithmeticWork most_of(const ArithmeticWork &a, const ArithmeticWork &b) {
  ArithmeticWork out;
  for (const auto count : kCounts)
    out.*count = std::max(a.*count, b.*count);
  return out;
}

ArithmeticWork arithmetic_of(const SimulationResult &result, std::span<const BlockArithmetic> arithmetic) {
  ArithmeticWork work;
  for (const BlockArithmetic &block : arithmetic) {
    std::uint64_t runs = 0; // whichever of its loads and stores no lane is kept away from
    for (const BlockArithmetic::Marker &marker : block.markers)
      if (marker.site < result.sites.size() && marker.times != 0)
        runs = std::max(runs, result.sites[marker.site].counts.requests / marker.times);
    work += block.each.times(runs);
  }
  return work;
}

CountedWork count_work(std::span<const CountedCode> codes, const Launch &launch, const Architecture &architecture,
                       const SimulationOptions &options, std::uint64_t together,
                       std::span<const std::shared_ptr<const PreparedProgram>> prepared) {
  CountedWork counted;
  SimulationOptions each = options;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const CountedCode &code = codes[i];
    each.prepared = i < prepared.size() ? prepared[i] : nullptr;
    if (counted.steps >= together) {
      counted.exhausted = true;
      break;
    }
    each.max_steps = std::min(options.max_steps, together - counted.steps);
    SimulationResult counts = simulate(code.program, launch, architecture, each);
    counted.steps += counts.steps;
    if (counts.stopped)
      break;
    counted.exhausted |= counts.exhausted();
    for (SiteResult &site : counts.sites)
      if (site.verdict == Verdict::Unknown)
        site.counts.requests = 0;
    counted.work += arithmetic_of(counts, code.blocks);
  }
  return counted;
}

} // namespace smem
