// Races of a random kernel, found by executing a block thread by thread and comparing all pairs of accesses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "random_race_kernels.h"
#include "smem/race.h"

namespace smem::test::races {

/// Where an array lies.
using Places = std::array<std::uint64_t, 2>;

struct Touch {
  std::uint32_t thread = 0, number = 0, interval = 0, segment = 0;
  Operation operation = Operation::Load;
  std::uint64_t begin = 0, bytes = 0;
};

struct Thread {
  std::vector<std::uint32_t> barriers; ///< that it passed
  std::vector<Touch> touches;
  bool ended = false, part = false;
  std::uint32_t end_segment = 0; ///< of the interval in which it ended
};

inline bool conflicting(Operation a, Operation b) {
  return (a != Operation::Load || b != Operation::Load) && !(a == Operation::Atomic && b == Operation::Atomic);
}

/// What `data` holds, if it is not the argument everywhere.
struct Slope {
  std::int64_t first = 0, slope = 0;
};

/// What happens in one block, the argument being what it is.
class Execution {
public:
  Execution(const Kernel &kernel, const Places &places, unsigned threads, unsigned block, unsigned argument,
            std::optional<Slope> data = std::nullopt)
      : places_(places), block_(block), argument_(argument), data_(data), threads_(threads) {
    for (unsigned t = 0; t < threads; ++t) {
      thread_ = t;
      segment_ = 0;
      run(kernel.body, 0, false);
    }
    std::size_t most = 0;
    const Thread *longest = nullptr;
    for (const Thread &thread : threads_)
      if (!longest || thread.barriers.size() > most)
        most = (longest = &thread)->barriers.size();
    for (const Thread &thread : threads_) {
      divergent |= !std::equal(thread.barriers.begin(), thread.barriers.end(), longest->barriers.begin());
      short_of |= thread.barriers.size() < most;
      part |= thread.part;
    }
    compare();
  }

  bool divergent = false;                       ///< threads wait at different barriers
  bool short_of = false;                        ///< some end without coming to a barrier that others come to
  bool part = false;                            ///< a barrier of some lanes
  bool between = false, within = false;         ///< a race
  bool may_between = false, may_within = false; ///< including what nothing but threads' ends may order

  /// The thread's accesses of the instruction to the byte.
  std::vector<Touch> touches(const RacingAccess &access, std::uint64_t byte,
                             const std::vector<std::uint32_t> &numbers) const {
    std::vector<Touch> found;
    for (const Touch &touch : threads_.at(access.thread.x).touches)
      if (touch.number == numbers.at(access.operation) && touch.begin <= byte && byte < touch.begin + touch.bytes)
        found.push_back(touch);
    return found;
  }
  /// Some thread of this block and some of the other one.
  bool races_with(const Execution &other) const {
    for (const Thread &mine : threads_)
      for (const Touch &a : mine.touches)
        for (const Thread &its : other.threads_)
          for (const Touch &b : its.touches)
            if (conflicting(a.operation, b.operation) && a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes)
              return true;
    return false;
  }

  bool races(const RaceWitness &witness, const std::vector<std::uint32_t> &numbers) const {
    const auto touches = [&](const RacingAccess &access) {
      std::vector<const Touch *> found;
      for (const Touch &touch : threads_.at(access.thread.x).touches)
        if (touch.number == numbers.at(access.operation) && touch.interval == witness.interval &&
            touch.begin <= witness.byte && witness.byte < touch.begin + touch.bytes)
          found.push_back(&touch);
      return found;
    };
    for (const Touch *a : touches(witness.first))
      for (const Touch *b : touches(witness.second))
        if (a->thread != b->thread && conflicting(a->operation, b->operation) &&
            (a->thread / 32 == b->thread / 32) == witness.within_warp &&
            (!witness.within_warp || a->segment == b->segment))
          return true;
    return false;
  }

  /// No thread of the block writes the byte up to the interval in which the read is made, in the order of intervals.
  bool is_unwritten(const UnwrittenRead &read, const std::vector<std::uint32_t> &numbers) const {
    for (const Touch &touch : threads_.at(read.access.thread.x).touches) {
      if (touch.number != numbers.at(read.access.operation) || touch.operation != Operation::Load ||
          read.byte < touch.begin || read.byte >= touch.begin + touch.bytes)
        continue;
      if (first_write(read.byte) > touch.interval)
        return true;
    }
    return false;
  }
  /// Some thread reads what is not written.
  bool reads_unwritten() const {
    for (const Thread &thread : threads_)
      for (const Touch &touch : thread.touches)
        for (std::uint64_t byte = touch.begin; byte < touch.begin + touch.bytes; ++byte)
          if (touch.operation == Operation::Load && first_write(byte) > touch.interval)
            return true;
    return false;
  }

private:
  std::uint32_t first_write(std::uint64_t byte) const {
    std::uint32_t first = UINT32_MAX;
    for (const Thread &thread : threads_)
      for (const Touch &touch : thread.touches)
        if (touch.operation != Operation::Load && touch.begin <= byte && byte < touch.begin + touch.bytes)
          first = std::min(first, touch.interval);
    return first;
  }
  bool holds(const Condition &c, unsigned thread, unsigned round) const {
    switch (c.kind) {
    case Condition::Kind::Below: return thread < c.a;
    case Condition::Kind::Bits: return (thread & 3) == c.b;
    case Condition::Kind::BlockBit: return (block_ & 1) == (c.b & 1);
    case Condition::Kind::RoundBit: return (round & 1) == (c.b & 1);
    case Condition::Kind::Argument:
      return data_ && c.b % 2 ? data_->first + data_->slope * (thread + (c.b % 4 == 3 ? kNextBlock * block_ : 0)) > 1
                              : argument_ > 1;
    }
    return false;
  }
  void run(const std::vector<Statement> &statements, unsigned round, bool divergent_here) {
    Thread &thread = threads_[thread_];
    for (const Statement &s : statements) {
      if (thread.ended)
        return;
      switch (s.kind) {
      case Statement::Kind::Access: {
        const std::uint64_t index = std::uint64_t{thread_} * s.by_thread + round * s.by_round + block_ * s.by_block +
                                    argument_ * s.by_argument + s.offset;
        thread.touches.push_back({thread_, s.number, static_cast<std::uint32_t>(thread.barriers.size()), segment_,
                                  s.operation, places_[s.array] + index % (kArrayBytes[s.array] / s.bytes) * s.bytes,
                                  s.bytes});
        break;
      }
      case Statement::Kind::Barrier: thread.barriers.push_back(s.number); break;
      case Statement::Kind::WarpBarrier:
        if (divergent_here)
          thread.part = true;
        else
          ++segment_;
        break;
      case Statement::Kind::Loop:
        for (unsigned i = 0; i < (s.argument_rounds ? s.argument_rounds * argument_ : s.rounds) && !thread.ended; ++i)
          run(s.body, i, divergent_here);
        break;
      case Statement::Kind::If: {
        bool splits = false; // the warp
        for (unsigned t = thread_ / 32 * 32; t < std::min<std::size_t>(thread_ / 32 * 32 + 32, threads_.size()); ++t)
          splits |= holds(s.condition, t, round) != holds(s.condition, thread_, round);
        run(holds(s.condition, thread_, round) ? s.body : s.otherwise, round, divergent_here || splits);
        break;
      }
      case Statement::Kind::Return:
        thread.ended = true;
        thread.end_segment = segment_;
        break;
      }
    }
  }
  void compare() {
    std::size_t most = 0;
    for (const Thread &thread : threads_)
      most = std::max(most, thread.barriers.size());
    std::map<std::uint64_t, std::vector<const Touch *>> by_byte;
    for (const Thread &thread : threads_)
      for (const Touch &touch : thread.touches)
        for (std::uint64_t i = 0; i < touch.bytes; ++i)
          by_byte[touch.begin + i].push_back(&touch);
    const auto last = [&](const Touch &touch) {
      const std::size_t all = threads_[touch.thread].barriers.size();
      return all < most && touch.interval == all;
    };
    for (const auto &[byte, touches] : by_byte)
      for (std::size_t i = 0; i < touches.size(); ++i)
        for (std::size_t j = i + 1; j < touches.size(); ++j) {
          const Touch &a = *touches[i], &b = *touches[j];
          if (a.thread == b.thread || !conflicting(a.operation, b.operation))
            continue;
          const bool same_warp = a.thread / 32 == b.thread / 32;
          const bool together = a.interval == b.interval;
          (same_warp ? within : between) |= together && (!same_warp || a.segment == b.segment);
          const auto beyond = [&](const Touch &x, const Touch &y) {
            const Thread &thread = threads_[x.thread];
            return thread.ended && x.interval == thread.barriers.size() && y.segment > thread.end_segment;
          };
          const bool ended = beyond(a, b) || beyond(b, a);
          const bool perhaps = (a.interval < b.interval && last(a)) || (b.interval < a.interval && last(b));
          (same_warp ? may_within : may_between) |= perhaps || (together && same_warp && ended);
        }
    may_within |= within;
    may_between |= between;
  }

  const Places &places_;
  unsigned block_, argument_, thread_ = 0;
  std::optional<Slope> data_;
  std::uint32_t segment_ = 0;
  std::vector<Thread> threads_;
};

} // namespace smem::test::races
