#include "frontend/invalid_functions.h"

#include <optional>
#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/source_tokens.h"
#include "syntax/ast_visitor.h"

namespace smem {
namespace {

/// Where a statement names functions, members and variables that are what they should be.
class NamedPlaces : public AstVisitor {
public:
  NamedPlaces(const clang::SourceManager &sources, clang::Stmt &statement) : sources_(sources) { walk(&statement); }

  bool contains(clang::FileID file, unsigned offset) const { return places_.contains({file, offset}); }

private:
  void visit(clang::Stmt *statement) override {
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(statement))
      add(*member->getMemberDecl(), member->getMemberLoc());
    else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      add(*reference->getDecl(), reference->getLocation());
  }
  void add(const clang::Decl &declaration, clang::SourceLocation location) {
    if (!declaration.isInvalidDecl())
      places_.insert(sources_.getDecomposedLoc(sources_.getFileLoc(location)));
  }

  const clang::SourceManager &sources_;
  std::set<std::pair<clang::FileID, unsigned>> places_;
};

} // namespace

void InvalidFunctions::add(const clang::FunctionDecl &function, std::string why) {
  if (function.getIdentifier() && why.find("cannot overload") == std::string::npos)
    errors_.emplace(function.getName().str(), std::move(why));
}

const std::pair<const std::string, std::string> *InvalidFunctions::named_by(const clang::FunctionDecl &function) const {
  if (errors_.empty() || !function.getBody())
    return nullptr;
  const clang::SourceManager &sources = function.getASTContext().getSourceManager();
  const auto [file, begin] = sources.getDecomposedLoc(sources.getExpansionLoc(function.getBody()->getBeginLoc()));
  const auto [last, end] = sources.getDecomposedLoc(sources.getExpansionLoc(function.getBody()->getEndLoc()));
  if (file != last || end < begin)
    return nullptr;
  std::optional<NamedPlaces> others;
  for (const SourceTokens text(sources.getBufferData(file)); const SourceTokens::Token &token : text.read(begin, end)) {
    const auto found = errors_.find(sources.getBufferData(file).substr(token.offset, token.length).str());
    if (found == errors_.end())
      continue;
    if (!others)
      others.emplace(sources, *function.getBody());
    if (!others->contains(file, token.offset))
      return &*found;
  }
  return nullptr;
}

} // namespace smem
