// Functions whose brackets do not match hide the kernels behind them: they are left out.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "frontend/repairs/step.h"

namespace smem {

class HiddenKernels : public RepairStep {
public:
  Next after(Progress &progress) override;
  void finish(Progress &progress) override;
  void reword(Diagnostic &diagnostic, const Progress &progress) const override;

private:
  std::vector<UnbalancedBody> bodies_; ///< that are left out
  std::size_t rounds_ = 0;
  std::size_t lost_ = 0;                 ///< kernels, before the last ones were left out
  std::optional<FrontendResult> before_; ///< the same; as long as it is being tried
};

} // namespace smem
