#include "nvcc/facts/memory_order.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/float_attributes.h"
#include "nvcc/facts/libdevice_branches.h"
#include "nvcc/facts/machine.h"
#include "ptx/ptx_names.h"
#include "ptx/ptx_parser.h"

namespace smem::lower {
namespace {

const llvm::InlineAsm *inline_ptx(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
}

/// Inline PTX that is about registers, `asm volatile` or not: to ptxas the statement is not there, only what it says.
bool is_computing_ptx(const llvm::InlineAsm &assembly) {
  const llvm::StringRef text = assembly.getAsmString();
  constexpr const char *others[] = {"[",         "sync",       "bar",     "fence", "exit",   "trap",
                                    "call",      "bra",        "vote",    "shfl",  "clock",  "globaltimer",
                                    "nanosleep", "setmaxnreg", "griddep", "brkpt", "pmevent"};
  return std::none_of(std::begin(others), std::end(others), [&](const char *other) { return text.contains(other); });
}

bool is_hint(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->isAssumeLikeIntrinsic();
}

template <std::size_t N> bool is_one_of(std::string_view word, const std::array<std::string_view, N> &words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr KeptApart kNone{}, kStores{false, true}, kStoresAndDependentLoads{false, true, true}, kBoth{true, true};

bool is_approximate(const llvm::Instruction &instruction, const char *attribute) {
  return instruction.getType()->isFloatTy() &&
         (instruction.hasApproxFunc() || instruction.getFunction()->hasFnAttribute(attribute));
}

/// Divisions and roots, which ptxas writes out: with a branch to what seldom happens.
KeptApart kept_apart_by_arithmetic(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
    if (llvm::isa<llvm::Constant>(instruction.getOperand(1)))
      return kNone;
    if (instruction.getType()->getScalarSizeInBits() > 32)
      return {.stores = true, .perhaps_loads = true};
    return instruction.getOpcode() == llvm::Instruction::UDiv ? kNone : kStores;
  case llvm::Instruction::FDiv:
    return is_approximate(instruction, kApproximateDivision) ? kNone : kStoresAndDependentLoads;
  case llvm::Instruction::Call: {
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!intrinsic)
      return kNone;
    const llvm::StringRef name = intrinsic->getCalledFunction()->getName();
    const bool is_root = intrinsic->getIntrinsicID() == llvm::Intrinsic::sqrt;
    if (is_root)
      return is_approximate(instruction, kApproximateRoot) ? kNone : kStoresAndDependentLoads;
    return name.starts_with("llvm.nvvm.div.r") || name.starts_with("llvm.nvvm.rcp.r") ||
                   name.starts_with("llvm.nvvm.sqrt.r")
               ? kStoresAndDependentLoads
               : kNone;
  }
  default: return kNone;
  }
}

/// Of a function that branches: only what is local to the thread may be written by it.
KeptApart kept_apart_by(const llvm::CallBase &call, Branches branches) {
  const bool writes_memory = llvm::any_of(call.args(), [](const llvm::Value *argument) {
    return argument->getType()->isPointerTy() && !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(argument));
  });
  if (writes_memory)
    return kBoth;
  if (branches < Branches::Loops)
    return kStoresAndDependentLoads;
  return may_be_without_branches(call) ? KeptApart{.stores = true, .perhaps_loads = true} : kBoth;
}

/// In inline PTX, whose opcodes say what is accessed: what is not named keeps both apart.
KeptApart kept_apart_by(const ptx::Instruction &instruction) {
  constexpr std::array<std::string_view, 10> exchanging{"shfl", "vote",     "match",     "redux", "activemask",
                                                        "mma",  "prefetch", "prefetchu", "mov",   "elect"};
  constexpr std::array<std::string_view, 4> ending{"exit", "trap", "brkpt", "pmevent"};
  constexpr std::array<std::string_view, 4> accessing{"ld", "st", "atom", "red"};
  const std::string &opcode = instruction.opcode[0];
  if (is_one_of(opcode, exchanging) || (is_one_of(opcode, accessing) && instruction.has("global")))
    return kNone;
  const bool commits = opcode == "cp" && instruction.has("commit_group");
  if (is_one_of(opcode, ending) || commits || opcode == "ldmatrix" ||
      (opcode == "ld" && ptx::space_of(instruction) == AddressSpace::Shared))
    return kStores;
  return kBoth;
}

KeptApart kept_apart_by(const llvm::InlineAsm &assembly) {
  const ptx::Statement statement = ptx::parse(assembly.getAsmString());
  if (statement.branches || !statement.not_understood.empty() || statement.instructions.empty()) // a mark of a call
    return kBoth;
  KeptApart all;
  for (const ptx::Instruction &instruction : statement.instructions) {
    const KeptApart one = kept_apart_by(instruction);
    all = {all.loads || one.loads, all.stores || one.stores};
  }
  return all;
}

/// Intrinsics take generic pointers, which are made from those to global memory, or are a kernel's parameters.
bool is_global(const llvm::Value *pointer) {
  while (pointer->getType()->getPointerAddressSpace() != kGlobal) {
    if (llvm::isa<llvm::Argument>(pointer))
      return true;
    const auto *from = llvm::dyn_cast<llvm::Operator>(pointer);
    if (!from || !llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(from))
      return false;
    pointer = from->getOperand(0);
  }
  return true;
}

/// Of intrinsics that access memory through their pointers alone; false also where they have none.
bool accesses_global_alone(const llvm::CallInst &call) {
  bool any = false;
  for (const llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy()) {
      if (!is_global(argument))
        return false;
      any = true;
    }
  return any;
}

KeptApart kept_apart_by(const llvm::IntrinsicInst &call) {
  constexpr std::array<std::string_view, 4> reading{"llvm.nvvm.activemask", "llvm.nvvm.read.ptx.sreg.",
                                                    "llvm.readcyclecounter", "llvm.readsteadycounter"};
  constexpr std::array<std::string_view, 4> ending{"llvm.trap", "llvm.debugtrap", "llvm.nvvm.exit",
                                                   "llvm.nvvm.cp.async.commit.group"};
  const llvm::StringRef name = call.getCalledFunction()->getName();
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  const bool multiplies = name.starts_with("llvm.nvvm.mma.") || name.contains(".mma.");
  if (exchanges_registers(call) || std::any_of(reading.begin(), reading.end(), begins) ||
      (multiplies && !name.starts_with("llvm.nvvm.wgmma")))
    return kNone;
  if (std::any_of(ending.begin(), ending.end(), begins))
    return kStores;
  if (name.starts_with("llvm.nvvm.atomic.") && accesses_global_alone(call))
    return kNone;
  return name.starts_with("llvm.nvvm.ldmatrix") ? kStores : kBoth;
}

} // namespace

bool exchanges_registers(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const llvm::StringRef name = call ? call->getCalledFunction()->getName() : llvm::StringRef();
  return name.starts_with("llvm.nvvm.shfl.") || name.starts_with("llvm.nvvm.vote.") ||
         name.starts_with("llvm.nvvm.match.") || name.starts_with("llvm.nvvm.redux.");
}

bool orders_memory(const llvm::Instruction &instruction) {
  if (const llvm::InlineAsm *assembly = inline_ptx(instruction); assembly && is_computing_ptx(*assembly))
    return false;
  return !is_hint(instruction) && instruction.mayReadOrWriteMemory();
}

KeptApart kept_apart_by(const llvm::Instruction &instruction) {
  if (const Branches branches = branches_of(instruction); branches != Branches::None) {
    KeptApart kept = kept_apart_by(llvm::cast<llvm::CallBase>(instruction), branches);
    kept.by_ptxas_alone = branches == Branches::Late;
    return kept;
  }
  if (!orders_memory(instruction)) {
    KeptApart kept = kept_apart_by_arithmetic(instruction);
    kept.by_ptxas_alone = true;
    return kept;
  }
  if (const llvm::InlineAsm *assembly = inline_ptx(instruction))
    return kept_apart_by(*assembly);
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return kept_apart_by(*intrinsic);
  const llvm::Value *pointer = nullptr;
  if (const auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    pointer = atomic->getPointerOperand();
  else if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    pointer = exchange->getPointerOperand();
  else
    pointer = llvm::getLoadStorePointerOperand(&instruction); // of volatile ones
  if (!pointer)
    return kBoth;
  if (is_global(pointer))
    return kNone;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->isVolatile() && load->getPointerAddressSpace() == kShared ? kStores : kBoth;
}

bool is_barrier_to_loads(const llvm::Instruction &instruction) {
  return is_barrier(instruction) && kept_apart_by(instruction).loads;
}

} // namespace smem::lower
