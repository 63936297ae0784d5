#include "frontend/once_in_main_file.h"

#include <memory>

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

namespace smem {
namespace {

class OnceWatcher : public clang::PPCallbacks {
public:
  explicit OnceWatcher(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void PragmaDirective(clang::SourceLocation introducer, clang::PragmaIntroducerKind kind) override {
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    if (kind != clang::PIK_HashPragma || sources.getFileID(introducer) != sources.getMainFileID())
      return;
    llvm::StringRef line = sources.getBufferData(sources.getMainFileID()).drop_front(sources.getFileOffset(introducer));
    line = line.take_until([](char c) { return c == '\n'; }).ltrim("# \t");
    if (!line.consume_front("pragma") || !line.ltrim().starts_with("once"))
      return;
    if (const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getMainFileID()))
      preprocessor_.getHeaderSearchInfo().MarkFileIncludeOnce(*file);
  }

private:
  clang::Preprocessor &preprocessor_;
};

} // namespace

void honour_once_in_main_file(clang::Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<OnceWatcher>(preprocessor));
}

} // namespace smem
