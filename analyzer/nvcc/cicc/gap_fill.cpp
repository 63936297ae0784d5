#include "nvcc/cicc/gap_fill.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include "nvcc/access_record.h"
#include "nvcc/cicc/vectoriser_borders.h"
#include "nvcc/facts/address_terms.h"
#include "nvcc/facts/machine.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

constexpr long kWidest = kWidestAccess;

/// Loads of one size, from one base, with nothing in between that writes what those after it read.
struct Group {
  long size = 0;                                        ///< bytes of an element
  std::vector<std::pair<llvm::LoadInst *, long>> loads; ///< in the order of the source, with their offsets in bytes
  std::vector<const llvm::StoreInst *>
      stores; ///< in between, of the same memory: further loads may not be of what these write
};

/// A slot in a row of elements; without loads it is a gap.
struct Element {
  long offset = 0; ///< bytes
  std::vector<llvm::LoadInst *> loads;
};

/// Rows without gaps, once those are filled that nvcc fills.
std::vector<std::vector<Element>> rows_of(const Group &group) {
  std::map<long, std::vector<llvm::LoadInst *>> by_offset;
  for (const auto &[load, offset] : group.loads)
    by_offset[offset].push_back(load);
  std::vector<std::vector<Element>> rows;
  unsigned length = 0; // as nvcc counts it: a gap behind three is not counted
  for (const auto &[offset, loads] : by_offset) {
    const long distance = rows.empty() ? 0 : offset - rows.back().back().offset;
    const long gap = distance % group.size == 0 ? distance / group.size - 1 : -1;
    const unsigned rest = length % 4;
    const bool joins = !rows.empty() && (gap == 0 || (gap == 1 && rest != 0) || (gap == 2 && rest == 1));
    if (!joins) {
      rows.push_back({{offset, loads}});
      length = 1;
      continue;
    }
    for (long filled = 0; filled < gap; ++filled)
      rows.back().push_back({rows.back().back().offset + group.size, {}});
    rows.back().push_back({offset, loads});
    length += 1 + (gap && rest != 3 ? static_cast<unsigned>(gap) : 0);
  }
  return rows;
}

class Merger {
public:
  explicit Merger(const Group &group) : group_(group) {
    for (const auto &[load, offset] : group.loads)
      if (load->getAlign() > alignment_) {
        alignment_ = load->getAlign();
        aligned_at_ = offset;
      }
  }

  void run() {
    for (const std::vector<Element> &row : rows_of(group_))
      for (std::size_t begin = 0; begin < row.size();) {
        const std::size_t count = longest(row, begin);
        if (row[begin].loads.empty() && count > 1)
          raise_uncertainty(row, begin, count); // nvcc does so in some of these cases
        else if (count > 1)
          merge(row, begin, count);
        begin += row[begin].loads.empty() ? 1 : count;
      }
  }

private:
  bool is_aligned(long offset, long bytes) const {
    return llvm::commonAlignment(alignment_, static_cast<std::uint64_t>(std::abs(offset - aligned_at_))).value() >=
           static_cast<std::uint64_t>(bytes);
  }

  /// Elements from `begin` on that one load can have.
  std::size_t longest(const std::vector<Element> &row, std::size_t begin) const {
    for (std::size_t count = row.size() - begin; count > 1; --count)
      if (const long bytes = static_cast<long>(llvm::PowerOf2Ceil(count)) * group_.size;
          bytes <= kWidest && is_aligned(row[begin].offset, bytes))
        return count;
    return 1;
  }

  static void raise_uncertainty(const std::vector<Element> &row, std::size_t begin, std::size_t count) {
    for (std::size_t i = begin; i < begin + count; ++i)
      for (llvm::LoadInst *load : row[i].loads)
        smem::raise_uncertainty(Uncertainty::Vectorisation, *load->getFunction(),
                                {AccessLocation::Kind::Load, load->getDebugLoc().get()});
  }

  void merge(const std::vector<Element> &row, std::size_t begin, std::size_t count) const {
    std::vector<std::pair<llvm::LoadInst *, std::size_t>> loads;
    std::size_t wanted = 0;
    for (std::size_t i = 0; i < count; ++i) {
      wanted += !row[begin + i].loads.empty();
      for (llvm::LoadInst *load : row[begin + i].loads)
        loads.emplace_back(load, i);
    }
    const std::size_t elements = llvm::PowerOf2Ceil(count);
    if (wanted != elements && is_uncertain(loads))
      raise_uncertainty(row, begin, count);
    // Rows that are complete are LLVM's business, and of two half-words ptxas loads the one that is wanted, of four words those two.
    if (wanted == elements || (wanted == 1 && group_.size == 2))
      return;
    if (wanted < 3 && group_.size == 4) {
      const auto line = [](const llvm::LoadInst *load) {
        return load->getDebugLoc() ? load->getDebugLoc().getLine() : 0;
      };
      if (wanted > 1 && elements == 4 &&
          llvm::any_of(loads, [&](const auto &load) { return line(load.first) != line(loads.front().first); }))
        raise_uncertainty(row, begin, count); // on the first line, all of them
      if (elements == 4)
        note_row(*loads.front().first, static_cast<std::uint64_t>(group_.size) * loads.front().second);
      return;
    }
    const auto first = std::min_element(loads.begin(), loads.end(),
                                        [](const auto &a, const auto &b) { return a.first->comesBefore(b.first); });
    llvm::IRBuilder<> builder(first->first); // with its location
    const long back = -static_cast<long>(first->second) * group_.size;
    llvm::Value *pointer =
        builder.CreatePtrAdd(first->first->getPointerOperand(), builder.getInt64(static_cast<std::uint64_t>(back)));
    llvm::Type *element = builder.getIntNTy(static_cast<unsigned>(8 * group_.size));
    llvm::LoadInst *whole =
        builder.CreateAlignedLoad(llvm::FixedVectorType::get(element, static_cast<unsigned>(elements)), pointer,
                                  llvm::Align(elements * static_cast<std::uint64_t>(group_.size)));
    AccessRecord record;
    for (const auto &[load, index] : loads)
      record = merged(std::move(record), record_of(*load));
    std::size_t last = 0;
    for (const std::size_t index : llvm::make_second_range(loads))
      last = std::max(last, index);
    record.filled = static_cast<std::uint32_t>((elements - 1 - last) * static_cast<std::size_t>(group_.size));
    set_record(*whole, record);
    for (const auto &[load, index] : loads) {
      llvm::Value *value = builder.CreateExtractElement(whole, index);
      load->replaceAllUsesWith(value->getType() == load->getType() ? value
                                                                   : builder.CreateBitCast(value, load->getType()));
    }
    for (const auto &[load, index] : loads)
      load->eraseFromParent();
  }

  /// Of shared memory nvcc keeps loads of bytes and half-words with gaps between them apart in some kernels.
  bool is_uncertain(const std::vector<std::pair<llvm::LoadInst *, std::size_t>> &loads) const {
    return group_.size < 4 && loads.size() > 1 && loads.front().first->getPointerAddressSpace() == kShared;
  }

  static void note_row(llvm::LoadInst &load, std::uint64_t before) {
    AccessRecord record = record_of(load);
    record.offset_in_row = static_cast<std::uint32_t>(before);
    set_record(load, record);
  }

  const Group &group_;
  llvm::Align alignment_{1}; ///< the best that a load declares
  long aligned_at_ = 0;
};

/// Words of shared memory that are loaded on several lines from one aligned row of four: cicc may load the row, and ptxas then takes it apart again, all of it on one of the
/// lines. Those that one load can have whole are merged for certain.
void note_words_of_rows(const Group &group) {
  const auto line = [](const llvm::LoadInst &load) { return load.getDebugLoc() ? load.getDebugLoc().getLine() : 0; };
  const auto is_loaded = [&](long offset) { return llvm::is_contained(llvm::make_second_range(group.loads), offset); };
  const auto anchor = llvm::find_if(group.loads, [](const auto &load) {
    return load.first->getAlign().value() >= static_cast<std::uint64_t>(kWidest);
  });
  const auto may_share_row = [&](long from, long to) {
    if (to - from >= kWidest)
      return false;
    return anchor == group.loads.end() || llvm::divideFloorSigned(from - anchor->second, kWidest) ==
                                              llvm::divideFloorSigned(to - anchor->second, kWidest);
  };
  for (std::size_t i = 0; i < group.loads.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      auto [first, from] = group.loads[j];
      auto [second, to] = group.loads[i];
      if (from > to) {
        std::swap(first, second);
        std::swap(from, to);
      }
      if (from == to || !may_share_row(from, to) || line(*first) == line(*second))
        continue;
      bool whole = true; // all words between the two are loaded
      for (long at = from + group.size; at < to; at += group.size)
        whole &= is_loaded(at);
      long begin = from; // of the words around them that are loaded
      while (is_loaded(begin - group.size) && may_share_row(begin - group.size, from))
        begin -= group.size;
      const auto at_begin = llvm::find_if(group.loads, [&](const auto &load) { return load.second == begin; });
      const auto word = static_cast<std::uint64_t>(group.size);
      const auto *array = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(first->getPointerOperand()));
      const bool misplaced =
          array && array->getAlign().valueOrOne().value() > word && at_begin->first->getAlign().value() <= word;
      const bool filled =
          is_loaded(begin + group.size) && to - begin < kWidest; // the first two of the row, and the last
      if ((whole || filled) && !misplaced)
        continue;
      for (llvm::LoadInst *load : {first, second})
        smem::raise_uncertainty(Uncertainty::Vectorisation, *load->getFunction(),
                                {AccessLocation::Kind::Load, load->getDebugLoc().get()});
    }
}

using Key = std::pair<AddressTerms, long>; ///< and bytes of an element

/// What one load of a byte or half-word reads from; nullopt for others.
std::optional<std::pair<Key, long>> slot_of(const llvm::LoadInst &load) {
  const unsigned space = load.getPointerAddressSpace();
  const llvm::Type *type = load.getType();
  if (!load.isSimple() || (space != kGlobal && space != kShared) ||
      !(type->isIntegerTy(8) || type->isIntegerTy(16) || type->isIntegerTy(32) || type->is16bitFPTy() ||
        type->isFloatTy()))
    return std::nullopt;
  const llvm::DataLayout &layout = load.getDataLayout();
  auto [terms, offset] = address_terms(*load.getPointerOperand(), layout);
  const auto size = static_cast<long>(layout.getTypeStoreSize(load.getType()).getFixedValue());
  return std::pair(Key{std::move(terms), size}, static_cast<long>(offset));
}

} // namespace

void vectorise_with_gap_fill(llvm::Function &kernel, llvm::AAResults &aliases) {
  std::vector<Group> groups;
  for (llvm::BasicBlock &block : kernel) {
    std::map<Key, Group> open;
    for (llvm::Instruction &instruction : block) {
      if (is_vectoriser_border(instruction)) {
        for (auto &[key, group] : open)
          groups.push_back(std::move(group));
        open.clear();
      }
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        if (const auto slot = slot_of(*load)) {
          Group &group = open[slot->first];
          const llvm::MemoryLocation read = llvm::MemoryLocation::get(load);
          if (llvm::any_of(group.stores, [&](const llvm::StoreInst *store) {
                return llvm::isModSet(aliases.getModRefInfo(store, read));
              }))
            groups.push_back(std::exchange(group, Group()));
          group.size = slot->first.second;
          group.loads.emplace_back(load, slot->second);
          continue;
        }
      if (!instruction.mayWriteToMemory())
        continue;
      for (auto entry = open.begin(); entry != open.end();) {
        Group &group = entry->second;
        const llvm::MemoryLocation read =
            llvm::MemoryLocation::getBeforeOrAfter(group.loads.front().first->getPointerOperand());
        const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (!llvm::isModSet(aliases.getModRefInfo(&instruction, read))) {
          ++entry;
        } else if (store) {
          group.stores.push_back(store);
          ++entry;
        } else {
          groups.push_back(std::move(group));
          entry = open.erase(entry);
        }
      }
    }
    for (auto &[key, group] : open)
      groups.push_back(std::move(group));
  }
  for (const Group &group : groups)
    if (group.loads.size() > 1) {
      if (group.size == 4 && group.loads.front().first->getPointerAddressSpace() == kShared)
        note_words_of_rows(group);
      Merger(group).run();
    }
}

} // namespace smem::lower
