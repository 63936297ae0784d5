#include "ir/count_arithmetic.h"

#include <algorithm>
#include <set>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace smem::lower {
namespace {

enum class Pipe { None, Fp32, Fp64, Special };

std::uint64_t elements(const llvm::Type &type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

Pipe pipe_of(const llvm::Type &type) {
  const llvm::Type *scalar = type.getScalarType();
  return scalar->isFloatTy() ? Pipe::Fp32 : scalar->isDoubleTy() ? Pipe::Fp64 : Pipe::None;
}

bool is_sum(const llvm::User *user) {
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
  return operation &&
         (operation->getOpcode() == llvm::Instruction::FAdd || operation->getOpcode() == llvm::Instruction::FSub);
}

/// Nothing but the choice between two values needs it: nvcc may branch where Clang computes both.
bool is_only_chosen(const llvm::Instruction &instruction) {
  return std::ranges::all_of(instruction.users(),
                             [](const llvm::User *user) { return llvm::isa<llvm::SelectInst>(user); });
}

bool is_root(const llvm::Value *value) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  return call && call->getCalledFunction()->getName().contains("sqrt");
}

/// Of calls that are one instruction or begin with one of the pipe.
Pipe pipe_of_call(const llvm::IntrinsicInst &call) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  const Pipe type = pipe_of(*call.getType());
  if (name.starts_with("llvm.fma.") || name.starts_with("llvm.fmuladd.") || name.starts_with("llvm.nvvm.fma.r"))
    return type;
  if (type != Pipe::Fp32)
    return Pipe::None;
  for (const char *special :
       {"llvm.nvvm.ex2.approx", "llvm.nvvm.lg2.approx", "llvm.nvvm.sin.approx", "llvm.nvvm.cos.approx",
        "llvm.nvvm.rcp.", "llvm.nvvm.rsqrt.approx", "llvm.nvvm.sqrt.", "llvm.sqrt.f32"})
    if (name.starts_with(special))
      return Pipe::Special;
  return Pipe::None;
}

} // namespace

ArithmeticWork arithmetic_of(const llvm::BasicBlock &block) {
  ArithmeticWork work;
  std::set<const llvm::Value *> divisors; // one reciprocal may serve several quotients
  const auto add = [&](Pipe pipe, std::uint64_t count) {
    (pipe == Pipe::Fp32 ? work.fp32 : pipe == Pipe::Fp64 ? work.fp64 : work.special) += count;
  };
  for (const llvm::Instruction &instruction : block) {
    if (instruction.use_empty() || is_only_chosen(instruction))
      continue;
    const llvm::Type &type = *instruction.getType();
    if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      if (const Pipe pipe = pipe_of_call(*call); pipe != Pipe::None)
        add(pipe, elements(type));
      continue;
    }
    const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    const Pipe pipe = operation ? pipe_of(type) : Pipe::None;
    if (pipe == Pipe::None)
      continue;
    switch (operation->getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub: add(pipe, elements(type)); break;
    case llvm::Instruction::FMul: // else part of the sums
      if (!std::ranges::all_of(instruction.users(), is_sum))
        add(pipe, elements(type));
      break;
    case llvm::Instruction::FDiv: {
      const llvm::Value *divisor = operation->getOperand(1);
      if (!llvm::isa<llvm::Constant>(divisor) && !is_root(divisor) && divisors.insert(divisor).second)
        add(pipe == Pipe::Fp32 ? Pipe::Special : pipe, elements(type));
      break;
    }
    default: break;
    }
  }
  return work;
}

} // namespace smem::lower
