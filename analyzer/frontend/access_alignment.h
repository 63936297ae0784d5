// Alignment of accesses through casts and of members, as nvcc takes it.
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
///
/// `typedef struct { float re, im; } Complex __attribute__((aligned(8)))`: nvcc takes `p[i].re` to be aligned as the structure is by itself, to 4 bytes, and `p[i]` as a whole, or as a
/// member of another, to 8. Clang takes both to be aligned to 8.
std::unique_ptr<clang::ASTConsumer> make_access_alignment_consumer(clang::ASTContext &context);

} // namespace smem
