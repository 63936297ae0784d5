// `#pragma clang __debug` prints macros, declarations and tokens as they are, and crashes on request.
#pragma once

namespace clang {
class Preprocessor;
} // namespace clang

namespace smem {

/// Has it do nothing: Clang's own handler goes.
void ignore_debug_pragmas(clang::Preprocessor &preprocessor);

} // namespace smem
