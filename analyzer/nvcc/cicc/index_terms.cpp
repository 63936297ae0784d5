#include "nvcc/cicc/index_terms.h"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/access_record.h"
#include "nvcc/facts/accesses.h"
#include "nvcc/facts/machine.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

constexpr unsigned kDeepest = 12; ///< additions, casts and products that are looked into

/// Variable terms that `value` is the sum of; none if it lies too deep.
std::optional<unsigned> terms_of(const llvm::Value *value, unsigned depth = 0) {
  using namespace llvm::PatternMatch;
  const llvm::Value *one = nullptr, *other = nullptr;
  if (llvm::isa<llvm::Constant>(value))
    return 0;
  if (depth > kDeepest)
    return std::nullopt;
  if (match(value, m_ZExtOrSExt(m_Value(one))) || match(value, m_Trunc(m_Value(one))) ||
      match(value, m_Shl(m_Value(one), m_Constant())) || match(value, m_Mul(m_Value(one), m_Constant())))
    return terms_of(one, depth + 1);
  if (!match(value, m_AddLike(m_Value(one), m_Value(other))) && !match(value, m_Sub(m_Value(one), m_Value(other))))
    return 1;
  const std::optional<unsigned> first = terms_of(one, depth + 1), second = terms_of(other, depth + 1);
  return first && second ? std::optional(*first + *second) : std::nullopt;
}

/// Has `pointer` been moved, in steps of less than an access reaches, by more variable terms than that, or by too many to tell? Whole rows of a wide array do not tell how an element is aligned.
bool has_more_terms(const llvm::Value &pointer, const llvm::DataLayout &layout, unsigned than) {
  unsigned sum = 0;
  for (const auto *step = llvm::dyn_cast<llvm::GEPOperator>(&pointer); step;
       step = llvm::dyn_cast<llvm::GEPOperator>(step->getPointerOperand()))
    for (auto index = llvm::gep_type_begin(step), end = llvm::gep_type_end(step); index != end; ++index)
      if (index.isSequential() && index.getSequentialElementStride(layout).getKnownMinValue() < kWidestAccess) {
        const std::optional<unsigned> terms = terms_of(index.getOperand());
        if (!terms)
          return true;
        sum += *terms;
      }
  return sum > than;
}

struct Known {
  llvm::Instruction *access;
  std::int64_t offset;
  std::uint64_t size;
};

bool is_scalar(llvm::Instruction &access) {
  const llvm::Type *type = llvm::getLoadStoreType(&access);
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&access);
  const std::uint64_t size = access.getDataLayout().getTypeStoreSize(const_cast<llvm::Type *>(type)).getFixedValue();
  return !type->isVectorTy() && llvm::isPowerOf2_64(size) &&
         (load ? load->isSimple() : llvm::cast<llvm::StoreInst>(access).isSimple());
}

} // namespace

void forget_alignment_of_sums(llvm::Function &kernel, const CompilerRules &rules) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  using Base = std::tuple<const llvm::BasicBlock *, bool, const llvm::Value *>;
  std::map<Base, std::vector<Known>> by_base;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || !is_scalar(instruction))
      continue;
    const std::uint64_t size = layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    if (access_of(instruction) && has_more_terms(*base, layout, rules.certain_index_terms))
      by_base[{instruction.getParent(), llvm::isa<llvm::LoadInst>(instruction), base}].push_back(
          {&instruction, offset.getSExtValue(), size});
  }
  for (const auto &[base, all] : by_base)
    for (const Known &one : all)
      if (llvm::any_of(all, [&](const Known &other) {
            return other.offset != one.offset && std::abs(other.offset - one.offset) < std::int64_t{kWidestAccess};
          })) {
        if (const auto &[block, is_load, pointer] = base; by_base.contains({block, !is_load, pointer}))
          raise_uncertainty(Uncertainty::Vectorisation, kernel, access_of(*one.access)->location);
        if (llvm::getLoadStoreAlignment(one.access).value() <= one.size)
          continue;
        const llvm::Align alignment(one.size);
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(one.access))
          load->setAlignment(alignment);
        else
          llvm::cast<llvm::StoreInst>(one.access)->setAlignment(alignment);
        AccessRecord record = record_of(*one.access);
        record.hidden_alignment = true;
        set_record(*one.access, record);
      }
}

void note_unmerged_sums(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (const std::optional<SourceAccess> access = access_of(instruction);
        access && record_of(instruction).hidden_alignment)
      raise_uncertainty(Uncertainty::Vectorisation, kernel, access->location);
}

} // namespace smem::lower
