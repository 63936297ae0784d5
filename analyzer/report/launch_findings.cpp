#include "report/launch_findings.h"

#include <algorithm>

#include "report/format.h"
#include "report/identity.h"
#include "report/launch_finding.h"
#include "report/launch_floor.h"

#include <cstdio>

namespace smem {
namespace {

constexpr double kUneven = 1.25;       ///< the busiest SM's blocks, as a multiple of the mean
constexpr std::uint64_t kFewWarps = 8; ///< of an SM: two for each of its schedulers

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// Of the units that each SM has, not of the chip's.
bool is_of_sm(Resource resource) {
  return resource != Resource::Dram && resource != Resource::L2Stores && resource != Resource::L2Reads;
}

/// The array of which most is read, where it is read at least kAgain times.
const ArrayReads *read_again(const LeastWork &least) {
  constexpr std::uint64_t kAgain = 4;
  const auto most = std::ranges::max_element(least.reads, {}, &ArrayReads::requested_bytes);
  return most == least.reads.end() || most->least_bytes == 0 || most->requested_bytes / kAgain < most->least_bytes
             ? nullptr
             : &*most;
}

std::string times_text(std::uint64_t requested, std::uint64_t different) { return thousands(requested / different); }

} // namespace

std::vector<Finding> launch_findings(const FileAnalysis &file, std::size_t index, std::size_t at,
                                     const FindingOptions &options) {
  const bool tail = options.checks.enabled(rule::grid_tail, file.file),
             occupancy = options.checks.enabled(rule::low_occupancy, file.file),
             traffic = options.checks.enabled(rule::redundant_traffic, file.file);
  if (!tail && !occupancy && !traffic)
    return {};
  const LaunchAnalysis &analysis = file.launches[at];
  const Launch &launch = analysis.launch;
  if (!launch.grid_known || !launch.block_known || !launch.consistent || !launch.reached)
    return {};
  const std::optional<LaunchFloor> floor = launch_floor(file, analysis, options.gpu);
  if (!floor || floor->floor.resources.empty())
    return {};
  const Program &program = file.programs[analysis.program];
  const Residency &residency = floor->residency;
  const auto sms = static_cast<std::uint64_t>(floor->gpu->sms.value);
  const std::string kernel = short_kernel(program.kernel, 60);

  std::vector<Finding> out;
  const auto add = [&](std::string_view id, std::string message, std::string hint) {
    Finding finding = launch_finding(id, file, index, at);
    finding.location = launch.location.known() ? launch.location : program.location;
    finding.message = std::move(message);
    finding.cost = "launched with grid=" + to_string(launch.grid) + " block=" + to_string(launch.block);
    finding.hint = std::move(hint);
    finding.subject = program.kernel;
    finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
    out.push_back(std::move(finding));
  };

  const double mean = static_cast<double>(floor->work.blocks) / static_cast<double>(sms);
  if (tail && floor->binds() && is_of_sm(floor->floor.resources.front().resource) &&
      static_cast<double>(residency.blocks_of_busiest) >= kUneven * mean) {
    const std::string blocks = plural(floor->work.blocks, "block") + " of " + kernel + " " + on_gpu(*floor->gpu) +
                               " with " + thousands(sms) + " SMs";
    add(rule::grid_tail,
        floor->work.blocks < sms ? blocks + ": " + thousands(sms - floor->work.blocks) + " SMs have nothing to do"
                                 : blocks + ": some SM has " + thousands(residency.blocks_of_busiest) +
                                       " of them, the mean is " + decimal(mean),
        "smaller blocks, or a loop over the work in as many blocks as the SMs have room for (" +
            thousands(sms * residency.occupancy.blocks_per_sm) + ")");
  }
  if (const ArrayReads *again = traffic ? read_again(analysis.result.least) : nullptr;
      again && (floor->binds() == Resource::L1Data || floor->binds() == Resource::L1Tags)) {
    const std::string array = array_name(program, *again);
    const std::uint64_t of_block = again->requested_bytes / std::max<std::uint64_t>(floor->work.blocks, 1);
    const bool known_of_block = again->block_bytes != 0;
    const bool within = known_of_block && of_block / 2 >= again->block_bytes;
    add(rule::redundant_traffic,
        plural(again->requested_bytes, "byte") + " of " + array + " are read by " + kernel + ", at least " +
            thousands(again->least_bytes) + " distinct ones: on average each at most " +
            times_text(again->requested_bytes, again->least_bytes) + " times by the grid" +
            (known_of_block ? ", " + times_text(of_block, again->block_bytes) + " times by a block" : ""),
        within ? "keep what a block reads again in shared memory, or in registers"
               : "larger tiles: other blocks read the same");
  }
  const Occupancy &room = residency.occupancy;
  if (occupancy && room.blocks_per_sm != 0 && room.limit != Occupancy::Limit::Threads &&
      residency.blocks_of_busiest > room.blocks_per_sm && residency.warps_at_once <= kFewWarps) {
    const std::string limit(to_string(room.limit));
    add(rule::low_occupancy,
        plural(residency.warps_at_once, "warp") + " an SM at a time: there is room for " +
            plural(room.blocks_per_sm, "block") + " of " + kernel + " (" + limit + "), and some SM has " +
            thousands(residency.blocks_of_busiest) + " to execute",
        room.limit == Occupancy::Limit::Blocks ? "larger blocks"
        : room.limit == Occupancy::Limit::Registers
            ? "fewer registers a thread (__launch_bounds__)"
            : "less shared memory a block than " + thousands(analysis.result.shared_bytes) +
                  " bytes, or more threads for it");
  }
  return out;
}

} // namespace smem
