#include "frontend/dependencies.h"

#include <clang/Basic/FileManager.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include "frontend/prefix.h"
#include "frontend/prefix_invocation.h"
#include "frontend/user_macros.h"
#include "support/paths.h"

namespace smem {
namespace {

/// Notes the places in which headers were looked for in vain: a file that appears there changes the translation unit.
class SearchedPlaces : public clang::PPCallbacks {
public:
  SearchedPlaces(clang::Preprocessor &preprocessor, SourceDependencies &dependencies, SearchedNames *names)
      : preprocessor_(preprocessor), dependencies_(dependencies), names_(names) {}

  void InclusionDirective(clang::SourceLocation at, const clang::Token &, llvm::StringRef name, bool angled,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef found_in,
                          llvm::StringRef, const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override {
    look(at, name, angled, found_in);
  }

  void HasInclude(clang::SourceLocation at, llvm::StringRef name, bool angled, clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    look(at, name, angled, {});
  }

private:
  void look(clang::SourceLocation at, llvm::StringRef name, bool angled, llvm::StringRef found_in) {
    if (name.starts_with("/"))
      return;
    clang::SourceManager &sources = preprocessor_.getSourceManager();
    if (!angled)
      if (const auto includer = sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(at))))
        if (note(includer->getDir().getName(), name))
          return;
    if (names_)
      (angled ? names_->angled : names_->quoted).insert(name.str());
    const clang::HeaderSearch &search = preprocessor_.getHeaderSearchInfo();
    for (auto dir = angled ? search.angled_dir_begin() : search.search_dir_begin(); dir != search.search_dir_end();
         ++dir)
      if (dir->getName() == found_in || note(dir->getName(), name))
        return;
  }

  /// Whether the file is there; if not, it is noted.
  bool note(llvm::StringRef directory, llvm::StringRef name) {
    const std::string path = normalise_path((directory + "/" + name).str());
    if (preprocessor_.getFileManager().getOptionalFileRef(path))
      return true;
    dependencies_.absent.insert(path);
    return false;
  }

  clang::Preprocessor &preprocessor_;
  SourceDependencies &dependencies_;
  SearchedNames *names_;
};

class Collector : public clang::DependencyCollector {
public:
  /// `names` may be null.
  Collector(SourceDependencies &dependencies, const Prefix *prefix, SearchedNames *names)
      : dependencies_(dependencies), prefix_(prefix), names_(names) {}

  void attachToPreprocessor(clang::Preprocessor &preprocessor) override {
    clang::DependencyCollector::attachToPreprocessor(preprocessor);
    // Clang forgets folders that are not there; one that appears will be searched.
    for (const auto &entry : preprocessor.getHeaderSearchInfo().getHeaderSearchOpts().UserEntries)
      if (!preprocessor.getFileManager().getOptionalDirectoryRef(entry.Path))
        dependencies_.absent.insert(normalise_path(entry.Path));
    if (prefix_)
      add_prefix(preprocessor.getHeaderSearchInfo());
    preprocessor.addPPCallbacks(std::make_unique<SearchedPlaces>(preprocessor, dependencies_, names_));
  }

  /// Files of a prefix are known beside it.
  bool sawDependency(llvm::StringRef file, bool from_prefix, bool, bool is_module, bool is_missing) override {
    if (!from_prefix && !is_module && !is_missing && !file.starts_with("<") && file != kUserMacros &&
        file != kPrefixSource)
      dependencies_.read.insert(normalise_path(file.str()));
    return false;
  }

private:
  /// What its headers depend on, with the folders of this unit in which they would have been looked for in vain, too.
  void add_prefix(const clang::HeaderSearch &search) {
    const SourceDependencies &headers = prefix_->dependencies;
    dependencies_.read.insert(headers.read.begin(), headers.read.end());
    dependencies_.absent.insert(headers.absent.begin(), headers.absent.end());
    dependencies_.complete &= headers.complete;
    const auto add = [&](const clang::DirectoryLookup &folder, const std::set<std::string> &names) {
      for (const std::string &name : names)
        dependencies_.absent.insert(normalise_path((folder.getName() + "/" + name).str()));
    };
    bool angled = false;
    for (auto folder = search.search_dir_begin(); folder != search.system_dir_begin(); ++folder) {
      add(*folder, prefix_->searched.quoted);
      angled |= folder == search.angled_dir_begin();
      if (angled)
        add(*folder, prefix_->searched.angled);
    }
  }

  SourceDependencies &dependencies_;
  const Prefix *prefix_;
  SearchedNames *names_;
};

} // namespace

void add_forced_includes(const clang::PreprocessorOptions &options, SourceDependencies &dependencies) {
  for (const std::vector<std::string> *names : {&options.Includes, &options.MacroIncludes})
    for (const std::string &name : *names)
      if (!llvm::sys::path::is_absolute(name) && !llvm::sys::fs::exists(name))
        dependencies.absent.insert(normalise_path(name));
}

std::shared_ptr<clang::DependencyCollector> make_dependency_collector(SourceDependencies &dependencies,
                                                                      const Prefix *prefix) {
  return std::make_shared<Collector>(dependencies, prefix, nullptr);
}

std::shared_ptr<clang::DependencyCollector> make_dependency_collector(Prefix &prefix) {
  return std::make_shared<Collector>(prefix.dependencies, prefix.base.get(), &prefix.searched);
}

} // namespace smem
