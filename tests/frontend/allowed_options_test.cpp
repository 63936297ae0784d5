// Every option that Clang has, in every way to say it, out of a configuration and out of a compilation database, with the path of a file
// that must stay as it is and must not be loaded.
#include "config/config.h"
#include "driver/compile_database.h"
#include "frontend/command_line.h"
#include "frontend/headers.h"
#include "nvcc/cicc/llvm_settings.h"
#include "flags/translate_flags.h"

#include <gtest/gtest.h>

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Driver/Options.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Option/Option.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>

namespace smem {
namespace {

namespace fs = std::filesystem;
namespace ids = clang::driver::options;
using llvm::opt::Option;
using Words = std::vector<std::string>;

/// The options of Clang's inner command line that a path may end up in: what it names is read as text, or it is no path to them.
const std::set<std::string> kMayHavePaths{"-D",
                                          "-U",
                                          "-I",
                                          "-F",
                                          "-include",
                                          "-imacros",
                                          "-iquote",
                                          "-isystem",
                                          "-idirafter",
                                          "-isysroot",
                                          "-iprefix",
                                          "-iwithprefix",
                                          "-iwithprefixbefore",
                                          "-iwithsysroot",
                                          "-iframework",
                                          "-iframeworkwithsysroot",
                                          "-cxx-isystem",
                                          "-c-isystem",
                                          "-internal-isystem",
                                          "-internal-externc-isystem",
                                          "--embed-dir=",
                                          "--system-header-prefix=",
                                          "--no-system-header-prefix=",
                                          "-resource-dir",
                                          "-W",
                                          "-Wundef-prefix=",
                                          "-fno-builtin-",
                                          "-target-feature",
                                          "-default-function-attr",
                                          "-mrecip=",
                                          "-mtocdata=",
                                          "-mno-tocdata=",
                                          "-mcmodel=",
                                          "-mfpmath",
                                          "-mprefer-vector-width=",
                                          "-mstack-protector-guard=",
                                          "-mstack-protector-guard-reg=",
                                          "-mstack-protector-guard-symbol=",
                                          "-aux-triple",
                                          "-aux-target-cpu",
                                          "-target-linker-version"};

class Folder {
public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "smem-lint-XXXXXX").string();
    path_ = fs::canonical(mkdtemp(name.data()));
    fs::copy_file(ATTACK_PLUGIN, plugin());
    fs::create_directory(path_ / "here");
    before_ = fs::current_path();
    fs::current_path(path_ / "here");
    setenv("SMEM_LINT_ATTACK_MARK", (path_ / "loaded").c_str(), 1);
  }
  ~Folder() {
    fs::current_path(before_);
    fs::remove_all(path_);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  std::string plugin() const { return (path_ / "plugin.so").string(); }
  /// Names, sizes and times of everything in it.
  std::string state() const {
    std::set<std::string> found;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(path_))
      found.insert(entry.path().string() + (entry.is_regular_file()
                                                ? " " + std::to_string(entry.file_size()) + " " +
                                                      std::to_string(entry.last_write_time().time_since_epoch().count())
                                                : ""));
    std::string text;
    for (const std::string &line : found)
      text += line + "\n";
    return text;
  }

private:
  fs::path path_, before_;
};

/// The option with `value` in the ways that it takes one.
std::vector<Words> spellings(const Option &option, const std::string &value) {
  const std::string name = option.getPrefixedName().str();
  switch (option.getKind()) {
  case Option::FlagClass: return {{name}};
  case Option::JoinedClass:
  case Option::CommaJoinedClass: return {{name + value}};
  case Option::SeparateClass:
  case Option::RemainingArgsClass:
  case Option::RemainingArgsJoinedClass: return {{name, value}, {name + "=" + value}};
  case Option::JoinedOrSeparateClass: return {{name + value}, {name, value}, {name + "=" + value}};
  case Option::JoinedAndSeparateClass: return {{name + "x", value}, {name + value, value}};
  case Option::MultiArgClass: {
    Words words{name};
    words.resize(1 + option.getNumArgs(), value);
    return {words};
  }
  default: return {};
  }
}

/// The ways to have a tool hand words on to the inner compiler.
std::vector<Words> routes(const Words &words) {
  std::vector<Words> ways{words};
  Words each_clang, each_preprocessor, joined_clang, each_device, each_host;
  std::string list, host;
  for (const std::string &word : words) {
    each_clang.insert(each_clang.end(), {"-Xclang", word});
    joined_clang.push_back("-Xclang=" + word);
    each_preprocessor.insert(each_preprocessor.end(), {"-Xpreprocessor", word});
    each_device.insert(each_device.end(), {"-Xarch_device", word});
    list += "," + word;
    host += (host.empty() ? "" : ",") + word;
  }
  ways.insert(ways.end(), {each_clang,
                           joined_clang,
                           each_preprocessor,
                           each_device,
                           {"-Wp" + list},
                           {"-Xcompiler", host},
                           {"--compiler-options=" + host}});
  return ways;
}

std::string yaml(const Words &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "ExtraArgs: ['" : "', '") + word;
  return text + "']\n";
}

/// Everything that reaches Clang's driver, once each, of the options that `wanted` says.
std::set<Words> what_gets_through(const std::string &value, const std::function<bool(const Option &)> &wanted) {
  const llvm::opt::OptTable &table = clang::driver::getDriverOptTable();
  std::set<Words> through;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    const Option option = table.getOption(id);
    if (!option.isValid() ||
        !(option.hasVisibilityFlag(ids::ClangOption) || option.hasVisibilityFlag(ids::CC1Option)) || !wanted(option))
      continue;
    for (const Words &spelled : spellings(option, value))
      for (const Words &words : routes(spelled)) {
        const TranslatedFlags given = translate_flags(words);
        through.insert(given.clang);
        // The configuration says so, or lets the same through; a database the same.
        EXPECT_EQ(parse_config(yaml(words), "c.yaml", "/").diagnostics.empty(), given.unused.empty()) << yaml(words);
        Words command{"nvcc"};
        command.insert(command.end(), words.begin(), words.end());
        through.insert(translate_flags(flags_of_command(command, fs::current_path().string(), "/k.cu")).clang);
      }
  }
  through.erase(Words());
  return through;
}

class AllOptions : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(prepare_llvm(), "");
    options.file = "k.cu";
    options.contents = "__global__ void k(int *p) { p[threadIdx.x] = 1; }\n";
    options.architecture = find_architecture("sm_90");
    headers = find_shipped_headers();
    state = folder.state();
  }

  std::shared_ptr<clang::CompilerInvocation> invocation(const Words &flags) {
    clang::DiagnosticsEngine diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(),
                                         llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>(),
                                         new clang::IgnoringDiagConsumer());
    return device_invocation(driver_arguments(options, flags, headers, options.file), diagnostics);
  }

  Folder folder;
  FrontendOptions options;
  std::string headers, state;
};

std::string text_of(const Words &words) {
  std::string text;
  for (const std::string &word : words)
    text += word + " ";
  return text;
}

/// What an invocation would write or load; empty: nothing.
std::string effects(const clang::CompilerInvocation &invocation) {
  std::string found;
  const auto say = [&](const char *what, bool is) { found += is ? std::string(what) + " " : ""; };
  const clang::DependencyOutputOptions &dependencies = invocation.getDependencyOutputOpts();
  say("dependencies", !dependencies.OutputFile.empty() || !dependencies.HeaderIncludeOutputFile.empty() ||
                          !dependencies.DOTOutputFile.empty() || !dependencies.ModuleDependencyOutputDir.empty());
  say("included headers",
      dependencies.ShowHeaderIncludes || dependencies.ShowIncludesDest != clang::ShowIncludesDestination::None);
  const clang::FrontendOptions &frontend = invocation.getFrontendOpts();
  say("plugins", !frontend.Plugins.empty() || !frontend.AddPluginActions.empty() || !frontend.ActionName.empty());
  say("statistics", frontend.ShowStats || !frontend.StatsFile.empty() || !frontend.TimeTracePath.empty());
  say("modules", !frontend.ModuleFiles.empty() || !frontend.ModuleMapFiles.empty() ||
                     !frontend.ModuleOutputPath.empty() || !frontend.ASTMergeFiles.empty() ||
                     invocation.getLangOpts().Modules);
  say("output", frontend.OutputFile != "-" || !frontend.OverrideRecordLayoutsFile.empty() ||
                    !frontend.SymbolGraphOutputDir.empty());
  say("help", frontend.ShowHelp || frontend.ShowVersion || frontend.PrintSupportedCPUs);
  const clang::CodeGenOptions &code = invocation.getCodeGenOpts();
  say("pass plugins", !code.PassPlugins.empty() || !code.LinkBitcodeFiles.empty() || !code.OffloadObjects.empty());
  say("debugging information", !code.SplitDwarfOutput.empty() || !code.SplitDwarfFile.empty());
  say("coverage", !code.CoverageNotesFile.empty() || !code.CoverageDataFile.empty());
  say("profile", !code.ProfileInstrumentUsePath.empty() || !code.SampleProfileFile.empty() ||
                     !code.InstrProfileOutput.empty() || !code.MemoryProfileUsePath.empty());
  say("remarks", !code.OptRecordFile.empty() || !code.StackUsageOutput.empty() || !code.SaveTempsFilePrefix.empty() ||
                     !code.ThinLTOIndexFile.empty() || !code.ThinLinkBitcodeFile.empty());
  const clang::DiagnosticOptions &diagnostics = invocation.getDiagnosticOpts();
  say("diagnostics", !diagnostics.DiagnosticLogFile.empty() || !diagnostics.DiagnosticSerializationFile.empty());
  say("precompiled header", !invocation.getPreprocessorOpts().ImplicitPCHInclude.empty() ||
                                !invocation.getHeaderSearchOpts().VFSOverlayFiles.empty());
  return found;
}

TEST_F(AllOptions, WithAValueWriteAndLoadNothing) {
  const std::string value = folder.plugin();
  const std::set<Words> through =
      what_gets_through(value, [](const Option &option) { return option.getKind() != Option::FlagClass; });
  EXPECT_GT(through.size(), 50u);
  for (const Words &flags : through) {
    const auto compiled = invocation(flags);
    if (!compiled)
      continue; // Clang's driver says what is wrong with it
    EXPECT_EQ(effects(*compiled), "") << text_of(flags);
    std::vector<std::string> inner = compiled->getCC1CommandLine();
    std::vector<const char *> pointers;
    for (const std::string &word : inner)
      pointers.push_back(word.c_str());
    unsigned missing = 0, count = 0;
    bool arrives = false;
    const llvm::opt::InputArgList arguments =
        clang::driver::getDriverOptTable().ParseArgs(pointers, missing, count, llvm::opt::Visibility(ids::CC1Option));
    for (const llvm::opt::Arg *argument : arguments)
      for (const char *text : argument->getValues())
        if (std::string_view(text).find(value) != std::string_view::npos) {
          arrives = true;
          EXPECT_TRUE(kMayHavePaths.contains(argument->getOption().getPrefixedName().str()))
              << argument->getOption().getPrefixedName().str() << " of " << text_of(flags);
        }
    if (!arrives)
      continue;
    options.compiler_flags = flags;
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    run_frontend(options);
    EXPECT_EQ(::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr(), "")
        << text_of(flags);
    ASSERT_EQ(folder.state(), state) << text_of(flags);
  }
  EXPECT_EQ(folder.state(), state);
}

TEST_F(AllOptions, WithoutAValueWriteAndLoadNothing) {
  const std::set<Words> through =
      what_gets_through(folder.plugin(), [](const Option &option) { return option.getKind() == Option::FlagClass; });
  EXPECT_GT(through.size(), 500u);
  for (const Words &flags : through)
    if (const auto compiled = invocation(flags)) {
      EXPECT_EQ(effects(*compiled), "") << text_of(flags);
    }
  EXPECT_EQ(folder.state(), state);
}

} // namespace
} // namespace smem
