// How IR types are spread over registers.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class DataLayout;
class Type;
} // namespace llvm

namespace smem::lower {

/// One register's worth of a value.
struct Component {
  std::uint64_t byte_offset; ///< in memory
  std::uint8_t width;        ///< bits
  bool floating;
};

/// Scalars of a value of `type`, in memory order. Integers wider than 64 bits take several, least significant first.
std::vector<Component> components_of(llvm::Type *type, const llvm::DataLayout &layout);

/// Their number, without building them.
std::size_t component_count(llvm::Type *type);

} // namespace smem::lower
