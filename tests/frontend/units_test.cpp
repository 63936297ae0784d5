// What translation units know of one another, and which of them a change concerns.
#include <gtest/gtest.h>

#include "analysis/exchange.h"
#include "driver/changed_files.h"
#include "driver/progress.h"

#include <filesystem>
#include <fstream>

namespace smem {
namespace {

UnitDefinition defined(const std::string &name, const std::string &file) { return {name, {file, 1, 1}}; }

HostLaunch launched(const std::string &kernel, const std::string &file, std::uint32_t threads) {
  HostLaunch launch;
  launch.launch.mangled = kernel;
  launch.launch.location = {file, 2, 1};
  launch.launch.block = {threads, 1, 1};
  return launch;
}

PassedValue number(std::int64_t value) {
  PassedValue passed;
  passed.kind = PassedValue::Kind::Integer;
  passed.number = value;
  return passed;
}

Exchanged exchanged(const std::vector<UnitInterface> &units) {
  std::vector<const UnitInterface *> all;
  std::vector<std::string> files;
  for (const UnitInterface &unit : units) {
    all.push_back(&unit);
    files.push_back("unit" + std::to_string(files.size()) + ".cu");
  }
  return smem::exchange(all, files);
}

TEST(Exchange, KernelsHaveTheLaunchesOfOtherUnits) {
  UnitInterface kernels, one, other;
  kernels.kernels = {defined("k", "a.cu")};
  one.launches = {launched("k", "b.cu", 32), launched("missing", "b.cu", 32)};
  other.launches = {launched("k", "c.cu", 64)};
  const Exchanged all = exchanged({kernels, one, other});
  ASSERT_EQ(all.foreign[0].launches.size(), 2u);
  EXPECT_EQ(all.foreign[0].launches[1].launch.block.x, 64u);
  EXPECT_TRUE(all.foreign[1].launches.empty() && all.foreign[2].launches.empty());
  kernels.kernels[0].launched = true; // by itself
  EXPECT_TRUE(exchanged({kernels, one, other}).foreign[0].launches.empty());
}

TEST(Exchange, NothingIsTakenForOneOfTwoDefinitions) {
  UnitInterface first, second, launches;
  first.kernels = {defined("k", "a.cu")};
  second.kernels = {defined("k", "b.cu")};
  launches.launches = {launched("k", "c.cu", 32)};
  Exchanged all = exchanged({first, second, launches});
  EXPECT_TRUE(all.foreign[0].launches.empty() && all.foreign[1].launches.empty());
  ASSERT_EQ(all.diagnostics[2].size(), 1u); // once
  EXPECT_NE(all.diagnostics[2][0].message.find("a.cu:1:1 and at b.cu:1:1"), std::string::npos);
  second.kernels[0].external = false; // no other unit can mean that one
  all = exchanged({first, second, launches});
  EXPECT_EQ(all.foreign[0].launches.size(), 1u);
  EXPECT_TRUE(all.foreign[1].launches.empty());
}

TEST(Exchange, UnitsThatDisagreeOnAHeadersKernelAreNamedOnce) {
  UnitInterface one, same, other;
  one.kernels = same.kernels = other.kernels = {defined("k", "k.cuh")};
  other.kernels[0].code = 1;
  const auto notes = [](const Exchanged &all) {
    std::size_t count = 0;
    for (const std::vector<Diagnostic> &unit : all.diagnostics)
      count += unit.size();
    return count;
  };
  EXPECT_EQ(notes(exchanged({one, same})), 0u);
  const Exchanged all = exchanged({one, same, other, other});
  EXPECT_EQ(notes(all), 1u);
  ASSERT_EQ(all.diagnostics[2].size(), 1u);
  EXPECT_EQ(all.diagnostics[2][0].severity, Diagnostic::Severity::Note);
  EXPECT_NE(all.diagnostics[2][0].message.find("unit0.cu and in unit2.cu"), std::string::npos);
  other.kernels[0].external = one.kernels[0].external = false; // each unit has its own
  EXPECT_EQ(notes(exchanged({one, other})), 0u);
  other.kernels[0] = defined("k", "other.cuh"); // another program's
  EXPECT_EQ(notes(exchanged({one, other})), 0u);
}

TEST(Exchange, HeadersAreTheSameWhereMacrosMakeThemSo) {
  UnitInterface includes, launches;
  includes.kernels = launches.kernels = {defined("k", "k.cuh")};
  includes.kernels[0].external = launches.kernels[0].external = false;
  launches.kernels[0].launched = true;
  launches.launches = {launched("k", "b.cu", 32)};
  EXPECT_EQ(exchanged({includes, launches}).foreign[0].launches.size(), 1u);
  launches.kernels[0].code = 1;
  const Exchanged all = exchanged({includes, launches});
  EXPECT_TRUE(all.foreign[0].launches.empty());
  EXPECT_EQ(all.diagnostics[0].size(), 1u);
}

TEST(Exchange, CallsAreHandedOnWhereTheySayAnything) {
  UnitInterface launcher, caller, vague;
  launcher.launchers = {defined("f", "a.cu")};
  caller.undefined = vague.undefined = {"f", "g"};
  vague.calls = {{"f", {"c.cu", 3, 1}, {PassedValue()}, {}, true}};
  Exchanged all = exchanged({launcher, vague});
  EXPECT_EQ(all.foreign[1].launchers, std::vector<std::string>{"f"});
  EXPECT_TRUE(all.foreign[0].calls.empty());
  caller.calls = {{"f", {"b.cu", 3, 1}, {number(5)}, {}, true}};
  all = exchanged({launcher, caller, caller, vague}); // a header's call is met in each unit
  ASSERT_EQ(all.foreign[0].calls.size(), 2u);
  EXPECT_EQ(all.foreign[0].calls[0].arguments[0].number, 5);
}

TEST(Exchange, TheSameShapesAreHandedOnOnceAndNotWithoutEnd) {
  UnitInterface kernels, launches;
  kernels.kernels = {defined("k", "a.cu")};
  for (std::uint32_t i = 0; i < 4000; ++i)
    launches.launches.push_back(launched("k", "b.cu", 1 + i % 2000));
  const Exchanged all = exchanged({kernels, launches});
  EXPECT_EQ(all.foreign[0].launches.size(), 1024u);
  ASSERT_EQ(all.diagnostics[0].size(), 1u);
  EXPECT_NE(all.diagnostics[0][0].message.find("only the first 1024"), std::string::npos);
}

TEST(Exchange, UnitsThatCouldNotBeReadTakeNoPart) {
  UnitInterface kernels;
  kernels.kernels = {defined("k", "a.cu")};
  const UnitInterface *units[] = {nullptr, &kernels};
  const std::vector<std::string> files{"a.cu", "b.cu"};
  EXPECT_EQ(smem::exchange(units, files).foreign.size(), 2u);
}

TEST(ChangedFiles, WordsNotParts) {
  EXPECT_TRUE(names_any("x = scale<<<1, 2>>>(y);", {"scale"}));
  EXPECT_FALSE(names_any("rescale(scale2, _scale)", {"scale"}));
  EXPECT_FALSE(names_any("", {"scale"}));
}

TEST(ChangedFiles, IncludesAreFollowedByTheirText) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(testing::TempDir()) / "smem_lint_changed_files";
  fs::remove_all(root);
  fs::create_directories(root / "inc");
  const auto write = [&](const char *name, const char *text) { std::ofstream(root / name) << text; };
  write("a.cu", "#include \"b.h\"\n");
  write("inc/b.h", "# include <sub/c.h>\n");
  write("macro.cu", "#include HEADER\n");
  write("circle.cu", "#include \"circle.cu\"\n");
  const auto concerns = [&](const std::string &changed, const char *file, std::vector<std::string> flags = {}) {
    return Includers({root.string(), {(root / changed).string()}}).concerns((root / file).string(), flags);
  };
  const std::string include = "-I" + (root / "inc").string();
  EXPECT_TRUE(concerns("a.cu", "a.cu"));
  EXPECT_TRUE(concerns("inc/b.h", "a.cu")); // a folder that only the build knows
  EXPECT_TRUE(concerns("gone/sub/c.h", "a.cu", {include}));
  EXPECT_TRUE(concerns("gone/sub/c.h", "a.cu")); // the project has one b.h
  fs::create_directories(root / "more");
  write("more/b.h", "");
  EXPECT_FALSE(concerns("gone/sub/c.h", "a.cu")); // b.h is not found, nor is what it includes
  EXPECT_TRUE(concerns("other.h", "macro.cu"));
  EXPECT_FALSE(concerns("other.h", "circle.cu"));
  EXPECT_TRUE(concerns("forced.h", "circle.cu", {"-include", (root / "forced.h").string()}));
  EXPECT_TRUE(concerns(".smem-lint.yaml", "circle.cu"));
  EXPECT_FALSE(concerns("inc/.smem-lint.yaml", "circle.cu"));
  fs::remove_all(root);
}

TEST(Progress, TimeLeftIsThatOfFilesThatAreDone) {
  using std::chrono::seconds;
  EXPECT_EQ(ProgressLine::estimate(50, 200, seconds(100)), "about 5 min left");
  EXPECT_EQ(ProgressLine::estimate(190, 200, seconds(100)), "about 5 s left");
  EXPECT_EQ(ProgressLine::estimate(2, 200, seconds(100)), ""); // too early
  EXPECT_EQ(ProgressLine::estimate(3, 4, seconds(100)), "");
  EXPECT_EQ(ProgressLine::estimate(200, 200, seconds(100)), "");
}

} // namespace
} // namespace smem
