// What a Program alone says of how warps run it, whatever the launch.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "arithmetic.h"
#include "conditional_operations.h"
#include "smem/control_flow.h"
#include "register_places.h"
#include "smem/simulate.h"
#include "tickets.h"

namespace smem {

struct ProgramFacts {
  const Program &program;
  ControlFlow flow;
  RegisterPlaces places;
  ConditionalOperations operations;
  std::vector<std::vector<RegisterId>> carried; ///< by loop: Loop::defined, those that have a place of their own
  /// By site: accesses one place in every iteration of a loop, which a compiler may do just once in a few.
  std::vector<bool> repeats_place;
  /// By loop: its sites, if it contains no other loop. A compiler may unroll such a loop.
  std::vector<std::vector<SiteId>> innermost_sites;
  std::vector<bool> settled; ///< by loop: how it is unrolled is known
  std::vector<std::uint32_t>
      guarded_loop; ///< by block: the loop that one of its ways out leads into and another does not, if that loop is not settled
  /// By loop: lies in a loop without a barrier, so that lanes that leave it later may meet the others only behind that one.
  std::vector<bool> meets_late;
  std::vector<bool> has_barrier;              ///< by loop: one of the block
  std::vector<ConditionUse> use_of_condition; ///< by register
  /// By the result of a vote, match or reduction whose members the program computes: the sites that no barrier of the block parts from it.
  std::unordered_map<RegisterId, std::vector<SiteId>> beside_group;
  std::vector<Ticket> tickets;

  explicit ProgramFacts(const Program &program);

private:
  void find_nested_loops();
  void find_guarded_loops();
  void find_repeated_places();
  void find_uses_of_conditions();
  void find_sites_beside_groups();
};

} // namespace smem
