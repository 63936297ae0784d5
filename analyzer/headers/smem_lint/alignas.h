// nvcc accepts `__shared__ alignas(16) T x[n]`, where the standard wants alignas first.
// As an attribute it may stand in either place; the two overloads tell a type from a value.
#ifndef SMEM_LINT_ALIGNAS_H
#define SMEM_LINT_ALIGNAS_H

namespace smem_lint {
template <typename T> constexpr __SIZE_TYPE__ alignment_of() { return alignof(T); }
template <__SIZE_TYPE__ N> constexpr __SIZE_TYPE__ alignment_of() { return N; }
} // namespace smem_lint
#define alignas(...) __attribute__((aligned(::smem_lint::alignment_of<__VA_ARGS__>())))

#endif
