// The compiler model as a whole: what nvcc does to memory instructions between Clang's code generation and machine code.
//
// pipeline.cpp has the list of stages, which is all that knows their order.
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "nvcc/rules/rules.h"
#include "nvcc/uncertainty.h"

namespace clang {
class CodeGenOptions;
}
namespace llvm {
class Module;
}

namespace smem {

struct Stage;

/// All of them, in their order.
std::span<const Stage> stages();

/// Optimises `module`, as Clang has generated it, as cicc does: LLVM's pipeline, held to what nvcc does to memory instructions. Asked for an end, it skips what is left:
/// the module is not to be used then. `source`, where not null, becomes the module as it was before: every access of the source is in it.
void optimise_as_nvcc(llvm::Module &module, const clang::CodeGenOptions &options, const IsHeader &is_header,
                      const CompilerRules &rules, std::stop_token stop = {},
                      std::unique_ptr<llvm::Module> *source = nullptr);

/// Shapes the kernels of an optimised module as the end of cicc and ptxas do: device functions are inlined, address spaces resolved, duplicate loads dropped
/// and adjacent accesses vectorised. Declared alignments of shared arrays are as before afterwards. Asked for an end it leaves kernels as they are.
void shape_kernels(llvm::Module &module, const CompilerRules &rules, std::stop_token stop = {});

/// Shapes the kernels of a module that is not optimised, with no access of theirs merged, removed or moved: device functions are inlined, variables become
/// values, address spaces are resolved. `whole_program`: no function of another file is called through a pointer.
void shape_source_kernels(llvm::Module &module, const CompilerRules &rules, bool whole_program,
                          std::stop_token stop = {});

/// Runs stages on all of `module`, in the order given, with the settings of LLVM that the model asks for. What is wrong with `names`, of which none has run then;
/// empty: nothing.
std::string run_stages(llvm::Module &module, std::span<const std::string_view> names, const CompilerRules &rules);

} // namespace smem
