// Programs of the user's that are run.
#pragma once

#include <string>

namespace smem {

/// The program of that name on the path; empty if there is none. Folders that are relative are passed over: the repository that is analysed
/// would decide what is in them.
std::string find_on_path(const std::string &name);

} // namespace smem
