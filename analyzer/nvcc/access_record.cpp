#include "nvcc/access_record.h"

#include <algorithm>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Metadata.h>

namespace smem {

namespace {

constexpr llvm::StringRef kRecord = "smem_lint.access";

// The fields of the node, in their order; null where one has nothing to say.
enum : unsigned { kAssumed, kPlaceInRow, kArrays, kInlinePtx, kPastL1, kFields };
constexpr llvm::StringRef kStatement = "statement", kReadOnlyLoad = "read-only load", kBypasses = "past L1";

template <typename Item> const Item *field(const llvm::MDNode &node, unsigned index) {
  return llvm::dyn_cast_or_null<Item>(node.getOperand(index).get());
}

} // namespace

AccessRecord record_of(const llvm::Instruction &access) {
  AccessRecord record;
  const llvm::MDNode *node = access.getMetadata(kRecord);
  if (!node || node->getNumOperands() != kFields)
    return record;
  if (const auto *ids = field<llvm::MDTuple>(*node, kAssumed))
    for (const llvm::MDOperand &id : ids->operands())
      if (const auto *known = find_uncertainty(llvm::cast<llvm::MDString>(id)->getString())) // else of another version
        record.assumed.push_back(known->kind);
  if (const auto *bytes = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(kPlaceInRow)))
    record.place_in_row = static_cast<std::uint32_t>(bytes->getZExtValue());
  if (const auto *arrays = field<llvm::MDTuple>(*node, kArrays)) {
    record.arrays.emplace();
    for (const llvm::MDOperand &array : arrays->operands())
      if (const auto *variable = llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(array))
        record.arrays->push_back(variable);
  }
  if (const auto *text = field<llvm::MDString>(*node, kInlinePtx))
    record.inline_ptx =
        text->getString() == kReadOnlyLoad ? AccessRecord::InlinePtx::ReadOnlyLoad : AccessRecord::InlinePtx::Statement;
  record.past_l1 = field<llvm::MDString>(*node, kPastL1) != nullptr;
  return record;
}

void set_record(llvm::Instruction &access, const AccessRecord &record) {
  if (record == AccessRecord()) {
    access.setMetadata(kRecord, nullptr);
    return;
  }
  llvm::LLVMContext &context = access.getContext();
  llvm::Metadata *fields[kFields] = {};
  llvm::SmallVector<llvm::Metadata *> items;
  for (const Uncertainty kind : record.assumed)
    items.push_back(llvm::MDString::get(context, info_of(kind).id));
  if (!items.empty())
    fields[kAssumed] = llvm::MDTuple::get(context, items);
  if (record.place_in_row)
    fields[kPlaceInRow] =
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), *record.place_in_row));
  items.clear();
  if (record.arrays) {
    for (const llvm::GlobalVariable *array : *record.arrays)
      items.push_back(llvm::ValueAsMetadata::get(const_cast<llvm::GlobalVariable *>(array)));
    fields[kArrays] = llvm::MDTuple::get(context, items);
  }
  if (record.inline_ptx != AccessRecord::InlinePtx::No)
    fields[kInlinePtx] = llvm::MDString::get(
        context, record.inline_ptx == AccessRecord::InlinePtx::ReadOnlyLoad ? kReadOnlyLoad : kStatement);
  if (record.past_l1)
    fields[kPastL1] = llvm::MDString::get(context, kBypasses);
  access.setMetadata(kRecord, llvm::MDTuple::get(context, fields));
}

AccessRecord merged(AccessRecord record, const AccessRecord &other) {
  for (const Uncertainty kind : other.assumed)
    if (std::ranges::find(record.assumed, kind) == record.assumed.end())
      record.assumed.push_back(kind);
  return record;
}

void assume(llvm::Instruction &access, Uncertainty kind) {
  AccessRecord record = record_of(access);
  std::erase(record.assumed, kind);
  record.assumed.push_back(kind);
  set_record(access, record);
}

std::optional<Uncertainty> assumed(const llvm::Instruction &access) {
  const AccessRecord record = record_of(access);
  return record.assumed.empty() ? std::nullopt : std::optional(record.assumed.back());
}

} // namespace smem
