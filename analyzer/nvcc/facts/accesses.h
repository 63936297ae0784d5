// Loads, stores and atomics as the optimiser's output has them.
#pragma once

#include <optional>
#include <vector>

namespace llvm {
class DILocation;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace smem {

/// What can be told of an access even when it is gone: its kind and its debug location, which may be null.
struct AccessLocation {
  enum class Kind { Load, Store, Atomic } kind = Kind::Load;
  const llvm::DILocation *debug_loc = nullptr;

  bool known() const;
};

/// An access of memory that is neither local nor a kernel's parameters.
struct SourceAccess {
  llvm::Instruction *instruction = nullptr;
  llvm::Value *pointer = nullptr;
  AccessLocation location;
  bool shared = false;
};

std::optional<SourceAccess> access_of(llvm::Instruction &instruction);

/// A thread's own memory, or a parameter of the kernel: nothing that is counted.
bool is_of_thread(const llvm::Value &object);

/// All of `function` whose debug location is known, or `without_location` as well; copies of memory are a load and a store.
std::vector<SourceAccess> accesses_of(llvm::Function &function, bool without_location = false);

} // namespace smem
