#include "nvcc/pipeline.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/NaryReassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/StraightLineStrengthReduce.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Vectorize/LoadStoreVectorizer.h>

#include "nvcc/cicc/copied_fields.h"
#include "nvcc/uncertain_accesses.h"
#include "nvcc/ptxas/dead_inline_ptx.h"
#include "nvcc/ptxas/inline_ptx_accesses.h"
#include "nvcc/cicc/memory_intrinsics.h"
#include "nvcc/ptxas/vectorise.h"
#include "nvcc/cicc/store_sinking.h"
#include "nvcc/cicc/gap_fill.h"
#include "nvcc/lines/merged_store_lines.h"
#include "nvcc/cicc/demanded_bytes.h"
#include "nvcc/ptxas/simplify.h"
#include "nvcc/ptxas/split_vectors.h"
#include "smem/shared_layout.h"
#include "nvcc/uncertainty.h"
#include "nvcc/cicc/reconvergence.h"
#include "nvcc/cicc/once_written_variables.h"

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
}

namespace smem::lower {
namespace {

constexpr unsigned kGeneric = 0, kGlobal = 1, kShared = 3;

std::unique_ptr<llvm::TargetMachine> make_target(const llvm::Module &module) {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    return true;
  }();
  (void)initialised;
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget("nvptx64-nvidia-cuda", error);
  if (!target)
    return nullptr;
  std::string cpu = "sm_80";
  for (const llvm::Function &function : module)
    if (const llvm::Attribute attribute = function.getFnAttribute("target-cpu"); attribute.isStringAttribute()) {
      cpu = attribute.getValueAsString().str();
      break;
    }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine("nvptx64-nvidia-cuda", cpu, "", llvm::TargetOptions(), std::nullopt,
                                                                          std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

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
    if ((update && update->getPointerAddressSpace() == kGeneric) || (exchange && exchange->getPointerAddressSpace() == kGeneric))
      if (const std::optional<SourceAccess> access = access_of(instruction))
        raise(Doubt::Space, function, access->place);
  }
}

constexpr llvm::StringRef kCallMark = "// smem-lint: call";

/// nvcc neither merges nor drops accesses across the call of a function that is not to be inlined, although here the call will be gone.
void mark_calls(llvm::Function &function) {
  llvm::InlineAsm *mark = llvm::InlineAsm::get(llvm::FunctionType::get(llvm::Type::getVoidTy(function.getContext()), false), kCallMark, "~{memory}", /*hasSideEffects=*/true);
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == &function) {
      llvm::IRBuilder<>(call).CreateCall(mark);
      llvm::IRBuilder<>(call->getNextNode()).CreateCall(mark);
    }
}

void unmark_calls(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    if (text && text->getAsmString() == kCallMark)
      instruction.eraseFromParent();
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
      if (!function.hasFnAttribute(llvm::Attribute::OptimizeNone)) // otherwise Clang's mark at -O0, of every function
        mark_calls(function);
    }
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    any |= !function.use_empty();
  }
  return any;
}

void mark_global(llvm::Value *pointer, llvm::Instruction *before) {
  llvm::IRBuilder<> builder(before);
  llvm::Value *global = builder.CreateAddrSpaceCast(pointer, llvm::PointerType::get(builder.getContext(), kGlobal));
  llvm::Value *generic = builder.CreateAddrSpaceCast(global, pointer->getType());
  pointer->replaceUsesWithIf(generic, [&](llvm::Use &use) { return use.getUser() != global; });
}

/// The driver hands kernels global pointers only, whether as parameters or inside structures passed by value.
void mark_kernel_pointers(llvm::Function &kernel) {
  for (llvm::Argument &argument : kernel.args()) {
    if (!argument.getType()->isPointerTy() || argument.use_empty())
      continue;
    if (!argument.hasByValAttr()) {
      if (argument.getType()->getPointerAddressSpace() == kGeneric)
        mark_global(&argument, &*kernel.getEntryBlock().getFirstInsertionPt());
      continue;
    }
  }
  std::vector<llvm::LoadInst *> loads;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->getType()->isPointerTy() && load->getType()->getPointerAddressSpace() == kGeneric) {
      const auto *base = llvm::dyn_cast<llvm::Argument>(load->getPointerOperand()->stripInBoundsOffsets());
      if (base && base->hasByValAttr())
        loads.push_back(load);
    }
  for (llvm::LoadInst *load : loads)
    mark_global(load, load->getNextNode());
}

bool is_only_read(const llvm::Value &pointer) {
  for (const llvm::User *user : pointer.users()) {
    if (llvm::isa<llvm::LoadInst>(user))
      continue;
    if (llvm::isa<llvm::GetElementPtrInst>(user) && is_only_read(*user))
      continue;
    if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
      if (intrinsic->isAssumeLikeIntrinsic())
        continue;
      if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic); copy && copy->getDest() != &pointer)
        continue;
    }
    return false;
  }
  return true;
}

/// Parameters live in constant memory; a kernel that indexes one dynamically or writes to it works on a local copy.
void copy_written_parameters(llvm::Function &kernel) {
  for (llvm::Argument &argument : kernel.args()) {
    if (!argument.hasByValAttr() || is_only_read(argument))
      continue;
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    llvm::Type *type = argument.getParamByValType();
    llvm::AllocaInst *copy = builder.CreateAlloca(type);
    copy->setAlignment(argument.getParamAlign().valueOrOne());
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, argument.getParamAlign(),
                         kernel.getDataLayout().getTypeAllocSize(type).getFixedValue());
  }
}

/// A launch that aborts has no counts: what leads to an abort only is not taken.
void drop_aborts(llvm::Function &kernel) {
  std::vector<llvm::CallInst *> ends; // the first of each block: what follows goes with it
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call)
      continue;
    if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
      if (llvm::StringRef(assembly->getAsmString()).trim() == "trap;" && (ends.empty() || ends.back()->getParent() != call->getParent()))
        ends.push_back(call);
      continue;
    }
    const llvm::Function *callee = call->getCalledFunction();
    if (!callee)
      continue;
    const bool aborts = callee->getIntrinsicID() == llvm::Intrinsic::trap || callee->getName() == "__assertfail" || callee->getName() == "__assert_fail";
    if (aborts && (ends.empty() || ends.back()->getParent() != call->getParent()))
      ends.push_back(call);
  }
  for (llvm::CallInst *call : ends)
    llvm::changeToUnreachable(call);
}

SharedPlaces place_arrays(const llvm::Function &kernel) {
  const std::vector<llvm::GlobalVariable *> variables = shared_arrays_of(kernel);
  std::vector<SharedArray> arrays;
  for (const llvm::GlobalVariable *variable : variables) {
    SharedArray &array = arrays.emplace_back();
    array.size = variable->getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
    array.alignment = variable->getAlign() ? variable->getAlign()->value() : variable->getDataLayout().getPreferredAlign(variable).value();
    array.dynamic = variable->isDeclaration();
  }
  const SharedLayout layout = layout_shared(arrays, *find_architecture("sm_90"));
  SharedPlaces places;
  for (std::size_t i = 0; i < variables.size(); ++i)
    places[variables[i]] = layout.offset[i];
  return places;
}

class Pipeline {
public:
  explicit Pipeline(llvm::TargetMachine *target) : builder_(target, llvm::PipelineTuningOptions(), std::nullopt, &callbacks_) {
    keep_joins(callbacks_);
    functions_.registerPass([this] { return builder_.buildDefaultAAPipeline(); });
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(sccs_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  }

  void inline_all(llvm::Module &module) {
    llvm::ModulePassManager passes;
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
    passes.run(module, modules_);
  }

  /// What an inliner is followed by: the callee's locals and its pointers' address spaces dissolve.
  void simplify(llvm::Function &kernel) {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    run(passes, kernel);
  }

  void infer_spaces(llvm::Function &kernel) {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::InferAddressSpacesPass(kGeneric));
    run(passes, kernel);
  }

  void find_doubts(llvm::Function &kernel) {
    find_doubtful_accesses(kernel, functions_.getResult<llvm::DominatorTreeAnalysis>(kernel), functions_.getResult<llvm::LoopAnalysis>(kernel),
                           functions_.getResult<llvm::UniformityInfoAnalysis>(kernel), functions_.getResult<llvm::ScalarEvolutionAnalysis>(kernel));
    functions_.clear(kernel, kernel.getName());
  }

  void doubt_copies(llvm::Function &kernel) {
    doubt_copied_fields(kernel, functions_.getResult<llvm::ScalarEvolutionAnalysis>(kernel));
    functions_.clear(kernel, kernel.getName());
  }

  void merge_arms(llvm::Function &kernel) {
    merge_branch_arms(kernel, functions_.getResult<llvm::UniformityInfoAnalysis>(kernel));
    functions_.clear(kernel, kernel.getName());
  }

  /// As the NVPTX back end begins: addresses are brought to a common base and a constant, duplicates go.
  void split_addresses(llvm::Function &kernel) {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SeparateConstOffsetFromGEPPass());
    passes.addPass(llvm::StraightLineStrengthReducePass());
    passes.addPass(llvm::GVNPass());
    passes.addPass(llvm::NaryReassociatePass());
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    run(passes, kernel);
  }

  /// Neighbours merge where the source declares the alignment.
  void merge_aligned(llvm::Function &kernel) {
    merge_with_gaps(kernel, functions_.getResult<llvm::AAManager>(kernel));
    functions_.clear(kernel, kernel.getName());
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::InferAlignmentPass());
    passes.addPass(llvm::LoadStoreVectorizerPass());
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    MergedStorePlaces places(kernel);
    run(passes, kernel);
    places.put_back();
  }

  void infer_alignment(llvm::Function &kernel) {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::InferAlignmentPass());
    run(passes, kernel);
  }

  /// Loads of what was loaded or stored just before, and stores that the next ones overwrite.
  void remove_redundant(llvm::Function &kernel) {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(llvm::DSEPass());
    run(passes, kernel);
  }

  void tidy(llvm::Function &kernel) {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
    passes.addPass(llvm::SimplifyCFGPass());
    run(passes, kernel);
    llvm::removeUnreachableBlocks(kernel);
  }

private:
  void run(llvm::FunctionPassManager &passes, llvm::Function &kernel) {
    functions_.invalidate(kernel, passes.run(kernel, functions_));
    functions_.clear(kernel, kernel.getName());
  }

  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::PassBuilder builder_;
};

/// Functions whose code `variable`, through constant expressions or not, is part of.
bool is_used_in(const llvm::Value &value, const llvm::Function &function, llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  for (const llvm::User *user : value.users()) {
    if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      if (instruction->getFunction() == &function)
        return true;
    } else if (llvm::isa<llvm::Constant>(user) && seen.insert(user).second && is_used_in(*user, function, seen)) {
      return true;
    }
  }
  return false;
}

bool has_constant_offsets_only(const llvm::Value &pointer) {
  return llvm::all_of(pointer.users(), [](const llvm::User *user) {
    if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(user))
      return gep->hasAllConstantIndices() && has_constant_offsets_only(*gep);
    if (llvm::isa<llvm::AddrSpaceCastOperator>(user))
      return has_constant_offsets_only(*user);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    return llvm::isa<llvm::LoadInst>(user) || (store && !llvm::isa<llvm::PointerType>(store->getValueOperand()->getType()));
  });
}

/// Small arrays and structures all of whose accesses have constant indices become variables of their elements; LLVM has done so
/// already where their names end with a number.
bool falls_apart(const llvm::GlobalVariable &variable) {
  constexpr unsigned most_elements = 16;
  const auto [name, number] = variable.getName().rsplit('.');
  if (!number.empty() && llvm::all_of(number, llvm::isDigit))
    return true;
  const llvm::Type *type = variable.getValueType();
  const bool small = (type->isArrayTy() && type->getArrayNumElements() <= most_elements) || (type->isStructTy() && type->getStructNumElements() <= most_elements);
  return small && !variable.isDeclaration() && has_constant_offsets_only(variable);
}

} // namespace

std::vector<llvm::Function *> kernels_of(const llvm::Module &module) {
  llvm::SmallPtrSet<const llvm::Function *, 8> annotated;
  if (const llvm::NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    for (const llvm::MDNode *node : annotations->operands())
      for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
        const auto *key = llvm::dyn_cast<llvm::MDString>(node->getOperand(i));
        const auto *function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
        if (function && key && key->getString() == "kernel")
          annotated.insert(function);
      }
  std::vector<llvm::Function *> kernels;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && (function.getCallingConv() == llvm::CallingConv::PTX_Kernel || annotated.count(&function)))
      kernels.push_back(const_cast<llvm::Function *>(&function));
  return kernels;
}

std::vector<llvm::GlobalVariable *> shared_arrays_of(const llvm::Function &kernel) {
  std::vector<llvm::GlobalVariable *> arrays;
  llvm::SmallPtrSet<const llvm::GlobalVariable *, 8> spanned;
  for (const llvm::Instruction &instruction : llvm::instructions(kernel))
    for (const llvm::GlobalVariable *variable : spanned_arrays(instruction))
      spanned.insert(variable);
  for (const llvm::GlobalVariable &variable : kernel.getParent()->globals()) {
    llvm::SmallPtrSet<const llvm::Value *, 16> seen;
    if (variable.getAddressSpace() == kShared && (spanned.contains(&variable) || is_used_in(variable, kernel, seen)))
      arrays.push_back(const_cast<llvm::GlobalVariable *>(&variable));
  }
  // What falls apart into variables of its elements lies behind all others.
  const auto whole = [](const llvm::GlobalVariable *variable) { return !falls_apart(*variable); };
  std::stable_partition(arrays.begin(), arrays.end(), whole);
  return arrays;
}

void model_compiler(llvm::Module &module, std::stop_token stop) {
  const std::unique_ptr<llvm::TargetMachine> target = make_target(module);
  Pipeline pipeline(target.get());
  const bool inlining = request_inlining(module);
  if (inlining) {
    pipeline.inline_all(module);
    for (llvm::Function *kernel : kernels_of(module)) {
      inherit_doubts(*kernel);
      pipeline.simplify(*kernel);
    }
  }
  replace_once_written(module);
  for (llvm::Function *kernel : kernels_of(module)) {
    if (stop.stop_requested())
      return;
    copy_written_parameters(*kernel);
    mark_kernel_pointers(*kernel);
    pipeline.infer_spaces(*kernel);
    expand_memory_intrinsics(*kernel, Copies::Early);
    expand_inline_ptx(*kernel);
    drop_unused_ptx(*kernel);
    pipeline.find_doubts(*kernel);
    pipeline.merge_arms(*kernel);
    split_vectors(*kernel);
    pipeline.split_addresses(*kernel);
    narrow_loads(*kernel);
    pipeline.doubt_copies(*kernel);
    pipeline.merge_aligned(*kernel);
    if (expand_memory_intrinsics(*kernel, Copies::All))
      pipeline.infer_alignment(*kernel);
    if (simplify_as_ptxas(*kernel))
      pipeline.remove_redundant(*kernel);
    merge_accesses(*kernel, place_arrays(*kernel));
    drop_aborts(*kernel);
    pipeline.tidy(*kernel);
    unmark_calls(*kernel);
  }
}

} // namespace smem::lower
