// Alignments that cicc does not see in indices of several terms.
#pragma once

#include "nvcc/rules/rules.h"

namespace llvm {
class Function;
}

namespace smem::lower {

/// After alignments have been inferred, before the vectoriser. An index that is the sum of three variable terms or more (`a[p * 64 + q / 8 * 16 + q % 8 * 4 + k]`, the terms of a pointer that was
/// moved before counted with them) tells cicc less of the alignment than LLVM here: how much depends on how deep a term lies in the sum. Such neighbours are left to ptxas, and noted. Where they are loaded and stored in turn, what cicc has merged decides what ptxas can:
/// raises uncertainties.
void forget_alignment_of_sums(llvm::Function &kernel, const CompilerRules &rules);

/// At the end of ptxas' vectoriser: those that it has not merged cicc may have. Raises uncertainties.
void note_unmerged_sums(llvm::Function &kernel);

} // namespace smem::lower
