#include "nvcc/cicc/coefficient_loads.h"

#include <iterator>
#include <vector>

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/machine.h"

namespace smem {
namespace {

/// One of the two polynomials, of whose eight doubles six are loaded.
using Polynomial = double[8];
constexpr unsigned kPairs[]{0, 2, 4};

/// How many polynomials the function computes with them.
unsigned polynomials_of(const llvm::CallInst &call) {
  if (!call.getType()->isDoubleTy())
    return 0;
  const llvm::Intrinsic::ID intrinsic = call.getIntrinsicID();
  if (intrinsic == llvm::Intrinsic::sin || intrinsic == llvm::Intrinsic::cos)
    return 1;
  llvm::StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : "";
  if (!name.consume_front("__nv_"))
    return 0;
  return llvm::StringSwitch<unsigned>(name)
      .Cases("sin", "cos", "sinpi", "cospi", "j0", "j1", "lgamma", "tgamma", 1)
      .Cases("y0", "y1", "jn", "yn", 2)
      .Default(0);
}

llvm::GlobalVariable &coefficients(llvm::Module &module) {
  constexpr llvm::StringLiteral name = "__cudart_sin_cos_coeffs"; // as PTX has it
  if (llvm::GlobalVariable *known = module.getGlobalVariable(name))
    return *known;
  auto *type = llvm::ArrayType::get(llvm::Type::getDoubleTy(module.getContext()), 2 * std::size(Polynomial{}));
  auto *made = new llvm::GlobalVariable(module, type, /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
                                        /*Initializer=*/nullptr, name, /*InsertBefore=*/nullptr,
                                        llvm::GlobalValue::NotThreadLocal, kGlobal);
  made->setAlignment(llvm::Align(16));
  return *made;
}

} // namespace

void load_coefficients(llvm::Function &kernel) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && polynomials_of(*call) != 0)
      calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    llvm::GlobalVariable &table = coefficients(*kernel.getParent());
    llvm::IRBuilder<> builder(call->getNextNode());
    builder.SetCurrentDebugLocation(call->getDebugLoc());
    llvm::Type *pair = llvm::FixedVectorType::get(builder.getDoubleTy(), 2);
    // Which of the polynomials is not known: as little as the result is.
    llvm::Value *which = builder.CreateAnd(builder.CreateBitCast(call, builder.getInt64Ty()), 1),
                *first = builder.CreateMul(which, builder.getInt64(std::size(Polynomial{})));
    for (unsigned polynomial = 0; polynomial < polynomials_of(*call); ++polynomial)
      for (const unsigned at : kPairs) {
        llvm::Value *place = builder.CreateAdd(first, builder.getInt64(at));
        builder.CreateAlignedLoad(pair, builder.CreateGEP(builder.getDoubleTy(), &table, place), llvm::Align(16));
      }
  }
}

} // namespace smem
