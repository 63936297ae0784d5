#include "frontend/debug_pragmas.h"

#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

namespace smem {

void ignore_debug_pragmas(clang::Preprocessor &preprocessor) {
  preprocessor.AddPragmaHandler("clang", new clang::EmptyPragmaHandler("__debug"));
}

} // namespace smem
