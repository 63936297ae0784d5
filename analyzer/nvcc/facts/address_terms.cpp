#include "nvcc/facts/address_terms.h"

#include <algorithm>

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Operator.h>

namespace smem {

std::pair<AddressTerms, std::int64_t> address_terms(const llvm::Value &pointer, const llvm::DataLayout &layout) {
  const unsigned bits = layout.getIndexTypeSizeInBits(pointer.getType());
  llvm::MapVector<llvm::Value *, llvm::APInt> terms;
  llvm::APInt constant(bits, 0);
  const llvm::Value *base = &pointer;
  for (;;) {
    if (const auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(base)) {
      base = cast->getPointerOperand();
      continue;
    }
    const auto *step = llvm::dyn_cast<llvm::GEPOperator>(base);
    if (!step || layout.getIndexTypeSizeInBits(step->getType()) != bits ||
        !step->collectOffset(layout, bits, terms, constant))
      break;
    base = step->getPointerOperand();
  }
  AddressTerms all{base};
  for (const auto &[value, size] : terms)
    all.terms.emplace_back(value, size.getSExtValue());
  std::ranges::sort(all.terms);
  return {std::move(all), constant.getSExtValue()};
}

} // namespace smem
