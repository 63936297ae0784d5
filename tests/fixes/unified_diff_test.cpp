// Patches: what they say of edits at every place of a line, and of files without an end.
#include "fixes/edits.h"
#include "fixes/unified_diff.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace smem {
namespace {

Edit edit(std::uint64_t offset, std::uint64_t length, std::string replacement) {
  return {"k.cu", offset, length, std::move(replacement)};
}

std::string numbered(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i)
    text += std::to_string(i) + "\n";
  return text;
}

TEST(UnifiedDiff, OneLine) {
  EXPECT_EQ(unified_diff("k.cu", "a\nb\nc\nd\ne\nf\ng\nh\ni\n", std::vector{edit(8, 1, "E")}),
            "--- k.cu\n+++ k.cu\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n");
}

TEST(UnifiedDiff, NothingChanges) {
  EXPECT_EQ(unified_diff("k.cu", "a\nb\n", {}), "");
  EXPECT_EQ(unified_diff("k.cu", "a\nb\n", std::vector{edit(2, 1, "b")}), "");
  EXPECT_EQ(unified_diff("k.cu", "", {}), "");
}

TEST(UnifiedDiff, LinesThatAreInsertedAndRemoved) {
  EXPECT_EQ(unified_diff("k.cu", "a\nb\n", std::vector{edit(2, 0, "x\ny\n")}),
            "--- k.cu\n+++ k.cu\n@@ -1,2 +1,4 @@\n a\n+x\n+y\n b\n");
  EXPECT_EQ(unified_diff("k.cu", "a\nb\nc\n", std::vector{edit(2, 2, "")}),
            "--- k.cu\n+++ k.cu\n@@ -1,3 +1,2 @@\n a\n-b\n c\n");
  EXPECT_EQ(unified_diff("k.cu", "a\n", std::vector{edit(0, 2, "")}), "--- k.cu\n+++ k.cu\n@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(unified_diff("k.cu", "a\n", std::vector{edit(2, 0, "b\n")}), "--- k.cu\n+++ k.cu\n@@ -1 +1,2 @@\n a\n+b\n");
}

TEST(UnifiedDiff, WithoutAnEndOfTheLastLine) {
  EXPECT_EQ(
      unified_diff("k.cu", "a\nb", std::vector{edit(2, 1, "c")}),
      "--- k.cu\n+++ k.cu\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("k.cu", "a\nb", std::vector{edit(0, 1, "c")}),
            "--- k.cu\n+++ k.cu\n@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n");
}

TEST(UnifiedDiff, HunksWhoseContextsTouchAreOne) {
  const std::string text = numbered(9) + numbered(9);
  const auto hunks = [&](std::uint64_t second) {
    const std::string diff = unified_diff("k.cu", text, std::vector{edit(0, 1, "x\ny"), edit(second, 1, "z")});
    return std::pair(std::count(diff.begin(), diff.end(), '@') / 4, diff);
  };
  EXPECT_EQ(hunks(14).first, 1); // six lines in between
  const auto [count, diff] = hunks(16);
  EXPECT_EQ(count, 2);
  EXPECT_NE(diff.find("@@ -1,4 +1,5 @@\n"), std::string::npos) << diff;
  EXPECT_NE(diff.find("@@ -6,7 +7,7 @@\n"), std::string::npos) << diff;
}

TEST(UnifiedDiff, BytesAndNames) {
  EXPECT_EQ(unified_diff("a b.cu", "x\r\n\xff\r\n", std::vector{edit(0, 1, "y")}),
            "--- a b.cu\t\n+++ a b.cu\t\n@@ -1,2 +1,2 @@\n-x\r\n+y\r\n \xff\r\n");
  EXPECT_TRUE(unified_diff("a\n\"b.cu", "x\n", std::vector{edit(0, 1, "y")})
                  .starts_with("--- \"a\\012\\042b.cu\"\n+++ \"a\\012\\042b.cu\"\n"));
}

/// What a patch makes of a text, read as `patch` would.
std::string patched(const std::string &text, const std::string &diff) {
  std::vector<std::string> old, out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    old.push_back(line);
  std::istringstream lines(diff);
  std::size_t at = 0;
  for (std::string line; std::getline(lines, line);) {
    unsigned first = 0, count = 1;
    if (line.starts_with("@@")) {
      if (std::sscanf(line.c_str(), "@@ -%u,%u", &first, &count) == 1)
        count = 1;
      for (const std::size_t begin = count == 0 ? first : first - 1; at < begin; ++at)
        out.push_back(old[at]);
    } else if (line.starts_with(' ') || (line.starts_with('-') && !line.starts_with("--- "))) {
      EXPECT_EQ(line.substr(1), old.at(at));
      if (line[0] == ' ')
        out.push_back(old[at]);
      ++at;
    } else if (line.starts_with('+') && !line.starts_with("+++ ")) {
      out.push_back(line.substr(1));
    }
  }
  for (; at < old.size(); ++at)
    out.push_back(old[at]);
  std::string result;
  for (const std::string &line : out)
    result += line + "\n";
  return result;
}

TEST(UnifiedDiff, IsTheEditsOnAnyText) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::size_t i = below(30); i > 0; --i)
      text += std::string(below(3), static_cast<char>('a' + below(3))) + "\n";
    std::vector<Edit> edits;
    for (std::size_t at = 0; at < text.size();) {
      at += below(25);
      if (at >= text.size())
        break;
      const std::size_t length = std::min<std::size_t>(below(4), text.size() - 1 - at); // the last line keeps its end
      std::string replacement;
      for (std::size_t i = below(4); i > 0; --i)
        replacement += "ab\n"[below(3)];
      edits.push_back(edit(at, length, replacement));
      at += length + 1;
    }
    ASSERT_EQ(patched(text, unified_diff("k.cu", text, edits)), apply_edits(text, edits, "k.cu"))
        << round << "\n"
        << unified_diff("k.cu", text, edits);
  }
}

} // namespace
} // namespace smem
