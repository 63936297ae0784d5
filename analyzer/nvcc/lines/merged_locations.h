// The debug location of an access that was inlined and became one with its like on the other way out of a branch.
#pragma once

#include <tuple>
#include <vector>

#include <llvm/IR/ValueHandle.h>

namespace llvm {
class DIFile;
class DILocation;
class Function;
} // namespace llvm

namespace smem {

/// nvcc tells two locations apart by file, line and column alone: of two accesses that became one it keeps the first one's location, calls included,
/// if both were inlined from one line, as all calls of one atomic are. LLVM since compares the calls as well and is left without a line.
/// Of 50 kernels with an access that both blocks of a branch begin with, under ten conditions, nvcc's PTX has it on that line in all but two, which
/// turn the condition round: an uncertainty is raised with it.
class MergedLocations {
public:
  void before(llvm::Function &function);
  /// After the pass that may have merged accesses of the function given last.
  void after();

private:
  struct Access {
    llvm::WeakVH instruction;
    const llvm::DILocation *location;
    std::tuple<const llvm::DIFile *, unsigned, unsigned> innermost;
  };
  std::vector<Access> accesses_;
};

} // namespace smem
