// Addresses as a formula that a person can read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace llvm {
class Argument;
class DataLayout;
class GlobalVariable;
class Value;
} // namespace llvm

namespace smem::lower {

struct AddressNames {
  std::function<std::string(const llvm::GlobalVariable &)> variable;
  std::function<std::string(const llvm::Argument &)> parameter;
};

/// `tile + 4*threadIdx.x + 128*k + 64`: base, terms in bytes, constant. Parts without a short form appear as `…`.
/// `address` may be an integer that was made from a pointer; `offset` is added.
std::string address_text(const llvm::Value &address, std::int64_t offset, const llvm::DataLayout &layout,
                         const AddressNames &names);

} // namespace smem::lower
