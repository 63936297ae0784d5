// Macros that are defined in the user's files only, not in the headers of the toolkit, of its libraries and of Clang.
#pragma once

namespace clang {
class Preprocessor;
} // namespace clang

namespace smem {

struct UserFileMacros {
  /// `__NVCC__`, as nvcc defines it in every pass: which kernels a project has, or whether it has any, may depend on it. Headers of the toolkit would use what only nvcc has built in.
  bool nvcc = true;
  /// `__device__` stands for `__host__ __device__`. nvcc's device pass does not look at what host functions call, so that sources have host code of functions that are for the device in this
  /// pass only (`#ifdef __CUDA_ARCH__`), and it takes declarations of one function with different specifiers for one; Clang refuses both.
  bool host_of_device = false;
};

/// `asked` says whether a file of the user's tests __NVCC__.
void define_in_user_files(clang::Preprocessor &preprocessor, const UserFileMacros &macros, bool &asked);

} // namespace smem
