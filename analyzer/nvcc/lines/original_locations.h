// Where loads and stores came from, kept through optimisation.
//
// LLVM takes the debug location off an instruction that it hoists; nvcc leaves it on in some cases. Each access thus has its location in its
// record (access_record.h), which hoisting keeps, and gets it back where nvcc keeps it.
#pragma once

namespace llvm {
class BasicBlock;
template <typename T> class ArrayRef;
class Function;
class Loop;
class Module;
} // namespace llvm

namespace smem {

/// Before optimisation.
void note_locations(llvm::Module &module);

/// Accesses of `function` that lost their debug location get it back.
void restore_locations(llvm::Function &function);

/// Accesses that a branch was folded into get back their own location for the branch's, but for a store that became one with another before it.
void after_speculation(llvm::Function &function);

/// Loads that have no location yet, such as one of two that became one, are not those that hoisting makes.
void before_hoisting(llvm::Function &function);

/// Stores that left a loop, and loads that left it for one of its `exits`, get it back; loads that went before it lose the note of it as well, but for those
/// that had been in a loop when that was to be unrolled.
void after_hoisting(llvm::Function &function, llvm::ArrayRef<llvm::BasicBlock *> exits);

/// nvcc drops the locations of loads that it hoists before it unrolls loops, and keeps those of others.
void before_unrolling(const llvm::Loop &loop);

/// After optimisation.
void forget_locations(llvm::Module &module);

} // namespace smem
