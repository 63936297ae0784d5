// Files that are whole, and where they belong.
#include "sinks/files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace smem::sinks {
namespace {
namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
  void SetUp() override {
    char pattern[] = "/tmp/smem-sinks-XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    folder = fs::canonical(pattern);
    fs::create_directories(root() / "src");
    fs::create_directories(folder / "outside");
    put(root() / "src/k.cu", "old");
    put(folder / "outside/victim", "precious");
    std::string error;
    tree = Tree::open(root(), error);
    ASSERT_TRUE(tree) << error;
  }
  void TearDown() override {
    EXPECT_EQ(get(folder / "outside/victim"), "precious");
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      EXPECT_FALSE(entry.path().string().ends_with(".smem-lint-tmp")) << entry.path();
    fs::remove_all(folder);
  }

  fs::path root() const { return folder / "repository"; }
  static void put(const fs::path &path, const std::string &text) { std::ofstream(path) << text; }
  static std::string get(const fs::path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  fs::path folder;
  Tree tree;
};

TEST_F(Files, AreReplacedWithTheirPermissions) {
  fs::permissions(root() / "src/k.cu", fs::perms(0640));
  EXPECT_EQ(tree.write("src/k.cu", "new"), "");
  EXPECT_EQ(get(root() / "src/k.cu"), "new");
  EXPECT_EQ(fs::status(root() / "src/k.cu").permissions(), fs::perms(0640));
  EXPECT_EQ(write_file(root() / "src/k.cu", "newer"), "");
  EXPECT_EQ(get(root() / "src/k.cu"), "newer");
  EXPECT_EQ(fs::status(root() / "src/k.cu").permissions(), fs::perms(0640));
}

TEST_F(Files, ANameInATreeStaysInIt) {
  fs::create_symlink(folder / "outside", root() / "link");
  fs::create_symlink("../outside/victim", root() / "file");
  for (const char *name : {"link/victim", "link/new", "file", "../outside/victim", "/etc/passwd", "", ".", "..",
                           "src/../src/k.cu", "src//k.cu", "src/", "src"}) {
    SCOPED_TRACE(name);
    EXPECT_NE(tree.write(name, "overwritten"), "");
    EXPECT_NE(tree.write(name, "overwritten", {.make_folders = true}), "");
    std::string text;
    EXPECT_FALSE(tree.read(name, 100, text));
  }
  std::string error;
  EXPECT_FALSE(tree.folder("link/made", error));
  EXPECT_NE(error, "");
  EXPECT_FALSE(fs::exists(folder / "outside/made"));
  EXPECT_FALSE(fs::exists(folder / "outside/new"));
}

TEST_F(Files, PathsAreResolvedBeforeTheyAreCompared) {
  fs::create_directories(folder / "repository-2");
  put(folder / "repository-2/k.cu", "");
  fs::create_symlink("src/k.cu", root() / "inside");
  fs::create_symlink("../outside/victim", root() / "leads_out");
  fs::create_symlink("../outside", root() / "folder_out");
  fs::create_symlink("../outside/none", root() / "dangling");
  fs::create_symlink(root(), folder / "other_name");
  const auto name = [&](const fs::path &path) {
    std::string error;
    const std::string found = tree.inside(path, error);
    EXPECT_NE(found.empty(), error.empty());
    return found;
  };
  EXPECT_EQ(name(root() / "src/k.cu"), "src/k.cu");
  EXPECT_EQ(name(root() / "src/new.json"), "src/new.json");
  EXPECT_EQ(name(root() / "inside"), "src/k.cu");
  EXPECT_EQ(name(folder / "other_name/src/k.cu"), "src/k.cu");
  for (const char *path : {"repository/leads_out", "repository/folder_out/victim", "repository/folder_out/new",
                           "repository/dangling", "repository-2/k.cu", "repository", "repository/none/new"})
    EXPECT_EQ(name(folder / path), "") << path;
}

TEST_F(Files, AnOutputReplacesALinkAndNotWhatItLeadsTo) {
  fs::create_symlink(folder / "outside/victim", folder / "report.json");
  EXPECT_EQ(write_file(folder / "report.json", "report"), "");
  EXPECT_FALSE(fs::is_symlink(folder / "report.json"));
  EXPECT_EQ(get(folder / "report.json"), "report");
}

TEST_F(Files, ErrorsNameTheFileAndTheReason) {
  EXPECT_EQ(write_file(root(), "x"), "cannot write '" + root().string() + "': it is a directory");
  EXPECT_EQ(write_file((root() / "none/x").string(), "x"),
            "cannot write '" + (root() / "none/x").string() + "': No such file or directory");
  EXPECT_EQ(write_file((root() / "src/k.cu/x").string(), "x"),
            "cannot write '" + (root() / "src/k.cu/x").string() + "': Not a directory");
  EXPECT_EQ(write_file("/dev/full", "x"), "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(write_file("", "x"), "cannot write '': it is no name of a file");
}

TEST_F(Files, AReadOnlyFolderIsLeftAlone) {
  constexpr uid_t kNobody = 65534; // root may write everywhere
  const bool is_root = geteuid() == 0;
  fs::permissions(root() / "src", fs::perms(0555));
  if (is_root) {
    ASSERT_EQ(chown((root() / "src").c_str(), kNobody, kNobody), 0);
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const std::string wrong = tree.write("src/k.cu", "new");
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_NE(wrong.find("Permission denied"), std::string::npos) << wrong;
  fs::permissions(root() / "src", fs::perms(0755));
  EXPECT_EQ(get(root() / "src/k.cu"), "old");
}

TEST_F(Files, AFileThatHasChangedIsLeftAlone) {
  const std::optional<std::string> missing, old = "old", other = "other";
  EXPECT_NE(tree.write("src/k.cu", "new", {.before = &other}).find(kHasChanged), std::string::npos);
  EXPECT_NE(tree.write("src/k.cu", "new", {.before = &missing}).find(kHasChanged), std::string::npos);
  EXPECT_NE(write_file(root() / "src/none", "new", {.before = &old}).find(kHasChanged), std::string::npos);
  EXPECT_EQ(get(root() / "src/k.cu"), "old");
  EXPECT_EQ(tree.write("src/k.cu", "new", {.before = &old}), "");
  EXPECT_EQ(write_file(root() / "src/none", "new", {.before = &missing}), "");
  EXPECT_EQ(get(root() / "src/k.cu") + get(root() / "src/none"), "newnew");
}

TEST_F(Files, ReadingTakesRegularFilesOnly) {
  ASSERT_EQ(mkfifo((root() / "pipe").c_str(), 0600), 0);
  std::string text, error;
  EXPECT_FALSE(tree.read("pipe", 100, text));
  EXPECT_FALSE(tree.read("src/k.cu", 2, text)); // too long
  EXPECT_TRUE(tree.read("src/k.cu", 3, text));
  EXPECT_EQ(text, "old");
  EXPECT_FALSE(read_file(root() / "pipe", error));
  EXPECT_EQ(error, "it is a pipe, and only regular files are read");
  EXPECT_FALSE(read_file("/dev/zero", error));
  EXPECT_EQ(error, "it is a device, and only regular files are read");
  EXPECT_FALSE(read_file(root(), error));
  EXPECT_EQ(error, "it is a directory, and only regular files are read");
  EXPECT_FALSE(read_file("/proc/self/environ", error));
  EXPECT_EQ(error, "the kernel makes it up, and only regular files are read");
  EXPECT_EQ(read_file("/dev/null", error), "");
  EXPECT_EQ(error, "");
  EXPECT_FALSE(read_file(root() / "src/k.cu", error, 2));
  EXPECT_EQ(error, "it is larger than 0 MiB, the limit for such a file");
  EXPECT_EQ(read_file(root() / "src/k.cu", error, 3), "old");
  EXPECT_FALSE(read_existing(root() / "none", error));
  EXPECT_EQ(error, "No such file or directory");
  EXPECT_FALSE(read_file(root() / "none", error));
  EXPECT_EQ(error, "");
}

TEST_F(Files, APrivateFileIsTheUsersOwn) {
  std::string error;
  EXPECT_FALSE(tree.read_private("key", 100, error));
  EXPECT_EQ(error, "");
  EXPECT_EQ(tree.create_private("key", "first"), "");
  EXPECT_EQ(tree.create_private("key", "second"), ""); // somebody was faster
  EXPECT_EQ(tree.read_private("key", 100, error), "first");
  EXPECT_EQ(fs::status(root() / "key").permissions(), fs::perms(0600));
  fs::permissions(root() / "key", fs::perms(0640));
  EXPECT_FALSE(tree.read_private("key", 100, error));
  EXPECT_NE(error.find("others may read or write"), std::string::npos);
  error.clear();
  fs::create_symlink("src/k.cu", root() / "linked");
  EXPECT_FALSE(tree.read_private("linked", 100, error));
  EXPECT_NE(error, "");
}

TEST_F(Files, AreReplacedTogetherOrNotAtAll) {
  put(root() / "src/b.cu", "old b");
  {
    Replacement replacement;
    EXPECT_EQ(replacement.stage(tree, "src/k.cu", "new"), "");
    EXPECT_NE(replacement.stage(tree, "src/none.cu", "new"), "");
  }
  EXPECT_EQ(get(root() / "src/k.cu"), "old");
  {
    Replacement replacement;
    EXPECT_EQ(replacement.stage(tree, "src/b.cu", "new b"), "");
    EXPECT_EQ(replacement.stage(tree, "src/k.cu", "new"), "");
    fs::remove(root() / "src/k.cu"); // a folder cannot be replaced by a file
    fs::create_directory(root() / "src/k.cu");
    EXPECT_NE(replacement.commit(), "");
  }
  EXPECT_EQ(get(root() / "src/b.cu"), "old b");
  fs::remove(root() / "src/k.cu");
  put(root() / "src/k.cu", "old");
  Replacement replacement;
  EXPECT_EQ(replacement.stage(tree, "src/b.cu", "new b"), "");
  EXPECT_EQ(replacement.stage(tree, "src/k.cu", "new"), "");
  EXPECT_EQ(replacement.commit(), "");
  EXPECT_EQ(get(root() / "src/b.cu") + get(root() / "src/k.cu"), "new bnew");
}

} // namespace
} // namespace smem::sinks
