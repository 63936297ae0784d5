// Where a project begins that is under no version control.
#include "frontend/project_root.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

namespace smem {
namespace {

namespace fs = std::filesystem;

/// Folders that are gone with the test; nothing is in them but what it adds.
class ProjectRoot : public testing::Test {
protected:
  ProjectRoot() : top_(fs::path(testing::TempDir()) / "project_root_test") { fs::remove_all(top_); }
  ~ProjectRoot() override {
    fs::remove_all(top_);
    ::setenv("HOME", home_.c_str(), 1);
  }
  fs::path path(const std::string &file) const { return top_ / file; }
  fs::path add(const std::string &file) const {
    fs::create_directories(path(file).parent_path());
    std::ofstream(path(file)) << "\n";
    return path(file);
  }
  std::string root_of(const std::string &file) const {
    return project_root(add(file)).lexically_relative(top_).string();
  }

private:
  fs::path top_;
  std::string home_ = std::getenv("HOME") ? std::getenv("HOME") : "/nonexistent";
};

TEST_F(ProjectRoot, IsTheHighestFolderThatIsBuiltOrLicensed) {
  add("all/release/configure.ac");
  EXPECT_EQ(root_of("all/release/x11/k.cu"), "all/release");
  EXPECT_EQ(root_of("all/release/deep/er/and/er/k.cu"), "all/release");
  add("all/release/gpu/CMakeLists.txt");
  add("all/release/gpu/kernels/README.md");
  EXPECT_EQ(root_of("all/release/gpu/kernels/k.cu"), "all/release");
  add("all/other/LICENSE.txt");
  EXPECT_EQ(root_of("all/other/cuda/k.cu"), "all/other");
  EXPECT_EQ(root_of("all/plain/cuda/k.cu"), "all/plain/cuda") << "nothing is known of what is above";
}

TEST_F(ProjectRoot, IsNoFolderOfProjects) {
  add("clones/README");
  add("clones/Makefile");
  add("clones/one/.git/HEAD");
  add("clones/release/Makefile");
  EXPECT_EQ(root_of("clones/release/src/k.cu"), "clones/release");
  EXPECT_EQ(root_of("clones/one/src/k.cu"), "clones/one");
  add("texts/README");
  add("texts/release/COPYING");
  EXPECT_EQ(root_of("texts/release/src/k.cu"), "texts/release") << "any folder may have a README";
  add("far/Makefile");
  add("far/a/b/c/release/Makefile");
  EXPECT_EQ(root_of("far/a/b/c/release/k.cu"), "far/a/b/c/release");
}

TEST_F(ProjectRoot, IsNoHomeFolderAndNoneForTemporaryFiles) {
  ::setenv("HOME", path("users/one").c_str(), 1);
  add("users/Makefile");
  add("users/one/Makefile");
  EXPECT_EQ(root_of("users/one/release/k.cu"), "users/one/release");
  EXPECT_EQ(root_of("users/two/release/k.cu"), "users/two/release");
  EXPECT_EQ(project_root(add("users/one/k.cu")), fs::path());
  add("users/one/.git/HEAD"); // of someone's settings
  EXPECT_EQ(root_of("users/one/release/k.cu"), "users/one/release");
  for (const char *file : {"/tmp/k.cu", "/var/tmp/k.cu", "/k.cu", "/home/k.cu", "/home/someone/k.cu"})
    EXPECT_EQ(project_root(file), fs::path()) << file;
}

TEST_F(ProjectRoot, OfAClonedOneIsWhereVersionControlBegins) {
  add("cloned/.git/HEAD");
  add("cloned/src/CMakeLists.txt");
  EXPECT_EQ(root_of("cloned/src/cuda/k.cu"), "cloned");
}

} // namespace
} // namespace smem
