#include "frontend/kernel_marks.h"

#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include "frontend/diagnostics.h"
#include "frontend/skipped_declarations.h"
#include "syntax/declarations.h"
#include "syntax/locations.h"

namespace smem {

class MarkWatcher : public clang::PPCallbacks {
public:
  MarkWatcher(KernelMarks &marks, const clang::SourceManager &sources) : marks_(marks), sources_(sources) {}

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange range,
                    const clang::MacroArgs *) override {
    const clang::SourceLocation place = sources_.getExpansionLoc(range.getBegin());
    if (name.getIdentifierInfo()->isStr("__global__") && !sources_.isInSystemHeader(place))
      marks_.marks_.push_back(place);
  }
  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    if (!sources_.isInSystemHeader(range.getBegin()))
      marks_.skipped_.push_back(range);
  }

private:
  KernelMarks &marks_;
  const clang::SourceManager &sources_;
};

void KernelMarks::watch(clang::CompilerInstance &compiler) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<MarkWatcher>(*this, compiler.getSourceManager()));
}

namespace {

void collect(const clang::DeclContext *scope, const clang::SourceManager &sources,
             std::vector<const clang::FunctionDecl *> &kernels) {
  for (const clang::Decl *declaration : declarations_of(scope)) {
    if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
      continue;
    if (const auto *friendly = llvm::dyn_cast<clang::FriendDecl>(declaration); friendly && friendly->getFriendDecl())
      declaration = friendly->getFriendDecl();
    if (const auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(declaration); pattern && pattern->getTemplatedDecl())
      declaration = pattern->getTemplatedDecl();
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function && function->hasAttr<clang::CUDAGlobalAttr>())
      kernels.push_back(function);
    else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl, clang::ExportDecl>(
                 declaration))
      collect(llvm::cast<clang::DeclContext>(declaration), sources, kernels);
  }
}

/// The lines at which the keyword stands in code; comments and strings are none.
std::vector<clang::SourceLocation> written_marks(clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  const clang::FileID file = sources.getMainFileID();
  const std::optional<llvm::MemoryBufferRef> buffer = sources.getBufferOrNone(file);
  std::vector<clang::SourceLocation> places;
  if (!buffer || buffer->getBuffer().find("__global__") == llvm::StringRef::npos)
    return places;
  clang::Lexer lexer(file, *buffer, sources, context.getLangOpts());
  clang::Token token;
  for (bool end = false; !end;) {
    end = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == "__global__")
      places.push_back(token.getLocation());
  }
  return places;
}

} // namespace

std::vector<const clang::FunctionDecl *> declared_kernels(clang::ASTContext &context) {
  std::vector<const clang::FunctionDecl *> kernels;
  collect(context.getTranslationUnitDecl(), context.getSourceManager(), kernels);
  return kernels;
}

namespace {

/// `template __global__ void k(float *);`
bool is_explicit_instantiation(clang::SourceLocation mark, const clang::SourceManager &sources) {
  constexpr llvm::StringRef kTemplate = "template";
  const auto [file, offset] = sources.getDecomposedLoc(mark);
  const llvm::StringRef before = sources.getBufferData(file).take_front(offset);
  const llvm::StringRef statement = before.drop_front(before.find_last_of(";{}") + 1);
  const std::size_t word = statement.rfind(kTemplate);
  return word != llvm::StringRef::npos && !statement.drop_front(word + kTemplate.size()).ltrim().starts_with("<");
}

} // namespace

std::vector<clang::SourceLocation> KernelMarks::lost(clang::ASTContext &context) const {
  const clang::SourceManager &sources = context.getSourceManager();
  std::vector<clang::SourceLocation> places = marks_;
  std::erase_if(places, [&](clang::SourceLocation mark) { return is_explicit_instantiation(mark, sources); });
  for (const clang::FunctionDecl *kernel : declared_kernels(context))
    for (const clang::FunctionDecl *declaration : kernel->redecls())
      for (const auto *attribute : declaration->specific_attrs<clang::CUDAGlobalAttr>()) {
        const clang::SourceLocation place = sources.getExpansionLoc(attribute->getLocation());
        std::erase(places, place);
      }
  return places;
}

KernelMarks::Hidden KernelMarks::hidden(clang::ASTContext &context) const {
  const clang::SourceManager &sources = context.getSourceManager();
  Hidden found;
  bool in_condition = false, in_macro = false;
  for (const clang::SourceLocation place : written_marks(context)) {
    if (std::find(marks_.begin(), marks_.end(), place) != marks_.end())
      continue; // a declaration, a template, or an error
    const auto range = std::find_if(skipped_.begin(), skipped_.end(), [&](const clang::SourceRange &one) {
      return !sources.isBeforeInTranslationUnit(place, one.getBegin()) &&
             sources.isBeforeInTranslationUnit(place, one.getEnd());
    });
    if (range != skipped_.end() && !in_condition) {
      in_condition = true;
      found.line = sources.getSpellingLineNumber(range->getBegin());
      found.asked_for = definitions_for(directive_at(range->getBegin(), sources));
      found.reasons.push_back({Diagnostic::Severity::Warning, to_location(place, sources),
                               "no kernel of this file was analysed: the condition of line " +
                                   std::to_string(found.line) +
                                   " leaves this one out; `-- -DNAME` defines what it asks for",
                               true});
    } else if (range == skipped_.end() && !in_macro && marks_.empty()) {
      in_macro = true;
      found.reasons.push_back({Diagnostic::Severity::Warning, to_location(place, sources),
                               "no kernel of this file was analysed: this one is in a macro that the file does not use",
                               true});
    }
  }
  return found;
}

} // namespace smem
