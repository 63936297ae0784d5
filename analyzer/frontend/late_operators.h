// Operators that a template uses and that are declared after it.
//
// nvcc's front end looks operators up where a template is instantiated, other functions where it is defined, as the standard has it (nvcc 13.0 accepts `a + b` with an operator+ of
// float2 that follows the template, and refuses f(a)). Clang refuses both.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// A declaration to insert.
struct EarlierDeclaration {
  std::size_t place = 0; ///< offset
  std::string text;      ///< of one line
};

/// Before the template that has the expression at `use` in it, those of the operators whose names are at `names` (the word `operator`) that are functions of the same namespace of `text`, after it.
std::vector<EarlierDeclaration> declare_earlier(std::string_view text, std::size_t use,
                                                std::span<const std::size_t> names);

} // namespace smem
