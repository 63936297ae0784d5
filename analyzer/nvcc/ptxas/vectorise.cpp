// The rules for shared memory, read off the machine code of ptxas 13.0 for sm_90 (validate/RULES.md, "What the compiler merges"):
// - A region ends at barriers, atomics, fences and calls; for loads also at a store to shared memory, for stores at a load and at
//   a store with another base, which might be to the same place: stores to two arrays in turn do not merge.
// - AddressSums are 32-bit sums. Two accesses have a common base when their sums differ by a constant. An address without a
//   variable part is known altogether, for ptxas lays the arrays out itself: there, even neighbouring arrays merge. With a
//   variable part the array belongs to the base, and only the alignment of its place is known.
// - Words are taken together by aligned window, of 16 bytes where the base is a multiple of 16, else of 8: three words of 16
//   bytes become one 128-bit load (reading one in vain), two of an aligned half a 64-bit one. Stores write nothing that
//   was not stored: four words or two.
// - 64-bit accesses count as two words, and stay as they are where they stand alone.
// - 16-bit accesses follow the same rules at half the size: 64-bit at most. Those that the load itself extends to 32 bits, for a sum say, all
//   8-bit and all volatile ones stay.
// - A word that is loaded behind a branch joins its neighbour in front of it (nvcc/ptxas/vectorise_across_blocks.h).
// Global accesses merge likewise, but all that is known of their alignment is that each is a multiple of its width.
#include "nvcc/ptxas/vectorise.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/cicc/unrolling.h"
#include "nvcc/ptxas/address_sums.h"
#include "nvcc/facts/memory_order.h"
#include "nvcc/ptxas/vectorise_across_blocks.h"
#include "nvcc/cicc/gap_fill.h"
#include "nvcc/assumed.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

constexpr unsigned kGlobal = 1, kShared = 3;

struct Piece {
  llvm::Instruction *access = nullptr;
  llvm::Value *pointer = nullptr;
  llvm::Type *type = nullptr;
  std::uint32_t offset = 0; ///< constant part of the address
  std::uint32_t bytes = 0;
  bool doubtful = false; ///< nvcc may not see how it lies to its neighbours
};

unsigned line_of(const llvm::Instruction &access) {
  return access.getDebugLoc() ? access.getDebugLoc().getLine() : 0;
}

using Base = std::vector<std::pair<const llvm::Value *, std::uint32_t>>;

/// `ld.u16` into a 32-bit register: a load whose one use extends it, or one that whole numbers are computed with, which is done in such registers.
bool extends_itself(const llvm::Instruction &access) {
  if (access.hasOneUse() && (llvm::isa<llvm::SExtInst>(access.user_back()) || llvm::isa<llvm::ZExtInst>(access.user_back())))
    return true;
  return llvm::isa<llvm::LoadInst>(access) && access.getType()->isIntegerTy() &&
         llvm::any_of(access.users(), [](const llvm::User *user) { return llvm::isa<llvm::BinaryOperator>(user); });
}

/// How the alignment of a region's accesses is known: shared arrays by where they are placed, global memory by how wide the
/// accesses themselves are (two members of a float4, say, beside all four of the next).
enum class Alignment { Placed, Declared };

class Region {
public:
  Region(AddressSums &addresses, const llvm::DataLayout &layout, const llvm::LoopInfo &loops, Alignment known)
      : addresses_(addresses), layout_(layout), loops_(loops), known_(known) {}

  void add(llvm::Instruction &access, llvm::Value *pointer, llvm::Type *type) {
    if (known_ == Alignment::Placed) {
      const AddressSum sum = addresses_.of(pointer);
      if (layout_.getTypeStoreSize(type) < 4 && !(layout_.getTypeStoreSize(type) == 2 && !extends_itself(access)))
        note_parts_of_words(access, sum);
      note_exclusive_or(access, sum);
    }
    Piece piece{&access, pointer, type, 0, static_cast<std::uint32_t>(layout_.getTypeStoreSize(type).getFixedValue())};
    if (known_ == Alignment::Declared)
      note_width(access, pointer, piece.bytes);
    if ((piece.bytes != 2 && piece.bytes != 4 && piece.bytes != 8) || layout_.getTypeAllocSize(type).getFixedValue() != piece.bytes ||
        !(type->isIntegerTy() || type->isFloatingPointTy() || type->isVectorTy()))
      return;
    if (piece.bytes == 2 && extends_itself(access))
      return;
    const AddressSum sum = addresses_.of(pointer);
    piece.offset = sum.constant;
    piece.doubtful = sum.by_bits || (known_ == Alignment::Placed && !addresses_.is_plain(sum));
    if (piece.offset % piece.bytes)
      return;
    Base base = base_of(sum);
    base.emplace_back(nullptr, piece.bytes == 2 ? 2 : 4); // words and half-words do not meet
    auto &group = groups_[base];
    if (group.pieces.empty())
      group.alignment = addresses_.alignment(sum);
    group.pieces.push_back(piece);
    // What an unrolled loop steps through is addressed from its middle; ptxas knows no more than how that is aligned, and not always
    // how it came about.
    if (const llvm::Loop *loop = known_ == Alignment::Placed ? loops_.getLoopFor(access.getParent()) : nullptr)
      if (const std::optional<std::uint32_t> step = addresses_.step_from_variable(sum, *loop); step && *step && *step / 2 < group.alignment) {
        group.alignment = std::max<std::uint32_t>(1, 1u << std::countr_zero(*step) >> 1);
        group.pieces.back().doubtful = true;
      }
  }

  /// Does an access through `pointer` have the base of all that the region holds?
  bool has_base_of(const llvm::Value *pointer) const {
    if (groups_.empty())
      return true;
    const Base other = base_of(addresses_.of(pointer));
    const Base &own = groups_.begin()->first;
    return std::equal(own.begin(), own.end() - 1, other.begin(), other.end());
  }

  template <typename Merge> void flush(bool loads, Merge &&merge) {
    for (auto &[base, group] : groups_) {
      if (known_ == Alignment::Declared)
        align_by_width(group, {base.begin(), base.end() - 1});
      if (group.pieces.size() > 1)
        windows(group.pieces, base.back().second, group.alignment, loads, merge);
    }
    groups_.clear();
    parts_.clear();
  }

  /// Nothing behind this meets what was before. A store with another base ends less than that: by its bits it may be a neighbour.
  void end() { exclusive_.clear(); }

private:
  static Base base_of(const AddressSum &sum) { return Base(sum.factors.begin(), sum.factors.end()); }

  struct Group {
    std::uint32_t alignment = 1;
    std::vector<Piece> pieces;
  };

  static AccessPlace place_of(const llvm::Instruction &access) {
    return {llvm::isa<llvm::LoadInst>(access) ? AccessPlace::Kind::Load : AccessPlace::Kind::Store, access.getDebugLoc().get()};
  }

  static void doubt(llvm::Instruction *access) { raise(Doubt::Merging, *access->getFunction(), place_of(*access)); }

  /// There are wider accesses of bytes and half-words, too, of which there is no rule here.
  void note_parts_of_words(llvm::Instruction &access, const AddressSum &sum) {
    auto &others = parts_[base_of(sum)];
    for (const auto &[other, offset] : others)
      if (offset != sum.constant && offset / 16 == sum.constant / 16) {
        doubt(other);
        doubt(&access);
      }
    others.emplace_back(&access, sum.constant);
  }

  /// x ^ 4 and x ^ 5 are neighbours, and in a mask or remainder they mostly are.
  void note_exclusive_or(llvm::Instruction &access, const AddressSum &sum) {
    using namespace llvm::PatternMatch;
    Base base;
    std::uint32_t place = 0;
    bool any = false;
    for (const auto &[value, factor] : sum.factors) {
      const llvm::Value *x = value;
      const llvm::APInt *c = nullptr;
      while (match(x, m_And(m_Value(x), m_APInt(c))) || match(x, m_SRem(m_Value(x), m_APInt(c))) || match(x, m_URem(m_Value(x), m_APInt(c))) ||
             match(x, m_ZExt(m_Value(x))) || match(x, m_SExt(m_Value(x)))) {}
      if (match(x, m_Xor(m_Value(x), m_APInt(c))) || match(x, m_DisjointOr(m_Value(x), m_APInt(c)))) {
        place ^= factor * static_cast<std::uint32_t>(c->sextOrTrunc(32).getZExtValue());
        any = true;
      }
      base.emplace_back(x, factor);
    }
    std::sort(base.begin(), base.end()); // the order was that of what has been peeled
    auto &others = exclusive_[base];
    for (const auto &[other, constant, at, by_xor] : others)
      if ((any || by_xor) && constant == sum.constant && at != place && (at ^ place) < 16) {
        raise(Doubt::Merging, *access.getFunction(), other);
        doubt(&access);
      }
    others.emplace_back(place_of(access), sum.constant, place, any);
  }

  void note_width(const llvm::Instruction &access, const llvm::Value *pointer, std::uint32_t bytes) {
    constexpr std::uint32_t row = 16;
    const AddressSum sum = addresses_.of(pointer);
    const std::optional<std::uint32_t> before = place_in_row(access);
    auto &[widest, at] = widest_[base_of(sum)];
    if (const std::uint32_t own = before ? row : bytes; own > widest) {
      widest = own;
      at = sum.constant - before.value_or(0);
    }
  }

  /// ptxas knows no other alignment than that of the widest access of the base, which marks where windows begin.
  void align_by_width(Group &group, const Base &base) {
    const auto &[widest, at] = widest_[base];
    for (Piece &piece : group.pieces) piece.offset -= at;
    group.alignment = widest;
  }

  template <typename Merge>
  void windows(const std::vector<Piece> &pieces, std::uint32_t word, std::uint32_t alignment, bool loads, Merge &&merge) {
    const std::uint32_t size = std::min(alignment, word * 4);
    if (size < word * 2)
      return;
    std::map<std::uint32_t, std::vector<Piece>> windows;
    for (const Piece &piece : pieces)
      if (piece.bytes <= size)
        windows[piece.offset / size].push_back(piece);
    for (const auto &[window, here] : windows) {
      std::uint32_t covered = 0, twice = 0; // a bit for each word
      for (const Piece &piece : here)
        for (std::uint32_t at = 0; at < piece.bytes; at += word) {
          const std::uint32_t bit = 1u << ((piece.offset % size + at) / word);
          twice |= covered & bit;
          covered |= bit;
        }
      if (twice && !loads) // two stores to one place would have to keep their order
        continue;
      auto take = [&](std::uint32_t from, std::uint32_t to) {
        std::vector<Piece> taken;
        for (const Piece &piece : here)
          if (const std::uint32_t at = piece.offset % size; at >= from && at < to)
            taken.push_back(piece);
        if (taken.size() > 1)
          merge(taken, window * size + from, to - from, word);
      };
      const int words = std::popcount(covered);
      if (size == word * 4 && (words == 4 || (words == 3 && loads))) {
        take(0, size);
        continue;
      }
      for (std::uint32_t half = 0; half < size; half += word * 2)
        if (const std::uint32_t both = 3u << (half / word); (covered & both) == both)
          take(half, half + word * 2);
    }
  }

  AddressSums &addresses_;
  const llvm::DataLayout &layout_;
  const llvm::LoopInfo &loops_;
  Alignment known_;
  std::map<Base, std::vector<std::pair<llvm::Instruction *, std::uint32_t>>> parts_;
  std::map<Base, std::pair<std::uint32_t, std::uint32_t>> widest_; ///< access, in bytes, and where it is
  std::map<Base, std::vector<std::tuple<AccessPlace, std::uint32_t, std::uint32_t, bool>>> exclusive_; ///< places, for accesses may have been merged since
  llvm::MapVector<Base, Group, std::map<Base, unsigned>> groups_;
};

llvm::Type *words_type(llvm::LLVMContext &context, std::uint32_t bytes, std::uint32_t word) {
  llvm::Type *element = llvm::IntegerType::get(context, word * 8);
  return bytes == word ? element : llvm::FixedVectorType::get(element, bytes / word);
}

llvm::Value *moved(llvm::IRBuilder<> &builder, const Piece &from, std::uint32_t to) {
  return builder.CreatePtrAdd(from.pointer, builder.getInt64(static_cast<std::int64_t>(static_cast<std::int32_t>(to - from.offset))));
}

constexpr llvm::StringRef kSpans = "smem_lint.spans_arrays";

void note_arrays(const std::vector<Piece> &pieces, llvm::Instruction &access) {
  const auto array = [](const Piece &piece) { return llvm::getUnderlyingObject(piece.pointer); };
  if (std::all_of(pieces.begin(), pieces.end(), [&](const Piece &piece) { return array(piece) == array(pieces.front()); }))
    return;
  llvm::SmallVector<llvm::Metadata *> arrays;
  for (const Piece &piece : pieces)
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(array(piece)))
      arrays.push_back(llvm::ValueAsMetadata::get(const_cast<llvm::GlobalVariable *>(variable)));
  access.setMetadata(kSpans, llvm::MDNode::get(access.getContext(), arrays));
}

llvm::Value *converted(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *type) {
  return value->getType() == type ? value : builder.CreateBitCast(value, type);
}

/// Lines of one kind of access that share what has been merged.
using SharedLines = std::set<std::tuple<unsigned, unsigned, unsigned>>;

std::tuple<unsigned, unsigned, unsigned> kind_and_line(llvm::Instruction &access) {
  return {access.getOpcode(), llvm::getLoadStoreAddressSpace(&access), line_of(access)};
}

/// What the merging of `pieces` into `access` rests on, where nvcc may do otherwise.
void note_doubts(const std::vector<Piece> &pieces, llvm::Instruction &access, SharedLines &shared) {
  if (std::any_of(pieces.begin(), pieces.end(), [](const Piece &piece) { return piece.doubtful; }))
    assume(access, "nvcc recognises these accesses as adjacent, and merges them");
  if (std::any_of(pieces.begin(), pieces.end(), [&](const Piece &piece) { return line_of(*piece.access) != line_of(*pieces.front().access); }))
    for (const Piece &piece : pieces) shared.insert(kind_and_line(*piece.access));
}

/// All accesses of lines that share merged ones: nobody knows which of the lines the compiler counts these on.
void note_shared_lines(llvm::Function &kernel, const SharedLines &shared) {
  if (shared.empty())
    return;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) && shared.count(kind_and_line(instruction)))
      assume(instruction, "nvcc attributes accesses that it merges to the first of their lines");
}

void merge_loads(const std::vector<Piece> &pieces, std::uint32_t window, std::uint32_t width, std::uint32_t word, SharedLines &shared) {
  const Piece *first = &pieces[0];
  for (const Piece &piece : pieces)
    if (piece.access->comesBefore(first->access))
      first = &piece;
  llvm::IRBuilder<> builder(first->access);
  llvm::LoadInst *load =
    builder.CreateAlignedLoad(words_type(builder.getContext(), width, word), moved(builder, *first, window), llvm::Align(width));
  note_doubts(pieces, *load, shared);
  note_arrays(pieces, *load);
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

void merge_stores(const std::vector<Piece> &pieces, std::uint32_t window, std::uint32_t width, std::uint32_t word, SharedLines &shared) {
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
  note_doubts(pieces, *store, shared);
  note_arrays(pieces, *store);
  for (const Piece &piece : pieces)
    piece.access->eraseFromParent();
}

} // namespace

bool spans_arrays(const llvm::Instruction &access) { return access.hasMetadata(kSpans); }

std::vector<const llvm::GlobalVariable *> spanned_arrays(const llvm::Instruction &access) {
  std::vector<const llvm::GlobalVariable *> arrays;
  if (const llvm::MDNode *spans = access.getMetadata(kSpans))
    for (const llvm::MDOperand &array : spans->operands())
      if (const auto *variable = llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(array))
        arrays.push_back(variable);
  return arrays;
}

void merge_accesses(llvm::Function &kernel, const SharedPlaces &places) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  const llvm::DominatorTree tree(kernel);
  const llvm::LoopInfo loops(tree);
  AddressSums addresses(layout, places, loops);
  SharedLines shared_lines;
  bring_neighbours_together(kernel, addresses, tree, loops);
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
    Space spaces[] = {{kShared, shared_lines, {addresses, layout, loops, Alignment::Placed}, {addresses, layout, loops, Alignment::Placed}},
                      {kGlobal, shared_lines, {addresses, layout, loops, Alignment::Declared}, {addresses, layout, loops, Alignment::Declared}}};
    std::vector<llvm::Instruction *> instructions;
    for (llvm::Instruction &instruction : block) instructions.push_back(&instruction);
    for (llvm::Instruction *instruction : instructions) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction);
      auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if ((load && load->isSimple()) || (store && store->isSimple())) {
        for (Space &space : spaces) {
          if (llvm::getLoadStoreAddressSpace(instruction) != space.number) continue;
          if (load) {
            space.end_stores();
            space.loads.add(*load, load->getPointerOperand(), load->getType());
          } else {
            space.end_loads();
            if (!space.stores.has_base_of(store->getPointerOperand())) space.flush_stores();
            space.stores.add(*store, store->getPointerOperand(), store->getValueOperand()->getType());
          }
        }
      } else if (orders_memory(*instruction)) {
        for (Space &space : spaces) {
          space.end_loads();
          space.end_stores();
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
