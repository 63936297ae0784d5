// The floor under a launch's time, and what findings are worth by it.
#pragma once

#include "report/finding.h"
#include "report/report.h"
#include "smem/floor.h"

#include <optional>
#include <span>
#include <string>

namespace smem {

/// What a launch takes at least on a GPU.
struct LaunchFloor {
  const Gpu *gpu = nullptr;
  LaunchWork work;
  Floor floor;
  Residency residency;
  bool assumed_launch = false; ///< of grid, block or arguments something was chosen: the time is one of that launch

  std::optional<bool> bound() const { return bound_by_throughput(floor, residency); }
  /// The unit that binds; none where that is no unit, and where some accesses are not counted to the end, so that it may be another one.
  std::optional<Resource> binds() const {
    return floor.at_least || !bound().value_or(false) ? std::nullopt : std::optional(floor.binding);
  }
};

/// On `asked`, or where that is null on the usual GPU of the architecture that the file is modelled for. nullopt: there is none, `asked` has
/// another architecture, or nothing is known of the launch that takes time.
std::optional<LaunchFloor> launch_floor(const FileAnalysis &file, const LaunchAnalysis &launch, const Gpu *asked);

/// What the access of a finding does beyond the ideal.
UnitWork avoidable_work(const Finding &finding);

/// Fills in Finding::worth, on `asked` or the usual GPU.
void add_worth(std::span<Finding> findings, std::span<const FileAnalysis> files, const Gpu *asked);

/// The floor of a launch without what some of its findings say is avoidable.
Floor floor_without(const LaunchFloor &launch, std::span<const Finding *const> findings);

/// The array's name, or the text of the access.
std::string array_name(const Program &program, const ArrayReads &reads);

/// Operations of floating-point arithmetic that are counted, fused ones as one, for each byte.
struct Intensity {
  std::optional<double> of_global; ///< different bytes that are read or written
  std::optional<double> of_shared; ///< bytes that shared memory's wavefronts have room for
};
Intensity intensity_of(const LaunchWork &work);

/// "on an H200"
std::string on_gpu(const Gpu &gpu);

/// `1,134 us`, rounded down; 0 has no more digits than others.
std::string duration_text(std::uint64_t ns);

/// `1,134 us on an H200 (shared memory)`; `>=1,134 us` where some accesses are not known. Of a launch that waits for something else
/// `not bound by throughput on an H200: 64 blocks on 132 SMs, 8 warps an SM, 0.36 us of shared memory`.
std::string floor_text(const LaunchFloor &launch);

/// `1,134 us on an H200 (shared memory); 233 us without it (4.87x), then bound by DRAM`: of findings of one launch. Empty where they avoid nothing, or
/// the launch is assumed.
std::string worth_text(const LaunchFloor &launch, std::span<const Finding *const> findings);

} // namespace smem
