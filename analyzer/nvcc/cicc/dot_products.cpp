#include "nvcc/cicc/dot_products.h"

#include <optional>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

using namespace llvm::PatternMatch;

/// The load of 8 or 16 bits that a factor is, extended, and perhaps masked or shifted.
llvm::LoadInst *narrow_load(llvm::Value *factor) {
  llvm::Value *inner = nullptr;
  while (match(factor, m_ZExtOrSExt(m_Value(inner))) || match(factor, m_Trunc(m_Value(inner))) ||
         match(factor, m_And(m_Value(inner), m_ConstantInt())) ||
         match(factor, m_LShr(m_Value(inner), m_ConstantInt())))
    factor = inner;
  auto *load = llvm::dyn_cast<llvm::LoadInst>(factor);
  return load && load->getType()->isIntegerTy() && load->getType()->getIntegerBitWidth() <= 16 ? load : nullptr;
}

/// Addresses are sums, too: LLVM moves by one term after the other.
bool is_sum(const llvm::Value *value) {
  return match(value, m_Add(m_Value(), m_Value())) || llvm::isa<llvm::GetElementPtrInst>(value);
}

/// Loads of the products that the sum of `root` and the sums within it consist of.
llvm::SmallSetVector<llvm::LoadInst *, 8> factors_of(llvm::Instruction &root) {
  llvm::SmallSetVector<llvm::LoadInst *, 8> result;
  llvm::SmallPtrSet<llvm::Value *, 16> seen;
  std::vector<llvm::Value *> open{&root};
  while (!open.empty()) {
    llvm::Value *term = open.back();
    open.pop_back();
    llvm::Value *left = nullptr, *right = nullptr;
    if (!seen.insert(term).second)
      continue;
    if (term != &root && !term->hasOneUse())
      continue;
    if (auto *sum = llvm::dyn_cast<llvm::Instruction>(term); sum && is_sum(sum)) {
      llvm::append_range(open, sum->operands());
      continue;
    }
    if (match(term, m_ZExtOrSExt(m_Value(left)))) {
      open.push_back(left);
      continue;
    }
    if (!match(term, m_Mul(m_Value(left), m_Value(right))))
      continue;
    llvm::LoadInst *first = narrow_load(left), *second = narrow_load(right);
    if (first && (second || llvm::isa<llvm::ConstantInt>(right)))
      result.insert(first);
    if (second && first)
      result.insert(second);
  }
  return result;
}

} // namespace

void note_dot_products(llvm::Function &kernel, const CompilerRules &rules) {
  for (llvm::Instruction &root : llvm::instructions(kernel)) {
    // Of sums within sums the outermost, so that each is looked through once.
    if (!is_sum(&root) || (root.hasOneUse() && is_sum(root.user_back())))
      continue;
    const auto loads = factors_of(root);
    if (loads.size() <= rules.certain_product_loads)
      continue;
    std::vector<SourceAccess> accesses;
    for (llvm::LoadInst *load : loads)
      if (const std::optional<SourceAccess> access = access_of(*load); access && access->location.known())
        accesses.push_back(*access);
    const auto line_of = [&](const SourceAccess &access) {
      return users_location(*kernel.getParent(), access.location.debug_loc)->getLine();
    };
    const bool one_line = llvm::all_of(
        accesses, [&](const SourceAccess &access) { return line_of(access) == line_of(accesses.front()); });
    if (!one_line)
      for (const SourceAccess &access : accesses)
        raise_uncertainty(Uncertainty::SourceLine, kernel, access.location);
  }
}

} // namespace smem
