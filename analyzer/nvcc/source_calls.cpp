#include "nvcc/source_calls.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>

#include "nvcc/facts/kernels.h"

namespace smem {
namespace {

/// A state of cuRAND: `width` is of the units that it is accessed in.
struct RandomState {
  llvm::StringRef type;
  unsigned bytes = 0, width = 0;
};
constexpr RandomState kRandomStates[] = {{"curandStateXORWOW", 48, 64},
                                         {"curandStatePhilox4_32_10", 64, 64},
                                         {"curandStateMRG32k3a", 48, 64},
                                         {"curandStateSobol32", 140, 32}};

/// The state that a function of cuRAND without a body works on; null: it is none, or not followed.
const RandomState *random_state_of(const llvm::Function &function) {
  if (!function.isDeclaration())
    return nullptr;
  const std::string name = llvm::demangle(function.getName());
  const llvm::StringRef text = name;
  if (!text.starts_with("curand") && !text.starts_with("skipahead"))
    return nullptr;
  const auto *known = std::ranges::find_if(
      kRandomStates, [&](const RandomState &state) { return text.contains(state.type.str() + "*"); });
  return known == std::end(kRandomStates) ? nullptr : known;
}

void expand_random_call(llvm::CallInst &call, const RandomState &state, bool reads) {
  llvm::Value *pointer = nullptr;
  for (llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      pointer = argument; // directions of a Sobol sequence come before it
  if (!pointer)
    return;
  llvm::IRBuilder<> builder(&call);
  llvm::Type *unit = builder.getIntNTy(state.width);
  llvm::Module &module = *call.getModule();
  llvm::FunctionCallee next =
      module.getOrInsertFunction(("curand_next_state" + llvm::Twine(state.width)).str(), unit, unit);
  llvm::cast<llvm::Function>(next.getCallee())->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  for (unsigned i = 0; i < state.bytes * 8 / state.width; ++i) {
    llvm::Value *word = builder.CreateConstInBoundsGEP1_32(unit, pointer, i);
    llvm::Value *before = reads ? llvm::cast<llvm::Value>(builder.CreateLoad(unit, word)) : llvm::UndefValue::get(unit);
    builder.CreateStore(builder.CreateCall(next, {before}), word);
  }
}

/// What a pointer to functions may be, and which one it is, as a number.
class Callee {
public:
  explicit Callee(llvm::CallInst &call) : call_(call) { collect(call.getCalledOperand()); }

  bool is_open() const { return open_; }
  std::vector<llvm::Function *> &functions() { return functions_; }

  llvm::Value *number() { return number_of(call_.getCalledOperand()); }

private:
  static llvm::Value *source_of(llvm::Value *value) {
    while (auto *cast = llvm::dyn_cast<llvm::CastInst>(value))
      value = cast->getOperand(0);
    return value->stripPointerCasts();
  }

  void collect(llvm::Value *value) {
    value = source_of(value);
    if (std::ranges::find(seen_, value) != seen_.end())
      return;
    seen_.push_back(value);
    if (auto *function = llvm::dyn_cast<llvm::Function>(value)) {
      functions_.push_back(function);
    } else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value)) {
      for (llvm::Value *incoming : phi->incoming_values())
        collect(incoming);
    } else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value)) {
      collect(select->getTrueValue());
      collect(select->getFalseValue());
    } else {
      open_ |= !leads_nowhere(value);
    }
  }

  /// No launch calls it.
  static bool leads_nowhere(const llvm::Value *value) {
    return llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue, llvm::ConstantInt>(value);
  }

  llvm::Value *number_of(llvm::Value *value) {
    value = source_of(value);
    llvm::Type *type = llvm::Type::getInt32Ty(value->getContext());
    if (const auto known = numbers_.find(value); known != numbers_.end())
      return known->second;
    if (auto *function = llvm::dyn_cast<llvm::Function>(value))
      return numbers_[value] = llvm::ConstantInt::get(
                 type, static_cast<std::uint64_t>(std::ranges::find(functions_, function) - functions_.begin()));
    if (leads_nowhere(value))
      return numbers_[value] = llvm::UndefValue::get(type);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value)) {
      llvm::PHINode *number = llvm::IRBuilder<>(phi).CreatePHI(type, phi->getNumIncomingValues());
      numbers_[value] = number;
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        number->addIncoming(number_of(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
      return number;
    }
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value)) {
      llvm::Value *yes = number_of(select->getTrueValue()), *no = number_of(select->getFalseValue());
      return numbers_[value] = llvm::IRBuilder<>(select).CreateSelect(select->getCondition(), yes, no);
    }
    llvm::Function &kernel = *call_.getFunction();
    llvm::FunctionCallee which = kernel.getParent()->getOrInsertFunction("function_of_pointer", type, value->getType());
    llvm::cast<llvm::Function>(which.getCallee())->setDoesNotAccessMemory();
    auto *definition = llvm::dyn_cast<llvm::Instruction>(value);
    llvm::BasicBlock::iterator at =
        definition ? *definition->getInsertionPointAfterDef() : kernel.getEntryBlock().getFirstInsertionPt();
    llvm::IRBuilder<> builder(at->getParent(), at);
    builder.SetCurrentDebugLocation(call_.getDebugLoc());
    return numbers_[value] = builder.CreateCall(which, {value});
  }

  llvm::CallInst &call_;
  std::vector<llvm::Value *> seen_;
  std::vector<llvm::Function *> functions_;
  std::map<llvm::Value *, llvm::Value *> numbers_;
  bool open_ = false;
};

void add_all_of_type(std::vector<llvm::Function *> &functions, const llvm::CallInst &call, llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.hasAddressTaken() &&
        function.getFunctionType() == call.getFunctionType() &&
        std::ranges::find(functions, &function) == functions.end())
      functions.push_back(&function);
}

bool resolve_indirect_call(llvm::CallInst &call, bool whole_program) {
  constexpr std::size_t kMostValues = 32; ///< functions that a pointer may be to
  Callee callee(call);
  std::vector<llvm::Function *> &functions = callee.functions();
  if (callee.is_open()) {
    if (!whole_program)
      return false;
    add_all_of_type(functions, call, *call.getModule());
  }
  if (functions.empty() || functions.size() > kMostValues ||
      !std::ranges::all_of(functions, [&](llvm::Function *function) {
        return !function->isDeclaration() && llvm::isLegalToPromote(call, function);
      }))
    return false;
  llvm::Value *number = functions.size() > 1 ? callee.number() : nullptr;
  while (functions.size() > 1) {
    llvm::CallBase &direct = llvm::promoteCallWithIfThenElse(call, functions.back());
    auto *branch = llvm::cast<llvm::BranchInst>(direct.getParent()->getSinglePredecessor()->getTerminator());
    llvm::IRBuilder<> builder(branch);
    branch->setCondition(builder.CreateICmpEQ(number, builder.getInt32(static_cast<unsigned>(functions.size() - 1))));
    functions.pop_back();
  }
  llvm::promoteCall(call, functions.front());
  return true;
}

} // namespace

void scope_block_atomics(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !function.getName().contains("atomic"))
      continue;
    const std::string demangled = llvm::demangle(function.getName());
    // `unsigned int atomicAdd_block<unsigned int>(…)`
    llvm::StringRef name = llvm::StringRef(demangled).take_until([](char c) { return c == '<' || c == '('; });
    name = name.take_back(name.size() - (name.rfind(' ') + 1));
    if (!name.starts_with("atomic") || !name.ends_with("_block"))
      continue;
    const llvm::SyncScope::ID block = module.getContext().getOrInsertSyncScopeID("block");
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        update->setSyncScopeID(block);
      else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        exchange->setSyncScopeID(block);
    }
  }
}

void expand_grid_barriers(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !function.getName().contains("grid_group") || !function.getReturnType()->isVoidTy())
      continue;
    const std::string name = llvm::demangle(function.getName());
    if (name != "cooperative_groups::grid_group::sync() const" &&
        !(llvm::StringRef(name).starts_with("cooperative_groups::") &&
          llvm::StringRef(name).ends_with("::grid_group::sync() const")))
      continue;
    const llvm::GlobalValue::LinkageTypes linkage = function.getLinkage();
    function.deleteBody();
    function.setLinkage(linkage);
    function.setSubprogram(nullptr); // what it does is at the line of its call
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
    builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
    builder.CreateIntrinsic(llvm::Intrinsic::nvvm_membar_gl, {}, {})
        ->setMetadata(kGridBarrierMark, llvm::MDNode::get(module.getContext(), {}));
    builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
    builder.CreateRetVoid();
  }
}

void expand_random_numbers(llvm::Module &module) {
  std::vector<std::pair<llvm::Function *, const RandomState *>> all;
  for (llvm::Function &function : module)
    if (const RandomState *state = random_state_of(function))
      all.emplace_back(&function, state);
  for (const auto &[function, state] : all) {
    const bool reads = !llvm::StringRef(llvm::demangle(function->getName())).starts_with("curand_init");
    for (llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == function)
        expand_random_call(*call, *state, reads);
    function->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
  }
}

bool resolve_indirect_calls(llvm::Module &module, bool whole_program) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::Function *kernel : kernels_of(module))
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && !call->isInlineAsm() && !call->getCalledFunction())
        calls.push_back(call);
  bool any = false;
  for (llvm::CallInst *call : calls)
    if (resolve_indirect_call(*call, whole_program))
      any = true;
    else
      call->setMetadata(kUnresolvedCall, llvm::MDNode::get(call->getContext(), {}));
  return any;
}

} // namespace smem
