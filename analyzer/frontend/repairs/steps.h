// The steps in their order: what hides other obstacles comes before them.
#pragma once

#include <memory>
#include <vector>

#include "frontend/repairs/step.h"

namespace smem {

using RepairSteps = std::vector<std::unique_ptr<RepairStep>>;

RepairSteps repair_steps();

} // namespace smem
