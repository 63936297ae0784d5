// Headers that no include folder has: which file of a project is meant.
#include "frontend/project_headers.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

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

TEST(ProjectFiles, OfEqualDistanceTheOneBesideCodeForCudaIsMeant) {
  Project project;
  const std::string source = project.add("src/k.cu");
  project.add("include/acc/words.h", "#define ROUTINE");
  project.add("include/acc/real.h", "1");
  project.add("include/cu/words.h", "#define ROUTINE __device__");
  const std::string real = project.add("include/cu/real.h", "2");
  project.add("include/hip/real.h", "3");
  ProjectFiles files(source);
  EXPECT_EQ(files.find("real.h", source).file, real);
  EXPECT_EQ(files.find("real.h", source).folder, project.path("include/cu"));
  EXPECT_FALSE(files.find("real.h", source).only);
  project.add("include/hip/words.h", "#define ROUTINE __host__ __device__");
  EXPECT_EQ(files.find("real.h", source).file, "") << "two of them are";
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

TEST(ProjectFiles, ALargeHeaderThatIsTheOnlyOneIsMeant) {
  Project project;
  const std::string source = project.add("k.cu"),
                    header = project.add("a/all.h", std::string(std::size_t{3} << 20, '\n'));
  project.add("a/twice.h", std::string(std::size_t{3} << 20, '\n'));
  project.add("b/twice.h", std::string(std::size_t{3} << 20, '\n'));
  ProjectFiles files(source);
  EXPECT_EQ(files.find("all.h", source).file, header);
  EXPECT_TRUE(files.find("all.h", source).only);
  EXPECT_EQ(files.find("twice.h", source).file, project.path("a/twice.h"));
}

} // namespace
} // namespace smem
