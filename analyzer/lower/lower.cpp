#include "lower/lower.h"

#include <llvm/IR/Module.h>

#include "lower/compiler_model.h"
#include "lower/kernel_lowering.h"
#include "lower/slice.h"

namespace smem {

std::vector<Program> lower_module(llvm::Module &module, const SourceIndex &index, const LowerOptions &options) {
  lower::model_compiler(module);
  lower::Locations locations(options);
  std::vector<Program> programs;
  for (llvm::Function *kernel : lower::kernels_of(module)) {
    programs.push_back(lower::KernelLowering(*kernel, index, locations).run());
    lower::slice(programs.back());
  }
  return programs;
}

} // namespace smem
