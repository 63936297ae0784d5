// nvcc walks back from the ends of the then and else blocks in step, as LLVM 7's SimplifyCFG does, and sinks what it can as long as every instruction
// sunk needs at most one phi. It does so where the lanes of a warp take different ways only, and keeps the blocks apart where all that
// together needs as many phis as it saves instructions.
#include "nvcc/cicc/store_sinking.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "nvcc/uncertainty.h"
#include "nvcc/cicc/tail_merging.h"
#include "nvcc/facts/warp_uniform.h"
#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

/// Do two values come to the same by the same operations on the same operands?
bool same_expression(const llvm::Value *a, const llvm::Value *b, unsigned depth = 8) {
  if (a == b)
    return true;
  const auto *x = llvm::dyn_cast<llvm::Instruction>(a), *y = llvm::dyn_cast<llvm::Instruction>(b);
  if (!x || !y || depth == 0 || !x->isSameOperationAs(y) || x->mayReadOrWriteMemory() ||
      llvm::isa<llvm::PHINode, llvm::CallBase>(x))
    return false;
  return std::equal(x->op_begin(), x->op_end(), y->op_begin(), y->op_end(),
                    [&](const llvm::Use &p, const llvm::Use &q) { return same_expression(p, q, depth - 1); });
}

/// The store that a then or else block ends with. What stands after it and touches no memory computed the address and value of stores that have left, or
/// something for the code after the branch, and was not there when nvcc looked.
llvm::StoreInst *last_store(llvm::BasicBlock &block) {
  const llvm::Instruction *last = block.getTerminator()->getPrevNonDebugInstruction();
  while (last && !last->mayReadOrWriteMemory() && !llvm::isa<llvm::PHINode>(last))
    last = last->getPrevNonDebugInstruction();
  auto *store = llvm::dyn_cast_or_null<llvm::StoreInst>(const_cast<llvm::Instruction *>(last));
  return store && store->isSimple() ? store : nullptr;
}

/// The load whose value `store` writes, where it can go along: nothing else uses it and no memory is touched in between.
llvm::LoadInst *stored_load(llvm::StoreInst &store) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(store.getValueOperand());
  if (!load || !load->isSimple() || !load->hasOneUse() || load->getParent() != store.getParent())
    return nullptr;
  for (const llvm::Instruction *next = load->getNextNode(); next != &store; next = next->getNextNode())
    if (next->mayReadOrWriteMemory() && !llvm::isa<llvm::DbgInfoIntrinsic>(next))
      return nullptr;
  return load;
}

/// The 32-bit number that the index of an address is made of, if it is extended to the pointer's 64 bits.
const llvm::Value *extended_index(const llvm::Value *pointer) {
  const llvm::Value *index = nullptr;
  while (const auto *gep = llvm::dyn_cast_or_null<llvm::GEPOperator>(pointer)) {
    for (const llvm::Use &use : gep->indices())
      if (!llvm::isa<llvm::Constant>(use))
        index = use;
    if (index)
      break;
    pointer = gep->getPointerOperand();
  }
  for (const auto *step = llvm::dyn_cast_or_null<llvm::BinaryOperator>(index); step;
       step = llvm::dyn_cast<llvm::BinaryOperator>(index)) {
    if (!llvm::isa<llvm::Constant>(step->getOperand(1)))
      return nullptr;
    index = step->getOperand(0);
  }
  const auto *extension = llvm::dyn_cast_or_null<llvm::CastInst>(index);
  return extension && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension) ? index : nullptr;
}

const llvm::Value *last_index(const llvm::Value *pointer) {
  const auto *gep = llvm::dyn_cast_or_null<llvm::GEPOperator>(pointer);
  return gep && gep->getNumIndices() ? gep->getOperand(gep->getNumOperands() - 1) : nullptr;
}

/// Does a load from global memory in the store's block use the same index?
bool shares_index(const llvm::StoreInst &store) {
  const llvm::Value *index = last_index(store.getPointerOperand());
  for (const llvm::Instruction &instruction : *store.getParent())
    if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction))
      if (llvm::isa<llvm::LoadInst>(instruction) && pointer->getType()->getPointerAddressSpace() != kShared)
        if (const llvm::Value *other = last_index(pointer); other && same_expression(index, other))
          return true;
  return false;
}

bool extends_index(const llvm::StoreInst &store) {
  return store.getPointerAddressSpace() != kShared && extended_index(store.getPointerOperand());
}

/// Stores of the members of one structure that end with `store`: they sink one after the other.
unsigned members_stored(const llvm::StoreInst &store) {
  const auto base = [&](const llvm::Value *pointer) {
    llvm::APInt offset(store.getDataLayout().getIndexTypeSizeInBits(pointer->getType()), 0);
    return pointer->stripAndAccumulateConstantOffsets(store.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  };
  unsigned members = 1;
  for (const llvm::Instruction *before = store.getPrevNode(); before; before = before->getPrevNode()) {
    const auto *other = llvm::dyn_cast<llvm::StoreInst>(before);
    if (other && base(other->getPointerOperand()) == base(store.getPointerOperand()))
      ++members;
    else if (before->mayReadOrWriteMemory() && !llvm::isa<llvm::DbgInfoIntrinsic>(before))
      break;
  }
  return members;
}

/// How many instructions of a store's address sink with it, with the store and the stores to other members of the same structure.
unsigned instructions_sunk(const llvm::StoreInst &store) {
  if (!llvm::isa<llvm::GetElementPtrInst>(store.getPointerOperand()))
    return 1;
  return (extends_index(store) && !shares_index(store) ? 3 : 2) + 2 * (members_stored(store) - 1);
}

/// Does the address of a global store repeat an index whose extension its block needs before, so that it takes a phi of its own?
bool extension_differs(const std::vector<llvm::StoreInst *> &stores) {
  return std::any_of(stores.begin(), stores.end(),
                     [](const llvm::StoreInst *store) { return extends_index(*store) && shares_index(*store); });
}

/// Is the address known before the blocks are reached: does an access before them use it, or does it stay the same in the loop around them?
bool address_known_before(const llvm::StoreInst &store, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops) {
  const llvm::Value *pointer = store.getPointerOperand();
  const auto *computed = llvm::dyn_cast<llvm::Instruction>(pointer);
  if (!computed)
    return true;
  const llvm::Loop *loop = loops.getLoopFor(store.getParent());
  if (loop && loop->isLoopInvariant(pointer))
    return true;
  return llvm::any_of(pointer->users(), [&](const llvm::User *user) {
    const auto *access = llvm::dyn_cast<llvm::Instruction>(user);
    return access && access->getParent() != store.getParent() && tree.dominates(access->getParent(), store.getParent());
  });
}

bool is_computed_in_arm(const llvm::StoreInst &store) {
  const auto *value = llvm::dyn_cast<llvm::Instruction>(store.getValueOperand());
  return value && value->getParent() == store.getParent();
}

template <class T, class Of> bool all_equal(const std::vector<T *> &items, const Of &of) {
  return std::all_of(items.begin(), items.end(),
                     [&](T *item) { return same_expression(of(*items.front()), of(*item)); });
}

llvm::Value *address(llvm::StoreInst &store) { return store.getPointerOperand(); }

/// The stores of a block's predecessors, and the loads of what they store where these sink with them.
struct Tails {
  std::vector<llvm::StoreInst *> stores; ///< the block that comes last in the source last
  std::vector<llvm::LoadInst *> loads;
  bool loses_location = false;
};

bool sinks(Tails &tails, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops, bool divergent) {
  const std::vector<llvm::StoreInst *> &stores = tails.stores;
  const llvm::StoreInst &first = *stores.front();
  for (const llvm::StoreInst *store : stores)
    if (!store->isSameOperationAs(&first))
      return false;
  const bool same_address = all_equal(stores, [](llvm::StoreInst &store) { return address(store); });
  const bool same_value = all_equal(stores, [](llvm::StoreInst &store) { return store.getValueOperand(); });

  const bool computed = std::any_of(stores.begin(), stores.end(),
                                    [](const llvm::StoreInst *store) { return is_computed_in_arm(*store); });
  // InstCombine merges stores to an address that is there already; what it merges has no source location.
  const bool one_address = std::all_of(stores.begin(), stores.end(), [&](const llvm::StoreInst *store) {
    return store->getPointerOperand() == first.getPointerOperand();
  });
  if (same_address && (address_known_before(first, tree, loops) || (one_address && !divergent))) {
    tails.loses_location = !same_value || computed;
    return true;
  }
  const bool same_array =
      all_equal(stores, [](llvm::StoreInst &store) { return llvm::getUnderlyingObject(address(store)); });
  if (!divergent || !same_array)
    return false;

  for (llvm::StoreInst *store : stores)
    if (llvm::LoadInst *load = stored_load(*store))
      tails.loads.push_back(load);
  const bool all_loads = !tails.loads.empty() && tails.loads.size() == stores.size() &&
                         std::all_of(tails.loads.begin(), tails.loads.end(), [&](llvm::LoadInst *load) {
                           return load->isSameOperationAs(tails.loads.front()) &&
                                  load->getPointerAddressSpace() == tails.loads.front()->getPointerAddressSpace();
                         });
  if (!all_loads)
    tails.loads.clear();
  if (all_loads && std::all_of(tails.loads.begin(), tails.loads.end(), [&](llvm::LoadInst *load) {
        return llvm::getUnderlyingObject(load->getPointerOperand()) ==
               llvm::getUnderlyingObject(tails.loads.front()->getPointerOperand());
      }))
    return true;

  // A zero in the last block stays there, unless there is nothing else in the blocks.
  const auto *zero = llvm::dyn_cast<llvm::Constant>(stores.back()->getValueOperand());
  if (zero && zero->isZeroValue() && !same_value && (computed || !same_address))
    return false;
  unsigned saved = instructions_sunk(first);
  for (const llvm::StoreInst *store : stores)
    saved = std::min(saved, instructions_sunk(*store));
  const unsigned phis = !same_value + (!same_address || (!same_value && extension_differs(stores)));
  return phis < saved;
}

/// Computes `value` of a then or else block again in `block`, whose earlier instructions come after.
llvm::Value *computed_again(llvm::Value *value, llvm::BasicBlock &block, const llvm::DominatorTree &tree) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || tree.dominates(instruction->getParent(), &block))
    return value;
  llvm::Instruction *copy = instruction->clone();
  copy->insertInto(&block, block.getFirstInsertionPt());
  for (llvm::Use &operand : copy->operands())
    operand.set(computed_again(operand, block, tree));
  return copy;
}

llvm::Value *join(llvm::BasicBlock &block, llvm::ArrayRef<std::pair<llvm::BasicBlock *, llvm::Value *>> incoming,
                  const llvm::DominatorTree &tree) {
  llvm::Value *first = incoming.front().second;
  if (std::all_of(incoming.begin(), incoming.end(), [&](const auto &in) { return same_expression(first, in.second); }))
    return computed_again(first, block, tree);
  llvm::IRBuilder<> builder(&block, block.begin());
  llvm::PHINode *phi = builder.CreatePHI(first->getType(), incoming.size());
  for (const auto &[from, value] : incoming)
    phi->addIncoming(value, from);
  return phi;
}

template <class Access>
void move_into(llvm::BasicBlock &block, const std::vector<Access *> &accesses, const llvm::DominatorTree &tree) {
  Access *kept = accesses.back();
  std::vector<llvm::Value *> joined;
  const auto begin = block.getFirstInsertionPt();
  for (unsigned operand = 0; operand < kept->getNumOperands(); ++operand) {
    std::vector<std::pair<llvm::BasicBlock *, llvm::Value *>> incoming;
    for (Access *access : accesses)
      incoming.emplace_back(access->getParent(), access->getOperand(operand));
    joined.push_back(join(block, incoming, tree));
  }
  for (unsigned operand = 0; operand < kept->getNumOperands(); ++operand)
    kept->setOperand(operand, joined[operand]);
  for (Access *access : accesses)
    if (access != kept) {
      if (!access->getType()->isVoidTy())
        access->replaceAllUsesWith(kept);
      access->eraseFromParent();
    }
  kept->moveBefore(block, begin);
}

bool merge_into(llvm::BasicBlock &block, const std::map<const llvm::BasicBlock *, unsigned> &order,
                const llvm::DominatorTree &tree, const llvm::LoopInfo &loops, bool divergent) {
  Tails tails;
  for (llvm::BasicBlock *from : llvm::predecessors(&block)) {
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
    llvm::StoreInst *store =
        branch && branch->isUnconditional() && may_have_equal_tail(*from) && !tree.dominates(&block, from)
            ? last_store(*from)
            : nullptr;
    if (!store)
      return false;
    tails.stores.push_back(store);
  }
  if (tails.stores.size() < 2)
    return false;
  // LLVM may have turned the condition over.
  const auto line_of = [&](const llvm::StoreInst *store) {
    const llvm::DILocation *at = store->getDebugLoc();
    return std::tuple(at && !at->getInlinedAt() ? at->getLine() : 0, at && !at->getInlinedAt() ? at->getColumn() : 0,
                      order.at(store->getParent()));
  };
  std::sort(tails.stores.begin(), tails.stores.end(),
            [&](const llvm::StoreInst *a, const llvm::StoreInst *b) { return line_of(a) < line_of(b); });
  if (!sinks(tails, tree, loops, divergent))
    return false;
  // nvcc does so with some blocks that several branches lead to, and of more than two it is not the last whose location it keeps.
  if (tails.stores.size() > 2 || llvm::any_of(tails.stores, [](const llvm::StoreInst *store) {
        return !store->getParent()->getSinglePredecessor();
      })) {
    for (const llvm::StoreInst *store : tails.stores)
      raise_uncertainty(Uncertainty::TailMerging, *block.getParent(),
                        {AccessLocation::Kind::Store, store->getDebugLoc().get()});
    for (const llvm::LoadInst *load : tails.loads)
      raise_uncertainty(Uncertainty::TailMerging, *block.getParent(),
                        {AccessLocation::Kind::Load, load->getDebugLoc().get()});
  }
  if (!tails.loads.empty()) {
    // After the branch, what the store writes is the one load.
    llvm::LoadInst *load = tails.loads.back();
    llvm::Value *nothing = llvm::PoisonValue::get(load->getType());
    for (llvm::StoreInst *store : tails.stores)
      store->setOperand(0, nothing);
    move_into(block, tails.stores, tree);
    move_into(block, tails.loads, tree);
    tails.stores.back()->setOperand(0, load);
  } else {
    if (tails.loses_location)
      tails.stores.back()->setDebugLoc(
          llvm::DILocation::getMergedLocation(tails.stores.front()->getDebugLoc(), tails.stores.back()->getDebugLoc()));
    move_into(block, tails.stores, tree);
  }
  return true;
}

} // namespace

void sink_stores(llvm::Function &kernel, llvm::UniformityInfo &uniformity) {
  const llvm::DominatorTree tree(kernel);
  const llvm::LoopInfo loops(tree);
  std::map<const llvm::BasicBlock *, unsigned> order;
  for (const llvm::BasicBlock &block : kernel)
    order.emplace(&block, order.size());
  for (llvm::BasicBlock &block : kernel) {
    const auto *node = tree.getNode(&block);
    bool divergent = node && node->getIDom() && diverges(*node->getIDom()->getBlock(), uniformity);
    // Of `a && b` the second may be the one that is divergent.
    for (const llvm::BasicBlock *side : llvm::predecessors(&block))
      divergent |= llvm::any_of(llvm::predecessors(side),
                                [&](const llvm::BasicBlock *branch) { return diverges(*branch, uniformity); });
    while (merge_into(block, order, tree, loops, divergent)) {}
  }
}

} // namespace smem::lower
