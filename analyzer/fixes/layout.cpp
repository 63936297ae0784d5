#include "fixes/layout.h"

#include <functional>
#include <numeric>

namespace smem {
namespace {

using Kind = Layout::Kind;

std::uint64_t value_of(const Layout::Term &term, std::uint64_t at) {
  const std::uint64_t quotient = at / term.divisor;
  return (term.modulus ? quotient % term.modulus : quotient) * term.factor;
}

std::uint64_t within_row(const Layout &layout, std::uint64_t row, std::uint64_t i) {
  std::uint64_t to = i;
  for (const Layout::Term &term : layout.terms) {
    if (term.factor == 0)
      continue;
    const std::uint64_t value = value_of(term, layout.takes_row() ? row : i);
    to = layout.swizzles() ? to ^ value % layout.period : to + value;
  }
  return to;
}

} // namespace

std::uint64_t Extents::bytes() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{element}, std::multiplies<>());
}

std::uint64_t row_length(const Layout &layout, const Extents &extents) {
  std::uint64_t length = extents.row();
  for (const Layout::Term &term : layout.terms) {
    if (layout.kind == Kind::Skew && extents.row())
      length += value_of(term, extents.row() - 1);
    if (layout.kind == Kind::SkewByRow && term.modulus)
      length += std::uint64_t{term.modulus - 1} * term.factor;
  }
  return (length + layout.pad) * layout.spread;
}

std::uint64_t bytes(const Layout &layout, const Extents &extents) {
  return extents.row() ? extents.bytes() / extents.row() * row_length(layout, extents) : 0;
}

std::uint64_t place(const Layout &layout, const Extents &extents, std::uint64_t offset) {
  if (const std::uint64_t size = extents.bytes(); offset >= size)
    return bytes(layout, extents) + (offset - size);
  const std::uint64_t element = offset / extents.element, row = element / extents.row();
  const std::uint64_t rows = extents.sizes.size() > 1 ? extents.sizes[extents.sizes.size() - 2] : 1;
  const std::uint64_t at = within_row(layout, row % rows, element % extents.row()) * layout.spread;
  return (row * row_length(layout, extents) + at) * extents.element + offset % extents.element;
}

bool fits(const Layout &layout, const Extents &extents) {
  return !layout.swizzles() || (extents.row() + layout.pad) % layout.period == 0;
}

std::string expression(const Layout &layout, std::uint32_t element, std::uint32_t unit) {
  // An index in other units than elements meets the same borders at other numbers.
  const auto scaled = [&](std::uint64_t elements) { return std::to_string(elements * element / unit); };
  std::string text = "i";
  for (const Layout::Term &term : layout.terms) {
    if (term.factor == 0)
      continue;
    std::string value = layout.takes_row() ? "row" : "i";
    if (layout.takes_row() ? term.divisor != 1 : scaled(term.divisor) != "1")
      value += " / " + (layout.takes_row() ? std::to_string(term.divisor) : scaled(term.divisor));
    if (term.modulus != 0)
      value += " % " + std::to_string(term.modulus);
    if (const std::string factor = scaled(term.factor); factor != "1")
      value += " * " + factor;
    if (layout.swizzles() && (term.modulus == 0 || std::uint64_t{term.modulus - 1} * term.factor >= layout.period))
      value += " % " + scaled(layout.period);
    text += layout.swizzles() ? " ^ (" + value + ")" : " + " + value;
  }
  if (layout.spread != 1)
    text = (text == "i" ? text : "(" + text + ")") + " * " + std::to_string(layout.spread);
  return text;
}

std::string added_length(const Layout &layout, const std::string &extent) {
  std::string sum;
  const auto add = [&](const std::string &more) { sum += (sum.empty() ? "" : " + ") + more; };
  std::uint64_t constant = layout.pad;
  for (const Layout::Term &term : layout.terms) {
    if (layout.kind == Kind::Skew && term.factor)
      add("(" + extent + " - 1) / " + std::to_string(term.divisor) +
          (term.factor == 1 ? "" : " * " + std::to_string(term.factor)));
    if (layout.kind == Kind::SkewByRow && term.modulus)
      constant += std::uint64_t{term.modulus - 1} * term.factor;
  }
  if (constant != 0 || sum.empty())
    add(std::to_string(constant));
  return sum;
}

} // namespace smem
