// Fills the SourceIndex from the syntax tree.
#pragma once

#include "syntax/source_index.h"

namespace clang {
class ASTContext;
}

namespace smem {

class IrNames;

SourceIndex build_source_index(clang::ASTContext &context, const IrNames &names);

} // namespace smem
