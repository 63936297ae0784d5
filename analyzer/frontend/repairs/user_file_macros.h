// Macros of the user's files that another attempt is made with, or without.
#pragma once

#include <cstddef>

#include "frontend/repairs/step.h"

namespace smem {

/// A source with errors that tests __NVCC__ is compiled without it; kept where it has no errors then.
class WithoutNvcc : public RepairStep {
public:
  Next after(Progress &progress) override;

private:
  bool tried_ = false;
};

/// Errors about who may call or redeclare whom: kept where there are fewer of them with UserFileMacros::host_of_device.
class HostOfDevice : public RepairStep {
public:
  Next after(Progress &progress) override;

private:
  enum class State { Fresh, Trying, Settled } state_ = State::Fresh;
  std::size_t errors_ = 0; ///< without it
};

} // namespace smem
