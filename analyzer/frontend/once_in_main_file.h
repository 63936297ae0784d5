// `#pragma once` in the file that is analysed.
#pragma once

namespace clang {
class Preprocessor;
} // namespace clang

namespace smem {

/// A header that is analysed by itself, and that what it includes includes again, is there once: so it is with GCC's preprocessor, which
/// nvcc runs; Clang ignores the pragma in a main file.
void honour_once_in_main_file(clang::Preprocessor &preprocessor);

} // namespace smem
