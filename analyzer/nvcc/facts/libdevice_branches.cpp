#include "nvcc/facts/libdevice_branches.h"

#include <algorithm>
#include <iterator>
#include <string>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace smem {
namespace {

constexpr llvm::StringLiteral kAttribute = "smem_lint.branches", kNumber = "smem_lint.call";

template <std::size_t N> bool has(const llvm::StringLiteral (&names)[N], llvm::StringRef name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_arithmetic(const llvm::Value &value) {
  const auto *operation = llvm::dyn_cast<llvm::Operator>(&value);
  if (!operation || !value.getType()->isFloatingPointTy())
    return false;
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&value))
    return call->getIntrinsicID() == llvm::Intrinsic::fma || call->getIntrinsicID() == llvm::Intrinsic::fmuladd ||
           call->getIntrinsicID() == llvm::Intrinsic::fabs;
  switch (operation->getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FNeg:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc: return true;
  default: return false;
  }
}

/// What is known of a number wherever it comes from. What is multiplied by nothing is nothing, or no number.
struct Range {
  bool may_be_known = false, may_be_zero = false;
};

/// Values of one argument that are looked at; of more, something is taken to be known.
constexpr std::size_t kMostValues = 256;

/// `seen`: values that come round a loop tell nothing themselves.
Range range_of(const llvm::Value &value, llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  if (const auto *number = llvm::dyn_cast<llvm::Constant>(&value))
    return {true, number->isZeroValue()};
  if (llvm::isa<llvm::Argument, llvm::LoadInst, llvm::SIToFPInst, llvm::UIToFPInst>(value) ||
      value.getType()->isIntegerTy() || !seen.insert(&value).second)
    return {};
  const bool joins = llvm::isa<llvm::PHINode, llvm::SelectInst>(value);
  if (seen.size() > kMostValues || (!joins && !is_arithmetic(value)))
    return {.may_be_known = true};
  Range range{.may_be_known = true};
  for (const llvm::Value *operand : llvm::cast<llvm::User>(value).operand_values())
    if (operand->getType() == value.getType() || !joins) {
      if (llvm::isa<llvm::Function>(operand))
        continue;
      const Range part = range_of(*operand, seen);
      range.may_be_known &= part.may_be_known;
      range.may_be_zero |= part.may_be_zero && !joins;
    }
  range.may_be_known |= range.may_be_zero;
  return range;
}

} // namespace

Branches branches_of_function(llvm::StringRef name) {
  static constexpr llvm::StringLiteral late[]{"hypotf", "norm3df", "norm4df", "rsqrt"};
  static constexpr llvm::StringLiteral forward[]{
      "acos",           "acoshf",    "asin",        "asinhf", "atan",          "atanf",          "atanhf",
      "cbrt",           "cosh",      "cospi",       "cospif", "cyl_bessel_i0", "cyl_bessel_i0f", "cyl_bessel_i1",
      "cyl_bessel_i1f", "erfc",      "erfcinvf",    "erfcxf", "erff",          "erfinvf",        "exp",
      "exp10",          "exp2",      "expm1",       "frexp",  "frexpf",        "frsqrt_rn",      "ilogbf",
      "lgammaf",        "llroundf",  "log",         "log10",  "log10f",        "log1pf",         "log2",
      "log2f",          "logb",      "logbf",       "logf",   "modf",          "nextafter",      "nextafterf",
      "normcdf",        "normcdff",  "normcdfinvf", "powf",   "powif",         "rcbrt",          "rhypot",
      "sincospi",       "sincospif", "sinpi",       "sinpif", "tanh",          "tgammaf"};
  static constexpr llvm::StringLiteral loops[]{
      "acosh",      "asinh", "atan2", "atan2f",    "atanh",      "cos",    "erfcinv", "erfcx",
      "erfinv",     "fmod",  "fmodf", "j0",        "j1",         "jn",     "lgamma",  "log1p",
      "normcdfinv", "pow",   "powi",  "remainder", "remainderf", "remquo", "remquof", "sin",
      "sincos",     "sinh",  "tan",   "tgamma",    "y0",         "y1",     "yn"};
  static constexpr llvm::StringLiteral table[]{"cosf", "j0f",  "j1f", "jnf", "sincosf",
                                               "sinf", "tanf", "y0f", "y1f", "ynf"};
  if (has(table, name))
    return Branches::Table;
  if (has(loops, name))
    return Branches::Loops;
  if (has(forward, name))
    return Branches::Forward;
  return has(late, name) ? Branches::Late : Branches::None;
}

void note_branches(llvm::CallBase &call, Branches branches) {
  static constexpr llvm::StringLiteral names[]{"none", "late", "forward", "loops", "table"};
  if (branches != Branches::None)
    call.addFnAttr(llvm::Attribute::get(call.getContext(), kAttribute, names[static_cast<std::size_t>(branches)]));
}

Branches branches_of(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::StringRef noted = call ? call->getFnAttr(kAttribute).getValueAsString() : "";
  return noted == "table"     ? Branches::Table
         : noted == "loops"   ? Branches::Loops
         : noted == "forward" ? Branches::Forward
         : noted == "late"    ? Branches::Late
                              : Branches::None;
}

bool may_be_without_branches(const llvm::CallBase &call) {
  bool all_known = true;
  for (const llvm::Value *argument : call.args()) {
    if (argument->getType()->isPointerTy())
      continue;
    llvm::SmallPtrSet<const llvm::Value *, 16> seen;
    const Range range = range_of(*argument, seen);
    if (range.may_be_zero)
      return true;
    all_known &= range.may_be_known;
  }
  return all_known;
}

bool is_blocks_to_cicc(const llvm::Instruction &instruction) { return branches_of(instruction) > Branches::Late; }

void tell_calls_apart(llvm::Function &function) {
  unsigned number = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (branches_of(instruction) == Branches::Table)
      llvm::cast<llvm::CallBase>(instruction)
          .addFnAttr(llvm::Attribute::get(function.getContext(), kNumber, std::to_string(number++)));
}

} // namespace smem
