// Ways to place the elements of an array in shared memory.
#pragma once

#include "syntax/array_uses.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace smem {

/// Where element `i` of row `row` goes within its row. An array with one extent is one row. All figures count elements.
struct Layout {
  enum class Kind : std::uint8_t {
    Rows,         ///< i
    Skew,         ///< i + i / divisor * factor
    SkewByRow,    ///< i + row / divisor % modulus * factor
    Swizzle,      ///< i ^ (i / divisor % modulus * factor % period)
    SwizzleByRow, ///< i ^ (row / divisor % modulus * factor % period)
  };
  struct Term {
    std::uint32_t divisor = 1, modulus = 0, factor = 0; ///< modulus 0: none; factor 0: no term
    auto operator<=>(const Term &) const = default;
  };
  Kind kind = Kind::Rows;
  std::uint32_t pad = 0;       ///< elements by which rows are longer than that needs
  std::uint32_t period = 1;    ///< of a swizzle: a power of two that divides the row
  std::array<Term, 2> terms{}; ///< added (or combined by XOR) one after the other
  std::uint32_t spread = 1;    ///< places an element takes: 4 for bytes that get a word each

  bool moves_elements() const { return kind != Kind::Rows || spread != 1; }
  bool takes_row() const { return kind == Kind::SkewByRow || kind == Kind::SwizzleByRow; }
  bool swizzles() const { return kind == Kind::Swizzle || kind == Kind::SwizzleByRow; }
  auto operator<=>(const Layout &) const = default;
};

/// An array of one instantiation.
struct Extents {
  std::uint32_t element = 4;        ///< bytes
  std::vector<std::uint64_t> sizes; ///< outermost first
  std::uint64_t bytes() const;
  auto operator<=>(const Extents &) const = default;
  std::uint64_t row() const { return sizes.empty() ? 1 : sizes.back(); } ///< elements
};

/// The row's length under `layout`, in elements.
std::uint64_t row_length(const Layout &layout, const Extents &extents);
std::uint64_t bytes(const Layout &layout, const Extents &extents);
/// The byte offset that `offset` moves to. Offsets beyond the array keep their distance from its end.
std::uint64_t place(const Layout &layout, const Extents &extents, std::uint64_t offset);
/// Whether a swizzle keeps every element in its row.
bool fits(const Layout &layout, const Extents &extents);

/// The new index as an expression of `i` (and `row`) in units of `unit` bytes: `i ^ (i / 32 % 4 * 8)`.
std::string expression(const Layout &layout, std::uint32_t element, std::uint32_t unit);
/// The row's length as an expression of its length in the source, without `spread`: `(N - 1) / 32 * 4`, to be added; `0` if nothing.
std::string added_length(const Layout &layout, const std::string &extent);

} // namespace smem
