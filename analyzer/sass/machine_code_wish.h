// Where the machine code comes from that a file's rows are settled with.
#pragma once

#include <cstdint>
#include <string>

namespace smem::compiled {

struct MachineCodeWish {
  enum class From : std::uint8_t {
    Nowhere,
    Nvcc,
    NvccIfFound, ///< it and what it makes of the file, or else nothing
    File,        ///< a listing, a cubin, or whatever cuobjdump finds cubins in
  };
  From from = From::Nowhere;
  std::string file; ///< of File

  bool compiles() const { return from == From::Nvcc || from == From::NvccIfFound; }
};

} // namespace smem::compiled
