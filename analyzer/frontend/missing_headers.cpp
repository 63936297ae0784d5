#include "frontend/missing_headers.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/DirectoryLookup.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include "frontend/diagnostics.h"
#include "frontend/header_messages.h"
#include "frontend/host_frameworks.h"
#include "support/paths.h"
#include "syntax/locations.h"

namespace smem {
namespace {

class InclusionWatcher : public clang::PPCallbacks {
public:
  InclusionWatcher(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                   Inclusions &inclusions, const OwnHeaders &own, bool tolerant)
      : compiler_(compiler), collector_(collector),
        stand_ins_(headers.empty() ? headers : normalise_path(headers + "/host")), inclusions_(inclusions), own_(own),
        tolerant_(tolerant), said_(inclusions.messages, own.project.get()) {}

  void FileChanged(clang::SourceLocation place, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    if (tolerant_ && reason == EnterFile && sources.getFileID(place) == sources.getMainFileID())
      collector_.tolerate_errors(compiler_.getDiagnostics(), sources.getLocForStartOfFile(sources.getMainFileID()));
  }

  bool FileNotFound(llvm::StringRef name) override {
    conclude_embedded();
    // All that lexes files is a Lexer; Clang has no cast for it.
    auto *lexer = static_cast<clang::Lexer *>(compiler_.getPreprocessor().getCurrentFileLexer());
    embedded_.emplace(name.str(), lexer ? lexer->getSourceLocation().getLocWithOffset(-1) : clang::SourceLocation());
    return true;
  }
  void EndOfMainFile() override { conclude_embedded(); }

  void HasInclude(clang::SourceLocation, llvm::StringRef name, bool, clang::OptionalFileEntryRef file,
                  clang::SrcMgr::CharacteristicKind) override {
    const std::string header = plain_header_name(name.str());
    inclusions_.asked.insert(header);
    if (file || own_.found.empty() || is_host_framework(header))
      return;
    const clang::SourceManager &sources = compiler_.getSourceManager();
    if (!in_project(header, sources.getLocForStartOfFile(sources.getMainFileID())).folder.empty())
      assume("'" + header + "', which is asked for, is not found");
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &word, llvm::StringRef name, bool,
                          clang::CharSourceRange written, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override {
    const std::string header = name.str();
    embedded_.reset();
    if (file && is_settled(normalise_path(file->getName().str()), header, hash))
      return;
    if (is_host_framework(header) &&
        (stand_in_for(header) == StandIn::PyTorch || in_project(plain_header_name(header), hash).file.empty())) {
      is_missing(header);
      if (stand_in_for(header) != StandIn::None)
        inclusions_.replaceable.insert(header);
      say(Missing::Framework, framework_of(header), header, hash);
      collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    } else {
      own_is_missing(header, hash, written.getBegin(),
                     word.getIdentifierInfo() &&
                         word.getIdentifierInfo()->getPPKeywordID() == clang::tok::pp_include_next);
    }
  }

private:
  void say(Missing missing, const std::string &folder, const std::string &header, clang::SourceLocation place) {
    said_.add(missing, folder, header, to_location(place, compiler_.getSourceManager()));
  }

  /// A header that was found, if only in the project or as a stand-in: is that all?
  bool is_settled(const std::string &path, const std::string &header, clang::SourceLocation hash) {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    inclusions_.has_pytorch |= header == "c10/macros/Macros.h" && !lies_in(path, stand_ins_);
    if (lies_in(path, stand_ins_) && !lies_in(normalise_path(sources.getFilename(hash).str()), stand_ins_)) {
      inclusions_.header_missing = true;
      say(Missing::StandIn, framework_of(header), header, hash);
      return true;
    }
    if (!lies_in(path, kFoundHeaders))
      return true;
    const std::string plain = path.substr(kFoundHeaders.size() + 1);
    if (const auto entry = own_.found.find(plain); entry != own_.found.end()) {
      const HeaderInProject &found = entry->second;
      say(found.only ? Missing::Taken : Missing::Chosen, seen_from_here(found.folder), plain, hash);
      assume("'" + plain + "' is " + seen_from_here(found.file));
      inclusions_.chosen |= !found.only;
      return true;
    }
    if (const auto implied = own_.implied.find(plain);
        implied != own_.implied.end() && said_implied_.insert(plain).second)
      say_implied(header, implied->second, hash);
    return false;
  }

  void say_implied(const std::string &header, const std::set<std::string> &included, clang::SourceLocation hash) {
    std::string names;
    for (const std::string &one : included)
      names += (names.empty() ? "<" : ", <") + one + ">";
    const bool alone = included.size() == 1;
    inclusions_.messages.push_back({Diagnostic::Severity::Note, to_location(hash, compiler_.getSourceManager()),
                                    names + (alone ? " is" : " are") + " included in place of '" + header +
                                        "': names of " + (alone ? "it" : "theirs") + " are used"});
  }

  /// A file that is not found and that no `#include` names is one of `#embed`, of which there is no other word.
  void conclude_embedded() {
    if (!embedded_)
      return;
    auto [name, place] = *std::exchange(embedded_, std::nullopt);
    std::erase_if(name, [](char c) { return c == '"' || c == '<' || c == '>'; }); // as it is written
    skip(name, place, "'" + name + "' file not found");
  }

  void is_missing(const std::string &header) {
    inclusions_.header_missing = true;
    if (inclusions_.first_missing.empty() && !inclusions_.asked.contains(plain_header_name(header)))
      inclusions_.first_missing = plain_header_name(header);
  }

  void skip(const std::string &name, clang::SourceLocation place, const std::string &message) {
    inclusions_.header_missing = true;
    if (inclusions_.skipped.empty()) // the weightiest of what is assumed of headers
      inclusions_.assumed_headers.clear();
    if (inclusions_.skipped.insert(name).second)
      inclusions_.messages.push_back({Diagnostic::Severity::Error, to_location(place, compiler_.getSourceManager()),
                                      message, /*incomplete=*/true});
    assume("'" + name + "', which is not found, changes nothing");
  }

  HeaderInProject in_project(const std::string &plain, clang::SourceLocation from) const {
    return own_.project ? own_.project->find(plain, compiler_.getSourceManager().getFilename(from).str())
                        : HeaderInProject();
  }

  void assume(const std::string &what) {
    if (inclusions_.assumed_headers.empty())
      inclusions_.assumed_headers = what;
  }

  void own_is_missing(const std::string &header, clang::SourceLocation hash, clang::SourceLocation name, bool next) {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    const std::string plain = plain_header_name(header);
    const std::string unopened = collector_.take_unopened();
    const HeaderInProject found = unopened.empty() ? in_project(plain, hash) : HeaderInProject();
    if (own_.search && !next && !found.file.empty() &&
        found.file !=
            normalise_path(sources.getFilename(hash).str())) // a header of that name wraps the one that is meant
      inclusions_.in_project.emplace(plain, found);
    const Missing missing = found.folder.empty() ? Missing::Nowhere
                            : found.file.empty() ? Missing::InFolders
                                                 : Missing::InFolder;
    is_missing(header);
    skip(header, name, unopened.empty() ? "'" + header + "' file not found" : unopened);
    collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    if (!unopened.empty())
      return;
    const std::string pattern = missing == Missing::Nowhere && !plain.empty() ? pattern_of(plain, hash) : std::string();
    if (pattern.empty()) {
      say(missing, found.folder, header, hash);
    } else {
      inclusions_.patterns.emplace(plain, pattern);
      say(Missing::Generated, seen_from_here(pattern), header, hash);
    }
  }

  /// What CMake or a configure script makes a header of, wherever it is put then: `config.h.in` of `project/config.h`. Empty: nothing that is known.
  std::string pattern_of(const std::string &plain, clang::SourceLocation from) const {
    for (const std::string &name : {plain, plain.substr(plain.rfind('/') + 1)})
      if (const HeaderInProject pattern = in_project(name + ".in", from); !pattern.folder.empty())
        return pattern.folder + "/" + name + ".in";
    return {};
  }

  clang::CompilerInstance &compiler_;
  DiagnosticCollector &collector_;
  std::string stand_ins_;
  Inclusions &inclusions_;
  const OwnHeaders &own_;
  const bool tolerant_;
  std::optional<std::pair<std::string, clang::SourceLocation>>
      embedded_; ///< a file that was not found, until its directive is known
  HeaderMessages said_;
  std::set<std::string> said_implied_;
};

/// Behind everything that options can name, which are settled by now, and yet with the user's own code in it.
void search_last(clang::CompilerInstance &compiler, llvm::StringRef folder) {
  if (const clang::OptionalDirectoryEntryRef found = compiler.getFileManager().getOptionalDirectoryRef(folder))
    compiler.getPreprocessor().getHeaderSearchInfo().AddSystemSearchPath(
        clang::DirectoryLookup(*found, clang::SrcMgr::C_User, /*isFramework=*/false));
}

} // namespace

void watch_inclusions(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                      Inclusions &inclusions, const OwnHeaders &own, bool tolerant) {
  if (own.has_any())
    search_last(compiler, kFoundHeaders);
  compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<InclusionWatcher>(compiler, collector, headers, inclusions, own, tolerant));
}

} // namespace smem
