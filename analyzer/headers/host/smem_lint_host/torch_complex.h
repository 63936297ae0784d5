// PyTorch's complex numbers: two numbers side by side, aligned as one. What functions of them compute is approximate.
#pragma once

#include <complex>

namespace c10 {

template <class T> struct alignas(2 * sizeof(T)) complex;

#define SMEM_LINT_COMPLEX_MEMBERS(type)                                                                                \
  using value_type = type;                                                                                             \
  constexpr C10_HOST_DEVICE type real() const { return real_; }                                                        \
  constexpr C10_HOST_DEVICE type imag() const { return imag_; }                                                        \
  constexpr C10_HOST_DEVICE void real(type value) { real_ = value; }                                                   \
  constexpr C10_HOST_DEVICE void imag(type value) { imag_ = value; }                                                   \
  C10_HOST_DEVICE complex &operator=(type value) { return *this = complex(value, type(0)); }                           \
  C10_HOST_DEVICE complex &operator+=(type value) { return *this = complex(real_ + value, imag_); }                    \
  C10_HOST_DEVICE complex &operator-=(type value) { return *this = complex(real_ - value, imag_); }                    \
  C10_HOST_DEVICE complex &operator*=(type value) { return *this = complex(real_ * value, imag_ * value); }            \
  C10_HOST_DEVICE complex &operator/=(type value) { return *this = complex(real_ / value, imag_ / value); }            \
  template <class Other> C10_HOST_DEVICE complex &operator+=(const complex<Other> &b) {                                \
    return *this = complex(type(real_ + b.real()), type(imag_ + b.imag()));                                            \
  }                                                                                                                    \
  template <class Other> C10_HOST_DEVICE complex &operator-=(const complex<Other> &b) {                                \
    return *this = complex(type(real_ - b.real()), type(imag_ - b.imag()));                                            \
  }                                                                                                                    \
  template <class Other> C10_HOST_DEVICE complex &operator*=(const complex<Other> &b) {                                \
    return *this = complex(type(real_ * b.real() - imag_ * b.imag()), type(real_ * b.imag() + imag_ * b.real()));      \
  }                                                                                                                    \
  template <class Other> C10_HOST_DEVICE complex &operator/=(const complex<Other> &b) {                                \
    const auto scale = b.real() * b.real() + b.imag() * b.imag();                                                      \
    return *this = complex(type((real_ * b.real() + imag_ * b.imag()) / scale),                                        \
                           type((imag_ * b.real() - real_ * b.imag()) / scale));                                       \
  }

template <class T> struct alignas(2 * sizeof(T)) complex {
  T real_ = T(0), imag_ = T(0);
  constexpr complex() = default;
  constexpr C10_HOST_DEVICE complex(const T &real, const T &imag = T()) : real_(real), imag_(imag) {}
  template <class Other, std::enable_if_t<(sizeof(Other) < sizeof(T)), int> = 0>
  constexpr C10_HOST_DEVICE complex(const complex<Other> &other) : real_(other.real()), imag_(other.imag()) {}
  template <class Other, std::enable_if_t<(sizeof(Other) > sizeof(T)), long> = 0>
  explicit constexpr C10_HOST_DEVICE complex(const complex<Other> &other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}
  template <class Other> explicit constexpr C10_HOST_DEVICE complex(const std::complex<Other> &other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}
  template <class Other> explicit constexpr C10_HOST_DEVICE operator std::complex<Other>() const {
    return {static_cast<Other>(real_), static_cast<Other>(imag_)};
  }
  explicit constexpr C10_HOST_DEVICE operator bool() const { return real() || imag(); }
  SMEM_LINT_COMPLEX_MEMBERS(T)
};

// Without initial values: arrays in shared memory may be of it.
template <> struct alignas(4) complex<Half> {
  Half real_, imag_;
  complex() = default;
  C10_HOST_DEVICE complex(const Half &real, const Half &imag) : real_(real), imag_(imag) {}
  C10_HOST_DEVICE complex(const complex<float> &other) : real_(other.real()), imag_(other.imag()) {}
  C10_HOST_DEVICE operator complex<float>() const { return {real_, imag_}; }
  SMEM_LINT_COMPLEX_MEMBERS(Half)
};

#define SMEM_LINT_COMPLEX_OPERATOR(sign)                                                                               \
  template <class T> constexpr C10_HOST_DEVICE complex<T> operator sign(const complex<T> &a, const complex<T> &b) {    \
    complex<T> out = a;                                                                                                \
    return out sign## = b;                                                                                             \
  }                                                                                                                    \
  template <class T> constexpr C10_HOST_DEVICE complex<T> operator sign(const complex<T> &a, const T & b) {            \
    complex<T> out = a;                                                                                                \
    return out sign## = b;                                                                                             \
  }                                                                                                                    \
  template <class T> constexpr C10_HOST_DEVICE complex<T> operator sign(const T & a, const complex<T> &b) {            \
    complex<T> out(a, T(0));                                                                                           \
    return out sign## = b;                                                                                             \
  }                                                                                                                    \
  template <class Real, class T, std::enable_if_t<std::is_arithmetic_v<Real> && !std::is_same_v<Real, T>, int> = 0>    \
  constexpr C10_HOST_DEVICE complex<T> operator sign(const complex<T> &a, const Real & b) {                            \
    return a sign static_cast<T>(b);                                                                                   \
  }                                                                                                                    \
  template <class Real, class T, std::enable_if_t<std::is_arithmetic_v<Real> && !std::is_same_v<Real, T>, int> = 0>    \
  constexpr C10_HOST_DEVICE complex<T> operator sign(const Real & a, const complex<T> &b) {                            \
    return static_cast<T>(a) sign b;                                                                                   \
  }
// clang-format off
#define SMEM_LINT_COMPLEX_OPERATORS(of) of(+) of(-) of(*) of(/)
// clang-format on
SMEM_LINT_COMPLEX_OPERATORS(SMEM_LINT_COMPLEX_OPERATOR)
template <class T> constexpr C10_HOST_DEVICE complex<T> operator+(const complex<T> &a) { return a; }
template <class T> constexpr C10_HOST_DEVICE complex<T> operator-(const complex<T> &a) {
  return {-a.real(), -a.imag()};
}
template <class T> constexpr C10_HOST_DEVICE bool operator==(const complex<T> &a, const complex<T> &b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <class T> constexpr C10_HOST_DEVICE bool operator!=(const complex<T> &a, const complex<T> &b) {
  return !(a == b);
}
template <class T> constexpr C10_HOST_DEVICE bool operator==(const complex<T> &a, const T &b) {
  return a == complex<T>(b, T(0));
}
template <class T> constexpr C10_HOST_DEVICE bool operator!=(const complex<T> &a, const T &b) { return !(a == b); }

template <class T> struct is_complex : std::false_type {};
template <class T> struct is_complex<complex<T>> : std::true_type {};
template <class T> struct is_complex<std::complex<T>> : std::true_type {};
template <class T> struct scalar_value_type {
  using type = T;
};
template <class T> struct scalar_value_type<complex<T>> {
  using type = T;
};
template <class T> struct scalar_value_type<std::complex<T>> {
  using type = T;
};

} // namespace c10

namespace std {
template <class T> constexpr C10_HOST_DEVICE T real(const c10::complex<T> &z) { return z.real(); }
template <class T> constexpr C10_HOST_DEVICE T imag(const c10::complex<T> &z) { return z.imag(); }
template <class T> C10_HOST_DEVICE T norm(const c10::complex<T> &z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T> C10_HOST_DEVICE T abs(const c10::complex<T> &z) { return ::hypot(z.real(), z.imag()); }
template <class T> C10_HOST_DEVICE T arg(const c10::complex<T> &z) { return ::atan2(z.imag(), z.real()); }
template <class T> constexpr C10_HOST_DEVICE c10::complex<T> conj(const c10::complex<T> &z) {
  return {z.real(), -z.imag()};
}
} // namespace std

namespace c10 {
template <class T> C10_HOST_DEVICE complex<T> polar(const T &length, const T &angle = T()) {
  return {length * ::cos(angle), length * ::sin(angle)};
}
namespace complex_math {
template <class T> C10_HOST_DEVICE complex<T> exp(const complex<T> &z) { return polar<T>(::exp(z.real()), z.imag()); }
template <class T> C10_HOST_DEVICE complex<T> log(const complex<T> &z) { return {::log(std::abs(z)), std::arg(z)}; }
template <class T> C10_HOST_DEVICE complex<T> sqrt(const complex<T> &z) {
  return polar<T>(::sqrt(std::abs(z)), std::arg(z) / 2);
}
template <class T> C10_HOST_DEVICE complex<T> pow(const complex<T> &z, const complex<T> &n) { return exp(n * log(z)); }
template <class T> C10_HOST_DEVICE complex<T> pow(const complex<T> &z, const T &n) { return exp(n * log(z)); }
template <class T> C10_HOST_DEVICE complex<T> sin(const complex<T> &z) {
  return {::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag())};
}
template <class T> C10_HOST_DEVICE complex<T> cos(const complex<T> &z) {
  return {::cos(z.real()) * ::cosh(z.imag()), -::sin(z.real()) * ::sinh(z.imag())};
}
template <class T> C10_HOST_DEVICE complex<T> sinh(const complex<T> &z) {
  return {::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag())};
}
template <class T> C10_HOST_DEVICE complex<T> cosh(const complex<T> &z) {
  return {::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag())};
}
template <class T> C10_HOST_DEVICE complex<T> tanh(const complex<T> &z) { return sinh(z) / cosh(z); }
} // namespace complex_math
using namespace complex_math;
} // namespace c10

namespace std {
using c10::complex_math::cos;
using c10::complex_math::cosh;
using c10::complex_math::exp;
using c10::complex_math::log;
using c10::complex_math::pow;
using c10::complex_math::sin;
using c10::complex_math::sinh;
using c10::complex_math::sqrt;
using c10::complex_math::tanh;
} // namespace std
