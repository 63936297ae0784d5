#include "nvcc/facts/accesses.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/machine.h"

namespace smem {

bool AccessLocation::known() const { return debug_loc && debug_loc->getLine(); }

bool is_of_thread(const llvm::Value &object) {
  const auto *argument = llvm::dyn_cast<llvm::Argument>(&object);
  return llvm::isa<llvm::AllocaInst>(object) || (argument && argument->hasByValAttr());
}

namespace {

/// With what its pointer tells, unless it is one to local memory.
std::optional<SourceAccess> completed(SourceAccess access) {
  const llvm::Value *base = llvm::getUnderlyingObject(access.pointer);
  if (is_of_thread(*base))
    return std::nullopt;
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(base);
  access.shared = access.pointer->getType()->getPointerAddressSpace() == kShared ||
                  (variable && variable->getAddressSpace() == kShared);
  return access;
}

} // namespace

std::optional<SourceAccess> access_of(llvm::Instruction &instruction) {
  using Kind = AccessLocation::Kind;
  SourceAccess access{&instruction, nullptr, {Kind::Load, nullptr}};
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    access.pointer = load->getPointerOperand();
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    access.pointer = store->getPointerOperand();
    access.location.kind = Kind::Store;
  } else if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    access.pointer = atomic->getPointerOperand();
    access.location.kind = Kind::Atomic;
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    access.pointer = exchange->getPointerOperand();
    access.location.kind = Kind::Atomic;
  } else {
    return std::nullopt;
  }
  access.location.debug_loc =
      instruction.getDebugLoc().get(); // a search in a table: only for the few that access memory
  return completed(access);
}

std::vector<SourceAccess> accesses_of(llvm::Function &function, bool without_location) {
  std::vector<SourceAccess> all;
  const auto add = [&](const std::optional<SourceAccess> &access) {
    if (access && (without_location || access->location.known()))
      all.push_back(*access);
  };
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
      const llvm::DILocation *location = instruction.getDebugLoc().get();
      add(completed({&instruction, copy->getRawSource(), {AccessLocation::Kind::Load, location}}));
      add(completed({&instruction, copy->getRawDest(), {AccessLocation::Kind::Store, location}}));
    } else {
      add(access_of(instruction));
    }
  }
  return all;
}

} // namespace smem
