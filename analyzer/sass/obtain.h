// The machine code of a file's kernels: what nvcc makes of it while something else is done, or what a build has made.
#pragma once

#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "sass/compile.h"
#include "sass/listing.h"
#include "sass/listing_cache.h"
#include "sass/machine_code_wish.h"
#include "smem/program.h"

namespace smem::compiled {

struct ObtainedListings {
  std::vector<Listing> listings; ///< one for each cubin
  std::string from;              ///< what it is and what made it, for the reader
  std::string error;             ///< not empty: why there are none, and what would mend it
  std::string
      hint; ///< not empty: some cubins could not be looked at, so that only whole paths tell a file; what to say where a kernel is missing
  std::vector<std::string> read; ///< files that it was made of, absolute
};

/// Why there is no machine code without a program of the toolkit: "no nvcc found; ..."; empty: nothing is missing.
std::string missing_tools(const std::string &toolkit);

/// What of the toolkit and of the environment decides the machine code besides flags and files.
std::string identity_of_tools(const MachineCodeWish &wish, const std::string &toolkit);

/// nvcc starts when this is made, and is ended when it goes.
class MachineCodeRequest {
public:
  /// `cache`: may be null.
  MachineCodeRequest(const MachineCodeWish &wish, const CompileWish &compile, ListingCache *cache);
  ~MachineCodeRequest();
  MachineCodeRequest(const MachineCodeRequest &) = delete;
  MachineCodeRequest &operator=(const MachineCodeRequest &) = delete;

  /// Waits. `programs`: the kernels that are looked for in a library; `absent`: see ListingCache::keep.
  ObtainedListings take(const std::vector<Program> &programs, const std::vector<std::string> &absent);

private:
  struct Text {
    std::string listing, from, error;
    std::vector<std::string> read;
    bool known = false; ///< from the cache
  };

  Text compile_and_disassemble(const std::stop_token &stop);
  ObtainedListings read_built(const std::vector<Program> &programs) const;

  MachineCodeWish wish_;
  CompileWish compile_;
  ListingCache *cache_;
  std::string key_;
  std::stop_source stop_;
  std::future<Text> text_;
};

} // namespace smem::compiled
