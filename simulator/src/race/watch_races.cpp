// What a memory instruction of a warp means for races.
#include <algorithm>

#include "race/race_watch.h"
#include "warp.h"

namespace smem {
namespace {

std::optional<race::Kind> kind_of(Operation operation) {
  switch (operation) {
  case Operation::Load:
  case Operation::MatrixLoad: return race::Kind::Read;
  case Operation::Store:
  case Operation::MatrixStore: return race::Kind::Write;
  case Operation::Atomic: return race::Kind::Atomic;
  default: return std::nullopt;
  }
}

} // namespace

void Warp::watch_races(const MemoryOperation &operation, std::uint32_t index, const Path &path) {
  race::RaceWatch &watch = *machine_.race_watch;
  if (operation.space != AddressSpace::Shared && operation.space != AddressSpace::Generic)
    return;
  const auto line = [&] {
    return operation.site == kNone ? std::string()
                                   : " at line " + std::to_string(program_.sites[operation.site].location.line);
  };
  const auto lose = [&](const std::string &what) {
    watch.lose(machine_.reasons.add(what + line(), operation.site == kNone ? SourceLocation{}
                                                                           : program_.sites[operation.site].location));
  };
  const auto kind = kind_of(operation.access.operation);
  if (!kind || !has_lane_addresses(operation.access))
    return lose("the order of asynchronous accesses is not followed: the one");
  race::WarpAccess access;
  access.operation = index;
  access.kind = *kind;
  access.certain = !path.doubt;
  access.bytes = operation.access.width_bits / 8u;
  LaneMask mask = path.mask;
  if (operation.access.matrices)
    mask &= operation.access.matrices >= 4 ? kFullMask : (1u << (8 * operation.access.matrices)) - 1;
  if (operation.predicate != kNone) {
    const Value guard = arithmetic_.fixed(read(operation.predicate), mask);
    LaneMask on = 0;
    for_lanes(mask, [&](unsigned lane) {
      const bool open = guard.unknown >> lane & 1;
      access.certain &= !open;
      on |= LaneMask{open || guard.at(lane)} << lane;
    });
    mask = on;
  }
  if (!mask)
    return;
  Value address = read(operation.address);
  LaneMask unknown = address.unknown & mask;
  if (operation.space == AddressSpace::Generic) {
    std::uint32_t reason = 0, object = kNone;
    const auto space = unknown ? std::nullopt : resolve(operation, address, mask, reason, object);
    if (!space)
      return lose("it is not known which memory the access is to");
    if (*space != AddressSpace::Shared)
      return;
  }
  if (!unknown && lanes_elsewhere(address, mask))
    return lose("other blocks' shared memory is accessed");
  if (!unknown) {
    std::erase_if(address.terms, [&](const Term &term) { return term.dimension == machine_.shared_window; });
    address = arithmetic_.fixed(address, mask);
    unknown = address.unknown & mask;
  } else if (mask & ~unknown && !address.terms.empty()) {
    unknown = mask; // some of it moves with the block
  }
  if (unknown) {
    race::WarpAccess anywhere = access;
    anywhere.anywhere = true;
    anywhere.certain = false;
    anywhere.active = unknown;
    const SharedArray *array =
        operation.shared_array != kNone ? &program_.shared_arrays[operation.shared_array] : nullptr;
    anywhere.address[0] = !array           ? 0
                          : array->dynamic ? machine_.layout.dynamic_offset
                                           : machine_.layout.offset[operation.shared_array];
    anywhere.bytes = !array || array->dynamic
                         ? machine_.shared_bytes - std::min(machine_.shared_bytes, anywhere.address[0])
                         : array->size;
    watch.note_undecided(address.reason ? address.reason : load_reason(operation));
    watch.access(anywhere);
  }
  access.active = mask & ~unknown;
  if (!access.active)
    return;
  bool outside = false, misaligned = false;
  for_lanes(access.active, [&](unsigned lane) {
    const auto at = static_cast<std::uint64_t>(address.at(lane));
    access.address[lane] = at;
    outside |= at > machine_.shared_bytes || machine_.shared_bytes - at < access.bytes;
    misaligned |= access.bytes != 0 && at % access.bytes != 0;
  });
  if (outside || misaligned)
    return lose(outside ? "an access outside shared memory" : "a misaligned access");
  watch.access(std::move(access));
}

} // namespace smem
