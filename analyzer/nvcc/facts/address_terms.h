// Addresses as a base, multiples of values and a constant.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace smem {

/// What an address is made of but for its constant: equal ones have a constant distance, however their computation is divided into steps.
struct AddressTerms {
  const llvm::Value *base = nullptr;
  std::vector<std::pair<const llvm::Value *, std::int64_t>> terms = {}; ///< in a fixed order, bytes each

  auto operator<=>(const AddressTerms &) const = default;
};

/// Those of `pointer`, and its constant in bytes.
std::pair<AddressTerms, std::int64_t> address_terms(const llvm::Value &pointer, const llvm::DataLayout &layout);

} // namespace smem
