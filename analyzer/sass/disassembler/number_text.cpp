#include "sass/disassembler/number_text.h"

#include <array>
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace smem::compiled {
namespace {

std::string printed(const char *format, double value) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// What nvdisasm 12.4 and 13.0 print of integers from here on.
constexpr double kWithExponent = 1e9;

/// `quiet`: the name of what is no number.
std::string number_text(double value, const char *quiet = "QNAN") {
  const char *sign = std::signbit(value) ? "-" : "+";
  if (std::isnan(value))
    return std::string(sign) + quiet + " ";
  if (std::isinf(value))
    return std::string(sign) + "INF ";
  if (value == 0)
    return std::signbit(value) ? "-0.0 " : "0";
  if (value != std::trunc(value))
    return printed("%.20g", value);
  return std::fabs(value) >= kWithExponent ? printed("%.20e", value) : printed("%.0f", value);
}

} // namespace

std::string unsigned_text(std::uint64_t value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%" PRIx64, value);
  return text.data();
}

std::string hexadecimal_text(std::int64_t value) {
  return value < 0 ? "-" + unsigned_text(std::uint64_t(0) - static_cast<std::uint64_t>(value))
                   : unsigned_text(static_cast<std::uint64_t>(value));
}

std::string float_text(std::uint32_t bits) { return number_text(std::bit_cast<float>(bits)); }

std::string upper_double_text(std::uint32_t bits) {
  constexpr std::uint32_t kQuiet = 1u << 19;
  return number_text(std::bit_cast<double>(std::uint64_t(bits) << 32), bits & kQuiet ? "QNAN" : "SNAN");
}

std::string half_text(std::uint16_t bits) {
  const unsigned exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  const std::uint32_t sign = std::uint32_t(bits >> 15) << 31;
  if (exponent == 31) // infinite, or no number
    return float_text(sign | 0x7f800000u | fraction << 13);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
  return number_text(sign ? -magnitude : magnitude);
}

std::string bfloat_text(std::uint16_t bits) { return float_text(std::uint32_t(bits) << 16); }

} // namespace smem::compiled
