#include "nvcc/target.h"

#include <optional>
#include <string>

#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
}

namespace smem {

void initialise_target() {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    return true;
  }();
  (void)initialised;
}

unsigned architecture_of(const llvm::Function &kernel) {
  llvm::StringRef name = kernel.getFnAttribute("target-cpu").getValueAsString();
  unsigned number = 0;
  return name.consume_front("sm_") && !name.consumeInteger(10, number) ? number : 0;
}

std::unique_ptr<llvm::TargetMachine> make_target(const llvm::Module &module) {
  constexpr const char *triple = "nvptx64-nvidia-cuda";
  initialise_target();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  std::string cpu = "sm_80";
  for (const llvm::Function &function : module)
    if (const llvm::Attribute attribute = function.getFnAttribute("target-cpu"); attribute.isStringAttribute()) {
      cpu = attribute.getValueAsString().str();
      break;
    }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, "", llvm::TargetOptions(), std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

} // namespace smem
