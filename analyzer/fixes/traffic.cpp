#include "fixes/traffic.h"

#include "smem/shared_layout.h"

#include <algorithm>
#include <bit>

namespace smem {

std::uint32_t array_of(const Program &program, const SharedLayout &layout, std::uint64_t dynamic_bytes,
                       const MemoryOperation &operation, std::uint64_t address) {
  if (operation.shared_array != kNone)
    return operation.shared_array;
  for (std::uint32_t i = 0; i < program.shared_arrays.size(); ++i) {
    const SharedArray &array = program.shared_arrays[i];
    const std::uint64_t size = array.dynamic ? dynamic_bytes : array.size;
    if (address >= layout.offset[i] && address < layout.offset[i] + size)
      return i;
  }
  return kNone;
}

namespace {

/// Lanes whose addresses an access uses.
LaneMask addressing(const Request &request, const Access &access) {
  if (access.matrices != 0 && access.matrices < 4)
    return request.active & ((1u << (8 * access.matrices)) - 1);
  return request.active;
}

/// A copy's write side is priced as a store: what of it depends on the layout.
Access priced_as(Access access) {
  access.space = Space::Shared;
  if (access.operation == Operation::AsyncCopy)
    access.operation = Operation::Store;
  return access;
}

std::uint64_t excess_of(const RequestCost &cost) {
  return cost.wavefronts - std::min(cost.wavefronts, cost.ideal_wavefronts);
}

} // namespace

ArrayTraffic traffic_of(const Program &program, const SharedLayout &layout, std::uint64_t dynamic_bytes,
                        std::uint32_t array, const Extents &extents, const Trace &trace,
                        const Architecture &architecture) {
  ArrayTraffic traffic{extents, layout.offset[array], 0, {}, {}, &architecture};
  struct Ranked {
    const TracedRequest *request;
    Access access;
    std::uint64_t excess;
  };
  std::vector<Ranked> ranked;
  for (const TracedRequest &traced : trace.requests) {
    const MemoryOperation &operation = program.memory_operations[traced.operation];
    const LaneMask lanes = addressing(traced.request, operation.access);
    if (lanes == 0 ||
        array_of(program, layout, dynamic_bytes, operation, traced.request.address[std::countr_zero(lanes)]) != array)
      continue;
    const Access access = priced_as(operation.access);
    if (!unsupported_reason(access, architecture).empty())
      continue;
    traffic.granule = std::max<std::uint32_t>(traffic.granule, access.width_bits / 8u);
    ranked.push_back({&traced, access, excess_of(evaluate(traced.request, access, architecture)) * traced.times});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked &a, const Ranked &b) { return a.excess > b.excess; });
  for (const Ranked &each : ranked) {
    traffic.requests.push_back(each.request);
    traffic.accesses.push_back(each.access);
  }
  return traffic;
}

std::optional<Price> price(const ArrayTraffic &traffic, const Layout &layout, std::uint64_t most) {
  Price total;
  for (std::size_t i = 0; i < traffic.requests.size(); ++i) {
    const Access &access = traffic.accesses[i];
    const std::uint64_t width = access.width_bits / 8u;
    Request moved = traffic.requests[i]->request;
    LaneMask lanes = addressing(moved, access);
    for (; lanes; lanes &= lanes - 1) {
      std::uint64_t &address = moved.address[std::countr_zero(lanes)];
      const std::uint64_t offset = address - traffic.base,
                          last = width - std::min<std::uint64_t>(width, traffic.extents.element);
      const std::uint64_t to = place(layout, traffic.extents, offset);
      if (last != 0 && place(layout, traffic.extents, offset + last) != to + last)
        return std::nullopt;
      address = traffic.base + to;
      if (address % width != 0)
        return std::nullopt;
    }
    const RequestCost cost = evaluate(moved, access, *traffic.architecture);
    total.excess += excess_of(cost) * traffic.requests[i]->times;
    total.wavefronts += cost.wavefronts * traffic.requests[i]->times;
    if (total.excess > most)
      return std::nullopt;
  }
  return total;
}

std::vector<ArrayCounts> counts_by_array(const Program &program, const LaunchAnalysis &launch,
                                         const Architecture &architecture) {
  std::vector<ArrayCounts> arrays(program.shared_arrays.size());
  const SharedLayout layout = layout_shared(program.shared_arrays, architecture);
  std::vector<bool> counted(program.sites.size());
  for (const MemoryOperation &operation : program.memory_operations) {
    if (operation.site == kNone || operation.site >= launch.result.sites.size() || counted[operation.site])
      continue;
    counted[operation.site] = true;
    const SiteResult &site = launch.result.sites[operation.site];
    const std::uint64_t address =
        site.shared_example && site.shared_example->request.active
            ? site.shared_example->request
                  .address[static_cast<std::size_t>(std::countr_zero(site.shared_example->request.active))]
            : UINT64_MAX;
    const std::uint32_t array = array_of(program, layout, launch.launch.dynamic_shared_bytes, operation, address);
    if (array == kNone)
      continue;
    arrays[array].counts += site.counts;
    arrays[array].verdict = std::max(arrays[array].verdict, site.verdict);
  }
  return arrays;
}

std::uint32_t blocks_per_sm(const Architecture &architecture, std::uint64_t threads, std::uint64_t shared_bytes) {
  const std::uint64_t rounded = (threads + kWarpSize - 1) / kWarpSize * kWarpSize;
  std::uint64_t blocks = architecture.max_blocks_per_sm;
  if (rounded)
    blocks = std::min(blocks, architecture.max_threads_per_sm / rounded);
  if (shared_bytes)
    blocks = std::min(blocks,
                      architecture.capacity.shared_per_sm / (shared_bytes + architecture.capacity.reserved_per_block));
  return static_cast<std::uint32_t>(blocks);
}

} // namespace smem
