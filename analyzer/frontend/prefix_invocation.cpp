#include "frontend/prefix_invocation.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <vector>

#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/MemoryBuffer.h>

#include "frontend/user_macros.h"
#include "support/paths.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

/// Folders that depend on where the program runs.
bool has_relative_folders(const clang::CompilerInvocation &invocation) {
  const clang::HeaderSearchOptions &search = invocation.getHeaderSearchOpts();
  const auto is_relative = [](const std::string &path) { return !path.empty() && path.front() != '/'; };
  return is_relative(search.Sysroot) || is_relative(search.ResourceDir) ||
         std::ranges::any_of(search.UserEntries, is_relative, &clang::HeaderSearchOptions::Entry::Path);
}

bool is_user_folder(const clang::HeaderSearchOptions::Entry &entry) {
  return entry.Group == clang::frontend::Angled || entry.Group == clang::frontend::Quoted;
}

bool is_system_header(const clang::HeaderSearchOptions &search, const std::string &name) {
  std::error_code error;
  return std::ranges::any_of(search.UserEntries, [&](const clang::HeaderSearchOptions::Entry &entry) {
    return !is_user_folder(entry) && fs::is_regular_file(entry.Path + "/" + name, error);
  });
}

/// Whether the user's folders leave all searches of a prefix to find what they found without these folders.
bool leaves_alone(const clang::HeaderSearchOptions &search, const SearchedNames &names) {
  std::error_code error;
  // Of a folder that is named as one of the system's, too, Clang takes no notice.
  const auto is_system = [&](const std::string &folder) {
    return std::ranges::any_of(search.UserEntries, [&](const clang::HeaderSearchOptions::Entry &other) {
      return !is_user_folder(other) && fs::equivalent(folder, other.Path, error);
    });
  };
  const auto has_any = [&](const std::string &folder, const std::set<std::string> &searched) {
    return std::ranges::any_of(searched,
                               [&](const std::string &name) { return fs::exists(folder + "/" + name, error); });
  };
  for (const clang::HeaderSearchOptions::Entry &entry : search.UserEntries) {
    const bool quoted = entry.Group == clang::frontend::Quoted;
    if (!is_user_folder(entry) || !fs::is_directory(entry.Path, error) || (!quoted && is_system(entry.Path)))
      continue;
    if (has_any(entry.Path, names.quoted) || (!quoted && has_any(entry.Path, names.angled)))
      return false;
  }
  return true;
}

} // namespace

std::shared_ptr<clang::CompilerInvocation> prefix_invocation(const clang::CompilerInvocation &unit) {
  const clang::PreprocessorOptions &given = unit.getPreprocessorOpts();
  const auto end = after_own_headers(given.Includes);
  std::error_code error;
  // Clang looks for headers of the command line in the working directory first.
  if (end == given.Includes.begin() || !given.MacroIncludes.empty() || !given.ChainedIncludes.empty() ||
      !given.ImplicitPCHInclude.empty() || unit.getFrontendOpts().Inputs.size() != 1 ||
      std::any_of(given.Includes.begin(), end, [&](const std::string &header) { return fs::exists(header, error); }))
    return nullptr;
  auto prefix = std::make_shared<clang::CompilerInvocation>(unit);
  clang::PreprocessorOptions &preprocessor = prefix->getPreprocessorOpts();
  preprocessor.Includes.assign(given.Includes.begin(), end);
  preprocessor.RemappedFiles.clear();
  preprocessor.RemappedFileBuffers.clear(); // `unit` owns them
  preprocessor.addRemappedFile(kPrefixSource, llvm::MemoryBuffer::getMemBuffer("", kPrefixSource).release());
  clang::FrontendOptions &frontend = prefix->getFrontendOpts();
  frontend.Inputs = {{kPrefixSource, unit.getFrontendOpts().Inputs.front().getKind()}};
  frontend.OutputFile.clear();
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  // Where none of the user's folders has one of the names that are looked for, the headers are the same without them.
  std::erase_if(prefix->getHeaderSearchOpts().UserEntries, is_user_folder);
  prefix->getLangOpts().CompilingPCH = true;
  // C++20 has modules: Clang would take overloads that one macro has declared for one function of several modules, and complain that they differ.
  prefix->getLangOpts().Modules = false;
  prefix->getLangOpts().PCHInstantiateTemplates = true; // once, instead of in every unit
  prefix->getCodeGenOpts().MainFileName.clear();
  prefix->getCodeGenOpts().DebugCompilationDir.clear();
  return prefix;
}

std::shared_ptr<clang::CompilerInvocation> with_leading_headers(const clang::CompilerInvocation &prefix,
                                                                const clang::CompilerInvocation &unit,
                                                                const std::vector<std::string> &names) {
  const std::vector<std::string> &given = unit.getPreprocessorOpts().Includes;
  std::error_code error;
  const auto end = std::ranges::find_if_not(names, [&](const std::string &name) {
    // Those of a command line are looked for in the working directory first.
    return is_system_header(unit.getHeaderSearchOpts(), name) && !fs::exists(name, error);
  });
  if (end == names.begin() || after_own_headers(given) != given.end())
    return nullptr;
  auto longer = std::make_shared<clang::CompilerInvocation>(prefix);
  clang::PreprocessorOptions &preprocessor = longer->getPreprocessorOpts();
  for (int time = 0; time < 2; ++time) // as the source will: build_prefix() sees what comes of that
    preprocessor.Includes.insert(preprocessor.Includes.end(), names.begin(), end);
  preprocessor.RemappedFileBuffers.clear(); // `prefix` owns it
  preprocessor.addRemappedFile(kPrefixSource, llvm::MemoryBuffer::getMemBuffer("", kPrefixSource).release());
  return longer;
}

std::string last_prefix_header(const clang::CompilerInvocation &unit) {
  return *std::prev(after_own_headers(unit.getPreprocessorOpts().Includes));
}

std::string prefix_key(const clang::CompilerInvocation &prefix) {
  std::string key;
  for (const std::string &argument : prefix.getCC1CommandLine()) {
    key += argument;
    key += '\0';
  }
  return has_relative_folders(prefix) ? key + normalise_path(".") : key;
}

bool fits(const Prefix &prefix, const clang::CompilerInvocation &unit) {
  const SourceDependencies &headers = prefix.dependencies;
  const std::string source = normalise_path(unit.getFrontendOpts().Inputs.front().getFile().str());
  if (prefix.tree().empty() || headers.read.contains(source) ||
      !leaves_alone(unit.getHeaderSearchOpts(), prefix.searched))
    return false;
  return std::ranges::none_of(unit.getPreprocessorOpts().RemappedFileBuffers, [&](const auto &remapped) {
    const std::string path = normalise_path(remapped.first);
    return headers.read.contains(path) || headers.absent.contains(path);
  });
}

} // namespace smem
