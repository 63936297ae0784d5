// Launches that follow from values chosen for what host code leaves free.
#pragma once

#include <cstddef>

#include "plan/draft.h"
#include "plan/kernel_uses.h"

namespace smem {

/// What is assumed of a launch that host code was not seen to come to.
inline constexpr const char *kNotReached = "no values were found with which host code gets here";

/// Whether what is stated, or known, agrees with a launch that follows from chosen values.
bool agrees(const Draft &draft, const ConsistentLaunch &follows);
/// Fills what is not known with what follows from chosen values.
void follow(Draft &draft, const ConsistentLaunch &follows, const Program &program, const Uses &uses);
/// How many bools and enumerations have a value under which the kernel comes to fewer of its accesses than under another one.
std::size_t less_plausible(const ConsistentLaunch &launch, const Program &program);

} // namespace smem
