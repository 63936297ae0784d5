#include "nvcc/cicc/memory_semantics.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "nvcc/facts/machine.h"

namespace smem {
namespace {

/// LLVM's notes of types for the fields of structures, each of which has a root of its own: what has another may alias it.
class FieldTags {
public:
  explicit FieldTags(llvm::Module &module) : layout_(module.getDataLayout()), builder_(module.getContext()) {}

  llvm::MDNode *of(llvm::StructType &type, unsigned field) {
    const auto [known, fresh] = types_.try_emplace(&type);
    const llvm::StructLayout &offsets = *layout_.getStructLayout(&type);
    if (fresh) {
      const std::string name = "structure " + std::to_string(types_.size());
      known->second.access = builder_.createTBAAScalarTypeNode("field", builder_.createTBAARoot(name));
      std::vector<std::pair<llvm::MDNode *, std::uint64_t>> fields;
      for (unsigned i = 0; i < type.getNumElements(); ++i)
        if (const std::uint64_t at = offsets.getElementOffset(i); fields.empty() || fields.back().second < at)
          fields.emplace_back(known->second.access, at);
      known->second.structure = builder_.createTBAAStructTypeNode(name, fields);
    }
    return builder_.createTBAAStructTagNode(known->second.structure, known->second.access,
                                            offsets.getElementOffset(field));
  }

private:
  struct Type {
    llvm::MDNode *structure = nullptr, *access = nullptr;
  };
  const llvm::DataLayout &layout_;
  llvm::MDBuilder builder_;
  std::map<llvm::StructType *, Type> types_;
};

/// The structure and the number of its field that `pointer` is computed with.
std::optional<std::pair<llvm::StructType *, unsigned>> structure_field_of(llvm::Value &pointer) {
  const auto *address = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  if (!address || address->getNumIndices() < 2)
    return std::nullopt;
  llvm::SmallVector<llvm::Value *, 4> indices(address->idx_begin(), std::prev(address->idx_end()));
  auto *type = llvm::dyn_cast_or_null<llvm::StructType>(
      llvm::GetElementPtrInst::getIndexedType(address->getSourceElementType(), indices));
  const auto *field = llvm::dyn_cast<llvm::ConstantInt>(std::prev(address->idx_end())->get());
  // What is a structure, a union or an array itself is accessed by other types.
  if (!type || !field || !type->getElementType(static_cast<unsigned>(field->getZExtValue()))->isSingleValueType())
    return std::nullopt;
  return std::pair(type, static_cast<unsigned>(field->getZExtValue()));
}

} // namespace

void tell_fields_apart(llvm::Module &module) {
  FieldTags tags(module);
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction))
        if (const auto field = structure_field_of(*pointer))
          instruction.setMetadata(llvm::LLVMContext::MD_tbaa, tags.of(*field->first, field->second));
}

void forget_types(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa_struct, nullptr);
    }
}

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

void free_computing_ptx(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!assembly || assembly->hasSideEffects() || !call->doesNotAccessMemory() ||
          llvm::StringRef(assembly->getAsmString()).contains(".sync"))
        continue;
      call->removeFnAttr(llvm::Attribute::Convergent);
      call->addFnAttr(llvm::Attribute::WillReturn);
    }
}

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
      call->setCalledOperand(llvm::InlineAsm::get(assembly->getFunctionType(), assembly->getAsmString(),
                                                  assembly->getConstraintString(), /*hasSideEffects=*/true));
      call->removeFnAttr(llvm::Attribute::Memory);
    }
  }
}

void align_dynamic_shared(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.isDeclaration() && variable.getAddressSpace() == kShared)
      variable.setAlignment(std::max(llvm::Align(kWidestAccess), variable.getAlign().valueOrOne()));
}

} // namespace smem
