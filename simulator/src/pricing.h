// What one execution of an event costs.
#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scope.h"
#include "smem/architecture.h"

namespace smem {

inline constexpr unsigned kPeriod = kCostRepeats;

inline constexpr std::string_view kAlignmentNotKnown = "the alignment of the address is not known";

/// By how much the sides of an event are shifted, modulo kPeriod.
struct Shift {
  unsigned own = 0, source = 0;
  auto operator<=>(const Shift &) const = default;
};

/// The cost of one execution, or why it is not known.
struct Priced {
  RequestCost cost;
  std::string_view unknown;

  bool operator==(const Priced &) const = default;
};

/// How many of the executions that an event stands for are shifted by each pair of residues. Progressions whose length is a
/// formula are left out.
std::vector<std::pair<Shift, std::uint64_t>> residues(const Event &event);

Request moved(const Request &request, unsigned shift);

/// The cost at a shift that is known.
Priced price(const Event &event, Shift shift, const Access &access, const Architecture &architecture);

/// The cost that it has whatever the parts of its addresses are that nobody knows; unknown if it depends on them.
Priced price_whatever_shift(const Event &event, Shift shift, const Access &access, const Architecture &architecture);

/// price_whatever_shift() of the events of one simulation. Those that cost the same are many: warps, blocks and iterations differ by
/// multiples of the period.
class Prices {
public:
  explicit Prices(const Architecture &architecture) : architecture_(architecture) {}
  /// `access` is the same whenever the event's operation and space are.
  Priced of(const Event &event, Shift shift, const Access &access);

private:
  struct Known {
    std::uint32_t operation = 0;
    Space space = Space::Shared;
    bool copy = false;
    Event::Side side, source; ///< moved to where the first lane is within the period; lanes that are not active at 0
    Priced priced;
    bool filled = false;
  };
  const Architecture &architecture_;
  std::unordered_map<std::uint64_t, Known> known_;
};

} // namespace smem
