#include "race/race_report.h"

#include <algorithm>

#include "race/assumed_values.h"
#include "race/block_run.h"

namespace smem::race {

void RaceReport::add(const Conflict &conflict, const RaceWatch &watch, const Dim3 &block,
                     const IntervalPlace &interval) {
  if (conflict.alike)
    add_witness(races_.same_value, conflict, block, interval);
  else if (conflict.certain)
    add_witness(races_.witnesses, conflict, block, interval);
  else
    leave_open(conflict, watch);
}

void RaceReport::add_own_copies(const RaceWatch &watch, const Dim3 &block, const IntervalPlace &interval) {
  for (const RaceWatch::OwnCopy &own : watch.own_copies()) {
    const bool certain = own.copy.certain && own.access.certain && !own.access.anywhere && !watch.blurred;
    add(Conflict{&own.copy, &own.access, own.lane, own.lane, own.byte, true, certain, false}, watch, block, interval);
  }
}

void RaceReport::add(const BlockConflict &conflict) {
  if ((!conflict.certain && !conflict.alike) ||
      is_address_assumed(conflict.first.operation, conflict.second.operation)) {
    if (!std::exchange(maybe_[Blocks], true) && !unproved_ && races_.reason.empty()) {
      const SourceLocation location = writer_.location_of(conflict.second.operation);
      races_.reason = "whether two blocks touch the same bytes" + line_of(location) +
                      " depends on a branch or on an order that is not known";
      races_.reason_location = location;
    }
    return;
  }
  std::vector<RaceWitness> &list = conflict.alike ? races_.same_value : races_.witnesses;
  if (!conflict.alike)
    found_[Blocks] = true;
  if (is_new(list, conflict.first.operation, conflict.second.operation, Blocks))
    list.push_back(writer_.between_blocks(conflict));
}

void RaceReport::add_unwritten(const WarpAccess &access, unsigned lane, std::uint64_t byte, const Dim3 &block) {
  if (unwritten_.insert(access.operation).second)
    races_.unwritten.push_back(writer_.unwritten(access, lane, byte, block));
}

void RaceReport::give_up(std::string why, SourceLocation location) {
  if (!unproved_)
    races_.reason = std::move(why), races_.reason_location = std::move(location);
  unproved_ = true;
  maybe_.fill(true);
}

void RaceReport::give_up(const std::string &why, const WarpAccess &access) {
  const SourceLocation location = writer_.location_of(access.operation);
  give_up(why + line_of(location), location);
}

void RaceReport::give_up_at_limit() {
  give_up("the budget of " + std::to_string(options_.max_steps) + " steps for races is too small", SourceLocation{});
}

void RaceReport::bad_barrier(const std::string &why, const SourceLocation &barrier, bool certain) {
  give_up(why, barrier);
  broken_ = true;
  if (certain)
    add_barrier(why, barrier);
}

void RaceReport::check_members(const RaceWatch &watch) {
  if (watch.masks_open)
    races_.leave_barriers_open(
        "which lanes of a warp come to an exchange or a __syncwarp(), or its mask names, is not known");
  for (const Instruction *at : watch.left_alone)
    add_barrier("its mask names lanes of the warp that do not come to it", place(at));
  for (const Instruction *at : watch.strangers)
    add_barrier("its mask does not name all lanes that execute it", place(at));
}

void RaceReport::add_barrier(const std::string &why, const SourceLocation &barrier) {
  if (std::ranges::find(races_.barriers, barrier, &Problem::location) != races_.barriers.end())
    return;
  Problem problem;
  problem.kind = Problem::Kind::DivergentBarrier;
  problem.message = why;
  problem.location = barrier;
  races_.barriers.push_back(std::move(problem));
}

void RaceReport::add_excusing(const SourceLocation &barrier) {
  if (std::ranges::find(races_.excusing, barrier) == races_.excusing.end())
    races_.excusing.push_back(barrier);
}

void RaceReport::end_block(const RaceWatch &watch, bool conditional_barriers) {
  races_.leaves_arrays |= watch.leaves_arrays;
  for (const auto &[site, problem] : watch.outside)
    if (std::ranges::find(races_.outside, problem.site, &Problem::site) == races_.outside.end())
      races_.outside.push_back(problem);
  if (watch.undecided && conditional_barriers)
    races_.leave_barriers_open(machine_.reasons[watch.undecided].text);
}

void RaceReport::proved_free() {
  unproved_ = false;
  maybe_.fill(false);
}

void RaceReport::conclude() {
  if (broken_) // some go on
    races_.excusing.clear();
  if (machine_.assumed && broken_) { // no launch has these values
    found_.fill(false);
    maybe_.fill(true);
    races_.witnesses.clear();
  }
  const std::array<RaceVerdict *, 3> verdicts{&races_.between_warps, &races_.within_warp, &races_.between_blocks};
  bool unknown = false;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const bool apart = i == Blocks && !is_global(); // blocks share no shared memory
    *verdicts[i] = found_[i] ? RaceVerdict::Race : maybe_[i] && !apart ? RaceVerdict::Unknown : RaceVerdict::Free;
    unknown |= *verdicts[i] == RaceVerdict::Unknown;
  }
  if (!unknown) {
    races_.reason.clear();
    races_.reason_location = {};
  }
}

bool RaceReport::is_address_assumed(std::uint32_t first, std::uint32_t second) const {
  return machine_.assumed && (machine_.assumed->in_address(first) || machine_.assumed->in_address(second));
}

void RaceReport::leave_open(const Conflict &conflict, const RaceWatch &watch) {
  if (std::exchange(maybe_[conflict.within_warp ? Lanes : Warps], true) || unproved_ || !races_.reason.empty())
    return;
  if (watch.undecided) {
    races_.reason = machine_.reasons[watch.undecided].text;
    races_.reason_location = machine_.reasons[watch.undecided].location;
    return;
  }
  const bool of_barriers = conflict.within_warp && conflict.first->certain && conflict.second->certain;
  races_.reason_location = writer_.location_of(conflict.second->operation);
  races_.reason = (of_barriers ? "barriers of some lanes of a warp may order accesses"
                               : "it is not certain that both accesses are made, one of them") +
                  line_of(races_.reason_location);
}

bool RaceReport::is_new(const std::vector<RaceWitness> &list, std::uint32_t first, std::uint32_t second,
                        Between between) {
  return list.size() < options_.most_witnesses &&
         known_
             .insert({&list == &races_.same_value, writer_.statement_of(first), writer_.statement_of(second), between})
             .second;
}

void RaceReport::add_witness(std::vector<RaceWitness> &list, const Conflict &conflict, const Dim3 &block,
                             const IntervalPlace &interval) {
  const Between between = conflict.within_warp ? Lanes : Warps;
  if (is_address_assumed(conflict.first->operation, conflict.second->operation)) {
    maybe_[between] = true;
    return;
  }
  if (&list == &races_.witnesses) {
    found_[between] = true;
    if (machine_.assumed)
      for (const WarpAccess *access : {conflict.first, conflict.second})
        machine_.assumed->decide_place(access->operation);
  }
  if (!is_new(list, conflict.first->operation, conflict.second->operation, between))
    return;
  RaceWitness witness = writer_.within_block(conflict, block);
  witness.interval = interval.number;
  witness.interval_begin = interval.begin;
  witness.interval_end = interval.end;
  list.push_back(std::move(witness));
}

SourceLocation RaceReport::place(const Instruction *instruction) const {
  return place_of(machine_.program, instruction);
}

} // namespace smem::race
