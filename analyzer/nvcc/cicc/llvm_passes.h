// Passes of LLVM's that do not do quite what nvcc does, as the pipelines of the model have them.
#pragma once

#include <utility>
#include <vector>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Transforms/IPO/SCCP.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "nvcc/access_record.h"
#include "nvcc/cicc/branching_calls.h"
#include "nvcc/cicc/constants_alone.h"
#include "nvcc/cicc/hidden_conditions.h"
#include "nvcc/cicc/kept_remainders.h"
#include "nvcc/cicc/kept_sums.h"
#include "nvcc/cicc/reconvergence.h"
#include "nvcc/cicc/tail_merging.h"
#include "nvcc/cicc/wrapped_pass.h"
#include "nvcc/lines/merged_locations.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace smem {

// Where nvcc keeps the location of an access that moves, and where it does not: it does where a branch becomes a select, where a store leaves its
// loop, where two calls of one function become one, and where a load leaves its loop after loops have been unrolled; it does not where one does before.

class KeepLocationsInBranches {
public:
  void before(llvm::Function &function) { merged_.before(function); }
  void after(llvm::Function &function, const llvm::PreservedAnalyses &preserved);

private:
  MergedLocations merged_;
};

/// Calls keep theirs in nvcc, those that read threadIdx and the like as well: what has none and follows them is counted there.
class KeepLocationsOfHoisted {
public:
  void before(llvm::Loop &loop);
  void after(llvm::Loop &loop, const llvm::PreservedAnalyses &preserved);

private:
  std::vector<std::pair<llvm::WeakVH, llvm::DebugLoc>> calls_; ///< null once it is gone
};

/// Of two loads that become one, the one that stays is still of the loop that it was of when that was unrolled.
class KeepOrigins {
public:
  void before(llvm::Function &function);
  void after(llvm::Function &function, const llvm::PreservedAnalyses &preserved);

private:
  std::vector<std::pair<llvm::WeakVH, AccessOrigin>> loads_; ///< null once it is gone
};

struct KeepLocationsOfUnrolled {
  void before(llvm::Loop &loop);
  void after(llvm::Loop &, const llvm::PreservedAnalyses &) {}
};

/// Clang concludes from the language's promise that loops end that their counters stay in the range of their type, and LLVM says so at the sum;
/// nvcc does not.
class KeepWrapping {
public:
  void before(llvm::Loop &loop);
  void after(llvm::Loop &loop, const llvm::PreservedAnalyses &preserved);

private:
  std::vector<llvm::Instruction *> may_wrap_;
};

/// `a[i] = a[j]` leaves `a[j]` as it is, whatever i and j are, provided that the two places are one or have nothing in common. LLVM sees that by their alignment and does not load `a[j]`
/// again; nvcc, which is older, does.
class DistrustCopies {
public:
  void before(llvm::Function &function);
  void after(llvm::Function &function, const llvm::PreservedAnalyses &preserved);

private:
  std::vector<std::pair<llvm::WeakVH, llvm::Align>> stores_; ///< null once it is gone
  std::vector<llvm::WeakVH> bytes_;                          ///< likewise: `freeze` of what is stored
};

/// Where there are no locations to keep any more: of kernels, after optimisation.
using ConvergentSimplifyCfg = WrappedFunctionPass<llvm::SimplifyCFGPass, KeepConvergencePoints>;
using SimplifyCfg = WrappedFunctionPass<ConvergentSimplifyCfg, KeepLocationsInBranches>;
using Licm = WrappedLoopPass<llvm::LICMPass, KeepLocationsOfHoisted>;
using Gvn = WrappedFunctionPass<WrappedFunctionPass<llvm::GVNPass, DistrustCopies>, HideCallees>;
using CseAsNvcc = WrappedFunctionPass<llvm::EarlyCSEPass, ForgetFactors>;
using FirstCse = InBlocksOfCalls<WrappedFunctionPass<CseAsNvcc, NoteDroppedTails>, Branches::Table>;
using EarlyCse = InBlocksOfCalls<CseAsNvcc, Branches::Forward>;
using CombineOfOwnBits = WrappedFunctionPass<WrappedFunctionPass<llvm::InstCombinePass, HideConditions>, HideProducts>;
using CombineAsNvcc = WrappedFunctionPass<CombineOfOwnBits, KeepSums>;
using InstCombine = InBlocksOfCalls<CombineAsNvcc, Branches::Forward>;
using Sccp = WrappedFunctionPass<llvm::SCCPPass, ConstantsAlone>;
using IpSccp = WrappedModulePass<llvm::IPSCCPPass, ConstantsAlone>;
using LateCse = WrappedFunctionPass<EarlyCse, KeepOrigins>;
using Dse = InBlocksOfCalls<llvm::DSEPass, Branches::Forward>;
using FullUnroll = WrappedLoopPass<llvm::LoopFullUnrollPass, KeepLocationsOfUnrolled>;
using IndVarSimplify = WrappedLoopPass<llvm::IndVarSimplifyPass, KeepWrapping>;

/// `in_loops`: of a load that some of the ways into a block of a loop have made, it makes one on the others.
Gvn gvn(bool in_loops = true);
FirstCse first_cse(); ///< before functions are inlined
EarlyCse early_cse(); ///< with MemorySSA
LateCse late_cse();   ///< once loops have been unrolled
InstCombine inst_combine();
ConvergentSimplifyCfg convergent_simplify_cfg(llvm::SimplifyCFGOptions options = {});
SimplifyCfg simplify_cfg(llvm::SimplifyCFGOptions options = {});

/// Pointers in local variables, before EarlyCSE and GVN look through them.
struct NoteLocalPointers : llvm::PassInfoMixin<NoteLocalPointers> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace smem
