#include "saturating.h"
#include "smem/integer_division.h"
#include "smem/floor.h"

#include <algorithm>
#include <cmath>

namespace smem {
namespace {

/// With fewer than a warp for each of its four schedulers, an SM cannot begin one instruction while another one waits in each of them.
constexpr std::uint64_t kFewestWarps = 4;

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
  LaunchWork both;
  both.blocks = work.blocks;
  both.total = total;
  both.block = block;
  return of_busiest(both, sms).shared_wavefronts;
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
  case Resource::Fp32: return "FP32";
  case Resource::Fp64: return "FP64";
  case Resource::Special: return "special functions";
  case Resource::Issue: return "issue slots";
  case Resource::L2Stores: return "L2 stores";
  case Resource::L2Reads: return "L2 reads";
  case Resource::Integer: return "integers";
  case Resource::Multiply: return "integer products";
  case Resource::Exchange: return "shuffles";
  case Resource::Tensor: return "tensor cores";
  }
  return "?";
}

std::string_view metric_name(Resource resource) {
  switch (resource) {
  case Resource::SharedMemory: return "l1tex__data_pipe_lsu_wavefronts_mem_shared";
  case Resource::L1Data: return "l1tex__data_pipe_lsu_wavefronts";
  case Resource::L1Tags: return "l1tex__t_output_wavefronts";
  case Resource::Dram: return "dram__bytes";
  case Resource::Fp32: return "sm__inst_executed_pipe_fma";
  case Resource::Fp64: return "sm__inst_executed_pipe_fp64";
  case Resource::Special: return "sm__inst_executed_pipe_xu";
  case Resource::Issue: return "sm__inst_issued";
  case Resource::L2Stores: return "lts__t_sectors_op_write";
  case Resource::L2Reads: return "lts__t_sectors_op_read";
  case Resource::Integer: return "sm__inst_executed_pipe_alu";
  case Resource::Multiply: return "sm__inst_executed_pipe_fmaheavy";
  case Resource::Exchange: return "sm__inst_executed_pipe_lsu";
  case Resource::Tensor: return "sm__inst_executed_pipe_tensor";
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

LaunchWork launch_work(const Program &program, const Launch &launch, const SimulationResult &result,
                       const ArithmeticWork &arithmetic) {
  LaunchWork work;
  work.blocks = launch.grid.count();
  work.block = result.least.block;
  work.read_bytes = result.least.read_bytes;
  work.written_bytes = result.least.written_bytes;
  for (std::size_t i = 0; i < result.sites.size() && i < program.sites.size(); ++i) {
    const SiteResult &site = result.sites[i];
    const Access &access = program.sites[i].access;
    const Counts &counts = site.counts;
    work.total += unit_work(access, site.space, counts.requests, counts.wavefronts, counts.ideal_sectors, counts.tags,
                            counts.line_cycles);
    if (site.data)
      work.total += unit_work(access, site.space, 1, site.data->wavefronts.least, 0, 0).times(site.data->requests);
    work.at_least |= site.verdict == Verdict::Unknown || !site.note.empty();
    work.assumed |= site.verdict == Verdict::Assumed && counts.requests != 0;
    if (access.operation == Operation::Load || access.operation == Operation::Store)
      work.memory_instructions = saturating_add(work.memory_instructions, counts.requests);
  }
  work.arithmetic = arithmetic;
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
  // Each sector that is written is sent to L2 once at least. No more is certain: L1 combines stores to the same sector, of several statements and of
  // several warps (validate/RULES.md, "Stores that L1 combines").
  if (gpu.l2_store_gbs.value > 0)
    add(Resource::L2Stores,
        static_cast<double>(work.written_bytes) / gpu.l2_store_gbs.value * gpu.clock_mhz.value / 1e3);
  // What is read comes from L2 once at least, as L1 begins empty.
  if (gpu.l2_read_gbs.value > 0)
    add(Resource::L2Reads, static_cast<double>(work.read_bytes) / gpu.l2_read_gbs.value * gpu.clock_mhz.value / 1e3);
  if (const ArithmeticThroughput *lanes = arithmetic_throughput(gpu.architecture)) {
    constexpr std::uint64_t kWarp = 32;
    const ArithmeticWork &done = work.arithmetic;
    const auto spread = [&](Resource resource, std::uint64_t lanes_of_work, const GpuFigure &figure) {
      if (figure.value > 0)
        add(resource, static_cast<double>(lanes_of_work) / static_cast<double>(sms) / figure.value);
    };
    const auto warps = [&](Resource resource, std::uint64_t instructions, const GpuFigure &figure) {
      spread(resource, saturating_multiply(instructions, kWarp), figure);
    };
    warps(Resource::Fp32, saturating_add(done.fp32, done.multiply), lanes->fp32);
    warps(Resource::Fp64, done.fp64, lanes->fp64);
    warps(Resource::Special, done.special, lanes->special);
    warps(Resource::Integer, done.integer, lanes->integer);
    warps(Resource::Multiply, done.multiply, lanes->multiply);
    warps(Resource::Exchange, done.shuffles, lanes->exchange);
    spread(Resource::Tensor, done.tensor, lanes->tensor);
    const std::uint64_t counted = saturating_add(
        saturating_add(saturating_add(done.fp32, done.fp64), saturating_add(done.special, done.shuffles)),
        work.memory_instructions);
    warps(Resource::Issue, std::max(done.instructions, counted), lanes->instructions);
  }
  std::ranges::stable_sort(floor.resources, std::greater(), &ResourceFloor::cycles);
  if (floor.resources.empty())
    return floor;
  floor.ns = floor.resources.front().ns;
  floor.binding = floor.resources.front().resource;
  if (floor.binding == Resource::L1Data && 2 * busiest.shared_wavefronts >= floor.resources.front().cycles)
    floor.binding = Resource::SharedMemory;
  return floor;
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

std::optional<double> most_gain(const LaunchWork &work, const UnitWork &saved, const Gpu &gpu,
                                const Residency &residency) {
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
  constexpr double kOfMany = 1.25, kOfFew = 2.5; // cycles of a wavefront: see the header
  const double each = residency.warps_at_once >= kFewestWarps ? kOfMany : kOfFew;
  return 1 + gpu.nanoseconds(each * cycles) / static_cast<double>(left.ns);
}

std::optional<bool> bound_by_throughput(const Floor &floor, const Residency &residency) {
  // The shortest of the launches recorded on an H200 takes 1,310 ns.
  constexpr std::uint64_t kShortestLaunchNs = 1310;
  if (residency.warps_at_once < kFewestWarps)
    return false;
  if (floor.ns >= kShortestLaunchNs)
    return true;
  return floor.at_least ? std::nullopt : std::optional(false);
}

} // namespace smem
