// What all warps of one simulation share.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arithmetic.h"
#include "cell_memory.h"
#include "data_dependence.h"
#include "program_facts.h"
#include "smem/shared_layout.h"
#include "smem/simulate.h"

namespace smem {

class SectorWatch;
struct BaseOrigin;
namespace race {
class AssumedValues;
class Choices;
class LoadedNumbers;
class RaceWatch;
struct WarpAccess;
using StoredByLane = std::array<std::uint32_t, kWarpSize>;
using TakenEdges = std::vector<std::pair<std::uint64_t, BlockId>>;
} // namespace race

/// Whether warps wait for each other otherwise than at barriers of the whole block.
bool waits_in_part(const Program &program, const Launch &launch);

struct Machine {
  const Program &program;
  const Launch &launch;
  const Architecture &architecture;
  const SimulationOptions &options;
  std::shared_ptr<const ProgramFacts> facts;
  const decltype(ProgramFacts::flow) &flow = facts->flow;
  const decltype(ProgramFacts::places) &places = facts->places;
  const decltype(ProgramFacts::carried) &carried = facts->carried;
  const std::vector<bool> &conditional = facts->operations.conditional;
  const std::vector<bool> &behind_exit = facts->operations.behind_exit;
  const decltype(ProgramFacts::repeats_place) &repeats_place = facts->repeats_place;
  const decltype(ProgramFacts::innermost_sites) &innermost_sites = facts->innermost_sites;
  const decltype(ProgramFacts::settled) &settled = facts->settled;
  const decltype(ProgramFacts::guarded_loop) &guarded_loop = facts->guarded_loop;
  const decltype(ProgramFacts::meets_late) &meets_late = facts->meets_late;
  const decltype(ProgramFacts::has_barrier) &has_barrier = facts->has_barrier;
  const decltype(ProgramFacts::use_of_condition) &use_of_condition = facts->use_of_condition;
  const decltype(ProgramFacts::beside_group) &beside_group = facts->beside_group;
  SharedLayout layout;
  std::uint64_t shared_bytes = 0;    ///< static and dynamic
  std::vector<bool> guards_barrier;  ///< by block: one lies on a way from its branch to where all ways meet again
  std::vector<bool> decides_barrier; ///< by register: such a branch's condition may be made of it
  std::unordered_map<BlockId, std::vector<SiteId>> reached_from; ///< sites_from(), as far as it was asked for
  /// Axes along which nobody knows the extent of the grid; the launch's is the largest that is allowed.
  std::array<bool, 3> open_grid{};
  std::vector<Ticket> tickets;
  bool values_in_shared = false; ///< some address depends on what was stored in shared memory
  Symbols symbols;
  Reasons reasons;
  std::vector<Assumption> assumptions;     ///< those that counts rest on so far
  std::vector<std::uint32_t> load_reasons; ///< by operation: why what it loads is not known; 0: not needed yet
  DataCosts data_costs;
  DimensionId shared_window = 0; ///< the symbol that is the base of the shared window in generic addresses
  DimensionId other_block =
      0; ///< the symbol that leads from the block's shared memory to that of another block of the cluster
  std::map<std::pair<std::uint32_t, std::int64_t>, DimensionId> argument_symbols;
  std::array<DimensionId, 3> grid_symbols{};
  std::map<std::uint32_t, DimensionId> local_symbols, global_symbols;
  FloatingReach floating;
  SectorWatch *sector_watch = nullptr;    ///< where the bytes of sectors are counted, and nothing else
  race::RaceWatch *race_watch = nullptr;  ///< where races are looked for, and nothing else
  race::AssumedValues *assumed = nullptr; ///< where values are made up for it
  race::LoadedNumbers *loaded =
      nullptr; ///< where it asks which stores leave the same; null: none is made of what is loaded
  std::uint64_t branches_not_known = 0; ///< that warps have come to; counted for the race watch
  race::Choices *choices = nullptr;     ///< where one block stands for those of all launches
  std::uint64_t steps = 0;
  std::uint64_t step_limit;
  bool hopeless = false;          ///< the steps left would not suffice
  std::uint64_t least_budget = 0; ///< `hopeless`: so many are estimated to be needed; 0: not known
  std::uint64_t events = 0;       ///< held at present: what one execution emits is kept until it ends

  bool open(OpenChoice choice) const { return !program.open[index_of(choice)].empty(); }
  /// The place of an assumption in `assumptions`.
  std::uint32_t assume(const Assumption &assumption);
  std::uint32_t assume(OpenChoice choice) { return assume(program.open[index_of(choice)]); }

  void find_guarded_barriers();
  void find_deciding_registers();
  /// The sites of a block and of those that can come after it.
  const std::vector<SiteId> &sites_from(BlockId block);

  Machine(const Program &program, const Launch &launch, const Architecture &architecture,
          const SimulationOptions &options);

  /// Of time, or of memory: events are some hundred bytes each.
  bool out_of_steps() const {
    return hopeless || steps >= step_limit || events >= std::max<std::uint64_t>(options.max_steps / 100, 300'000) ||
           options.stop.stop_requested();
  }
  Value argument(const Instruction &instruction, LaneMask mask, Arithmetic &arithmetic);
  /// The number of one of the program's reasons; past its end: that of an operation that is not modelled.
  std::uint32_t program_reason(std::uint32_t index);
  std::vector<std::uint32_t> program_reasons; ///< those that were asked for; 0: not yet
  DimensionId grid_symbol(unsigned axis);
  DimensionId local_symbol(std::uint32_t object);
  DimensionId global_symbol(std::uint32_t object);
  /// Symbols, and how often each is in an address; none: it is a number.
  using Base = std::vector<std::pair<DimensionId, std::int64_t>>;
  std::map<Base, std::uint32_t> bases;
  /// A number for what addresses are relative to, from 1; 0 where that is not the same in the whole launch.
  std::uint32_t base_number(const Base &base);
  /// Which memory the base of this number leads into.
  BaseOrigin origin_of(std::uint32_t number) const;
};

} // namespace smem
