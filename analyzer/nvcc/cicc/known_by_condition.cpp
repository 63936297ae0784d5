#include "nvcc/cicc/known_by_condition.h"

#include <map>
#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/access_record.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Values that are constants where `condition` is `holds`.
void fixed_by(llvm::Value *condition, bool holds, std::vector<const llvm::Value *> &fixed, unsigned depth = 0) {
  using namespace llvm::PatternMatch;
  constexpr unsigned kMostDepth = 6;
  llvm::Value *left = nullptr, *right = nullptr;
  if (depth == kMostDepth)
    return;
  if (match(condition, m_Not(m_Value(left))))
    return fixed_by(left, !holds, fixed, depth + 1);
  if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
            : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    fixed_by(left, holds, fixed, depth + 1);
    fixed_by(right, holds, fixed, depth + 1);
    return;
  }
  const auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (comparison && llvm::isa<llvm::ConstantInt>(comparison->getOperand(1)) &&
      !llvm::isa<llvm::Constant>(comparison->getOperand(0)) &&
      comparison->getPredicate() == (holds ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE))
    fixed.push_back(comparison->getOperand(0));
}

using Values = llvm::SmallPtrSet<const llvm::Value *, 16>;

/// What is computed from `value`, but by way of memory and of phis.
Values computed_from(const llvm::Value &value) {
  Values found;
  std::vector<const llvm::Value *> open{&value};
  while (!open.empty()) {
    const llvm::Value *next = open.back();
    open.pop_back();
    for (const llvm::User *user : next->users())
      if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
          instruction && !llvm::isa<llvm::PHINode>(instruction) && !instruction->mayReadOrWriteMemory() &&
          found.insert(instruction).second)
        open.push_back(instruction);
  }
  return found;
}

} // namespace

void note_known_by_condition(llvm::Function &kernel, const llvm::DominatorTree &tree,
                             std::span<const SourceAccess> accesses) {
  std::map<const llvm::BasicBlock *, std::vector<const SourceAccess *>> of_block;
  for (const SourceAccess &access : accesses)
    of_block[access.instruction->getParent()].push_back(&access);
  std::map<const llvm::Value *, Values> derived; // by what is compared
  for (llvm::BasicBlock &block : kernel) {
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (const unsigned way : {0U, 1U}) {
      std::vector<const llvm::Value *> fixed;
      fixed_by(branch->getCondition(), way == 0, fixed);
      llvm::BasicBlock *head = branch->getSuccessor(way);
      if (fixed.empty() || !head->getSinglePredecessor())
        continue;
      llvm::SmallVector<llvm::BasicBlock *> region;
      tree.getDescendants(head, region);
      std::map<const llvm::Value *, std::vector<const SourceAccess *>> behind; // by array
      for (const llvm::BasicBlock *in : region)
        if (const auto found = of_block.find(in); found != of_block.end())
          for (const SourceAccess *access : found->second)
            behind[llvm::getUnderlyingObject(access->pointer)].push_back(access);
      for (const llvm::Value *value : fixed)
        if (!derived.contains(value))
          derived.emplace(value, computed_from(*value));
      for (const auto &[array, together] : behind) {
        const auto depends = [&](const SourceAccess *access) {
          return llvm::any_of(fixed, [&](const llvm::Value *value) {
            return access->pointer == value || derived.at(value).contains(access->pointer);
          });
        };
        if (together.size() > 1 && llvm::any_of(together, depends))
          for (const SourceAccess *access : together)
            raise_uncertainty(Uncertainty::AdjacentAccess, kernel, access->location);
      }
    }
  }
}

} // namespace smem
