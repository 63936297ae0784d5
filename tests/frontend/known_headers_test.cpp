// Which header declares a name that an error misses.
#include "frontend/known_headers.h"

#include <memory>

#include <gtest/gtest.h>

#include "frontend/source_patches.h"

namespace smem {
namespace {

TEST(KnownHeaders, AreThoseOfTheNamesThatErrorsMiss) {
  const auto missed = [](const std::string &message, const std::string &text) {
    SourceError error;
    error.message = message;
    error.contents = std::make_shared<const std::string>(text);
    return std::string(header_missed_by(error));
  };
  EXPECT_EQ(missed("unknown type name '__nv_bfloat16'", ""), "cuda_bf16.h");
  EXPECT_EQ(missed("no template named 'vector' in namespace 'std'", ""), "vector");
  EXPECT_EQ(missed("use of undeclared identifier 'std'", "std::unordered_map<int, int> m;"), "unordered_map");
  EXPECT_EQ(missed("use of undeclared identifier 'std'", "std"), "");
  EXPECT_EQ(missed("use of undeclared identifier 'vector'", ""), "") << "not in std";
  EXPECT_EQ(missed("no member named 'vector' in 'Own'", ""), "");
  EXPECT_EQ(missed("expected ';'", ""), "");
}

} // namespace
} // namespace smem
