// What the model of nvcc asks of LLVM as a whole: options that LLVM keeps for the process, and passes known by name only.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace smem {

/// An option of LLVM without another interface, such as "unroll-threshold".
struct LlvmSetting {
  std::string name, value;
};

/// A pass whose class LLVM's headers do not have: its name in a pipeline's text, and that of its class, which instrumentation is told.
struct LlvmPassName {
  std::string text, of_class;
};

/// Makes each setting; what is wrong with the first that LLVM does not have or does not take, empty: nothing.
std::string make_settings(std::span<const LlvmSetting> settings);

/// What is wrong with the first of `passes` that LLVM does not have, or not by that class; empty: nothing.
std::string missing_pass(std::span<const LlvmPassName> passes);

/// Once in a process, before anything is analysed: the targets, and all that the model asks for. No thread may be inside LLVM at the first call; later
/// ones only return what the first did: empty, or what this LLVM lacks, and then no prediction would hold.
const std::string &prepare_llvm();

} // namespace smem
