// Templates that the source does not instantiate.
#pragma once

#include <vector>

#include "frontend/repairs/step.h"

namespace smem {

/// Arguments that do not fit leave errors in the syntax tree (assumed_templates.h): a fresh one is made with those that do.
class TriedTemplates : public RepairStep {
public:
  Next after(Progress &progress) override;
};

/// Instantiations that the user asks for by name.
class WantedKernels : public RepairStep {
public:
  Next after(Progress &progress) override;
  void finish(Progress &progress) override;

private:
  std::vector<Diagnostic> refused_;
};

} // namespace smem
