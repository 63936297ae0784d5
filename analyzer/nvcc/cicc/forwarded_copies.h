// Copies that go through a variable which is for nothing else.
#pragma once

#include <cstdint>

namespace llvm {
class LoadInst;
class StoreInst;
class Value;
} // namespace llvm

namespace smem {

enum class CopyUses : std::uint8_t { OneForOne, Any };

/// Is `pointer` a local structure that copies go into and out of, one for one or as often as one likes, and nothing else touches? `float4 v = *from;
/// *to = v;`, whole or handed to a function by value or handed back. Before optimisation.
bool is_only_copied(const llvm::Value &pointer, CopyUses uses);

/// nvcc makes one copy of those two, on the line of the second, unless memory may be written in between. By what nvcc 13 does, a store counts unless it is to another
/// address space than the load is from or belongs to the copy, a barrier, an exchange between lanes, a fence, volatile assembly or a call counts, an atomic and a
/// volatile load do not. After optimisation.
bool is_forwarded(const llvm::LoadInst &load, const llvm::StoreInst &store);

/// The store of such a copy that `load` is of; null if there is none.
const llvm::StoreInst *forwarded_to(const llvm::LoadInst &load);

} // namespace smem
