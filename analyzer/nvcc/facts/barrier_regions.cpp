#include "nvcc/facts/barrier_regions.h"

#include <algorithm>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include "nvcc/facts/memory_order.h"

namespace smem {

bool is_barrier(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || !call->isConvergent())
    return false;
  return !call->isInlineAsm() || lower::orders_memory(instruction);
}

bool is_barrier_itself(const llvm::Instruction &instruction) {
  return is_barrier(instruction) &&
         (llvm::isa<llvm::IntrinsicInst>(instruction) || llvm::cast<llvm::CallBase>(instruction).isInlineAsm());
}

bool has_barrier(const llvm::Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) { return llvm::any_of(*block, is_barrier); });
}

BarrierRegions::BarrierRegions(const llvm::Function &function, IsBorder is_border) {
  for (const llvm::BasicBlock &block : function) {
    std::vector<const llvm::Instruction *> &borders = borders_[&block];
    for (const llvm::Instruction &instruction : block)
      if (is_border(instruction))
        borders.push_back(&instruction);
  }
  unsigned count = 0;
  for (const llvm::BasicBlock &block : function)
    for (unsigned part = 0; part <= last_of(block); ++part)
      if (!numbers_.count({&block, part}))
        spread({&block, part}, ++count);
}

BarrierRegions::Part BarrierRegions::part_of(const llvm::Instruction &instruction) const {
  const llvm::BasicBlock *block = instruction.getParent();
  const std::vector<const llvm::Instruction *> &borders = borders_.find(block)->second;
  const auto first_behind = std::partition_point(borders.begin(), borders.end(), [&](const llvm::Instruction *border) {
    return border->comesBefore(&instruction);
  });
  return {block, static_cast<unsigned>(first_behind - borders.begin())};
}

unsigned BarrierRegions::of(const llvm::Instruction &instruction) const {
  return numbers_.lookup(part_of(instruction));
}

bool BarrierRegions::may_follow(const llvm::Instruction &first, const llvm::Instruction &again) const {
  constexpr std::size_t kMostValuesOfSearch = 256;
  const Part from = part_of(first), to = part_of(again);
  if (from == to && first.comesBefore(&again))
    return true;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen; // of each only the part at its beginning
  std::vector<const llvm::BasicBlock *> open;
  const auto leave = [&](const Part &part) {
    if (part.second == last_of(*part.first))
      open.insert(open.end(), llvm::succ_begin(part.first), llvm::succ_end(part.first));
  };
  for (leave(from); !open.empty() && seen.size() <= kMostValuesOfSearch;) {
    const llvm::BasicBlock *block = open.back();
    open.pop_back();
    if (Part(block, 0) == to)
      return true;
    if (seen.insert(block).second)
      leave({block, 0});
  }
  return !open.empty();
}

unsigned BarrierRegions::last_of(const llvm::BasicBlock &block) const {
  return static_cast<unsigned>(borders_.find(&block)->second.size());
}

void BarrierRegions::spread(Part from, unsigned number) {
  std::vector<Part> work{from};
  while (!work.empty()) {
    const auto [block, part] = work.back();
    work.pop_back();
    if (!numbers_.try_emplace({block, part}, number).second)
      continue;
    if (part == last_of(*block))
      for (const llvm::BasicBlock *next : llvm::successors(block))
        work.emplace_back(next, 0);
    if (part == 0)
      for (const llvm::BasicBlock *previous : llvm::predecessors(block))
        work.emplace_back(previous, last_of(*previous));
  }
}

} // namespace smem
