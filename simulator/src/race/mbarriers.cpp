#include "race/mbarriers.h"

#include <algorithm>
#include <bit>

#include "value.h"

namespace smem::race {
namespace {

constexpr std::uint64_t kMostArrivals = (1U << 20) - 1;

} // namespace

bool Mbarriers::knows(const Clock &clock, const Visit &visit, LaneMask lanes) const {
  bool all = true;
  for_lanes(visit.lanes & lanes, [&](unsigned lane) { all &= clock.lanes[visit.warp][lane] >= visit.time; });
  return all;
}

void Mbarriers::visit(Barrier &barrier, const MbarrierCaller &caller, std::uint32_t phase) {
  barrier.visits.push_back({caller.warp, caller.lanes, clocks_.time(caller.warp), phase});
}

Fault Mbarriers::init(const MbarrierCaller &caller, std::uint64_t count) {
  if (!count || count > kMostArrivals)
    return {"an mbarrier is initialised to expect " + std::to_string(count) + " arrivals"};
  const Visit begin{caller.warp, caller.lanes, clocks_.time(caller.warp), 0};
  if (const auto known = at_.find(caller.address); known != at_.end()) {
    Barrier &before = barriers_[known->second];
    if (!before.valid || before.used || before.count != count)
      return {"an mbarrier is initialised again: whether all threads see that is not followed"};
    before.begins.push_back(begin); // it is the same whoever is the last
    return {};
  }
  Barrier barrier;
  barrier.address = caller.address;
  barrier.count = barrier.pending = count;
  barrier.told = clocks_.none();
  barrier.complete = clocks_.none();
  barrier.begins.push_back(begin);
  at_[caller.address] = static_cast<std::uint32_t>(barriers_.size());
  barriers_.push_back(std::move(barrier));
  return {};
}

Fault Mbarriers::find(const MbarrierCaller &caller, Barrier *&barrier) {
  const auto known = at_.find(caller.address);
  if (known == at_.end() || !barriers_[known->second].valid)
    return {"a thread may come to an mbarrier that is not initialised"};
  barrier = &barriers_[known->second];
  Fault fault;
  for_lanes(caller.lanes, [&](unsigned lane) {
    const Clock &clock = clocks_.of(caller.warp, lane);
    for (const Visit &begin : barrier->begins)
      if (!knows(clock, begin, begin.warp == caller.warp ? ~(LaneMask{1} << lane) : kFullMask))
        fault = {"a thread may come to an mbarrier before it is initialised"};
  });
  return fault;
}

Fault Mbarriers::find_in_phase(const MbarrierCaller &caller, Barrier *&barrier) {
  if (Fault fault = find(caller, barrier); !fault.why.empty())
    return fault;
  Fault fault;
  for_lanes(caller.lanes, [&](unsigned lane) {
    if (clocks_.known_phases(caller.warp, lane, index(*barrier)) != barrier->phase)
      fault = {
          "which phase of an mbarrier a thread arrives at depends on the order of threads: it has not waited for the phase before"};
  });
  return fault;
}

Fault Mbarriers::invalidate(const MbarrierCaller &caller) {
  Barrier *barrier = nullptr;
  if (Fault fault = find_in_phase(caller, barrier); !fault.why.empty())
    return fault;
  const Clock &clock = clocks_.of(caller.warp, first_lane(caller.lanes));
  if (std::popcount(caller.lanes) != 1 || barrier->pending != barrier->count || barrier->bytes ||
      std::ranges::any_of(barrier->visits, [&](const Visit &each) { return !knows(clock, each); }))
    return {"an mbarrier is invalidated while it may be in use"};
  barrier->valid = false;
  return {};
}

Fault Mbarriers::too_many(const Barrier &barrier) {
  return {"more threads arrive at a phase of an mbarrier than the " + std::to_string(barrier.count) +
          " that it expects"};
}

Fault Mbarriers::arrive(const MbarrierCaller &caller, std::uint64_t arrivals, std::uint64_t bytes, bool drops,
                        std::uint32_t &phase) {
  Barrier *barrier = nullptr;
  if (Fault fault = find_in_phase(caller, barrier); !fault.why.empty())
    return fault;
  barrier->used = true;
  const auto lanes = static_cast<std::uint64_t>(std::popcount(caller.lanes));
  if (arrivals > kMostArrivals || arrivals * lanes > barrier->pending)
    return too_many(*barrier);
  phase = barrier->phase;
  barrier->pending -= arrivals * lanes;
  barrier->count -= drops ? arrivals * lanes : 0;
  barrier->bytes += static_cast<std::int64_t>(bytes * lanes);
  clocks_.release(caller.warp, caller.lanes, barrier->told);
  return complete(*barrier);
}

Fault Mbarriers::arrive_with_copies(const MbarrierCaller &caller, MbarrierPhase &completed) {
  Barrier *barrier = nullptr;
  if (Fault fault = find_in_phase(caller, barrier); !fault.why.empty())
    return fault;
  barrier->used = true;
  completed = {index(*barrier), barrier->phase};
  const auto lanes = static_cast<std::uint64_t>(std::popcount(caller.lanes));
  if (lanes > barrier->pending)
    return too_many(*barrier);
  barrier->pending -= lanes;
  barrier->copies = true;
  return {};
}

Fault Mbarriers::expect(const MbarrierCaller &caller, std::int64_t bytes) {
  Barrier *barrier = nullptr;
  if (Fault fault = find_in_phase(caller, barrier); !fault.why.empty())
    return fault;
  barrier->used = true;
  visit(*barrier, caller, barrier->phase);
  barrier->bytes += bytes * std::popcount(caller.lanes);
  return complete(*barrier);
}

Fault Mbarriers::copy(const MbarrierCaller &caller, std::optional<std::uint64_t> bytes, MbarrierPhase &completed) {
  Barrier *barrier = nullptr;
  if (Fault fault = find_in_phase(caller, barrier); !fault.why.empty())
    return fault;
  barrier->used = true;
  completed = {index(*barrier), barrier->phase};
  barrier->copies = true;
  barrier->bytes_open |= !bytes;
  barrier->bytes -= static_cast<std::int64_t>(bytes.value_or(0)) * std::popcount(caller.lanes);
  return {};
}

Fault Mbarriers::hold(const MbarrierCaller &caller, MbarrierPhase &completed) {
  Barrier *barrier = nullptr;
  if (Fault fault = find_in_phase(caller, barrier); !fault.why.empty())
    return fault;
  barrier->used = true;
  completed = {index(*barrier), barrier->phase};
  barrier->copies = true;
  visit(*barrier, caller, barrier->phase);
  return {};
}

Fault Mbarriers::complete(Barrier &barrier) {
  return barrier.pending || barrier.bytes || barrier.copies ? Fault{} : begin_next(barrier);
}

bool Mbarriers::end_copies(Fault &fault) {
  for (Barrier &barrier : barriers_)
    if (barrier.copies && !barrier.pending && (barrier.bytes_open ? barrier.bytes > 0 : !barrier.bytes)) {
      fault = begin_next(barrier);
      return true;
    }
  return false;
}

Fault Mbarriers::begin_next(Barrier &barrier) {
  if (std::ranges::any_of(barrier.visits,
                          [&](const Visit &each) { return each.phase == barrier.phase && !knows(barrier.told, each); }))
    return {"a phase of an mbarrier may be complete before a thread that waits for the one before has seen it"};
  if (!barrier.count)
    return {"an mbarrier has no arrivals left"};
  std::erase_if(barrier.visits, [&](const Visit &each) { return each.phase == barrier.phase; });
  ++barrier.phase;
  barrier.pending = barrier.count;
  barrier.bytes = 0;
  barrier.bytes_open = barrier.copies = false;
  barrier.told.know_phases(index(barrier), barrier.phase);
  std::swap(barrier.complete, barrier.told);
  barrier.told.clear();
  return {};
}

Fault Mbarriers::wait(const MbarrierCaller &caller, std::uint64_t phase, bool parity, MbarrierWait &wait) {
  Barrier *barrier = nullptr;
  if (Fault fault = find(caller, barrier); !fault.why.empty())
    return fault;
  barrier->used = true;
  wait.barrier = index(*barrier);
  wait.lanes = caller.lanes;
  std::optional<std::uint32_t> phases;
  bool alike = true;
  for_lanes(caller.lanes, [&](unsigned lane) {
    const std::uint32_t known = clocks_.known_phases(caller.warp, lane, wait.barrier);
    const std::uint32_t mine = !parity                      ? static_cast<std::uint32_t>(phase) + 1
                               : (known & 1) != (phase & 1) ? known
                                                            : known + 1;
    alike &= !phases || *phases == mine;
    phases = mine;
  });
  if (!alike || !phases)
    return {"lanes of a warp wait for different phases of an mbarrier"};
  if (*phases > barrier->phase + 1)
    return {"a thread waits with the token of another thread's arrival at an mbarrier, which is not followed"};
  wait.phases = *phases;
  return {};
}

Fault Mbarriers::pass(std::uint32_t warp, const MbarrierWait &wait) {
  Barrier &barrier = barriers_[wait.barrier];
  if (barrier.phase != wait.phases)
    return {"a phase of an mbarrier may be complete before a thread that waits for the one before has seen it"};
  if (wait.phases)
    clocks_.acquire(warp, wait.lanes, barrier.complete);
  visit(barrier, {barrier.address, warp, wait.lanes}, wait.phases);
  return {};
}

std::string Mbarriers::missing(const MbarrierWait &wait) const {
  const Barrier &barrier = barriers_[wait.barrier];
  if (barrier.pending)
    return std::to_string(barrier.pending) + " of its " + std::to_string(barrier.count) + " arrivals do not come";
  return std::to_string(barrier.bytes) + " bytes that are expected are not copied";
}

std::vector<std::uint64_t> Mbarriers::addresses() const {
  std::vector<std::uint64_t> addresses;
  for (const auto &[address, index] : at_)
    addresses.push_back(address);
  return addresses;
}

} // namespace smem::race
