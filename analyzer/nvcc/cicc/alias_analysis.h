// Which addresses nvcc takes for different ones.
#pragma once

#include <utility>

#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace smem {

/// LLVM's basic alias analysis as the older one of nvcc has it. Of two addresses in one array it does not ask whether the distance may be zero, neither of a branch nor of how a number was computed: LLVM takes `s[t]` and
/// `s[t + n]` for two places under `if (n > 0)`, and `s[t]` and `s[t + (1 << n)]` everywhere; nvcc loads `s[t]` again behind a store to the other. Both know what follows from constants, from a common factor of the
/// distance's terms, and from their signs.
class BasicAliasResult : public llvm::AAResultBase {
public:
  BasicAliasResult(llvm::BasicAAResult basic, const llvm::DataLayout &layout, llvm::AssumptionCache &assumptions)
      : basic_(std::move(basic)), layout_(layout), assumptions_(assumptions) {}

  bool invalidate(llvm::Function &function, const llvm::PreservedAnalyses &preserved,
                  llvm::FunctionAnalysisManager::Invalidator &invalidator) {
    return basic_.invalidate(function, preserved, invalidator);
  }

  llvm::AliasResult alias(const llvm::MemoryLocation &first, const llvm::MemoryLocation &second,
                          llvm::AAQueryInfo &query, const llvm::Instruction *context);
  llvm::ModRefInfo getModRefInfo(const llvm::CallBase *call, const llvm::MemoryLocation &location,
                                 llvm::AAQueryInfo &query);
  llvm::ModRefInfo getModRefInfo(const llvm::CallBase *first, const llvm::CallBase *second, llvm::AAQueryInfo &query) {
    return basic_.getModRefInfo(first, second, query);
  }
  llvm::ModRefInfo getModRefInfoMask(const llvm::MemoryLocation &location, llvm::AAQueryInfo &query,
                                     bool ignore_locals) {
    return basic_.getModRefInfoMask(location, query, ignore_locals);
  }
  llvm::ModRefInfo getArgModRefInfo(const llvm::CallBase *call, unsigned argument) {
    return basic_.getArgModRefInfo(call, argument);
  }
  llvm::MemoryEffects getMemoryEffects(const llvm::CallBase *call, llvm::AAQueryInfo &query) {
    return basic_.getMemoryEffects(call, query);
  }
  llvm::MemoryEffects getMemoryEffects(const llvm::Function *function) { return basic_.getMemoryEffects(function); }

private:
  bool may_meet(const llvm::MemoryLocation &first, const llvm::MemoryLocation &second) const;

  llvm::BasicAAResult basic_;
  const llvm::DataLayout &layout_;
  llvm::AssumptionCache &assumptions_;
};

class BasicAliases : public llvm::AnalysisInfoMixin<BasicAliases> {
  friend llvm::AnalysisInfoMixin<BasicAliases>;
  static llvm::AnalysisKey Key;

public:
  using Result = BasicAliasResult;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// What the passes of the model ask: that, what `__restrict__` and notes of types say, what is known of the module's variables, and of the address spaces of `target`.
llvm::AAManager alias_analyses(llvm::TargetMachine &target);

} // namespace smem
