#include <algorithm>
#include <numeric>
#include <utility>

#include "smem/integer_division.h"
#include "smem/launch.h"

namespace smem {
namespace {

__extension__ typedef __int128 Wide;

/// x with value * x % modulus == 1 % modulus, of two that have no divisor in common; both are below 2^63.
Wide inverse(Wide value, Wide modulus) {
  Wide rest = floor_mod(value, modulus), next = modulus, x = 1, x_next = 0; // value * x == rest, value * x_next == next
  while (rest > 1) {
    const Wide quotient = next / rest;
    next -= quotient * rest;
    x_next -= quotient * x;
    std::swap(rest, next);
    std::swap(x, x_next);
  }
  return floor_mod(x, modulus);
}

} // namespace

bool ArgumentFacts::admits(std::int64_t value) const {
  return floor_mod(value, modulus) == remainder && (!least || value >= *least) && (!most || value <= *most);
}

std::optional<std::int64_t> ArgumentFacts::nearest(std::int64_t wanted) const {
  if (least && wanted < *least)
    wanted = *least;
  if (most && wanted > *most)
    wanted = *most;
  const Wide above = Wide{wanted} + floor_mod(remainder - floor_mod(wanted, modulus), modulus), below = above - modulus;
  for (const Wide value : {above, above == wanted ? above : below})
    if (value >= INT64_MIN && value <= INT64_MAX && admits(static_cast<std::int64_t>(value)))
      return static_cast<std::int64_t>(value);
  return std::nullopt;
}

ArgumentFacts either(const ArgumentFacts &a, const ArgumentFacts &b) {
  ArgumentFacts one;
  if (a.least && b.least)
    one.least = std::min(*a.least, *b.least);
  if (a.most && b.most)
    one.most = std::max(*a.most, *b.most);
  // A single value has every modulus.
  const auto single = [](const ArgumentFacts &facts) { return facts.least && facts.least == facts.most; };
  Wide modulus = 0;
  if (!single(a))
    modulus = a.modulus;
  if (!single(b))
    modulus = std::gcd(static_cast<std::int64_t>(modulus), b.modulus);
  const std::int64_t of_a = single(a) ? *a.least : a.remainder, of_b = single(b) ? *b.least : b.remainder;
  Wide apart = Wide{of_a} - of_b;
  apart = apart < 0 ? -apart : apart;
  for (Wide x = apart, y = modulus;;) { // their greatest common divisor
    if (y == 0) {
      modulus = x;
      break;
    }
    const Wide rest = x % y;
    x = y;
    y = rest;
  }
  if (modulus > 0 && modulus <= ArgumentFacts::kMostModulus) {
    one.modulus = static_cast<std::int64_t>(modulus);
    one.remainder = floor_mod(of_a, one.modulus);
  } else if (modulus > 0) { // a power of two is left of a large one
    one.modulus = static_cast<std::int64_t>(std::min<Wide>(modulus & -modulus, ArgumentFacts::kMostModulus));
    one.remainder = floor_mod(of_a, one.modulus);
  }
  return one;
}

std::optional<ArgumentFacts> combine(const ArgumentFacts &a, const ArgumentFacts &b) {
  ArgumentFacts both;
  if (a.least || b.least)
    both.least = std::max(a.least.value_or(INT64_MIN), b.least.value_or(INT64_MIN));
  if (a.most || b.most)
    both.most = std::min(a.most.value_or(INT64_MAX), b.most.value_or(INT64_MAX));
  // One remainder of their least common multiple, by the Chinese remainder theorem.
  const Wide common = std::gcd(a.modulus, b.modulus), of_b = b.modulus / common, multiple = a.modulus * of_b;
  const Wide apart = Wide{b.remainder} - a.remainder;
  if (apart % common != 0)
    return std::nullopt;
  const Wide steps = floor_mod(apart / common, of_b) * inverse(a.modulus / common, of_b) % of_b;
  const Wide remainder = a.remainder + a.modulus * steps;
  if (multiple <= INT64_MAX) {
    both.modulus = static_cast<std::int64_t>(multiple);
    both.remainder = static_cast<std::int64_t>(remainder);
  } else { // of one that 64 bits do not hold two numbers of 64 bits are left at most; of the remainders the one that says more
    const auto holds = [&](Wide value) {
      return value >= both.least.value_or(INT64_MIN) && value <= both.most.value_or(INT64_MAX);
    };
    const Wide least = holds(remainder - multiple) ? remainder - multiple : remainder;
    const Wide most = holds(remainder) ? remainder : remainder - multiple;
    if (!holds(least))
      return std::nullopt;
    both.least = static_cast<std::int64_t>(least);
    both.most = static_cast<std::int64_t>(most);
    const ArgumentFacts &kept = a.modulus >= b.modulus ? a : b;
    both.modulus = kept.modulus;
    both.remainder = kept.remainder;
  }
  if (!both.nearest(0))
    return std::nullopt;
  return both;
}

std::optional<BlockFacts> combine(const BlockFacts &a, const BlockFacts &b) {
  BlockFacts both;
  for (std::size_t axis = 0; axis < both.size(); ++axis) {
    const std::optional<ArgumentFacts> one = combine(a[axis], b[axis]);
    if (!one)
      return std::nullopt;
    both[axis] = *one;
  }
  return both;
}

bool admits(const BlockFacts &facts, const Dim3 &block) {
  return facts[0].admits(block.x) && facts[1].admits(block.y) && facts[2].admits(block.z);
}

bool admits_remainder(const ArgumentFacts &facts, std::int64_t modulus, std::int64_t remainder) {
  ArgumentFacts wanted;
  wanted.modulus = modulus;
  wanted.remainder = remainder;
  return combine(facts, wanted).has_value();
}

std::string to_string(const ArgumentFacts &facts, std::string_view name) {
  std::string out;
  const auto add = [&](std::string_view relation, std::int64_t value) {
    if (!out.empty())
      out += ", ";
    out.append(name).append(relation).append(std::to_string(value));
  };
  if (facts.modulus != 1)
    add(" % " + std::to_string(facts.modulus) + " == ", facts.remainder);
  if (facts.least && facts.least == facts.most) {
    add(" == ", *facts.least);
    return out;
  }
  if (facts.least)
    add(" >= ", *facts.least);
  if (facts.most)
    add(" <= ", *facts.most);
  return out;
}

namespace {

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

/// Whether the two of `b` are no nearer to each other than those of `a`, as far as it is known of `a` that they are apart.
bool no_nearer(const PointerOrigin &a, const PointerOrigin &other_of_a, const PointerOrigin &b,
               const PointerOrigin &other_of_b) {
  if (a.allocation == 0 || other_of_a.allocation == 0)
    return true;
  if (b.allocation == 0 || other_of_b.allocation == 0)
    return false;
  if (b.allocation != other_of_b.allocation)
    return true;
  if (a.allocation != other_of_a.allocation)
    return false;
  if (!a.place || !other_of_a.place)
    return true;
  return b.place && other_of_b.place && distance(*b.place, *other_of_b.place) >= distance(*a.place, *other_of_a.place);
}

} // namespace

void keep_common_origins(std::vector<ArgumentValue> &kept, const std::vector<ArgumentValue> &other) {
  const auto same = [&](const ArgumentValue &argument) -> const PointerOrigin & {
    static const PointerOrigin unknown;
    if (const auto at = static_cast<std::size_t>(&argument - kept.data()); // mostly the same ones, in the same order
        at < other.size() && other[at].index == argument.index && other[at].offset == argument.offset)
      return other[at].pointer ? other[at].origin : unknown;
    const auto found = std::ranges::find_if(
        other, [&](const ArgumentValue &o) { return o.index == argument.index && o.offset == argument.offset; });
    return found == other.end() || !found->pointer ? unknown : found->origin;
  };
  for (ArgumentValue &argument : kept)
    if (argument.origin != PointerOrigin{} && same(argument).allocation == 0)
      argument.origin = {};
  for (ArgumentValue &argument : kept) {
    if (argument.origin.allocation == 0)
      continue;
    const PointerOrigin &now = same(argument);
    if (std::ranges::any_of(kept, [&](const ArgumentValue &second) {
          return &second != &argument && second.pointer &&
                 !no_nearer(argument.origin, second.origin, now, same(second));
        }))
      argument.origin = {};
    else if (argument.origin.bytes && (!now.bytes || *now.bytes < *argument.origin.bytes))
      argument.origin.bytes = now.bytes;
  }
}

} // namespace smem
