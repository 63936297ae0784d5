// Code that asks which memory a pointer leads to.
#pragma once

namespace llvm {
class Function;
}

namespace smem::lower {

/// Answers `isspacep` where the variable that the pointer is of is known, and drops the code that no answer leads to: what the toolkit's barriers do for
/// other memory than shared stands beside what they do.
void answer_space_tests(llvm::Function &kernel);

} // namespace smem::lower
