// The rules, read off the machine code of ptxas 13.0 for sm_90 (validate/RULES.md, "What the compiler merges"):
// - A region ends at barriers, atomics, fences and calls; for loads also at a store to shared memory, for stores at a load.
// - Addresses are 32-bit sums. Two accesses have a common base when their sums differ by a constant; arrays are constants, for
//   ptxas lays them out itself.
// - Where the base is known to be a multiple of 16, the words of each aligned 16-byte window are taken together: four, or
//   three in a row, become one 128-bit load (reading a word in vain), two in one aligned half a 64-bit one. Stores write
//   nothing that was not stored: four words or two. Where only 8 is known, halves are merged alone.
// - Pieces of 64 bits: two of one window become one of 128. Pieces of 8 and 16 bits stay as they are. So do volatile ones.
#include "lower/merge_shared_accesses.h"

#include <bit>
#include <optional>
#include <vector>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

namespace smem::lower {
namespace {

constexpr unsigned kShared = 3;

/// constant + sum(factor * value), modulo 2^32.
struct Sum {
  std::uint32_t constant = 0;
  std::map<const llvm::Value *, std::uint32_t> factors;

  void add(const llvm::Value *value, std::uint32_t factor) {
    auto [entry, fresh] = factors.try_emplace(value, 0);
    entry->second += factor;
    if (!entry->second)
      factors.erase(entry);
  }
};

class Addresses {
public:
  Addresses(const llvm::DataLayout &layout, const SharedPlaces &places) : layout_(layout), places_(places) {}

  Sum of(const llvm::Value *pointer) {
    Sum sum;
    add_pointer(pointer, 1, sum);
    return sum;
  }

  /// Of the part that is not constant: a power of two, at most 1024.
  std::uint32_t alignment(const Sum &sum) const {
    unsigned zeros = 10;
    for (const auto &[value, factor] : sum.factors) {
      unsigned known = 0;
      if (value->getType()->isPointerTy())
        known = llvm::Log2(value->getPointerAlignment(layout_));
      else
        known = llvm::computeKnownBits(value, layout_).countMinTrailingZeros();
      zeros = std::min<unsigned>(zeros, known + static_cast<unsigned>(std::countr_zero(factor)));
    }
    return 1u << zeros;
  }

private:
  void add_pointer(const llvm::Value *pointer, std::uint32_t factor, Sum &sum) {
    if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      add_pointer(gep->getPointerOperand(), factor, sum);
      for (auto index = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); index != end; ++index) {
        if (llvm::StructType *type = index.getStructTypeOrNull()) {
          const auto field = llvm::cast<llvm::ConstantInt>(index.getOperand())->getZExtValue();
          sum.constant += factor * static_cast<std::uint32_t>(layout_.getStructLayout(type)->getElementOffset(static_cast<unsigned>(field)).getFixedValue());
          continue;
        }
        const auto stride = static_cast<std::uint32_t>(index.getSequentialElementStride(layout_).getFixedValue());
        add_integer(index.getOperand(), factor * stride, sum);
      }
      return;
    }
    if (const auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer); cast && cast->getSrcAddressSpace() == kShared)
      return add_pointer(cast->getPointerOperand(), factor, sum);
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer))
      if (const auto place = places_.find(variable); place != places_.end()) {
        sum.constant += factor * static_cast<std::uint32_t>(place->second);
        return;
      }
    sum.add(pointer, factor);
  }

  void add_integer(const llvm::Value *value, std::uint32_t factor, Sum &sum) {
    using namespace llvm::PatternMatch;
    const llvm::Value *a = nullptr, *b = nullptr;
    const llvm::APInt *c = nullptr;
    const unsigned width = value->getType()->getIntegerBitWidth();
    if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      sum.constant += factor * static_cast<std::uint32_t>(constant->getValue().sextOrTrunc(32).getZExtValue());
    } else if (width > 32 && (match(value, m_SExt(m_Value(a))) || match(value, m_ZExt(m_Value(a)))) && a->getType()->getIntegerBitWidth() == 32) {
      add_integer(a, factor, sum); // shared addresses have 32 bits: what an extension adds falls away
    } else if (width == 32 && match(value, m_Trunc(m_Value(a)))) {
      add_integer(a, factor, sum);
    } else if (width < 32) {
      sum.add(value, factor);
    } else if (match(value, m_Add(m_Value(a), m_Value(b))) || match(value, m_DisjointOr(m_Value(a), m_Value(b)))) {
      add_integer(a, factor, sum);
      add_integer(b, factor, sum);
    } else if (match(value, m_Sub(m_Value(a), m_Value(b)))) {
      add_integer(a, factor, sum);
      add_integer(b, 0 - factor, sum);
    } else if (match(value, m_Mul(m_Value(a), m_APInt(c)))) {
      add_integer(a, factor * static_cast<std::uint32_t>(c->sextOrTrunc(32).getZExtValue()), sum);
    } else if (match(value, m_Shl(m_Value(a), m_APInt(c))) && c->ult(32)) {
      add_integer(a, factor << c->getZExtValue(), sum);
    } else {
      sum.add(value, factor);
    }
  }

  const llvm::DataLayout &layout_;
  const SharedPlaces &places_;
};

struct Piece {
  llvm::Instruction *access = nullptr;
  llvm::Value *pointer = nullptr;
  llvm::Type *type = nullptr;
  std::uint32_t offset = 0; ///< constant part of the address
  std::uint32_t bytes = 0;
};

using Base = std::vector<std::pair<const llvm::Value *, std::uint32_t>>;

class Region {
public:
  Region(Addresses &addresses, const llvm::DataLayout &layout) : addresses_(addresses), layout_(layout) {}

  void add(llvm::Instruction &access, llvm::Value *pointer, llvm::Type *type) {
    Piece piece{&access, pointer, type, 0, static_cast<std::uint32_t>(layout_.getTypeStoreSize(type).getFixedValue())};
    if ((piece.bytes != 4 && piece.bytes != 8) || layout_.getTypeAllocSize(type).getFixedValue() != piece.bytes || !(type->isIntegerTy() || type->isFloatingPointTy() || type->isVectorTy()))
      return;
    const Sum sum = addresses_.of(pointer);
    piece.offset = sum.constant;
    auto &group = groups_[Base(sum.factors.begin(), sum.factors.end())];
    if (group.pieces.empty())
      group.alignment = addresses_.alignment(sum);
    group.pieces.push_back(piece);
  }

  template <typename Merge> void flush(bool loads, Merge &&merge) {
    for (auto &[base, group] : groups_)
      if (group.alignment >= 8 && group.pieces.size() > 1)
        windows(group.pieces, group.alignment, loads, merge);
    groups_.clear();
  }

private:
  struct Group {
    std::uint32_t alignment = 1;
    std::vector<Piece> pieces;
  };

  template <typename Merge> void windows(const std::vector<Piece> &pieces, std::uint32_t alignment, bool loads, Merge &&merge) {
    const std::uint32_t size = alignment >= 16 ? 16 : 8;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, std::vector<Piece>>> windows; // (bytes, window) -> offset -> pieces
    for (const Piece &piece : pieces)
      if (piece.offset % piece.bytes == 0)
        windows[{piece.bytes, piece.offset / size}][piece.offset % size].push_back(piece);
    for (auto &[key, places] : windows) {
      const std::uint32_t bytes = key.first;
      // Two stores to one place would have to keep their order.
      bool repeated = false;
      for (const auto &[offset, here] : places) repeated |= here.size() > 1;
      if (repeated && !loads)
        continue;
      auto take = [&](std::uint32_t from, std::uint32_t to) {
        std::vector<Piece> taken;
        for (auto place = places.lower_bound(from); place != places.end() && place->first < to; ++place)
          taken.insert(taken.end(), place->second.begin(), place->second.end());
        if (taken.size() > 1) merge(taken, key.second * size + from, to - from, bytes);
      };
      if (size == 16) {
        const bool row = bytes == 4 ? (places.size() == 4 || (loads && places.size() == 3 && places.count(4) && places.count(8))) : places.size() == 2;
        if (row) { take(0, 16); continue; }
      }
      if (bytes == 4)
        for (std::uint32_t half = 0; half < size; half += 8)
          if (places.count(half) && places.count(half + 4)) take(half, half + 8);
    }
  }

  Addresses &addresses_;
  const llvm::DataLayout &layout_;
  llvm::MapVector<Base, Group, std::map<Base, unsigned>> groups_;
};

/// Integer vectors of the pieces' size: the pieces may be of several types.
llvm::FixedVectorType *vector_type(llvm::LLVMContext &context, std::uint32_t width, std::uint32_t bytes) {
  return llvm::FixedVectorType::get(llvm::IntegerType::get(context, bytes * 8), width / bytes);
}

llvm::Value *moved(llvm::IRBuilder<> &builder, const Piece &from, std::uint32_t to) {
  return builder.CreatePtrAdd(from.pointer, builder.getInt64(static_cast<std::int64_t>(static_cast<std::int32_t>(to - from.offset))));
}

llvm::Value *converted(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *type) {
  return value->getType() == type ? value : builder.CreateBitCast(value, type);
}

void merge_loads(const std::vector<Piece> &pieces, std::uint32_t window, std::uint32_t width, std::uint32_t bytes) {
  const Piece *first = &pieces[0];
  for (const Piece &piece : pieces)
    if (piece.access->comesBefore(first->access)) first = &piece;
  llvm::IRBuilder<> builder(first->access);
  llvm::FixedVectorType *type = vector_type(builder.getContext(), width, bytes);
  llvm::LoadInst *load = builder.CreateAlignedLoad(type, moved(builder, *first, window), llvm::Align(width));
  for (const Piece &piece : pieces) {
    llvm::Value *element = builder.CreateExtractElement(load, (piece.offset - window) / bytes);
    piece.access->replaceAllUsesWith(converted(builder, element, piece.type));
  }
  for (const Piece &piece : pieces) piece.access->eraseFromParent();
}

void merge_stores(const std::vector<Piece> &pieces, std::uint32_t window, std::uint32_t width, std::uint32_t bytes) {
  const Piece *last = &pieces[0];
  for (const Piece &piece : pieces)
    if (last->access->comesBefore(piece.access)) last = &piece;
  llvm::IRBuilder<> builder(last->access);
  llvm::FixedVectorType *type = vector_type(builder.getContext(), width, bytes);
  llvm::Value *value = llvm::PoisonValue::get(type);
  for (const Piece &piece : pieces)
    value = builder.CreateInsertElement(value, converted(builder, llvm::cast<llvm::StoreInst>(piece.access)->getValueOperand(), type->getElementType()), (piece.offset - window) / bytes);
  builder.CreateAlignedStore(value, moved(builder, *last, window), llvm::Align(width));
  for (const Piece &piece : pieces)
    piece.access->eraseFromParent();
}

bool orders_memory(const llvm::Instruction &instruction) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return false;
  return instruction.mayReadOrWriteMemory();
}

} // namespace

void merge_shared_accesses(llvm::Function &kernel, const SharedPlaces &places) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  Addresses addresses(layout, places);
  for (llvm::BasicBlock &block : kernel) {
    Region loads(addresses, layout), stores(addresses, layout);
    std::vector<llvm::Instruction *> instructions;
    for (llvm::Instruction &instruction : block) instructions.push_back(&instruction);
    auto end_loads = [&] { loads.flush(true, merge_loads); };
    auto end_stores = [&] { stores.flush(false, merge_stores); };
    for (llvm::Instruction *instruction : instructions) {
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction); load && load->isSimple()) {
        if (load->getPointerAddressSpace() != kShared) continue;
        end_stores();
        loads.add(*load, load->getPointerOperand(), load->getType());
      } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction); store && store->isSimple()) {
        if (store->getPointerAddressSpace() != kShared) continue;
        end_loads();
        stores.add(*store, store->getPointerOperand(), store->getValueOperand()->getType());
      } else if (orders_memory(*instruction)) {
        end_loads();
        end_stores();
      }
    }
    end_loads();
    end_stores();
  }
}

} // namespace smem::lower
