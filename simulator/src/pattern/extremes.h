// Registers that are the larger or the smaller of two values where it is not known which: `(max(n, i + 32) + ~i) >> 5`, the trip count of a loop that
// is unrolled. What preserves order is done to both; once lanes no longer differ in them, the extreme is known.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "domain.h"

namespace smem::pattern {

class Extremes {
public:
  /// A value as it reads where it is used: lanes may have come from different iterations of its loop.
  using Read = std::function<Value(const Value &)>;

  explicit Extremes(Read read) : read_(std::move(read)) {}
  void clear() { known_.clear(); }
  /// The result of an instruction of which the domain makes `plain`.
  Value refine(Domain &domain, const Instruction &instruction, const std::vector<Value> &operands, Value plain,
               const std::string &key, LaneMask mask);

private:
  struct Extreme {
    bool largest = true; ///< in signed order
    bool presumed =
        false; ///< the order is not signed, and one of them may be taken for negative: of the extreme no bounds are known
    Value a, b;
  };

  std::optional<Extreme> of_operand(RegisterId reg, LaneMask mask) const;
  Value settle(Domain &domain, RegisterId result, Extreme both, Value plain, const std::string &key, LaneMask mask);

  Read read_;
  std::map<RegisterId, Extreme> known_;
};

} // namespace smem::pattern
