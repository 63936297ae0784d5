#include "nvcc/lines/merged_locations.h"

#include <optional>
#include <set>
#include <tuple>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

using Innermost = std::tuple<const llvm::DIFile *, unsigned, unsigned>;

/// To nvcc every atomic is a line of its own headers; ours may have no location for it but that of the call.
Innermost innermost(const llvm::Instruction &instruction, const llvm::DILocation &location) {
  return instruction.isAtomic() ? Innermost{} : Innermost{location.getFile(), location.getLine(), location.getColumn()};
}

void put_back(llvm::Instruction &instruction, const llvm::DILocation &location) {
  instruction.setDebugLoc(&location);
  // Which of the two is the first, nvcc decides after it has turned some conditions round.
  if (const std::optional<SourceAccess> access = access_of(instruction))
    raise_uncertainty(Uncertainty::SourceLine, *instruction.getFunction(), access->location);
}

} // namespace

void MergedLocations::before(llvm::Function &function) {
  accesses_.clear();
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const llvm::DILocation *location = instruction.getDebugLoc().get();
        location && instruction.mayReadOrWriteMemory() && (location->getInlinedAt() || instruction.isAtomic()))
      accesses_.push_back({llvm::WeakVH(&instruction), location, innermost(instruction, *location)});
}

void MergedLocations::after() {
  std::set<Innermost> gone;
  for (const Access &access : accesses_)
    if (!access.instruction)
      gone.insert(access.innermost);
  if (!gone.empty())
    for (const Access &access : accesses_)
      if (auto *instruction = llvm::cast_or_null<llvm::Instruction>(static_cast<llvm::Value *>(access.instruction));
          instruction && instruction->getDebugLoc().get() != access.location && gone.contains(access.innermost))
        put_back(*instruction, *access.location);
  accesses_.clear();
}

} // namespace smem
