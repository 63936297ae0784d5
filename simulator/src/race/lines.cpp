#include "race/lines.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace smem::race {
namespace {

/// base + terms + any multiple of scale; of scale 0 it is known. A sum that does not fit its width is another multiple of 2^width away.
struct Line {
  Value at; ///< base and terms
  std::int64_t scale = 0;
  std::uint32_t ticket = 0;
  std::int64_t factor = 0; ///< of the number that was drawn
};

std::optional<Line> as_line(const Value &value, LaneMask mask) {
  if (!(value.unknown & mask))
    return Line{value, 0};
  const Choice *line = line_in(value, mask);
  if (!line)
    return std::nullopt;
  Line out{make_uniform(0, value.width, mask), line->scale, line->ticket, line->ticket_factor};
  out.at.uniform = false;
  out.at.base = line->base;
  out.at.terms = line->terms;
  return out;
}

constexpr std::int64_t kLargestScale = std::int64_t{1} << 40;
/// A counter of 32 bits comes round to the same number after a million draws at the least, which is presumed to be more than threads make in loops (docs/races.md).
constexpr std::int64_t kLargestTicketStep = std::int64_t{1} << 12;

std::shared_ptr<const Choice> choice_of(const Line &line, unsigned width, bool fits, LaneMask mask) {
  std::int64_t scale = line.scale;
  if (width < 64 && !fits)
    scale = std::gcd(scale, std::int64_t{1} << width);
  if (scale == 0 || scale > kLargestScale)
    return nullptr;
  auto out = std::make_shared<Choice>();
  out->line = true;
  out->scale = scale;
  out->base.fill(0);
  for_lanes(mask, [&](unsigned lane) { out->base[lane] = canonical(line.at.at(lane), width); });
  out->terms = line.at.terms;
  if (scale == line.scale && warp_uniform(line.at, mask)) {
    out->ticket = line.ticket;
    out->ticket_factor = line.factor;
  }
  return out;
}

std::int64_t distance(std::int64_t step) { return step < 0 ? -step : step; }

std::shared_ptr<const Choice> sum(const Line &a, const Line &b, std::int64_t sign, unsigned width, bool fits,
                                  LaneMask mask) {
  Line out{a.at, std::gcd(a.scale, b.scale), a.scale && b.scale ? 0 : a.ticket | b.ticket, a.factor + sign * b.factor};
  out.at.width = static_cast<std::uint8_t>(width);
  spread(out.at);
  for_lanes(mask, [&](unsigned lane) {
    const auto by = static_cast<std::uint64_t>(b.at.at(lane));
    out.at.base[lane] = canonical(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(out.at.base[lane]) + (sign > 0 ? by : 0 - by)), width);
  });
  add_terms(out.at, b.at, sign, mask);
  return choice_of(out, width, fits, mask);
}

std::shared_ptr<const Choice> product(const Line &line, std::int64_t factor, unsigned width, bool fits, LaneMask mask) {
  if (factor == 0 || distance(factor) > kLargestScale / std::max<std::int64_t>(line.scale, 1))
    return nullptr;
  // Numbers that lie far apart may meet in a product that wraps around; sums and extensions keep them apart.
  const bool apart = fits || width == 64;
  Line out{make_uniform(0, width, mask), line.scale * distance(factor), apart ? line.ticket : 0, line.factor * factor};
  spread(out.at);
  for_lanes(mask, [&](unsigned lane) {
    out.at.base[lane] = canonical(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(line.at.at(lane)) * static_cast<std::uint64_t>(factor)),
        width);
  });
  add_terms(out.at, line.at, factor, mask);
  return choice_of(out, width, fits, mask);
}

/// The number that all lanes have.
std::optional<std::int64_t> number_in(const Value &value, LaneMask mask) {
  if ((value.unknown & mask) || !value.constant() || !warp_uniform(value, mask))
    return std::nullopt;
  return value.at(first_lane(mask));
}

} // namespace

const Choice *line_in(const Value &value, LaneMask mask) {
  return mask && value.choice && value.choice->line && (value.unknown & mask) == mask ? value.choice.get() : nullptr;
}

std::shared_ptr<const Choice> line_from(const Value &start, std::int64_t step, bool fits, LaneMask mask) {
  std::optional<Line> line = as_line(start, mask);
  if (!line || step == 0)
    return nullptr;
  line->scale = std::gcd(line->scale, distance(step));
  return choice_of(*line, start.width, fits, mask);
}

std::shared_ptr<const Choice> line_beside(const Symbols &symbols, const Value &value, bool fits, LaneMask mask) {
  std::optional<Line> line = value.unknown & mask ? std::nullopt : as_line(value, mask);
  if (!line)
    return nullptr;
  for (const Term &term : value.terms)
    if (is_symbol(term.dimension) && symbols[term.dimension].of_block && !symbols[term.dimension].of_grid) {
      if (!uniform_over(term, mask))
        return nullptr;
      line->scale = std::gcd(line->scale, distance(term.at(first_lane(mask))));
      std::erase_if(line->at.terms, [&](const Term &other) { return other.dimension == term.dimension; });
    }
  return choice_of(*line, value.width, fits, mask);
}

std::shared_ptr<const Choice> line_of_wrapping(const Value &sum, LaneMask mask) {
  std::optional<Line> line = (sum.unknown & mask) || sum.width > 32 ? std::nullopt : as_line(sum, mask);
  if (!line)
    return nullptr;
  line->scale = std::int64_t{1} << sum.width;
  return choice_of(*line, sum.width, false, mask);
}

std::shared_ptr<const Choice> ticket_of(std::uint32_t number, std::int64_t step, LaneMask mask) {
  if (step > kLargestTicketStep)
    return nullptr;
  Line line{make_uniform(0, 64, mask), step, number, 1};
  return choice_of(line, 64, true, mask);
}

std::shared_ptr<const Choice> line_of(const Instruction &instruction, const Value &a, const Value &b, LaneMask mask) {
  if (!line_in(a, mask) && !line_in(b, mask))
    return nullptr;
  const std::optional<Line> left = as_line(a, mask), right = as_line(b, mask);
  if (!left || !right)
    return nullptr;
  const unsigned width = instruction.width;
  const bool fits = instruction.immediate == kNoSignedWrap;
  switch (instruction.opcode) {
  case Opcode::Add: return sum(*left, *right, 1, width, fits, mask);
  case Opcode::Sub: return sum(*left, *right, -1, width, fits, mask);
  case Opcode::Mul: {
    const std::optional<std::int64_t> factor = number_in(line_in(a, mask) ? b : a, mask);
    return factor ? product(line_in(a, mask) ? *left : *right, *factor, width, fits, mask) : nullptr;
  }
  case Opcode::Shl: {
    const std::optional<std::int64_t> by = number_in(b, mask);
    return by && *by >= 0 && *by < 32 ? product(*left, std::int64_t{1} << *by, width, fits, mask) : nullptr;
  }
  default: return nullptr;
  }
}

std::shared_ptr<const Choice> line_resized(Opcode opcode, const Value &value, unsigned width, LaneMask mask) {
  if (!line_in(value, mask))
    return nullptr;
  const Line line = *as_line(value, mask);
  // Read as unsigned, or cut off, it is another multiple of 2^width away. So it is where a sum with what is not known may not fit.
  if (opcode == Opcode::SignExtend &&
      std::ranges::none_of(value.choice->terms, [](const Term &term) { return is_symbol(term.dimension); }))
    return choice_of(line, width, true, mask);
  Line cut = line;
  if (opcode == Opcode::Truncate)
    cut.ticket = 0;
  const unsigned narrow = std::min<unsigned>(width, value.width);
  if (narrow < 64)
    cut.scale = std::gcd(cut.scale, std::int64_t{1} << narrow);
  return choice_of(cut, width, true, mask);
}

} // namespace smem::race
