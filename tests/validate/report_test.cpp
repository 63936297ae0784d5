// The forms of a comparison, and the command's exit codes.
#include "sample_json.h"

#include "compare/command.h"
#include "compare/join.h"
#include "compare/read.h"
#include "compare/render.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace smem::compare {
namespace {

namespace fs = std::filesystem;

constexpr Counts kLoad{8, 64, 8, 0, 0, 0};

class Command : public ::testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() /
             ("smem-compare-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder);
    write("k.cu", "__global__ void k() {\n  // a < b && \"c\"\n}\n\n  x = tile[i];\n  y = tile[j];\n");
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }

  int run(std::vector<std::string> arguments) {
    out.str("");
    errors.str("");
    return run_command(arguments, out, errors);
  }

  /// Line 5 agrees, line 6 does as told, line 7 is unknown.
  std::vector<std::string> inputs(const Counts &measured) const {
    return {write("p.json",
                  prediction({predicted_launch("_Z1kIiEvv", {site("k.cu", 5, "shared", "load", 32, kLoad),
                                                             site("k.cu", 6, "shared", "load", 32, kLoad),
                                                             site("k.cu", 7, "global", "load", 32, {}, "unknown")})})),
            write("m.jsonl",
                  measurement({measured_launch("_Z1kIiEvv", {instruction(16, "LDS", 32, "/x/k.cu", 5, kLoad),
                                                             instruction(32, "LDS", 32, "/x/k.cu", 6, measured)})}))};
  }

  std::string format(const std::string &name, const Counts &measured) {
    std::vector<std::string> arguments = inputs(measured);
    arguments.insert(arguments.end(), {"--format=" + name, "--source-root", folder.string()});
    run(arguments);
    return out.str();
  }

  fs::path folder;
  std::ostringstream out, errors;
};

TEST_F(Command, ExitCodeTellsHowItWent) {
  EXPECT_EQ(run(inputs(kLoad)), 0);
  EXPECT_NE(
      out.str().find(
          "rows 3 · claimed exact 2 right, 0 wrong · assumed 0 right, 0 wrong · unknown 1 · missing 0 · 66.6% match"),
      std::string::npos)
      << out.str();
  EXPECT_EQ(run(inputs({8, 8, 8})), 1);
  const std::string nothing = write("nothing.jsonl", session + end);
  EXPECT_EQ(run({inputs(kLoad)[0], nothing}), 2);
  EXPECT_NE(errors.str().find("nothing could be compared"), std::string::npos);
}

TEST_F(Command, BadInputIsAnError) {
  const std::vector<std::string> good = inputs(kLoad);
  EXPECT_EQ(run({}), 2);
  EXPECT_EQ(run({good[0]}), 2);
  EXPECT_EQ(run({good[0], (folder / "missing").string()}), 2);
  EXPECT_EQ(run({good[1], good[0]}), 2);
  EXPECT_EQ(run({good[0], good[0]}), 2);
  EXPECT_EQ(run({good[0], good[1], "third"}), 2);
  EXPECT_EQ(run({good[0], good[1], "--format=xml"}), 2);
  EXPECT_EQ(run({good[0], good[1], "--forma=json"}), 2);
  EXPECT_EQ(run({good[0], good[1], "--kernel=("}), 2);
  EXPECT_EQ(run({good[0], good[1], "-o", (folder / "no" / "such").string()}), 2);
  EXPECT_EQ(run({good[0], good[1], "--kernel=other"}), 2);
}

TEST_F(Command, AnotherVersionOfTheSourceIsNotCompared) {
  const std::string predicted =
      write("p.json", prediction({predicted_launch("_Z1kv", {site("k.cu", 5, "shared", "load", 32, kLoad)})},
                                 R"(,"sources":[{"file":"k.cu","sha256":"aa"}])"));
  const std::string measured =
      write("m.jsonl", session + R"({"kind":"sources","sources":[{"file":"/x/k.cu","sha256":"bb"}]})" + "\n" +
                           measured_launch("_Z1kv", {instruction(16, "LDS", 32, "/x/k.cu", 5, kLoad)}) + end);
  EXPECT_EQ(run({predicted, measured}), 2);
  EXPECT_NE(errors.str().find("different versions"), std::string::npos);
}

TEST_F(Command, OneSidedLaunchesCountOnDemand) {
  const std::vector<std::string> sites{site("k.cu", 5, "shared", "load", 32, kLoad)};
  const std::string predicted =
      write("p.json", prediction({predicted_launch("_Z1kv", sites), predicted_launch("_Z1jv", sites)}));
  const std::string measured =
      write("m.jsonl", measurement({measured_launch("_Z1kv", {instruction(16, "LDS", 32, "/x/k.cu", 5, kLoad)})}));
  EXPECT_EQ(run({predicted, measured}), 0);
  EXPECT_NE(out.str().find("not measured: _Z1jv"), std::string::npos);
  EXPECT_EQ(run({predicted, measured, "--require-all"}), 1);
}

TEST_F(Command, ReportsGoToAFile) {
  std::vector<std::string> arguments = inputs(kLoad);
  arguments.insert(arguments.end(), {"-o", (folder / "r.txt").string()});
  EXPECT_EQ(run(arguments), 0);
  EXPECT_EQ(out.str(), "");
  EXPECT_GT(fs::file_size(folder / "r.txt"), 0u);
}

TEST_F(Command, TextShowsWhatDisagrees) {
  const std::string text = format("text", {8, 16, 8});
  EXPECT_NE(text.find("k.cu:6: shared load: mismatch (false claim)"), std::string::npos) << text;
  EXPECT_NE(text.find("LDS.32 at 0x20"), std::string::npos) << text;
  EXPECT_EQ(text.find("k.cu:5"), std::string::npos) << text;
}

TEST_F(Command, JsonHasEveryRow) {
  const auto json = nlohmann::json::parse(format("json", {8, 16, 8}));
  EXPECT_EQ(json["summary"]["rows"], 3);
  EXPECT_EQ(json["summary"]["false_claims"], 1);
  ASSERT_EQ(json["launches"][0]["rows"].size(), 3u);
  const auto &row = json["launches"][0]["rows"][1];
  EXPECT_EQ(row["verdict"], "mismatch");
  EXPECT_EQ(row["claim"], "exact");
  EXPECT_EQ(row["predicted"]["wavefronts"], 64);
  EXPECT_EQ(row["measured"]["wavefronts"], 16);
  EXPECT_EQ(json["launches"][0]["rows"][2]["predicted"], nullptr);
}

TEST_F(Command, MarkdownIsATable) {
  const std::string text = format("markdown", {8, 16, 8});
  EXPECT_NE(text.find("| 1 | 3 | 1 | 1 | 0 | 0 | 1 | 0 |"), std::string::npos) << text;
  EXPECT_NE(text.find("**64 → 16**"), std::string::npos) << text;
}

TEST_F(Command, HtmlIsOnePage) {
  const std::string text = format("html", {8, 16, 8});
  for (const char *part : {"<svg", "false claim", "prefers-color-scheme: dark", "// a &lt; b &amp;&amp; &quot;c&quot;",
                           "<td class=\"n off\">64 / 16</td>"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  for (const char *part : {"http:", "https:", "src=", "@import", "url("})
    EXPECT_EQ(text.find(part), std::string::npos) << part;
}

} // namespace
} // namespace smem::compare
