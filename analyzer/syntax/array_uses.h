// How the source declares and indexes shared arrays: where an edit of their layout would have to be made. Plain data.
#pragma once

#include "smem/source.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace smem {

/// Bytes of a file, [begin, end).
struct TextRange {
  std::string file; ///< normalised path; empty: the text is not a place of its own (it came out of a macro)
  std::size_t begin = 0, end = 0;

  bool known() const { return !file.empty(); }
  auto operator<=>(const TextRange &) const = default;
};

/// One place where an element is selected: `tile[row][i]`, `row + i`, `address + i` of an address that is an integer.
struct ArrayUse {
  TextRange index;            ///< of the last subscript
  TextRange row;              ///< of the subscript before it, where there is one
  bool row_repeatable = true; ///< the row's expression may be evaluated twice
  std::uint32_t unit = 0;     ///< bytes that an index of one stands for
  TextRange body;             ///< of the function (or lambda) it lies in, braces included

  auto operator<=>(const ArrayUse &) const = default;
};

/// A shared array, or a parameter, pointer, reference or integer through which one is accessed. The same for all
/// instantiations of a template.
struct ArrayVariable {
  std::string name;
  SourceLocation location;
  bool shared = false;      ///< an array in shared memory, not just a way to it
  bool dynamic = false;     ///< extern __shared__
  bool in_function = false; ///< declared in a function
  bool parameter = false;
  TextRange body;           ///< of that function
  TextRange statement;      ///< of the declaration in that function
  std::string element_type; ///< as written: `float`, `T`
  TextRange extent;         ///< the innermost `[...]`, without the brackets
  unsigned rank = 0;        ///< extents that are written; 0 for a pointer
  std::vector<ArrayUse> uses;
  std::vector<TextRange> pitches;    ///< row pitches handed to functions (`ldm` of wmma's loads and stores)
  std::vector<std::size_t> flows_to; ///< variables that it is assigned or passed to
};

/// What an array is in one function or instantiation.
struct ArrayShape {
  std::string function;               ///< mangled name of the function that declares it; empty at file scope
  std::uint32_t element = 0;          ///< bytes
  std::vector<std::uint64_t> extents; ///< outermost first; a dynamic array has {0}
};

/// `STRIDE`, 32
struct TemplateArgument {
  std::string name;
  std::string value; ///< as C++ spells it; of a type: its size
  bool type = false;
};

struct ArrayUses {
  std::vector<ArrayVariable> variables;
  std::map<std::size_t, std::vector<ArrayShape>> shapes; ///< of shared arrays, by variable
  std::map<std::string, std::size_t> texts; ///< std::hash of what was compiled, by file: edits are for nothing else
  std::map<std::string, std::vector<TemplateArgument>>
      templates; ///< of function template instantiations, by mangled name
};

} // namespace smem
