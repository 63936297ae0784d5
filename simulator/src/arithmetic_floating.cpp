// Floating point, as far as addresses and conditions are computed with it.
#include "arithmetic.h"

#include "lane_values.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace smem {
namespace {

double to_double(std::int64_t bits, unsigned width) {
  if (width == 64) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

std::int64_t from_double(double value, unsigned width) {
  if (width == 64) return std::bit_cast<std::int64_t>(value);
  return static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

std::int64_t saturate(double value, bool is_signed, unsigned width) {
  if (std::isnan(value)) return 0;
  const double limit = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
  if (value >= limit) return is_signed ? static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1) : -1;
  if (is_signed && value < -limit) return static_cast<std::int64_t>(std::uint64_t{1} << (width - 1));
  if (!is_signed && value <= -1) return 0;
  return is_signed ? static_cast<std::int64_t>(value) : static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
}

} // namespace

Value Arithmetic::floating(Opcode opcode, const std::vector<const Value *> &operands, unsigned width, LaneMask mask) {
  std::vector<Value> in;
  for (const Value *operand : operands) {
    if ((operand->unknown & mask) || operand->has_symbol()) return opaque(static_cast<std::uint32_t>(opcode), width, operands, width, mask, 0);
    in.push_back(fixed(*operand, mask));
  }
  const unsigned from = in[0].width;
  const bool uniform = std::all_of(in.begin(), in.end(), [](const Value &v) { return v.uniform; });
  Value out = blank(width, mask);
  fill(out, uniform, mask, [&](unsigned lane) -> std::int64_t {
    const std::int64_t raw = in[0].at(lane);
    if (opcode == Opcode::SToF) return from_double(width == 64 ? static_cast<double>(raw) : static_cast<double>(static_cast<float>(raw)), width);
    if (opcode == Opcode::UToF) { const std::uint64_t u = as_unsigned(raw, from); return from_double(width == 64 ? static_cast<double>(u) : static_cast<double>(static_cast<float>(u)), width); }
    const double x = to_double(raw, from);
    const double y = in.size() > 1 ? to_double(in[1].at(lane), from) : 0;
    // Double arithmetic rounded once to float equals float arithmetic for these four operations.
    switch (opcode) {
    case Opcode::FAdd: return from_double(x + y, width);
    case Opcode::FSub: return from_double(x - y, width);
    case Opcode::FMul: return from_double(x * y, width);
    case Opcode::FDiv: return from_double(x / y, width);
    case Opcode::FEq: return x == y;
    case Opcode::FNe: return x != y;
    case Opcode::FLt: return x < y;
    case Opcode::FLe: return x <= y;
    case Opcode::FToS: return saturate(x, true, width);
    case Opcode::FToU: return saturate(x, false, width);
    case Opcode::FResize: return from_double(x, width);
    default: return 0;
    }
  });
  return out;
}

} // namespace smem
