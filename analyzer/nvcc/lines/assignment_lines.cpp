#include "nvcc/lines/assignment_lines.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "syntax/ast_visitor.h"
#include "syntax/last_operand.h"
#include "support/paths.h"

namespace smem {
namespace {

using Position = std::pair<unsigned, unsigned>; ///< line, column

struct Assignment {
  Position begin, end;
  bool copies = false; ///< memory; else an operator is called
  Position copied_at;  ///< by Clang
  Position attributed; ///< what nvcc attributes it to
};

/// By file.
using Assignments = std::map<std::string, std::vector<Assignment>>;

/// What threadIdx and the like are made of is no call; a constructor that does something is one.
bool contains_call(const clang::Stmt *statement) {
  if (!statement || llvm::isa<clang::PseudoObjectExpr>(statement))
    return false;
  const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(statement);
  return (construct && !construct->getConstructor()->isTrivial()) || llvm::isa<clang::CallExpr>(statement) ||
         llvm::any_of(statement->children(), contains_call);
}

class Collector : public AstVisitor {
public:
  explicit Collector(clang::ASTContext &context) : context_(context), sources_(context.getSourceManager()) {}

  bool visits_instantiations() const override { return true; }

  bool skips(clang::Decl *declaration) override {
    return declaration->getLocation().isValid() && sources_.isInSystemHeader(declaration->getLocation());
  }

  void visit(clang::Stmt *statement) override {
    auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement);
    if (!call)
      return;
    const auto *method = call->getOperator() == clang::OO_Equal
                             ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getCalleeDecl())
                             : nullptr;
    const Position begin = position(call->getBeginLoc()), end = position(call->getEndLoc());
    if (!method || !begin.first || begin.first >= end.first)
      return;
    Assignment assignment{begin, end, method->isTrivial(), position(call->getOperatorLoc()), begin};
    if (assignment.copies) {
      if (!contains_call(call->getArg(0)) && !contains_call(call->getArg(1)))
        return;
      assignment.attributed = position(last_operand(call->getArg(0), context_));
    }
    found[normalise_path(sources_.getPresumedLoc(call->getBeginLoc()).getFilename())].push_back(assignment);
  }

  Assignments found;

private:
  Position position(clang::SourceLocation location) const {
    const clang::PresumedLoc presumed = sources_.getPresumedLoc(location);
    return presumed.isInvalid() ? Position() : Position(presumed.getLine(), presumed.getColumn());
  }

  const clang::ASTContext &context_;
  const clang::SourceManager &sources_;
};

/// A memory copy, or a call of `operator=`.
bool is_of(const Assignment &assignment, const llvm::CallBase &call, const Position &at) {
  if (llvm::isa<llvm::MemTransferInst>(call))
    return assignment.copies && at == assignment.copied_at;
  const llvm::Function *callee = call.getCalledFunction();
  return !assignment.copies && callee && callee->getName().contains("aSE"); // as the name is mangled
}

} // namespace

void attribute_assignments_as_nvcc(clang::ASTContext &context, llvm::Module &module) {
  Collector collector(context);
  collector.walk(context.getTranslationUnitDecl());
  if (collector.found.empty())
    return;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::DILocation *called = call ? call->getDebugLoc().get() : nullptr;
      if (!called || !called->getFile())
        continue;
      const auto file = collector.found.find(normalise_path(called->getFilename().str(), called->getDirectory().str()));
      if (file == collector.found.end())
        continue;
      const Position at{called->getLine(), called->getColumn()};
      for (const Assignment &assignment : file->second)
        if (assignment.begin <= at && at <= assignment.end && is_of(assignment, *call, at)) {
          const auto [line, column] = assignment.attributed;
          instruction.setDebugLoc(
              llvm::DILocation::get(module.getContext(), line, column, called->getScope(), called->getInlinedAt()));
          break;
        }
    }
}

} // namespace smem
