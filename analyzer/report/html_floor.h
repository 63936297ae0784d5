// The floor under a launch's time in the HTML report.
#pragma once

#include "report/launch_floor.h"

#include <string>

namespace smem {

/// What it is, in words, and a bar for each unit as long as the unit takes, in markup.
std::string floor_picture(const LaunchFloor &launch);

} // namespace smem
