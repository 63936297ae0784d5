// Operators that a template uses and that are declared behind it.
//
// nvcc's front end looks operators up where a template is instantiated, others functions where it is defined, as the standard has it (nvcc 13.0 accepts `a + b` with an operator+ of
// float2 that follows the template, and refuses f(a)). Clang refuses both.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace smem {

/// A declaration to insert.
struct EarlierDeclaration {
  std::size_t place = 0; ///< offset
  std::string text;      ///< of one line
};

/// In front of the template that has the expression at `use` in it, the operator whose name is at `name`, if both are of one namespace of `text`.
std::optional<EarlierDeclaration> declare_earlier(std::string_view text, std::size_t use, std::size_t name);

} // namespace smem
