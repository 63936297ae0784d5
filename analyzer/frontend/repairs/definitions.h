// Macros that a project's build defines and its user did not.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "frontend/repairs/step.h"

namespace smem {

/// Those under which what is used and not declared is declared (skipped_declarations.h), and those that a source says it needs (required_macros.h), one after the other; kept where more
/// is understood with it.
class AskedDefinitions : public RepairStep {
public:
  Next after(Progress &progress) override;
  void finish(Progress &progress) override;

private:
  void take_back(Progress &progress);
  bool ask(Progress &progress);

  std::optional<FrontendResult> before_;   ///< what there was without the last one, as long as that is being tried
  std::size_t missing_ = 0;                ///< headers that were not there then
  std::vector<SkippedDeclarations> asked_; ///< what may be tried
  std::vector<MacroDefinition> tried_;     ///< with or without success
  std::string assumed_before_;             ///< Repairs::assumed_definition before the last one was tried
};

/// The one that a condition around the file's only kernels asks for.
class ConditionAroundKernels : public RepairStep {
public:
  Next after(Progress &progress) override;
  void finish(Progress &progress) override;

private:
  std::optional<FrontendResult> without_;
};

} // namespace smem
