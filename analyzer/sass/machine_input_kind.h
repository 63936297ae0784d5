// What kind of file is analysed, where it is no source.
#pragma once

#include <cstdint>
#include <string>

namespace smem::compiled {

enum class MachineInput : std::uint8_t {
  None,      ///< a source, as far as can be seen
  Listing,   ///< what `nvdisasm -gi` has printed
  Cubin,     ///< an ELF file of a GPU
  Container, ///< whatever cuobjdump takes cubins out of: .so, .a, .o, executables, .fatbin
  Ptx,
};

/// By the name's end (.cubin, .fatbin, .ptx, .sass) and the first bytes of a regular file.
MachineInput machine_input(const std::string &path);

} // namespace smem::compiled
