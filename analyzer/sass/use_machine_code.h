// The machine code of one file's kernels, found in listings.
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
  /// `programs` are the kernels as their source has them; files of the listings are known by theirs. `whole_paths`: by all of their paths, for what was
  /// compiled from another file of the same name may be there; otherwise by as much of their ends as agrees, as it may have been compiled elsewhere.
  MachineCode(std::vector<Listing> listings, const std::vector<Program> &programs, LowerOptions options,
              bool whole_paths = false);

  /// Why the listings are of no use for these kernels, and what would mend it; empty: they are.
  std::string unusable(std::string_view architecture) const;

  /// The kernel as it was compiled. An error if no listing has it, several have it in different ways, or it cannot be followed.
  LoweredMachineCode lowered(const Program &source) const;

private:
  struct Found {
    const Listing *listing = nullptr;
    const ListedFunction *function = nullptr;
  };
  struct Kernel {
    std::string mangled;
    SourceLocation location; ///< where it is defined
  };

  std::vector<Found> find(std::string_view mangled) const;
  SourceLocation place(const std::vector<ListedPlace> &chain) const;
  /// Whether any of its instructions is of these files.
  bool is_of_these_files(const ListedFunction &function) const;
  /// Not empty: it was compiled from another version of the kernel's source.
  std::string other_version(const Found &found, const SourceLocation &kernel) const;

  std::vector<Listing> listings_;
  LowerOptions options_;
  bool whole_paths_;
  std::set<std::string> files_;
  std::vector<Kernel> kernels_;
};

} // namespace smem::compiled
