// Floating point, as far as addresses and conditions are computed with it. What the hardware's result is not certain of is not known.
#include "arithmetic.h"

#include "lane_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace smem {
namespace {

using Result = std::optional<std::int64_t>;
using Operands = std::array<std::int64_t, 3>;

template <typename T> T number(std::int64_t bits) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<double>(bits);
  else
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// The hardware has one bit pattern for what is not a number in 32 bits, and several in 64.
template <typename T> Result bits_of(T value) {
  if constexpr (sizeof(T) == 8)
    return std::isnan(value) ? std::nullopt : Result(std::bit_cast<std::int64_t>(value));
  else
    return std::isnan(value) ? 0x7fffffff : static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(value));
}

/// A sum of two numbers of 64 bits: as far as one holds it, and the rest.
struct Exact {
  double sum, rest;
};

Exact exact_sum(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

Result rounded(Exact exact, Rounding rounding, unsigned width) {
  if (!std::isfinite(exact.sum) || !std::isfinite(exact.rest))
    return std::nullopt;
  // Which zero a sum that cancels is depends on more than the sum.
  if (exact.sum == 0)
    return std::nullopt;
  if (width == 64)
    return exact.rest == 0 ? bits_of(exact.sum) : std::nullopt;
  const auto nearest = static_cast<float>(exact.sum);
  const double apart = exact.sum - static_cast<double>(nearest), beyond = apart != 0 ? apart : exact.rest;
  const Rounding way = rounding != Rounding::TowardZero ? rounding : exact.sum > 0 ? Rounding::Down : Rounding::Up;
  if (way == Rounding::Down && beyond < 0)
    return bits_of(std::nextafter(nearest, -std::numeric_limits<float>::infinity()));
  if (way == Rounding::Up && beyond > 0)
    return bits_of(std::nextafter(nearest, std::numeric_limits<float>::infinity()));
  return bits_of(nearest);
}

/// Other ways than to the nearest: of what is exact in two numbers of 64 bits.
template <typename T> Result directed(Opcode opcode, const Operands &in, Rounding rounding) {
  constexpr unsigned width = 8 * sizeof(T);
  const double a = number<T>(in[0]), b = number<T>(in[1]), c = number<T>(in[2]);
  switch (opcode) {
  case Opcode::FAdd: return rounded(exact_sum(a, b), rounding, width);
  case Opcode::FSub: return rounded(exact_sum(a, -b), rounding, width);
  case Opcode::FMul: return width == 32 ? rounded({a * b, 0}, rounding, width) : std::nullopt;
  case Opcode::FFma: return width == 32 ? rounded(exact_sum(a * b, c), rounding, width) : std::nullopt;
  default: return std::nullopt;
  }
}

template <typename T> T to_whole(T x, Rounding rounding) {
  switch (rounding) {
  case Rounding::NearestEven: return std::nearbyint(x);
  case Rounding::TowardZero: return std::trunc(x);
  case Rounding::Down: return std::floor(x);
  case Rounding::Up: return std::ceil(x);
  case Rounding::NearestAway: return std::round(x);
  }
  return x;
}

/// The lesser, or the only one that is a number; -0 is less than 0.
template <typename T> T least(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

template <typename T> Result compute(Opcode opcode, const Operands &in, Rounding rounding) {
  const T a = number<T>(in[0]), b = number<T>(in[1]);
  switch (opcode) {
  case Opcode::FEq: return a == b;
  case Opcode::FNe: return a != b;
  case Opcode::FLt: return a < b;
  case Opcode::FLe: return a <= b;
  case Opcode::FMin: return bits_of(least(a, b));
  case Opcode::FMax: return bits_of(-least(-a, -b));
  case Opcode::FRem: return bits_of(std::fmod(a, b));
  case Opcode::FRound: return bits_of(to_whole(a, rounding));
  default: break;
  }
  if (rounding != Rounding::NearestEven)
    return directed<T>(opcode, in, rounding);
  switch (opcode) {
  case Opcode::FAdd: return bits_of(a + b);
  case Opcode::FSub: return bits_of(a - b);
  case Opcode::FMul: return bits_of(a * b);
  case Opcode::FDiv: return bits_of(a / b);
  case Opcode::FFma: return bits_of(std::fma(a, b, number<T>(in[2])));
  case Opcode::FSqrt: return bits_of(std::sqrt(a));
  default: return std::nullopt;
  }
}

template <typename To> Result resized(double from, Rounding rounding) {
  constexpr unsigned width = 8 * sizeof(To);
  if (width == 64 || rounding == Rounding::NearestEven || from == 0 || !std::isfinite(from))
    return bits_of(static_cast<To>(from));
  return rounded({from, 0}, rounding, width);
}

template <typename To> Result from_integer(std::int64_t value, bool is_signed, Rounding rounding) {
  const auto u = static_cast<std::uint64_t>(value);
  if (rounding == Rounding::NearestEven || value == 0)
    return bits_of(is_signed ? static_cast<To>(value) : static_cast<To>(u));
  const double high = is_signed ? static_cast<double>(value >> 32) : static_cast<double>(u >> 32);
  return rounded(exact_sum(std::ldexp(high, 32), static_cast<double>(u & 0xffffffffu)), rounding, 8 * sizeof(To));
}

/// Cuts off what is behind the point; the numbers that fit least and most stand for all beyond them.
Result to_integer(double value, bool is_signed, unsigned from, unsigned width) {
  // What a narrow one is made of is a compiler's choice.
  const bool plain = width >= 32;
  if (std::isnan(value)) {
    if (!plain)
      return std::nullopt;
    return from == 32 && width == 32 ? 0
                                     : static_cast<std::int64_t>(std::uint64_t{1} << (width - 1)); // as an H100 has it
  }
  const double limit = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
  const bool above = value >= limit, below = is_signed ? value <= -limit - 1 : value <= -1;
  if ((above || below) && !plain)
    return std::nullopt;
  if (above)
    return is_signed ? static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1) : -1;
  if (below)
    return is_signed ? static_cast<std::int64_t>(std::uint64_t{1} << (width - 1)) : 0;
  return is_signed ? static_cast<std::int64_t>(value)
                   : static_cast<std::int64_t>(static_cast<std::uint64_t>(std::max(value, 0.0)));
}

/// Too small for a normal number of 32 bits, or just not.
bool is_small(std::int64_t bits) {
  const float value = std::fabs(number<float>(bits));
  return value != 0 && value <= std::numeric_limits<float>::min();
}

/// A number of 16 bits; what is none of them has no bit pattern that is sure.
std::optional<double> half_number(std::int64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
  if (exponent == 31 && fraction)
    return std::nullopt;
  const double size = exponent == 31 ? std::numeric_limits<double>::infinity()
                                     : std::ldexp(exponent ? 1024 + fraction : fraction, std::max(exponent, 1) - 25);
  return bits >> 15 & 1 ? -size : size;
}

Result convert(Opcode opcode, std::int64_t bits, Rounding rounding, unsigned from, unsigned width) {
  if (from == 16 && opcode == Opcode::FResize) {
    const std::optional<double> half = half_number(bits);
    return !half ? std::nullopt : width == 64 ? resized<double>(*half, rounding) : resized<float>(*half, rounding);
  }
  const std::int64_t whole = opcode == Opcode::UToF ? static_cast<std::int64_t>(as_unsigned(bits, from)) : bits;
  const double value = from == 64 ? number<double>(bits) : static_cast<double>(number<float>(bits));
  switch (opcode) {
  case Opcode::SToF:
  case Opcode::UToF:
    return width == 64 ? from_integer<double>(whole, opcode == Opcode::SToF, rounding)
                       : from_integer<float>(whole, opcode == Opcode::SToF, rounding);
  case Opcode::FResize: return width == 64 ? resized<double>(value, rounding) : resized<float>(value, rounding);
  case Opcode::FToS:
  case Opcode::FToU: return to_integer(value, opcode == Opcode::FToS, from, width);
  default: return std::nullopt;
  }
}

bool converts(Opcode opcode) { return opcode >= Opcode::FToS && opcode <= Opcode::FResize; }

} // namespace

template <typename F> Value Arithmetic::lane_by_lane(Opcode opcode, std::uint32_t detail, OperandList operands,
                                                     unsigned width, LaneMask mask, std::uint32_t reason, F &&f) {
  const auto not_known = [&](std::uint32_t why) {
    return opaque(static_cast<std::uint32_t>(opcode), detail, operands, width, mask, why);
  };
  LaneMask unknown = 0;
  std::uint32_t why = reason;
  for (const Value *operand : operands) {
    if (operand->has_symbol())
      return not_known(0);
    if (!unknown && (operand->unknown & mask))
      why = operand->reason;
    unknown |= operand->unknown & mask;
    if (operand->terms.empty())
      continue;
    floating_.met = true;
    if (floating_.follows)
      continue;
    if (!not_followed_)
      not_followed_ = reasons_.add(
          "floating point that changes with the block or the iteration would take more steps than the simulation has");
    return not_known(not_followed_);
  }
  const LaneMask known = mask & ~unknown;
  if (!known)
    return not_known(0);
  std::vector<Value> in;
  in.reserve(operands.size());
  bool uniform = !unknown;
  for (const Value *operand : operands) {
    in.push_back(fixed(*operand, known));
    uniform &= in.back().uniform;
  }
  Value out = blank(width, mask);
  fill(out, uniform, known, [&](unsigned lane) -> std::int64_t {
    const Result result = f(lane, in);
    if (!result)
      unknown |= uniform ? mask : LaneMask{1} << lane;
    return result.value_or(0);
  });
  if (uniform && unknown)
    return not_known(why);
  out.unknown = unknown;
  if (unknown)
    out.reason = why;
  return out;
}

Value Arithmetic::floating(Opcode opcode, FloatMode mode, OperandList operands, unsigned width, LaneMask mask) {
  const unsigned from = operands[0]->width;
  const bool reads_numbers = opcode != Opcode::SToF && opcode != Opcode::UToF,
             writes_number = opcode <= Opcode::FRound || opcode == Opcode::FResize;
  if (!uncertain_)
    uncertain_ = reasons_.add("a number that floating-point arithmetic is not certain to give");
  return lane_by_lane(opcode, static_cast<std::uint32_t>(mode.pack()), operands, width, mask, uncertain_,
                      [&](unsigned lane, const std::vector<Value> &in) -> Result {
                        Operands bits{};
                        for (std::size_t i = 0; i < in.size(); ++i) {
                          bits[i] = in[i].at(lane);
                          // Cut off behind the point, a number this small is zero either way.
                          if (mode.flushes && reads_numbers && from == 32 && opcode != Opcode::FToS &&
                              opcode != Opcode::FToU && is_small(bits[i]))
                            return std::nullopt;
                        }
                        const Result result = converts(opcode) ? convert(opcode, bits[0], mode.rounding, from, width)
                                              : from == 64     ? compute<double>(opcode, bits, mode.rounding)
                                                               : compute<float>(opcode, bits, mode.rounding);
                        if (mode.flushes && writes_number && width == 32 && result && is_small(*result))
                          return std::nullopt;
                        return result;
                      });
}

Value Arithmetic::agreement(OperandList operands, unsigned width, LaneMask mask, std::uint32_t reason) {
  if (std::all_of(operands.begin(), operands.end(),
                  [&](const Value *operand) { return equal(*operands[0], *operand, mask); }))
    return *operands[0];
  return lane_by_lane(
      Opcode::Agree, reason, operands, width, mask, reason, [&](unsigned lane, const std::vector<Value> &in) -> Result {
        const bool same =
            std::all_of(in.begin(), in.end(), [&](const Value &value) { return value.at(lane) == in[0].at(lane); });
        return same ? Result(in[0].at(lane)) : std::nullopt;
      });
}

} // namespace smem
