// The declarations of a scope that are this unit's own.
#pragma once

#include <clang/AST/DeclBase.h>

namespace smem {

/// All of a scope's declarations in the order of the source; of a translation unit those after a precompiled prefix. A prefix consists of system headers,
/// and asking for its declarations would have Clang read every one of them.
inline clang::DeclContext::decl_range declarations_of(const clang::DeclContext *scope) {
  return scope->isTranslationUnit() ? scope->noload_decls() : scope->decls();
}

} // namespace smem
