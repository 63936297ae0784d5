#include "diagnose.h"

#include "smem/architecture.h"

#include <algorithm>

namespace smem_lint::validate {
namespace {

std::string cuda_version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

Check library(const Facts &facts) {
  if (facts.library.empty())
    return {
        State::Missing, "library", "libsmem_measure_inject.so is not beside smem-validate",
        "build where the CUDA toolkit with CUPTI is (extras/CUPTI, or the package cuda-cupti), and copy the library along"};
  if (facts.library_error.empty())
    return {State::Good, "library", facts.library, ""};
  Check check{State::Missing, "library", facts.library + ": " + facts.library_error, ""};
  if (facts.library_error.find("libcuda.so") != std::string::npos)
    check.mend = "install NVIDIA's driver; libcuda.so.1 comes with it";
  else if (facts.library_error.find("libcupti") != std::string::npos)
    check.mend =
        "install CUPTI of the CUDA version that this library was built with, or name its folder in LD_LIBRARY_PATH "
        "(/usr/local/cuda/extras/CUPTI/lib64)";
  return check;
}

Check driver(const Facts &facts) {
  if (facts.cuda == 0 && facts.driver_version.empty())
    return {State::Missing, "driver", "none is loaded",
            "install NVIDIA's driver and load the module nvidia; in a container pass the GPU through (--gpus all)"};
  std::string text = facts.driver_version.empty() ? "version not told" : facts.driver_version;
  if (facts.cuda)
    text += ", CUDA " + cuda_version(facts.cuda);
  return {State::Good, "driver", text, ""};
}

Check gpu_missing(const Facts &facts) {
  Check check{State::Missing, "GPU", "none", ""};
  if (!facts.init_error.empty())
    check.finding += " (" + facts.init_error + ")";
  check.mend = "`nvidia-smi` lists what the driver sees; CUDA_VISIBLE_DEVICES may hide it";
  return check;
}

void device(const DeviceFacts &gpu, std::vector<Check> &checks) {
  checks.push_back({State::Good, "GPU", gpu.name + ", compute capability " + gpu.compute_capability, ""});
  const smem::Architecture *table = smem::find_architecture(gpu.compute_capability);
  if (!table)
    checks.push_back(
        {State::Warning, "table", "smem-lint has none for compute capability " + gpu.compute_capability,
         "counters can be measured, but there is no prediction to compare them with: see CONTRIBUTING.md, \"an architecture\""});
  else if (table->wavefront_evidence == smem::Evidence::Inferred)
    checks.push_back({State::Warning, "table",
                      std::string(table->name) + ", whose memory rules are inferred from another chip",
                      "measure it: validate/microbench; see CONTRIBUTING.md, \"an architecture\""});
  else
    checks.push_back({State::Good, "table", std::string(table->name) + ", measured", ""});
}

Check counters(const Facts &facts) {
  if (facts.counters) {
    std::string text = "can be read, chip " + facts.chip;
    if (facts.admin_only.value_or(false))
      text += " (by the administrator only: NVreg_RestrictProfilingToAdminUsers=1)";
    return {State::Good, "counters", text, ""};
  }
  Check check{State::Missing, "counters", facts.counters_error.empty() ? "no session was opened" : facts.counters_error,
              facts.counters_hint};
  if (check.mend.empty() && facts.admin_only.value_or(false) && !facts.administrator)
    check.mend =
        "the driver reserves counters to the administrator: run as root, or load the nvidia kernel module with "
        "NVreg_RestrictProfilingToAdminUsers=0";
  return check;
}

} // namespace

std::vector<Check> diagnose(const Facts &facts) {
  std::vector<Check> checks{driver(facts)};
  if (facts.library_error.find("libcuda.so") == std::string::npos || checks.front().state == State::Good)
    checks.push_back(library(facts));
  else
    checks.push_back({State::Warning, "library", facts.library + ", which cannot be tried without a driver", ""});
  if (facts.cupti)
    checks.push_back({State::Good, "CUPTI", "API version " + std::to_string(facts.cupti), ""});
  if (!facts.library.empty() && facts.library_error.empty()) {
    if (facts.devices.empty())
      checks.push_back(gpu_missing(facts));
    for (const auto &gpu : facts.devices)
      device(gpu, checks);
    if (!facts.devices.empty())
      checks.push_back(counters(facts));
  }
  if (facts.nvcc.empty())
    checks.push_back({State::Warning, "nvcc", "not found",
                      "only `smem-validate catalogue` needs it: install the CUDA toolkit, or name it with --nvcc"});
  else
    checks.push_back(
        {State::Good, "nvcc", facts.nvcc + (facts.nvcc_version.empty() ? "" : ", " + facts.nvcc_version), ""});
  return checks;
}

bool can_measure(const std::vector<Check> &checks) {
  return std::none_of(checks.begin(), checks.end(), [](const Check &check) { return check.state == State::Missing; });
}

} // namespace smem_lint::validate
