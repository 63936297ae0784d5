// What all warps of one simulation share.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arithmetic.h"
#include "cell_memory.h"
#include "cfg.h"
#include "data_dependence.h"
#include "register_places.h"
#include "smem/shared_layout.h"
#include "smem/simulate.h"
#include "tickets.h"

namespace smem {

class SectorWatch;
struct BaseOrigin;
namespace race {
class AssumedValues;
class Choices;
class RaceWatch;
struct WarpAccess;
using StoredByLane = std::array<std::uint32_t, kWarpSize>;
using Ways = std::vector<std::pair<std::uint64_t, BlockId>>;
} // namespace race

/// Whether warps wait for each other otherwise than at barriers of the whole block.
bool waits_in_part(const Program &program, const Launch &launch);

struct Machine {
  const Program &program;
  const Launch &launch;
  const Architecture &architecture;
  const SimulationOptions &options;
  ControlFlow flow;
  RegisterPlaces places;
  std::vector<std::vector<RegisterId>> carried; ///< by loop: Loop::defined, those that have a place of their own
  SharedLayout layout;
  std::uint64_t shared_bytes = 0; ///< static and dynamic
  std::vector<bool> conditional;  ///< by memory operation: not every iteration (or launch) of its loop reaches it
  std::vector<bool>
      behind_exit; ///< by memory operation: it would be conditional, but what does not reach it ends the kernel there
  /// By site: accesses one place in every iteration of a loop, which a compiler may do just once in a few.
  std::vector<bool> repeats_place;
  /// By loop: its sites, if it contains no other loop. A compiler may unroll such a loop.
  std::vector<std::vector<SiteId>> innermost_sites;
  std::vector<bool> settled; ///< by loop: how it is unrolled is known
  std::vector<std::uint32_t>
      guarded_loop; ///< by block: the loop that one of its ways out leads into and another does not, if that loop is not settled
  /// By loop: lies in a loop without a barrier, so that lanes that leave it later may meet the others only behind that one.
  std::vector<bool> meets_late;
  std::vector<bool> has_barrier;    ///< by loop: one of the block
  std::vector<bool> guards_barrier; ///< by block: one lies on a way from its branch to where all ways meet again
  std::vector<ConditionUse> use_of_condition; ///< by register
  /// By the result of a vote, match or reduction whose members the program computes: the sites that no barrier of the block parts from it.
  std::unordered_map<RegisterId, std::vector<SiteId>> beside_group;
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
  std::uint64_t branches_not_known = 0;   ///< that warps have come to; counted for the race watch
  race::Choices *choices = nullptr;       ///< where one block stands for those of all launches
  std::uint64_t steps = 0;
  std::uint64_t step_limit;
  bool hopeless = false;          ///< the steps left would not suffice
  std::uint64_t least_budget = 0; ///< `hopeless`: so many are estimated to be needed; 0: not known
  std::uint64_t events = 0;       ///< held at present: what one execution emits is kept until it ends

  bool open(OpenChoice choice) const { return !program.open[index_of(choice)].empty(); }
  /// The place of an assumption in `assumptions`.
  std::uint32_t supposed(const Assumption &assumption);
  std::uint32_t supposed(OpenChoice choice) { return supposed(program.open[index_of(choice)]); }

  void find_conditional_operations();
  bool is_behind_exit(BlockId start, BlockId block) const;
  void find_nested_loops();
  void find_guarded_barriers();
  void find_guarded_loops();
  void find_repeated_places();
  void find_uses_of_conditions();
  void find_sites_beside_groups();
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
