// What Triton keeps beside a kernel that it has compiled: how it is launched, and what is known of its arguments.
//
// Both texts are whatever lies there; nothing in them is used but numbers within bounds and names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem::compiled {

/// NAME.json.
struct TritonMetadata {
  std::string name;                      ///< of the kernel, as in the cubin
  std::uint32_t warps = 0;               ///< of a block, 1 to 32
  std::optional<std::uint32_t> shared;   ///< bytes of dynamic shared memory
  std::optional<std::uint32_t> stages;   ///< num_stages
  std::uint32_t blocks_of_a_cluster = 1; ///< num_ctas
  std::string hash;                      ///< of the configuration; hexadecimal digits
  std::string backend;                   ///< "cuda", "hip"; empty: it does not say
};

/// Nothing if the text is no metadata of a kernel; with an error text if it is damaged.
std::optional<TritonMetadata> read_triton_metadata(std::string_view json, std::string &error);

/// One argument of a kernel in Triton's IR (NAME.ttir), in the order of the parameters.
struct TritonArgument {
  std::string name;               ///< "a_ptr", "arg3"
  bool pointer = false;           ///< to global memory
  std::uint32_t divisibility = 1; ///< of an integer: it is a multiple of this (tt.divisibility)
};

/// Empty if the text has no function of this name that can be read.
std::vector<TritonArgument> read_triton_arguments(std::string_view ttir, std::string_view kernel);

} // namespace smem::compiled
