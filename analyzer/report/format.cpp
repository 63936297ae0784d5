#include "report/format.h"

#include "sinks/escape.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

namespace smem {
namespace {

/// Terminal columns of UTF-8 text, one per code point.
std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

const char *escape(Style style) {
  switch (style) {
  case Style::Plain: return "";
  case Style::Bold: return "\033[1m";
  case Style::Dim: return "\033[2m";
  case Style::Red: return "\033[31m";
  case Style::Yellow: return "\033[33m";
  case Style::Green: return "\033[32m";
  case Style::Magenta: return "\033[35m";
  case Style::Cyan: return "\033[36m";
  case Style::BoldRed: return "\033[1;31m";
  case Style::BoldMagenta: return "\033[1;35m";
  case Style::BoldCyan: return "\033[1;36m";
  }
  return "";
}

} // namespace

std::string thousands(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}

std::string ratio(std::uint64_t actual, std::uint64_t ideal) {
  if (ideal == 0)
    return "-";
  char text[32];
  const double value = static_cast<double>(actual) / static_cast<double>(ideal);
  std::snprintf(text, sizeof text, value < 10 ? "%.2f" : "%.1f", value);
  std::string out = text;
  while (out.back() == '0')
    out.pop_back();
  if (out.back() == '.')
    out.pop_back();
  return out + "x";
}

std::string plural(std::uint64_t count, std::string_view noun) {
  std::string out = thousands(count) + " ";
  out.append(noun);
  if (count != 1)
    out += noun.ends_with("ch") ? "es" : "s";
  return out;
}

std::string shorten(std::string_view text, std::size_t width) {
  if (text.size() <= width || width < 8)
    return std::string(text);
  std::size_t head = (width - 3 + 1) / 2, tail = text.size() - (width - 3) / 2;
  while (head > 0 && !starts_code_point(text[head]))
    --head;
  while (tail < text.size() && !starts_code_point(text[tail]))
    ++tail;
  return std::string(text.substr(0, head)) + "..." + std::string(text.substr(tail));
}

namespace {

/// A kernel's name: `psz::scale`, and its template arguments.
struct KernelName {
  std::string own;
  std::vector<std::string> arguments;
  bool is_template = false;

  std::string text() const {
    std::string all;
    for (const std::string &one : arguments)
      if (one != kLeftOut || !all.ends_with(kLeftOut)) // several that are left out in a row are told once
        all += (all.empty() ? "" : ", ") + one;
    return is_template ? own + "<" + all + ">" : own;
  }
  static constexpr const char *kLeftOut = "...";
};

/// Without what stands in the angle brackets of its arguments where `outer` is set.
KernelName parts_of(std::string_view name, bool outer) {
  KernelName out;
  int depth = 0, parentheses = 0; // within parentheses `<` and `>` compare
  for (const char c : name) {
    parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
    const bool opens = c == '<' && parentheses == 0, closes = c == '>' && parentheses == 0 && depth > 0;
    depth -= closes;
    if (closes && depth == 1 && outer)
      out.arguments.back() += "...";
    if (depth == 0 && out.is_template && !closes) { // what was read is of a class that it is a member of
      out.own += out.arguments.empty() ? "<>" : "<...>";
      out.arguments.clear();
      out.is_template = false;
    }
    if (opens && depth == 0) {
      out.is_template = true;
      out.arguments.emplace_back();
    } else if (depth == 0 && !closes) {
      out.own += c;
    } else if (depth == 1 && c == ',' && parentheses == 0) {
      out.arguments.emplace_back();
    } else if (depth != 0 && (depth == 1 || !outer) && !(c == ' ' && out.arguments.back().empty())) {
      out.arguments.back() += c;
    }
    depth += opens;
  }
  if (out.arguments.size() == 1 && out.arguments.front().empty())
    out.arguments.clear();
  return out;
}

/// `tag<...>` of `detail::tag<...>`.
std::string without_namespaces(const std::string &text) {
  const std::size_t brackets = std::min(text.find_first_of("<("), text.size()), at = text.rfind("::", brackets);
  return at == std::string::npos ? text : text.substr(at + 2);
}

} // namespace

std::string short_kernel(std::string_view name, std::size_t width, std::span<const std::string> instantiations) {
  if (name.size() <= width)
    return std::string(name);
  KernelName kernel = parts_of(name, true);
  if (kernel.text().size() > width)
    kernel.own.erase(0, kernel.own.rfind("::") == std::string::npos ? 0 : kernel.own.rfind("::") + 2);
  if (kernel.text().size() > width)
    std::ranges::transform(kernel.arguments, kernel.arguments.begin(), without_namespaces);
  if (!kernel.is_template || kernel.own.size() + std::string_view("<...>").size() > width)
    return shorten(kernel.text().size() <= width ? kernel.text() : kernel.own, width);

  const KernelName full = parts_of(name, false);
  std::vector<bool> differs(kernel.arguments.size());
  for (const std::string &one : instantiations)
    if (const KernelName other = parts_of(one, false); other.own == full.own)
      for (std::size_t i = 0; i < differs.size(); ++i)
        differs[i] = differs[i] || i >= other.arguments.size() || other.arguments[i] != full.arguments[i];
  std::vector<std::size_t> order(kernel.arguments.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { // the middle has twice as far to either end
    const std::size_t to_end = std::min(i, order.size() - 1 - i);
    return std::pair(bool(differs[i]), order.size() - to_end);
  });
  for (const std::size_t i : order) {
    if (kernel.text().size() <= width)
      break;
    kernel.arguments[i] = KernelName::kLeftOut;
  }
  return kernel.text();
}

std::string styled(std::string_view text, Style style, bool color) {
  const std::string shown = sinks::line(text);
  if (!color || style == Style::Plain || text.empty())
    return shown;
  return std::string(escape(style)) + shown + "\033[0m";
}

void Table::row(std::vector<Cell> cells) {
  for (Cell &cell : cells)
    cell.text = sinks::line(cell.text);
  rows.push_back(std::move(cells));
}

std::string Table::print(std::string_view indent, bool color) const {
  std::vector<std::size_t> width(columns.size());
  for (const auto &cells : rows)
    for (std::size_t i = 0; i < cells.size() && i < width.size(); ++i)
      width[i] = std::max(width[i], display_width(cells[i].text));

  std::string out;
  for (const auto &cells : rows) {
    std::string line(indent);
    std::string gap; // kept back until another cell follows: no blanks at the end of a line
    for (std::size_t i = 0; i < cells.size() && i < width.size(); ++i) {
      const std::string blanks(width[i] - display_width(cells[i].text), ' ');
      if (i != 0)
        gap += "  ";
      if (columns[i] == Align::Right)
        gap += blanks;
      if (!cells[i].text.empty()) {
        line += gap + styled(cells[i].text, cells[i].style, color);
        gap.clear();
      }
      if (columns[i] == Align::Left)
        gap += blanks;
    }
    out += line + "\n";
  }
  return out;
}

std::string short_dim(const Dim3 &dim) {
  std::string out = "(" + std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1)
    out += "," + std::to_string(dim.y);
  if (dim.z != 1)
    out += "," + std::to_string(dim.z);
  return out + ")";
}

} // namespace smem
