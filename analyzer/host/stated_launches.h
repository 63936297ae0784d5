// What options, comments and configuration state of a kernel's launches, taken together.
#pragma once

#include <string>
#include <vector>

#include "host/launches.h"

namespace smem {

bool says_anything(const StatedLaunch &stated);

/// The launches of a kernel that are stated: of one strength each about a shape is a launch of its own, others are about all; what a stronger
/// one says replaces what a weaker one does. Without statements there is one that says nothing.
std::vector<StatedLaunch> stated_of(const std::vector<StatedLaunch> &all, const std::string &mangled);

} // namespace smem
