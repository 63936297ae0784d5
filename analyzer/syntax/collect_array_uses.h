// Fills ArrayUses from the syntax tree.
#pragma once

#include "syntax/array_uses.h"

namespace clang {
class ASTContext;
}

namespace smem {

class IrNames;

ArrayUses collect_array_uses(clang::ASTContext &context, const IrNames &names);

} // namespace smem
