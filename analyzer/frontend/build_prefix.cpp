#include "frontend/build_prefix.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/CharInfo.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>
#include <clang/Serialization/ASTWriter.h>
#include <llvm/Support/MemoryBuffer.h>

#include "frontend/debug_pragmas.h"
#include "frontend/dependencies.h"
#include "frontend/included_again.h"
#include "frontend/instantiation_budget.h"
#include "frontend/regular_files.h"
#include "frontend/use_prefix.h"
#include "frontend/user_macros.h"
#include "syntax/source_bytes.h"

namespace smem {

namespace {

/// Functions that Clang looks through at the end of a unit, for errors that it keeps until it is known that device code calls them. Of a
/// precompiled header it reads all their bodies for that, in every unit, but no such header keeps the errors; and what a unit instantiates or
/// defines is the unit's own.
void forget_deferred_checks(clang::Sema &sema);

/// The set is private to Clang's class; an explicit instantiation may name it.
template <auto kSet> struct DeferredChecks {
  friend void forget_deferred_checks(clang::Sema &sema) { (sema.*kSet).clear(); }
};
template struct DeferredChecks<&clang::Sema::DeclsToCheckForDeferredDiags>;

/// Bytes of a local file, with the one after its end.
std::uint64_t bytes_of(clang::FileID file, const clang::SourceManager &sources) {
  return file.isValid() ? std::uint64_t{sources.getFileIDSize(file)} + 1 : 0;
}

/// Looks at the tree before it is written.
class PrefixMeasure : public clang::ASTConsumer {
public:
  PrefixMeasure(clang::CompilerInstance &compiler, const IncludedAgain &again, const Continuation &after,
                Prefix &prefix, bool &suitable)
      : compiler_(compiler), again_(again), after_(after), prefix_(prefix), suitable_(suitable) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    const clang::SourceManager &sources = context.getSourceManager();
    const clang::FileID source = sources.getMainFileID(),
                        predefines = compiler_.getPreprocessor().getPredefinesFileID();
    const std::uint64_t before = sources.getLocForStartOfFile(source).getRawEncoding();
    prefix_.source_bytes += source_bytes(sources) - before - bytes_of(source, sources) - bytes_of(predefines, sources);
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
      if (entry.isFile() && entry.getFile().getContentCache().OrigEntry &&
          entry.getFile().getContentCache().OrigEntry != sources.getFileEntryRefForID(source))
        suitable_ &= clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic());
    }
    clang::Sema &sema = compiler_.getSema();
    forget_deferred_checks(sema);
    // Clang would read them in every unit to warn of those that nothing uses, and does not warn of system headers.
    sema.UnusedFileScopedDecls.erase(sema.UnusedFileScopedDecls.begin(nullptr, /*LocalOnly=*/true),
                                     sema.UnusedFileScopedDecls.end());
    if (!after_.base)
      return;
    // The source includes them once more, and counts what that comes to.
    prefix_.source_bytes -= 2 * (sources.getNextLocalOffset() - again_.begin);
    suitable_ &= again_.begin && !again_.changes &&
                 std::ranges::none_of(after_.guards, [&](const std::string &macro) { return is_mentioned(macro); });
  }

private:
  /// Whether the headers of this part have the name, or something before them is called so.
  bool is_mentioned(const std::string &macro) const {
    const clang::IdentifierTable &names = compiler_.getPreprocessor().getIdentifierTable();
    clang::IdentifierInfoLookup *before = names.getExternalIdentifierLookup();
    return names.find(macro) != names.end() || (before && before->get(macro));
  }

  clang::CompilerInstance &compiler_;
  const IncludedAgain &again_;
  const Continuation &after_;
  Prefix &prefix_;
  bool &suitable_;
};

class PrefixAction : public clang::ASTFrontendAction {
public:
  PrefixAction(const Continuation &after, Prefix &prefix, std::stop_token stop)
      : after_(after), prefix_(prefix), stop_(std::move(stop)) {}

  bool suitable = true;
  InstantiationBudget instantiations;
  const std::shared_ptr<clang::PCHBuffer> written = std::make_shared<clang::PCHBuffer>();

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    ignore_debug_pragmas(preprocessor);
    if (after_.base) {
      later_ = later_predefines(preprocessor.getPredefines(), after_.last);
      if (!later_)
        return nullptr;
      const std::vector<std::string> &includes = compiler.getPreprocessorOpts().Includes;
      // Each of them stands there twice.
      again_.first = static_cast<unsigned>((includes.end() - after_own_headers(includes)) / 2);
      watch_included_again(preprocessor, again_);
    }
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    // A unit that allows fewer does without the prefix.
    consumers.push_back(make_instantiation_budget(instantiations, stop_));
    consumers.push_back(std::make_unique<PrefixMeasure>(compiler, again_, after_, prefix_, suitable));
    // Its headers are known by their contents: what has only been touched is the same.
    consumers.push_back(std::make_unique<clang::PCHGenerator>(
        preprocessor, compiler.getModuleCache(), /*OutputFile=*/"", /*isysroot=*/"", written,
        compiler.getFrontendOpts().ModuleFileExtensions, /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
  void ExecuteAction() override {
    if (later_)
      getCompilerInstance().getPreprocessor().setPredefines(later_->text);
    ASTFrontendAction::ExecuteAction();
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

private:
  const Continuation &after_;
  Prefix &prefix_;
  IncludedAgain again_{};
  std::optional<LaterPredefines> later_;
  std::stop_token stop_;
};

/// Whether the text has the word, not as part of another.
bool has_word(llvm::StringRef text, llvm::StringRef word) {
  for (std::size_t at = text.find(word); at != llvm::StringRef::npos; at = text.find(word, at + 1)) {
    const llvm::StringRef before = text.take_front(at), after = text.drop_front(at + word.size());
    if ((before.empty() || !clang::isAsciiIdentifierContinue(before.back(), /*AllowDollar=*/true)) &&
        (after.empty() || !clang::isAsciiIdentifierContinue(after.front(), /*AllowDollar=*/true)))
      return true;
  }
  return false;
}

/// Whether one of these files has one of these words. A precompiled header no longer knows all that its headers ask for.
bool have_any(const std::set<std::string> &files, const std::vector<std::string> &words) {
  return !words.empty() && std::ranges::any_of(files, [&](const std::string &path) {
    const auto text = llvm::MemoryBuffer::getFile(path);
    return !text ||
           std::ranges::any_of(words, [&](const std::string &word) { return has_word((*text)->getBuffer(), word); });
  });
}

} // namespace

std::optional<Prefix> build_prefix(const std::shared_ptr<clang::CompilerInvocation> &headers, const Continuation &after,
                                   std::stop_token stop) {
  std::optional<Prefix> prefix(std::in_place);
  clang::IgnoringDiagConsumer silence; // with an error there is no prefix, and the unit says what is wrong
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = regular_files();
  if (after.base) {
    prefix->base = after.base;
    prefix->searched = after.base->searched;
    prefix->source_bytes = after.base->source_bytes;
    files = begin_with(*after.base, *headers, std::move(files));
  }
  PrefixAction action(after, *prefix, stop);
  action.suitable = !after.base || !have_any(after.base->dependencies.read, after.guards);
  if (after.base)
    action.instantiations.begun = after.base->instantiations;
  bool whole = false;
  {
    clang::CompilerInstance compiler;
    compiler.setInvocation(headers);
    compiler.createDiagnostics(&silence, /*ShouldOwnClient=*/false);
    compiler.createFileManager(std::move(files));
    compiler.addDependencyCollector(make_dependency_collector(*prefix));
    whole = compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred();
    prefix->instantiations = action.instantiations.begun;
  } // with the syntax tree, before there is a second copy of what was written
  if (stop.stop_requested())
    return std::nullopt;
  if (whole && action.suitable && action.written->IsComplete)
    prefix->bytes.assign(action.written->Data.begin(), action.written->Data.end());
  return prefix;
}

} // namespace smem
