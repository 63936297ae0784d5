// Going on after errors: the functions that they are in are left out, and the rest is analysed.
#pragma once

#include "frontend/repairs/step.h"

namespace smem {

class Tolerance : public RepairStep {
public:
  Next after(Progress &progress) override;
};

/// Where nothing is gained by going on, the errors of the attempt before are what there is to say.
class NothingToAnalyse : public RepairStep {
public:
  Next after(Progress &progress) override;
  void finish(Progress &progress) override;
};

} // namespace smem
