// A cubin as a listing, without nvdisasm: the sections and lines of `nvdisasm -gi` that parse_listing() reads.
#pragma once

#include <string>
#include <string_view>

namespace smem::compiled {

struct PrintedCubin {
  std::string text;
  std::string error; ///< not empty: what in it is not known, and where; nvdisasm may know it
};

/// All or nothing: an instruction that is not known in any function is an error. Never reads outside of `bytes`.
PrintedCubin print_cubin(std::string_view bytes);

} // namespace smem::compiled
