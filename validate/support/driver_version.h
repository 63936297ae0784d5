// The version of NVIDIA's driver, such as 580.159.04.
#pragma once

#include <string>
#include <string_view>

namespace smem_lint::validate {

// From the text of /proc/driver/nvidia/version; empty if it has none.
std::string parse_driver_version(std::string_view text);

// Of the driver that is loaded; empty if none is, or it does not tell.
std::string driver_version();

} // namespace smem_lint::validate
