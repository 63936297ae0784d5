// Which variables of a function an interpreter can follow.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>

namespace clang {
class Stmt;
class ValueDecl;
} // namespace clang

namespace smem::argument_facts {

using Variables = llvm::SmallPtrSet<const clang::ValueDecl *, 16>;

/// Variables that something else than an assignment of their own may change. `assigned`, where not null, gets those that assignments change; without it they are `escaping`,
/// as are those that a lambda assigns.
void find_escaping(const clang::Stmt *statement, Variables &escaping, Variables *assigned, bool in_lambda);

} // namespace smem::argument_facts
