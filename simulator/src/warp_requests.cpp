// Memory instructions of a warp: what the request costs.
#include <algorithm>
#include <bit>

#include "choice.h"
#include "sector_use.h"
#include "warp.h"

namespace smem {

bool Warp::describe(const MemoryOperation &operation, const Value &address, LaneMask mask, bool global, Event &event,
                    Event::Side &side) {
  LaneMask moving = mask; // lanes whose address matters
  if (operation.access.matrices)
    moving &= operation.access.matrices >= 4 ? kFullMask : (1u << (8 * operation.access.matrices)) - 1;
  if (!moving)
    moving = mask;
  std::uint32_t shift = 0;
  Machine::Base base;
  for (const Term &term : address.terms) {
    if (term.dimension == machine_.shared_window || term.dimension == machine_.other_block)
      continue;
    bool zero = true;
    for_lanes(moving, [&](unsigned lane) { zero &= term.at(lane) == 0; });
    if (zero)
      continue;
    const bool together = uniform_over(term, moving);
    if (is_symbol(term.dimension)) {
      const Symbol &symbol = machine_.symbols[term.dimension];
      if (!together) {
        scopes_.mark(operation.site, symbol.reason
                                         ? symbol.reason
                                         : machine_.reasons.add("lanes are apart by an amount that is not known"));
        return false;
      }
      const std::int64_t c = term.at(first_lane(moving));
      base.emplace_back(term.dimension, c);
      const std::uint64_t step =
          symbol.alignment * (std::uint64_t{1} << std::min(std::countr_zero(static_cast<std::uint64_t>(c)), 20));
      const std::uint32_t grain =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{1} << std::countr_zero(step), 128));
      if (grain < 128) {
        if (!shift || grain < shift)
          side.shift_reason = symbol.reason;
        shift = shift ? std::min(shift, grain) : grain;
      } else {
        side.unknown_period = true;
      }
      continue;
    }
    if (!together) {
      scopes_.pin(term.dimension);
      continue;
    }
    const std::int64_t step = term.at(first_lane(moving));
    if (global)
      event.footprint.open.emplace_back(term.dimension, step);
    if (global && static_cast<std::uint64_t>(step) % kCostRepeats == 0)
      continue;
    auto known = std::find_if(event.coefficients.begin(), event.coefficients.end(),
                              [&](const auto &c) { return c.first == term.dimension; });
    if (known == event.coefficients.end())
      known = event.coefficients.insert(known, {term.dimension, {}});
    (&side == &event.side ? known->second.own : known->second.source) = step;
  }
  if (global)
    event.footprint.base = machine_.base_number(base);
  // A vector access that is not naturally aligned traps, so no shift below its width can happen.
  if (shift)
    side.unknown_shift = std::max<std::uint32_t>(shift, std::min<std::uint32_t>(operation.access.width_bits / 8, 128));
  side.request.active = mask;
  for_lanes(mask, [&](unsigned lane) { side.request.address[lane] = static_cast<std::uint64_t>(address.at(lane)); });
  return true;
}

bool Warp::count_any_data(const MemoryOperation &operation, std::uint32_t index, const Value &address, LaneMask mask) {
  if (machine_.race_watch)
    return true;
  if (machine_.sector_watch) {
    machine_.sector_watch->lose(index);
    return true;
  }
  const bool shared = operation.space == AddressSpace::Shared;
  if (operation.site == kNone || (!shared && operation.space != AddressSpace::Global) ||
      (address.unknown & mask) != mask)
    return false;
  DataRequest request;
  request.active = mask;
  std::int64_t least = 0, most = 0;
  const auto width = static_cast<std::int64_t>(operation.access.width_bits / 8);
  const SharedArray *array =
      shared && operation.shared_array != kNone ? &program_.shared_arrays[operation.shared_array] : nullptr;
  const std::uint64_t begin = !array           ? 0
                              : array->dynamic ? machine_.layout.dynamic_offset
                                               : machine_.layout.offset[operation.shared_array];
  const std::uint64_t end = !array || array->dynamic ? machine_.shared_bytes : begin + array->size;
  if (address.choice) {
    request.base = address.choice->base;
    request.scale = address.choice->scale;
    least = address.choice->least;
    most = address.choice->most;
  } else if (array && width) { // anywhere in the array
    request.base.fill(static_cast<std::int64_t>(begin));
    request.scale = width;
    most = static_cast<std::int64_t>((end - begin) / static_cast<std::uint64_t>(width)) - 1;
  } else {
    return false;
  }
  // Whether no data matter does not rest on their staying inside the array.
  Access access = operation.access;
  access.space = shared ? Space::Shared : Space::Global;
  const auto cost_between = [&](std::int64_t from, std::int64_t to) {
    DataRequest part = request;
    for_lanes(mask, [&](unsigned lane) { part.base[lane] += from * request.scale; });
    part.count = static_cast<std::uint64_t>(to - from) + 1;
    return machine_.data_costs.of(part, access, machine_.architecture);
  };
  const auto anywhere = address.choice ? cost_between(least, most) : std::nullopt;
  const bool settled = anywhere && anywhere->always_the_same;
  // Nobody leaves the array: indices that would do not come up.
  if (shared && request.scale > 0) {
    std::int64_t highest = request.base[first_lane(mask)], lowest = highest;
    for_lanes(mask, [&](unsigned lane) {
      highest = std::max(highest, request.base[lane]);
      lowest = std::min(lowest, request.base[lane]);
    });
    if (lowest > INT32_MIN && highest < INT32_MAX) {
      const auto floor = [](std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); };
      least = std::max(least, -floor(highest - static_cast<std::int64_t>(begin), request.scale));
      most = std::min(most, floor(static_cast<std::int64_t>(end) - width - lowest, request.scale));
    }
  }
  if (least > most)
    return false;
  auto cost = cost_between(least, most);
  if (!cost)
    return false;
  Event event;
  event.operation = index;
  event.space = access.space;
  event.warp = index_;
  event.gates = paths_.back().gates;
  event.side.request.active = mask;
  for_lanes(mask, [&](unsigned lane) {
    event.side.request.address[lane] = static_cast<std::uint64_t>(request.base[lane] + least * request.scale);
  });
  event.representative = settled;
  if (!settled) {
    cost->range = std::to_string(least) + " to " + std::to_string(most);
    event.data = std::make_shared<const DataCost>(std::move(*cost));
  }
  scopes_.emit(std::move(event));
  machine_.events = scopes_.live();
  return settled;
}

void Warp::count(const MemoryOperation &operation, std::uint32_t index, Space space, const Value &address,
                 LaneMask mask, LaneMask elsewhere) {
  if (machine_.race_watch)
    return;
  if (machine_.sector_watch) {
    if (space == Space::Global)
      machine_.sector_watch->touch(index_, index, address, mask);
    return;
  }
  Event event;
  event.operation = index;
  event.space = space;
  event.elsewhere = elsewhere != 0;
  event.warp = index_;
  event.gates = paths_.back().gates;
  if (!mask || describe(operation, address, mask, space == Space::Global, event, event.side))
    scopes_.emit(std::move(event));
  machine_.events = scopes_.live();
}

void Warp::count_without_addresses(std::uint32_t index, LaneMask mask) {
  if (machine_.sector_watch || machine_.race_watch)
    return;
  Event event;
  event.operation = index;
  event.side.request.active = mask;
  event.warp = index_;
  event.gates = paths_.back().gates;
  scopes_.emit(std::move(event));
  machine_.events = scopes_.live();
}

LaneMask Warp::lanes_elsewhere(const Value &address, LaneMask mask) const {
  LaneMask lanes = 0;
  for (const Term &term : address.terms)
    if (term.dimension == machine_.other_block)
      for_lanes(mask, [&](unsigned lane) { lanes |= LaneMask{term.at(lane) != 0} << lane; });
  return lanes;
}

void Warp::count_copy(const MemoryOperation &operation, std::uint32_t index, const Value &destination, LaneMask writing,
                      const Value &source, LaneMask reading) {
  if (machine_.race_watch)
    return;
  if (machine_.sector_watch)
    return machine_.sector_watch->touch(index_, index, source, reading);
  Event event;
  event.operation = index;
  event.copy = true;
  event.warp = index_;
  event.gates = paths_.back().gates;
  Event::Side from;
  if (describe(operation, destination, writing, false, event, event.side) &&
      describe(operation, source, reading, true, event, from)) {
    event.source = std::make_shared<const Event::Side>(std::move(from));
    scopes_.emit(std::move(event));
  }
  machine_.events = scopes_.live();
}

} // namespace smem
