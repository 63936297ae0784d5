#include "choice.h"

#include <algorithm>
#include <bit>

namespace smem {
namespace {

/// The index itself: no base, no scale.
bool plain(const Choice &choice, LaneMask mask) {
  bool zero = choice.scale == 1;
  for_lanes(mask, [&](unsigned lane) { zero &= choice.base[lane] == 0; });
  return zero;
}

std::shared_ptr<const Choice> index_in(std::int64_t least, std::int64_t most) {
  if (least > most)
    return nullptr;
  auto out = std::make_shared<Choice>();
  out->base.fill(0);
  out->least = least;
  out->most = most;
  return out;
}

constexpr unsigned kWidestIndex = 32;

} // namespace

std::shared_ptr<const Choice> any_value(unsigned width) {
  return width > kWidestIndex ? nullptr : index_in(0, static_cast<std::int64_t>((std::uint64_t{1} << width) - 1));
}

std::shared_ptr<const Choice> choice_of(Opcode opcode, const Choice &choice, const Value &known, bool choice_first,
                                        unsigned width, LaneMask mask) {
  if (choice.line)
    return nullptr;
  const std::int64_t k = known.at(first_lane(mask));
  bool same = true;
  for_lanes(mask, [&](unsigned lane) { same &= known.at(lane) == k; });
  const bool is_plain = plain(choice, mask);
  // What is read as unsigned here may be negative there.
  const bool same_signed = width < 64 && choice.most < std::int64_t{1} << (width - 1);
  auto scaled = [&](std::int64_t factor) -> std::shared_ptr<const Choice> {
    if (factor <= 0 || factor > (1 << 30) || choice.scale > (1 << 30))
      return nullptr;
    auto out = std::make_shared<Choice>(choice);
    out->scale *= factor;
    for (std::int64_t &base : out->base)
      base = canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(base) * static_cast<std::uint64_t>(factor)),
                       width);
    return out;
  };
  switch (opcode) {
  case Opcode::Add:
  case Opcode::Sub: {
    if (opcode == Opcode::Sub && !choice_first)
      return nullptr;
    auto out = std::make_shared<Choice>(choice);
    for_lanes(mask, [&](unsigned lane) {
      const std::uint64_t by = static_cast<std::uint64_t>(known.at(lane));
      out->base[lane] = canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(out->base[lane]) +
                                                            (opcode == Opcode::Add ? by : 0 - by)),
                                  width);
    });
    return out;
  }
  case Opcode::Mul: return same ? scaled(k) : nullptr;
  case Opcode::Shl: return same && choice_first && k >= 0 && k < 30 ? scaled(std::int64_t{1} << k) : nullptr;
  case Opcode::And: {
    if (!same || k <= 0)
      return nullptr;
    // A run of ones: as many values as it has bits. Of a shorter range the bits above it are 0.
    const unsigned from = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(k)));
    const std::uint64_t run = static_cast<std::uint64_t>(k) >> from;
    if (from == 0 && is_plain && choice.least >= 0 && (run & (run + 1)) == 0 &&
        static_cast<std::uint64_t>(choice.most) <= run)
      return std::make_shared<Choice>(choice);
    if ((run & (run + 1)) != 0 || run > 0xffffffffu)
      return nullptr;
    // Every value of the run comes up if the range goes through all of its bits and those below.
    if (choice.scale & (choice.scale - 1) || static_cast<std::uint64_t>(choice.scale) > (std::uint64_t{1} << from))
      return nullptr;
    if ((static_cast<Wide>(choice.most) - choice.least + 1) * choice.scale < static_cast<Wide>(run + 1) << from)
      return nullptr;
    auto out = index_in(0, static_cast<std::int64_t>(run));
    auto moved = std::make_shared<Choice>(*out);
    moved->scale = std::int64_t{1} << from;
    return moved;
  }
  case Opcode::LShr:
  case Opcode::AShr:
    if (opcode == Opcode::AShr && !same_signed)
      return nullptr;
    return same && choice_first && is_plain && choice.least >= 0 && k >= 0 && k < 32
               ? index_in(choice.least >> k, choice.most >> k)
               : nullptr;
  case Opcode::UDiv:
  case Opcode::SDiv:
    if (opcode == Opcode::SDiv && !same_signed)
      return nullptr;
    return same && choice_first && is_plain && choice.least >= 0 && k > 0 ? index_in(choice.least / k, choice.most / k)
                                                                          : nullptr;
  case Opcode::URem:
  case Opcode::SRem:
    if (!same || !choice_first || !is_plain || choice.least > 0 || k <= 0)
      return nullptr;
    if (opcode == Opcode::SRem && (!same_signed || choice.least < 0)) {
      const bool all = !same_signed || (choice.most >= k - 1 && choice.least <= 1 - k);
      return all ? index_in(1 - k, k - 1) : nullptr;
    }
    if (choice.least < 0)
      return nullptr;
    return index_in(0, std::min(choice.most, k - 1));
  case Opcode::Xor: {
    if (!same || !is_plain || k < 0 || choice.least != 0)
      return nullptr;
    const std::uint64_t count = static_cast<std::uint64_t>(choice.most) + 1;
    return (count & (count - 1)) == 0 && static_cast<std::uint64_t>(k) < count ? std::make_shared<Choice>(choice)
                                                                               : nullptr; // a permutation
  }
  case Opcode::UMin:
  case Opcode::SMin:
    if (opcode == Opcode::SMin && !same_signed)
      return nullptr;
    return same && is_plain && choice.least >= 0 && k >= choice.least ? index_in(choice.least, std::min(choice.most, k))
                                                                      : nullptr;
  case Opcode::UMax:
  case Opcode::SMax:
    if (opcode == Opcode::SMax && !same_signed)
      return nullptr;
    return same && is_plain && choice.least >= 0 && k >= 0 && k <= choice.most
               ? index_in(std::max(choice.least, k), choice.most)
               : nullptr;
  default: return nullptr;
  }
}

std::shared_ptr<const Choice> resized(Opcode opcode, const Choice &choice, unsigned from, unsigned to, LaneMask mask) {
  if (choice.line)
    return nullptr;
  // Sums and products of narrow registers wrap around.
  if (opcode != Opcode::Truncate && from < kWidestIndex && !plain(choice, mask))
    return nullptr;
  if (opcode == Opcode::SignExtend && from < 64) {
    const std::int64_t half = std::int64_t{1} << (from - 1);
    if (choice.least == 0 && choice.most == 2 * half - 1) { // any value at all, of a signed number
      auto out = std::make_shared<Choice>(choice);
      out->least = -half;
      out->most = half - 1;
      return out;
    }
    if (choice.most >= half)
      return nullptr;
  }
  if (opcode == Opcode::Truncate) {
    if (to > kWidestIndex)
      return std::make_shared<Choice>(choice);
    const auto all = any_value(to);
    if (plain(choice, mask) && choice.least >= 0)
      return choice.most <= all->most ? std::make_shared<Choice>(choice) : all;
    return nullptr;
  }
  return std::make_shared<Choice>(choice);
}

std::shared_ptr<const Choice> one_of(const Value &a, const Value &b, LaneMask mask) {
  if (((a.unknown | b.unknown) & mask) || !a.constant() || !b.constant())
    return nullptr;
  const unsigned first = first_lane(mask);
  const std::int64_t apart = a.at(first) - b.at(first);
  bool same = true;
  for_lanes(mask, [&](unsigned lane) { same &= a.at(lane) - b.at(lane) == apart; });
  if (!same || apart == 0 || apart > (1 << 30) || apart < -(1 << 30))
    return nullptr;
  auto out = std::make_shared<Choice>();
  out->base.fill(0);
  for_lanes(mask, [&](unsigned lane) { out->base[lane] = std::min(a.at(lane), b.at(lane)); });
  out->scale = apart < 0 ? -apart : apart;
  out->most = 1;
  return out;
}

} // namespace smem
