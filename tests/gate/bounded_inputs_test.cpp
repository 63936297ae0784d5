// Texts that files bring along, within bounds: JSON, regular expressions, configurations.
#include "config/config.h"
#include "gate/baseline.h"
#include "gate/line_filter.h"
#include "support/regular_expression.h"

#include <gtest/gtest.h>

#include <string>

namespace smem {
namespace {

std::string repeated(const std::string &text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

TEST(BoundedInputs, JsonIsNotNestedWithoutEnd) {
  for (const std::string &opening : {std::string("["), std::string("{\"a\":"), std::string("[\"[\\\"\",")}) {
    std::string error;
    (void)LineFilter::parse("[" + repeated(opening, 300), error);
    EXPECT_EQ(error, "not JSON: nested deeper than 256 levels, the limit") << opening;
    error.clear();
    EXPECT_FALSE(Baseline::parse(repeated(opening, 1'000'000), error));
    EXPECT_EQ(error, "is not JSON: nested deeper than 256 levels, the limit") << opening;
  }
}

TEST(BoundedInputs, BracketsInStringsAreNoNesting) {
  std::string error;
  (void)LineFilter::parse("[{\"name\": \"" + repeated("[\\\"{", 500) + "\"}]", error);
  EXPECT_EQ(error, "");
  (void)LineFilter::parse("[" + repeated("{\"name\": \"k.cu\"},", 500) + "{\"name\": \"k.cu\"}]", error);
  EXPECT_EQ(error, "");
}

TEST(BoundedInputs, ExpressionsThatMultiplyAreRefused) {
  for (const char *fine : {".*", "include/.*\\.cuh$", "(a|b)+c{2,7}", "[0-9]{1,20}x{40}", "\\{1000000\\}", "a{255}"})
    EXPECT_EQ(wrong_with_regular_expression(fine), "") << fine;
  EXPECT_EQ(wrong_with_regular_expression("((a{99}){99})"), "repeats something more than 1000 times, the limit");
  EXPECT_EQ(wrong_with_regular_expression("(a{1,32}){32}b{0,2}"), "repeats something more than 1000 times, the limit");
  EXPECT_EQ(wrong_with_regular_expression("a{99999999999999999999999}"),
            "repeats something more than 1000 times, the limit");
  EXPECT_EQ(wrong_with_regular_expression("(a*)*\\1"), "back references are not supported");
  EXPECT_EQ(wrong_with_regular_expression(std::string(1001, 'a')), "longer than 1000 characters, the limit");
  EXPECT_EQ(wrong_with_regular_expression(repeated("(", 11) + "a" + repeated(")+", 11)),
            "parentheses nested deeper than 10 levels, the limit");
  EXPECT_NE(wrong_with_regular_expression("(a"), "");
}

TEST(BoundedInputs, ConfigurationsAreNotNestedWithoutEnd) {
  const auto complaint = [](const std::string &text) {
    const ParsedConfig parsed = parse_config(text, "c.yaml", "/");
    return parsed.diagnostics.empty() ? std::string() : parsed.diagnostics.front().message;
  };
  const std::string limit = "nested too deep: 2000 brackets in a file and 64 indicators on a line are the limits";
  EXPECT_EQ(complaint("Checks: " + repeated("[", 100'000)), limit);
  EXPECT_EQ(complaint("Checks: " + repeated("{a: ", 100'000)), limit);
  EXPECT_EQ(complaint("Checks: [\"" + repeated("\", [ \"\n", 100'000)), limit);
  EXPECT_EQ(complaint(repeated("- ", 100'000)), limit);
  EXPECT_EQ(complaint(repeated("? ", 100'000)), limit);
  EXPECT_EQ(complaint("Checks: '" + repeated("-", 100) + "'\n# " + repeated("- ", 200)),
            complaint("Checks: '" + repeated("-", 100) + "'\n"));
  const ParsedConfig parsed = parse_config("FailOn: error\n\n" + repeated("- ", 100), "c.yaml", "/");
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_EQ(parsed.diagnostics.front().location.line, 3u);
}

} // namespace
} // namespace smem
