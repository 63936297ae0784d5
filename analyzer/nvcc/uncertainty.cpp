#include "nvcc/uncertainty.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace smem {

namespace {

std::string table_of(llvm::StringRef function) { return ("smem_lint.uncertainties." + function).str(); }

/// Of each function, in its module's metadata: nodes of a line's key and an uncertainty's id.
std::string table_of(const llvm::Function &function) {
  const llvm::DISubprogram *source = function.getSubprogram();
  return table_of(source && !source->getLinkageName().empty() ? source->getLinkageName() : function.getName());
}

llvm::Metadata *number(llvm::LLVMContext &context, std::uint64_t value) {
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value));
}

llvm::StringRef name_of(AccessLocation::Kind kind) {
  using Kind = AccessLocation::Kind;
  return kind == Kind::Load ? "load" : kind == Kind::Store ? "store" : "atomic";
}

/// One node for each line and kind.
llvm::MDNode *key_of(llvm::LLVMContext &context, AccessLocation location) {
  return llvm::MDNode::get(context, {llvm::MDString::get(context, name_of(location.kind)),
                                     location.debug_loc->getFile(), number(context, location.debug_loc->getLine())});
}

constexpr const char *kHeaders = "smem_lint.headers";

bool is_in_header(const llvm::Module &module, const llvm::DILocation &location) {
  const llvm::NamedMDNode *headers = module.getNamedMetadata(kHeaders);
  return headers && llvm::is_contained(headers->operands(), location.getFile());
}

/// Lines that an access is of: those of headers from the innermost on, then the user's.
llvm::SmallVector<llvm::MDNode *, 2> keys_of(const llvm::Module &module, AccessLocation location) {
  llvm::SmallVector<llvm::MDNode *, 2> keys;
  for (const llvm::DILocation *at = location.debug_loc; at; at = at->getInlinedAt()) {
    if (at->getLine() != 0)
      keys.push_back(key_of(module.getContext(), {location.kind, at}));
    if (at->getLine() != 0 && !is_in_header(module, *at))
      break;
  }
  return keys;
}

llvm::MDNode *node_of(llvm::MDNode *key, Uncertainty kind) {
  return llvm::MDNode::get(key->getContext(), {key, llvm::MDString::get(key->getContext(), info_of(kind).id)});
}

AccessLocation location_of(const llvm::Instruction &access) {
  using Kind = AccessLocation::Kind;
  return {llvm::isa<llvm::LoadInst>(access)    ? Kind::Load
          : llvm::isa<llvm::StoreInst>(access) ? Kind::Store
                                               : Kind::Atomic,
          access.getDebugLoc().get()};
}

} // namespace

const llvm::DILocation *users_location(const llvm::Module &module, const llvm::DILocation *location) {
  for (const llvm::DILocation *at = location; at; at = at->getInlinedAt())
    if (at->getLine() != 0 && !is_in_header(module, *at))
      return at;
  return location;
}

void raise_uncertainty(Uncertainty kind, llvm::Function &function, AccessLocation location) {
  if (!location.known())
    return;
  const auto keys = keys_of(*function.getParent(), location);
  if (keys.empty())
    return;
  llvm::NamedMDNode *table = function.getParent()->getOrInsertNamedMetadata(table_of(function));
  llvm::MDNode *node = node_of(keys.back(), kind);
  if (!llvm::is_contained(table->operands(), node))
    table->addOperand(node);
}

void raise_uncertainties(std::span<const Uncertainty> kinds, llvm::Function &function,
                         std::span<const AccessLocation> locations) {
  llvm::NamedMDNode *table = function.getParent()->getOrInsertNamedMetadata(table_of(function));
  llvm::SmallPtrSet<const llvm::MDNode *, 16> known(table->op_begin(), table->op_end());
  for (const AccessLocation &location : locations) {
    const auto keys =
        location.known() ? keys_of(*function.getParent(), location) : llvm::SmallVector<llvm::MDNode *, 2>();
    if (keys.empty())
      continue;
    for (const Uncertainty kind : kinds)
      if (llvm::MDNode *node = node_of(keys.back(), kind); known.insert(node).second)
        table->addOperand(node);
  }
}

void name_functions(llvm::Module &module, const IsHeader &is_header) {
  llvm::SmallPtrSet<const llvm::DIFile *, 16> files;
  for (llvm::Function &function : module)
    if (llvm::DISubprogram *source = function.getSubprogram(); source && source->isDistinct()) {
      source->replaceLinkageName(llvm::MDString::get(module.getContext(), function.getName()));
      llvm::DIFile *file = source->getFile();
      if (is_header && file && files.insert(file).second && is_header(file->getFilename(), file->getDirectory()))
        module.getOrInsertNamedMetadata(kHeaders)->addOperand(file);
    }
}

void inherit_uncertainties(llvm::Function &function) {
  llvm::SmallPtrSet<const llvm::DILocation *, 16> calls;
  llvm::SmallSetVector<const llvm::DISubprogram *, 8> inlined;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    for (const llvm::DILocation *at = instruction.getDebugLoc().get();
         at && at->getInlinedAt() && calls.insert(at).second; at = at->getInlinedAt())
      inlined.insert(at->getScope()->getSubprogram());
  llvm::NamedMDNode *own = nullptr;
  llvm::SmallPtrSet<const llvm::MDNode *, 16> known;
  for (const llvm::DISubprogram *source : inlined) {
    llvm::NamedMDNode *table = source == function.getSubprogram()
                                   ? nullptr
                                   : function.getParent()->getNamedMetadata(table_of(source->getLinkageName()));
    if (!table)
      continue;
    if (!own) {
      own = function.getParent()->getOrInsertNamedMetadata(table_of(function));
      known.insert(own->op_begin(), own->op_end());
    }
    for (llvm::MDNode *node : table->operands())
      if (known.insert(node).second)
        own->addOperand(node);
  }
}

std::optional<Uncertainty> uncertainty_of(const llvm::Instruction &access) {
  const AccessLocation location = location_of(access);
  const llvm::NamedMDNode *table =
      location.known() ? access.getModule()->getNamedMetadata(table_of(*access.getFunction())) : nullptr;
  if (!table)
    return std::nullopt;
  const auto keys = keys_of(*access.getModule(), location);
  for (const llvm::MDNode *node : table->operands())
    if (llvm::is_contained(keys, node->getOperand(0).get()))
      if (const auto *known = find_uncertainty(llvm::cast<llvm::MDString>(node->getOperand(1))->getString()))
        return known->kind;
  return std::nullopt;
}

bool has_uncertainty(const llvm::Instruction &access, Uncertainty kind) {
  const AccessLocation location = location_of(access);
  const llvm::NamedMDNode *table =
      location.known() ? access.getModule()->getNamedMetadata(table_of(*access.getFunction())) : nullptr;
  return table && llvm::any_of(keys_of(*access.getModule(), location), [&](llvm::MDNode *key) {
           return llvm::is_contained(table->operands(), node_of(key, kind));
         });
}

} // namespace smem
