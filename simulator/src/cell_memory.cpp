#include "cell_memory.h"

#include <algorithm>

namespace smem {

const CellMemory::Page *CellMemory::page_of(std::uint64_t address) const {
  const std::uint64_t number = address / kPageBytes;
  if (number != last_number_) {
    const auto page = page_numbers_.find(number);
    if (page == page_numbers_.end())
      return nullptr;
    last_number_ = number;
    last_ = page->second;
  }
  return &pages_[last_];
}

std::uint32_t CellMemory::cell_at(std::uint64_t address) const {
  const Page *page = page_of(address);
  return page ? page->cell[address % kPageBytes] : kNoCell;
}

void CellMemory::put(std::uint64_t address, Value value) {
  Page *page = page_of(address);
  if (!page) {
    page_numbers_.emplace(address / kPageBytes, static_cast<std::uint32_t>(pages_.size()));
    page = &pages_.emplace_back();
  }
  std::uint32_t &cell = page->cell[address % kPageBytes];
  if (cell != kNoCell) {
    values_[cell] = std::move(value);
  } else if (free_.empty()) {
    cell = static_cast<std::uint32_t>(values_.size());
    values_.push_back(std::move(value));
  } else {
    cell = free_.back();
    free_.pop_back();
    values_[cell] = std::move(value);
  }
}

void CellMemory::remove(std::uint64_t address) {
  Page *page = page_of(address);
  if (!page)
    return;
  std::uint32_t &cell = page->cell[address % kPageBytes];
  if (cell != kNoCell)
    free_.push_back(cell);
  cell = kNoCell;
}

void CellMemory::note(std::uint64_t address, std::uint32_t cell) {
  if (trials_)
    journal_.emplace_back(address, cell == kNoCell ? std::nullopt : std::optional(values_[cell]));
}

void CellMemory::forget_all() {
  for (const auto &[number, page] : page_numbers_)
    for (std::uint64_t byte = 0; trials_ && byte < kPageBytes; ++byte)
      if (const std::uint32_t cell = pages_[page].cell[byte]; cell != kNoCell)
        note(number * kPageBytes + byte, cell);
  pages_.clear();
  page_numbers_.clear();
  last_number_ = UINT64_MAX;
  values_.clear();
  free_.clear();
}

void CellMemory::Trial::undo() {
  if (!memory_)
    return;
  auto &journal = memory_->journal_;
  for (; journal.size() > begin_; journal.pop_back()) {
    auto &[address, before] = journal.back();
    if (before)
      memory_->put(address, std::move(*before));
    else
      memory_->remove(address);
  }
}

void CellMemory::store(std::uint64_t address, unsigned width, const Value &value, LaneMask mask) {
  const std::uint32_t same = cell_at(address);
  if (same != kNoCell && values_[same].width == width) {
    for (std::uint64_t inner = address + 1; inner < address + width / 8; ++inner) // pieces that begin inside this one
      if (const std::uint32_t cell = cell_at(inner); cell != kNoCell) {
        note(inner, cell);
        remove(inner);
      }
    note(address, same);
    assign(values_[same], value, mask);
    return;
  }
  forget(address, (width + 7) / 8);
  Value cell = value;
  cell.width = static_cast<std::uint8_t>(width);
  cell.defined = mask;
  cell.unknown &= mask;
  note(address, cell_at(address));
  put(address, std::move(cell));
}

const Value *CellMemory::load(std::uint64_t address, unsigned width) const {
  const std::uint32_t cell = cell_at(address);
  return cell != kNoCell && values_[cell].width == width ? &values_[cell] : nullptr;
}

std::optional<std::int64_t> CellMemory::assemble(std::uint64_t address, unsigned width, unsigned lane) const {
  if (width % 8 != 0 || empty())
    return std::nullopt;
  std::uint64_t bits = 0;
  for (std::uint64_t byte = 0; byte < width / 8; ++byte) {
    std::uint64_t within = 0;
    std::uint32_t cell = kNoCell;
    for (; within < kMostBytes && within <= address + byte && cell == kNoCell; ++within)
      cell = cell_at(address + byte - within);
    if (cell == kNoCell)
      return std::nullopt;
    --within;
    const Value &value = values_[cell];
    const bool known =
        (value.defined >> lane & 1) && !(value.unknown >> lane & 1) &&
        std::all_of(value.terms.begin(), value.terms.end(), [&](const Term &t) { return t.at(lane) == 0; });
    if (within >= value.width / 8u || !known)
      return std::nullopt;
    bits |= ((static_cast<std::uint64_t>(value.at(lane)) >> (8 * within)) & 0xff) << (8 * byte);
  }
  return canonical(static_cast<std::int64_t>(bits), width);
}

bool CellMemory::forget(std::uint64_t address, unsigned bytes) {
  bool any = false;
  const std::uint64_t end = address > UINT64_MAX - bytes ? UINT64_MAX : address + bytes; // exclusive
  for (std::uint64_t at = address >= kMostBytes ? address - kMostBytes : 0; at < end;) {
    if (!page_of(at)) {
      if (at / kPageBytes == UINT64_MAX / kPageBytes)
        break;
      at = (at / kPageBytes + 1) * kPageBytes;
      continue;
    }
    const std::uint32_t cell = cell_at(at);
    if (cell != kNoCell && at + (values_[cell].width + 7u) / 8 > address) {
      any = true;
      note(at, cell);
      remove(at);
    }
    ++at;
  }
  return any;
}

} // namespace smem
