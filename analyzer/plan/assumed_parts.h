// What is assumed of a launch where nothing says it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/draft.h"
#include "plan/kernel_uses.h"
#include "smem/architecture.h"

namespace smem {

/// Why the subject is not known, as host code was followed; else `otherwise`.
std::string reason_for(const Draft &draft, std::string_view subject, std::string_view otherwise);
/// Gives a value to every argument that the kernel's addresses or branches need, a structure's members one by one. What several scalars
/// are read from at once stays without one, and what depends on it is unknown. Sizes are `extent`.
void complete_arguments(Draft &draft, const Program &program, const Uses &uses, std::int64_t extent);
/// As much dynamic shared memory as a block has without being asked, where the kernel uses some and none is stated.
void complete_dynamic(Draft &draft, const Program &program, const Architecture &architecture);
/// What has to hold to take pointers and __device__ arrays for aligned as allocations are.
std::vector<Assumption> pointer_assumptions(const Draft &draft, const Program &program, const Uses &uses);
/// Is all that the kernel looks at said by something stronger than host code?
bool overrides_host(const Draft &draft, const Program &program, const Uses &uses);

} // namespace smem
