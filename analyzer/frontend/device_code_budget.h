// A bound on how much device code is optimised and analysed: templates are instantiated by the hundred, and each instantiation takes its time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace smem {

/// Kernels of one definition that are left out.
struct LeftOut {
  std::string definition;
  unsigned instantiations = 0, of = 0; ///< left out, of so many
};

/// Removes kernels until those that are left have no more than `most` instructions as Clang generates them, with those of all functions that they
/// call, once for each call: what inlining makes of them. One of each definition stays whatever it has, the smallest; the rest is taken in turns from
/// all definitions, in the order of the module. `definition_of` is the same text for the instantiations of one template, and empty for no kernel.
std::vector<LeftOut> keep_within(llvm::Module &module, std::uint64_t most,
                                 const std::function<std::string(const llvm::Function &)> &definition_of);

} // namespace smem
