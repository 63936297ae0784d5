#include "nvcc/cicc/initial_values.h"

#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/machine.h"

namespace smem {
namespace {

/// Of one variable, and of all of a module; more are copied.
constexpr std::size_t kMostValuesOfVariable = 1024, kMostValuesOfModule = 1 << 16;

struct Leaf {
  llvm::Constant *value;
  std::uint64_t offset;
};

/// Numbers and pointers in the order of their offsets, one more than the most at most; what is undefined is left out.
void add_leaves(llvm::Constant &value, std::uint64_t offset, const llvm::DataLayout &layout,
                std::vector<Leaf> &leaves) {
  if (llvm::isa<llvm::UndefValue>(value) || leaves.size() > kMostValuesOfVariable)
    return;
  llvm::Type *type = value.getType();
  if (!type->isAggregateType()) {
    leaves.push_back({&value, offset});
    return;
  }
  const auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  const std::uint64_t elements = structure ? structure->getNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < elements && leaves.size() <= kMostValuesOfVariable; ++i)
    add_leaves(*value.getAggregateElement(i),
               offset + (structure
                             ? layout.getStructLayout(const_cast<llvm::StructType *>(structure))->getElementOffset(i)
                             : i * layout.getTypeAllocSize(type->getArrayElementType())),
               layout, leaves);
}

/// The constant that Clang copies to a variable as it begins.
const llvm::GlobalVariable *initial_value(const llvm::MemCpyInst &copy) {
  const auto *from = llvm::dyn_cast<llvm::GlobalVariable>(copy.getRawSource()->stripPointerCasts());
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const bool is_initial = from && length && from->isConstant() && from->hasDefinitiveInitializer() &&
                          from->hasPrivateLinkage() && from->getName().starts_with("__const.") && !copy.isVolatile();
  return is_initial && copy.getDataLayout().getTypeAllocSize(from->getValueType()) == length->getZExtValue() ? from
                                                                                                             : nullptr;
}

/// From there nothing is counted, and what LLVM makes of the copy is loaded from there.
void copy_from_constant_memory(llvm::MemCpyInst &copy, const llvm::GlobalVariable &from) {
  auto *constant =
      new llvm::GlobalVariable(*copy.getModule(), from.getValueType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, const_cast<llvm::Constant *>(from.getInitializer()),
                               from.getName(), /*InsertBefore=*/nullptr, llvm::GlobalValue::NotThreadLocal, kConstant);
  constant->setAlignment(from.getAlign());
  llvm::IRBuilder<>(&copy).CreateMemCpy(copy.getRawDest(), copy.getDestAlign(), constant, from.getAlign(),
                                        copy.getLength());
  copy.eraseFromParent();
}

} // namespace

void write_initial_values(llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  std::size_t written = 0;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
      const llvm::GlobalVariable *from = copy ? initial_value(*copy) : nullptr;
      if (!from)
        continue;
      std::vector<Leaf> leaves;
      add_leaves(*const_cast<llvm::Constant *>(from->getInitializer()), 0, layout, leaves);
      if (leaves.size() > kMostValuesOfVariable || written + leaves.size() > kMostValuesOfModule) {
        copy_from_constant_memory(*copy, *from);
        continue;
      }
      written += leaves.size();
      llvm::IRBuilder<> builder(copy);
      const llvm::Align alignment = copy->getDestAlign().valueOrOne();
      for (const Leaf &leaf : leaves) {
        llvm::Value *to = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy->getRawDest(), leaf.offset);
        builder.CreateAlignedStore(leaf.value, to, llvm::commonAlignment(alignment, leaf.offset));
      }
      copy->eraseFromParent();
    }
}

} // namespace smem
