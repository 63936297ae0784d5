// Operators that are declared after the template which uses them.
#include "frontend/late_operators.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

std::string declared_earlier(const std::string &text, const std::string &use, const std::string &name) {
  const std::size_t names[] = {text.find(name)};
  const auto declarations = declare_earlier(text, text.find(use), names);
  return declarations.empty() ? "" : text.substr(0, declarations[0].place) + "[" + declarations[0].text + "]";
}

TEST(LateOperators, AreDeclaredBeforeTheTemplate) {
  EXPECT_EQ(declared_earlier("int f() { return 1; }\ntemplate <class T> T add(T a) { if (a) { return a + a; } }\n"
                             "inline V operator+(V a, // first\n V b) { return a; }",
                             "a + a", "operator+"),
            "int f() { return 1; }\n[inline V operator + ( V a , V b ) ; ]");
  EXPECT_EQ(declared_earlier("namespace n {\nstruct S { T get() { return a + a; } };\nV operator+(V, V);\n}", "a + a",
                             "operator+"),
            "namespace n {\n[V operator + ( V , V ) ; ]");
  EXPECT_EQ(declared_earlier(
                "#if 0\n}\n#endif\ntemplate <class T> T f(T a) { a + a; }\ntemplate <class U> U operator+(U a, U b) {}",
                "a + a", "operator+"),
            "#if 0\n}\n#endif\n[template < class U > U operator + ( U a , U b ) ; ]");
}

TEST(LateOperators, OnlyFunctionsWithoutDefaultsAre) {
  const std::string user = "template <class T> void f(T a) { a + a; }\n";
  EXPECT_EQ(declared_earlier(user + "int counter; // see operator+\n", "a + a", "operator+"), "");
  EXPECT_EQ(declared_earlier(user + "struct Q : B { Q operator+(Q); };", "a + a", "operator+"), "");
  EXPECT_EQ(declared_earlier(user + "template <class S = float> V operator+(V, S);", "a + a", "operator+"), "");
  EXPECT_EQ(declared_earlier(user + "#if 1\n#else\nV operator+(V, V);\n#endif", "a + a", "operator+"), "");
}

TEST(LateOperators, OfAnotherNamespaceOrAClassAreLeftAlone) {
  EXPECT_EQ(declared_earlier("namespace n { template <class T> T f(T a) { a + a; } }\nV operator+(V, V);", "a + a",
                             "operator+"),
            "");
  EXPECT_EQ(
      declared_earlier("namespace n { T f(T a) { a + a; } } namespace m { V operator+(V, V); }", "a + a", "operator+"),
      "");
  EXPECT_EQ(declared_earlier("struct S { V operator+(V); };\nT f(T a) { a + a; }", "a + a", "operator+"), "")
      << "it comes before";
  EXPECT_EQ(declared_earlier("struct S { T f(T a) { a + a; }\nV operator+(V); };", "a + a", "operator+"), "");
  EXPECT_EQ(declared_earlier("} T f(T a) { a + a; }\nV operator+(V, V);", "a + a", "operator+"), "");
}

} // namespace
} // namespace smem
