// Where another statement can be inserted.
#pragma once

namespace clang {
class SourceManager;
class Stmt;
} // namespace clang

namespace smem {

struct SourceIndex;

/// SourceIndex::statement_lines and ::loop_heads of one statement, as far as it is a compound statement or a loop.
void note_insertion_lines(const clang::Stmt &statement, const clang::SourceManager &sources, SourceIndex &index);

} // namespace smem
