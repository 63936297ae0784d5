#include "nvcc/cicc/libdevice.h"

#include <numbers>
#include <optional>
#include <string>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "nvcc/cicc/handed_on.h"
#include "nvcc/cicc/high_products.h"
#include "nvcc/cicc/remainder_calls.h"
#include "nvcc/facts/libdevice_branches.h"

namespace smem {
namespace {

using llvm::Intrinsic::ID;

/// The function's name without what libdevice puts around it: `__nv_expf` is `exp` of floats.
llvm::StringRef stem_of(llvm::StringRef name, const llvm::Type &result) {
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

/// PTX's instruction that is the function.
ID instruction_of(llvm::StringRef name) {
  namespace I = llvm::Intrinsic;
  static constexpr std::pair<llvm::StringLiteral, ID> known[]{
      {"sad", I::nvvm_sad_i},
      {"usad", I::nvvm_sad_ui},
      {"mul64hi", I::nvvm_mulhi_ll},
      {"umul64hi", I::nvvm_mulhi_ull},
      {"byte_perm", I::nvvm_prmt},
      {"float2int_rn", I::nvvm_f2i_rn},
      {"float2int_rz", I::nvvm_f2i_rz},
      {"float2int_rd", I::nvvm_f2i_rm},
      {"float2int_ru", I::nvvm_f2i_rp},
      {"float2uint_rn", I::nvvm_f2ui_rn},
      {"float2uint_rz", I::nvvm_f2ui_rz},
      {"float2uint_rd", I::nvvm_f2ui_rm},
      {"float2uint_ru", I::nvvm_f2ui_rp},
      {"float2ll_rn", I::nvvm_f2ll_rn},
      {"float2ll_rz", I::nvvm_f2ll_rz},
      {"float2ll_rd", I::nvvm_f2ll_rm},
      {"float2ll_ru", I::nvvm_f2ll_rp},
      {"float2ull_rn", I::nvvm_f2ull_rn},
      {"float2ull_rz", I::nvvm_f2ull_rz},
      {"float2ull_rd", I::nvvm_f2ull_rm},
      {"float2ull_ru", I::nvvm_f2ull_rp},
      {"double2int_rn", I::nvvm_d2i_rn},
      {"double2int_rz", I::nvvm_d2i_rz},
      {"double2int_rd", I::nvvm_d2i_rm},
      {"double2int_ru", I::nvvm_d2i_rp},
      {"double2uint_rn", I::nvvm_d2ui_rn},
      {"double2uint_rz", I::nvvm_d2ui_rz},
      {"double2uint_rd", I::nvvm_d2ui_rm},
      {"double2uint_ru", I::nvvm_d2ui_rp},
      {"double2ll_rn", I::nvvm_d2ll_rn},
      {"double2ll_rz", I::nvvm_d2ll_rz},
      {"double2ll_rd", I::nvvm_d2ll_rm},
      {"double2ll_ru", I::nvvm_d2ll_rp},
      {"double2ull_rn", I::nvvm_d2ull_rn},
      {"double2ull_rz", I::nvvm_d2ull_rz},
      {"double2ull_rd", I::nvvm_d2ull_rm},
      {"double2ull_ru", I::nvvm_d2ull_rp},
      {"int2float_rz", I::nvvm_i2f_rz},
      {"int2float_rd", I::nvvm_i2f_rm},
      {"int2float_ru", I::nvvm_i2f_rp},
      {"uint2float_rz", I::nvvm_ui2f_rz},
      {"uint2float_rd", I::nvvm_ui2f_rm},
      {"uint2float_ru", I::nvvm_ui2f_rp},
      {"ll2float_rz", I::nvvm_ll2f_rz},
      {"ll2float_rd", I::nvvm_ll2f_rm},
      {"ll2float_ru", I::nvvm_ll2f_rp},
      {"ull2float_rz", I::nvvm_ull2f_rz},
      {"ull2float_rd", I::nvvm_ull2f_rm},
      {"ull2float_ru", I::nvvm_ull2f_rp},
      {"double2float_rz", I::nvvm_d2f_rz},
      {"double2float_rd", I::nvvm_d2f_rm},
      {"double2float_ru", I::nvvm_d2f_rp},
      {"fadd_rn", I::nvvm_add_rn_f},
      {"fadd_rz", I::nvvm_add_rz_f},
      {"fadd_rd", I::nvvm_add_rm_f},
      {"fadd_ru", I::nvvm_add_rp_f},
      {"fmul_rn", I::nvvm_mul_rn_f},
      {"fmul_rz", I::nvvm_mul_rz_f},
      {"fmul_rd", I::nvvm_mul_rm_f},
      {"fmul_ru", I::nvvm_mul_rp_f},
      {"fmaf_rn", I::nvvm_fma_rn_f},
      {"fmaf_rz", I::nvvm_fma_rz_f},
      {"fmaf_rd", I::nvvm_fma_rm_f},
      {"fmaf_ru", I::nvvm_fma_rp_f},
      {"fdiv_rn", I::nvvm_div_rn_f},
      {"frcp_rn", I::nvvm_rcp_rn_f},
      {"fsqrt_rn", I::nvvm_sqrt_rn_f},
      {"dadd_rn", I::nvvm_add_rn_d},
      {"dmul_rn", I::nvvm_mul_rn_d},
      {"fma_rn", I::nvvm_fma_rn_d},
      {"ddiv_rn", I::nvvm_div_rn_d},
      {"drcp_rn", I::nvvm_rcp_rn_d},
      {"dsqrt_rn", I::nvvm_sqrt_rn_d},
  };
  const auto *found = llvm::find_if(known, [&](const auto &entry) { return entry.first == name; });
  return found == std::end(known) ? I::not_intrinsic : found->second;
}

/// Functions of integers that nvcc writes out.
llvm::Value *written_out(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::StringRef name) {
  llvm::Value *a = call.getArgOperand(0), *b = call.arg_size() == 2 ? call.getArgOperand(1) : nullptr;
  if (name == "umul24" || name == "mul24") {
    const auto low = [&](llvm::Value *value) {
      return name == "umul24" ? builder.CreateAnd(value, builder.getInt32(0xffffff))
                              : builder.CreateAShr(builder.CreateShl(value, 8), 8);
    };
    return builder.CreateMul(low(a), low(b));
  }
  // The mean without the carry that a sum would lose.
  if (name == "hadd" || name == "uhadd" || name == "rhadd" || name == "urhadd") {
    const bool is_unsigned = name.consume_front("u"), up = name == "rhadd";
    llvm::Value *differ = builder.CreateXor(a, b),
                *half = is_unsigned ? builder.CreateLShr(differ, 1) : builder.CreateAShr(differ, 1);
    return up ? builder.CreateSub(builder.CreateOr(a, b), half) : builder.CreateAdd(builder.CreateAnd(a, b), half);
  }
  if (name == "double2hiint" || name == "double2loint") {
    llvm::Value *bits = builder.CreateBitCast(a, builder.getInt64Ty());
    return builder.CreateTrunc(name == "double2hiint" ? builder.CreateLShr(bits, 32) : bits, builder.getInt32Ty());
  }
  if (name == "llround" || name == "llroundf" || name == "llrint" || name == "llrintf") {
    namespace I = llvm::Intrinsic;
    const bool of_float = a->getType()->isFloatTy();
    if (name.starts_with("llrint"))
      return builder.CreateIntrinsic(of_float ? I::nvvm_f2ll_rn : I::nvvm_d2ll_rn, {}, {a});
    auto *rounded = builder.CreateIntrinsic(I::round, {a->getType()}, {a});
    note_branches(*rounded, branches_of_function(name)); // the conversion becomes LLVM's own instruction
    return builder.CreateIntrinsic(of_float ? I::nvvm_f2ll_rz : I::nvvm_d2ll_rz, {}, {rounded});
  }
  // The width less the zeros before the last bit that is set; 0 of 0, without a choice.
  if (name == "ffs" || name == "ffsll") {
    llvm::Value *last = builder.CreateAnd(a, builder.CreateNeg(a)),
                *zeros = builder.CreateIntrinsic(llvm::Intrinsic::ctlz, {a->getType()}, {last, builder.getFalse()});
    return builder.CreateZExtOrTrunc(
        builder.CreateSub(llvm::ConstantInt::get(a->getType(), a->getType()->getIntegerBitWidth()), zeros),
        call.getType());
  }
  return nullptr;
}

/// `__expf()` and its like: libdevice has one to three instructions of PTX for each, and nothing of the function that is computed exactly.
llvm::Value *approximation(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::StringRef name) {
  namespace I = llvm::Intrinsic;
  if (!name.consume_front("fast_"))
    return nullptr;
  if (llvm::isa<llvm::FPMathOperator>(&call))
    builder.setFastMathFlags(call.getFastMathFlags());
  const auto is = [&](ID intrinsic, llvm::ArrayRef<llvm::Value *> of) {
    llvm::CallInst *made = builder.CreateIntrinsic(intrinsic, {}, of);
    made->getCalledFunction()->setSpeculatable();
    return made;
  };
  const auto times = [&](llvm::Value *value, double factor) {
    return builder.CreateFMul(value, llvm::ConstantFP::get(value->getType(), factor));
  };
  llvm::Value *a = call.getArgOperand(0);
  if (name == "sinf" || name == "cosf" || name == "log2f")
    return is(name == "sinf" ? I::nvvm_sin_approx_f : name == "cosf" ? I::nvvm_cos_approx_f : I::nvvm_lg2_approx_f, a);
  if (name == "expf" || name == "exp10f")
    return is(I::nvvm_ex2_approx_f,
              times(a, name == "expf" ? std::numbers::log2e : std::numbers::ln10 / std::numbers::ln2));
  if (name == "logf" || name == "log10f")
    return times(is(I::nvvm_lg2_approx_f, a),
                 name == "logf" ? std::numbers::ln2 : std::numbers::ln2 / std::numbers::ln10);
  if (name == "powf")
    return is(I::nvvm_ex2_approx_f, builder.CreateFMul(call.getArgOperand(1), is(I::nvvm_lg2_approx_f, a)));
  if (name == "fdividef")
    return is(I::nvvm_div_approx_f, {a, call.getArgOperand(1)});
  if (name == "tanf")
    return is(I::nvvm_div_approx_f, {is(I::nvvm_sin_approx_f, a), is(I::nvvm_cos_approx_f, a)});
  if (name != "sincosf")
    return nullptr;
  builder.CreateStore(is(I::nvvm_sin_approx_f, a), call.getArgOperand(1));
  return builder.CreateStore(is(I::nvvm_cos_approx_f, a), call.getArgOperand(2));
}

/// Whether every implementation gives the same.
bool is_exact(ID intrinsic) {
  namespace I = llvm::Intrinsic;
  static constexpr ID exact[]{I::fabs,  I::floor, I::ceil, I::trunc,  I::rint,   I::nearbyint,
                              I::round, I::sqrt,  I::fma,  I::minnum, I::maxnum, I::copysign};
  return llvm::is_contained(exact, intrinsic);
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

/// What the others give is libdevice's business, not that of LLVM's arithmetic on constants, nor of its simplifications.
void leave_alone(llvm::Function &function) {
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
      call->addFnAttr(llvm::Attribute::NoBuiltin);
}

/// What the call computes, in LLVM's own terms; nullptr where it has none.
llvm::Value *own_terms(llvm::CallBase &call, llvm::StringRef name) {
  llvm::IRBuilder<> builder(&call);
  llvm::Type *type = call.getType();
  if (call.arg_empty())
    return nullptr;
  if (llvm::Value *result = approximation(builder, call, name))
    return result;
  if (type->isVoidTy())
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
  std::string sum = name.str();
  if (name.starts_with("fsub_r") || name.starts_with("dsub_r")) {
    sum.replace(1, 3, "add");
    operands[1] = builder.CreateFNeg(operands[1]);
  }
  if (const ID instruction = instruction_of(sum); instruction != llvm::Intrinsic::not_intrinsic)
    return builder.CreateIntrinsic(instruction, {}, operands);
  if (llvm::Value *result = written_out(builder, call, name))
    return result;
  if (!type->isFloatingPointTy() ||
      !llvm::all_of(operands, [&](const llvm::Value *operand) { return operand->getType() == type; }))
    return nullptr;
  const ID intrinsic = floating_intrinsic(stem_of(name, *type));
  if (intrinsic == llvm::Intrinsic::not_intrinsic || branches_of_function(name) == Branches::Table)
    return nullptr;
  auto *made = builder.CreateIntrinsic(intrinsic, {type}, operands);
  if (llvm::isa<llvm::FPMathOperator>(&call))
    made->copyFastMathFlags(&call);
  return made;
}

/// Of LLVM's own intrinsics: where the source calls a builtin instead of the function. Those of a table become the function.
void note_branches_of_intrinsics(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isIntrinsic() || function.getReturnType()->isVoidTy())
      continue;
    const llvm::StringRef stem = function.getName().drop_front(5).take_until([](char c) { return c == '.'; });
    if (floating_intrinsic(stem) != function.getIntrinsicID())
      continue;
    const std::string name = stem.str() + (function.getReturnType()->isFloatTy() ? "f" : "");
    const Branches branches = branches_of_function(name);
    for (llvm::User *user : llvm::make_early_inc_range(function.users()))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user); call && !call->hasApproxFunc()) {
        if (branches == Branches::Table)
          call->setCalledFunction(module.getOrInsertFunction("__nv_" + name, function.getFunctionType()));
        note_branches(*call, branches);
      }
  }
}

/// libdevice reads and writes nothing but what its arguments point to, and tables, of which cicc does not know that nothing writes them; and it always comes back.
void promise(llvm::Function &function, Branches branches) {
  const bool points =
      llvm::any_of(function.args(), [](const llvm::Argument &argument) { return argument.getType()->isPointerTy(); });
  llvm::MemoryEffects effects = points ? llvm::MemoryEffects::argMemOnly() : llvm::MemoryEffects::none();
  if (branches == Branches::Table)
    effects |= llvm::MemoryEffects::readOnly();
  function.setMemoryEffects(effects);
  function.removeFnAttr(llvm::Attribute::Convergent);
  for (const auto attribute : {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::NoSync,
                               llvm::Attribute::NoFree, llvm::Attribute::NoRecurse})
    function.addFnAttr(attribute);
  if (effects.doesNotAccessMemory())
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
  call_for_remainders(module);
  write_out_high_products(module);
  note_branches_of_intrinsics(module);
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front("__nv_"))
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledFunction() != &function)
        continue;
      const Branches branches = branches_of_function(name);
      note_branches(*call, branches);
      if (llvm::Value *result = own_terms(*call, name)) {
        if (auto *made = llvm::dyn_cast<llvm::CallBase>(result))
          note_branches(*made, branches);
        call->replaceAllUsesWith(result);
        call->eraseFromParent();
      }
    }
    if (function.use_empty())
      function.eraseFromParent();
    else
      promise(function, branches_of_function(name));
  }
  for (llvm::Function &function : module)
    if (const llvm::StringRef name = function.getName(); function.isIntrinsic() && name.starts_with("llvm."))
      if (const ID intrinsic = floating_intrinsic(name.drop_front(5).take_until([](char c) { return c == '.'; }));
          intrinsic == function.getIntrinsicID() && !is_exact(intrinsic))
        leave_alone(function);
  promise_where_handed_on(module);
}

} // namespace smem
