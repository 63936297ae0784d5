// What calls mean in a program that is not optimised, where races are looked for. Before or between inlining.
#pragma once

namespace llvm {
class Module;
}

namespace smem {

/// CUDA's atomicAdd_block() and its like are atomic for threads of their block alone: Clang drops the scope that their builtins have for PTX.
void scope_block_atomics(llvm::Module &module);

/// Cooperative groups' barrier of the grid, whatever the headers make of it, is a fence with kGridBarrierMark as metadata between two barriers of the block.
inline constexpr char kGridBarrierMark[] = "smem-lint.grid-barrier";
void expand_grid_barriers(llvm::Module &module);

/// Functions of cuRAND that have no body here: they read and write the state that they are given, and nothing else, and what they make of it is not
/// known. Those of curandStateMtgp32, whose threads wait for each other, stay calls.
void expand_random_numbers(llvm::Module &module);

/// Calls through pointers of kernels become direct ones, each under the condition that the pointer is to this function. Of pointers that come from
/// elsewhere, such as arguments, any function of the module may be meant whose address is taken; `whole_program`: and no other one.
/// Whether there was one to resolve; those that stay have kUnresolvedCall as metadata.
inline constexpr char kUnresolvedCall[] = "smem-lint.unresolved-call";
bool resolve_indirect_calls(llvm::Module &module, bool whole_program);

/// Attribute of a declaration whose body is in this file, but was left out for an error: nvcc inlines it.
inline constexpr char kLeftOutBody[] = "smem-lint.left-out-body";

} // namespace smem
