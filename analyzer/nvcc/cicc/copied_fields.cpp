#include "nvcc/cicc/copied_fields.h"

#include <optional>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

/// One side of a copy.
struct Side {
  llvm::Value *pointer = nullptr;
  std::int64_t bytes = 0;
  const llvm::Instruction *copy = nullptr;
};

bool is_whole(const llvm::Type *type) { return type->isAggregateType() || type->isVectorTy(); }

class CopiedFields {
public:
  CopiedFields(llvm::Function &kernel, llvm::ScalarEvolution &evolution)
      : kernel_(kernel), layout_(kernel.getDataLayout()), evolution_(evolution) {}

  void run() {
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (llvm::isa<llvm::MemSetInst>(instruction)) // zeros in a structure with padding nvcc stores field by field
        raise_uncertainty(Uncertainty::StructureCopy, kernel_,
                          {AccessLocation::Kind::Store, instruction.getDebugLoc().get()});
      else
        find_sides(instruction);
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        copied_by_bytes(*load);
        if (!is_whole(load->getType()))
          read_field(*load);
      }
  }

private:
  void find_sides(llvm::Instruction &instruction) {
    if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
      if (const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength()))
        for (llvm::Value *pointer : {copy->getRawDest(), copy->getRawSource()})
          add({pointer, length->getSExtValue(), copy});
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && is_whole(load->getType())) {
      add({load->getPointerOperand(), size_of(load->getType()), load});
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               store && store->getValueOperand()->getType()->isAggregateType()) {
      add({store->getPointerOperand(), size_of(store->getValueOperand()->getType()), store});
    }
  }

  void add(Side side) { sides_[llvm::getUnderlyingObject(side.pointer)].push_back(side); }

  void read_field(const llvm::LoadInst &load) {
    const auto of_object = sides_.find(llvm::getUnderlyingObject(load.getPointerOperand()));
    if (of_object == sides_.end())
      return;
    for (const Side &side : of_object->second) {
      const std::optional<std::int64_t> offset = distance(side.pointer, load.getPointerOperand());
      if (!offset || *offset < 0 || *offset >= side.bytes)
        continue;
      raise_uncertainty(Uncertainty::StructureCopy, kernel_, {AccessLocation::Kind::Load, load.getDebugLoc().get()});
      for (const AccessLocation::Kind kind : {AccessLocation::Kind::Load, AccessLocation::Kind::Store})
        raise_uncertainty(Uncertainty::StructureCopy, kernel_, {kind, side.copy->getDebugLoc().get()});
    }
  }

  /// A copy that goes byte by byte: the end of a structure that no field fills, say. How bytes are put together again is not followed.
  void copied_by_bytes(const llvm::LoadInst &load) {
    if (!load.getType()->isIntegerTy(8) || !load.hasOneUse())
      return;
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(load.user_back());
    const llvm::LoadInst *before = neighbour(load);
    if (!store || store->getValueOperand() != &load || !before ||
        distance(before->getPointerOperand(), load.getPointerOperand()) != size_of(before->getType()))
      return;
    raise_uncertainty(Uncertainty::StructureCopy, kernel_, {AccessLocation::Kind::Load, load.getDebugLoc().get()});
    raise_uncertainty(Uncertainty::StructureCopy, kernel_, {AccessLocation::Kind::Store, store->getDebugLoc().get()});
  }

  /// The load before one, if it is of the same source location.
  static const llvm::LoadInst *neighbour(const llvm::LoadInst &load) {
    for (const llvm::Instruction *before = load.getPrevNode(); before; before = before->getPrevNode())
      if (const auto *other = llvm::dyn_cast<llvm::LoadInst>(before))
        return other->getDebugLoc() == load.getDebugLoc() ? other : nullptr;
    return nullptr;
  }

  /// Bytes from one address to another; nullopt if they are no constant.
  std::optional<std::int64_t> distance(const llvm::Value *from, const llvm::Value *to) const {
    if (from->getType() != to->getType() || llvm::getUnderlyingObject(from) != llvm::getUnderlyingObject(to))
      return std::nullopt;
    const llvm::SCEV *difference = evolution_.getMinusSCEV(evolution_.getSCEV(const_cast<llvm::Value *>(to)),
                                                           evolution_.getSCEV(const_cast<llvm::Value *>(from)));
    const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(difference);
    return constant ? std::optional(constant->getAPInt().getSExtValue()) : std::nullopt;
  }

  std::int64_t size_of(llvm::Type *type) const {
    return static_cast<std::int64_t>(layout_.getTypeStoreSize(type).getFixedValue());
  }

  llvm::Function &kernel_;
  const llvm::DataLayout &layout_;
  llvm::ScalarEvolution &evolution_;
  llvm::DenseMap<const llvm::Value *, std::vector<Side>> sides_; ///< by the object
};

} // namespace

void note_copied_field_accesses(llvm::Function &kernel, llvm::ScalarEvolution &evolution) {
  CopiedFields(kernel, evolution).run();
}

} // namespace smem::lower
