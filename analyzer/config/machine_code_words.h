// What a configuration calls the ways to get machine code.
#pragma once

#include <array>
#include <string_view>

#include "config/config.h"

namespace smem {

struct MachineCodeWord {
  std::string_view word;
  compiled::MachineCodeWish::From from;
};
inline constexpr std::array<MachineCodeWord, 3> kMachineCode{
    MachineCodeWord{"auto", compiled::MachineCodeWish::From::NvccIfFound},
    {"nvcc", compiled::MachineCodeWish::From::Nvcc},
    {"off", compiled::MachineCodeWish::From::Nowhere}};

} // namespace smem
