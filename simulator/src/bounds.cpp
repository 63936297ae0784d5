#include "bounds.h"

#include "nest.h"

namespace smem {

Problem outside_array(const Machine &machine, SiteId site, const std::string &what, std::int64_t offset,
                      std::uint64_t bytes) {
  Problem problem;
  problem.kind = Problem::Kind::OutOfBounds;
  problem.message =
      "byte " + std::to_string(offset) + " is outside " + what + ", which has " + std::to_string(bytes) + " bytes";
  problem.site = site;
  problem.location = machine.program.sites[site].location;
  return problem;
}

std::optional<Problem> out_of_bounds(const Machine &machine, const Event &event, const MemoryOperation &operation) {
  // Extremes of the offsets over everything the event stands for.
  Wide low = 0, high = 0;
  for (const auto &[step, count] : event.progressions) {
    const Wide way = Wide{step.own} * static_cast<Wide>(count - 1);
    (way < 0 ? low : high) += way;
  }
  if (event.space == Space::Shared)
    for (const Event::Nest &nest : event.nests) {
      const auto [least_way, most_way] = reach(nest);
      low += least_way;
      high += most_way;
    }
  LaneMask lanes = event.side.request.active;
  if (operation.access.matrices && operation.access.matrices < 4)
    lanes &= (1u << (8 * operation.access.matrices)) - 1;
  Wide least = 0, most = 0;
  bool first = true;
  for_lanes(lanes, [&](unsigned lane) {
    const Wide address = static_cast<std::int64_t>(event.side.request.address[lane]);
    if (first || address < least)
      least = address;
    if (first || address > most)
      most = address;
    first = false;
  });
  if (first || event.space != Space::Shared)
    return std::nullopt;
  Wide begin = 0, end = static_cast<Wide>(machine.shared_bytes);
  std::string name = "the block's shared memory";
  if (operation.shared_array != kNone) {
    const SharedArray &array = machine.program.shared_arrays[operation.shared_array];
    name = "`" + array.name + "`";
    begin = static_cast<Wide>(array.dynamic ? machine.layout.dynamic_offset
                                            : machine.layout.offset[operation.shared_array]);
    end = array.dynamic ? static_cast<Wide>(machine.shared_bytes) : begin + static_cast<Wide>(array.size);
  }
  const Wide bytes = operation.access.width_bits / 8 - operation.filled_bytes;
  const Wide last = most + high + bytes;
  if (event.side.unknown_shift || event.side.unknown_period || (least + low >= begin && last <= end))
    return std::nullopt;
  const bool before = least + low < begin;
  const std::int64_t offset = static_cast<std::int64_t>(before ? least + low - begin : last - bytes - begin);
  return outside_array(machine, operation.site, name, offset, static_cast<std::uint64_t>(end - begin));
}

} // namespace smem
