// From debug locations to lines of the user's own files.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "program/lower_options.h"
#include "smem/source.h"

namespace llvm {
class DIFile;
class DILocation;
class DISubprogram;
class Instruction;
} // namespace llvm

namespace smem::lower {

/// Of the function that a location is in, as the module names it; empty: of none.
std::string module_name(const llvm::DILocation &location);

struct AttributedLocation {
  SourceLocation location;             ///< innermost in the user's files
  std::vector<InlineFrame> inlined_at; ///< outwards from there
  std::string function;                ///< that `location` is in, as the module names it
  std::vector<std::string> callers;    ///< the functions of `inlined_at`, likewise
  SourceLocation innermost;            ///< of the instruction itself, wherever that is
  unsigned header_calls = 0;           ///< functions of the toolkit's headers that the instruction was inlined through
  bool lost = false;                   ///< optimisation has left the instruction no location of its own
};

class Locations {
public:
  explicit Locations(const LowerOptions &options) : options_(options) {}

  /// The location of an instruction, or of what is nearest to it where optimisation has left none.
  AttributedLocation attributed(const llvm::Instruction &instruction);
  SourceLocation of(const llvm::DILocation &location);
  SourceLocation of(const llvm::DISubprogram &function);

private:
  bool is_toolkit(const std::string &path) const;
  bool has_users_line(const llvm::DILocation *location);
  const llvm::DILocation *usable(const llvm::Instruction &instruction);
  const llvm::DILocation *location_of(const llvm::Instruction &instruction);
  const std::string &path(const llvm::DIFile *file);

  const LowerOptions &options_;
  std::unordered_map<const llvm::DIFile *, std::string> paths_;
};

} // namespace smem::lower
