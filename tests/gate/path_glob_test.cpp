// Patterns for files: what they match, and what is wrong with them.
#include "support/path_glob.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

PathGlob glob(const std::string &text, const std::string &directory = "/p") {
  std::string error;
  std::optional<PathGlob> parsed = PathGlob::parse(text, directory, error);
  EXPECT_TRUE(parsed) << error;
  return parsed.value_or(PathGlob());
}

std::string error_of(const std::string &text) {
  std::string error;
  EXPECT_FALSE(PathGlob::parse(text, "/p", error));
  return error;
}

TEST(PathGlob, ANameIsAnywhereBelowItsFolder) {
  EXPECT_TRUE(glob("k.cu").matches("/p/k.cu"));
  EXPECT_TRUE(glob("k.cu").matches("/p/a/b/k.cu"));
  EXPECT_FALSE(glob("k.cu").matches("/other/k.cu"));
  EXPECT_FALSE(glob("k.cu").matches("/p/ak.cu"));
  EXPECT_FALSE(glob("third_party").matches("/p/third_party/k.cu"));
  EXPECT_TRUE(glob("third_party").covers("/p/third_party/k.cu"));
  EXPECT_TRUE(glob("third_party/").covers("/p/a/third_party/b/k.cu"));
  EXPECT_FALSE(glob("third_party").covers("/p/third_party_2/k.cu"));
}

TEST(PathGlob, APathIsFromItsFolderOn) {
  EXPECT_TRUE(glob("src/k.cu").matches("/p/src/k.cu"));
  EXPECT_FALSE(glob("src/k.cu").matches("/p/a/src/k.cu"));
  EXPECT_TRUE(glob("./src").covers("/p/src/k.cu"));
  EXPECT_TRUE(glob("../q/*.cu").matches("/q/k.cu"));
  EXPECT_TRUE(glob("/q/k.cu").matches("/q/k.cu"));
  EXPECT_FALSE(glob("/q/k.cu").matches("/p/q/k.cu"));
}

TEST(PathGlob, StarsKeepToANameAndDoubleStarsDoNot) {
  EXPECT_TRUE(glob("src/*.cu").matches("/p/src/k.cu"));
  EXPECT_FALSE(glob("src/*.cu").matches("/p/src/a/k.cu"));
  EXPECT_TRUE(glob("src/**/*.cu").matches("/p/src/k.cu"));
  EXPECT_TRUE(glob("src/**/*.cu").matches("/p/src/a/b/k.cu"));
  EXPECT_TRUE(glob("src/**").matches("/p/src/a/b/k.cu"));
  EXPECT_TRUE(glob("**").matches("/p/k.cu"));
  EXPECT_TRUE(glob("a*b*c").matches("/p/aXbYbZc"));
  EXPECT_FALSE(glob("a*b*c").matches("/p/aXbYbZ"));
}

TEST(PathGlob, CharactersAndSets) {
  EXPECT_TRUE(glob("k?.cu").matches("/p/k1.cu"));
  EXPECT_FALSE(glob("k?.cu").matches("/p/k.cu"));
  EXPECT_TRUE(glob("k[0-3x].cu").matches("/p/k2.cu"));
  EXPECT_FALSE(glob("k[0-3x].cu").matches("/p/k4.cu"));
  EXPECT_TRUE(glob("k[!0-3].cu").matches("/p/k4.cu"));
  EXPECT_TRUE(glob("k[]].cu").matches("/p/k].cu"));
  EXPECT_TRUE(glob("k\\*.cu").matches("/p/k*.cu"));
  EXPECT_FALSE(glob("k\\*.cu").matches("/p/kk.cu"));
}

TEST(PathGlob, TheFolderIsNoPattern) {
  EXPECT_TRUE(glob("*.cu", "/p[1]*").matches("/p[1]*/k.cu"));
  EXPECT_FALSE(glob("*.cu", "/p[1]*").matches("/p1x/k.cu"));
  EXPECT_EQ(glob("*.cu", "/p[1]").text(), "/p\\[1\\]/**/*.cu");
  EXPECT_TRUE(glob(glob("*.cu", "/p[1]").text(), "/elsewhere").matches("/p[1]/a/k.cu"));
}

TEST(PathGlob, LongPatternsTakeNoTime) {
  std::string pattern, path = "/p";
  for (int i = 0; i < 800; ++i) {
    pattern += "**/a*/";
    path += "/aaaaaaaaaaaaaaaa";
  }
  EXPECT_FALSE(glob(pattern.substr(0, 4000) + "/b").matches(path));
  EXPECT_FALSE(glob(std::string(4000, '*') + "b").matches("/p/" + std::string(4000, 'a')));
}

TEST(PathGlob, Mistakes) {
  EXPECT_NE(error_of("").find("names nothing"), std::string::npos);
  EXPECT_NE(error_of(".").find("names nothing"), std::string::npos);
  EXPECT_NE(error_of("/").find("names nothing"), std::string::npos);
  EXPECT_NE(error_of("/x/..").find("names nothing"), std::string::npos);
  EXPECT_NE(error_of("!k.cu").find("taken back"), std::string::npos);
  EXPECT_NE(error_of("k[ab.cu").find("without `]`"), std::string::npos);
  EXPECT_NE(error_of("a[b/c]d").find("without `]`"), std::string::npos);
  EXPECT_NE(error_of("k\\").find("nothing follows"), std::string::npos);
  EXPECT_NE(error_of(std::string(5000, 'a')).find("4096"), std::string::npos);
}

} // namespace
} // namespace smem
