#include "support/scalar_text.h"

#include <bit>
#include <charconv>

#include <llvm/ADT/APFloat.h>

namespace smem {

bool is_floating_type(std::string_view type) {
  for (const std::string_view name : {"float", "double", "half", "bfloat16"})
    if (type.find(name) != std::string_view::npos)
      return true;
  return false;
}

std::string scalar_text(std::int64_t bits, std::string_view type, std::uint64_t size) {
  const bool scalar = type.find_first_of("0123456789") == std::string_view::npos ||
                      type.find("bfloat16") != std::string_view::npos; // no float4
  if (!is_floating_type(type) || !scalar || (size != 2 && size != 4 && size != 8))
    return std::to_string(bits);
  const llvm::fltSemantics &semantics = size == 8                                         ? llvm::APFloat::IEEEdouble()
                                        : size == 4                                       ? llvm::APFloat::IEEEsingle()
                                        : type.find("bfloat16") != std::string_view::npos ? llvm::APFloat::BFloat()
                                                                                          : llvm::APFloat::IEEEhalf();
  const llvm::APFloat number(semantics, llvm::APInt(static_cast<unsigned>(8 * size), static_cast<std::uint64_t>(bits)));
  char text[64];
  // The shortest that reads back as the same number.
  const auto end = size == 4   ? std::to_chars(text, text + sizeof text, number.convertToFloat()).ptr
                   : size == 8 ? std::to_chars(text, text + sizeof text, number.convertToDouble()).ptr
                               : std::to_chars(text, text + sizeof text, number.convertToFloat()).ptr;
  std::string result(text, end);
  if (number.isFinite() && result.find_first_of(".e") == std::string::npos)
    result += ".0";
  return result + (size == 4 && number.isFinite() ? "f" : "");
}

} // namespace smem
