#include "nvcc/lines/header_lines.h"

#include <algorithm>
#include <set>
#include <vector>

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "nvcc/facts/barrier_regions.h"
#include "nvcc/ptxas/inline_ptx_accesses.h"
#include "nvcc/uncertainties.h"

namespace smem::lower {
namespace {

bool has_effect(const llvm::Instruction &instruction) {
  return instruction.mayHaveSideEffects() && !llvm::isa<llvm::DbgInfoIntrinsic>(instruction);
}

/// Is there such an instruction between two, on one of the paths at least? All of them lie between the two in machine code.
bool stays_between(const llvm::Instruction &first, const llvm::Instruction &second,
                   bool (*is_such)(const llvm::Instruction &)) {
  const auto any = [&](auto begin, auto end) { return std::any_of(begin, end, is_such); };
  const auto after = std::next(first.getIterator());
  if (first.getParent() == second.getParent() && first.comesBefore(&second))
    return any(after, second.getIterator());
  if (any(after, first.getParent()->end()) || any(second.getParent()->begin(), second.getIterator()))
    return true;
  // The blocks that lead to the second and that the first leads to.
  const auto reach = [](const llvm::BasicBlock *from, const llvm::BasicBlock *until, auto &&next) {
    std::set<const llvm::BasicBlock *> seen;
    std::vector<const llvm::BasicBlock *> work{from};
    while (!work.empty()) {
      const llvm::BasicBlock *block = work.back();
      work.pop_back();
      for (const llvm::BasicBlock *other : next(block))
        if (other != until && seen.insert(other).second)
          work.push_back(other);
    }
    return seen;
  };
  const auto behind = reach(first.getParent(), second.getParent(),
                            [](const llvm::BasicBlock *block) { return llvm::successors(block); });
  const auto before = reach(second.getParent(), first.getParent(),
                            [](const llvm::BasicBlock *block) { return llvm::predecessors(block); });
  for (const llvm::BasicBlock *block : behind)
    if (before.count(block) && any(block->begin(), block->end()))
      return true;
  return false;
}

/// Is `value` made of the thread's index, by arithmetic and loads? An atomic there is one that each lane does for itself.
bool is_of_thread(const llvm::Value *value) {
  constexpr std::size_t kMostValues = 64;
  std::vector<const llvm::Value *> work{value};
  std::set<const llvm::Value *> seen;
  while (!work.empty() && seen.size() < kMostValues) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(work.back());
    work.pop_back();
    if (!instruction || !seen.insert(instruction).second)
      continue;
    if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction))
      switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
      case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
      case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z: return true;
      default: continue;
      }
    if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::LoadInst, llvm::PHINode>(
            instruction))
      work.insert(work.end(), instruction->op_begin(), instruction->op_end());
  }
  return false;
}

/// Two atomics that each lane does for itself, and that a barrier keeps apart. Constants are put into registers on the line of the call, where atomicSub() negates its
/// number, too, and a compare-and-swap of shared memory is several instructions: these pass barriers.
bool kept_apart(const llvm::Instruction &first, const llvm::Instruction &second) {
  const auto *before = llvm::dyn_cast<llvm::AtomicRMWInst>(&first),
             *after = llvm::dyn_cast<llvm::AtomicRMWInst>(&second);
  return before && after && !llvm::isa<llvm::Constant>(after->getValOperand()) &&
         is_of_thread(before->getPointerOperand()) && is_of_thread(after->getPointerOperand()) &&
         stays_between(first, second, is_barrier);
}

} // namespace

bool is_nvccs_header(std::string_view file) {
  return file.find("/__clang_") == std::string_view::npos && file.find("/cuda_wrappers/") == std::string_view::npos;
}

bool SharedLines::calls(const AttributedLocation &at, std::string_view prefix) const {
  const auto calls = index_.header_calls.find(at.function);
  return calls != index_.header_calls.end() && std::ranges::any_of(calls->second, [&](const HeaderCall &each) {
           return each.line.file == at.location.file && each.line.line == at.location.line &&
                  each.function.starts_with(prefix);
         });
}

void SharedLines::add(SiteId site, const AttributedLocation &at, Operation operation,
                      const llvm::Instruction &instruction) {
  // Our own headers' functions have no locations, and Clang's other lines than the toolkit's, whose functions these are for nvcc all the same: what they do is told by the
  // instruction, so that calls of one line of the toolkit's are never taken for calls of two. What users write themselves is inline PTX on lines that call no such function.
  const bool elsewhere = at.innermost.file != at.location.file || at.innermost.line != at.location.line;
  const bool called = elsewhere && is_nvccs_header(at.innermost.file);
  const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  const bool atomic = update || llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
  const auto *vector =
      operation == Operation::Atomic ? llvm::dyn_cast<llvm::StructType>(instruction.getType()) : nullptr;
  // That they copy asynchronously, or load what is only read, shows by the intrinsic. A toolkit's functions that copy call each other.
  const bool own_copy = !called && operation == Operation::AsyncCopy && llvm::isa<llvm::IntrinsicInst>(instruction);
  const bool own_load = !called && was_read_only_load(instruction);
  const bool hinted =
      !called && !own_load && was_inline_ptx(instruction) && calls(at, operation == Operation::Store ? "__st" : "__ld");
  if (!elsewhere && !atomic && !vector && !own_copy && !own_load && !hinted)
    return;
  const llvm::Type *type = llvm::isa<llvm::StoreInst>(instruction) ? instruction.getOperand(0)->getType()
                           : update                                ? update->getValOperand()->getType()
                                                                   : instruction.getType();
  const auto width = static_cast<std::uint32_t>(type->getPrimitiveSizeInBits().getKnownMinValue());
  std::pair<std::string, std::uint32_t> key;
  if (called)
    key = {at.innermost.file, at.innermost.line};
  else if (own_copy)
    key = {"asynchronous copies' functions", 0};
  else if (own_load)
    key = {"__ldg()", width};
  else if (hinted)
    key = {operation == Operation::Store ? "stores' functions" : "loads' functions", width};
  else if (vector)
    key = {"atomic functions of vectors", vector->getNumElements()};
  else if (atomic)
    key = {update ? "atomic functions " + llvm::AtomicRMWInst::getOperationName(update->getOperation()).str()
                  : "atomicCAS()",
           width};
  else
    key = {at.innermost.file, at.innermost.line};
  Group &group = groups_[key];
  // Loads move among each other, those of the copies that unrolling made of a call, too. Asynchronous copies keep their order: each is the first of its call.
  // But of a header's function that another one of a header calls, nvcc says just once where: copies of a call that come again behind those of another
  // line, as unrolling makes them, are attributed to the call said last.
  const SourceLocation line{at.location.file, at.location.line, 0};
  unsigned &accesses = group.accesses[line];
  const bool again = (at.header_calls > 1 || own_copy) && accesses > 0 && group.latest != line;
  accesses = operation == Operation::AsyncCopy && !again ? std::max(accesses, 1U) : accesses + 1;
  // Their addresses may all be computed before the first.
  if (operation == Operation::AsyncCopy) {
    if (!group.adjacent && group.copy && group.latest != line)
      group.adjacent = !stays_between(*group.copy, instruction, has_effect);
    group.copy = &instruction;
  }
  // Of all other functions, addresses may be computed before, so that two follow each other in machine code with nothing of another line between them. Loads pass barriers, and
  // so does what finds the lanes of an atomic that a warp does at once.
  if (operation != Operation::AsyncCopy) {
    group.adjacent |=
        group.last && group.latest != line && (calls(at, "atomicSub") || !kept_apart(*group.last, instruction));
    group.last = &instruction;
  }
  group.latest = line;
  group.sites.insert(site);
  group.stores |= operation == Operation::Store;
}

void SharedLines::mark(Program &program) const {
  for (const auto &[header, group] : groups_) {
    // What a store writes is put together on the store's own line, so that the store is not the first of its call.
    const bool again =
        group.stores || group.adjacent ||
        std::any_of(group.accesses.begin(), group.accesses.end(), [](const auto &line) { return line.second > 1; });
    if (group.accesses.size() < 2 || !again)
      continue;
    const std::size_t slash = header.first.rfind('/');
    for (const SiteId site : group.sites)
      if (Assumption &own = program.sites[site].assumption; own.empty())
        own = assumption(Uncertainty::HeaderLine,
                         "the line table of nvcc's machine code has a row for each call of " +
                             header.first.substr(slash == std::string::npos ? 0 : slash + 1) +
                             (header.first.find('.') == std::string::npos ? "" : ":" + std::to_string(header.second)));
  }
}

} // namespace smem::lower
