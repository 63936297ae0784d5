// Intrinsics of LLVM and of NVPTX that compute with floating point.
#include "ir/kernel_lowering.h"

#include <algorithm>
#include <optional>

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace smem::lower {
namespace {

namespace I = llvm::Intrinsic;

/// A floating-point instruction and how it rounds.
struct Rounded {
  Opcode opcode;
  Rounding rounding = Rounding::NearestEven;
};

#define EACH_ROUNDING(prefix, suffix, opcode)                                                                          \
  case I::prefix##_rn##suffix: return Rounded{opcode, Rounding::NearestEven};                                          \
  case I::prefix##_rz##suffix: return Rounded{opcode, Rounding::TowardZero};                                           \
  case I::prefix##_rm##suffix: return Rounded{opcode, Rounding::Down};                                                 \
  case I::prefix##_rp##suffix: return Rounded{opcode, Rounding::Up};

/// Between integers and numbers, or numbers of two widths.
std::optional<Rounded> conversion_of(I::ID id) {
  switch (id) {
    EACH_ROUNDING(nvvm_f2i, , Opcode::FToS)
    EACH_ROUNDING(nvvm_f2ll, , Opcode::FToS)
    EACH_ROUNDING(nvvm_d2i, , Opcode::FToS)
    EACH_ROUNDING(nvvm_d2ll, , Opcode::FToS)
    EACH_ROUNDING(nvvm_f2ui, , Opcode::FToU)
    EACH_ROUNDING(nvvm_f2ull, , Opcode::FToU)
    EACH_ROUNDING(nvvm_d2ui, , Opcode::FToU)
    EACH_ROUNDING(nvvm_d2ull, , Opcode::FToU)
    EACH_ROUNDING(nvvm_i2f, , Opcode::SToF)
    EACH_ROUNDING(nvvm_i2d, , Opcode::SToF)
    EACH_ROUNDING(nvvm_ll2f, , Opcode::SToF)
    EACH_ROUNDING(nvvm_ll2d, , Opcode::SToF)
    EACH_ROUNDING(nvvm_ui2f, , Opcode::UToF)
    EACH_ROUNDING(nvvm_ui2d, , Opcode::UToF)
    EACH_ROUNDING(nvvm_ull2f, , Opcode::UToF)
    EACH_ROUNDING(nvvm_ull2d, , Opcode::UToF)
    EACH_ROUNDING(nvvm_d2f, , Opcode::FResize)
  default: return std::nullopt;
  }
}

/// Between numbers of one width.
std::optional<Rounded> rounded_operation(I::ID id) {
  switch (id) {
    EACH_ROUNDING(nvvm_add, _f, Opcode::FAdd)
    EACH_ROUNDING(nvvm_add, _d, Opcode::FAdd)
    EACH_ROUNDING(nvvm_mul, _f, Opcode::FMul)
    EACH_ROUNDING(nvvm_mul, _d, Opcode::FMul)
    EACH_ROUNDING(nvvm_fma, _f, Opcode::FFma)
    EACH_ROUNDING(nvvm_fma, _d, Opcode::FFma)
  case I::nvvm_div_rn_f:
  case I::nvvm_div_rn_d: return Rounded{Opcode::FDiv};
  case I::nvvm_sqrt_rn_f:
  case I::nvvm_sqrt_rn_d: return Rounded{Opcode::FSqrt};
  case I::fma: return Rounded{Opcode::FFma};
  case I::minnum:
  case I::nvvm_fmin_f:
  case I::nvvm_fmin_ftz_f:
  case I::nvvm_fmin_d: return Rounded{Opcode::FMin};
  case I::maxnum:
  case I::nvvm_fmax_f:
  case I::nvvm_fmax_ftz_f:
  case I::nvvm_fmax_d: return Rounded{Opcode::FMax};
  case I::rint:
  case I::nearbyint:
  case I::roundeven: return Rounded{Opcode::FRound};
  case I::floor: return Rounded{Opcode::FRound, Rounding::Down};
  case I::ceil: return Rounded{Opcode::FRound, Rounding::Up};
  case I::trunc: return Rounded{Opcode::FRound, Rounding::TowardZero};
  case I::round: return Rounded{Opcode::FRound, Rounding::NearestAway};
  default: return std::nullopt;
  }
}

#undef EACH_ROUNDING

} // namespace

bool KernelLowering::lower_float_intrinsic(const llvm::IntrinsicInst &call) {
  const I::ID id = call.getIntrinsicID();
  std::vector<Registers> operands;
  for (const llvm::Value *argument : call.args())
    operands.push_back(value(argument));
  const std::vector<std::uint8_t> bits = widths(call.getType());
  const auto has_float_width = [](std::uint8_t width) { return width == 32 || width == 64; };
  const auto per_element = [&](auto make) {
    Registers out;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      Registers in;
      for (const Registers &operand : operands)
        in.push_back(operand[i]);
      out.push_back(make(in, bits[i]));
    }
    define(call, std::move(out));
    return true;
  };
  if (operands.empty() || operands[0].size() != bits.size())
    return false;
  if (const auto conversion = conversion_of(id))
    return per_element([&](const Registers &in, std::uint8_t width) {
      // Rounded to a whole number first, where that is not what the conversion does.
      const bool whole = conversion->opcode == Opcode::FToS || conversion->opcode == Opcode::FToU;
      if (whole && conversion->rounding != Rounding::TowardZero)
        return floats_.emit(conversion->opcode, width,
                            {floats_.emit(Opcode::FRound, builder_.width(in[0]), in, conversion->rounding)});
      return floats_.emit(conversion->opcode, width, in, whole ? Rounding::NearestEven : conversion->rounding);
    });
  if (!std::all_of(bits.begin(), bits.end(), has_float_width))
    return false;
  if (const auto operation = rounded_operation(id))
    return per_element([&](const Registers &in, std::uint8_t width) {
      return floats_.emit(operation->opcode, width, in, operation->rounding);
    });
  switch (id) {
  case I::fabs:
  case I::nvvm_fabs_d:
  case I::nvvm_fabs_f:
  case I::nvvm_fabs_ftz_f:
    return per_element([&](const Registers &in, std::uint8_t) { return floats_.absolute(in[0]); });
  case I::copysign:
    return per_element([&](const Registers &in, std::uint8_t width) {
      const RegisterId sign = builder_.bit_and(in[1], static_cast<std::int64_t>(std::uint64_t{1} << (width - 1)));
      return builder_.emit(Opcode::Or, width, {floats_.absolute(in[0]), sign});
    });
  case I::sqrt: return per_element([&](const Registers &in, std::uint8_t) { return floats_.square_root(in[0]); });
  case I::fmuladd:
    return per_element([&](const Registers &in, std::uint8_t) {
      return floats_.add(floats_.multiply(in[0], in[1], true), in[2], true, at_line(call));
    });
  case I::nvvm_rcp_rn_f:
  case I::nvvm_rcp_rn_d:
    return per_element([&](const Registers &in, std::uint8_t width) {
      return floats_.emit(Opcode::FDiv, width,
                          {builder_.constant(width, width == 64 ? std::int64_t{0x3ff} << 52 : 0x3f800000), in[0]});
    });
  case I::nvvm_saturate_f:
  case I::nvvm_saturate_d:
    return per_element([&](const Registers &in, std::uint8_t width) {
      const RegisterId one = builder_.constant(width, width == 64 ? std::int64_t{0x3ff} << 52 : 0x3f800000);
      return floats_.emit(Opcode::FMin, width,
                          {floats_.emit(Opcode::FMax, width, {in[0], builder_.constant(width, 0)}), one});
    });
  default: return false;
  }
}

} // namespace smem::lower
