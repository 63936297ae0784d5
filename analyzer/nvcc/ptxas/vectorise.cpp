// The rules for shared memory, read off the machine code of ptxas 13.0 for sm_90 (validate/RULES.md, "What the compiler merges"):
// - A region ends at barriers, atomics on shared memory, fences and calls (nvcc/facts/memory_order.h); for loads also at a store to shared memory, for
//   stores at a load and at a store with another base, which might be to the same address, or to another window: stores to two arrays, or to two
//   columns of one, in turn do not merge (60 orders of stores of 16, 32 and 64 bits).
// - AddressSums are 32-bit sums. Two accesses have a common base when their sums differ by a constant. An address without a
//   variable part is known altogether, for ptxas lays the arrays out itself: there, even neighbouring arrays merge. With a
//   variable part the array belongs to the base, and only the alignment of its address is known.
// - Words are taken together by aligned window, of 16 bytes where the base is a multiple of 16, else of 8: three words of 16
//   bytes become one 128-bit load (reading one in vain), two of an aligned half a 64-bit one. Stores write nothing that
//   was not stored: four words or two.
// - Vectors of two words count as two words, and stay as they are where they stand alone. Values of 64 bits, pointers among them, are merged with each
//   other, two by two, and not with words.
// - 16-bit accesses follow the same rules at half the size: 64-bit at most. Those that the load itself extends to 32 bits, for a sum say, all
//   8-bit and all volatile ones stay.
// - A word that is loaded behind a branch joins its neighbour before it (nvcc/ptxas/vectorise_across_blocks.h).
// Global accesses merge likewise, but all that is known of their alignment is that each is a multiple of its width.
#include "nvcc/ptxas/vectorise.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/ptxas/address_sums.h"
#include "nvcc/ptxas/adjacent_accesses.h"
#include "nvcc/facts/memory_order.h"
#include "nvcc/ptxas/vectorise_across_blocks.h"
#include "nvcc/access_record.h"
#include "nvcc/uncertainty.h"
#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

llvm::Type *words_type(llvm::LLVMContext &context, std::uint32_t bytes, std::uint32_t word) {
  llvm::Type *element = llvm::IntegerType::get(context, word * 8);
  return bytes == word ? element : llvm::FixedVectorType::get(element, bytes / word);
}

llvm::Value *moved(llvm::IRBuilder<> &builder, const Piece &from, std::uint32_t to) {
  return builder.CreatePtrAdd(from.pointer,
                              builder.getInt64(static_cast<std::int64_t>(static_cast<std::int32_t>(to - from.offset))));
}

/// Of an access that was moved to another the address is computed from that one's.
const llvm::Value *array_of(const Piece &piece) {
  const AccessRecord record = record_of(*piece.access);
  return record.arrays && record.arrays->size() == 1 ? record.arrays->front()
                                                     : llvm::getUnderlyingObject(piece.pointer);
}

void note_arrays(const std::vector<Piece> &pieces, AccessRecord &record) {
  if (std::all_of(pieces.begin(), pieces.end(),
                  [&](const Piece &piece) { return array_of(piece) == array_of(pieces.front()); }))
    return;
  record.arrays.emplace();
  for (const Piece &piece : pieces)
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(array_of(piece)))
      record.arrays->push_back(variable);
}

/// Pointers are words as others are.
llvm::Value *converted(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *type) {
  if (value->getType() == type)
    return value;
  const auto number_of = [&](llvm::Type *pointer) {
    return builder.getIntNTy(builder.GetInsertBlock()->getDataLayout().getPointerTypeSizeInBits(pointer));
  };
  if (value->getType()->isPointerTy())
    value = builder.CreatePtrToInt(value, number_of(value->getType()));
  if (type->isPointerTy())
    return builder.CreateIntToPtr(builder.CreateBitCast(value, number_of(type)), type);
  return builder.CreateBitCast(value, type);
}

/// Opcode, address space and line.
using KindAndLine = std::tuple<unsigned, unsigned, unsigned>;

/// Lines of one kind of access of which not all is known.
struct SharedLines {
  std::set<KindAndLine> merged; ///< with others
  /// nvcc may merge more there, or less, and what has been left has other counts then: rows are of a line and a width.
  std::set<KindAndLine> uncertain;
};

KindAndLine kind_and_line(llvm::Instruction &access) {
  return {access.getOpcode(), llvm::getLoadStoreAddressSpace(&access), line_of(access)};
}

/// The record of what `pieces` are merged into: what is assumed of any of them, and what the merging itself rests on, where nvcc may do otherwise.
AccessRecord record_of_merged(const std::vector<Piece> &pieces, SharedLines &shared) {
  AccessRecord record;
  for (const Piece &piece : pieces)
    record = merged(std::move(record), record_of(*piece.access));
  note_arrays(pieces, record);
  if (std::any_of(pieces.begin(), pieces.end(),
                  [&](const Piece &piece) { return piece.uncertain || piece.epoch != pieces.front().epoch; }))
    for (const Piece &piece : pieces)
      shared.uncertain.insert(kind_and_line(*piece.access));
  if (std::any_of(pieces.begin(), pieces.end(),
                  [&](const Piece &piece) { return line_of(*piece.access) != line_of(*pieces.front().access); }))
    for (const Piece &piece : pieces)
      shared.merged.insert(kind_and_line(*piece.access));
  return record;
}

/// All accesses of lines that share merged ones: which of the lines nvcc counts these on is not known.
void note_shared_lines(llvm::Function &kernel, const SharedLines &shared) {
  if (shared.merged.empty() && shared.uncertain.empty())
    return;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
      continue;
    if (shared.uncertain.count(kind_and_line(instruction)))
      assume(instruction, Uncertainty::AdjacentAccess);
    if (shared.merged.count(kind_and_line(instruction)))
      assume(instruction, Uncertainty::MergedLine);
  }
}

void merge_loads(const std::vector<Piece> &pieces, std::uint32_t window, std::uint32_t width, std::uint32_t word,
                 SharedLines &shared) {
  const Piece *first = &pieces[0];
  for (const Piece &piece : pieces)
    if (piece.access->comesBefore(first->access))
      first = &piece;
  llvm::IRBuilder<> builder(first->access);
  llvm::LoadInst *load = builder.CreateAlignedLoad(words_type(builder.getContext(), width, word),
                                                   moved(builder, *first, window), llvm::Align(width));
  AccessRecord record = record_of_merged(pieces, shared);
  std::uint32_t wanted = 0;
  for (const Piece &piece : pieces)
    wanted = std::max(wanted, piece.offset - window + piece.bytes - record_of(*piece.access).filled);
  record.filled = width - wanted;
  set_record(*load, record);
  for (const Piece &piece : pieces) {
    llvm::Type *type = words_type(builder.getContext(), piece.bytes, word);
    llvm::Value *value = type->isVectorTy() ? llvm::PoisonValue::get(type) : nullptr;
    for (std::uint32_t at = 0; at < piece.bytes; at += word) {
      llvm::Value *element = builder.CreateExtractElement(load, (piece.offset - window + at) / word);
      value = type->isVectorTy() ? builder.CreateInsertElement(value, element, at / word) : element;
    }
    piece.access->replaceAllUsesWith(converted(builder, value, piece.type));
  }
  for (const Piece &piece : pieces)
    piece.access->eraseFromParent();
}

void merge_stores(const std::vector<Piece> &pieces, std::uint32_t window, std::uint32_t width, std::uint32_t word,
                  SharedLines &shared) {
  const Piece *last = &pieces[0];
  for (const Piece &piece : pieces)
    if (last->access->comesBefore(piece.access))
      last = &piece;
  llvm::IRBuilder<> builder(last->access);
  llvm::Value *value = llvm::PoisonValue::get(words_type(builder.getContext(), width, word));
  for (const Piece &piece : pieces) {
    llvm::Type *type = words_type(builder.getContext(), piece.bytes, word);
    llvm::Value *stored = converted(builder, llvm::cast<llvm::StoreInst>(piece.access)->getValueOperand(), type);
    for (std::uint32_t at = 0; at < piece.bytes; at += word) {
      llvm::Value *element = type->isVectorTy() ? builder.CreateExtractElement(stored, at / word) : stored;
      value = builder.CreateInsertElement(value, element, (piece.offset - window + at) / word);
    }
  }
  llvm::StoreInst *store = builder.CreateAlignedStore(value, moved(builder, *last, window), llvm::Align(width));
  set_record(*store, record_of_merged(pieces, shared));
  for (const Piece &piece : pieces)
    piece.access->eraseFromParent();
}

/// Does it compute from what its block loads from shared memory?
bool depends_on_shared_load(const llvm::Instruction &instruction) {
  llvm::SmallPtrSet<const llvm::Instruction *, 16> seen{&instruction};
  std::vector<const llvm::Instruction *> open{&instruction};
  while (!open.empty()) {
    const llvm::Instruction *next = open.back();
    open.pop_back();
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(next)) {
      if (load->getPointerAddressSpace() == kShared)
        return true;
      continue;
    }
    for (const llvm::Value *operand : next->operands())
      if (const auto *from = llvm::dyn_cast<llvm::Instruction>(operand);
          from && from->getParent() == instruction.getParent() && !llvm::isa<llvm::PHINode>(from) &&
          seen.insert(from).second)
        open.push_back(from);
  }
  return false;
}

} // namespace

void note_adjacent_by_bits(llvm::Function &kernel, const SharedOffsets &offsets) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  const llvm::DominatorTree tree(kernel);
  const llvm::LoopInfo loops(tree);
  AddressSums addresses(kernel, offsets, tree, loops);
  for (llvm::BasicBlock &block : kernel) {
    Region loads(addresses, layout, loops, Alignment::LaidOut), stores(addresses, layout, loops, Alignment::LaidOut);
    for (llvm::Instruction &instruction : block) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (((load && load->isSimple()) || (store && store->isSimple())) &&
          llvm::getLoadStoreAddressSpace(&instruction) == kShared)
        (load ? loads : stores).note_bits(instruction, llvm::getLoadStorePointerOperand(&instruction));
      if (load || store)
        continue;
      // Such as a barrier, across which none is merged.
      const KeptApart kept = kept_apart_by(instruction);
      if (kept.loads)
        loads.end();
      if (kept.stores && !kept.by_ptxas_alone)
        stores.end();
    }
  }
}

void vectorise_accesses(llvm::Function &kernel, const SharedOffsets &offsets) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  const llvm::DominatorTree tree(kernel);
  const llvm::LoopInfo loops(tree);
  AddressSums addresses(kernel, offsets, tree, loops);
  SharedLines shared_lines;
  hoist_adjacent_loads(kernel, addresses, tree, loops);
  for (llvm::BasicBlock &block : kernel) {
    struct Space {
      unsigned number;
      SharedLines &shared_lines;
      Region loads, stores;

      void end_loads() {
        loads.flush(true, [&](auto &&...merged) { merge_loads(merged..., shared_lines); });
        loads.end();
      }
      void flush_stores() {
        stores.flush(false, [&](auto &&...merged) { merge_stores(merged..., shared_lines); });
      }
      void end_stores() {
        flush_stores();
        stores.end();
      }
    };
    Space spaces[] = {{kShared,
                       shared_lines,
                       {addresses, layout, loops, Alignment::LaidOut},
                       {addresses, layout, loops, Alignment::LaidOut}},
                      {kGlobal,
                       shared_lines,
                       {addresses, layout, loops, Alignment::Declared},
                       {addresses, layout, loops, Alignment::Declared}}};
    std::vector<llvm::Instruction *> instructions;
    for (llvm::Instruction &instruction : block)
      instructions.push_back(&instruction);
    for (llvm::Instruction *instruction : instructions) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction);
      auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if ((load && load->isSimple()) || (store && store->isSimple())) {
        for (Space &space : spaces) {
          if (llvm::getLoadStoreAddressSpace(instruction) != space.number)
            continue;
          if (load) {
            space.end_stores();
            space.loads.add(*load, load->getPointerOperand(), load->getType());
          } else {
            space.end_loads();
            if (!space.stores.has_base_of(store->getPointerOperand()) ||
                !space.stores.is_in_last_window(store->getPointerOperand(), store->getValueOperand()->getType()))
              space.flush_stores();
            space.stores.add(*store, store->getPointerOperand(), store->getValueOperand()->getType());
          }
        }
      } else {
        const bool orders = orders_memory(*instruction);
        for (Space &space : spaces) {
          const KeptApart kept = space.number == kShared ? kept_apart_by(*instruction) : KeptApart{orders, orders};
          if (kept.loads)
            space.end_loads();
          // cicc may have merged what the model of it has not.
          if (kept.stores && kept.by_ptxas_alone && space.stores.is_declared_aligned())
            space.stores.begin_epoch();
          else if (kept.stores)
            space.end_stores();
          if (kept.perhaps_loads || (kept.dependent_loads && depends_on_shared_load(*instruction)))
            space.loads.begin_epoch();
        }
      }
    }
    for (Space &space : spaces) {
      space.end_loads();
      space.end_stores();
    }
  }
  note_shared_lines(kernel, shared_lines);
}

} // namespace smem::lower
