#include "nvcc/cicc/inlining.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/machine.h"
#include "nvcc/facts/kernels.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

bool calls_itself(const llvm::CallGraphNode &node) {
  for (const auto &record : node)
    if (record.second == &node)
      return true;
  return false;
}

/// Atomics through the pointers of a function that stays one are generic there, and cost otherwise than those of shared memory.
void assume_known_space(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
    if ((update && update->getPointerAddressSpace() == kGeneric) ||
        (exchange && exchange->getPointerAddressSpace() == kGeneric))
      if (const std::optional<SourceAccess> access = access_of(instruction))
        raise_uncertainty(Uncertainty::AddressSpace, function, access->location);
  }
}

constexpr llvm::StringRef kCallMark = "// smem-lint: call";
constexpr llvm::StringRef kHadCalls = "smem-lint-had-calls";

/// nvcc neither merges nor drops accesses across the call of a function that is not to be inlined, although here the call will be gone.
void mark_calls(llvm::Function &function) {
  llvm::InlineAsm *mark =
      llvm::InlineAsm::get(llvm::FunctionType::get(llvm::Type::getVoidTy(function.getContext()), false), kCallMark,
                           "~{memory}", /*hasSideEffects=*/true);
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == &function) {
      llvm::IRBuilder<>(call).CreateCall(mark);
      llvm::IRBuilder<>(call->getNextNode()).CreateCall(mark);
    }
}

/// Inline PTX may do anything, to nvcc.
bool has_inline_ptx(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->isInlineAsm();
  });
}

/// At fixed places behind its parameters: where such a function writes nothing, cicc loads them in the caller (argument promotion); and what is behind two parameters it does not know to be neighbours.
void note_accesses_of_arguments(llvm::Function &function) {
  std::map<const llvm::Value *, std::vector<AccessLocation>> behind;
  bool writes = false;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    writes |= instruction.mayWriteToMemory();
    const std::optional<SourceAccess> access = access_of(instruction);
    llvm::APInt offset(64, 0);
    const llvm::Value *base = access ? access->pointer->stripAndAccumulateConstantOffsets(
                                           function.getDataLayout(), offset, /*AllowNonInbounds=*/true)
                                     : nullptr;
    if (base && llvm::isa<llvm::Argument>(base))
      behind[base].push_back(access->location);
  }
  for (const auto &[argument, locations] : behind)
    for (const AccessLocation &location : locations) {
      if (!writes || behind.size() > 1)
        raise_uncertainty(Uncertainty::AdjacentAccess, function, location);
      if (!writes && location.kind == AccessLocation::Kind::Load)
        raise_uncertainty(Uncertainty::SourceLine, function, location);
    }
}

/// Of a function that stays one and writes nothing.
bool is_reading_call(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *called = call ? call->getCalledFunction() : nullptr;
  return called && !called->isDeclaration() && called->hasFnAttribute(llvm::Attribute::NoInline) &&
         !called->hasFnAttribute(llvm::Attribute::OptimizeNone) && called->onlyReadsMemory() &&
         !has_inline_ptx(*called);
}

/// An access, and how many calls that are to be looked past come before it.
struct Passed {
  AccessLocation location;
  std::int64_t offset;
  unsigned calls;
};

} // namespace

bool calls_readers(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), is_reading_call);
}

void note_neighbours_across_readers(llvm::Function &function, llvm::ScalarEvolution &evolution) {
  for (llvm::BasicBlock &block : function) {
    if (llvm::none_of(block, is_reading_call))
      continue;
    std::map<std::pair<AccessLocation::Kind, const llvm::SCEV *>, std::vector<Passed>> open;
    unsigned calls = 0;
    for (llvm::Instruction &instruction : block) {
      if (is_reading_call(instruction)) {
        ++calls;
        continue;
      }
      const bool is_access = llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction);
      if (!is_access && instruction.mayWriteToMemory())
        open.clear();
      const std::optional<SourceAccess> access = is_access ? access_of(instruction) : std::nullopt;
      if (!access || instruction.isVolatile())
        continue;
      const llvm::SCEV *base = evolution.getSCEV(access->pointer);
      std::int64_t offset = 0;
      if (const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(base))
        if (const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(sum->getOperand(0))) {
          offset = constant->getAPInt().getSExtValue();
          base = evolution.getMinusSCEV(sum, constant);
        }
      auto &others = open[{access->location.kind, base}];
      for (const Passed &other : others)
        if (other.calls != calls && other.offset != offset &&
            std::abs(other.offset - offset) < static_cast<std::int64_t>(kWidestAccess)) {
          raise_uncertainty(Uncertainty::Vectorisation, function, other.location);
          raise_uncertainty(Uncertainty::Vectorisation, function, access->location);
        }
      others.push_back({access->location, offset, calls});
    }
  }
}

/// Machine code calls device functions only where it must. Whether a call is inlined does not change which addresses are
/// accessed, and the analysis needs them inside the kernel.
bool request_inlining(llvm::Module &module) {
  llvm::SmallPtrSet<const llvm::Function *, 8> recursive;
  llvm::CallGraph graph(module);
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc)
    if (scc->size() > 1 || calls_itself(*scc->front()))
      for (const llvm::CallGraphNode *node : *scc)
        if (node->getFunction())
          recursive.insert(node->getFunction());
  llvm::SmallPtrSet<const llvm::Function *, 8> kernels;
  for (const llvm::Function *kernel : kernels_of(module))
    kernels.insert(kernel);
  bool any = false;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || recursive.count(&function) || kernels.count(&function))
      continue;
    if (function.hasFnAttribute(llvm::Attribute::NoInline)) {
      assume_known_space(function);
      if (!function.hasFnAttribute(llvm::Attribute::OptimizeNone)) { // otherwise Clang's mark at -O0, of every function
        mark_calls(function);
        note_accesses_of_arguments(function);
      }
    }
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    any |= !function.use_empty();
  }
  return any;
}

void unmark_calls(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    if (text && text->getAsmString() == kCallMark) {
      instruction.eraseFromParent();
      kernel.addFnAttr(kHadCalls);
    }
  }
}

bool had_calls(const llvm::Function &kernel) { return kernel.hasFnAttribute(kHadCalls); }

} // namespace smem::lower
