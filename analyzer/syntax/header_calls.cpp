#include "syntax/header_calls.h"

#include <string>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "syntax/locations.h"

namespace smem {
namespace {

/// Of the first argument, or of what it points to.
std::string argument_type(const clang::CallExpr &call) {
  if (call.getNumArgs() == 0)
    return {};
  clang::QualType type = call.getArg(0)->IgnoreParenImpCasts()->getType().getCanonicalType();
  if (const clang::ArrayType *array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  else if (const clang::QualType pointee = type->getPointeeType(); !pointee.isNull())
    type = pointee;
  if (const clang::RecordDecl *record = type->getAsRecordDecl())
    return record->getName().str();
  return type->isArithmeticType() ? type.getUnqualifiedType().getAsString() : std::string();
}

} // namespace

std::vector<HeaderCall> header_calls(const clang::CallExpr &call, const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  const clang::SourceLocation begin = call.getBeginLoc();
  SourceLocation line = to_location(begin, sources);
  line.column = 0;
  std::vector<HeaderCall> calls;
  if (begin.isMacroID())
    calls.push_back({clang::Lexer::getImmediateMacroName(begin, sources, context.getLangOpts()).str(), {}, line});
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee && callee->getIdentifier() &&
      (callee->getLocation().isInvalid() || sources.isInSystemHeader(sources.getExpansionLoc(callee->getLocation()))))
    calls.push_back({callee->getName().str(), argument_type(call), std::move(line)});
  return calls;
}

} // namespace smem
