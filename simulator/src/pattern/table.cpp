#include "table.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace smem::pattern {
namespace {

std::uint64_t width_of(const Access &access) { return std::max<std::uint64_t>(access.width_bits / 8, 1); }

} // namespace

Table::Table(const Architecture &architecture, const Access &access, const Seen &seen, const Domain &domain)
    : architecture_(architecture), access_(access), seen_(seen), domain_(domain),
      copy_(access.operation == Operation::AsyncCopy) {}

std::optional<Why> Table::describe_sides() {
  lanes_ = seen_.activity.possible;
  if (access_.matrices && access_.matrices < 4)
    if (const LaneMask rows = (1u << (8 * access_.matrices)) - 1; lanes_ & rows)
      lanes_ &= rows;
  if (auto why = describe(seen_.address, lanes_, width_of(access_), period_of(access_), domain_, side_))
    return why;
  if (copy_)
    if (auto why = describe_source())
      return why;
  if (lanes_ == seen_.activity.possible)
    normalise(side_, lanes_, period_of(access_));
  if (copy_ && lanes_ == seen_.activity.possible)
    normalise(source_, lanes_, kRepeats);
  return std::nullopt;
}

std::optional<Why> Table::describe_source() {
  if (const LaneMask reading = seen_.reading.possible)
    if (auto why = describe(seen_.source, reading, width_of(access_), kRepeats, domain_, source_))
      return why;
  if (!side_.apart.empty() || !source_.apart.empty())
    return because("lanes of an asynchronous copy are apart by an amount that is not known");
  if (!(seen_.reading == seen_.activity))
    return because("which lanes of an asynchronous copy read is not known");
  return std::nullopt;
}

PriceCache::Key Table::key() const {
  PriceCache::Key out;
  std::vector<std::int64_t> &numbers = out.first;
  numbers.reserve(3 * kWarpSize);
  append_lanes(numbers);
  for (const Side *side : {&side_, &source_}) {
    for_lanes(lanes_, [&](unsigned lane) { numbers.push_back(side->base[lane]); });
    numbers.push_back(static_cast<std::int64_t>(side->shifts.size()));
    numbers.insert(numbers.end(), side->shifts.begin(), side->shifts.end());
  }
  for (const Stride &stride : side_.apart) {
    for_lanes(lanes_, [&](unsigned lane) { numbers.push_back(stride.by[lane]); });
    const Quantity &q = stride.of;
    for (const auto &bound : {q.least, q.most})
      numbers.insert(numbers.end(), {bound.has_value(), bound.value_or(0)});
    numbers.insert(numbers.end(), {static_cast<std::int64_t>(q.argument), static_cast<std::int64_t>(q.offset), q.width,
                                   q.divisor, q.plus, q.scale, q.modulus, q.remainder, q.power});
    out.second += (q.scale == 1 ? q.name : q.piece) + '\n';
  }
  return out;
}

/// Which lanes may be on, and which of them together, whatever the numbers of those groups are: by the first lane.
void Table::append_lanes(std::vector<std::int64_t> &numbers) const {
  numbers.push_back(seen_.activity.possible);
  std::vector<int> groups;
  for_lanes(seen_.activity.possible, [&](unsigned lane) {
    const int when = seen_.activity.when[lane];
    if (when == Activity::kOn || when == Activity::kMaybe) {
      numbers.push_back(when);
      return;
    }
    const auto group = std::ranges::find(groups, when);
    numbers.push_back(1 + (group - groups.begin()));
    if (group == groups.end())
      groups.push_back(when);
  });
}

/// One quantity may be anything; the others must be few values each.
std::optional<Why> Table::choose_rows() {
  spreads_.clear();
  std::size_t rows = 1;
  unsigned open = 0;
  for (const Stride &stride : side_.apart) {
    Spread s;
    if (auto why = spread_of(side_, stride, lanes_, access_.space == Space::Global ? 32 : kRepeats, s))
      return why;
    open += s.is_open();
    rows *= s.values.size();
    spreads_.push_back(std::move(s));
    if (rows > kMostRequests)
      return because("lanes are apart by amounts that are not known");
  }
  // Nearness was judged without the other quantities.
  if (open > 1 || (open == 1 && spreads_.size() > 1))
    return because("lanes are apart by amounts that are not known");
  rows_ = rows;
  return std::nullopt;
}

Lanes Table::addresses(std::size_t row) const {
  Lanes out = side_.base;
  for (std::size_t s = 0; s < spreads_.size(); ++s) {
    const std::int64_t value = spreads_[s].values[row % spreads_[s].values.size()];
    row /= spreads_[s].values.size();
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      out[lane] = static_cast<std::int64_t>(static_cast<std::uint64_t>(out[lane]) +
                                            static_cast<std::uint64_t>(side_.apart[s].by[lane]) *
                                                static_cast<std::uint64_t>(value));
  }
  return out;
}

/// The request's addresses; false if it faults.
bool Table::place_lanes(const Lanes &row, std::uint32_t shift, LaneMask mask, Request &request) const {
  const std::uint64_t width = width_of(access_);
  request.active = mask;
  if (mask == kFullMask && !access_.matrices && std::has_single_bit(width)) { // nearly always: without branches
    std::uint64_t low = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      low |= request.address[lane] = static_cast<std::uint64_t>(row[lane]) + shift;
    return low % width == 0;
  }
  bool aligned = true;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t address = static_cast<std::uint64_t>(row[lane]) + shift;
    request.address[lane] = address;
    const bool counts = !access_.matrices || access_.matrices >= 4 || lane < 8u * access_.matrices;
    aligned &= !counts || address % width == 0;
  });
  return aligned;
}

std::optional<PatternCase> Table::cost(const Lanes &row, std::uint32_t shift, std::uint32_t source_shift, LaneMask mask,
                                       const Access &access, std::string &failure) const {
  Request request;
  if (!place_lanes(row, shift, mask, request))
    return std::nullopt;
  if (!copy_)
    return figures(evaluate(request, access, architecture_), access_.space == Space::Shared,
                   access_.space == Space::Global);
  Request source;
  source.active = mask;
  for_lanes(mask, [&](unsigned lane) {
    source.address[lane] = static_cast<std::uint64_t>(source_.base[lane]) + source_shift;
  });
  const CopyCost cost = evaluate_copy(request, source, access_, architecture_);
  if (!cost.shared_unknown.empty() || !cost.global_unknown.empty()) {
    failure = cost.shared_unknown.empty() ? cost.global_unknown : cost.shared_unknown;
    return std::nullopt;
  }
  return figures(cost.cost, true, true);
}

std::optional<Why> Table::costs(LaneMask mask, Costs &out) const {
  out.assign(rows_, {});
  std::string failure;
  for (std::size_t row = 0; row < rows_; ++row) {
    const Lanes at = addresses(row);
    out[row].reserve(side_.shifts.size() * source_.shifts.size());
    for (const std::uint32_t shift : side_.shifts)
      for (const std::uint32_t from : source_.shifts)
        out[row].push_back(cost(at, shift, from, mask, access_, failure));
  }
  if (!failure.empty())
    return because(failure);
  return std::nullopt;
}

} // namespace smem::pattern
