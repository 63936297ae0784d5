// nvcc's options in Clang's spelling.
#include "frontend/translate_flags.h"

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

bool has(const Words &words, const std::string &word) { return std::find(words.begin(), words.end(), word) != words.end(); }

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
  EXPECT_EQ(translate_flags({"-I", "a", "-Ib", "--include-path", "c,d"}).clang, (Words{"-Ia", "-Ib", "-I", "c", "-I", "d"}));
  EXPECT_EQ(translate_flags({"-DA=1", "--define-macro=B,C=2", "-UD"}).clang, (Words{"-DA=1", "-D", "B", "-D", "C=2", "-UD"}));
  EXPECT_EQ(translate_flags({"-std=c++20", "--std", "c++17"}).clang, (Words{"-std=c++20", "-std=c++17"}));
  EXPECT_EQ(translate_flags({"-Xcompiler", "-fPIC,-DX=1,-Wall,-I,inc", "-Xcompiler=-UY"}).clang, (Words{"-DX=1", "-Iinc", "-UY"}));
  EXPECT_EQ(translate_flags({"-x", "cu", "-rdc=true", "-dc", "--expt-relaxed-constexpr", "--expt-extended-lambda", "-o", "k.o", "k.cu"}).clang, Words());
}

TEST(NvccOptions, Architectures) {
  EXPECT_EQ(translate_flags({"-arch=sm_80"}).architectures, (Words{"sm_80"}));
  EXPECT_EQ(translate_flags({"-gencode", "arch=compute_80,code=[sm_80,compute_80]", "-gencode=arch=compute_90a,code=sm_90a",
                             "--gpu-architecture=compute_80", "-arch", "native"}).architectures,
            (Words{"sm_80", "sm_90a"}));
}

TEST(NvccOptions, OptionsFileThatIsNotThere) {
  const TranslatedFlags translated = translate_flags({"--options-file", "/no/such/file.rsp", "-DA"});
  ASSERT_EQ(translated.diagnostics.size(), 1u);
  EXPECT_NE(translated.diagnostics[0].message.find("/no/such/file.rsp"), std::string::npos);
  EXPECT_EQ(translated.clang, (Words{"-DA"}));
}

TEST(NvccOptions, UnknownOnesAreClangsBusiness) {
  EXPECT_EQ(translate_flags({"-fno-exceptions", "--no-such-option", "-Wextra"}).clang, (Words{"-fno-exceptions", "--no-such-option", "-Wextra"}));
}

} // namespace
} // namespace smem
