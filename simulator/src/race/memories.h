// What global addresses count from, where races in global memory are looked for.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "smem/program.h"
#include "value.h"

namespace smem::race {

/// Accesses of one memory lie apart by their offsets alone, whichever block makes them: all begin at one object, and move alike with
/// what is not known and with the block.
struct Memory {
  /// What one step of a digit of the block's index (scope.h) adds.
  struct Step {
    unsigned axis = 0;
    std::int64_t weight = 1;
    std::int64_t bytes = 0;
    auto operator<=>(const Step &) const = default;
  };
  DimensionId object = 0;                                    ///< symbol of the pointer or variable
  std::vector<std::pair<DimensionId, std::int64_t>> symbols; ///< other quantities that are not known, by bytes
  bool of_block = false;                                     ///< these may be others in another block
  std::vector<Step> steps;                                   ///< none is 0
  std::int64_t modulus =
      0; ///< unless 0: an offset stands for all that are multiples of this away, any of which may be meant

  auto operator<=>(const Memory &) const = default;
};

/// The memories of one search. Those of different objects do not overlap: pointers are taken for ones to arrays of their own.
class Memories {
public:
  /// From 1 on.
  std::uint32_t index_of(const Memory &memory) {
    const auto [entry, added] = known_.try_emplace(memory, static_cast<std::uint32_t>(all_.size()) + 1);
    if (added)
      all_.push_back(memory);
    return entry->second;
  }
  const Memory &operator[](std::uint32_t index) const { return all_[index - 1]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }

private:
  std::map<Memory, std::uint32_t> known_;
  std::vector<Memory> all_;
};

/// What an address is made from that is not known itself.
struct AddressOrigin {
  std::optional<DimensionId> object; ///< the symbol of the one pointer or variable; empty: it may be any
  bool elsewhere = false;            ///< shared or local memory alone
};

/// Numbers that atomic sums in global memory hand out: to no two threads of the grid the same, unless something else writes the counter.
class GlobalTickets {
public:
  struct Counter {
    DimensionId object = 0; ///< symbol of the pointer or variable
    std::int64_t at = 0;    ///< bytes from its beginning
    std::int64_t step = 0;
    std::int64_t bytes = 0;
    auto operator<=>(const Counter &) const = default;
  };
  /// What accesses have in common that lie apart if their numbers do.
  struct Place {
    DimensionId object = 0;
    std::uint32_t ticket = 0;
    std::int64_t begin = 0, factor = 0; ///< bytes: begin + factor * number
    auto operator<=>(const Place &) const = default;
  };

  /// From 1 on.
  std::uint32_t number_of(const Counter &counter) {
    return counters_.try_emplace(counter, static_cast<std::uint32_t>(counters_.size()) + 1).first->second;
  }
  void draws(const Counter &counter) { number_of(counter); }
  /// Something else is written there, or may be.
  void writes(const Value &address, LaneMask mask);
  void access(const Place &place, unsigned kind, std::uint32_t reason) { accesses_[place][kind] = reason; }

  /// By kind, why it is not known where; 0: there is none.
  using Kinds = std::array<std::uint32_t, 3>;
  const std::map<Place, Kinds> &accesses() const { return accesses_; }
  /// Whether each number is one thread's. `written`: whether accesses of the object at places that are not known write.
  template <typename F> bool apart(std::uint32_t ticket, F &&written) const {
    for (const auto &[counter, number] : counters_) {
      if (number != ticket)
        continue;
      for (const auto &[other, its] : counters_)
        if (its != number && other.object == counter.object && other.at < counter.at + counter.bytes &&
            counter.at < other.at + other.bytes)
          return false;
      return !any_written_ && !written_.contains(counter.object) && !written(counter.object);
    }
    return false;
  }

private:
  std::map<Counter, std::uint32_t> counters_;
  std::map<Place, Kinds> accesses_;
  std::set<DimensionId> written_; ///< objects
  bool any_written_ = false;      ///< it is not known which
};

/// Global memory in one search.
struct GlobalAccesses {
  /// An object's number where it is not known which it is.
  static constexpr DimensionId kAnyObject = 0;
  /// How an object is accessed at places that are not known: by kind, why, as an index of the reason table; 0: not.
  using Lost = std::array<std::uint32_t, 3>;

  Memories memories;
  std::map<DimensionId, Lost> lost;
  GlobalTickets tickets;
  std::map<RegisterId, AddressOrigin> origins; ///< those that were asked for
  bool each_block = false;                     ///< one block at a time: the index of the block moves nothing
};

} // namespace smem::race
