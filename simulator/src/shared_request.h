#pragma once

#include <bit>

#include "smem/memory_model.h"
#include "smem/memory_rules.h"

namespace smem {

inline constexpr unsigned kBankBytes = 4, kBanks = 32;
inline constexpr unsigned kWavefrontBytes = kBanks * kBankBytes;

/// Wavefronts if every one moved 128 bytes of the active lanes.
constexpr unsigned packed_wavefronts(LaneMask active, unsigned width_bytes) {
  return (std::popcount(active) * width_bytes + kWavefrontBytes - 1) / kWavefrontBytes;
}

/// Bank of the first word of an access.
constexpr unsigned first_bank(std::uint64_t address, unsigned width_bytes) {
  return address / width_bytes * width_bytes / kBankBytes % kBanks;
}

/// Most active lanes of `lanes` whose first word lies in one bank, lanes on the same word included.
unsigned lanes_per_bank(const Request &request, LaneMask lanes, unsigned width_bytes);

/// Wavefronts of a request to shared memory with at least one active lane.
RequestCost shared_cost(const Request &request, const Access &access, const MemoryRules &rules);

} // namespace smem
