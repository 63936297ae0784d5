// What a source begins with, by its text.
#include "frontend/leading_headers.h"

#include <map>

#include <gtest/gtest.h>

namespace smem {
namespace {

using Names = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

LeadingHeaders leading(const std::string &source, Files files = {}) {
  files["/p/k.cu"] = source;
  return leading_headers("/p/k.cu", [&](const std::string &path) -> std::optional<std::string> {
    const auto file = files.find(path);
    return file == files.end() ? std::nullopt : std::optional(file->second);
  });
}

TEST(LeadingHeaders, EndWithTheFirstOtherThing) {
  EXPECT_EQ(leading("// a\n#include <a>\n/* b */ # include<b/c.h> // d\n\n#define N\n#include <e>\n").names,
            (Names{"a", "b/c.h"}));
  EXPECT_EQ(leading("#include <a>\n#include <b>\n#include <a>\n").names, (Names{"a", "b"}));
  EXPECT_EQ(leading("#include <a>\nint x;\n#include <b>\n").names, (Names{"a"}));
  EXPECT_EQ(leading("#include <a>\n#if 1\n#include <b>\n#endif\n").names, (Names{"a"}));
  EXPECT_EQ(leading("#include <a> int\n#include <b>\n").names, (Names{"a"}));
  EXPECT_EQ(leading("#pragma once\n#include <a>\n#pragma unroll\n#include <b>\n").names, (Names{"a"}));
  EXPECT_EQ(leading("#include NAME\n#include <a>\n").names, Names{});
  EXPECT_EQ(leading("#include_next <a>\n").names, Names{});
  EXPECT_EQ(leading("").names, Names{});
  EXPECT_EQ(leading("#").names, Names{});
  EXPECT_EQ(leading("#include").names, Names{});
  EXPECT_EQ(leading("#include <a").names, Names{});
  EXPECT_EQ(leading("#include <>\n#include <a>\n").names, Names{});
}

TEST(LeadingHeaders, AreThoseOfHeadersBesideTheSource) {
  const LeadingHeaders found =
      leading("#include <a>\n#include \"in/b.h\"\n#include \"c.h\"\n#include <d>\n",
              {{"/p/in/b.h", "#pragma once\n#include <b>\n#include \"../c.h\"\n"},
               {"/p/c.h", "#ifndef C_H\n#define C_H\n#include <c>\n#include \"in/b.h\"\n#endif // C_H\n"}});
  EXPECT_EQ(found.names, (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(found.guards, (Names{"C_H"}));
}

TEST(LeadingHeaders, OfHeadersWithMoreAreTheirFirst) {
  EXPECT_EQ(leading("#include \"b.h\"\n#include <a>\n", {{"/p/b.h", "#pragma once\n#include <b>\nint x;\n"}}).names,
            (Names{"b"}));
  // Nothing says that these are read once.
  EXPECT_EQ(leading("#include \"b.h\"\n", {{"/p/b.h", "#include <b>\n"}}).names, Names{});
  EXPECT_EQ(leading("#include \"b.h\"\n", {{"/p/b.h", "#ifndef A\n#define B\n#include <b>\n#endif\n"}}).names, Names{});
  EXPECT_EQ(leading("#include \"b.h\"\n", {{"/p/b.h", "#ifndef B\n#define B 1\n#include <b>\n#endif\n"}}).names,
            Names{});
  // A guard that was copied: the second header is empty.
  EXPECT_EQ(leading("#include \"b.h\"\n#include \"c.h\"\n#include <d>\n",
                    {{"/p/b.h", "#ifndef B\n#define B\n#include <b>\n#endif\n"},
                     {"/p/c.h", "#ifndef B\n#define B\n#include <c>\n#endif\n"}})
                .names,
            (Names{"b"}));
  // Not beside it: another folder's.
  EXPECT_EQ(leading("#include \"b.h\"\n#include <a>\n").names, Names{});
  // What is after the guard's end may be anything.
  EXPECT_EQ(leading("#include \"b.h\"\n#include <a>\n",
                    {{"/p/b.h", "#ifndef B\n#define B\n#include <b>\n#endif\n#include <c>\n"}})
                .names,
            (Names{"b"}));
}

TEST(LeadingHeaders, OfHeadersInHeadersWithoutEnd) {
  Files files;
  for (int i = 0; i < 1000; ++i)
    files["/p/" + std::to_string(i) + ".h"] =
        "#pragma once\n#include <a" + std::to_string(i) + ">\n#include \"" + std::to_string(i + 1) + ".h\"\n";
  EXPECT_EQ(leading("#include \"0.h\"\n#include <b>\n", files).names.size(), 199u);
}

} // namespace
} // namespace smem
