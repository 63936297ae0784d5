#include "ir/uncounted.h"

#include <set>

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/kernels.h"
#include "nvcc/lines/locations.h"

namespace smem {
namespace {

using Unit = Uncounted::Unit;

/// By the first instruction of inline PTX that has one: `{ tex.2d.v4.f32.f32 {…` as well.
std::optional<Unit> unit_of_ptx(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  text.split(words, ' ', -1, false);
  for (llvm::StringRef word : words) {
    word = word.trim("\t\n{;");
    if (word.starts_with("tex.") || word.starts_with("tld4."))
      return Unit::Texture;
    if (word.starts_with("suld.") || word.starts_with("sust.") || word.starts_with("sured."))
      return Unit::Surface;
  }
  return std::nullopt;
}

std::optional<Unit> unit_of(const llvm::CallBase &call) {
  if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return unit_of_ptx(assembly->getAsmString());
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() ? unit_of_function(*callee) : std::nullopt;
}

} // namespace

std::optional<Unit> unit_of_function(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  if (name == "malloc" || name == "free")
    return Unit::Heap;
  if (name.starts_with("_ZN22smem_lint_texture_unit"))
    return Unit::Texture;
  return name.starts_with("_ZN22smem_lint_surface_unit") ? std::optional(Unit::Surface) : std::nullopt;
}

std::vector<Uncounted> uncounted_accesses(llvm::Module &module, const LowerOptions &options) {
  lower::Locations locations(options);
  std::set<Uncounted> found;
  for (llvm::Function *kernel : kernels_of(module))
    for (const llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const std::optional<Unit> unit = unit_of(*call))
          if (SourceLocation place = locations.attributed(instruction).location; place.known())
            found.insert({*unit, std::move(place)});
  return {found.begin(), found.end()};
}

} // namespace smem
