// Alignment of accesses through casts, as nvcc takes it.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
class ASTContext;
} // namespace clang

namespace smem {

/// `reinterpret_cast<float4 *>(&tile[i])`, as well as `(float4 &)tile[i]`, promises float4's alignment to nvcc, whatever `tile` is declared as. Clang believes
/// the declaration and would split the access. This consumer, before the code generator, hides the declaration from
/// such casts.
std::unique_ptr<clang::ASTConsumer> make_cast_alignment_consumer(clang::ASTContext &context);

} // namespace smem
