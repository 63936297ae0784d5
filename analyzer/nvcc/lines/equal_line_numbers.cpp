#include "nvcc/lines/equal_line_numbers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/lines/locations.h"
#include "nvcc/rules/header_functions.h"
#include "nvcc/uncertainties.h"

namespace smem::lower {
namespace {

SourceLocation line_of(SourceLocation location) {
  location.column = 0;
  return location;
}

/// Code that was inlined, by the line of the user's that it is attributed to; what it may access, `All` for any of it.
enum class Accesses { None, Loads, Stores, Atomics, All };
using Attributed = std::pair<SourceLocation, Accesses>;

/// The lines that a kernel has code of.
struct Lines {
  std::set<SourceLocation> own;                          ///< of the kernel itself
  std::map<std::uint32_t, std::set<Attributed>> inlined; ///< by the number of the line that it stands on
};

Accesses accesses_of(std::string_view function) {
  return function.starts_with("atomic") ? Accesses::Atomics
         : function.starts_with("__ld") ? Accesses::Loads
         : function.starts_with("__st") ? Accesses::Stores
                                        : Accesses::None;
}

bool includes(Accesses accesses, Operation operation) {
  return accesses == Accesses::All || (accesses == Accesses::Loads && operation == Operation::Load) ||
         (accesses == Accesses::Stores && operation == Operation::Store) ||
         (accesses == Accesses::Atomics && operation == Operation::Atomic);
}

Lines lines_of(const llvm::Function &kernel, Locations &locations, const SourceIndex &index) {
  Lines lines;
  std::set<std::string> functions{kernel.getName().str()};
  std::set<const llvm::DILocation *> seen;
  for (const llvm::Instruction &instruction : llvm::instructions(kernel)) {
    const llvm::DILocation *location = instruction.getDebugLoc().get();
    if (!location || location->getLine() == 0 || !seen.insert(location).second)
      continue;
    const SourceLocation innermost = line_of(locations.of(*location));
    if (!location->getInlinedAt()) {
      lines.own.insert(innermost);
      continue;
    }
    for (const llvm::DILocation *at = location; at; at = at->getInlinedAt())
      functions.insert(module_name(*at));
    // What Clang's headers wrap, nvcc has built in: the code is that of the function that calls it.
    const AttributedLocation place = locations.attributed(instruction);
    const SourceLocation attributed = line_of(place.location);
    lines.inlined[innermost.line].emplace(attributed, Accesses::All);
    if (!place.inlined_at.empty())
      lines.inlined[attributed.line].emplace(attributed, Accesses::All);
  }
  std::set<std::uint32_t> numbers;
  for (const SourceLocation &line : lines.own)
    numbers.insert(line.line);
  for (const std::string &function : functions)
    if (const auto calls = index.header_calls.find(function); calls != index.header_calls.end())
      for (const HeaderCall &call : calls->second)
        for (const LineRange &body : bodies_of_header_function(call.function, call.type))
          for (auto number = numbers.lower_bound(body.first); number != numbers.end() && *number <= body.last; ++number)
            lines.inlined[*number].emplace(call.line, accesses_of(call.function));
  return lines;
}

} // namespace

void mark_equal_line_numbers(Program &program, const llvm::Function &kernel, Locations &locations,
                             const SourceIndex &index) {
  const Lines lines = lines_of(kernel, locations, index);
  std::set<Attributed> uncertain;
  for (const SourceLocation &line : lines.own)
    if (const auto same = lines.inlined.find(line.line); same != lines.inlined.end())
      for (const Attributed &other : same->second)
        if (other.first != line)
          uncertain.insert({{line, Accesses::All}, other});
  for (Site &site : program.sites)
    if (const SourceLocation line = line_of(site.location);
        site.assumption.empty() && std::ranges::any_of(uncertain, [&](const Attributed &each) {
          return each.first == line && includes(each.second, site.access.operation);
        }))
      site.assumption =
          assumption(Uncertainty::HeaderLine,
                     "the line table of nvcc's machine code tells lines of one number in different files apart");
}

} // namespace smem::lower
