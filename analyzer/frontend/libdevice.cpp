#include "frontend/libdevice.h"

#include <array>
#include <optional>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace smem {
namespace {

using llvm::Intrinsic::ID;

/// The function's name without what libdevice puts around it: `__nv_fast_expf` is `exp` of floats.
llvm::StringRef stem_of(llvm::StringRef name, const llvm::Type &result) {
  name.consume_front("fast_");
  if (result.isFloatTy())
    name.consume_back("f");
  return name;
}

/// The intrinsic that computes the same from the same operands.
ID floating_intrinsic(llvm::StringRef stem) {
  return llvm::StringSwitch<ID>(stem)
    .Case("fabs", llvm::Intrinsic::fabs)
    .Case("floor", llvm::Intrinsic::floor)
    .Case("ceil", llvm::Intrinsic::ceil)
    .Case("trunc", llvm::Intrinsic::trunc)
    .Case("rint", llvm::Intrinsic::rint)
    .Case("nearbyint", llvm::Intrinsic::nearbyint)
    .Case("round", llvm::Intrinsic::round)
    .Case("sqrt", llvm::Intrinsic::sqrt)
    .Case("exp", llvm::Intrinsic::exp)
    .Case("exp2", llvm::Intrinsic::exp2)
    .Case("exp10", llvm::Intrinsic::exp10)
    .Case("log", llvm::Intrinsic::log)
    .Case("log2", llvm::Intrinsic::log2)
    .Case("log10", llvm::Intrinsic::log10)
    .Case("sin", llvm::Intrinsic::sin)
    .Case("cos", llvm::Intrinsic::cos)
    .Case("tan", llvm::Intrinsic::tan)
    .Case("pow", llvm::Intrinsic::pow)
    .Case("fma", llvm::Intrinsic::fma)
    .Case("fmin", llvm::Intrinsic::minnum)
    .Case("fmax", llvm::Intrinsic::maxnum)
    .Case("copysign", llvm::Intrinsic::copysign)
    .Default(llvm::Intrinsic::not_intrinsic);
}

ID integer_intrinsic(llvm::StringRef name) {
  return llvm::StringSwitch<ID>(name)
    .Cases("min", "llmin", llvm::Intrinsic::smin)
    .Cases("max", "llmax", llvm::Intrinsic::smax)
    .Cases("umin", "ullmin", llvm::Intrinsic::umin)
    .Cases("umax", "ullmax", llvm::Intrinsic::umax)
    .Cases("abs", "llabs", llvm::Intrinsic::abs)
    .Cases("clz", "clzll", llvm::Intrinsic::ctlz)
    .Cases("popc", "popcll", llvm::Intrinsic::ctpop)
    .Cases("brev", "brevll", llvm::Intrinsic::bitreverse)
    .Default(llvm::Intrinsic::not_intrinsic);
}

std::optional<llvm::Instruction::CastOps> cast_of(llvm::StringRef name) {
  using Cast = llvm::Instruction::CastOps;
  return llvm::StringSwitch<std::optional<Cast>>(name)
    .Cases("float_as_int", "float_as_uint", "int_as_float", "uint_as_float", Cast::BitCast)
    .Cases("double_as_longlong", "longlong_as_double", Cast::BitCast)
    .Cases("int2float_rn", "ll2float_rn", "int2double_rn", "ll2double_rn", Cast::SIToFP)
    .Cases("uint2float_rn", "ull2float_rn", "uint2double_rn", "ull2double_rn", Cast::UIToFP)
    .Case("double2float_rn", Cast::FPTrunc)
    .Default(std::nullopt);
}

/// The upper half of a product.
llvm::Value *high_product(llvm::IRBuilder<> &builder, llvm::CallBase &call, bool is_signed) {
  llvm::Type *narrow = call.getType(), *wide = builder.getIntNTy(2 * narrow->getIntegerBitWidth());
  const auto widened = [&](unsigned operand) { return is_signed ? builder.CreateSExt(call.getArgOperand(operand), wide) : builder.CreateZExt(call.getArgOperand(operand), wide); };
  return builder.CreateTrunc(builder.CreateLShr(builder.CreateMul(widened(0), widened(1)), narrow->getIntegerBitWidth()), narrow);
}

/// What the call computes, in LLVM's own terms; nullptr where it has none.
llvm::Value *own_terms(llvm::CallBase &call, llvm::StringRef name) {
  llvm::IRBuilder<> builder(&call);
  llvm::Type *type = call.getType();
  if (call.arg_empty() || type->isVoidTy())
    return nullptr;
  llvm::SmallVector<llvm::Value *> operands(call.args());
  if (const ID intrinsic = integer_intrinsic(name); intrinsic != llvm::Intrinsic::not_intrinsic) {
    if (intrinsic == llvm::Intrinsic::abs || intrinsic == llvm::Intrinsic::ctlz)
      operands.push_back(builder.getFalse()); // defined for the least number, and for 0
    return builder.CreateZExtOrTrunc(builder.CreateIntrinsic(intrinsic, {operands[0]->getType()}, operands), type);
  }
  if (const auto cast = cast_of(name))
    return builder.CreateCast(*cast, operands[0], type);
  if (name == "mulhi" || name == "umulhi")
    return high_product(builder, call, name == "mulhi");
  if (!type->isFloatingPointTy() || !llvm::all_of(operands, [&](const llvm::Value *operand) { return operand->getType() == type; }))
    return nullptr;
  const ID intrinsic = floating_intrinsic(stem_of(name, *type));
  if (intrinsic == llvm::Intrinsic::not_intrinsic)
    return nullptr;
  auto *made = builder.CreateIntrinsic(intrinsic, {type}, operands);
  if (llvm::isa<llvm::FPMathOperator>(&call))
    made->copyFastMathFlags(&call);
  return made;
}

/// libdevice reads and writes nothing but what its arguments point to, and always comes back.
void promise(llvm::Function &function) {
  const bool points = llvm::any_of(function.args(), [](const llvm::Argument &argument) { return argument.getType()->isPointerTy(); });
  function.setMemoryEffects(points ? llvm::MemoryEffects::argMemOnly() : llvm::MemoryEffects::none());
  function.removeFnAttr(llvm::Attribute::Convergent);
  for (const auto attribute : {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::NoSync, llvm::Attribute::NoFree, llvm::Attribute::NoRecurse})
    function.addFnAttr(attribute);
  if (!points)
    function.addFnAttr(llvm::Attribute::Speculatable);
  for (llvm::Argument &argument : function.args())
    if (argument.getType()->isPointerTy())
      argument.addAttr(llvm::Attribute::NoCapture);
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
      call->removeFnAttr(llvm::Attribute::Convergent);
}

} // namespace

void describe_libdevice(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front("__nv_"))
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledFunction() != &function)
        continue;
      if (llvm::Value *result = own_terms(*call, name)) {
        call->replaceAllUsesWith(result);
        call->eraseFromParent();
      }
    }
    if (function.use_empty())
      function.eraseFromParent();
    else
      promise(function);
  }
}

} // namespace smem
