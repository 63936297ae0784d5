#include "frontend/repairs/steps.h"

#include "frontend/repairs/constructs.h"
#include "frontend/repairs/definitions.h"
#include "frontend/repairs/hidden_kernels.h"
#include "frontend/repairs/missing_headers.h"
#include "frontend/repairs/templates.h"
#include "frontend/repairs/tolerance.h"
#include "frontend/repairs/user_file_macros.h"

namespace smem {

RepairSteps repair_steps() {
  RepairSteps steps;
  steps.push_back(std::make_unique<TriedTemplates>());
  steps.push_back(std::make_unique<MissingHeaders>());
  steps.push_back(std::make_unique<EarlierNames>());
  steps.push_back(std::make_unique<HostOfDevice>());
  steps.push_back(std::make_unique<ToleratedConstructs>());
  steps.push_back(std::make_unique<HiddenKernels>());
  steps.push_back(std::make_unique<AskedDefinitions>());
  steps.push_back(std::make_unique<NothingToAnalyse>());
  steps.push_back(std::make_unique<ConditionAroundKernels>());
  steps.push_back(std::make_unique<WantedKernels>());
  // From here on there are errors that end the compilation.
  steps.push_back(std::make_unique<RefusedConstructs>());
  steps.push_back(std::make_unique<FullPrelude>());
  steps.push_back(std::make_unique<WithoutNvcc>());
  steps.push_back(std::make_unique<Tolerance>());
  return steps;
}

} // namespace smem
