#include "smem/floor.h"

#include <algorithm>
#include <cmath>

namespace smem {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

/// Counts up to 2^53 are exact; larger ones take centuries.
std::uint64_t rounded_down(double value) {
  return value >= 9e15 ? std::uint64_t{9'000'000'000'000'000} : static_cast<std::uint64_t>(std::floor(value));
}

/// Cycles of the SM that has most to do: no less than the mean, and than what so many blocks as one SM has to take cost each.
UnitWork of_busiest(const LaunchWork &work, std::uint64_t sms) {
  const UnitWork own = work.block.times(ceil_div(work.blocks, sms));
  return {std::max(own.shared_wavefronts, ceil_div(work.total.shared_wavefronts, sms)),
          std::max(own.global_wavefronts, ceil_div(work.total.global_wavefronts, sms)),
          std::max(own.tags, ceil_div(work.total.tags, sms))};
}

/// Of the sum of two units, which an SM may have in different blocks.
std::uint64_t together(const LaunchWork &work, std::uint64_t sms) {
  UnitWork block = work.block, total = work.total;
  block.shared_wavefronts += block.global_wavefronts;
  total.shared_wavefronts += total.global_wavefronts;
  return of_busiest({work.blocks, total, block, 0, 0, false, false}, sms).shared_wavefronts;
}

std::uint64_t beyond(std::uint64_t bytes, double held) {
  const auto kept = static_cast<std::uint64_t>(held);
  return bytes > kept ? bytes - kept : 0;
}

std::uint64_t part_of(std::uint64_t value, std::uint64_t left, std::uint64_t whole) {
  return whole == 0
             ? value
             : rounded_down(static_cast<double>(value) * (static_cast<double>(left) / static_cast<double>(whole)));
}

std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

} // namespace

std::string_view to_string(Resource resource) {
  switch (resource) {
  case Resource::SharedMemory: return "shared memory";
  case Resource::L1Data: return "L1";
  case Resource::L1Tags: return "L1 tags";
  case Resource::Dram: return "DRAM";
  }
  return "?";
}

std::string_view metric_name(Resource resource) {
  switch (resource) {
  case Resource::SharedMemory: return "l1tex__data_pipe_lsu_wavefronts_mem_shared";
  case Resource::L1Data: return "l1tex__data_pipe_lsu_wavefronts";
  case Resource::L1Tags: return "l1tex__t_output_wavefronts";
  case Resource::Dram: return "dram__bytes";
  }
  return "?";
}

LaunchWork LaunchWork::without(const UnitWork &saved) const {
  LaunchWork left = *this;
  left.total.shared_wavefronts = minus(total.shared_wavefronts, saved.shared_wavefronts);
  left.total.global_wavefronts = minus(total.global_wavefronts, saved.global_wavefronts);
  left.total.tags = minus(total.tags, saved.tags);
  left.block.shared_wavefronts =
      part_of(block.shared_wavefronts, left.total.shared_wavefronts, total.shared_wavefronts);
  left.block.global_wavefronts =
      part_of(block.global_wavefronts, left.total.global_wavefronts, total.global_wavefronts);
  left.block.tags = part_of(block.tags, left.total.tags, total.tags);
  return left;
}

LaunchWork launch_work(const Program &program, const Launch &launch, const SimulationResult &result) {
  LaunchWork work;
  work.blocks = launch.grid.count();
  work.block = result.least.block;
  work.read_bytes = result.least.read_bytes;
  work.written_bytes = result.least.written_bytes;
  for (std::size_t i = 0; i < result.sites.size() && i < program.sites.size(); ++i) {
    const SiteResult &site = result.sites[i];
    const Access &access = program.sites[i].access;
    const Counts &counts = site.counts;
    work.total += unit_work(access, site.space, counts.requests, counts.wavefronts, counts.ideal_sectors, counts.tags);
    if (site.data)
      work.total += unit_work(access, site.space, 1, site.data->wavefronts.least, 0, 0).times(site.data->requests);
    work.at_least |= site.verdict == Verdict::Unknown || !site.note.empty();
    work.assumed |= site.verdict == Verdict::Assumed && counts.requests != 0;
  }
  return work;
}

Floor floor_of(const LaunchWork &work, const Gpu &gpu) {
  Floor floor;
  floor.at_least = work.at_least;
  floor.assumed = work.assumed;
  const auto sms = static_cast<std::uint64_t>(gpu.sms.value);
  const UnitWork busiest = of_busiest(work, sms);
  const auto add = [&](Resource resource, double cycles) {
    if (const std::uint64_t whole = rounded_down(cycles); whole != 0)
      floor.resources.push_back({resource, whole, rounded_down(gpu.nanoseconds(static_cast<double>(whole)))});
  };
  const SmThroughput &sm = sm_throughput();
  add(Resource::SharedMemory, static_cast<double>(busiest.shared_wavefronts) / sm.wavefronts.value);
  if (work.total.global_wavefronts != 0)
    add(Resource::L1Data, static_cast<double>(together(work, sms)) / sm.wavefronts.value);
  add(Resource::L1Tags, static_cast<double>(busiest.tags) / sm.tags.value);
  // What L2 holds when the launch begins needs no read, and what it holds at the end no write as yet.
  const double held = gpu.l2_mib.value * 1024 * 1024;
  const double moved =
      static_cast<double>(beyond(work.read_bytes, held)) + static_cast<double>(beyond(work.written_bytes, held));
  add(Resource::Dram, moved / gpu.dram_gbs.value * gpu.clock_mhz.value / 1e3);
  std::ranges::stable_sort(floor.resources, std::greater(), &ResourceFloor::cycles);
  if (floor.resources.empty())
    return floor;
  floor.ns = floor.resources.front().ns;
  floor.binding = floor.resources.front().resource;
  if (floor.binding == Resource::L1Data && 2 * busiest.shared_wavefronts >= floor.resources.front().cycles)
    floor.binding = Resource::SharedMemory;
  return floor;
}

std::optional<double> most_gain(const LaunchWork &work, const UnitWork &saved, const Gpu &gpu) {
  if (saved.tags != 0 || work.blocks == 0)
    return std::nullopt;
  const Floor left = floor_of(work.without(saved), gpu);
  const std::uint64_t wavefronts = saved.shared_wavefronts + saved.global_wavefronts;
  if (wavefronts == 0)
    return 1;
  if (left.ns == 0)
    return std::nullopt;
  // Blocks have equal shares: of the busiest SM's.
  const double blocks = static_cast<double>(ceil_div(work.blocks, static_cast<std::uint64_t>(gpu.sms.value)));
  const double cycles = static_cast<double>(wavefronts) / static_cast<double>(work.blocks) * blocks;
  return 1 + gpu.nanoseconds(cycles) / sm_throughput().wavefronts.value / static_cast<double>(left.ns);
}

Residency residency(const Launch &launch, std::uint64_t shared_bytes, std::optional<std::uint32_t> registers,
                    const Architecture &architecture, const Gpu &gpu) {
  Residency out;
  out.occupancy = occupancy(architecture, {launch.block.count(), shared_bytes, registers},
                            static_cast<std::uint32_t>(gpu.registers.value));
  out.blocks_of_busiest = ceil_div(launch.grid.count(), static_cast<std::uint64_t>(gpu.sms.value));
  out.warps_at_once =
      std::min<std::uint64_t>(out.occupancy.blocks_per_sm, out.blocks_of_busiest) * out.occupancy.warps_per_block;
  return out;
}

std::optional<bool> bound_by_throughput(const Floor &floor, const Residency &residency) {
  // The shortest of the launches recorded on an H200 takes 1,310 ns. With fewer than a warp for each of the four schedulers, an SM cannot
  // begin one instruction while another one waits in each of them.
  constexpr std::uint64_t kShortestLaunchNs = 1310, kFewestWarps = 4;
  if (residency.warps_at_once < kFewestWarps)
    return false;
  if (floor.ns >= kShortestLaunchNs)
    return true;
  return floor.at_least ? std::nullopt : std::optional(false);
}

} // namespace smem
