// Memory instructions of a warp: which memory they access, and the values that addresses depend on. What they cost: warp_requests.cpp.
#include <algorithm>
#include <bit>

#include "choice.h"
#include "race/assumed_values.h"
#include "race/read_only_arrays.h"
#include "sector_use.h"
#include "warp.h"

namespace smem {
namespace {

/// What nobody knows of memory: any value, in each lane.
Value loaded(unsigned width, LaneMask mask, std::uint32_t reason) {
  Value value = make_unknown(width, mask, reason);
  value.choice = any_value(width);
  return value;
}

} // namespace

std::uint32_t Warp::load_reason(const MemoryOperation &operation) {
  std::uint32_t &known =
      machine_.load_reasons[static_cast<std::size_t>(&operation - program_.memory_operations.data())];
  if (!known)
    known = reason_of_load(operation);
  return known;
}

std::uint32_t Warp::reason_of_load(const MemoryOperation &operation) {
  if (operation.site == kNone)
    return machine_.reasons.add("a value read from memory that the kernel did not write itself", {}, true);
  const Site &site = program_.sites[operation.site];
  const std::string what = site.expression.empty() ? "a value" : "`" + site.expression + "`";
  const std::string how =
      operation.access.operation == Operation::Atomic ? " is what an atomic returns" : " is loaded from memory";
  return machine_.reasons.add(what + how +
                                  (site.location.known() ? " at line " + std::to_string(site.location.line) : ""),
                              site.location, true);
}

std::optional<AddressSpace> Warp::resolve(const MemoryOperation &operation, const Value &address, LaneMask mask,
                                          std::uint32_t &reason, std::uint32_t &object) {
  object = kNone;
  const Term *window = nullptr;
  bool mixed = false;
  for (const Term &term : address.terms) {
    if (!is_symbol(term.dimension) || machine_.symbols[term.dimension].window == Symbol::Window::None ||
        term.dimension == machine_.other_block)
      continue;
    bool plain = true;
    for_lanes(mask, [&](unsigned lane) { plain &= term.at(lane) == 1; });
    mixed |= !plain || window;
    window = &term;
  }
  if (operation.space == AddressSpace::Shared || operation.space == AddressSpace::Global ||
      operation.space == AddressSpace::Constant || operation.space == AddressSpace::Local) {
    if (window && !mixed)
      object = machine_.symbols[window->dimension].object;
    return operation.space;
  }
  if (window && !mixed) {
    object = machine_.symbols[window->dimension].object;
    switch (machine_.symbols[window->dimension].window) {
    case Symbol::Window::Shared: return AddressSpace::Shared;
    case Symbol::Window::Local: return AddressSpace::Local;
    default: return AddressSpace::Global;
    }
  }
  reason = mixed ? machine_.reasons.add("one instruction addresses several memories, depending on the lane") : 0;
  if (!reason)
    for (const Term &term : address.terms)
      if (is_symbol(term.dimension))
        reason = machine_.symbols[term.dimension].reason;
  if (!reason)
    reason = machine_.reasons.add("a pointer whose memory is not known");
  return std::nullopt;
}

void Warp::lose_results(const MemoryOperation &operation, LaneMask mask, std::uint32_t reason) {
  const std::shared_ptr<const Choice> drawn =
      operation.access.operation == Operation::Atomic ? ticket(operation, mask) : nullptr;
  for (const ValuePart &part : operation.parts) {
    if (part.reg == kNone)
      continue;
    Value any = loaded(part.width, mask, reason);
    if (drawn)
      any.choice = drawn;
    write(part.reg, any, mask);
  }
}

void Warp::lose_values(const MemoryOperation &operation, LaneMask mask, std::uint32_t reason) {
  if (operation.access.operation == Operation::Load || operation.access.operation == Operation::Atomic)
    lose_results(operation, mask, reason);
  if (operation.access.operation == Operation::Load)
    return;
  // A store that may go anywhere, or may not happen, leaves nothing known behind.
  const auto forget_all = [&](CellMemory &memory) {
    stored_ |= !memory.empty();
    memory.forget_all();
  };
  if (shared_ && (operation.space == AddressSpace::Shared || operation.space == AddressSpace::Generic))
    forget_all(*shared_);
  if (operation.space == AddressSpace::Local || operation.space == AddressSpace::Generic)
    forget_all(local_);
}

std::optional<Value> Warp::draw_ticket(std::uint32_t index, const Value &address, LaneMask mask) {
  if (machine_.race_watch) // it is an assumption
    return std::nullopt;
  const auto ticket = std::find_if(machine_.tickets.begin(), machine_.tickets.end(),
                                   [&](const Ticket &t) { return t.operation == index; });
  if (ticket == machine_.tickets.end())
    return std::nullopt;
  const MemoryOperation &operation = program_.memory_operations[index];
  const unsigned width = operation.parts[0].width;
  const Value added = arithmetic_.fixed(read(operation.operand), mask);
  const std::uint64_t blocks = machine_.launch.grid.count();
  const auto open = [](const Term &term) { return !is_symbol(term.dimension); };
  const bool known =
      std::popcount(mask) == 1 && !scopes_.in_loop() && !machine_.symbols.symbolic && !(added.unknown & mask) &&
      !added.has_symbol() && std::none_of(address.terms.begin(), address.terms.end(), open) &&
      std::none_of(machine_.open_grid.begin(), machine_.open_grid.end(), [](bool axis) { return axis; }) &&
      paths_.back().gates.empty();
  std::uint64_t step = 1;
  if (known) {
    const std::uint64_t operand = as_unsigned(added.at(first_lane(mask)), width);
    const bool wraps = operation.access.atomic == AtomicKind::IncrementWrap;
    if (!wraps)
      step = operand;
    if (wraps ? operand >= blocks - 1 : operand != 0 && operand < (std::uint64_t{1} << 31) / blocks) {
      ticket->drawn = true;
      const std::uint32_t in_order = machine_.assume({"blocks come to the atomic at line " +
                                                          std::to_string(program_.sites[ticket->site].location.line) +
                                                          " in the order of their indices, and find 0 there",
                                                      {},
                                                      std::string(assumption_id::block_order)});
      for (const SiteId site : ticket->dependents)
        scopes_.assume(site, in_order);
      Value number = make_uniform(0, width, mask);
      const Dim3 &grid = machine_.launch.grid;
      const std::array<std::uint64_t, 3> apart{1, grid.x, std::uint64_t{grid.x} * grid.y};
      for (unsigned axis = 0; axis < 3; ++axis)
        number = arithmetic_.binary(
            Opcode::Add, number,
            arithmetic_.binary(Opcode::Mul, block_index(axis, width, mask),
                               make_uniform(static_cast<std::int64_t>(apart[axis] * step), width, mask), mask),
            mask);
      return number;
    }
  }
  ticket->spoiled = true;
  return std::nullopt;
}

DimensionId Warp::symbol_of_load(std::uint32_t index, AddressSpace space, const ValuePart &part, const Value &address,
                                 LaneMask mask) {
  const std::uint32_t reason = load_reason(program_.memory_operations[index]);
  std::optional<DimensionId> known;
  if (space == AddressSpace::Shared && machine_.choices)
    known = symbol_in_block(part, address, mask, reason);
  else if (machine_.loaded)
    known = machine_.loaded->symbol_of(index, part, address, mask, reason);
  return known ? *known : machine_.symbols.add({.reason = reason});
}

void Warp::move_values(const MemoryOperation &operation, std::uint32_t index, AddressSpace space, std::uint32_t object,
                       const Value &address, LaneMask mask) {
  const bool reads = operation.access.operation == Operation::Load;
  const bool writes = operation.access.operation == Operation::Store;
  const std::uint32_t bytes =
      operation.access.width_bits / 8u * (operation.access.matrices ? operation.access.matrices : 1u);
  CellMemory *memory = space == AddressSpace::Shared ? shared_ : space == AddressSpace::Local ? &local_ : nullptr;
  const GlobalObject *table = object != kNone && space != AddressSpace::Local && space != AddressSpace::Shared
                                  ? &program_.global_objects[object]
                                  : nullptr;
  if (reads && operation.parts.empty())
    return;
  if (!reads && !memory) {
    if (operation.operand != kNone)
      if (const auto number = draw_ticket(index, address, mask))
        return write(operation.parts[0].reg, *number, mask);
    if (!writes)
      lose_results(operation, mask, load_reason(operation));
    return;
  }
  if (reads && !memory && !(table && table->initializer)) {
    // Whatever is there, all lanes that read one place get one value.
    for (const ValuePart &part : operation.parts) {
      if (part.reg == kNone)
        continue;
      if (const auto assumed = machine_.assumed ? machine_.assumed->loaded(index, part, address, mask) : std::nullopt)
        write(part.reg, *assumed, mask);
      else if (warp_uniform(address, mask))
        write(part.reg, arithmetic_.of_symbol(symbol_of_load(index, space, part, address, mask), part.width, mask),
              mask);
      else
        write(part.reg, loaded(part.width, mask, load_reason(operation)), mask);
    }
    return;
  }
  // Nothing is remembered that this could replace, here or in another block or iteration, and it leaves nothing to remember.
  const bool leaves_nothing =
      !reads && std::all_of(operation.parts.begin(), operation.parts.end(),
                            [&](const ValuePart &part) { return part.reg == kNone || !writes; });
  if (leaves_nothing && memory->empty()) {
    if (operation.access.operation == Operation::Atomic)
      lose_results(operation, mask, load_reason(operation));
    return;
  }
  // From here on single places matter: the address must stand still, its window aside.
  Value place = address;
  std::erase_if(place.terms, [&](const Term &t) {
    return is_symbol(t.dimension) && machine_.symbols[t.dimension].window != Symbol::Window::None;
  });
  place = arithmetic_.fixed(place, mask);
  if (place.unknown & mask) {
    lose_values(operation, mask, place.reason);
    return;
  }
  const std::uint64_t home = space == AddressSpace::Local ? std::uint64_t{object} << 40 : 0;
  auto at = [&](unsigned lane, const ValuePart &part) {
    return home + (static_cast<std::uint64_t>(place.at(lane)) & 0xffffffffffu) + part.byte_offset;
  };

  // What nothing orders may be read before or after it is written, and written in either order.
  const bool unordered = machine_.race_watch && operation.strength != Strength::Weak && space != AddressSpace::Local;
  if (unordered && reads) {
    for (const ValuePart &part : operation.parts)
      if (part.reg != kNone)
        write(part.reg, loaded(part.width, mask, load_reason(operation)), mask);
    return;
  }
  if (reads) {
    for (const ValuePart &part : operation.parts) {
      if (part.reg == kNone)
        continue;
      Value out = make_uniform(0, part.width, mask);
      spread(out);
      for_lanes(mask, [&](unsigned lane) {
        const LaneMask bit = 1u << lane;
        if (table) {
          std::uint64_t value = 0;
          const std::uint64_t from = at(lane, part), size = (part.width + 7u) / 8;
          if (from + size > table->initializer->size()) {
            out.unknown |= bit;
            out.reason = load_reason(operation);
            return;
          }
          for (std::uint64_t b = 0; b < size; ++b)
            value |= static_cast<std::uint64_t>((*table->initializer)[from + b]) << (8 * b);
          out.base[lane] = canonical(static_cast<std::int64_t>(value), part.width);
          return;
        }
        const Value *cell = memory->load(at(lane, part), part.width);
        const unsigned source = space == AddressSpace::Shared ? 0 : lane;
        if (!cell)
          if (const auto bytes = memory->assemble(at(lane, part), part.width, source)) {
            out.base[lane] = *bytes;
            return;
          }
        if (!cell || !(cell->defined & (1u << source)) || (cell->unknown & (1u << source))) {
          out.unknown |= bit;
          out.reason = cell && (cell->unknown & (1u << source)) && cell->reason ? cell->reason : load_reason(operation);
          return;
        }
        if (cell->terms.empty() && out.terms.empty()) {
          out.base[lane] = cell->at(source);
          return;
        }
        Value one = *cell;
        one.uniform = true;
        one.base[0] = cell->at(source);
        one.unknown = 0;
        for (Term &term : one.terms) {
          term.uniform = term.at(source);
          term.lanes.reset();
        }
        std::erase_if(one.terms, [](const Term &t) { return t.uniform == 0; });
        assign(out, one, bit);
      });
      compact(out, mask);
      if ((out.unknown & mask) == mask)
        out.choice = any_value(part.width);
      write(part.reg, out, mask);
    }
    return;
  }

  stored_ |= !leaves_nothing;
  if (!writes || unordered) { // atomics and asynchronous copies leave something else
    for_lanes(mask, [&](unsigned lane) {
      stored_ |= memory->forget(home + static_cast<std::uint64_t>(place.at(lane)), std::max(bytes, 4u));
    });
    if (operation.access.operation == Operation::Atomic)
      lose_results(operation, mask, load_reason(operation));
    return;
  }
  for_lanes(mask, [&](unsigned lane) {
    if (operation.parts.empty())
      stored_ |= memory->forget(home + static_cast<std::uint64_t>(place.at(lane)), bytes);
  });
  for (const ValuePart &part : operation.parts)
    for_lanes(mask, [&](unsigned lane) {
      if (part.reg == kNone) {
        stored_ |= memory->forget(at(lane, part), (part.width + 7u) / 8);
        return;
      }
      if (space == AddressSpace::Local) {
        memory->store(at(lane, part), part.width, read(part.reg), 1u << lane);
        return;
      }
      const Value &source = read(part.reg);
      Value one = make_uniform(source.at(lane), part.width, 1);
      one.terms = source.terms;
      for (Term &term : one.terms) {
        term.uniform = term.at(lane);
        term.lanes.reset();
      }
      std::erase_if(one.terms, [](const Term &t) { return t.uniform == 0; });
      if (source.unknown & (1u << lane)) {
        one.unknown = 1;
        one.reason = source.reason;
        one.terms.clear();
      }
      memory->store(at(lane, part), part.width, one, 1);
    });
}

void Warp::memory(const MemoryOperation &operation, std::uint32_t index, Path &path) {
  LaneMask mask = path.mask;
  if (machine_.race_watch)
    watch_races(operation, index, path);
  bool counted = false;
  auto mark = [&](std::uint32_t reason) {
    if (operation.site != kNone && !counted)
      scopes_.mark(operation.site, reason);
  };
  if (path.why_uncertain) {
    mark(path.why_uncertain);
    lose_values(operation, mask, path.why_uncertain);
    return;
  }
  report_passed_by(mask);
  find_missed(mask);
  if (operation.predicate != kNone) {
    const Value guard = arithmetic_.fixed(read(operation.predicate), mask);
    if (guard.unknown & mask) {
      mark(guard.reason);
      lose_values(operation, mask, guard.reason);
      return;
    }
    LaneMask on = 0;
    for_lanes(mask, [&](unsigned lane) {
      if (guard.at(lane))
        on |= 1u << lane;
    });
    mask = on;
    if (!mask)
      return;
  }
  if (operation.apart != kNone && operation.space != AddressSpace::Constant && !std::has_single_bit(mask) &&
      !machine_.race_watch) {
    const std::uint32_t reason = machine_.program_reason(operation.apart);
    mark(reason);
    if (operation.space != AddressSpace::Local) {
      lose_values(operation, mask, reason); // others may write in between
      return;
    }
    counted = true; // a thread's own memory has what the thread has put there
  }
  if (!has_lane_addresses(operation.access)) {
    count_without_addresses(index, mask);
    return;
  }
  // Where a thread's own memory lies is the driver's business: how often it is accessed is all that is counted.
  if (operation.site != kNone && operation.space == AddressSpace::Local && !counted) {
    count_without_addresses(index, mask);
    counted = true;
  }
  const bool aggregated = operation.aggregation == Aggregation::Always ||
                          (operation.aggregation == Aggregation::OfAllLanes && mask == kFullMask);
  const LaneMask counted_lanes = aggregated ? mask & (~mask + 1) : mask;
  const Value &address = read(operation.address);
  if (address.unknown & mask) {
    if (!count_any_data(operation, index, address, counted_lanes))
      mark(address.reason);
    lose_values(operation, mask, address.reason);
    return;
  }
  std::uint32_t reason = 0, object = kNone;
  const auto space = resolve(operation, address, mask, reason, object);
  if (!space) {
    mark(reason);
    lose_values(operation, mask, reason);
    return;
  }
  const LaneMask elsewhere = lanes_elsewhere(address, mask);
  if (elsewhere) {
    if (operation.access.operation == Operation::AsyncCopy)
      mark(machine_.reasons.add("an asynchronous copy to another block's shared memory"));
    else if (operation.site != kNone)
      count(operation, index, Space::Shared, address, mask & ~elsewhere, elsewhere);
    lose_values(operation, mask, load_reason(operation));
    return;
  }
  if (operation.access.operation == Operation::AsyncCopy && operation.source != kNone) {
    LaneMask reading = mask;
    if (operation.source_bytes != kNone) {
      const Value bytes = arithmetic_.fixed(read(operation.source_bytes), mask);
      if (bytes.unknown & mask) {
        mark(bytes.reason);
        lose_values(operation, mask, bytes.reason);
        return;
      }
      reading = 0;
      for_lanes(mask, [&](unsigned lane) {
        if (bytes.at(lane) != 0)
          reading |= 1u << lane;
      });
    }
    const Value &source = read(operation.source);
    if (source.unknown & reading)
      mark(source.reason);
    else if (*space != AddressSpace::Shared)
      mark(machine_.reasons.add("an asynchronous copy to memory that is not shared"));
    else if (operation.site != kNone)
      count_copy(operation, index, address, mask, source, reading);
  } else if (operation.site != kNone && (*space == AddressSpace::Shared || *space == AddressSpace::Global)) {
    count(operation, index, *space == AddressSpace::Shared ? Space::Shared : Space::Global, address, counted_lanes, 0);
  }
  // What is stored under a condition that is not known is not known behind it.
  const bool remembered = (*space == AddressSpace::Shared && shared_) || *space == AddressSpace::Local;
  if (!path.gates.empty() && remembered && operation.access.operation != Operation::Load)
    lose_values(operation, mask, machine_.symbols[path.gates.back()].reason);
  else
    move_values(operation, index, *space, object, address, mask);
}

} // namespace smem
