// Every state of a machine that keeps it from measuring, and what is said about it.
#include "doctor/diagnose.h"

#include <gtest/gtest.h>

namespace smem_lint::validate {
namespace {

Facts able() {
  Facts facts;
  facts.library = "/opt/libsmem_measure_inject.so";
  facts.driver_version = "580.159.04";
  facts.cuda = 13000;
  facts.cupti = 130001;
  facts.devices = {{"NVIDIA H200", "9.0"}};
  facts.chip = "GH100";
  facts.counters = true;
  facts.admin_only = false;
  facts.nvcc = "/usr/local/cuda/bin/nvcc";
  facts.nvcc_version = "13.0";
  return facts;
}

Check of(const Facts &facts, const std::string &subject) {
  for (const Check &check : diagnose(facts))
    if (check.subject == subject)
      return check;
  ADD_FAILURE() << "nothing about " << subject;
  return {};
}

TEST(Doctor, AMachineThatCanMeasure) {
  const auto checks = diagnose(able());
  EXPECT_TRUE(can_measure(checks));
  for (const Check &check : checks) {
    EXPECT_EQ(check.state, State::Good) << check.subject;
    EXPECT_TRUE(check.mend.empty()) << check.subject;
  }
  EXPECT_EQ(of(able(), "driver").finding, "580.159.04, CUDA 13.0");
  EXPECT_EQ(of(able(), "table").finding, "sm_90, measured");
}

TEST(Doctor, NoDriver) {
  Facts facts;
  facts.library = "/opt/lib.so";
  facts.library_error = "libcuda.so.1: cannot open shared object file: No such file or directory";
  EXPECT_FALSE(can_measure(diagnose(facts)));
  EXPECT_EQ(of(facts, "driver").state, State::Missing);
  EXPECT_NE(of(facts, "driver").mend.find("install NVIDIA's driver"), std::string::npos);
  EXPECT_NE(of(facts, "library").state, State::Missing); // one cause is said once
}

TEST(Doctor, NoGpu) {
  Facts facts = able();
  facts.devices.clear();
  facts.counters = false;
  facts.init_error = "CUDA_ERROR_NO_DEVICE";
  EXPECT_FALSE(can_measure(diagnose(facts)));
  EXPECT_NE(of(facts, "GPU").finding.find("CUDA_ERROR_NO_DEVICE"), std::string::npos);
  EXPECT_NE(of(facts, "GPU").mend.find("CUDA_VISIBLE_DEVICES"), std::string::npos);
}

TEST(Doctor, NoPermissionNamesTheDriversOption) {
  Facts facts = able();
  facts.counters = false;
  facts.counters_error = "cuptiSassMetricsEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)";
  facts.admin_only = true;
  EXPECT_FALSE(can_measure(diagnose(facts)));
  EXPECT_NE(of(facts, "counters").mend.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
  facts.counters_hint = "the library's own advice";
  EXPECT_EQ(of(facts, "counters").mend, "the library's own advice");
}

TEST(Doctor, TheAdministratorMayThoughOthersMayNot) {
  Facts facts = able();
  facts.admin_only = facts.administrator = true;
  EXPECT_TRUE(can_measure(diagnose(facts)));
  EXPECT_NE(of(facts, "counters").finding.find("administrator only"), std::string::npos);
}

TEST(Doctor, AChipWithoutATableCanBeMeasured) {
  Facts facts = able();
  facts.devices = {{"NVIDIA X", "13.7"}};
  EXPECT_TRUE(can_measure(diagnose(facts)));
  EXPECT_EQ(of(facts, "table").state, State::Warning);
  EXPECT_NE(of(facts, "table").finding.find("13.7"), std::string::npos);
}

TEST(Doctor, AnInferredTableIsNotCalledMeasured) {
  Facts facts = able();
  facts.devices = {{"NVIDIA A100", "8.0"}};
  EXPECT_EQ(of(facts, "table").state, State::Warning);
  EXPECT_NE(of(facts, "table").finding.find("inferred"), std::string::npos);
}

TEST(Doctor, LibrariesThatAreMissing) {
  Facts facts = able();
  facts.library.clear();
  EXPECT_FALSE(can_measure(diagnose(facts)));
  EXPECT_EQ(of(facts, "library").state, State::Missing);
  facts = able();
  facts.library_error = "libcupti.so.13: cannot open shared object file: No such file or directory";
  EXPECT_FALSE(can_measure(diagnose(facts)));
  EXPECT_NE(of(facts, "library").mend.find("LD_LIBRARY_PATH"), std::string::npos);
}

TEST(Doctor, NvccIsNeededByTheCatalogueOnly) {
  Facts facts = able();
  facts.nvcc.clear();
  EXPECT_TRUE(can_measure(diagnose(facts)));
  EXPECT_EQ(of(facts, "nvcc").state, State::Warning);
}

} // namespace
} // namespace smem_lint::validate
