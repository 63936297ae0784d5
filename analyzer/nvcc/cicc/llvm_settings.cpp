#include "nvcc/cicc/llvm_settings.h"

#include <memory>
#include <string>
#include <vector>

#include <llvm/IR/PassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "nvcc/rules/rules.h"
#include "nvcc/target.h"

namespace smem {

namespace {

/// They are of the process: those of the newest release, whatever is found.
std::vector<LlvmSetting> settings_of_model() {
  return {
      // Where both blocks of a branch end alike is the business of nvcc/cicc/store_sinking.h.
      {"simplifycfg-sink-common", "false"},
      // Nor do two stores under conditions of their own become one under both.
      {"simplifycfg-merge-cond-stores", "false"},
      // If-conversion.
      {"two-entry-phi-node-folding-threshold", std::to_string(rules_for().if_conversion_size)},
      // nvcc inlines whatever it can before it looks at loops: in a function of its own LLVM does not know which memory pointers lead to.
      {"inline-threshold", std::to_string(rules_for().inlining_cost)},
      // Loops of a known length unroll fully if that makes no more instructions than this, and none is peeled.
      {"unroll-threshold", std::to_string(rules_for().full_unroll_size)},
      {"unroll-allow-peeling", "false"},
      {"unroll-peel-max-count", "0"}, // full unrolling does not ask the former
      // Others are the business of UnrollAsNvcc.
      {"unroll-partial-threshold", "1"},
      {"unroll-runtime", "false"},
      // What moves into one block of a branch is the business of SinkAsNvcc.
      {"instcombine-code-sinking", "false"},
      // A local variable that no pointer leads to stays one however often it is used: nvcc forwards its fields through 800 stores
      // (and where it does not, note_local_pointer_accesses() says so).
      {"capture-tracking-max-uses-to-explore", std::to_string(rules_for().captured_uses)},
      // What a load reads is looked for in its block up to here; LLVM stops after 100; each instruction more costs time.
      {"memdep-block-scan-limit", std::to_string(rules_for().forwarded_through)},
      // nvcc's LLVM looks for dead stores within a block. A step into another costs more than all that it may take.
      {"dse-memoryssa-otherbb-cost", "1000000"},
      // Loops become two by conditions that the lanes of a warp have in common. How large they may be, and which, is the business of HideDivergentBranches.
      {"enable-nontrivial-unswitch", "true"},
      {"enable-unswitch-cost-multiplier", "false"},
      {"simple-loop-unswitch-inject-invariant-conditions", "false"},
      {"simple-loop-unswitch-memoryssa-threshold", "0"},
      {"unswitch-threshold", "1000000"},
      // Clang's driver says this for each compilation for a GPU.
      {"enable-memcpyopt-without-libcalls", "true"},
  };
}

// All others are asked for their class's name where they are used.
const LlvmPassName kPasses[] = {{"nvvm-intr-range", "NVVMIntrRangePass"}};

} // namespace

std::string make_settings(std::span<const LlvmSetting> settings) {
  auto &options = llvm::cl::getRegisteredOptions();
  for (const LlvmSetting &setting : settings) {
    const auto option = options.find(setting.name);
    if (option == options.end())
      return "this LLVM has no option '" + setting.name + "', which the model of nvcc sets";
    if (option->second->addOccurrence(0, setting.name, setting.value))
      return "this LLVM does not take '" + setting.value + "' for its option '" + setting.name +
             "', which the model of nvcc sets";
  }
  return {};
}

std::string missing_pass(std::span<const LlvmPassName> passes) {
  constexpr const char *triple = "nvptx64-nvidia-cuda";
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return "this LLVM cannot compile for NVIDIA's GPUs: " + error;
  const std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "sm_80", "", llvm::TargetOptions(), std::nullopt));
  llvm::PassBuilder builder(machine.get());
  for (const LlvmPassName &pass : passes) {
    llvm::FunctionPassManager parsed;
    std::string of_class;
    if (llvm::Error unknown = builder.parsePassPipeline(parsed, pass.text)) {
      llvm::consumeError(std::move(unknown));
    } else {
      llvm::raw_string_ostream stream(of_class);
      parsed.printPipeline(stream, [](llvm::StringRef name) { return name; });
    }
    if (of_class != pass.of_class)
      return "this LLVM has no pass '" + pass.of_class + "', which the model of nvcc leaves out";
  }
  return {};
}

const std::string &prepare_llvm() {
  static const std::string lacks = [] {
    initialise_target();
    llvm::CrashRecoveryContext::Enable();
    const std::string wrong = make_settings(settings_of_model());
    return wrong.empty() ? missing_pass(kPasses) : wrong;
  }();
  return lacks;
}

} // namespace smem
