// The machine code of one file's kernels, found in a listing.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sass/listing.h"
#include "sass/lower_machine_code.h"
#include "program/lower_options.h"

namespace smem::compiled {

class MachineCode {
public:
  /// `programs` are the kernels as their source has them; files of the listing are known by theirs.
  MachineCode(Listing listing, const std::vector<Program> &programs, LowerOptions options);

  /// Why the listing is of no use for these kernels, and what would mend it; empty: it is.
  std::string unusable(std::string_view architecture) const;

  /// The kernel as it was compiled. An error if the listing has it not, or it cannot be followed.
  LoweredMachineCode lowered(const Program &source) const;

private:
  SourceLocation place(const std::vector<ListedPlace> &chain) const;
  /// Not empty: the function was compiled from another version of the kernel's source.
  std::string other_version(const ListedFunction &function, const SourceLocation &kernel) const;

  Listing listing_;
  LowerOptions options_;
  std::set<std::string> files_;
  std::vector<std::pair<std::string, SourceLocation>> kernels_; ///< mangled name, where it is defined
};

} // namespace smem::compiled
