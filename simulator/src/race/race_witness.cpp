#include "race/race_witness.h"

#include <tuple>

namespace smem::race {

Dim3 block_of(const Scopes &scopes) {
  return {static_cast<std::uint32_t>(scopes.box().corner(0)), static_cast<std::uint32_t>(scopes.box().corner(1)),
          static_cast<std::uint32_t>(scopes.box().corner(2))};
}

std::string line_of(const SourceLocation &location) {
  return location.known() ? " at line " + std::to_string(location.line) : "";
}

RaceWitness WitnessWriter::within_block(const Conflict &conflict, const Dim3 &block) const {
  RaceWitness witness;
  witness.within_warp = conflict.within_warp;
  witness.first = racing(*conflict.first, conflict.first_lane);
  witness.second = racing(*conflict.second, conflict.second_lane);
  witness.block = witness.second_block = block;
  witness.byte = conflict.byte;
  if (is_global_) {
    witness.byte -= kGlobalOrigin;
    name_object(conflict.first->memory, witness);
  } else {
    find_array(witness.byte, witness.array, witness.array_byte);
  }
  return witness;
}

RaceWitness WitnessWriter::between_blocks(const BlockConflict &conflict) const {
  RaceWitness witness;
  witness.between_blocks = true;
  witness.first = racing(conflict.first.operation, conflict.first.warp, conflict.first.lane, conflict.first_kind);
  witness.second = racing(conflict.second.operation, conflict.second.warp, conflict.second.lane, conflict.second_kind);
  const auto dim = [](const std::array<std::int64_t, 3> &at) {
    return Dim3{static_cast<std::uint32_t>(at[0]), static_cast<std::uint32_t>(at[1]),
                static_cast<std::uint32_t>(at[2])};
  };
  witness.block = dim(conflict.first_block);
  witness.second_block = dim(conflict.second_block);
  witness.byte = static_cast<std::uint64_t>(conflict.byte);
  name_object(conflict.memory, witness);
  return witness;
}

UnwrittenRead WitnessWriter::unwritten(const WarpAccess &access, unsigned lane, std::uint64_t byte,
                                       const Dim3 &block) const {
  UnwrittenRead read;
  read.access = racing(access, lane);
  read.block = block;
  read.byte = byte;
  find_array(read.byte, read.array, read.array_byte);
  return read;
}

SourceLocation WitnessWriter::location_of(std::uint32_t operation) const {
  const SiteId site = machine_.program.memory_operations[operation].site;
  return site == kNone ? SourceLocation{} : machine_.program.sites[site].location;
}

std::uint32_t WitnessWriter::statement_of(std::uint32_t operation) {
  const std::vector<MemoryOperation> &all = machine_.program.memory_operations;
  statements_.resize(all.size(), kNone);
  std::uint32_t &known = statements_[operation];
  if (known != kNone)
    return known;
  const auto place = [&](const MemoryOperation &each) {
    const Site &site = machine_.program.sites[each.site];
    return std::tie(site.location, site.inlined_at);
  };
  known = operation;
  for (std::uint32_t i = 0; i < operation && known == operation && all[operation].site != kNone; ++i)
    if (all[i].site != kNone && all[i].access.operation == all[operation].access.operation &&
        place(all[i]) == place(all[operation]))
      known = i;
  return known;
}

RacingAccess WitnessWriter::racing(const WarpAccess &access, unsigned lane) const {
  RacingAccess racing = this->racing(access.operation, access.warp, lane, access.kind);
  racing.asynchronous = access.asynchronous;
  if (!is_global_) {
    racing.request = {access.address, access.active};
    racing.request_bytes = static_cast<std::uint32_t>(access.bytes);
  }
  return racing;
}

RacingAccess WitnessWriter::racing(std::uint32_t operation, std::uint32_t warp, unsigned lane, Kind kind) const {
  const Dim3 &block = machine_.launch.block;
  const std::uint64_t thread = std::uint64_t{warp} * kWarpSize + lane;
  const SiteId site = machine_.program.memory_operations[operation].site;
  RacingAccess racing;
  racing.operation = operation;
  racing.location = location_of(operation);
  if (site != kNone) {
    const Site &named = machine_.program.sites[site];
    racing.expression = named.expression;
    if (!named.inlined_at.empty())
      racing.call = named.inlined_at.front().call;
  }
  racing.thread = {static_cast<std::uint32_t>(thread % block.x), static_cast<std::uint32_t>(thread / block.x % block.y),
                   static_cast<std::uint32_t>(thread / block.x / block.y)};
  racing.lane = lane;
  racing.writes = kind != Kind::Read;
  racing.atomic = kind == Kind::Atomic;
  return racing;
}

void WitnessWriter::name_object(std::uint32_t index, RaceWitness &witness) const {
  const Memory &memory = global_.memories[index];
  if (!memory.symbols.empty())
    return;
  witness.array_byte = witness.byte;
  for (const auto &[place, symbol] : machine_.argument_symbols)
    if (symbol == memory.object && place.first < machine_.program.parameters.size()) {
      const Parameter &parameter = machine_.program.parameters[place.first];
      witness.array = parameter.name;
      for (const ParameterMember &member : parameter.members)
        if (member.offset == static_cast<std::uint64_t>(place.second))
          witness.array = member.name;
    }
  for (const auto &[object, symbol] : machine_.global_symbols)
    if (symbol == memory.object)
      witness.array = machine_.program.global_objects[object].name;
}

void WitnessWriter::find_array(std::uint64_t byte, std::string &array, std::uint64_t &array_byte) const {
  const std::vector<SharedArray> &arrays = machine_.program.shared_arrays;
  for (std::uint32_t i = 0; i < arrays.size(); ++i) {
    const std::uint64_t begin = arrays[i].dynamic ? machine_.layout.dynamic_offset : machine_.layout.offset[i];
    const std::uint64_t end = arrays[i].dynamic ? machine_.shared_bytes : begin + arrays[i].size;
    if (byte < begin || byte >= end)
      continue;
    if (!array.empty()) { // several dynamic ones lie over each other
      array.clear();
      array_byte = 0;
      return;
    }
    array = arrays[i].name;
    array_byte = byte - begin;
  }
}

} // namespace smem::race
