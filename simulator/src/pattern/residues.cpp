#include "residues.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "figures.h"

namespace smem::pattern {
namespace {

constexpr unsigned kAllBits = 64, kLaneBits = 5;
constexpr unsigned kBankBits = 7; ///< of a row of banks, in bytes

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdu;
  return (sum ^ (sum >> 33)) | 1; // 0 says that nothing is added
}

unsigned zeros_of(std::int64_t number) {
  return number ? static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(number))) : kAllBits;
}

std::int64_t low_bits(std::int64_t value, unsigned bits) {
  return bits >= kAllBits
             ? value
             : static_cast<std::int64_t>(static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1));
}

Residue constant(std::int64_t value) {
  Residue out;
  out.bits = kAllBits;
  out.fixed = true;
  out.low.fill(value);
  return out;
}

/// The same in all lanes, and as long as the warp runs.
Residue number(std::uint64_t id) {
  Residue out = constant(0);
  out.shift = id | 1;
  out.grain = 0;
  return out;
}

bool is_constant(const Residue &a) { return a.fixed && a.shift == 0; }
bool is_exact(const Residue &a) { return a.bits == kAllBits && a.shift == 0; }

/// Of what is fixed: two of one identity are one number.
std::uint64_t identity_of(const Residue &a) { return mixed(a.shift, static_cast<std::uint64_t>(a.low[0])); }

Residue each(Residue a, unsigned bits, const std::function<std::int64_t(unsigned lane)> &low) {
  a.bits = std::min(bits, kAllBits);
  a.fixed = a.fixed && a.bits == kAllBits;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    a.low[lane] = low_bits(low(lane), a.bits);
  return a.bits ? a : Residue();
}

/// Known to be the one or the other, in each lane by itself.
Residue either(const Residue &a, const Residue &b) {
  if (a == b)
    return a;
  if (a.shift != b.shift)
    return {};
  unsigned bits = std::min(a.bits, b.bits);
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    bits = std::min(bits, zeros_of(a.low[lane] - b.low[lane]));
  Residue out = a;
  out.fixed = false;
  out.grain = std::min(a.grain, b.grain);
  return each(out, bits, [&](unsigned lane) { return a.low[lane]; });
}

Residue sum(const Residue &a, const Residue &b, std::int64_t sign) {
  Residue out = a;
  out.fixed = a.fixed && b.fixed;
  out.grain = std::min(a.grain, b.grain);
  if (b.shift)
    out.shift = sign < 0 && a.shift == b.shift ? 0
                : a.shift || sign < 0          ? mixed(a.shift, mixed(b.shift, sign < 0 ? 3 : 5))
                                               : b.shift;
  return each(out, std::min(a.bits, b.bits), [&](unsigned lane) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a.low[lane]) +
                                     static_cast<std::uint64_t>(sign) * static_cast<std::uint64_t>(b.low[lane]));
  });
}

Residue times(const Residue &a, std::int64_t factor) {
  if (factor == 0)
    return constant(0);
  Residue out = a;
  out.shift = a.shift ? mixed(a.shift, static_cast<std::uint64_t>(factor)) : 0;
  out.grain = std::min(a.grain + zeros_of(factor), 63u);
  return each(out, a.bits + zeros_of(factor), [&](unsigned lane) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a.low[lane]) * static_cast<std::uint64_t>(factor));
  });
}

/// The low bits alone. What all lanes add is gone where it is a multiple of 2^bits, and all is known then.
Residue remainder(const Residue &a, unsigned bits) {
  Residue out = a;
  out.fixed = false;
  if (a.bits >= bits && (a.shift == 0 || a.grain >= bits)) {
    out.shift = 0;
    out.grain = 63;
    for (std::int64_t &low : out.low)
      low = low_bits(low, bits);
    out.bits = kAllBits;
    return out;
  }
  return each(out, std::min(a.bits, bits), [&](unsigned lane) { return a.low[lane]; });
}

/// Of a number that is not negative, or where that does not matter: without its low bits.
Residue shifted_down(const Residue &a, unsigned by) {
  if (a.bits <= by || (a.shift && a.grain < by))
    return {};
  Residue out = a;
  out.fixed = false;
  out.shift = a.shift ? mixed(a.shift, mixed(by, 7)) : 0;
  out.grain = a.grain - (a.shift ? by : 0);
  const bool all = a.bits == kAllBits;
  if (all && std::ranges::any_of(a.low, [](std::int64_t low) { return low < 0; }))
    return {};
  return each(out, all ? 32 : a.bits - by, [&](unsigned lane) { return a.low[lane] >> by; });
}

class Residues {
public:
  explicit Residues(const Subject &subject) : subject_(subject), known_(subject.program.register_count, Residue()) {
    for (const BasicBlock &block : subject.program.blocks) { // others are loaded
      for (const Phi &phi : block.phis)
        known_[phi.result].reset();
      for (const Instruction &instruction : block.instructions)
        if (instruction.result != kNone)
          known_[instruction.result].reset();
    }
  }

  std::vector<Residue> run() {
    constexpr unsigned kMostRounds = 80; // each takes bits away
    for (unsigned round = 0; round < kMostRounds && std::exchange(changed_, false); ++round)
      for (const BasicBlock &block : subject_.program.blocks) {
        for (const Phi &phi : block.phis)
          take(phi);
        for (const Instruction &instruction : block.instructions)
          if (instruction.result != kNone)
            set(instruction.result, of(instruction), instruction.width);
      }
    std::vector<Residue> out;
    for (const std::optional<Residue> &one : known_)
      out.push_back(changed_ || !one ? Residue() : *one);
    return out;
  }

private:
  /// Of what has not been computed yet in this round, whatever it will be.
  std::optional<Residue> read(RegisterId reg) const { return known_[reg]; }

  void set(RegisterId reg, std::optional<Residue> value, unsigned width) {
    if (!value)
      return;
    const std::int64_t end = std::int64_t{1} << std::min(width - 1, 62u);
    const bool fits =
        is_exact(*value) && std::ranges::all_of(value->low, [&](std::int64_t low) { return low >= -end && low < end; });
    if (value->bits > width && !fits && !(value->fixed && value->shift))
      value = each(*value, width, [&](unsigned lane) { return value->low[lane]; });
    if (known_[reg] == value)
      return;
    // Only ever less is known than in the round before.
    if (known_[reg] && !value->fixed)
      value = either(*known_[reg], *value);
    else if (known_[reg])
      value = Residue();
    if (known_[reg] == value)
      return;
    known_[reg] = value;
    changed_ = true;
  }

  void take(const Phi &phi) {
    std::optional<Residue> all;
    for (const Phi::Incoming &incoming : phi.incoming)
      if (const std::optional<Residue> one = read(incoming.value))
        all = all ? either(*all, *one) : *one;
    if (all && phi.incoming.size() > 1 && all->fixed && all->shift) // of two ways with one number
      all->fixed = false;
    set(phi.result, all, phi.width);
  }

  std::optional<Residue> of(const Instruction &i) const {
    std::vector<Residue> values;
    for (const RegisterId operand : i.operands) {
      const std::optional<Residue> one = read(operand);
      if (!one)
        return std::nullopt;
      values.push_back(*one);
    }
    const auto by_constant = [&](auto &&apply) {
      return is_constant(values[1]) ? apply(values[0], values[1].low[0]) : Residue();
    };
    if (i.opcode >= Opcode::UDiv && i.opcode <= Opcode::FunnelRight && !values.empty() &&
        std::ranges::all_of(values, &Residue::fixed) &&
        std::ranges::any_of(values, [](const Residue &value) { return value.shift != 0; })) {
      std::uint64_t id = static_cast<std::uint64_t>(i.opcode);
      for (const Residue &value : values)
        id = mixed(id, identity_of(value));
      return number(mixed(id, i.width));
    }
    switch (i.opcode) {
    case Opcode::Constant: return constant(i.immediate);
    case Opcode::Special: return special(static_cast<SpecialRegister>(i.immediate));
    case Opcode::Argument:
      return number(mixed(mixed(i.index, static_cast<std::uint64_t>(i.immediate)), mixed(i.width, 11)));
    case Opcode::SharedAddress:
      return constant(static_cast<std::int64_t>(subject_.program.shared_arrays[i.index].dynamic
                                                    ? subject_.layout.dynamic_offset
                                                    : subject_.layout.offset[i.index]));
    case Opcode::Add: return sum(values[0], values[1], 1);
    case Opcode::Sub: return sum(values[0], values[1], -1);
    case Opcode::Mul:
      if (is_constant(values[0]))
        return times(values[1], values[0].low[0]);
      if (is_constant(values[1]))
        return times(values[0], values[1].low[0]);
      return values[0].fixed && values[1].fixed
                 ? number(mixed(mixed(identity_of(values[0]), identity_of(values[1])), 13))
                 : Residue();
    case Opcode::Shl:
      return by_constant([&](const Residue &a, std::int64_t by) {
        return by >= 0 && by < 32 ? times(a, std::int64_t{1} << by) : Residue();
      });
    case Opcode::LShr:
    case Opcode::AShr:
      return by_constant([&](const Residue &a, std::int64_t by) {
        return by > 0 && by < i.width ? shifted_down(a, static_cast<unsigned>(by)) : Residue();
      });
    case Opcode::And:
      return by_constant([&](const Residue &a, std::int64_t mask) {
        return mask > 0 && std::has_single_bit(static_cast<std::uint64_t>(mask) + 1)
                   ? remainder(a, static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(mask))))
                   : Residue();
      });
    case Opcode::URem:
      return by_constant([&](const Residue &a, std::int64_t by) {
        return by > 1 && std::has_single_bit(static_cast<std::uint64_t>(by)) ? remainder(a, zeros_of(by)) : Residue();
      });
    case Opcode::Or:
      return by_constant([&](const Residue &a, std::int64_t added) {
        const unsigned bits =
            added > 0 ? static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(added))) : kAllBits;
        const bool apart = a.bits >= bits && (a.shift == 0 || a.grain >= bits) &&
                           std::ranges::all_of(a.low, [&](std::int64_t low) { return (low & added) == 0; });
        return apart ? sum(a, constant(added), 1) : Residue();
      });
    case Opcode::Xor:
      if (values[0].shift || values[1].shift)
        return Residue();
      return each(values[0], std::min(values[0].bits, values[1].bits),
                  [&](unsigned lane) { return values[0].low[lane] ^ values[1].low[lane]; });
    case Opcode::UMin:
    case Opcode::UMax:
    case Opcode::SMin:
    case Opcode::SMax: return moving(either(values[0], values[1]));
    case Opcode::Select: return moving(either(values[1], values[2]));
    case Opcode::Truncate:
    case Opcode::ZeroExtend:
    case Opcode::SignExtend: return resized(values[0], i);
    default: return Residue();
    }
  }

  /// Of two, one may be it now and the other later.
  static Residue moving(Residue value) {
    value.fixed = value.fixed && value.shift == 0;
    return value;
  }

  Residue resized(Residue a, const Instruction &i) const {
    const unsigned narrow = std::min<unsigned>(i.width, subject_.program.register_width[i.operands[0]]);
    if (a.fixed && a.shift)
      return number(mixed(identity_of(a), mixed(narrow, static_cast<std::uint64_t>(i.opcode))));
    if (is_exact(a)) {
      const std::int64_t end = std::int64_t{1} << std::min(narrow - 1, 62u);
      if (std::ranges::all_of(a.low, [&](std::int64_t low) { return low >= 0 && low < end; }))
        return a;
    }
    a.fixed = false;
    return each(a, std::min(a.bits, narrow), [&](unsigned lane) { return a.low[lane]; });
  }

  static Residue special(SpecialRegister which) {
    Residue out = number(mixed(static_cast<std::uint64_t>(which), 17));
    switch (which) {
    case SpecialRegister::Lane: out.shift = 0; [[fallthrough]];
    case SpecialRegister::ThreadX:
      out.fixed = false;
      out.grain = out.shift ? kLaneBits : 63;
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        out.low[lane] = lane;
      return out;
    case SpecialRegister::LaneMaskLt:
    case SpecialRegister::LaneMaskLe:
    case SpecialRegister::LaneMaskEq:
    case SpecialRegister::LaneMaskGe:
    case SpecialRegister::LaneMaskGt: return {};
    default: return out;
    }
  }

  const Subject &subject_;
  std::vector<std::optional<Residue>> known_;
  bool changed_ = true;
};

} // namespace

std::vector<Residue> residues_of(const Subject &subject) { return Residues(subject).run(); }

std::optional<PatternCase> worst_of(const Residue &address, const Access &access, const Architecture &architecture,
                                    LaneMask lanes) {
  const std::optional<PatternCase> most = worst(access, architecture, lanes);
  if (!most || address.bits < kBankBits || access.space != Space::Shared || access.matrices ||
      (access.operation != Operation::Load && access.operation != Operation::Store))
    return std::nullopt;
  const std::int64_t width = std::max<std::int64_t>(access.width_bits / 8, 1);
  const std::int64_t step = std::max(width, std::int64_t{1} << std::min(address.grain, kBankBits));
  Cases all;
  for (std::int64_t shift = 0; shift < static_cast<std::int64_t>(kRepeats); shift += step) {
    Request request;
    request.active = lanes;
    bool aligned = true;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::int64_t in_row = low_bits(address.low[lane] + shift, kBankBits);
      aligned &= in_row % width == 0;
      request.address[lane] =
          static_cast<std::uint64_t>(in_row) + 2 * kRepeats * lane; // no two lanes have a word in common
    }
    if (aligned)
      all.push_back(figures(evaluate(request, bounding(access), architecture), true, false));
    if (address.shift == 0)
      break;
  }
  if (all.empty())
    return std::nullopt;
  PatternCase out = upper_bound(all);
  if (out.wavefronts >= most->wavefronts)
    return std::nullopt;
  out.at_most = out.wavefronts != 1;
  return out;
}

} // namespace smem::pattern
