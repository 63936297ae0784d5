#include "nvcc/lines/locations.h"

#include <algorithm>

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include "support/paths.h"

namespace smem::lower {
namespace {

std::string function_name(const llvm::DILocation &location) {
  const llvm::DISubprogram *function = location.getScope()->getSubprogram();
  return function ? function->getName().str() : std::string();
}

} // namespace

std::string module_name(const llvm::DILocation &location) {
  const llvm::DISubprogram *function = location.getScope()->getSubprogram();
  return !function                            ? std::string()
         : function->getLinkageName().empty() ? function->getName().str()
                                              : function->getLinkageName().str();
}

bool Locations::is_toolkit(const std::string &path) const { return is_toolkit_file(options_, path); }

const std::string &Locations::path(const llvm::DIFile *file) {
  const auto [it, inserted] = paths_.try_emplace(file);
  if (inserted && file)
    it->second = normalise_path(file->getFilename().str(), file->getDirectory().str());
  return it->second;
}

SourceLocation Locations::of(const llvm::DILocation &location) {
  return {path(location.getFile()), location.getLine(), location.getColumn()};
}

SourceLocation Locations::of(const llvm::DISubprogram &function) {
  return {path(function.getFile()), function.getLine(), 0};
}

/// Merged from several calls of one line of a header, an instruction has that line and no call.
bool Locations::has_users_line(const llvm::DILocation *location) {
  const llvm::DILocation *at = location;
  while (at && at->getLine() && is_toolkit(path(at->getFile())))
    at = at->getInlinedAt();
  return location && (!at || at->getLine());
}

const llvm::DILocation *Locations::usable(const llvm::Instruction &instruction) {
  const llvm::DILocation *location = instruction.getDebugLoc().get();
  return has_users_line(location) ? location : nullptr;
}

/// An instruction that was hoisted or merged from several has no line. PTX then has no `.loc` for it, and the line table of
/// the machine code attributes it to what comes before, in the order of the blocks.
const llvm::DILocation *Locations::location_of(const llvm::Instruction &instruction) {
  if (const auto *own = usable(instruction))
    return own;
  const llvm::Instruction *from = instruction.getPrevNode();
  for (const llvm::BasicBlock *block = instruction.getParent(); block;
       block = block->getPrevNode(), from = block ? &block->back() : nullptr)
    for (const llvm::Instruction *at = from; at; at = at->getPrevNode())
      if (const auto *before = usable(*at); before && !llvm::isa<llvm::PHINode>(at))
        return before;
  return instruction.getDebugLoc().get();
}

AttributedLocation Locations::attributed(const llvm::Instruction &instruction) {
  AttributedLocation result;
  const llvm::DILocation *innermost = location_of(instruction);
  if (!innermost)
    return result;
  result.innermost = of(*innermost);
  result.lost = !usable(instruction);
  const llvm::DILocation *chosen = innermost;
  while (chosen && (chosen->getLine() == 0 || is_toolkit(path(chosen->getFile())))) {
    ++result.header_calls;
    chosen = chosen->getInlinedAt();
  }
  if (!chosen) // a kernel of the toolkit itself
    chosen = innermost;
  result.location = of(*chosen);
  result.function = module_name(*chosen);
  for (const llvm::DILocation *call = chosen->getInlinedAt(); call; call = call->getInlinedAt()) {
    result.inlined_at.push_back({function_name(*call), of(*call)});
    result.callers.push_back(module_name(*call));
  }
  return result;
}

} // namespace smem::lower
