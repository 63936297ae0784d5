// Calls of one line of the toolkit's headers, which the machine code's line table mixes up.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "nvcc/lines/locations.h"
#include "smem/program.h"
#include "syntax/source_index.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace smem::lower {

/// Clang's own headers stand in for some of the toolkit's, and have other lines.
bool is_nvccs_header(std::string_view file);

/// ptxas begins a row of its line table where the line's number changes, or the function that is inlined. Between two instructions of one line of a header that were
/// inlined at different lines neither does: unless something of another line stands between the two in machine code, the second is attributed to the call of the first.
class SharedLines {
public:
  explicit SharedLines(const SourceIndex &index) : index_(index) {}

  void add(SiteId site, const AttributedLocation &at, Operation operation, const llvm::Instruction &instruction);

  /// Sites whose line is not certain are marked.
  void mark(Program &program) const;

private:
  /// Does the line call a toolkit's function whose name begins so?
  bool calls(const AttributedLocation &at, std::string_view prefix) const;

  struct Group {
    std::map<SourceLocation, unsigned> accesses; ///< of each line that calls; columns do not count
    SourceLocation latest;                       ///< the line of the latest call
    std::set<SiteId> sites;
    bool stores = false;
    bool adjacent = false;                   ///< accesses that are called from several lines may follow each other
    const llvm::Instruction *copy = nullptr; ///< the latest asynchronous one
    const llvm::Instruction *last = nullptr; ///< the latest other one
  };
  const SourceIndex &index_;
  std::map<std::pair<std::string, std::uint32_t>, Group> groups_; ///< by the header's line
};

} // namespace smem::lower
