#include "cell_memory.h"

#include <algorithm>

namespace smem {

const CellMemory::Page *CellMemory::page_of(std::uint64_t address) const {
  const std::uint64_t number = address / kPageBytes;
  if (number != last_number_) {
    const auto page = contents_.page_numbers.find(number);
    if (page == contents_.page_numbers.end())
      return nullptr;
    last_number_ = number;
    last_ = page->second;
  }
  return &contents_.pages[last_];
}

std::uint32_t CellMemory::cell_at(std::uint64_t address) const {
  const Page *page = page_of(address);
  return page ? page->cell[address % kPageBytes] : kNoCell;
}

void CellMemory::put(std::uint64_t address, Value value) {
  Page *page = page_of(address);
  if (!page) {
    contents_.page_numbers.emplace(address / kPageBytes, static_cast<std::uint32_t>(contents_.pages.size()));
    page = &contents_.pages.emplace_back();
  }
  std::uint32_t &cell = page->cell[address % kPageBytes];
  if (cell != kNoCell) {
    contents_.values[cell] = std::move(value);
  } else if (contents_.free.empty()) {
    cell = static_cast<std::uint32_t>(contents_.values.size());
    contents_.values.push_back(std::move(value));
  } else {
    cell = contents_.free.back();
    contents_.free.pop_back();
    contents_.values[cell] = std::move(value);
  }
}

void CellMemory::remove(std::uint64_t address) {
  Page *page = page_of(address);
  if (!page)
    return;
  std::uint32_t &cell = page->cell[address % kPageBytes];
  if (cell != kNoCell)
    contents_.free.push_back(cell);
  cell = kNoCell;
}

void CellMemory::note(std::uint64_t address, std::uint32_t cell) {
  if (!trials_)
    return;
  const auto [last, fresh] = noted_.try_emplace(address, journal_.size());
  if (!fresh) {
    const bool is_there =
        last->second < journal_.size() && journal_[last->second].address == address && !journal_[last->second].all;
    if (is_there && last->second >= innermost_)
      return;
    last->second = journal_.size();
  }
  Change &change = journal_.emplace_back();
  change.address = address;
  if (cell != kNoCell)
    change.before.emplace(contents_.values[cell]);
}

void CellMemory::forget_all() {
  if (trials_ && !empty())
    journal_.emplace_back().all = std::make_shared<Contents>(std::move(contents_));
  contents_ = {};
  last_number_ = UINT64_MAX;
}

void CellMemory::Trial::undo() {
  if (!memory_)
    return;
  auto &journal = memory_->journal_;
  for (; journal.size() > begin_; journal.pop_back()) {
    Change &change = journal.back();
    if (change.all) {
      if (change.all.use_count() == 1)
        memory_->contents_ = std::move(*change.all);
      else
        memory_->contents_ = *change.all;
      memory_->last_number_ = UINT64_MAX;
    } else if (change.before) {
      memory_->put(change.address, std::move(*change.before));
    } else {
      memory_->remove(change.address);
    }
  }
}

void CellMemory::store(std::uint64_t address, unsigned width, const Value &value, LaneMask mask) {
  const std::uint32_t same = cell_at(address);
  if (same != kNoCell && contents_.values[same].width == width) {
    for (std::uint64_t inner = address + 1; inner < address + width / 8; ++inner) // pieces that begin inside this one
      if (const std::uint32_t cell = cell_at(inner); cell != kNoCell) {
        note(inner, cell);
        remove(inner);
      }
    note(address, same);
    assign(contents_.values[same], value, mask);
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
  return cell != kNoCell && contents_.values[cell].width == width ? &contents_.values[cell] : nullptr;
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
    const Value &value = contents_.values[cell];
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
    if (cell != kNoCell && at + (contents_.values[cell].width + 7u) / 8 > address) {
      any = true;
      note(at, cell);
      remove(at);
    }
    ++at;
  }
  return any;
}

} // namespace smem
