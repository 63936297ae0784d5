// Headers that are included and not there.
#pragma once

#include <cstddef>

#include "frontend/repairs/step.h"

namespace smem {

/// Headers that are not found, and what is there for them: the project's file of that name, the nearest of several; a shipped stand-in for one of a framework, of PyTorch's unless some
/// of its own are there, which that would contradict; and in place of one that is nowhere the known headers that declare names which are missed.
class MissingHeaders : public RepairStep {
public:
  Next after(Progress &progress) override;

private:
  bool take_from_project(Progress &progress);
  static bool stand_in(Progress &progress);
  bool include_known(Progress &progress);
  static bool generate(Progress &progress);

  std::size_t searches_ = 0, rounds_ = 0;
};

} // namespace smem
