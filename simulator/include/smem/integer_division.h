// Division that rounds the same way for either sign. Also of 128 bits, which <numeric> and <cstdlib> leave out.
#pragma once

#include <type_traits>

namespace smem {

/// The quotient, rounded down.
template <typename T> constexpr T floor_div(T a, std::type_identity_t<T> b) {
  const T quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// The quotient, rounded up.
template <typename T> constexpr T ceil_div(T a, std::type_identity_t<T> b) {
  const T quotient = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}

/// What floor_div() leaves over: 0 .. modulus - 1 where `modulus` is positive.
template <typename T> constexpr T floor_mod(T a, std::type_identity_t<T> modulus) {
  const T rest = a % modulus;
  return rest < 0 ? rest + modulus : rest;
}

/// The greatest common divisor, not negative; of 0 and another number, the other's absolute value.
template <typename T> constexpr T gcd_of(T a, std::type_identity_t<T> b) {
  if (a < 0)
    a = -a;
  if (b < 0)
    b = -b;
  while (b != 0) {
    const T rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

} // namespace smem
