// Numbers of instructions as nvdisasm prints them.
#pragma once

#include <cstdint>
#include <string>

namespace smem::compiled {

std::string hexadecimal_text(std::int64_t value);  ///< "0x1f", "-0x4"
std::string unsigned_text(std::uint64_t value);    ///< "0xffffffff"
std::string float_text(std::uint32_t bits);        ///< "0.5", "-1", "1.00000000000000000000e+09", "+INF "
std::string upper_double_text(std::uint32_t bits); ///< the lower 32 bits are clear
std::string half_text(std::uint16_t bits);
std::string bfloat_text(std::uint16_t bits);

} // namespace smem::compiled
