// Headers that are included and not there.
#pragma once

#include <cstddef>

#include "frontend/repairs/step.h"

namespace smem {

/// The project's file of that name is taken, the nearest of several.
class ProjectHeaders : public RepairStep {
public:
  Next after(Progress &progress) override;

private:
  std::size_t searches_ = 0;
};

/// A header that is nowhere includes what declares names that are missed.
class ImpliedHeaders : public RepairStep {
public:
  Next after(Progress &progress) override;
};

/// Shipped stand-ins take the place of a framework's headers; of PyTorch's, unless some of its own are there, which that would contradict.
class FrameworkStandIns : public RepairStep {
public:
  Next after(Progress &progress) override;
};

} // namespace smem
