#include "nvcc/cicc/speculated_loads.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/facts/machine.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

constexpr unsigned kDeepest = 6; ///< operations between the value that is compared and an address

/// Elements of vectors are registers.
bool counts(const llvm::Instruction &instruction) {
  return !instruction.isTerminator() && !instruction.isDebugOrPseudoInst() &&
         !llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::GetElementPtrInst>(instruction);
}

/// The value that a branch to `block` has found to be a constant.
const llvm::Value *constant_in(const llvm::BasicBlock &before, const llvm::BasicBlock &block) {
  using namespace llvm::PatternMatch;
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(before.getTerminator());
  llvm::ICmpInst::Predicate predicate = llvm::ICmpInst::BAD_ICMP_PREDICATE;
  const llvm::Value *value = nullptr;
  if (!branch || !branch->isConditional() ||
      !match(branch->getCondition(), m_ICmp(predicate, m_Value(value), m_Constant())))
    return nullptr;
  const bool is_true = branch->getSuccessor(0) == &block;
  return predicate == (is_true ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE) ? value : nullptr;
}

/// Is `value` computed from `one` and constants alone?
bool depends_on_alone(const llvm::Value *value, const llvm::Value *one, unsigned depth = 0) {
  if (value == one || llvm::isa<llvm::Constant>(value))
    return true;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && depth < kDeepest && !instruction->mayReadOrWriteMemory() &&
         !llvm::isa<llvm::PHINode, llvm::CallBase>(instruction) && // such as what reads a thread's index
         llvm::all_of(
             instruction->operands(),
             [&](const llvm::Use &operand) { return depends_on_alone(operand, one, depth + 1); });
}

/// `if (t == 0) v = s[t];` is s[0] to nvcc, which cannot fail. With an else block it was seen to stay a branch.
bool is_at_constant(const llvm::Instruction &instruction, const llvm::Value *constant) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && constant && load->isSimple() && load->getPointerAddressSpace() == kShared &&
         depends_on_alone(load->getPointerOperand(), constant);
}

/// Does a branch lead into `block` and past it, or into another block beside it, and do these lead to one block?
bool may_become_selects(const llvm::BasicBlock &block, const CompilerRules &rules) {
  const llvm::BasicBlock *before = block.getSinglePredecessor(), *after = block.getSingleSuccessor();
  return before && after && before->getTerminator()->getNumSuccessors() == 2 &&
         llvm::all_of(
             llvm::successors(before),
             [&](const llvm::BasicBlock *way) { return way == after || way->getSingleSuccessor() == after; }) &&
         llvm::count_if(block, counts) <= static_cast<long>(rules.if_conversion_size.value) &&
         llvm::all_of(block, [&](const llvm::Instruction &instruction) {
           if (instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
               (llvm::is_contained(llvm::successors(before), after) &&
                is_at_constant(instruction, constant_in(*before, block))))
             return true;
           // Mathematics are calls to nvcc where it looks at branches.
           return !llvm::isa<llvm::CallBase>(instruction) && llvm::isSafeToSpeculativelyExecute(&instruction);
         });
}

} // namespace

void note_speculated_loads(llvm::Function &kernel, const CompilerRules &rules) {
  for (llvm::BasicBlock &block : kernel)
    if (may_become_selects(block, rules))
      for (llvm::Instruction &instruction : block)
        if (const std::optional<SourceAccess> access = access_of(instruction))
          raise_uncertainty(Uncertainty::IfConversion, kernel, access->location);
}

} // namespace smem
