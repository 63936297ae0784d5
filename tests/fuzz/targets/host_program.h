// Host code made of bytes, and what it launches: a program is written and executed at the same time, with C++'s own rules for integers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace smem::fuzz {

/// One execution of a `<<<>>>`: grid, block, shared bytes and the kernel's four arguments, all modulo 2^64.
struct MadeLaunch {
  unsigned line = 0; ///< 1 is the first
  std::vector<std::uint64_t> values;
};

/// The kernel of every program: `void k(int, unsigned, long long, unsigned char)`.
inline constexpr unsigned kParameterBits[] = {32, 32, 64, 8};

struct HostProgram {
  std::string text;
  bool wild = false;   ///< has undefined behaviour, or no end: there is nothing to compare with
  bool opaque = false; ///< asks a function whose result nobody knows
  std::vector<MadeLaunch> launches;
};

HostProgram host_program(const std::uint8_t *data, std::size_t size);

} // namespace smem::fuzz
