#include "nvcc/facts/between.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instruction.h>

namespace smem {

bool any_between(const llvm::Instruction &first, const llvm::Instruction &second,
                 llvm::function_ref<bool(const llvm::Instruction &)> is_one) {
  const llvm::BasicBlock *from = first.getParent(), *to = second.getParent();
  const auto any = [&](auto begin, auto end) { return std::any_of(begin, end, is_one); };
  const auto behind_first = std::next(first.getIterator());
  if (from == to)
    return any(behind_first, second.getIterator());
  if (any(behind_first, from->end()) || any(to->begin(), second.getIterator()))
    return true;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen{from, to};
  std::vector<const llvm::BasicBlock *> open(llvm::pred_begin(to), llvm::pred_end(to));
  while (!open.empty()) {
    const llvm::BasicBlock *block = open.back();
    open.pop_back();
    if (!seen.insert(block).second)
      continue;
    if (any(block->begin(), block->end()))
      return true;
    open.insert(open.end(), llvm::pred_begin(block), llvm::pred_end(block));
  }
  return false;
}

} // namespace smem
