// Accesses of a region, by what their addresses have in common.
#pragma once

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/access_record.h"
#include "nvcc/cicc/unrolling.h"
#include "nvcc/facts/machine.h"
#include "nvcc/ptxas/address_sums.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {

struct Piece {
  llvm::Instruction *access = nullptr;
  llvm::Value *pointer = nullptr;
  llvm::Type *type = nullptr;
  std::uint32_t offset = 0; ///< constant part of the address
  std::uint32_t bytes = 0;
  bool uncertain = false; ///< nvcc may not see how it lies to its neighbours
  unsigned epoch = 0;     ///< pieces of two epochs may yet stay apart
};

inline unsigned line_of(const llvm::Instruction &access) {
  return access.getDebugLoc() ? access.getDebugLoc().getLine() : 0;
}

using Base = std::vector<std::pair<const llvm::Value *, std::uint32_t>>;

/// `ld.u16` into a 32-bit register: a load whose one use extends it, or one that whole numbers are computed with, which is done in such registers.
inline bool extends_itself(const llvm::Instruction &access) {
  if (access.hasOneUse() &&
      (llvm::isa<llvm::SExtInst>(access.user_back()) || llvm::isa<llvm::ZExtInst>(access.user_back())))
    return true;
  return llvm::isa<llvm::LoadInst>(access) && access.getType()->isIntegerTy() &&
         llvm::any_of(access.users(), [](const llvm::User *user) { return llvm::isa<llvm::BinaryOperator>(user); });
}

/// Is all that a load is used for to make a float of a `__nv_bfloat16`? That shifts it in a register of 32 bits, and such a load stays apart.
inline bool is_widened_bfloat(const llvm::Instruction &access) {
  return llvm::isa<llvm::LoadInst>(access) && !access.use_empty() &&
         llvm::all_of(access.users(), [](const llvm::User *user) {
           const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
           const auto *ptx = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
           return ptx && llvm::StringRef(ptx->getAsmString()).contains("cvt.f32.bf16 ");
         });
}

/// How the alignment of a region's accesses is known: shared arrays by where they are laid out, global memory by how wide the
/// accesses themselves are (two members of a float4, say, beside all four of the next).
enum class Alignment { LaidOut, Declared };

class Region {
public:
  Region(AddressSums &addresses, const llvm::DataLayout &layout, const llvm::LoopInfo &loops, Alignment known)
      : addresses_(addresses), layout_(layout), loops_(loops), known_(known) {}

  void add(llvm::Instruction &access, llvm::Value *pointer, llvm::Type *type) {
    if (known_ == Alignment::LaidOut && is_widened_bfloat(access))
      return;
    if (known_ == Alignment::LaidOut) {
      const AddressSum sum = addresses_.of(pointer);
      if (layout_.getTypeStoreSize(type) < 4 && !(layout_.getTypeStoreSize(type) == 2 && !extends_itself(access)))
        note_parts_of_words(access, sum);
      note_exclusive_or(access, sum);
      // What `511 - 4 * t - i` has in common is `511 - 4 * t`, of which ptxas knows no alignment (32 of 32 loops over arrays that are not declared to be aligned).
      if (!is_declared_aligned(*pointer, type))
        note_constants(access, sum, sum.from_constant, /*by_cicc=*/false);
    }
    Piece piece{&access, pointer, type, 0, static_cast<std::uint32_t>(layout_.getTypeStoreSize(type).getFixedValue())};
    if (known_ == Alignment::Declared)
      note_width(access, pointer, piece.bytes);
    if ((piece.bytes != 2 && piece.bytes != 4 && piece.bytes != 8) ||
        layout_.getTypeAllocSize(type).getFixedValue() != piece.bytes ||
        !(type->isIntegerTy() || type->isFloatingPointTy() || type->isVectorTy() || type->isPointerTy()))
      return;
    if (piece.bytes == 2 && extends_itself(access))
      return;
    const AddressSum sum = addresses_.of(pointer);
    piece.offset = sum.constant;
    piece.epoch = epoch_;
    piece.uncertain = sum.by_bits || (known_ == Alignment::LaidOut && !addresses_.is_plain(sum));
    if (piece.offset % piece.bytes)
      return;
    Base base = base_of(sum);
    // Units of one size meet. Structures are copied by the word, whatever they consist of.
    const bool copies = has_uncertainty(access, Uncertainty::StructureCopy);
    base.emplace_back(nullptr, copies && piece.bytes == 8 ? 4 : unit_of(type, piece.bytes));
    auto &group = groups_[base];
    if (group.pieces.empty())
      group.alignment = addresses_.alignment(sum);
    group.pieces.push_back(piece);
    if (const llvm::Loop *loop = known_ == Alignment::LaidOut ? loops_.getLoopFor(access.getParent()) : nullptr)
      if (const std::optional<std::uint32_t> step = addresses_.step_from_variable(sum, *loop);
          step && *step && *step / 2 <= group.alignment) {
        group.step = group.step ? std::min(group.step, *step) : *step;
        group.pieces.back().uncertain |= *step / 2 < group.alignment;
      }
  }

  /// Of an access that is not to be merged here: is it a neighbour of another by its bits alone?
  void note_bits(const llvm::Instruction &access, const llvm::Value *pointer) {
    auto &here = const_cast<llvm::Instruction &>(access);
    const AddressSum sum = addresses_.of(pointer);
    note_exclusive_or(here, sum);
    // cicc knows nothing of a remainder of a multiple of four; ptxas does, but merges no bytes.
    if (layout_.getTypeStoreSize(llvm::getLoadStoreType(&here)) == 1 &&
        llvm::any_of(sum.factors, [](const auto &factor) { return is_remainder(factor.first); }))
      note_uncertain(&here);
    // cicc merges in arrays that are declared to be aligned; in others ptxas, which knows no minimum at all.
    // What is aligned by a mask (`(t & ~3) + 1`, `t / 32 * 4 + 3`) it takes for neighbours or not by how the mask and the constant have come together.
    const bool own = sum.by_bits || ((sum.by_minimum || !addresses_.is_plain(sum)) &&
                                     is_declared_aligned(*pointer, llvm::getLoadStoreType(&here)));
    note_constants(here, sum, own, /*by_cicc=*/true);
  }

  /// Does an access through `pointer` have the base of all that the region holds?
  bool has_base_of(const llvm::Value *pointer) const {
    if (groups_.empty())
      return true;
    const Base other = base_of(addresses_.of(pointer));
    const Base &own = groups_.begin()->first;
    return std::equal(own.begin(), own.end() - 1, other.begin(), other.end());
  }

  /// Is an access through `pointer` in the aligned window of the last that the region holds? Of the base that all have. Values of 64 bits, and what is made of words,
  /// are no matter to each other.
  bool is_in_last_window(const llvm::Value *pointer, const llvm::Type *type) const {
    const bool wide = unit_of(type, layout_.getTypeStoreSize(const_cast<llvm::Type *>(type)).getFixedValue()) == 8;
    const auto last = std::find_if(groups_.rbegin(), groups_.rend(),
                                   [&](const auto &entry) { return (entry.first.back().second == 8) == wide; });
    if (known_ != Alignment::LaidOut || last == groups_.rend())
      return true;
    const auto &[base, group] = *last;
    const std::uint32_t size = widest_window(base.back().second, group.known_alignment());
    return size == 0 || addresses_.of(pointer).constant / size == group.pieces.back().offset / size;
  }

  template <typename Merge> void flush(bool loads, Merge &&merge) {
    for (auto &[base, group] : groups_) {
      if (known_ == Alignment::Declared)
        align_by_width(group, {base.begin(), base.end() - 1});
      note_stepped_neighbours(group);
      if (group.pieces.size() > 1)
        windows(group.pieces, base.back().second, group.alignment_from_middle(), loads, merge);
    }
    groups_.clear();
    parts_.clear();
  }

  void begin_epoch() { ++epoch_; }

  /// Are all pieces of arrays that are declared with an alignment that neighbours can merge by?
  bool is_declared_aligned() const {
    for (const auto &[base, group] : groups_)
      for (const Piece &piece : group.pieces) {
        const auto *array = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(piece.pointer));
        if (!array || array->getAlign().valueOrOne() < llvm::Align(2 * piece.bytes))
          return false;
      }
    return true;
  }

  /// Nothing behind this meets what was before. A store with another base ends less than that: by its bits it may be a neighbour.
  void end() { exclusive_.clear(), by_bits_.clear(); }

private:
  /// What an access is made of, in bytes: half-words, words, or a value of 64 bits, which is no pair of words to ptxas.
  static std::uint32_t unit_of(const llvm::Type *type, std::uint64_t bytes) {
    return bytes == 2 ? 2 : bytes == 8 && !type->isVectorTy() ? 8 : 4;
  }

  static std::uint32_t widest_window(std::uint32_t unit, std::uint32_t alignment) {
    return std::min({alignment, unit * 4, std::uint32_t{kWidestAccess}});
  }

  static Base base_of(const AddressSum &sum) { return Base(sum.factors.begin(), sum.factors.end()); }

  struct Group {
    std::uint32_t alignment = 1;
    std::uint32_t step = 0; ///< bytes of a loop's step, where that is twice the alignment or less; else 0
    std::vector<Piece> pieces;

    std::uint32_t known_alignment() const { return step ? std::min(alignment, half_of(step)) : alignment; }
    static std::uint32_t half_of(std::uint32_t step) { return std::max(1U, 1U << std::countr_zero(step) >> 1); }

    /// What a loop steps through cicc addresses from the middle of all that it accesses, as loop strength reduction chooses it: the first access at or after the middle of the offsets. How that one is
    /// aligned is all that ptxas knows, and not always how it came about.
    std::uint32_t alignment_from_middle() const {
      if (!step || half_of(step) >= alignment)
        return alignment;
      const auto [first, last] = std::minmax_element(
          pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) { return a.offset < b.offset; });
      const std::uint32_t half = first->offset + (last->offset - first->offset) / 2;
      std::uint32_t middle = last->offset;
      for (const Piece &piece : pieces)
        if (piece.offset >= half)
          middle = std::min(middle, piece.offset);
      return std::min(alignment, 1U << std::countr_zero(middle | step | alignment));
    }
  };

  /// For two accesses of the type at a time. Dynamic shared memory is.
  bool is_declared_aligned(const llvm::Value &pointer, llvm::Type *type) const {
    const llvm::Value *object = llvm::getUnderlyingObject(&pointer);
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return (variable && variable->isDeclaration()) ||
           object->getPointerAlignment(layout_).value() >= 2 * layout_.getTypeStoreSize(type).getFixedValue();
  }

  static AccessLocation location_of(const llvm::Instruction &access) {
    return {llvm::isa<llvm::LoadInst>(access) ? AccessLocation::Kind::Load : AccessLocation::Kind::Store,
            access.getDebugLoc().get()};
  }

  /// Neighbours that constants make, where nvcc may not know it: of `own`, and to cicc where `s[4 * t ^ i]` is of a loop whose i falls, some of which are and others not (24 of 42); written out they
  /// all are.
  void note_constants(llvm::Instruction &here, const AddressSum &sum, bool own, bool by_cicc) {
    auto &others = by_bits_[base_of(sum)];
    for (const auto &[other, constant, bits, has_or] : others) {
      const bool falls =
          by_cicc && (has_or || sum.has_or) && constant > sum.constant && other->getDebugLoc() == here.getDebugLoc();
      if ((bits || own || falls) && constant != sum.constant &&
          constant / kWidestAccess == sum.constant / kWidestAccess) {
        note_uncertain(other);
        note_uncertain(&here);
      }
    }
    others.emplace_back(&here, sum.constant, own, sum.has_or);
  }

  static bool is_remainder(const llvm::Value *value) {
    using namespace llvm::PatternMatch;
    while (match(value, m_ZExt(m_Value(value))) || match(value, m_SExt(m_Value(value)))) {}
    return match(value, m_SRem(m_Value(), m_Value())) || match(value, m_URem(m_Value(), m_Value()));
  }

  static void note_uncertain(llvm::Instruction *access) {
    raise_uncertainty(Uncertainty::Vectorisation, *access->getFunction(), location_of(*access));
  }

  /// There are wider accesses of bytes and half-words, too, of which there is no rule here.
  void note_parts_of_words(llvm::Instruction &access, const AddressSum &sum) {
    auto &others = parts_[base_of(sum)];
    for (const auto &[other, offset] : others)
      if (offset != sum.constant && offset / 16 == sum.constant / 16) {
        note_uncertain(other);
        note_uncertain(&access);
      }
    others.emplace_back(&access, sum.constant);
  }

  /// x ^ 4 and x ^ 5 are neighbours, and in a mask or remainder they mostly are.
  void note_exclusive_or(llvm::Instruction &access, const AddressSum &sum) {
    using namespace llvm::PatternMatch;
    Base base;
    std::uint32_t bits = 0;
    bool any = false;
    for (const auto &[value, factor] : sum.factors) {
      const llvm::Value *x = value;
      const llvm::APInt *c = nullptr;
      while (match(x, m_And(m_Value(x), m_APInt(c))) || match(x, m_SRem(m_Value(x), m_APInt(c))) ||
             match(x, m_URem(m_Value(x), m_APInt(c))) || match(x, m_ZExt(m_Value(x))) || match(x, m_SExt(m_Value(x)))) {
      }
      if (match(x, m_Xor(m_Value(x), m_APInt(c))) || match(x, m_DisjointOr(m_Value(x), m_APInt(c)))) {
        bits ^= factor * static_cast<std::uint32_t>(c->sextOrTrunc(32).getZExtValue());
        any = true;
      }
      base.emplace_back(x, factor);
    }
    std::sort(base.begin(), base.end()); // the order was that of what has been peeled
    auto &others = exclusive_[base];
    for (const auto &[other, constant, at, by_xor] : others)
      if ((any || by_xor) && constant == sum.constant && at != bits && (at ^ bits) < kWidestAccess) {
        raise_uncertainty(Uncertainty::Vectorisation, *access.getFunction(), other);
        note_uncertain(&access);
      }
    others.emplace_back(location_of(access), sum.constant, bits, any);
  }

  void note_width(const llvm::Instruction &access, const llvm::Value *pointer, std::uint32_t bytes) {
    constexpr std::uint32_t row = kWidestAccess;
    const AddressSum sum = addresses_.of(pointer);
    const std::optional<std::uint32_t> before = record_of(access).offset_in_row;
    auto &[widest, at] = widest_[base_of(sum)];
    if (const std::uint32_t own = before ? row : bytes; own > widest) {
      widest = own;
      at = sum.constant - before.value_or(0);
    }
  }

  /// ptxas knows no other alignment than that of the widest access of the base, which marks where windows begin.
  void align_by_width(Group &group, const Base &base) {
    const auto &[widest, at] = widest_[base];
    for (Piece &piece : group.pieces)
      piece.offset -= at;
    group.alignment = widest;
  }

  /// Neighbours that a loop steps through from a constant further on (`s[2 * t + 8 + j]`), or in an array that is not the first: which of them ptxas merges depends on where cicc has let its pointer begin.
  static void note_stepped_neighbours(const Group &group) {
    const auto is_first = [](const Piece &piece) { return piece.offset == 0; };
    if (!group.step || group.pieces.size() < 2 || std::any_of(group.pieces.begin(), group.pieces.end(), is_first))
      return;
    for (const Piece &piece : group.pieces)
      note_uncertain(piece.access);
  }

  /// Two words of one window that are not merged, on two lines: ptxas loads both on one of the lines.
  static void note_parted_lines(const std::vector<Piece> &pieces) {
    const auto is_elsewhere = [&](const Piece &piece) { return line_of(*piece.access) != line_of(*pieces[0].access); };
    if (std::any_of(pieces.begin(), pieces.end(), is_elsewhere))
      for (const Piece &piece : pieces)
        raise_uncertainty(Uncertainty::MergedLine, *piece.access->getFunction(), location_of(*piece.access));
  }

  template <typename Merge> void windows(const std::vector<Piece> &pieces, std::uint32_t word, std::uint32_t alignment,
                                         bool loads, Merge &&merge) {
    const std::uint32_t size = widest_window(word, alignment);
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
      if (twice && !loads) // two stores to one address would have to keep their order
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
      if (const bool parted = (covered & 3u) != 3u && (covered & 12u) != 12u;
          size == word * 4 && words == 2 && parted && loads)
        note_parted_lines(here);
      for (std::uint32_t half = 0; half < size; half += word * 2)
        if (const std::uint32_t both = 3u << (half / word); (covered & both) == both)
          take(half, half + word * 2);
    }
  }

  AddressSums &addresses_;
  const llvm::DataLayout &layout_;
  const llvm::LoopInfo &loops_;
  Alignment known_;
  unsigned epoch_ = 0;
  std::map<Base, std::vector<std::pair<llvm::Instruction *, std::uint32_t>>> parts_;
  std::map<Base, std::vector<std::tuple<llvm::Instruction *, std::uint32_t, bool, bool>>> by_bits_;
  std::map<Base, std::pair<std::uint32_t, std::uint32_t>> widest_; ///< access, in bytes, and where it is
  std::map<Base, std::vector<std::tuple<AccessLocation, std::uint32_t, std::uint32_t, bool>>>
      exclusive_; ///< locations, for accesses may have been merged since
  llvm::MapVector<Base, Group, std::map<Base, unsigned>> groups_;
};

} // namespace smem::lower
