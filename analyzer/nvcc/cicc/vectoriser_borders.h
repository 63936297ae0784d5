// What cicc's vectoriser of loads and stores merges nothing across.
#pragma once

#include <vector>

#include <llvm/Support/ModRef.h>

namespace llvm {
class CallInst;
class Function;
class Instruction;
class StoreInst;
class Value;
} // namespace llvm

namespace smem::lower {

/// nvcc's vectoriser is older than LLVM's here: what is neither a load nor a store and may access memory ends a row of accesses, whatever it may
/// alias. To cicc these are all inline PTX, of registers too, and all atomics. A function of libdevice
/// that branches ends the basic block.
bool is_vectoriser_border(const llvm::Instruction &instruction);

/// For LLVM's vectoriser: at each border a call that need not return, which it merges nothing across, and at what reads a texture one that may
/// read all memory, which keeps stores apart. A volatile store keeps apart what it may alias, to nvcc, and not all, as it does to LLVM.
class VectoriserBorders {
public:
  explicit VectoriserBorders(llvm::Function &kernel);
  void take_out();

private:
  void mark(const std::vector<llvm::Instruction *> &at, llvm::MemoryEffects effects,
            const std::vector<llvm::Value *> &read);

  std::vector<llvm::CallInst *> calls_;
  std::vector<llvm::Function *> functions_;
  std::vector<llvm::StoreInst *> volatile_;
};

} // namespace smem::lower
