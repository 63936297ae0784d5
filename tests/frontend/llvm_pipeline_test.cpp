#include "nvcc/llvm_pipeline.h"

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <llvm/Support/raw_ostream.h>

#include "nvcc/cicc/llvm_settings.h"

namespace smem {
namespace {

using Level = llvm::OptimizationLevel;

/// One pass or bracket a line, by the names of classes. `all`: those that are left out on purpose, too.
std::string text_of(llvm::ModulePassManager &passes, bool all = true) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  passes.printPipeline(stream, [](llvm::StringRef name) { return name; });
  text = std::regex_replace(text, std::regex("llvm::"), "");
  for (const std::string_view left_out : all ? decltype(passes_left_out()){} : passes_left_out())
    text = std::regex_replace(text, std::regex("\\b" + std::string(left_out) + "(<[^>]*>)?(?=[,()]|$)"), "");
  std::string lines;
  for (const char c : text)
    lines += c == ',' ? "\n" : c == '(' || c == ')' ? "\n" + std::string(1, c) + "\n" : std::string(1, c);
  return std::regex_replace(lines, std::regex("\n\n+"), "\n");
}

llvm::PipelineTuningOptions tuning() {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopInterleaving = tuning.LoopVectorization = tuning.SLPVectorization = false;
  return tuning;
}

class LlvmPipeline : public testing::TestWithParam<Level> {};

// The pipeline that is written out is that of the LLVM at hand, but for what is left out on purpose. Another release that differs is seen here, and not in
// predictions.
TEST_P(LlvmPipeline, IsLlvmsButForWhatIsLeftOut) {
  ASSERT_EQ(prepare_llvm(), "");
  llvm::PassBuilder builder(nullptr, tuning());
  llvm::ModulePassManager of_llvm = builder.buildPerModuleDefaultPipeline(GetParam());
  StageContext context{rules_for(), {}, {}, GetParam()};
  llvm::ModulePassManager own = llvm_pipeline(builder, tuning(), context, /*with_stages=*/false);
  EXPECT_EQ(text_of(own), text_of(of_llvm, /*all=*/false));
}

TEST_P(LlvmPipeline, HasTheStagesOfItsLevel) {
  ASSERT_EQ(prepare_llvm(), "");
  llvm::PassBuilder builder(nullptr, tuning());
  StageContext context{rules_for(), {}, {}, GetParam()};
  llvm::ModulePassManager passes = llvm_pipeline(builder, tuning(), context);
  const std::string text = text_of(passes);
  EXPECT_NE(text.find("AddReader"), std::string::npos) << text;
  EXPECT_EQ(text.find("UnrollAsNvcc") != std::string::npos, GetParam().getSpeedupLevel() >= 2) << text;
}

INSTANTIATE_TEST_SUITE_P(Levels, LlvmPipeline, testing::Values(Level::O1, Level::O2, Level::O3, Level::Os, Level::Oz));

TEST(LlvmPipelineUnoptimised, HasTheStagesOfAllLevels) {
  ASSERT_EQ(prepare_llvm(), "");
  llvm::PassBuilder builder(nullptr, tuning());
  StageContext context{rules_for(), {}, {}, Level::O0};
  llvm::ModulePassManager passes = llvm_pipeline(builder, tuning(), context);
  const std::string text = text_of(passes);
  EXPECT_NE(text.find("AddReader"), std::string::npos) << text;
  EXPECT_NE(text.find("ChooseFullUnrolling"), std::string::npos) << text;
  EXPECT_EQ(text.find("SimplifyCFGPass"), std::string::npos) << text;
}

} // namespace
} // namespace smem
