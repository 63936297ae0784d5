// Facts about GPUs, one record per architecture, each with its evidence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "smem/memory_rules.h"

namespace smem {

/// Whether a figure was measured, documented by the vendor, or carried over from a measured neighbour.
enum class Evidence : std::uint8_t { Measured, Documented, Inferred };

struct Capacity {
  std::uint32_t combined_bytes;     ///< L1 + shared, per SM
  std::uint32_t shared_per_sm;      ///< bytes
  std::uint32_t shared_per_block;   ///< bytes, with the opt-in attribute
  std::uint32_t shared_default;     ///< bytes a block gets without opting in
  std::uint32_t reserved_per_block; ///< bytes the driver takes from every block's shared memory
};

struct Architecture {
  std::string_view name;            ///< "sm_90"
  std::uint16_t compute;            ///< 90
  std::string_view target_suffixes; ///< letters of its feature-specific targets: "a" for sm_90a
  std::uint16_t banks;              ///< 32
  std::uint16_t bank_bytes;         ///< 4
  std::uint16_t sector_bytes;       ///< 32
  std::uint16_t line_bytes;         ///< 128
  std::uint32_t max_threads_per_block;
  std::uint32_t max_threads_per_sm;
  std::uint32_t max_blocks_per_sm;
  Capacity capacity;
  bool async_copy;             ///< cp.async
  bool matrix_load;            ///< ldmatrix
  bool matrix_store;           ///< stmatrix
  bool matrix_multiply;        ///< wgmma
  bool bulk_copy;              ///< cp.async.bulk, and clusters of blocks, which came with it
  MemoryRules rules;           ///< how the memory pipe serves a request
  Evidence wavefront_evidence; ///< how the memory model's rules were established for this chip
  std::string_view rules_of;   ///< Inferred: the architecture that they were measured on, "sm_90"
  std::string_view evidence;   ///< the sources, in words
};

std::span<const Architecture> architectures();

/// Accepts "sm_90", "sm_90a", "compute_90", "90", "9.0". Null if there is no such table.
const Architecture *find_architecture(std::string_view name);

/// The target of such a name, its suffix included: "sm_90a" of "compute_90a". Empty if there is no such table.
std::string target_of(std::string_view name);

} // namespace smem
