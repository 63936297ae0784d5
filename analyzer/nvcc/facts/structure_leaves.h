// The numbers that a structure is made of.
#pragma once

#include <cstdint>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace llvm {
class DataLayout;
class Type;
class Value;
} // namespace llvm

namespace smem {

/// A number in a structure: where InsertValue has it, and its bytes.
struct Leaf {
  llvm::SmallVector<unsigned, 4> path;
  std::uint64_t offset = 0;
  llvm::Type *type = nullptr;
};

/// All numbers of a structure or an array, in their order in memory.
std::vector<Leaf> leaves_of(llvm::Type &type, const llvm::DataLayout &layout);

llvm::Value *field_of(llvm::IRBuilder<> &builder, llvm::Value *pointer, std::uint64_t offset);

} // namespace smem
