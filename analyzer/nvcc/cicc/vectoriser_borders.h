// What cicc's vectoriser of loads and stores merges nothing across.
#pragma once

#include <vector>

namespace llvm {
class CallInst;
class Function;
class Instruction;
} // namespace llvm

namespace smem::lower {

/// nvcc's vectoriser is older than LLVM's here: what is neither a load nor a store and may access memory ends a row of accesses, whatever it may
/// alias. To cicc these are all inline PTX, of registers too, and all atomics. A function of libdevice
/// that branches ends the basic block.
bool is_vectoriser_border(const llvm::Instruction &instruction);

/// For LLVM's vectoriser: at each border a call that need not return, which it merges nothing across.
class VectoriserBorders {
public:
  explicit VectoriserBorders(llvm::Function &kernel);
  void take_out();

private:
  std::vector<llvm::CallInst *> calls_;
};

} // namespace smem::lower
