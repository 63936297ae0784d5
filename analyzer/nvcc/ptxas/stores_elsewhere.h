// Loads that ptxas alone sees to be of what was loaded or stored before: what is stored in between is elsewhere by what divides its address.
#pragma once

#include <vector>

#include "nvcc/facts/accesses.h"

namespace llvm {
class DominatorTree;
class Function;
class ScalarEvolution;
} // namespace llvm

namespace smem::lower {

/// `x = s[5]; s[t % 32 * 4] = x; y = s[5];`: raises Uncertainty::RedundantAccess of the second load. `accesses`: of one shared address between barriers, in their order.
class StoresElsewhere {
public:
  StoresElsewhere(llvm::Function &kernel, const llvm::DominatorTree &tree, llvm::ScalarEvolution &evolution)
      : kernel_(kernel), tree_(tree), evolution_(evolution) {}

  void note(const std::vector<const SourceAccess *> &accesses);

private:
  bool is_elsewhere(const llvm::Instruction &store, const SourceAccess &access);

  llvm::Function &kernel_;
  const llvm::DominatorTree &tree_;
  llvm::ScalarEvolution &evolution_;
  unsigned compared_ = 0, visited_ = 0;
};

} // namespace smem::lower
