// Which values ptxas knows to be the same in all lanes that execute together.
#pragma once

#include <cstdint>
#include <vector>

#include "smem/control_flow.h"
#include "smem/program.h"

namespace smem::lower {

/// `Unclear`: ptxas was seen to know it and not to know it, or was not asked.
enum class Sharing : std::uint8_t { Uniform, Unclear, Varying };

/// Read off machine code of nvcc 13.0 for sm_90, in which a reduction in shared memory shows what ptxas thinks of its address: some 140 forms of an
/// address and of what stands around it. Uniform are special registers but threadIdx and those of a lane, loads from such an address (volatile ones,
/// too), votes, matches of all, reductions of the warp and `shfl.idx` of the whole warp from such a lane; `threadIdx.y`, `threadIdx.x / 32`, other
/// exchanges and results of atomics vary. So does what a branch on such a value chooses: what is merged after it, what a loop carries that lanes leave
/// by it, and what that loop has computed for the code after it. That only some lanes come to a place does not matter, and a branch to the bare end
/// of the kernel is none: lanes exit.
class WarpValues {
public:
  explicit WarpValues(const Program &program);

  /// As `block` sees it, which uses it.
  Sharing sharing(RegisterId id, BlockId block) const;

  /// Null: of a phi, what is loaded, or kNone.
  const Instruction *defining(RegisterId id) const { return id == kNone ? nullptr : definitions_[id]; }

private:
  void visit(BlockId id);
  void raise(RegisterId id, Sharing to);
  bool is_same_value(RegisterId a, RegisterId b, unsigned depth = 0) const;
  Sharing of_result(const Instruction &instruction, BlockId id) const;
  Sharing of_shuffle(const Instruction &instruction, BlockId id) const;
  Sharing of_memory(const MemoryOperation &operation, BlockId id) const;
  void branch(BlockId id);
  std::vector<BlockId> joins_of(BlockId branch) const;
  bool ends(BlockId id) const;

  const Program &program_;
  smem::ControlFlow flow_;
  std::vector<const Instruction *> definitions_; ///< by register; null: a phi, or a part of what is loaded
  std::vector<BlockId> home_;                    ///< of a register's definition
  std::vector<Sharing> registers_;
  std::vector<bool> branches_; ///< by block: whose branch lanes may leave by several ways
  std::vector<Sharing> phis_;  ///< by block: what its phis are at least
  std::vector<bool> apart_;    ///< by loop: whose iterations lanes of a warp leave one by one
  bool changed_ = false;
};

} // namespace smem::lower
