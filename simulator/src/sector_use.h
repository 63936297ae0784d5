// Which bytes of the sectors that a warp fetches it uses while L1 still has them.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "smem/simulate.h"

namespace smem {

/// The requests of one warp for global memory, in their order. L1 is shared fairly: a warp keeps the `lines` lines of 128 bytes that it
/// touched last. From when a sector comes in until its line leaves is a stay; what loads (or stores) use of it in that time counts for all
/// requests that touched it.
class SectorStays {
public:
  explicit SectorStays(std::uint32_t lines) : most_lines_(lines) {}

  /// `base`: what the addresses are relative to; those of different bases never meet.
  struct Touch {
    SiteId site = kNone;
    std::uint32_t base = 0;
    const Request *request = nullptr;
    std::uint32_t bytes = 4; ///< of each lane; the access lies in one sector
    bool store = false;
    bool alone = false; ///< L1 does not keep what it fetches
  };
  void touch(const Touch &touch, std::vector<SectorUse> &use);
  /// All stays end. Of a warp that was not followed to its end, what is still in L1 might have been used further: it is not counted.
  void end(bool finished, std::vector<SectorUse> &use);

private:
  static constexpr unsigned kSectors = 4;
  struct Visit {
    SiteId site = kNone;
    std::uint32_t requests = 0;
    std::uint64_t own_bytes = 0;
  };
  struct Stay {
    std::uint32_t used = 0; ///< a bit for each byte
    std::vector<Visit> visits;
  };
  struct Name {
    std::uint64_t base = 0, number = 0;
    bool operator==(const Name &) const = default;
  };
  struct Hash {
    std::size_t operator()(const Name &name) const {
      return std::hash<std::uint64_t>()((name.base << 48) ^ (name.number * 0x9e3779b97f4a7c15));
    }
  };
  struct Line {
    Name name;
    Stay loads[kSectors], stores[kSectors];
  };
  Line &line(std::uint32_t base, std::uint64_t number, std::vector<SectorUse> &use);
  /// It is then as new.
  static void leave(Line &line, std::vector<SectorUse> &use);

  std::size_t most_lines_;
  std::list<Line> lines_; ///< the one touched last is last
  std::unordered_map<Name, std::list<Line>::iterator, Hash> places_;
};

/// How many lines of L1 a warp has to itself when the SM is as full as threads and shared memory of the launch allow.
std::uint32_t lines_of_a_warp(const Launch &launch, std::uint64_t shared_bytes, const Architecture &architecture);

struct Machine;
struct Value;

/// What warps report while their sectors are watched, in place of what they cost.
class SectorWatch {
public:
  SectorWatch(Machine &machine, std::uint32_t lines);

  /// A request whose address is `address` in the lanes of `mask`.
  void touch(std::uint32_t warp, std::uint32_t operation, const Value &address, LaneMask mask);
  /// A request whose address is not known.
  void lose(std::uint32_t operation);
  void end_warp(std::uint32_t warp, bool finished);
  /// By site; where it is not known, sectors is 0.
  std::vector<SectorUse> take();

private:
  Machine &machine_;
  std::uint32_t lines_;
  std::map<std::vector<std::pair<std::uint32_t, std::int64_t>>, std::uint32_t> bases_;
  std::map<std::uint32_t, SectorStays> warps_;
  std::vector<SectorUse> use_;
  std::vector<bool> unknown_;
};

} // namespace smem
