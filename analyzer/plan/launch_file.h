// Launches that stand in a JSON file: what smem-lint reports of a source, or as much of it as a person writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/launch_wish.h"

namespace smem {

/// {"launches": [{"kernel": "gemm", "grid": [8, 8, 1], "block": [32, 32, 1], "dynamic_shared_bytes": 0, "arguments": [{"index": 3, "value": 1024}]}]}. Of a
/// launch everything but the kernel may be missing; `mangled` names it as well. Arguments are named as those of machine code are: arg3, arg0.at_16 for
/// byte 16 of a structure. A pointer's value is its
/// distance in bytes from where its allocation begins. Launches that a report has assumed a part of are left out. Empty, without an error, if the text is about something else.
std::vector<LaunchWish> read_launch_file(std::string_view json, const std::string &path, std::string &error);

} // namespace smem
