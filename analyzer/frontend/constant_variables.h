// The memory that constants of device code are in.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
class ASTContext;
} // namespace clang

namespace smem {

/// `__device__ const float weights[8]`, and a `static const` one of a function, are in global memory to nvcc, and Clang makes them `__constant__` (8 kinds of declarations, PTX read). This consumer stands before
/// the code generator.
std::unique_ptr<clang::ASTConsumer> make_constant_variable_consumer(clang::ASTContext &context);

} // namespace smem
