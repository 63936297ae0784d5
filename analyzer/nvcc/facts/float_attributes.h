// Attributes of functions for what Clang has no word for: nvcc's options -prec-div=false and -prec-sqrt=false.
#pragma once

namespace smem {

inline constexpr char kApproximateDivision[] = "smem-approximate-division";
inline constexpr char kApproximateRoot[] = "smem-approximate-root";

} // namespace smem
