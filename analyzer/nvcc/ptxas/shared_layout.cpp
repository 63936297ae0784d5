#include "nvcc/ptxas/shared_layout.h"

#include <algorithm>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "nvcc/access_record.h"
#include "nvcc/facts/machine.h"
#include "smem/shared_layout.h"

namespace smem::lower {
namespace {

/// The variables that the kernel's code names, through constant expressions or not.
llvm::SmallPtrSet<const llvm::GlobalVariable *, 8> variables_of(const llvm::Function &kernel) {
  llvm::SmallPtrSet<const llvm::GlobalVariable *, 8> variables;
  llvm::SmallPtrSet<const llvm::Constant *, 32> seen;
  llvm::SmallVector<const llvm::Constant *> left;
  const auto visit = [&](const llvm::User &user) {
    for (const llvm::Use &operand : user.operands())
      if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand.get());
          constant && seen.insert(constant).second)
        left.push_back(constant);
  };
  for (const llvm::Instruction &instruction : llvm::instructions(kernel))
    visit(instruction);
  while (!left.empty()) {
    const llvm::Constant *constant = left.pop_back_val();
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant))
      variables.insert(variable);
    else if (!llvm::isa<llvm::GlobalValue>(constant))
      visit(*constant);
  }
  return variables;
}

bool has_constant_offsets_only(const llvm::Value &pointer) {
  return llvm::all_of(pointer.users(), [](const llvm::User *user) {
    if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(user))
      return gep->hasAllConstantIndices() && has_constant_offsets_only(*gep);
    if (llvm::isa<llvm::AddrSpaceCastOperator>(user))
      return has_constant_offsets_only(*user);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    return llvm::isa<llvm::LoadInst>(user) ||
           (store && !llvm::isa<llvm::PointerType>(store->getValueOperand()->getType()));
  });
}

/// Small arrays and structures all of whose accesses have constant indices become variables of their elements; LLVM has done so
/// already where their names end with a number.
bool falls_apart(const llvm::GlobalVariable &variable, unsigned most_elements) {
  const auto [name, number] = variable.getName().rsplit('.');
  if (!number.empty() && llvm::all_of(number, llvm::isDigit))
    return true;
  const llvm::Type *type = variable.getValueType();
  const bool small = (type->isArrayTy() && type->getArrayNumElements() <= most_elements) ||
                     (type->isStructTy() && type->getStructNumElements() <= most_elements);
  return small && !variable.isDeclaration() && has_constant_offsets_only(variable);
}

} // namespace

std::vector<llvm::GlobalVariable *> shared_arrays_of(const llvm::Function &kernel, unsigned scalarised_elements) {
  std::vector<llvm::GlobalVariable *> arrays;
  llvm::SmallPtrSet<const llvm::GlobalVariable *, 8> used = variables_of(kernel);
  for (const llvm::Instruction &instruction : llvm::instructions(kernel))
    if (const AccessRecord record = record_of(instruction); record.arrays)
      used.insert(record.arrays->begin(), record.arrays->end());
  for (const llvm::GlobalVariable &variable : kernel.getParent()->globals())
    if (variable.getAddressSpace() == kShared && used.contains(&variable))
      arrays.push_back(const_cast<llvm::GlobalVariable *>(&variable));
  // What falls apart into variables of its elements lies behind all others.
  const auto whole = [&](const llvm::GlobalVariable *variable) { return !falls_apart(*variable, scalarised_elements); };
  std::stable_partition(arrays.begin(), arrays.end(), whole);
  return arrays;
}

SharedOffsets lay_out_shared_arrays(const llvm::Function &kernel, unsigned scalarised_elements) {
  const std::vector<llvm::GlobalVariable *> variables = shared_arrays_of(kernel, scalarised_elements);
  std::vector<SharedArray> arrays;
  for (const llvm::GlobalVariable *variable : variables) {
    SharedArray &array = arrays.emplace_back();
    array.size = variable->getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
    array.alignment = variable->getAlign() ? variable->getAlign()->value()
                                           : variable->getDataLayout().getPreferredAlign(variable).value();
    array.dynamic = variable->isDeclaration();
  }
  const SharedLayout layout = layout_shared(arrays, *find_architecture("sm_90"));
  SharedOffsets offsets;
  for (std::size_t i = 0; i < variables.size(); ++i)
    offsets[variables[i]] = layout.offset[i];
  return offsets;
}

} // namespace smem::lower
