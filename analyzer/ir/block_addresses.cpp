#include "ir/block_addresses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/machine.h"

#include <cctype>

namespace smem {
namespace {

/// Functions of the toolkit that keep no pointer, and return none to such memory.
bool is_harmless(const llvm::Function &function) {
  return llvm::StringSwitch<bool>(function.getName())
      .Cases("vprintf", "__assertfail", "__assert_fail", "malloc", "free", true)
      .Default(false);
}

/// Some instruction of the text begins so.
bool has_instruction(llvm::StringRef ptx, llvm::StringRef beginning) {
  for (std::size_t at = ptx.find(beginning); at != llvm::StringRef::npos; at = ptx.find(beginning, at + 1)) {
    const auto before = static_cast<unsigned char>(at ? ptx[at - 1] : ' ');
    if (!std::isalnum(before) && before != '.' && before != '_' && before != ':')
      return true;
  }
  return false;
}

bool in_block_memory(const llvm::Type &type) {
  return type.isPointerTy() && (type.getPointerAddressSpace() == kShared || type.getPointerAddressSpace() == kLocal ||
                                type.getPointerAddressSpace() == kParameter);
}

bool is_made_of_variable(const llvm::Constant &constant) {
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return variable->getAddressSpace() == kShared;
  return !llvm::isa<llvm::GlobalValue>(constant) && llvm::any_of(constant.operands(), [](const llvm::Value *operand) {
    const auto *part = llvm::dyn_cast<llvm::Constant>(operand);
    return part && is_made_of_variable(*part);
  });
}

/// The call may write the address to memory, or keep it for later.
bool is_kept_by(const llvm::Value &address, const llvm::CallBase &call) {
  if (const auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    const llvm::StringRef ptx = text->getAsmString();
    return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"st.", "atom.", "red."},
                        [&](llvm::StringRef one) { return has_instruction(ptx, one); });
  }
  if (llvm::isa<llvm::IntrinsicInst>(call))
    return !address.getType()->isPointerTy() && call.mayWriteToMemory();
  const llvm::Function *callee = call.getCalledFunction();
  return !callee || !is_harmless(*callee);
}

/// The call may find an address out that it was not given.
bool may_find_out(const llvm::CallBase &call) {
  if (call.getType()->isVoidTy() || llvm::isa<llvm::IntrinsicInst>(call))
    return false;
  if (const auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    const llvm::StringRef ptx = text->getAsmString();
    return ptx.contains("shared") || ptx.contains("smem") || ptx.contains("local") || has_instruction(ptx, "cvta") ||
           has_instruction(ptx, "mapa");
  }
  const llvm::Function *callee = call.getCalledFunction();
  return !callee || !is_harmless(*callee);
}

} // namespace

BlockAddresses::BlockAddresses(const llvm::Function &kernel) {
  for (const llvm::Argument &argument : kernel.args())
    if (argument.hasByValAttr())
      add(argument);
  for (const llvm::Instruction &instruction : llvm::instructions(kernel)) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (llvm::isa<llvm::AllocaInst>(instruction) || in_block_memory(*instruction.getType()) ||
        (call && may_find_out(*call)))
      add(instruction);
    for (const llvm::Value *operand : instruction.operands())
      if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand); constant && is_made_of_variable(*constant))
        use(*constant, instruction);
  }
  llvm::SmallVector<const llvm::Value *> work(known_.begin(), known_.end());
  while (!work.empty()) {
    const llvm::Value *address = work.pop_back_val();
    for (const llvm::User *user : address->users()) {
      const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction || instruction->getFunction() != &kernel)
        continue;
      const bool was_known = known_.contains(instruction);
      use(*address, *instruction);
      if (!was_known && known_.contains(instruction))
        work.push_back(instruction);
    }
  }
}

void BlockAddresses::add(const llvm::Value &value) { known_.insert(&value); }

void BlockAddresses::use(const llvm::Value &address, const llvm::Value &in) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&in)) {
    stored_ |= store->getValueOperand() == &address;
  } else if (const auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&in)) {
    stored_ |= atomic->getValOperand() == &address;
  } else if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&in)) {
    stored_ |= exchange->getNewValOperand() == &address;
  } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&in)) {
    stored_ |= is_kept_by(address, *call);
    add(in);
  } else if (!llvm::isa<llvm::LoadInst, llvm::CmpInst>(in)) {
    add(in);
  }
}

bool BlockAddresses::leads_elsewhere(const llvm::Value &pointer) const {
  if (const auto *constant = llvm::dyn_cast<llvm::Constant>(&pointer))
    return !is_made_of_variable(*constant);
  return !stored_ && !known_.contains(&pointer);
}

} // namespace smem
