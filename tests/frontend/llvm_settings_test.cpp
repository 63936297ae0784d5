#include "nvcc/cicc/llvm_settings.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

TEST(LlvmSettings, ThisLlvmHasAllThatTheModelAsksFor) { EXPECT_EQ(prepare_llvm(), ""); }

TEST(LlvmSettings, NamesAnOptionThatLlvmDoesNotHave) {
  const LlvmSetting wrong[] = {{"unroll-runtime", "false"}, {"unroll-as-in-llvm-3", "true"}};
  EXPECT_EQ(make_settings(wrong), "this LLVM has no option 'unroll-as-in-llvm-3', which the model of nvcc sets");
}

TEST(LlvmSettings, NamesAPassThatLlvmDoesNotHave) {
  ASSERT_EQ(prepare_llvm(), "");
  const LlvmPassName dropped[] = {{"bdce", "BDCEPass"}, {"loop-dropped", "LoopDroppedPass"}};
  EXPECT_EQ(missing_pass(dropped), "this LLVM has no pass 'LoopDroppedPass', which the model of nvcc leaves out");
  const LlvmPassName renamed[] = {{"bdce", "DeadBitsPass"}};
  EXPECT_EQ(missing_pass(renamed), "this LLVM has no pass 'DeadBitsPass', which the model of nvcc leaves out");
}

} // namespace
} // namespace smem
