#include "nvcc/lines/original_locations.h"

#include <optional>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "nvcc/access_record.h"
#include "nvcc/uncertainty.h"

namespace smem {

namespace {

constexpr llvm::StringRef kTable = "smem_lint.locations";

const llvm::DILocation *location_of(const llvm::Instruction &instruction) {
  const llvm::DILocation *location = instruction.getDebugLoc().get();
  return location && location->getLine() ? location : nullptr;
}

/// The chains of calls through which other functions were inlined into one.
class Chains {
public:
  explicit Chains(const llvm::Function &function) : function_(&function) {}

  /// The chain through which `subprogram` was, if there is just one.
  llvm::DILocation *of(const llvm::DISubprogram *subprogram) {
    if (!found_) {
      found_.emplace();
      for (const llvm::Instruction &instruction : llvm::instructions(*function_))
        if (const llvm::DILocation *location = instruction.getDebugLoc().get()) {
          const auto [known, fresh] =
              found_->try_emplace(location->getScope()->getSubprogram(), location->getInlinedAt());
          if (!fresh && known->second != location->getInlinedAt())
            known->second = nullptr;
        }
    }
    return found_->lookup(subprogram);
  }

private:
  const llvm::Function *function_;
  std::optional<llvm::DenseMap<const llvm::DISubprogram *, llvm::DILocation *>> found_;
};

/// Of a load or a store with a record of it.
std::optional<AccessOrigin> noted(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) ? origin_of(instruction) : std::nullopt;
}

/// The row of its location.
std::optional<unsigned> note_of(const llvm::Instruction &instruction) {
  const std::optional<AccessOrigin> origin = noted(instruction);
  return origin ? origin->location : std::nullopt;
}

constexpr AccessOrigin kDropped{.hoisted = LocationOfHoisted::HasDropped};

void put_back(llvm::Instruction &instruction, unsigned index, Chains &chains) {
  const llvm::Function &function = *instruction.getFunction();
  const llvm::NamedMDNode *table = function.getParent()->getNamedMetadata(kTable);
  if (!table || index >= table->getNumOperands())
    return;
  auto *location = llvm::cast<llvm::DILocation>(table->getOperand(index));
  const llvm::DISubprogram *subprogram = location->getScope()->getSubprogram();
  if (subprogram != function.getSubprogram()) {
    llvm::DILocation *chain = chains.of(subprogram);
    if (!chain)
      return;
    location = llvm::DILocation::get(function.getContext(), location->getLine(), location->getColumn(),
                                     location->getScope(), chain);
  }
  instruction.setDebugLoc(location);
}

/// A variable that a loop keeps in a register is loaded before it, by a load that LLVM leaves without a location; nvcc gives it that of
/// the loop's own access, which is none of those before the load.
void locate_promoted_load(llvm::LoadInst &load, std::optional<llvm::DominatorTree> &tree) {
  for (llvm::User *user : load.getPointerOperand()->users()) {
    auto *access = llvm::dyn_cast<llvm::Instruction>(user);
    if (!access || access == &load || llvm::getLoadStorePointerOperand(access) != load.getPointerOperand() ||
        access->getFunction() != load.getFunction() || !location_of(*access))
      continue;
    if (!tree)
      tree.emplace(*load.getFunction());
    if (tree->dominates(access, &load))
      continue;
    load.setDebugLoc(access->getDebugLoc());
    set_origin(load, origin_of(*access));
    return;
  }
}

} // namespace

void note_locations(llvm::Module &module) {
  llvm::NamedMDNode *table = nullptr;
  llvm::DenseMap<const llvm::DILocation *, unsigned> rows;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
        continue;
      const llvm::DILocation *location = location_of(instruction);
      if (!location)
        continue;
      const auto [row, fresh] = rows.try_emplace(location, static_cast<unsigned>(rows.size()));
      if (fresh) {
        if (!table)
          table = module.getOrInsertNamedMetadata(kTable);
        table->addOperand(const_cast<llvm::DILocation *>(location));
      }
      set_origin(instruction, AccessOrigin{.location = row->second});
    }
}

void restore_locations(llvm::Function &function) {
  Chains chains(function);
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (!location_of(instruction))
      if (const std::optional<unsigned> index = note_of(instruction))
        put_back(instruction, *index, chains);
}

void after_speculation(llvm::Function &function) {
  Chains chains(function);
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const std::optional<unsigned> index = note_of(instruction)) {
      const llvm::DILocation *before = location_of(instruction);
      // A store that has become part of one before the branch has no location in nvcc's line table either.
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          store && !before && llvm::isa<llvm::SelectInst>(store->getValueOperand())) {
        set_origin(instruction, kDropped);
        continue;
      }
      put_back(instruction, *index, chains);
      const llvm::DILocation *now = location_of(instruction);
      if (before && now && before->getLine() != now->getLine())
        raise_uncertainty(Uncertainty::IfConversion, function, {AccessLocation::Kind::Load, now});
    }
}

void before_hoisting(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::LoadInst>(instruction) && !location_of(instruction) && !noted(instruction))
      set_origin(instruction, kDropped);
}

void after_hoisting(llvm::Function &function, llvm::ArrayRef<llvm::BasicBlock *> exits) {
  std::optional<llvm::DominatorTree> tree;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        load && !location_of(instruction) && !llvm::is_contained(exits, instruction.getParent())) {
      const std::optional<AccessOrigin> origin = noted(instruction);
      if (origin && origin->location) {
        const llvm::NamedMDNode *table = function.getParent()->getNamedMetadata(kTable);
        if (table && *origin->location < table->getNumOperands() && access_of(instruction))
          raise_uncertainty(
              Uncertainty::SourceLine, function,
              {AccessLocation::Kind::Load, llvm::cast<llvm::DILocation>(table->getOperand(*origin->location))});
        const bool keeps = origin->hoisted != LocationOfHoisted::Drops;
        set_origin(instruction, keeps ? AccessOrigin{origin->location, LocationOfHoisted::HasKept} : kDropped);
      } else if (!origin) {
        locate_promoted_load(*load, tree);
      }
    }
  restore_locations(function);
}

void before_unrolling(const llvm::Loop &loop) {
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (const std::optional<unsigned> index = note_of(instruction))
        set_origin(instruction, AccessOrigin{index, LocationOfHoisted::Keeps});
}

void forget_locations(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (const std::optional<AccessOrigin> origin = noted(instruction)) {
        if (origin->hoisted == LocationOfHoisted::HasKept)
          assume(instruction, Uncertainty::SourceLine);
        set_origin(instruction, std::nullopt);
      }
  if (llvm::NamedMDNode *table = module.getNamedMetadata(kTable))
    table->eraseFromParent();
}

} // namespace smem
