#include "frontend/device_code_budget.h"

#include <algorithm>
#include <map>
#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace smem {

namespace {

class Sizes {
public:
  std::uint64_t of(const llvm::Function &function) {
    const auto [known, fresh] = sizes_.try_emplace(&function, 1); // a function that calls itself is not inlined there
    if (!fresh)
      return known->second;
    std::uint64_t size = 0;
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      size += callee && !callee->isDeclaration() ? of(*callee) : !llvm::isa<llvm::DbgInfoIntrinsic>(instruction);
      size = std::min(size, kMost);
    }
    return sizes_[&function] = std::max<std::uint64_t>(size, 1);
  }

private:
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 40; // calls of calls multiply
  llvm::DenseMap<const llvm::Function *, std::uint64_t> sizes_;
};

/// What nothing names any more would be optimised all the same.
void drop_unused(llvm::Module &module) {
  for (bool dropped = true; std::exchange(dropped, false);)
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (function.use_empty() && !function.isDeclaration() && function.isDiscardableIfUnused()) {
        function.eraseFromParent();
        dropped = true;
      }
}

} // namespace

std::vector<LeftOut> keep_within(llvm::Module &module, std::uint64_t most,
                                 const std::function<std::string(const llvm::Function &)> &definition_of) {
  struct Instantiation {
    llvm::Function *kernel;
    std::uint64_t size;
  };
  Sizes sizes;
  std::uint64_t all = 0;
  std::map<std::string, std::vector<Instantiation>> definitions;
  for (llvm::Function &function : module)
    if (const std::string definition = function.isDeclaration() ? std::string() : definition_of(function);
        !definition.empty()) {
      definitions[definition].push_back({&function, sizes.of(function)});
      all += definitions[definition].back().size;
    }
  if (all <= most)
    return {};
  std::uint64_t kept = 0;
  std::size_t turns = 0;
  for (auto &[name, instantiations] : definitions) {
    const auto smallest = std::ranges::min_element(instantiations, {}, &Instantiation::size);
    kept += smallest->size;
    std::rotate(instantiations.begin(), smallest, smallest + 1);
    turns = std::max(turns, instantiations.size());
  }
  std::map<std::string, LeftOut> left_out;
  for (std::size_t turn = 1; turn < turns; ++turn)
    for (const auto &[name, instantiations] : definitions) {
      if (turn >= instantiations.size())
        continue;
      const auto &[kernel, size] = instantiations[turn];
      if (kept + size <= most) {
        kept += size;
        continue;
      }
      LeftOut &mine =
          left_out.try_emplace(name, LeftOut{name, 0, static_cast<unsigned>(instantiations.size())}).first->second;
      ++mine.instantiations;
      kernel->deleteBody(); // others may name it
    }
  drop_unused(module);
  std::vector<LeftOut> result;
  for (auto &[name, one] : left_out)
    result.push_back(std::move(one));
  return result;
}

} // namespace smem
