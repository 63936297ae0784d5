// nvcc's options in Clang's spelling.
#include "flags/translate_flags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace smem {
namespace {

using Words = std::vector<std::string>;

struct Option {
  std::string treatment;
  bool takes_value = false;
  Words names;
};

std::vector<Option> options_of_nvcc() {
  std::vector<Option> options;
  std::ifstream in(NVCC_OPTIONS);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream words(line);
    Option option;
    std::string argument;
    words >> option.treatment >> argument;
    option.takes_value = argument == "value";
    for (std::string name; words >> name;)
      option.names.push_back(name);
    options.push_back(std::move(option));
  }
  return options;
}

bool has(const Words &words, const std::string &word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(NvccOptions, EveryOneIsClassified) {
  const std::vector<Option> options = options_of_nvcc();
  EXPECT_GE(options.size(), 140u);
  for (const Option &option : options)
    for (const std::string &name : option.names)
      EXPECT_EQ(to_string(treatment_of(name)), option.treatment) << name;
  EXPECT_EQ(treatment_of("--no-such-option"), FlagTreatment::Unknown);
}

/// The flag behind an option survives, and the option's value is never taken for a flag.
TEST(NvccOptions, TakeTheirValueAndNoMore) {
  for (const Option &option : options_of_nvcc())
    for (const std::string &name : option.names) {
      if (name == "--options-file" || name == "-optf")
        continue; // its value is a file
      std::vector<Words> spellings{{name}};
      if (option.takes_value)
        spellings = {{name, "value"}, {name + "=value"}};
      for (Words flags : spellings) {
        flags.push_back("-DBEHIND");
        const TranslatedFlags translated = translate_flags(flags);
        EXPECT_TRUE(has(translated.clang, "-DBEHIND")) << name;
        if (option.treatment != "translate") {
          EXPECT_EQ(translated.clang.size(), 1u) << name;
        }
        EXPECT_EQ(std::any_of(translated.diagnostics.begin(), translated.diagnostics.end(),
                              [](const Diagnostic &d) { return d.severity == Diagnostic::Severity::Error; }),
                  option.treatment == "refuse")
            << name;
        EXPECT_EQ(translated.diagnostics.empty(), option.treatment != "warn" && option.treatment != "refuse") << name;
      }
    }
}

TEST(NvccOptions, WhatDecidesTheCode) {
  EXPECT_EQ(translate_flags({"-I", "a", "-Ib", "--include-path", "c,d"}).clang,
            (Words{"-Ia", "-Ib", "-I", "c", "-I", "d"}));
  EXPECT_EQ(translate_flags({"-DA=1", "--define-macro=B,C=2", "-UD"}).clang,
            (Words{"-DA=1", "-D", "B", "-D", "C=2", "-UD"}));
  EXPECT_EQ(translate_flags({"-std=c++20", "--std", "c++17"}).clang, (Words{"-std=c++20", "-std=c++17"}));
  EXPECT_EQ(translate_flags({"-Xcompiler", "-fPIC,-DX=1,-Wall,-I,inc", "-Xcompiler=-UY"}).clang,
            (Words{"-DX=1", "-Iinc", "-UY"}));
  EXPECT_EQ(
      translate_flags(
          {"-x", "cu", "-rdc=true", "-dc", "--expt-relaxed-constexpr", "--expt-extended-lambda", "-o", "k.o", "k.cu"})
          .clang,
      (Words{"-D__CUDACC_RELAXED_CONSTEXPR__=1", "-D__CUDACC_EXTENDED_LAMBDA__=1"})); // as `nvcc --dryrun` has them
}

TEST(NvccOptions, Architectures) {
  EXPECT_EQ(translate_flags({"-arch=sm_80"}).architectures, (Words{"sm_80"}));
  EXPECT_EQ(
      translate_flags({"-gencode", "arch=compute_80,code=[sm_80,compute_80]", "-gencode=arch=compute_90a,code=sm_90a",
                       "--gpu-architecture=compute_80", "-arch", "native"})
          .architectures,
      (Words{"sm_80", "sm_90a"}));
}

TEST(NvccOptions, OptionsFileThatIsNotThere) {
  const TranslatedFlags translated = translate_flags({"--options-file", "/no/such/file.rsp", "-DA"});
  ASSERT_EQ(translated.diagnostics.size(), 1u);
  EXPECT_NE(translated.diagnostics[0].message.find("/no/such/file.rsp"), std::string::npos);
  EXPECT_EQ(translated.clang, (Words{"-DA"}));
}

TEST(NvccOptions, OthersAreClangsBusiness) {
  EXPECT_EQ(translate_flags({"-fno-exceptions", "-Wextra", "-target", "x86_64-linux-gnu", "-resource-dir", "/r"}).clang,
            (Words{"-fno-exceptions", "-Wextra", "-target", "x86_64-linux-gnu", "-resource-dir", "/r"}));
  const TranslatedFlags unknown = translate_flags({"-DA", "--no-such-option"});
  EXPECT_EQ(unknown.clang, (Words{"-DA"}));
  ASSERT_EQ(unknown.unused.size(), 1u);
  EXPECT_EQ(unknown.unused[0].reason, UnusedOption::Reason::Unknown);
  EXPECT_EQ(unknown.unused[0].from, 1u);
}

Words texts_of(const std::vector<UnusedOption> &unused) {
  Words texts;
  for (const UnusedOption &option : unused)
    texts.push_back(option.text);
  return texts;
}

TEST(AllowedOptions, EveryNameIsOneOfClangs) { EXPECT_EQ(stale_names(), Words()); }

TEST(AllowedOptions, WhatWritesLoadsOrRunsIsNamed) {
  const TranslatedFlags flags =
      translate_flags({"-DA", "-Xclang", "-dependency-file", "-Xclang", "/x", "-Xclang", "-MT", "-Xclang", "t",
                       "-fplugin=p.so", "-Wp,-MD,/x", "-Wp,-dependency-file,/y", "-mllvm", "-debug-pass=Structure",
                       "-nvptx-arch-tool=x", "--nvptx-arch-tool=./x", "-DB"});
  EXPECT_EQ(flags.clang, (Words{"-DA", "-DB"}));
  EXPECT_EQ(texts_of(flags.unused),
            (Words{"-fplugin=p.so", "-mllvm -debug-pass=Structure", "-nvptx-arch-tool=x", "--nvptx-arch-tool=./x",
                   "-Xclang -dependency-file -Xclang /x", "-Wp,-dependency-file -Wp,/y"}));
  EXPECT_EQ(flags.unused[4].from, 1u);
}

TEST(AllowedOptions, WhatEveryBuildHasIsDroppedWithoutAWord) {
  const TranslatedFlags flags = translate_flags({"-c",
                                                 "-o",
                                                 "k.o",
                                                 "-MD",
                                                 "-MF",
                                                 "k.d",
                                                 "-MT",
                                                 "k.o",
                                                 "-MJ",
                                                 "k.json",
                                                 "-g",
                                                 "-ggdb3",
                                                 "-gsplit-dwarf",
                                                 "-fPIC",
                                                 "-fvisibility=hidden",
                                                 "-flto=thin",
                                                 "-fsanitize=address",
                                                 "-fstack-protector-strong",
                                                 "-Wl,-z,now",
                                                 "-L/lib",
                                                 "-lm",
                                                 "-pthread",
                                                 "-fcolor-diagnostics",
                                                 "-fdiagnostics-color=always",
                                                 "-ffile-prefix-map=/a=b",
                                                 "-save-temps=obj",
                                                 "-Xarch_host",
                                                 "-O3",
                                                 "-Wp,-MMD,k.d",
                                                 "-pipe"});
  EXPECT_EQ(flags.clang, (Words{"-pthread"}));
  EXPECT_EQ(texts_of(flags.unused), Words());
}

TEST(AllowedOptions, WhatTheInnerCompilerMayBeTold) {
  const TranslatedFlags flags = translate_flags({"-Xclang", "-target-feature", "-Xclang", "+ptx80", "-Wp,-DX=1,-UY",
                                                 "-Xpreprocessor", "-Iinc", "-Xarch_device", "-DZ"});
  EXPECT_EQ(flags.clang, (Words{"-DZ", "-Xclang", "-target-feature", "-Xclang", "+ptx80", "-Xclang", "-DX=1", "-Xclang",
                                "-UY", "-Xclang", "-Iinc"}));
  EXPECT_EQ(texts_of(flags.unused), Words());
}

TEST(AllowedOptions, MessagesStayShort) {
  Words flags{"-fplugin=" + std::string(100'000, 'x')};
  for (int i = 0; i < 5'000; ++i)
    flags.push_back("-fplugin=" + std::to_string(i));
  const std::vector<Diagnostic> said = diagnostics_of(translate_flags(flags).unused);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_LT(said[0].message.size(), 1'000u);
  EXPECT_NE(said[0].message.find("'-fplugin=8' and 4991 more"), std::string::npos) << said[0].message;
}

TEST(AllowedOptions, AnOptionThatEndsBeforeItsValue) {
  for (const Words &flags : {Words{"-DA", "-include"}, Words{"-DA", "-Xclang", "-include"}, Words{"-DA", "-Xclang"}}) {
    const TranslatedFlags translated = translate_flags(flags);
    EXPECT_EQ(translated.clang, (Words{"-DA"}));
    ASSERT_EQ(translated.unused.size(), 1u);
    EXPECT_EQ(translated.unused[0].reason, UnusedOption::Reason::NoValue);
  }
}

TEST(NvccItself, GetsWhatDecidesItsMachineCode) {
  const TranslatedFlags flags = translate_flags({"-O2",
                                                 "-I",
                                                 "inc",
                                                 "-isystem",
                                                 "sys",
                                                 "-DX=1",
                                                 "--expt-relaxed-constexpr",
                                                 "-std",
                                                 "c++17",
                                                 "-x",
                                                 "cu",
                                                 "-maxrregcount=32",
                                                 "-use_fast_math",
                                                 "-Xcompiler",
                                                 "-fPIC,-DHOST,-Wall",
                                                 "-Xptxas",
                                                 "-v,-dlcm=ca,-O2",
                                                 "-gencode",
                                                 "arch=compute_90,code=sm_90",
                                                 "-o",
                                                 "k.o",
                                                 "-MD",
                                                 "-Wall",
                                                 "-G"});
  EXPECT_EQ(flags.nvcc,
            (Words{"-O2", "-Iinc", "-isystem=sys", "-DX=1", "--expt-relaxed-constexpr", "-std=c++17", "-x=cu",
                   "-maxrregcount=32", "-use_fast_math", "-DHOST", "-Xptxas=-v", "-Xptxas=-dlcm=ca", "-Xptxas=-O2"}));
  EXPECT_EQ(flags.not_for_nvcc, Words());
}

TEST(NvccItself, GetsNoProgramsAndNothingThatAShellWouldRead) {
  const Words hostile{
      "-ccbin=./gcc", "-Xcompiler", "-fplugin=./p.so",          "-DX=`touch x`", "-DX=$(touch x)",  "-I;touch x",
      "-Xptxas",      "-o,/x",      "-Xptxas=--options-file=x", "-ldir=.",       "-fplugin=./q.so", "-include=a b",
      "-DX=\"a\""};
  const TranslatedFlags flags = translate_flags(hostile);
  EXPECT_EQ(flags.nvcc, Words());
  EXPECT_EQ(flags.not_for_nvcc, (Words{"-ccbin=./gcc", "-fplugin=./p.so", "-DX=`touch x`", "-DX=$(touch x)",
                                       "-I;touch x", "-Xptxas=-o", "-Xptxas=/x", "-Xptxas=--options-file=x", "-ldir=.",
                                       "-fplugin=./q.so", "-include=a b", "-DX=\"a\""}));
}

} // namespace
} // namespace smem
