#include "ir/uncounted.h"

#include <optional>
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

/// By a function of the run-time library. The shipped headers declare those of textures and surfaces, no more.
std::optional<Unit> unit_of_function(llvm::StringRef name) {
  if (name == "malloc" || name == "free")
    return Unit::Heap;
  std::size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length))
    return std::nullopt;
  name = name.take_front(length); // tex2D, texCubemapLayered, surf1Dwrite
  const auto names_shape = [](llvm::StringRef rest) {
    return !rest.empty() && (llvm::isDigit(rest.front()) || rest.starts_with("Cubemap"));
  };
  if (name.consume_front("tex"))
    return names_shape(name) ? std::optional(Unit::Texture) : std::nullopt;
  return name.consume_front("surf") && names_shape(name) ? std::optional(Unit::Surface) : std::nullopt;
}

std::optional<Unit> unit_of(const llvm::CallBase &call) {
  if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return unit_of_ptx(assembly->getAsmString());
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() ? unit_of_function(callee->getName()) : std::nullopt;
}

} // namespace

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
