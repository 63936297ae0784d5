// Headers that no include folder has: which file of a project is meant, and operators that are declared behind the template which uses them.
#include "frontend/project_headers.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "frontend/known_headers.h"
#include "frontend/late_operators.h"
#include "frontend/source_patches.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

/// A project that is gone with the test.
class Project {
public:
  Project() : root_(fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(root_);
    fs::create_directories(root_ / ".git");
  }
  ~Project() { fs::remove_all(root_); }
  std::string add(const std::string &file, const std::string &text = "") {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
    return path(file);
  }
  std::string path(const std::string &file) const { return (root_ / file).string(); }

private:
  fs::path root_;
};

TEST(ProjectFiles, TheNearestOfSeveralIsMeant) {
  Project project;
  const std::string source = project.add("csrc/kernels/k.cu"), other = project.add("examples/k.cu");
  const std::string own = project.add("csrc/include/util.h", "1"),
                    copied = project.add("examples/deps/csrc/include/util.h", "2");
  ProjectFiles files(source);
  const HeaderInProject from_source = files.find("include/util.h", source);
  EXPECT_EQ(from_source.file, own);
  EXPECT_EQ(from_source.folder, project.path("csrc"));
  EXPECT_FALSE(from_source.only);
  EXPECT_EQ(files.find("include/util.h", other).file, copied);
  EXPECT_EQ(files.find("util.h", source).folder, project.path("csrc/include"));
  EXPECT_EQ(files.find("til.h", source).folder, "") << "a name is a whole one";
}

TEST(ProjectFiles, OfEqualDistanceNoneIsMeantUnlessContentsAreEqual) {
  Project project;
  const std::string source = project.add("k.cu");
  project.add("a/one.h", "1");
  project.add("b/one.h", "2");
  project.add("a/two.h", "2");
  project.add("b/two.h", "2");
  ProjectFiles files(source);
  EXPECT_EQ(files.find("one.h", source).file, "");
  EXPECT_EQ(files.find("one.h", source).folder, project.path("a"));
  EXPECT_EQ(files.find("two.h", source).file, project.path("a/two.h"));
  EXPECT_TRUE(files.find("two.h", source).only);
}

TEST(ProjectFiles, LinkedFoldersLeaveOpenWhetherThereIsAnother) {
  Project project;
  const std::string source = project.add("k.cu"), header = project.add("a/one.h");
  fs::create_directory_symlink("/", project.path("b"));
  project.add(".hidden/one.h");
  ProjectFiles files(source);
  EXPECT_EQ(files.find("one.h", source).file, header);
  EXPECT_FALSE(files.find("one.h", source).only);
}

TEST(ProjectFiles, NamesSubmodulesThatAreNotThere) {
  Project project;
  const std::string source = project.add("src/k.cu");
  EXPECT_EQ(ProjectFiles(source).absent_submodules(), std::vector<std::string>());
  project.add(
      ".gitmodules",
      "[submodule \"a\"]\n\tpath = deps/a\n\turl = u\n[submodule \"b\"]\npath=gone\n  path = b\n[submodule \"c\"]\n\tpath = ../outside\n\tpath = with blank\n");
  project.add("b/file");
  EXPECT_EQ(ProjectFiles(source).absent_submodules(), (std::vector<std::string>{"deps/a", "gone", "with blank"}));
}

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

std::string declared_earlier(const std::string &text, const std::string &use, const std::string &name) {
  const std::size_t names[] = {text.find(name)};
  const auto declarations = declare_earlier(text, text.find(use), names);
  return declarations.empty() ? "" : text.substr(0, declarations[0].place) + "[" + declarations[0].text + "]";
}

TEST(LateOperators, AreDeclaredInFrontOfTheTemplate) {
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
      << "it is in front";
  EXPECT_EQ(declared_earlier("struct S { T f(T a) { a + a; }\nV operator+(V); };", "a + a", "operator+"), "");
  EXPECT_EQ(declared_earlier("} T f(T a) { a + a; }\nV operator+(V, V);", "a + a", "operator+"), "");
}

} // namespace
} // namespace smem
