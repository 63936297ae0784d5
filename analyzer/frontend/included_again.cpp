#include "frontend/included_again.h"

#include <memory>

#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>

namespace smem {
namespace {

class Watcher : public clang::PPCallbacks {
public:
  Watcher(clang::Preprocessor &preprocessor, IncludedAgain &again) : preprocessor_(preprocessor), again_(again) {}

  void InclusionDirective(clang::SourceLocation at, const clang::Token &, llvm::StringRef, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef, llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    if (sources.getFileID(at) == preprocessor_.getPredefinesFileID() && included_++ == again_.first)
      again_.begin = sources.getNextLocalOffset();
  }

  // assert.h defines its macro anew each time.
  void MacroUndefined(const clang::Token &name, const clang::MacroDefinition &before,
                      const clang::MacroDirective *) override {
    if (again_.begin && before.getMacroInfo())
      undefined_.try_emplace(name.getIdentifierInfo(), before.getMacroInfo());
  }
  void MacroDefined(const clang::Token &name, const clang::MacroDirective *now) override {
    if (!again_.begin)
      return;
    const clang::MacroDirective *last = now->getPrevious();
    const clang::MacroInfo *before = last && last->isDefined() ? last->getMacroInfo() : nullptr;
    if (const auto known = undefined_.find(name.getIdentifierInfo()); known != undefined_.end()) {
      before = known->second;
      undefined_.erase(known);
    }
    again_.changes |= !before || !now->getMacroInfo()->isIdenticalTo(*before, preprocessor_, true);
  }
  void EndOfMainFile() override { again_.changes |= !undefined_.empty(); }

private:
  clang::Preprocessor &preprocessor_;
  IncludedAgain &again_;
  unsigned included_ = 0;
  llvm::DenseMap<const clang::IdentifierInfo *, const clang::MacroInfo *> undefined_;
};

} // namespace

void watch_included_again(clang::Preprocessor &preprocessor, IncludedAgain &again) {
  preprocessor.addPPCallbacks(std::make_unique<Watcher>(preprocessor, again));
  preprocessor.setTokenWatcher(
      [&again](const clang::Token &token) { again.changes |= again.begin && token.isNot(clang::tok::eof); });
}

} // namespace smem
