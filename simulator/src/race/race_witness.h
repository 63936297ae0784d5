// What a reader is told of accesses that race: the instructions, the threads, the array.
#pragma once

#include <string>
#include <vector>

#include "machine.h"
#include "race/grid.h"
#include "race/interval.h"
#include "race/memories.h"
#include "smem/race.h"

namespace smem::race {

/// The index of the block that the scopes' box begins with.
Dim3 block_of(const Scopes &scopes);

/// " at line 7"; nothing where the line is not known.
std::string line_of(const SourceLocation &location);

/// Describes accesses of one search, of shared memory or of global memory.
class WitnessWriter {
public:
  WitnessWriter(const Machine &machine, const GlobalAccesses &global, RaceMemory memory)
      : machine_(machine), global_(global), is_global_(memory == RaceMemory::Global) {}

  /// Two accesses of one block.
  RaceWitness within_block(const Conflict &conflict, const Dim3 &block) const;
  RaceWitness between_blocks(const BlockConflict &conflict) const;
  /// A lane reads a byte of shared memory that nothing has written.
  UnwrittenRead unwritten(const WarpAccess &access, unsigned lane, std::uint64_t byte, const Dim3 &block) const;

  SourceLocation location_of(std::uint32_t operation) const;
  /// The first operation of those that one statement does alike: the pieces of a copy of a structure, say.
  std::uint32_t statement_of(std::uint32_t operation);

private:
  RacingAccess racing(const WarpAccess &access, unsigned lane) const;
  RacingAccess racing(std::uint32_t operation, std::uint32_t warp, unsigned lane, Kind kind) const;
  /// The pointer or variable, where nothing else that is not known is added to it.
  void name_object(std::uint32_t index, RaceWitness &witness) const;
  /// The array of shared memory that the byte is in, and the byte in it.
  void find_array(std::uint64_t byte, std::string &array, std::uint64_t &array_byte) const;

  const Machine &machine_;
  const GlobalAccesses &global_;
  bool is_global_;
  std::vector<std::uint32_t> statements_; ///< statement_of(), by operation; kNone: not asked for yet
};

} // namespace smem::race
