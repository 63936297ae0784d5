// What a memory instruction of a warp means for races.
#include <algorithm>
#include <optional>

#include "bounds.h"
#include "race/address_origin.h"
#include "race/block_run.h"
#include "race/choices.h"
#include "race/lines.h"
#include "race/race_watch.h"
#include "smem/integer_division.h"
#include "warp.h"

namespace smem {
namespace {

/// One that is no race with atomics, and none with other reads.
bool is_strong_load(const MemoryOperation &operation) {
  return operation.strength != Strength::Weak && operation.access.operation == Operation::Load;
}

/// How the instruction accesses the memory that is watched; nullopt: in a way that is not followed.
std::optional<race::Kind> kind_of(const MemoryOperation &operation, bool global) {
  if (is_strong_load(operation))
    return race::Kind::Read;
  if (operation.strength != Strength::Weak)
    return race::Kind::Atomic;
  switch (operation.access.operation) {
  case Operation::Load:
  case Operation::MatrixLoad: return race::Kind::Read;
  case Operation::Store:
  case Operation::MatrixStore: return race::Kind::Write;
  case Operation::Atomic: return race::Kind::Atomic;
  case Operation::AsyncCopy:
    if (operation.source == kNone || operation.source == operation.address)
      return std::nullopt;
    return global ? race::Kind::Read : race::Kind::Write;
  default: return std::nullopt;
  }
}

/// Whether accesses of so many bytes are aligned wherever they are on the line, which nothing else moves, and do not lie everywhere.
bool stays_aligned_on(const Choice &line, std::uint64_t bytes) {
  const auto width = static_cast<std::int64_t>(bytes);
  return line.terms.empty() && width && line.scale > width && line.scale % width == 0 &&
         std::ranges::all_of(line.base, [&](std::int64_t base) { return base % width == 0; });
}

/// Of an access of `bytes` anywhere in an array, what is known of where: accesses in parts of it. None: nothing is known.
std::vector<race::WarpAccess> parts_of_array(const Choice &choice, const race::WarpAccess &array, std::uint64_t bytes) {
  constexpr Wide kMost = Wide{1} << 31; // what is less does not wrap around in a register of 32 bits
  const Wide least = Wide{choice.scale} * choice.least, most = Wide{choice.scale} * choice.most;
  const Wide begin = array.address[0], end = begin + array.bytes;
  if (least <= -kMost || most >= kMost)
    return {};
  std::int64_t lowest = INT64_MAX, highest = INT64_MIN;
  bool inside = true;
  for_lanes(array.active, [&](unsigned lane) {
    const std::int64_t base = choice.base[lane];
    lowest = std::min(lowest, base);
    highest = std::max(highest, base);
    inside &= base > -kMost && base < kMost && base + least < end && base + most >= begin;
  });
  if (!inside)
    return {};
  if (stays_aligned_on(choice, bytes) && highest - lowest < choice.scale) {
    race::WarpAccess part = array;
    part.bytes = bytes;
    part.stride = static_cast<std::uint64_t>(choice.scale);
    part.end = static_cast<std::uint64_t>(std::min(end, highest + most + static_cast<Wide>(bytes)));
    for_lanes(array.active, [&](unsigned lane) {
      const Wide first = choice.base[lane] + least;
      const Wide steps = first < begin ? (begin - first + choice.scale - 1) / choice.scale : 0;
      part.address[lane] = static_cast<std::uint64_t>(first + steps * choice.scale);
    });
    return {part};
  }
  std::vector<race::WarpAccess> parts;
  for (LaneMask rest = array.active; rest;) {
    const std::int64_t base = choice.base[first_lane(rest)];
    race::WarpAccess &part = parts.emplace_back(array);
    part.active = 0;
    for_lanes(rest, [&](unsigned lane) { part.active |= LaneMask{choice.base[lane] == base} << lane; });
    rest &= ~part.active;
    const Wide from = std::max(begin, base + least), to = std::min(end, base + most + static_cast<Wide>(bytes));
    part.address[0] = static_cast<std::uint64_t>(from);
    part.bytes = static_cast<std::uint64_t>(to - from);
  }
  return parts;
}

} // namespace

void Warp::watch_barrier(const Instruction &instruction, const Path &path) {
  race::BarrierCall call;
  call.instruction = &instruction;
  call.waits = instruction.opcode == Opcode::Barrier;
  std::uint32_t uncertain = path.why_uncertain;
  for (std::size_t n = 0; n < instruction.operands.size() && !uncertain; ++n) {
    const Value value = arithmetic_.fixed(read(instruction.operands[n]), path.mask);
    if (!warp_uniform(value, path.mask))
      uncertain = value.reason ? value.reason : machine_.reasons.add("which barrier a warp comes to is not known");
    (n ? call.threads : call.number) = static_cast<std::uint32_t>(value.at(first_lane(path.mask)));
  }
  machine_.race_watch->block_barrier(call, path.mask, alive_, uncertain);
}

void Warp::watch_members(const Instruction &instruction, const Path &path) {
  race::RaceWatch &watch = *machine_.race_watch;
  const Value named = arithmetic_.fixed(read(instruction.operands[0]), path.mask);
  const bool uncertain = path.why_uncertain != 0 || (named.unknown & path.mask);
  for (LaneMask rest = path.mask; rest;) {
    const auto members = static_cast<LaneMask>(named.at(first_lane(rest)));
    LaneMask alike = 0;
    for_lanes(rest,
              [&](unsigned lane) { alike |= LaneMask{static_cast<LaneMask>(named.at(lane)) == members} << lane; });
    watch.name_lanes(instruction, members, alike, alive_, uncertain);
    rest &= ~alike;
  }
}

void Warp::lose_races(const MemoryOperation &operation, const std::string &what) {
  const SourceLocation location = operation.site == kNone ? SourceLocation{} : program_.sites[operation.site].location;
  machine_.race_watch->lose(machine_.reasons.add(
      what + (location.known() ? " at line " + std::to_string(location.line) : std::string()), location));
}

void Warp::watch_races(const MemoryOperation &operation, std::uint32_t index, const Path &path) {
  race::RaceWatch &watch = *machine_.race_watch;
  if (!path.why_uncertain)
    watch.go_on(path.mask);
  if (!race::may_be(operation, watch.global ? RaceMemory::Global : RaceMemory::Shared) &&
      operation.access.operation != Operation::BulkCopy)
    return;
  if (operation.access.operation == Operation::BulkCopy) {
    if (watch.global)
      lose_races(operation, "a bulk copy of global memory is not followed: the one");
    return; // watch_bulk_copy()
  }
  const auto kind = kind_of(operation, watch.global);
  if (!kind || !has_lane_addresses(operation.access))
    return lose_races(operation, "the order of asynchronous accesses is not followed: the one");
  race::WarpAccess access;
  access.operation = index;
  access.kind = *kind;
  access.certain = !path.why_uncertain && !is_strong_load(operation); // what writes there may be an atomic
  access.bytes = operation.access.width_bits / 8u;
  access.of_block = operation.strength == Strength::Block && !is_strong_load(operation);
  access.asynchronous = operation.access.operation == Operation::AsyncCopy;
  access.edges = path.edges;
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
  access.stored = stored_values(operation, mask);
  if (watch.global && operation.source_bytes != kNone && access.asynchronous) {
    // Lanes that read nothing, or less than a whole access.
    const Value bytes = arithmetic_.fixed(read(operation.source_bytes), mask);
    LaneMask reading = 0;
    for_lanes(mask, [&](unsigned lane) {
      const bool open = bytes.unknown >> lane & 1;
      access.certain &= !open && static_cast<std::uint64_t>(bytes.at(lane)) == access.bytes;
      reading |= LaneMask{open || bytes.at(lane) != 0} << lane;
    });
    mask = reading;
  }
  if (mask && watch.global)
    watch_global(operation, std::move(access), mask);
  else if (mask)
    watch_shared(operation, std::move(access), mask);
}

std::shared_ptr<const race::StoredByLane> Warp::stored_values(const MemoryOperation &operation, LaneMask mask) const {
  if (operation.stored.empty())
    return nullptr;
  auto all = std::make_shared<race::StoredByLane>();
  all->fill(0);
  for_lanes(mask, [&](unsigned lane) {
    std::vector<std::int64_t> value;
    bool moves = false;
    for (const RegisterId reg : operation.stored) {
      const Value &part = read(reg);
      if (part.unknown >> lane & 1)
        return;
      value.push_back(part.width);
      value.push_back(part.at(lane));
      for (const Term &term : part.terms) {
        value.push_back(std::int64_t{term.dimension});
        value.push_back(term.at(lane));
        moves |= is_symbol(term.dimension) ? !machine_.symbols[term.dimension].of_grid : is_digit(term.dimension);
      }
      value.push_back(-1);
    }
    (*all)[lane] = machine_.race_watch->stored.index_of(value, moves);
  });
  return all;
}

void Warp::watch_shared(const MemoryOperation &operation, race::WarpAccess access, LaneMask mask) {
  race::RaceWatch &watch = *machine_.race_watch;
  Value address = read(operation.address);
  LaneMask unknown = address.unknown & mask;
  if (operation.space == AddressSpace::Generic) {
    std::uint32_t reason = 0, object = kNone;
    const auto space = unknown ? std::nullopt : resolve(operation, address, mask, reason, object);
    if (!space)
      return lose_races(operation, "it is not known which memory the access is to");
    if (*space != AddressSpace::Shared)
      return;
  }
  if (!unknown && !shared_offset(address, mask))
    return lose_races(operation, "other blocks' shared memory is accessed");
  if (!unknown) {
    unknown = address.unknown & mask;
  } else if (mask & ~unknown && !address.terms.empty()) {
    unknown = mask; // some of it moves with the block
  }
  const SharedArray *array =
      operation.shared_array != kNone ? &program_.shared_arrays[operation.shared_array] : nullptr;
  const std::uint64_t begin = !array           ? 0
                              : array->dynamic ? machine_.layout.dynamic_offset
                                               : machine_.layout.offset[operation.shared_array];
  const std::uint64_t size =
      !array || array->dynamic ? machine_.shared_bytes - std::min(machine_.shared_bytes, begin) : array->size;
  if (unknown) {
    if (machine_.choices)
      machine_.choices->blurred |= address.reason == machine_.choices->any_iteration;
    if (access.asynchronous)
      return lose_races(operation, "it is not known where the copy is to");
    watch.note_undecided(address.reason ? address.reason : load_reason(operation));
    race::WarpAccess anywhere = access;
    anywhere.anywhere = true;
    anywhere.certain = false;
    anywhere.active = unknown;
    anywhere.address[0] = begin;
    anywhere.bytes = size;
    const Choice *line = watch.sync ? nullptr : race::line_in(address, unknown);
    const Choice *choice = watch.sync || !address.terms.empty() ? nullptr : address.choice.get();
    if (line && !(line->ticket && line->terms.empty()) && stays_aligned_on(*line, access.bytes)) {
      anywhere.bytes = access.bytes;
      anywhere.stride = static_cast<std::uint64_t>(line->scale);
      anywhere.end = begin + size;
      for_lanes(unknown, [&](unsigned lane) { // the lowest one in the array
        anywhere.address[lane] =
            begin +
            static_cast<std::uint64_t>(floor_mod(line->base[lane] - static_cast<std::int64_t>(begin), line->scale));
      });
    } else if (line && line->ticket && line->terms.empty() && line->scale >= static_cast<std::int64_t>(access.bytes)) {
      anywhere.ticket = line->ticket;
      anywhere.ticket_factor = line->ticket_factor;
      anywhere.ticket_begin = static_cast<std::uint64_t>(line->base[first_lane(unknown)]);
    }
    const std::vector<race::WarpAccess> parts =
        choice && !choice->line ? parts_of_array(*choice, anywhere, access.bytes) : std::vector<race::WarpAccess>();
    for (const race::WarpAccess &part : parts)
      watch.access(part);
    if (parts.empty())
      watch.access(std::move(anywhere));
  }
  access.active = mask & ~unknown;
  if (!access.active)
    return;
  if (const auto counter = counter_of(operation, address, mask); counter && !unknown)
    access.draws = watch.ticket_of(counter->first, counter->second);
  bool outside = false, leaves = false, misaligned = false;
  for_lanes(access.active, [&](unsigned lane) {
    const auto at = static_cast<std::uint64_t>(address.at(lane));
    access.address[lane] = at;
    outside |= at > machine_.shared_bytes || machine_.shared_bytes - at < access.bytes;
    leaves |= at < begin || at - begin > size || size - (at - begin) < access.bytes;
    misaligned |= access.bytes != 0 && at % access.bytes != 0;
  });
  const bool certain = access.certain && !watch.warps()[index_].undecided;
  watch.leaves_arrays |= (outside || leaves || misaligned) && certain;
  // No launch has values that were made up if with them an access is in the next array; which array it should be in must be known for that.
  if (machine_.assumed && (leaves || (!array && program_.shared_arrays.size() > 1)))
    return lose_races(operation, "an access that may be outside its array");
  if (certain && leaves && array && !array->dynamic) { // what it would race with is no business of the array's
    note_outside(operation, access, begin);
    return lose_races(operation, "an access outside its array");
  }
  if (outside || misaligned)
    return lose_races(operation, outside ? "an access outside shared memory" : "a misaligned access");
  watch.access(std::move(access));
}

void Warp::note_outside(const MemoryOperation &operation, const race::WarpAccess &access, std::uint64_t begin) {
  const SharedArray &array = program_.shared_arrays[operation.shared_array];
  if (operation.site == kNone)
    return;
  for_lanes(access.active, [&](unsigned lane) {
    const auto offset = static_cast<std::int64_t>(access.address[lane] - begin);
    if (offset < 0 || static_cast<std::uint64_t>(offset) + access.bytes > array.size)
      machine_.race_watch->outside.try_emplace(
          operation.site, outside_array(machine_, operation.site, "`" + array.name + "`", offset, array.size));
  });
}

std::optional<std::pair<std::uint64_t, std::int64_t>> Warp::counter_of(const MemoryOperation &operation,
                                                                       const Value &address, LaneMask mask) {
  if (machine_.race_watch->sync || machine_.race_watch->global || operation.access.operation != Operation::Atomic ||
      (operation.access.atomic != AtomicKind::Add && operation.access.atomic != AtomicKind::Increment) ||
      operation.operand == kNone || operation.parts.size() != 1)
    return std::nullopt;
  const Value added = arithmetic_.fixed(read(operation.operand), mask);
  Value place = address;
  if ((place.unknown | added.unknown) & mask || !warp_uniform(added, mask) || !shared_offset(place, mask) ||
      (place.unknown & mask) || !warp_uniform(place, mask))
    return std::nullopt;
  const std::int64_t step = added.at(first_lane(mask));
  if (step <= 0)
    return std::nullopt;
  return std::pair(static_cast<std::uint64_t>(place.at(first_lane(mask))), step);
}

std::optional<race::GlobalTickets::Counter> Warp::global_counter_of(const MemoryOperation &operation, LaneMask mask) {
  if ((operation.space != AddressSpace::Global && operation.space != AddressSpace::Generic) ||
      operation.access.operation != Operation::Atomic ||
      (operation.access.atomic != AtomicKind::Add && operation.access.atomic != AtomicKind::Increment) ||
      operation.strength == Strength::Block || operation.operand == kNone || operation.parts.size() != 1)
    return std::nullopt;
  const Value added = arithmetic_.fixed(read(operation.operand), mask);
  const Value &place = read(operation.address);
  if ((place.unknown | added.unknown) & mask || !added.constant() || !warp_uniform(added, mask) ||
      !warp_uniform(place, mask) || place.terms.size() != 1 || place.terms[0].at(first_lane(mask)) != 1 ||
      !is_symbol(place.terms[0].dimension) ||
      machine_.symbols[place.terms[0].dimension].window != Symbol::Window::Global)
    return std::nullopt;
  const unsigned lane = first_lane(mask);
  // A counter that comes round within the grid hands numbers out twice; that loops make it is presumed not to be.
  const auto threads_of = [](const Dim3 &shape) { return std::uint64_t{shape.x} * shape.y * shape.z; };
  const unsigned bits = operation.access.width_bits;
  if (added.at(lane) <= 0 || (bits < 64 && machine_.launch.grid_known &&
                              threads_of(machine_.launch.block) * static_cast<std::uint64_t>(added.at(lane)) >
                                  (std::uint64_t{1} << bits) / threads_of(machine_.launch.grid)))
    return std::nullopt;
  return race::GlobalTickets::Counter{place.terms[0].dimension, place.at(lane), added.at(lane),
                                      operation.access.width_bits / 8};
}

std::shared_ptr<const Choice> Warp::ticket(const MemoryOperation &operation, LaneMask mask) {
  if (machine_.race_watch && machine_.race_watch->global) {
    const auto counter = global_counter_of(operation, mask);
    return counter ? race::ticket_of(machine_.race_watch->global->tickets.number_of(*counter), counter->step, mask)
                   : nullptr;
  }
  if (!machine_.race_watch || operation.space != AddressSpace::Shared)
    return nullptr;
  const auto counter = counter_of(operation, read(operation.address), mask);
  return counter
             ? race::ticket_of(machine_.race_watch->ticket_of(counter->first, counter->second), counter->second, mask)
             : nullptr;
}

bool Warp::shared_offset(Value &address, LaneMask mask) {
  if (lanes_elsewhere(address, mask))
    return false;
  std::erase_if(address.terms, [&](const Term &term) { return term.dimension == machine_.shared_window; });
  address = arithmetic_.fixed(address, mask);
  return true;
}

void Warp::watch_global(const MemoryOperation &operation, race::WarpAccess access, LaneMask mask) {
  race::RaceWatch &watch = *machine_.race_watch;
  const RegisterId reg = access.asynchronous ? operation.source : operation.address;
  Value address = read(reg);
  const auto lose = [&](LaneMask lanes, std::uint32_t reason) {
    if (!lanes)
      return;
    const auto [known_origin, fresh] = watch.global->origins.try_emplace(reg);
    race::AddressOrigin &origin = known_origin->second;
    if (fresh)
      origin = race::origin_of(machine_, reg);
    if (origin.elsewhere)
      return;
    if (!reason)
      reason = load_reason(operation);
    watch.note_undecided(reason);
    std::uint32_t &known =
        watch.global
            ->lost[origin.object.value_or(race::GlobalAccesses::kAnyObject)][static_cast<std::size_t>(access.kind)];
    known = known ? known : reason;
  };
  if (const auto counter = watch.sync ? std::nullopt : global_counter_of(operation, mask))
    watch.global->tickets.draws(*counter);
  else if (access.kind != race::Kind::Read)
    watch.global->tickets.writes(address, mask);
  // Where a number that is no other thread's says, from where a pointer points on.
  if (const Choice *line = watch.sync ? nullptr : race::line_in(address, mask);
      line && line->ticket && !access.asynchronous && line->terms.size() == 1 && is_symbol(line->terms[0].dimension) &&
      machine_.symbols[line->terms[0].dimension].window == Symbol::Window::Global &&
      line->terms[0].at(first_lane(mask)) == 1 && line->scale >= static_cast<std::int64_t>(access.bytes)) {
    watch.note_undecided(address.reason);
    return watch.global->tickets.access(
        {line->terms[0].dimension, line->ticket, line->base[first_lane(mask)], line->ticket_factor},
        static_cast<unsigned>(access.kind), address.reason ? address.reason : load_reason(operation));
  }
  LaneMask unknown = address.unknown & mask;
  std::int64_t modulus = 0;
  const auto beside =
      machine_.symbols.of_class && !watch.sync ? race::line_beside(machine_.symbols, address, true, mask) : nullptr;
  if (const Choice *line = beside ? beside.get() : watch.sync ? nullptr : race::line_in(address, mask)) {
    const auto width = static_cast<std::int64_t>(access.bytes);
    bool aligned = width && line->scale > width && line->scale % width == 0;
    for_lanes(mask, [&](unsigned lane) { aligned &= line->base[lane] % std::max<std::int64_t>(width, 1) == 0; });
    if (aligned) {
      modulus = line->scale;
      access.certain = false;
      watch.note_undecided(address.reason);
      Value on_line = make_uniform(0, address.width, mask);
      on_line.uniform = false;
      on_line.base = line->base;
      on_line.terms = line->terms;
      address = std::move(on_line);
      unknown = 0;
    }
  }
  if (operation.space == AddressSpace::Generic && !access.asynchronous) {
    std::uint32_t reason = 0, object = kNone;
    const auto space = unknown ? std::nullopt : resolve(operation, address, mask, reason, object);
    if (!space)
      return lose(mask, reason ? reason : address.reason);
    if (*space != AddressSpace::Global)
      return;
  }
  lose(unknown, address.reason);
  mask &= ~unknown;
  if (!mask)
    return;
  // Lanes that move differently with the block, or every block for itself.
  const bool apart = std::ranges::any_of(
      address.terms, [&](const Term &term) { return !is_symbol(term.dimension) && !uniform_over(term, mask); });
  if (apart || watch.global->each_block) {
    std::vector<Term> symbols;
    std::ranges::copy_if(address.terms, std::back_inserter(symbols),
                         [](const Term &term) { return is_symbol(term.dimension); });
    for (const Term &term : address.terms)
      if (!is_symbol(term.dimension))
        scopes_.pin(term.dimension);
    address.terms = std::move(symbols);
  }
  race::Memory memory;
  bool has_object = false;
  for (const Term &term : address.terms) {
    if (!uniform_over(term, mask))
      return lose(mask, is_symbol(term.dimension) ? machine_.symbols[term.dimension].reason : 0);
    const std::int64_t bytes = term.at(first_lane(mask));
    if (!bytes)
      continue;
    if (!is_symbol(term.dimension)) {
      const Digit &digit = scopes_.box().digits[term.dimension];
      memory.steps.push_back({digit.axis, digit.weight, bytes});
    } else if (machine_.symbols[term.dimension].window == Symbol::Window::Global && bytes == 1 && !has_object) {
      has_object = true;
      memory.object = term.dimension;
    } else {
      memory.symbols.emplace_back(term.dimension, bytes);
      memory.of_block |= !machine_.symbols[term.dimension].of_grid;
    }
  }
  if (!has_object)
    return lose(mask, memory.symbols.empty() ? 0 : machine_.symbols[memory.symbols.front().first].reason);
  std::ranges::sort(memory.steps);
  memory.modulus = modulus;
  access.memory = watch.global->memories.index_of(memory);
  access.active = mask;
  bool far = false, misaligned = false;
  for_lanes(mask, [&](unsigned lane) {
    const std::int64_t at = modulus ? floor_mod(address.at(lane), modulus) : address.at(lane);
    far |= at < -static_cast<std::int64_t>(race::kGlobalOrigin) || at > static_cast<std::int64_t>(race::kGlobalOrigin);
    misaligned |= access.bytes != 0 && at % static_cast<std::int64_t>(access.bytes) != 0;
    access.address[lane] = race::kGlobalOrigin + static_cast<std::uint64_t>(at);
  });
  if (far || misaligned)
    return lose_races(operation, far ? "an access far outside its array" : "a misaligned access");
  watch.access(std::move(access));
}

} // namespace smem
