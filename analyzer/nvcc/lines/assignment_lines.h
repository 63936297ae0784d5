// The lines that nvcc attributes assignments to of structures that are written over several lines.
#pragma once

namespace clang {
class ASTContext;
}
namespace llvm {
class Module;
}

namespace smem {

/// Clang gives an assignment of structures the location of its right side, whether memory is copied or an operator is called. nvcc
/// calls an operator from where the expression begins. It attributes a copy to the right side as long as no call stands in the expression,
/// else on the line of the last name on the left. Before optimisation.
void attribute_assignments_as_nvcc(clang::ASTContext &context, llvm::Module &module);

} // namespace smem
