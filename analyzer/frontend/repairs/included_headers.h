// Headers that are included and not there.
#pragma once

#include <cstddef>

#include "frontend/repairs/step.h"

namespace smem {

/// The project's only file of that name is taken.
class ProjectHeaders : public RepairStep {
public:
  Next after(Progress &progress) override;

private:
  std::size_t searches_ = 0;
};

/// The shipped stand-in takes the place of PyTorch's headers, unless some of its own are there, which it would contradict.
class FrameworkStandIns : public RepairStep {
public:
  Next after(Progress &progress) override;
};

} // namespace smem
