// What a block's shared memory, or a warp's local one, holds: values of registers, by the bytes that they were stored to.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "value.h"

namespace smem {

/// One byte-addressed store of register pieces of at most 64 bits; overlapping pieces replace each other.
class CellMemory {
public:
  void store(std::uint64_t address, unsigned width, const Value &value, LaneMask mask);
  /// Null if nothing of exactly this place and width was stored. Good until something is stored or forgotten.
  const Value *load(std::uint64_t address, unsigned width) const;
  /// The bytes there as one lane stored them, in pieces of other places and widths; nullopt if some are not plain numbers.
  std::optional<std::int64_t> assemble(std::uint64_t address, unsigned width, unsigned lane) const;
  /// What was stored anywhere from `address` on for `bytes` is not known any more. Whether there was anything.
  bool forget(std::uint64_t address, unsigned bytes);
  void forget_all();
  bool empty() const { return contents_.values.size() == contents_.free.size(); }

  /// While one of these lives, what is done can be undone. They nest.
  class Trial {
  public:
    explicit Trial(CellMemory *memory) : memory_(memory), begin_(memory ? memory->journal_.size() : 0) {
      if (!memory_)
        return;
      ++memory_->trials_;
      outer_ = std::exchange(memory_->innermost_, begin_);
    }
    Trial(const Trial &) = delete;
    Trial &operator=(const Trial &) = delete;
    ~Trial() {
      if (!memory_)
        return;
      memory_->innermost_ = outer_;
      if (--memory_->trials_ == 0) {
        memory_->journal_.clear();
        memory_->noted_.clear();
      }
    }
    /// The memory is again as this found it.
    void undo();

  private:
    CellMemory *memory_;
    std::size_t begin_, outer_ = 0;
  };

private:
  static constexpr std::uint64_t kPageBytes = 256, kMostBytes = 8;
  static constexpr std::uint32_t kNoCell = UINT32_MAX;
  /// For each byte the cell that begins there.
  struct Page {
    Page() { cell.fill(kNoCell); }
    std::array<std::uint32_t, kPageBytes> cell;
  };

  const Page *page_of(std::uint64_t address) const;
  Page *page_of(std::uint64_t address) { return const_cast<Page *>(std::as_const(*this).page_of(address)); }
  /// kNoCell if none begins there.
  std::uint32_t cell_at(std::uint64_t address) const;
  void put(std::uint64_t address, Value value);
  void remove(std::uint64_t address);
  /// The cell at `address` is about to change. What it was is kept once for each trial: loops change one cell many times.
  void note(std::uint64_t address, std::uint32_t cell);

  struct Contents {
    std::vector<Page> pages;
    std::unordered_map<std::uint64_t, std::uint32_t> page_numbers; ///< by address / kPageBytes: which of those
    std::deque<Value> values;
    std::vector<std::uint32_t> free; ///< of those
  };
  struct Change {
    std::uint64_t address = 0;
    std::optional<Value> before;   ///< what the cell was; none: nothing was there
    std::shared_ptr<Contents> all; ///< of forget_all(): what there was; else null. Copies of the memory share it
  };

  Contents contents_;
  mutable std::uint64_t last_number_ = UINT64_MAX; ///< the page that was asked for last
  mutable std::uint32_t last_ = 0;
  std::vector<Change> journal_;
  std::unordered_map<std::uint64_t, std::size_t>
      noted_;                 ///< where in it an address was noted last; an entry may be gone
  std::size_t innermost_ = 0; ///< where the changes of the innermost trial begin
  unsigned trials_ = 0;
};

} // namespace smem
