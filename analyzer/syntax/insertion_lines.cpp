#include "syntax/insertion_lines.h"

#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include "syntax/locations.h"
#include "syntax/source_index.h"

namespace smem {
namespace {

SourceLocation line_of(clang::SourceLocation at, const clang::SourceManager &sources) {
  SourceLocation line = to_location(at, sources);
  line.column = 0;
  return line;
}

/// Nothing but white space stands before it on its line.
bool begins_line(clang::SourceLocation at, const clang::SourceManager &sources) {
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(at));
  bool invalid = false;
  const llvm::StringRef text = sources.getBufferData(file, &invalid);
  if (invalid || offset > text.size())
    return false;
  const llvm::StringRef before = text.take_front(offset);
  return before.drop_front(before.find_last_of('\n') + 1).trim(" \t").empty();
}

/// A statement before `statement`, which is one of a compound statement or a loop's whole body, stands on a line of its own. Not between a pragma and its loop.
void note_statement(const clang::Stmt &statement, bool needs_braces, const clang::SourceManager &sources,
                    SourceIndex &index) {
  if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(&statement))
    return label->getSubStmt() ? note_statement(*label->getSubStmt(), needs_braces, sources, index) : void();
  const SourceLocation begin = line_of(statement.getBeginLoc(), sources);
  const SourceLocation end = line_of(statement.getEndLoc(), sources);
  const bool has_room = !llvm::isa<clang::AttributedStmt>(statement) && begins_line(statement.getBeginLoc(), sources);
  if (begin.file == end.file)
    for (SourceLocation line = begin; line.line <= end.line; ++line.line)
      index.statement_lines[line] = {has_room ? begin.line : 0, needs_braces};
}

void note_loop(const clang::Stmt &loop, const clang::Stmt *condition, const clang::Stmt *body,
               const clang::SourceManager &sources, SourceIndex &index) {
  if (!body)
    return;
  const bool compound = llvm::isa<clang::CompoundStmt>(body);
  index.loop_heads[line_of(loop.getBeginLoc(), sources)] = compound;
  if (condition) // what the loop's branch carries
    index.loop_heads[line_of(condition->getBeginLoc(), sources)] = compound;
  if (!compound)
    note_statement(*body, true, sources, index);
}

} // namespace

void note_insertion_lines(const clang::Stmt &statement, const clang::SourceManager &sources, SourceIndex &index) {
  if (sources.isInSystemHeader(sources.getExpansionLoc(statement.getBeginLoc()))) // not the user's to edit
    return;
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(&statement)) {
    for (const clang::Stmt *child : compound->body())
      note_statement(*child, false, sources, index);
  } else if (const auto *counted = llvm::dyn_cast<clang::ForStmt>(&statement)) {
    note_loop(*counted, counted->getCond(), counted->getBody(), sources, index);
  } else if (const auto *asks_first = llvm::dyn_cast<clang::WhileStmt>(&statement)) {
    note_loop(*asks_first, asks_first->getCond(), asks_first->getBody(), sources, index);
  } else if (const auto *asks_last = llvm::dyn_cast<clang::DoStmt>(&statement)) {
    note_loop(*asks_last, asks_last->getCond(), asks_last->getBody(), sources, index);
  } else if (const auto *ranged = llvm::dyn_cast<clang::CXXForRangeStmt>(&statement)) {
    note_loop(*ranged, ranged->getCond(), ranged->getBody(), sources, index);
  }
}

} // namespace smem
