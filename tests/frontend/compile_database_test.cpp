// compile_commands.json as build systems write it.
#include "driver/compile_database.h"

#include "flags/translate_flags.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace smem {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class CompileCommands : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "smem-lint-XXXXXX").string();
    folder = fs::canonical(mkdtemp(name.data()));
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(const std::string &name, const std::string &text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
    return path(name);
  }
  std::string path(const std::string &name) const { return (folder / name).string(); }

  /// Loads a database in which `$` stands for the folder.
  CompileDatabase load(std::string json) {
    for (std::size_t at = json.find('$'); at != std::string::npos; at = json.find('$', at + 1))
      json.replace(at, 1, folder.string());
    std::string error;
    std::optional<CompileDatabase> database = CompileDatabase::load(write("build/compile_commands.json", json), error);
    EXPECT_EQ(error, "");
    return database.value_or(CompileDatabase());
  }
  /// What Clang is given for a file.
  Words clang_flags(const CompileDatabase &database, const std::string &file) {
    const std::optional<CompileDatabase::Entry> entry = database.find(path(file));
    if (!entry)
      return {"not found"};
    translated = translate_flags(entry->flags);
    return translated.clang;
  }

  fs::path folder;
  TranslatedFlags translated;
};

TEST_F(CompileCommands, CMakeMakefiles) {
  write("build/CMakeFiles/app.dir/includes_CUDA.rsp",
        "-I\"" + path("inc lude") + "\" -I../common -isystem=" + path("sys") + "\n");
  const CompileDatabase database = load(R"([{"directory": "$/build", "file": "$/src/k.cu",
    "command": "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DTILE=32 '-DNAME=\"a b\"' --options-file CMakeFiles/app.dir/includes_CUDA.rsp -O3 -DNDEBUG -std=c++17 --generate-code=arch=compute_80,code=[compute_80,sm_80] --generate-code=arch=compute_90,code=[sm_90] -Xcompiler=-fPIC -MD -MT CMakeFiles/app.dir/src/k.cu.o -MF CMakeFiles/app.dir/src/k.cu.o.d -x cu -rdc=true -c $/src/k.cu -o CMakeFiles/app.dir/src/k.cu.o"}])");
  EXPECT_EQ(clang_flags(database, "src/k.cu"),
            (Words{"-DTILE=32", "-DNAME=\"a b\"", "-I" + path("inc lude"), "-I" + path("common"), "-isystem",
                   path("sys"), "-DNDEBUG", "-std=c++17"}));
  EXPECT_EQ(translated.architectures, (Words{"sm_80", "sm_90"}));
  EXPECT_TRUE(translated.diagnostics.empty());
}

TEST_F(CompileCommands, CMakeNinja) {
  const CompileDatabase database = load(R"([
    {"directory": "$/build", "file": "$/src/k.cu", "output": "k.o",
     "command": "nvcc -forward-unknown-to-host-compiler -ccbin=/usr/bin/g++-12 -I../inc -isystem ../sys \"--generate-code=arch=compute_86,code=[sm_86]\" --expt-relaxed-constexpr -x cu -c $/src/k.cu -o k.o"},
    {"directory": "$/build", "file": "$/src/main.cpp", "command": "/usr/bin/c++ -I../inc -O2 -o main.o -c $/src/main.cpp"}])");
  EXPECT_EQ(clang_flags(database, "src/k.cu"),
            (Words{"-I" + path("inc"), "-isystem", path("sys"), "-D__CUDACC_RELAXED_CONSTEXPR__=1"}));
  EXPECT_EQ(clang_flags(database, "src/main.cpp"), (Words{"-I" + path("inc")}));
  EXPECT_EQ(clang_flags(database, "src/other.cu"), (Words{"not found"}));
}

TEST_F(CompileCommands, BazelArguments) {
  write("bazel-out/bin/k.params", "-DFROM_PARAMS\n-Iinc\n");
  const CompileDatabase database =
      load(R"([{"directory": "$", "file": "src/k.cu", "arguments": ["external/crosstool/clang/bin/wrapper",
    "-x", "cuda", "--cuda-gpu-arch=sm_90", "-iquote", ".", "-iquote", "bazel-out/bin", "-isystem", "external/cuda/include", "-DBAZEL=1",
    "-MD", "-MF", "k.d", "-fPIC", "@bazel-out/bin/k.params", "-c", "src/k.cu", "-o", "bazel-out/bin/k.o"]}])");
  EXPECT_EQ(clang_flags(database, "src/k.cu"),
            (Words{"-iquote", folder.string(), "-iquote", path("bazel-out/bin"), "-isystem",
                   path("external/cuda/include"), "-DBAZEL=1", "-DFROM_PARAMS", "-I" + path("inc")}));
  EXPECT_EQ(translated.architectures, (Words{"sm_90"}));
}

TEST_F(CompileCommands, HandWritten) {
  const CompileDatabase database = load(
      R"([{"directory": "$", "file": "k.cu", "command": "ccache nvcc -arch sm_75 -Xptxas -v -Xcompiler -Wall,-DHOST -g -G k.cu -o k"}])");
  EXPECT_EQ(clang_flags(database, "k.cu"), (Words{"-DHOST"}));
  EXPECT_EQ(translated.architectures, (Words{"sm_75"}));
}

TEST_F(CompileCommands, OptionsFilesThatAreMissingOrEndless) {
  write("build/self.rsp", "-DSELF --options-file self.rsp");
  const CompileDatabase database =
      load(R"([{"directory": "$/build", "file": "k.cu", "command": "nvcc --options-file gone.rsp -DA -c k.cu"},
                                            {"directory": "$/build", "file": "l.cu", "command": "nvcc --options-file=self.rsp -c l.cu"}])");
  EXPECT_EQ(clang_flags(database, "build/k.cu"), (Words{"-DA"}));
  ASSERT_EQ(translated.diagnostics.size(), 1u);
  EXPECT_NE(translated.diagnostics[0].message.find(path("build/gone.rsp")), std::string::npos);
  clang_flags(database, "build/l.cu"); // ends
  EXPECT_FALSE(translated.diagnostics.empty());
}

TEST_F(CompileCommands, AFileInTwoCommands) {
  const CompileDatabase database = load(R"([{"directory": "$", "file": "k.cu", "command": "nvcc -DA -c k.cu -o a.o"},
                                            {"directory": "$", "file": "./k.cu", "command": "nvcc -DB -c k.cu -o b.o"},
                                            {"directory": "$", "file": "l.cu", "command": "nvcc -DC -c l.cu -o c.o"},
                                            {"directory": "$", "file": "l.cu", "command": "nvcc -DC -c l.cu -o d.o"}])");
  EXPECT_EQ(clang_flags(database, "k.cu"), (Words{"-DA"}));
  EXPECT_TRUE(database.find(path("k.cu"))->ambiguous);
  EXPECT_FALSE(database.find(path("l.cu"))->ambiguous);
}

TEST_F(CompileCommands, HeadersThroughTheFilesThatIncludeThem) {
  write("src/a.cu", "// tile.cuh\n#include <other.cuh>\n");
  write("src/b.cu", "#  include \"detail/tile.cuh\"\n");
  const CompileDatabase database = load(R"([{"directory": "$", "file": "src/a.cu", "command": "nvcc -c src/a.cu"},
                                            {"directory": "$", "file": "src/b.cu", "command": "nvcc -Iinc -c src/b.cu"},
                                            {"directory": "$", "file": "src/gone.cu", "command": "nvcc -c src/gone.cu"}])");
  EXPECT_EQ(database.includer_of(write("inc/detail/tile.cuh", "")), path("src/b.cu"));
  EXPECT_EQ(database.includer_of(write("src/detail/tile.cuh", "")), path("src/b.cu"));
  EXPECT_EQ(database.includer_of(write("elsewhere/tile.cuh", "")), "");
}

TEST_F(CompileCommands, WhatIsNoDatabase) {
  std::string error;
  EXPECT_FALSE(CompileDatabase::load(path("none"), error));
  EXPECT_NE(error.find("cannot read"), std::string::npos);
  for (const char *text : {"", "{", "{}", "[{]", "3"}) {
    error.clear();
    EXPECT_FALSE(CompileDatabase::load(write("build/compile_commands.json", text), error)) << text;
    EXPECT_NE(error, "") << text;
  }
  // Entries that say nothing are left out; the others count.
  const CompileDatabase database = load(
      R"([1, {}, {"file": 3}, {"directory": "$", "file": "k.cu"}, {"directory": "$", "file": "l.cu", "command": "nvcc -DA l.cu"}])");
  EXPECT_EQ(clang_flags(database, "l.cu"), (Words{"-DA"}));
  ASSERT_EQ(database.problems().size(), 4u);
  EXPECT_EQ(database.problems()[2], "entry 3 has no \"file\"");
  EXPECT_NE(database.problems()[3].find("entry 4 has no \"command\""), std::string::npos);
}

TEST_F(CompileCommands, ValuesThatLookLikeFlags) {
  const CompileDatabase database = load(
      R"([{"directory": "$", "file": "k.cu", "command": "nvcc -Xptxas -o,/x -Xcompiler -c -DA -Xclang -include -Xclang k.cu -c k.cu"}])");
  EXPECT_EQ(clang_flags(database, "k.cu"), (Words{"-DA", "-Xclang", "-include", "-Xclang", "k.cu"}));
}

TEST_F(CompileCommands, FilesToIncludeFirst) {
  write("build/here.h", "");
  const CompileDatabase database =
      load(R"([{"directory": "$/build", "file": "k.cu", "command": "nvcc -include here.h -include there.h -c k.cu"}])");
  EXPECT_EQ(clang_flags(database, "build/k.cu"), (Words{"-include", path("build/here.h"), "-include", "there.h"}));
}

} // namespace
} // namespace smem
