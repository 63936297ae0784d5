#include "smem/race.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "classes.h"
#include "race/interval.h"
#include "race/race_watch.h"

namespace smem {
namespace {

using race::Conflict;
using race::RaceWatch;
using race::WarpAccess;

bool may_be_shared(const MemoryOperation &operation) {
  return operation.space == AddressSpace::Shared || operation.space == AddressSpace::Generic;
}

std::uint64_t granule_of(const Program &program) {
  std::uint64_t granule = 4;
  for (const MemoryOperation &operation : program.memory_operations)
    if (may_be_shared(operation))
      granule = std::min<std::uint64_t>(granule, std::max(operation.access.width_bits / 8u, 1u));
  return granule;
}

class Search {
public:
  Search(Machine &machine, const RaceOptions &options, Races &races)
      : machine_(machine), options_(options), races_(races),
        checker_(machine.shared_bytes, granule_of(machine.program)),
        warps_(static_cast<std::uint32_t>((machine.launch.block.count() + kWarpSize - 1) / kWarpSize)) {}

  void run() {
    const Dim3 &grid = machine_.launch.grid;
    std::vector<Box> open{{{{0, 1, 0, grid.x}, {1, 1, 0, grid.y}, {2, 1, 0, grid.z}}}};
    while (!open.empty()) {
      const Box box = std::move(open.back());
      open.pop_back();
      Scopes scopes(box);
      const Warp::Status status = block(scopes);
      if (status == Warp::Status::Interrupted) {
        const PeriodWish wish = *scopes.wished();
        for (Box &part : split(box, wish.dimension, wish.period))
          open.push_back(std::move(part));
        continue;
      }
      if (status == Warp::Status::OutOfSteps) {
        give_up("the budget of " + std::to_string(options_.max_steps) + " steps for races is too small", {});
        break;
      }
      for (Box &rest : remainder(box, scopes.region()))
        open.push_back(std::move(rest));
    }
    conclude();
  }

private:
  void give_up(std::string why, SourceLocation location) {
    if (!unproved_)
      races_.reason = std::move(why), races_.reason_location = std::move(location);
    unproved_ = true;
    maybe_[0] = maybe_[1] = true;
  }
  void conclude() {
    for (const bool within : {false, true}) {
      RaceVerdict &verdict = within ? races_.within_warp : races_.between_warps;
      verdict = found_[within] ? RaceVerdict::Race : maybe_[within] ? RaceVerdict::Unknown : RaceVerdict::Free;
    }
    if (races_.between_warps != RaceVerdict::Unknown && races_.within_warp != RaceVerdict::Unknown) {
      races_.reason.clear();
      races_.reason_location = {};
    }
  }

  SourceLocation place(const Instruction *barrier) const {
    return barrier && barrier->index < machine_.program.places.size() ? machine_.program.places[barrier->index]
                                                                      : SourceLocation{};
  }
  bool same_place(const Instruction *a, const Instruction *b) const {
    return a == b || (place(a).known() && place(a) == place(b));
  }

  Warp::Status block(Scopes &scopes) {
    RaceWatch watch(warps_);
    machine_.race_watch = &watch;
    const Warp::Status status = execute(scopes, watch);
    machine_.race_watch = nullptr;
    return status;
  }

  Warp::Status execute(Scopes &scopes, RaceWatch &watch) {
    CellMemory shared;
    std::vector<Warp> warps;
    warps.reserve(warps_);
    for (std::uint32_t w = 0; w < warps_; ++w)
      warps.emplace_back(machine_, scopes, w, machine_.values_in_shared ? &shared : nullptr);
    checker_.begin_block();
    bool all_writes_known = true;
    std::vector<bool> finished(warps_);
    SourceLocation begin;
    for (std::uint64_t interval = 0;; ++interval) {
      watch.begin_interval();
      const Instruction *barrier = nullptr;
      for (std::uint32_t w = 0; w < warps_; ++w) {
        if (finished[w])
          continue;
        watch.begin_turn(w);
        const Warp::Status status = warps[w].run(true);
        if (status == Warp::Status::Interrupted || status == Warp::Status::OutOfSteps)
          return status;
        finished[w] = status != Warp::Status::AtBarrier;
        if (finished[w])
          continue;
        const Instruction *at = watch.warps()[w].waits_at;
        if (!watch.lost && barrier && !same_place(barrier, at)) {
          const SourceLocation here = place(at), there = place(barrier);
          give_up("warps of a block wait at different barriers" +
                      (here.known() && there.known()
                           ? ": lines " + std::to_string(there.line) + " and " + std::to_string(here.line)
                           : std::string()),
                  there);
          watch.lost = true;
        }
        barrier = barrier ? barrier : at;
      }
      check(watch, scopes, interval, begin);
      // Where accesses are lost, a write may be among them; lanes that a barrier has passed by may still write before it.
      all_writes_known &= !watch.lost && !watch.late_at && !watch.reason;
      if (all_writes_known)
        find_unwritten(watch, scopes);
      if (machine_.steps >= machine_.step_limit)
        return Warp::Status::OutOfSteps;
      if (watch.late_lanes)
        give_up("a barrier is reached by only some lanes of a warp", place(watch.late_at));
      if (watch.reason)
        give_up(machine_.reasons[watch.reason].text, machine_.reasons[watch.reason].location);
      if (watch.lost || std::all_of(finished.begin(), finished.end(), [](bool f) { return f; }))
        return Warp::Status::Finished;
      end_lanes(watch);
      begin = place(barrier);
    }
  }

  void check(RaceWatch &watch, const Scopes &scopes, std::uint64_t interval, const SourceLocation &begin) {
    const std::vector<WarpAccess> &accesses = watch.accesses();
    for (const WarpAccess &access : accesses)
      if (checker_.touches_ended(access))
        give_up("a thread that ends without coming to a barrier touches what others touch behind it" + line_of(access),
                location_of(access));
    std::vector<race::WarpOrder> orders;
    for (const RaceWatch::WarpState &warp : watch.warps())
      orders.push_back(warp.order);
    machine_.steps += checker_.check(accesses, orders, [&](const Conflict &conflict) {
      if (conflict.certain)
        add_witness(conflict, scopes, interval, begin);
      else
        leave_open(conflict, watch);
    });
  }

  /// What a thread reads may be written by others in the same interval.
  void find_unwritten(const RaceWatch &watch, const Scopes &scopes) {
    for (const WarpAccess &access : watch.accesses())
      if (access.kind != race::Kind::Read)
        checker_.write(access);
    for (const WarpAccess &access : watch.accesses()) {
      if (access.kind != race::Kind::Read || !access.certain || access.anywhere)
        continue;
      const auto found = checker_.reads_unwritten(access);
      if (!found || !unwritten_.insert(access.operation).second)
        continue;
      UnwrittenRead read;
      read.access = racing(access, found->first);
      read.block = block_of(scopes);
      read.byte = found->second;
      find_array(read.byte, read.array, read.array_byte);
      races_.unwritten.push_back(std::move(read));
    }
  }

  /// Threads that ended in the interval passed no barrier after it.
  void end_lanes(RaceWatch &watch) {
    for (const WarpAccess &access : watch.accesses())
      if (const LaneMask ended = watch.warps()[access.warp].ended)
        checker_.end_lanes(access, ended);
  }

  void leave_open(const Conflict &conflict, const RaceWatch &watch) {
    if (std::exchange(maybe_[conflict.within_warp], true) || unproved_ || !races_.reason.empty())
      return;
    if (watch.undecided) {
      races_.reason = machine_.reasons[watch.undecided].text;
      races_.reason_location = machine_.reasons[watch.undecided].location;
      return;
    }
    const bool of_barriers = conflict.within_warp && conflict.first->certain && conflict.second->certain;
    races_.reason = (of_barriers ? "barriers of some lanes of a warp may order accesses"
                                 : "it is not certain that both accesses are made, one of them") +
                    line_of(*conflict.second);
    races_.reason_location = location_of(*conflict.second);
  }

  void add_witness(const Conflict &conflict, const Scopes &scopes, std::uint64_t interval,
                   const SourceLocation &begin) {
    found_[conflict.within_warp] = true;
    if (races_.witnesses.size() >= options_.most_witnesses ||
        std::exchange(known_[{conflict.first->operation, conflict.second->operation, conflict.within_warp}], true))
      return;
    RaceWitness witness;
    witness.within_warp = conflict.within_warp;
    witness.first = racing(*conflict.first, conflict.first_lane);
    witness.second = racing(*conflict.second, conflict.second_lane);
    witness.block = block_of(scopes);
    witness.byte = conflict.byte;
    witness.interval = interval;
    witness.interval_begin = begin;
    find_array(witness.byte, witness.array, witness.array_byte);
    races_.witnesses.push_back(std::move(witness));
  }

  static Dim3 block_of(const Scopes &scopes) {
    return {static_cast<std::uint32_t>(scopes.box().corner(0)), static_cast<std::uint32_t>(scopes.box().corner(1)),
            static_cast<std::uint32_t>(scopes.box().corner(2))};
  }

  void find_array(std::uint64_t byte, std::string &array, std::uint64_t &array_byte) const {
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

  RacingAccess racing(const WarpAccess &access, unsigned lane) const {
    const Dim3 &block = machine_.launch.block;
    const std::uint64_t thread = std::uint64_t{access.warp} * kWarpSize + lane;
    return {access.operation,
            location_of(access),
            expression_of(access),
            {static_cast<std::uint32_t>(thread % block.x), static_cast<std::uint32_t>(thread / block.x % block.y),
             static_cast<std::uint32_t>(thread / block.x / block.y)},
            access.kind != race::Kind::Read,
            access.kind == race::Kind::Atomic};
  }
  SourceLocation location_of(const WarpAccess &access) const {
    const SiteId site = machine_.program.memory_operations[access.operation].site;
    return site == kNone ? SourceLocation{} : machine_.program.sites[site].location;
  }
  std::string expression_of(const WarpAccess &access) const {
    const SiteId site = machine_.program.memory_operations[access.operation].site;
    return site == kNone ? std::string() : machine_.program.sites[site].expression;
  }
  std::string line_of(const WarpAccess &access) const {
    const SourceLocation location = location_of(access);
    return location.known() ? " at line " + std::to_string(location.line) : "";
  }

  Machine &machine_;
  const RaceOptions &options_;
  Races &races_;
  race::IntervalChecker checker_;
  std::uint32_t warps_;
  bool unproved_ = false;              ///< nothing is proved any more
  bool found_[2] = {}, maybe_[2] = {}; ///< by whether it is within a warp
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, bool> known_;
  std::set<std::uint32_t> unwritten_; ///< instructions that read what is not written
};

} // namespace

std::string_view to_string(RaceVerdict verdict) {
  switch (verdict) {
  case RaceVerdict::Free: return "free";
  case RaceVerdict::Race: return "race";
  case RaceVerdict::Unknown: break;
  }
  return "unknown";
}

Races Races::unknown(std::string why, SourceLocation location) {
  Races races;
  races.reason = std::move(why);
  races.reason_location = std::move(location);
  return races;
}

RaceVerdict Races::verdict() const {
  if (between_warps == RaceVerdict::Race || within_warp == RaceVerdict::Race)
    return RaceVerdict::Race;
  return between_warps == RaceVerdict::Unknown ? between_warps : within_warp;
}

Races find_races(const Program &program, const Launch &launch, const Architecture &architecture,
                 const RaceOptions &options) {
  if (program.shared_used_elsewhere)
    return Races::unknown("shared memory is also accessed by bulk copies, wgmma or other blocks of the cluster");
  if (program.split_barriers || waits_in_part(program, launch))
    return Races::unknown("warps wait for each other by other means than barriers of the whole block");
  for (const Site &site : program.sites)
    if (!site.not_lowered.empty())
      return Races::unknown(site.not_lowered + " is not followed", site.location);
  SimulationOptions simulation;
  simulation.classes = false; // every iteration
  simulation.max_steps = options.max_steps;
  simulation.stop = options.stop;
  Machine machine(program, launch, architecture, simulation);
  const std::vector<Problem> problems = check_launch(machine);
  const auto wrong = std::find_if(problems.begin(), problems.end(), fatal);
  if (wrong != problems.end())
    return Races::unknown(wrong->message);
  Races races;
  if (std::none_of(program.memory_operations.begin(), program.memory_operations.end(), may_be_shared)) {
    races.between_warps = races.within_warp = RaceVerdict::Free;
    return races;
  }
  Search(machine, options, races).run();
  races.steps = machine.steps;
  return races;
}

} // namespace smem
