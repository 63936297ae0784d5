#include "nvcc/access_record.h"

#include <algorithm>
#include <array>
#include <string>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace smem {

namespace {

// An annotation, a tuple of strings: of all kinds of metadata LICM and SimplifyCFG keep this one on what they hoist.
constexpr unsigned kKind = llvm::LLVMContext::MD_annotation;
constexpr llvm::StringRef kFirst = "smem-lint"; ///< of our tuple
// What the strings after it begin with, or are.
constexpr llvm::StringRef kLocation = "location ", kAssumed = "assumed-", kRow = "row ", kArrays = "arrays",
                          kArray = "array ", kStatement = "inline PTX", kReadOnlyLoad = "inline PTX, read-only load",
                          kPastL1 = "past L1", kCache = "cache ", kHiddenAlignment = "hidden alignment",
                          kFilled = "filled ";
constexpr std::array<llvm::StringRef, 4> kHoisted{"", "hoisted with its location", "was hoisted with its location",
                                                  "was hoisted without its location"};

bool is_record(const llvm::MDOperand &operand) {
  const auto *tuple = llvm::dyn_cast_or_null<llvm::MDTuple>(operand.get());
  if (!tuple || tuple->getNumOperands() == 0)
    return false;
  const auto *first = llvm::dyn_cast_or_null<llvm::MDString>(tuple->getOperand(0).get());
  return first && first->getString() == kFirst;
}

const llvm::MDNode *node_of(const llvm::Instruction &access) {
  const llvm::MDNode *annotations = access.getMetadata(kKind);
  if (!annotations)
    return nullptr;
  const auto *found = llvm::find_if(annotations->operands(), is_record);
  return found == annotations->op_end() ? nullptr : llvm::cast<llvm::MDNode>(found->get());
}

/// Calls body() with each string of the record.
template <typename Body> void for_each_item(const llvm::MDNode &node, Body &&body) {
  for (const llvm::MDOperand &operand : llvm::drop_begin(node.operands()))
    if (const auto *text = llvm::dyn_cast_or_null<llvm::MDString>(operand.get()))
      body(text->getString());
}

/// Whether `item` is of the origin, which it is added to.
bool read_origin(llvm::StringRef item, std::optional<AccessOrigin> &origin) {
  if (item.consume_front(kLocation)) {
    unsigned row = 0;
    if (!item.getAsInteger(10, row))
      (origin ? *origin : origin.emplace()).location = row;
    return true;
  }
  const auto *found = std::find(kHoisted.begin() + 1, kHoisted.end(), item);
  if (found == kHoisted.end())
    return false;
  (origin ? *origin : origin.emplace()).hoisted = static_cast<LocationOfHoisted>(found - kHoisted.begin());
  return true;
}

void write_origin(const AccessOrigin &origin, std::vector<std::string> &items) {
  if (origin.location)
    items.push_back(kLocation.str() + std::to_string(*origin.location));
  if (const llvm::StringRef hoisted = kHoisted[static_cast<std::size_t>(origin.hoisted)]; !hoisted.empty())
    items.push_back(hoisted.str());
}

void set_items(llvm::Instruction &access, const std::vector<std::string> &items) {
  llvm::LLVMContext &context = access.getContext();
  llvm::SmallVector<llvm::Metadata *> annotations;
  if (const llvm::MDNode *before = access.getMetadata(kKind))
    llvm::copy_if(before->operands(), std::back_inserter(annotations),
                  [](const llvm::MDOperand &operand) { return !is_record(operand); });
  if (!items.empty()) {
    llvm::SmallVector<llvm::Metadata *> strings{llvm::MDString::get(context, kFirst)};
    for (const std::string &item : items)
      strings.push_back(llvm::MDString::get(context, item));
    annotations.push_back(llvm::MDTuple::get(context, strings));
  }
  access.setMetadata(kKind, annotations.empty() ? nullptr : llvm::MDTuple::get(context, annotations));
}

} // namespace

AccessRecord record_of(const llvm::Instruction &access) {
  AccessRecord record;
  const llvm::MDNode *node = node_of(access);
  if (!node)
    return record;
  for_each_item(*node, [&](llvm::StringRef item) {
    if (read_origin(item, record.origin))
      return;
    std::uint32_t bytes = 0;
    if (item.starts_with(kAssumed)) {
      if (const auto *known = find_uncertainty(item)) // else of another version
        record.assumed.push_back(known->kind);
    } else if (item.consume_front(kRow) && !item.getAsInteger(10, bytes)) {
      record.offset_in_row = bytes;
    } else if (item.consume_front(kFilled) && !item.getAsInteger(10, bytes)) {
      record.filled = bytes;
    } else if (item == kArrays) {
      record.arrays.emplace();
    } else if (record.arrays && item.consume_front(kArray)) {
      if (const auto *array = access.getModule()->getGlobalVariable(item, /*AllowInternal=*/true)) // else it is gone
        record.arrays->push_back(array);
    } else if (item == kStatement || item == kReadOnlyLoad) {
      record.inline_ptx =
          item == kStatement ? AccessRecord::InlinePtx::Statement : AccessRecord::InlinePtx::ReadOnlyLoad;
    } else if (item == kPastL1) {
      record.past_l1 = true;
    } else if (item.consume_front(kCache)) {
      record.cache = item.str();
    } else if (item == kHiddenAlignment) {
      record.hidden_alignment = true;
    }
  });
  return record;
}

void set_record(llvm::Instruction &access, const AccessRecord &record) {
  std::vector<std::string> items;
  if (record.origin)
    write_origin(*record.origin, items);
  for (const Uncertainty kind : record.assumed)
    items.emplace_back(info_of(kind).id);
  if (record.offset_in_row)
    items.push_back(kRow.str() + std::to_string(*record.offset_in_row));
  if (record.arrays) {
    items.push_back(kArrays.str());
    for (const llvm::GlobalVariable *array : *record.arrays)
      items.push_back((kArray + array->getName()).str());
  }
  if (record.inline_ptx != AccessRecord::InlinePtx::No)
    items.push_back((record.inline_ptx == AccessRecord::InlinePtx::Statement ? kStatement : kReadOnlyLoad).str());
  if (record.past_l1)
    items.push_back(kPastL1.str());
  if (!record.cache.empty())
    items.push_back(kCache.str() + record.cache);
  if (record.filled)
    items.push_back(kFilled.str() + std::to_string(record.filled));
  if (record.hidden_alignment)
    items.push_back(kHiddenAlignment.str());
  set_items(access, items);
}

AccessRecord merged(AccessRecord record, const AccessRecord &other) {
  for (const Uncertainty kind : other.assumed)
    if (std::ranges::find(record.assumed, kind) == record.assumed.end())
      record.assumed.push_back(kind);
  return record;
}

std::optional<AccessOrigin> origin_of(const llvm::Instruction &access) {
  std::optional<AccessOrigin> origin;
  if (const llvm::MDNode *node = node_of(access))
    for_each_item(*node, [&](llvm::StringRef item) { read_origin(item, origin); });
  return origin;
}

void set_origin(llvm::Instruction &access, std::optional<AccessOrigin> origin) {
  AccessRecord record = record_of(access);
  record.origin = origin;
  set_record(access, record);
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
