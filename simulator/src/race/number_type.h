// A number type of the source, by its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace smem::race {

struct NumberType {
  std::uint32_t width = 0; ///< bits
  bool floating = false, is_signed = false, is_bool = false;

  bool operator==(const NumberType &) const = default;
};

/// Of what a declaration of a number, of a reference or of a pointer to numbers says: `const float *__restrict`. nullopt: of no type of numbers.
std::optional<NumberType> number_type(std::string_view declared);

} // namespace smem::race
