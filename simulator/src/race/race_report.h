// What a search has found so far, and what that lets it say of a launch: the verdicts, their reasons, the witnesses.
#pragma once

#include <array>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "race/race_watch.h"
#include "race/race_witness.h"

namespace smem::race {

/// An interval of a block: what lies between two of its barriers.
struct IntervalPlace {
  std::uint64_t number = 0;
  SourceLocation begin, end; ///< the barriers
};

/// Fills Races. Everything that is not reported to it races with nothing.
class RaceReport {
public:
  RaceReport(const Machine &machine, const RaceOptions &options, const GlobalAccesses &global, Races &races)
      : machine_(machine), options_(options), races_(races), writer_(machine, global, options.memory) {}

  /// Two accesses of one block that nothing orders.
  void add(const Conflict &conflict, const RaceWatch &watch, const Dim3 &block, const IntervalPlace &interval);
  /// What lanes touch that copies of their own touch.
  void add_own_copies(const RaceWatch &watch, const Dim3 &block, const IntervalPlace &interval);
  void add(const BlockConflict &conflict);
  /// Reads of what nothing has written; each instruction is reported once.
  void add_unwritten(const WarpAccess &access, unsigned lane, std::uint64_t byte, const Dim3 &block);

  /// Nothing is proved any more; the first reason is kept.
  void give_up(std::string why, SourceLocation location);
  void give_up(std::uint32_t reason) { give_up(machine_.reasons[reason].text, machine_.reasons[reason].location); }
  void give_up_at_limit();
  /// The access leaves open whether there is a race. `why` is followed by its line.
  void give_up(const std::string &why, const WarpAccess &access);
  /// The barrier's threads do not come to it as they should. `certain`: nothing that is not known decides that.
  void bad_barrier(const std::string &why, const SourceLocation &barrier, bool certain);
  /// Threads that are executed may leave arrays, or hang.
  void executes_wrongly() { broken_ = true; }
  /// Of shuffles and the like, which order nothing, and __syncwarp().
  void check_members(const RaceWatch &watch);
  /// Threads have ended, or have not come to this barrier, which others pass.
  void add_excusing(const SourceLocation &barrier);
  /// What a block's execution says beside its accesses.
  void end_block(const RaceWatch &watch, bool conditional_barriers);

  /// Something is open, and no race has been found.
  bool only_open_so_far() const { return unproved_ && races_.witnesses.empty(); }
  bool unproved() const { return unproved_; }
  /// Nothing that is still to come makes it free, and the caller asks for nothing else.
  bool ends_early() const {
    return (options_.until_not_free && (unproved_ || !races_.witnesses.empty() || !races_.same_value.empty())) ||
           (options_.enough && !is_global() && options_.enough(races_));
  }
  /// What was open is proved in another way.
  void proved_free();
  /// The verdicts. Nothing is added afterwards.
  void conclude();

private:
  /// Between which threads.
  enum Between : std::uint8_t { Warps, Lanes, Blocks };

  bool is_global() const { return options_.memory == RaceMemory::Global; }
  void add_barrier(const std::string &why, const SourceLocation &barrier);
  /// An assumed value decides where one of them is: other values may keep them apart.
  bool is_address_assumed(std::uint32_t first, std::uint32_t second) const;
  void leave_open(const Conflict &conflict, const RaceWatch &watch);
  bool is_new(const std::vector<RaceWitness> &list, std::uint32_t first, std::uint32_t second, Between between);
  void add_witness(std::vector<RaceWitness> &list, const Conflict &conflict, const Dim3 &block,
                   const IntervalPlace &interval);
  SourceLocation place(const Instruction *instruction) const;

  const Machine &machine_;
  const RaceOptions &options_;
  Races &races_;
  WitnessWriter writer_;
  bool broken_ = false;                   ///< what is executed may leave arrays, or hang
  bool unproved_ = false;                 ///< nothing is proved any more
  std::array<bool, 3> found_{}, maybe_{}; ///< by Between
  std::set<std::tuple<bool, std::uint32_t, std::uint32_t, Between>> known_;
  std::set<std::uint32_t> unwritten_; ///< instructions that read what is not written
};

} // namespace smem::race
