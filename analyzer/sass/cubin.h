// What a cubin says of itself: its architecture and its kernels, read from the ELF file without any tool.
//
// Files are whatever somebody hands in: every offset, count and name is checked against the bytes before it is used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smem::compiled {

struct Cubin {
  std::string architecture;         ///< "sm_90", without a suffix
  std::vector<std::string> kernels; ///< mangled names, sorted
  bool has_lines = false;           ///< a line table (-lineinfo, -g)
};

struct ReadCubin {
  Cubin cubin;
  std::string error; ///< not empty: why it is none: "it is an ELF file of AArch64 ..."
};

/// Never reads outside of `bytes`.
ReadCubin read_cubin(std::string_view bytes);

/// Why a host's ELF file (object file, library, executable) has no machine code of a GPU: it is damaged, or has no section for it. Empty: it may have
/// some, or it is no ELF file.
std::string no_fatbin(std::string_view bytes);

/// The fatbins that a host's ELF file holds, one behind the other in its section; empty where it has none that are whole.
std::vector<std::string_view> fatbins_of(std::string_view bytes);

/// "AArch64" of an ELF file's machine; "machine 190" where it has no name here.
std::string machine_name(unsigned machine);

} // namespace smem::compiled
