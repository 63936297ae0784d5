// Sums of products of bytes and half-words, which cicc computes by `dp4a` and `dp2a`.
#pragma once

#include "nvcc/rules/rules.h"

namespace llvm {
class Function;
} // namespace llvm

namespace smem {

/// Raises Uncertainty::SourceLine of loads of bytes and half-words, more than `certain_product_loads` of one sum of products, that stand on several lines: cicc packs two of them each into a word, and both then count
/// on the line of either.
void note_dot_products(llvm::Function &kernel, const CompilerRules &rules);

} // namespace smem
