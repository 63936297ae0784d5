#include "nvcc/cicc/optimise.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <clang/Basic/CodeGenOptions.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/IPO/ArgumentPromotion.h>
#include <llvm/Transforms/IPO/GlobalOpt.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/DivRemPairs.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/MergedLoadStoreMotion.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/SpeculativeExecution.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "nvcc/cicc/access_history.h"
#include "nvcc/cicc/if_conversion.h"
#include "nvcc/cicc/load_sinking.h"
#include "nvcc/cicc/unrolling.h"
#include "nvcc/cicc/is_pass.h"
#include "nvcc/cicc/reconvergence.h"
#include "nvcc/cicc/local_pointers.h"
#include "nvcc/lines/merged_locations.h"
#include "nvcc/cicc/once_written_variables.h"
#include "nvcc/lines/original_locations.h"
#include "nvcc/facts/special_registers.h"

namespace smem {

namespace {

std::unique_ptr<llvm::TargetMachine> make_target(const llvm::Module &module) {
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  if (!target)
    return nullptr;
  std::string cpu;
  for (const llvm::Function &function : module)
    if (const llvm::Attribute attribute = function.getFnAttribute("target-cpu"); attribute.isStringAttribute()) {
      cpu = attribute.getValueAsString().str();
      break;
    }
  return std::unique_ptr<llvm::TargetMachine>(
    target->createTargetMachine(module.getTargetTriple(), cpu, "", llvm::TargetOptions(), std::nullopt));
}

/// The function that a pass has run over, where it was just one.
llvm::Function *function_of(llvm::Any unit) {
  if (const auto *function = llvm::any_cast<const llvm::Function *>(&unit))
    return const_cast<llvm::Function *>(*function);
  if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&unit))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

/// Where nvcc keeps the place of an access that moves, and where it does not: it does where a branch becomes a select, where a store leaves its
/// loop and where two calls of one function become one; it does not where a load leaves its loop.
void keep_places(llvm::PassInstrumentationCallbacks &callbacks) {
  const auto merged = std::make_shared<MergedPlaces>();
  callbacks.registerBeforeNonSkippedPassCallback([merged](llvm::StringRef pass, llvm::Any unit) {
    if (is_pass<llvm::SimplifyCFGPass>(pass))
      if (llvm::Function *function = function_of(unit))
        merged->before(*function);
  });
  callbacks.registerAfterPassCallback([merged](llvm::StringRef pass, llvm::Any unit, const llvm::PreservedAnalyses &preserved) {
    if (preserved.areAllPreserved())
      return;
    if (is_pass<llvm::SimplifyCFGPass>(pass)) {
      if (llvm::Function *function = function_of(unit)) {
        merged->after();
        after_speculation(*function);
        before_hoisting(*function);
      }
    } else if (is_pass<llvm::LICMPass>(pass)) {
      if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&unit)) {
        llvm::SmallVector<llvm::BasicBlock *> exits;
        (*loop)->getExitBlocks(exits);
        after_hoisting(*(*loop)->getHeader()->getParent(), exits);
      }
    }
  });
}

/// Follows accesses through the passes.
void watch(llvm::PassInstrumentationCallbacks &callbacks, AccessHistory &history) {
  callbacks.registerBeforeNonSkippedPassCallback([&history](llvm::StringRef pass, llvm::Any unit) {
    if (llvm::Function *function = function_of(unit))
      history.look_at(*function, pass);
    else
      history.look_at_all();
  });
  callbacks.registerAfterPassCallback([&history](llvm::StringRef pass, llvm::Any unit, const llvm::PreservedAnalyses &preserved) {
    if (pass.contains("PassManager") || pass.contains("Adaptor")) {
      if (llvm::any_cast<const llvm::Function *>(&unit))
        history.settle(*function_of(unit));
      return;
    }
    if (preserved.areAllPreserved())
      return;
    if (llvm::Function *function = function_of(unit))
      history.changed(*function, pass);
    else
      history.forget();
  });
  // Loop passes that did away with their loop.
  callbacks.registerAfterPassInvalidatedCallback([&history](llvm::StringRef pass, const llvm::PreservedAnalyses &) { history.changed(pass); });
}

/// Pointers in local variables, before they are looked through.
void note_local_pointers(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([](llvm::StringRef pass, llvm::Any unit) {
    if (is_pass<llvm::EarlyCSEPass, llvm::GVNPass>(pass))
      if (llvm::Function *function = function_of(unit))
        doubt_local_pointers(*function);
  });
}

/// Clang concludes from the language's promise that loops end that their counters stay in the range of their type, and says so at the sum;
/// nvcc does not.
void keep_wrapping(llvm::PassInstrumentationCallbacks &callbacks) {
  const auto sums_of = [](llvm::Any unit) {
    std::vector<llvm::OverflowingBinaryOperator *> sums;
    if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&unit))
      for (llvm::BasicBlock *block : (*loop)->blocks())
        for (llvm::Instruction &instruction : *block)
          if (instruction.getOpcode() == llvm::Instruction::Add)
            sums.push_back(llvm::cast<llvm::OverflowingBinaryOperator>(&instruction));
    return sums;
  };
  const auto may_wrap = std::make_shared<std::vector<llvm::Instruction *>>();
  callbacks.registerBeforeNonSkippedPassCallback([=](llvm::StringRef pass, llvm::Any unit) {
    if (!is_pass<llvm::IndVarSimplifyPass>(pass))
      return;
    may_wrap->clear();
    for (llvm::OverflowingBinaryOperator *sum : sums_of(unit))
      if (!sum->hasNoSignedWrap())
        may_wrap->push_back(llvm::cast<llvm::Instruction>(sum));
  });
  callbacks.registerAfterPassCallback([=](llvm::StringRef pass, llvm::Any unit, const llvm::PreservedAnalyses &) {
    if (!is_pass<llvm::IndVarSimplifyPass>(pass))
      return;
    for (llvm::OverflowingBinaryOperator *sum : sums_of(unit))
      if (auto *instruction = llvm::cast<llvm::Instruction>(sum); llvm::is_contained(*may_wrap, instruction))
        instruction->setHasNoSignedWrap(false);
  });
}

class NoteLoops : public llvm::PassInfoMixin<NoteLoops> {
public:
  explicit NoteLoops(AccessHistory &history) : history_(&history) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    history_->note_loops(function, analyses);
    return llvm::PreservedAnalyses::all();
  }

private:
  AccessHistory *history_;
};

bool is_read(const llvm::Value &pointer) {
  for (const llvm::Use &use : pointer.uses()) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
    if (store && use.getOperandNo() == store->getPointerOperandIndex())
      continue;
    const bool moves = llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(use.getUser());
    if (!moves || is_read(*use.getUser()))
      return true;
  }
  return false;
}

constexpr llvm::StringRef kReader = "smem_lint.reader";

/// nvcc keeps stores to a shared array that is read somewhere, LLVM drops them where optimisation has removed what reads them: here
/// somebody always does.
void add_reader(llvm::Module &module) {
  constexpr unsigned shared = 3;
  llvm::Function *reader = nullptr;
  llvm::IRBuilder<> builder(module.getContext());
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != shared || !variable.hasLocalLinkage() || !is_read(variable))
      continue;
    if (!reader) {
      reader = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false), llvm::GlobalValue::ExternalLinkage, kReader, module);
      builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", reader));
    }
    builder.CreateLoad(builder.getInt8Ty(), &variable, /*isVolatile=*/true);
  }
  if (reader)
    builder.CreateRetVoid();
}

struct AddReader : llvm::PassInfoMixin<AddReader> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    add_reader(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct ReplaceOnceWritten : llvm::PassInfoMixin<ReplaceOnceWritten> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    return replace_once_written(module) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

void remove_reader(llvm::Module &module) {
  if (llvm::Function *reader = module.getFunction(kReader))
    reader->eraseFromParent();
}

/// `threadIdx.x` is a register to nvcc, and a function that reads it to Clang. Hoisting must see the register. But two readings are not yet the same then:
/// nvcc has branches left that compare them.
struct ReadRegisters : llvm::PassInfoMixin<ReadRegisters> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function *getter = call ? call->getCalledFunction() : nullptr;
      if (llvm::Function *read = getter && getter != &function ? register_read_by(*getter) : nullptr) {
        llvm::IRBuilder<> builder(call); // with its place
        call->replaceAllUsesWith(builder.CreateCall(read));
        call->eraseFromParent();
      }
    }
    return llvm::PreservedAnalyses::none();
  }
};

/// nvcc lets a store of one type interfere with loads of another.
void forget_types(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa_struct, nullptr);
    }
}

/// CUDA's atomics order nothing but themselves: nvcc keeps in registers what was loaded in front of one. Clang's builtins make ordered ones of them.
void relax_atomics(llvm::Module &module) {
  constexpr auto relaxed = llvm::AtomicOrdering::Monotonic;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        atomic->setOrdering(relaxed);
      } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        exchange->setSuccessOrdering(relaxed);
        exchange->setFailureOrdering(relaxed);
      }
}

/// To nvcc inline PTX that is neither volatile nor touches memory is a computation like others: loops around it unroll, and what nobody uses goes.
/// Clang takes every statement for one that lanes may have to reach together.
void free_computing_ptx(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!assembly || assembly->hasSideEffects() || !call->doesNotAccessMemory() || llvm::StringRef(assembly->getAsmString()).contains(".sync"))
        continue;
      call->removeFnAttr(llvm::Attribute::Convergent);
      call->addFnAttr(llvm::Attribute::WillReturn);
    }
}

/// Clang's own headers have atomics of vectors as assembly that only computes; nvcc's are no assembly and always happen.
void keep_vector_atomics(llvm::Module &module) {
  for (llvm::Function &function : module) {
    const llvm::DISubprogram *source = function.getSubprogram();
    if (!source || !source->getFilename().ends_with("__clang_cuda_intrinsics.h"))
      continue;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!assembly || assembly->hasSideEffects() || !llvm::StringRef(assembly->getAsmString()).starts_with("atom."))
        continue;
      call->setCalledOperand(llvm::InlineAsm::get(assembly->getFunctionType(), assembly->getAsmString(), assembly->getConstraintString(), /*hasSideEffects=*/true));
      call->removeFnAttr(llvm::Attribute::Memory);
    }
  }
}

llvm::OptimizationLevel level_of(const clang::CodeGenOptions &options) {
  if (options.OptimizeSize)
    return options.OptimizeSize == 1 ? llvm::OptimizationLevel::Os : llvm::OptimizationLevel::Oz;
  switch (options.OptimizationLevel) {
  case 0: return llvm::OptimizationLevel::O0;
  case 1: return llvm::OptimizationLevel::O1;
  case 2: return llvm::OptimizationLevel::O2;
  default: return llvm::OptimizationLevel::O3;
  }
}

} // namespace

void optimise_as_nvcc(llvm::Module &module, const clang::CodeGenOptions &options, const IsHeader &is_header, std::stop_token stop) {
  const std::unique_ptr<llvm::TargetMachine> target = make_target(module);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = options.UnrollLoops;
  tuning.LoopInterleaving = tuning.LoopVectorization = tuning.SLPVectorization = false; // nvcc has no such vectorisers
  llvm::PassInstrumentationCallbacks callbacks;
  forget_types(module);
  relax_atomics(module);
  keep_vector_atomics(module);
  free_computing_ptx(module);
  remember_places(module);
  name_functions_for_doubts(module, is_header);
  keep_joins(callbacks);
  keep_places(callbacks);
  keep_wrapping(callbacks);
  note_local_pointers(callbacks);
  AccessHistory history;
  watch(callbacks, history);
  // The first would merge the stores of both blocks of a branch, the second take vector loads apart, the third hide how large a remainder can
  // be before loops are unrolled, the fourth drop what only unused bits come from, however far from there, the fifth empty blocks that loads go
  // to, the sixth move loads out of a function to the lines that call it, the last tell how large threadIdx can be: nvcc does none of it.
  // llvm_settings.h makes sure of the name that is none of LLVM's headers.
  callbacks.registerShouldRunOptionalPassCallback([stop](llvm::StringRef pass, llvm::Any) {
    return !stop.stop_requested() &&
           !is_pass<llvm::MergedLoadStoreMotionPass, llvm::VectorCombinePass, llvm::DivRemPairsPass, llvm::BDCEPass, llvm::SpeculativeExecutionPass,
                    llvm::ArgumentPromotionPass>(pass) && pass != "NVVMIntrRangePass";
  });
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(target.get(), tuning, std::nullopt, &callbacks);
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
    if (level.getSpeedupLevel() >= 2)
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(KeepDearArms()));
  });
  // nvcc hoists what both ways out of a block begin with before it rotates loops, too: what a loop's body and the code behind it load.
  builder.registerPipelineEarlySimplificationEPCallback([&history](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
    if (level.getSpeedupLevel() < 2) {
      passes.addPass(AddReader());
      return;
    }
    llvm::FunctionPassManager early;
    early.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    early.addPass(llvm::EarlyCSEPass());
    early.addPass(ReadRegisters());
    early.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().hoistCommonInsts(true)));
    early.addPass(KeepLoadingArms());
    early.addPass(NoteArms());
    early.addPass(NoteLoops(history));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(early)));
    // nvcc's takes small shared arrays apart, too, and drops what is not read by now.
    passes.addPass(llvm::GlobalOptPass());
    passes.addPass(ReplaceOnceWritten());
    passes.addPass(AddReader());
  });
  builder.registerPeepholeEPCallback([](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) { passes.addPass(ReleaseArms(ReleaseArms::Which::Cheap)); });
  builder.registerLateLoopOptimizationsEPCallback([](llvm::LoopPassManager &passes, llvm::OptimizationLevel) { passes.addPass(ChooseWholeLoops()); });
  builder.registerScalarOptimizerLateEPCallback([](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) { passes.addPass(ReleaseArms(ReleaseArms::Which::All)); });
  builder.registerVectorizerStartEPCallback(
    [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) { passes.addPass(ForgetUnrollOfUnknownLength()); });
  builder.registerOptimizerLastEPCallback([unrolls = tuning.LoopUnrolling](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
    if (level.getSpeedupLevel() < 2)
      return;
    llvm::FunctionPassManager late;
    // Inner loops whose length is known only since the loop around them has been unrolled.
    late.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(static_cast<int>(level.getSpeedupLevel()), /*OnlyWhenForced=*/!unrolls)));
    late.addPass(UnrollAsNvcc());
    late.addPass(llvm::InstCombinePass());
    late.addPass(llvm::ReassociatePass());
    late.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    late.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
    late.addPass(llvm::SimplifyCFGPass());
    late.addPass(SinkAsNvcc());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(late)));
  });
  const llvm::TargetLibraryInfoImpl library{llvm::Triple(module.getTargetTriple())};
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  const llvm::OptimizationLevel level = level_of(options);
  llvm::ModulePassManager passes =
    level == llvm::OptimizationLevel::O0 ? builder.buildO0DefaultPipeline(level) : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  remove_reader(module);
  release_all_arms(module);
  forget_places(module);
  history.conclude(module);
}

} // namespace smem
