// What the linker has named this program by.
#pragma once

#include <string>

namespace smem {

/// The hash of the program that the linker has left in it (NT_GNU_BUILD_ID), in hexadecimal digits: it is there in memory, the file need not be read. Empty:
/// there is none.
std::string build_id();

} // namespace smem
