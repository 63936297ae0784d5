// Frameworks of host code (PyTorch, MPI, OpenCV, ...), whose headers kernels do not need.
#pragma once

#include <string>
#include <string_view>

namespace smem {

/// Is it a header of theirs? One that is not installed is skipped.
bool is_host_framework(std::string_view header);

/// The framework whose shipped stand-in may take the place of this header.
enum class StandIn { None, PyTorch, Logging };
StandIn stand_in_for(std::string_view header);

/// The folder of such a header, which ends in a slash, or the header itself. ATen/, c10/, THC/ and torch/ are one framework, PyTorch, with one stand-in.
std::string framework_of(const std::string &header);

} // namespace smem
