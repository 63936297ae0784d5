// Calls of one line of the toolkit's headers, which the machine code's line table mixes up.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "nvcc/lines/locations.h"
#include "smem/program.h"

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace smem::lower {

/// ptxas begins a row of its line table where file or line change. Between two instructions of one line of a header that were
/// inlined at different lines neither does, unless the second is the first of its call: an access that is not is attributed to
/// the line of another call.
class SharedLines {
public:
  void add(SiteId site, const AttributedLocation &at, Operation operation, const llvm::Instruction &instruction);

  /// Sites whose line is not certain are marked.
  void mark(Program &program) const;

private:
  struct Group {
    std::map<SourceLocation, unsigned> accesses; ///< of each line that calls; columns do not count
    SourceLocation latest;                       ///< the line of the latest call
    std::set<SiteId> sites;
    bool stores = false;
    std::map<const llvm::BasicBlock *, SourceLocation> loads; ///< where the first of each block is called
    bool neighbours = false;                 ///< accesses that are called from several lines may follow each other
    const llvm::Instruction *copy = nullptr; ///< the latest asynchronous one
  };
  std::map<std::pair<std::string, std::uint32_t>, Group> groups_; ///< by the header's line
};

} // namespace smem::lower
