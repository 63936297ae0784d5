// Numbers, colours and columns for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "smem/launch.h"

namespace smem {

std::string thousands(std::uint64_t value);                     ///< 1,048,576
std::string ratio(std::uint64_t actual, std::uint64_t ideal);   ///< "32x", "1.25x"; "-" without an ideal
std::string plural(std::uint64_t count, std::string_view noun); ///< "1 file", "2 files", "2 launches"
std::string short_dim(const Dim3 &dim);                         ///< (32,8,1) as people write it: "(32,8)"
std::string shorten(std::string_view text, std::size_t width);  ///< cut in the middle with "..."
/// The name of a kernel in at most `width` bytes. If it is longer it loses, until it fits: the template arguments of its template arguments
/// (`scale<Policy<...>, 32, true>`: its own tell instantiations apart), the namespaces that it is in, those of its arguments, then arguments: first those
/// in which it does not differ from its `instantiations`, the middle ones first. Its own name is cut only where that alone is longer.
std::string short_kernel(std::string_view name, std::size_t width, std::span<const std::string> instantiations = {});

enum class Style : std::uint8_t { Plain, Bold, Dim, Red, Yellow, Green, Magenta, Cyan, BoldRed, BoldMagenta, BoldCyan };

/// `text` as part of one line, whatever it holds (sinks::line()), in a terminal's colour unless `color` is off.
std::string styled(std::string_view text, Style style, bool color);

/// Columns as wide as their widest cell; a cell is part of one line, whatever it holds. Cells are styled after padding, so that colours do not disturb the alignment.
class Table {
public:
  enum class Align : std::uint8_t { Left, Right };
  struct Cell {
    std::string text;
    Style style = Style::Plain;
  };

  explicit Table(std::vector<Align> columns) : columns(std::move(columns)) {}
  void row(std::vector<Cell> cells);
  std::string print(std::string_view indent, bool color) const;

private:
  std::vector<Align> columns;
  std::vector<std::vector<Cell>> rows;
};

} // namespace smem
