// Whether headers have kernels, by their texts.
#include "frontend/kernels_in_headers.h"

#include <map>

#include <gtest/gtest.h>

namespace smem {
namespace {

using Files = std::map<std::string, std::string>;

bool seem_to(const Files &files, const std::string &name = "h", const std::set<std::string> &known = {}) {
  return seem_to_have_kernels({name}, {"/a", "/b"}, known, [&](const std::string &path) -> std::optional<std::string> {
    const auto file = files.find(path);
    return file == files.end() ? std::nullopt : std::optional(file->second);
  });
}

TEST(KernelsInHeaders, AreSeenInCode) {
  EXPECT_TRUE(seem_to({{"/a/h", "int x; template <class T>\n__global__ void k(T *);\n"}}));
  EXPECT_FALSE(
      seem_to({{"/a/h", "// __global__\n/* __global__ */ const char *s = \"__global__\";\nint my__global__;\n"}}));
  EXPECT_FALSE(seem_to({{"/a/h", "#ifdef __global__\n#undef __global__\n#endif\n"}}));
  EXPECT_FALSE(seem_to({}));
}

TEST(KernelsInHeaders, AreSeenThroughMacros) {
  const std::string defines = "#define G __attribute__((weak)) \\\n  __global__\n# define MINE(x) G x\n";
  EXPECT_FALSE(seem_to({{"/a/h", defines}}));
  EXPECT_TRUE(seem_to({{"/a/h", defines + "G void k();\n"}}));
  EXPECT_TRUE(seem_to({{"/a/h", "#include <g>\nMINE(void) k();\n"}, {"/b/g", defines}}));
  EXPECT_FALSE(seem_to({{"/a/h", "#include <g>\n#define OTHER G\n"}, {"/b/g", defines}}));
}

TEST(KernelsInHeaders, AreLookedForWhereClangLooks) {
  const std::string kernel = "__global__ void k();\n";
  EXPECT_TRUE(seem_to({{"/b/h", kernel}}));
  EXPECT_FALSE(seem_to({{"/a/h", ""}, {"/b/h", kernel}})); // the first one
  EXPECT_TRUE(seem_to({{"/b/h", "  # include \"g\"\n"}, {"/b/g", kernel}}));
  EXPECT_FALSE(seem_to({{"/a/h", "#include \"g\"\n"}, {"/a/g", ""}, {"/b/g", kernel}}));
  EXPECT_TRUE(seem_to({{"/a/h", "#include \"g\"\n"}, {"/b/g", kernel}}));
  EXPECT_FALSE(seem_to({{"/a/h", "#include <g>\n"}, {"/b/g", kernel}}, "h", {"/b/g"}));
  EXPECT_TRUE(seem_to({{"/a/h", "#include <h>\n#include <g>\n"}, {"/b/g", "#include <h>\n" + kernel}})); // in a circle
}

} // namespace
} // namespace smem
