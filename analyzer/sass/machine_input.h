// Machine code that is analysed by itself: its listings.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "sass/listing.h"
#include "sass/machine_input_kind.h"

namespace smem::compiled {

struct MachineInputWish {
  std::string path;
  MachineInput kind = MachineInput::None;
  std::string architecture; ///< "sm_90"; empty: that of the file, of several the newest that `models` has
  std::string toolkit;      ///< whose programs are run first; may be empty
  std::function<bool(const std::string &architecture)> models; ///< whether there is a table for it
  std::function<bool(const std::string &mangled)> wanted; ///< kernels; cubins that have none of them are passed over
  std::stop_token stop;
};

struct ObtainedCode {
  std::vector<Listing> listings;
  std::string architecture; ///< of all of them, as asked for or found
  std::string from;         ///< for the reader: "k.cubin, nvdisasm 13.0.85"
  std::vector<std::string>
      errors; ///< what could not be had, and what would mend it; listings may be there all the same
  std::vector<std::string> notes;
  std::vector<std::string> passed_over; ///< mangled names of kernels of which no listing was made
};

/// Runs ptxas, cuobjdump and nvdisasm where the kind needs them.
ObtainedCode obtain_code(const MachineInputWish &wish);

} // namespace smem::compiled
