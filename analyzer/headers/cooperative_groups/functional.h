// Operations of the collectives.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {
#pragma push_macro("SL_OPERATION")
#undef SL_OPERATION
#define SL_OPERATION(NAME, EXPRESSION)                                                                                 \
  template <typename T = void> struct NAME {                                                                           \
    SMEM_LINT_BOTH_METHOD T operator()(T a, T b) const { return EXPRESSION; }                                          \
  };                                                                                                                   \
  template <> struct NAME<void> {                                                                                      \
    template <typename T> SMEM_LINT_BOTH_METHOD T operator()(T a, T b) const { return EXPRESSION; }                    \
  };
SL_OPERATION(plus, a + b)
SL_OPERATION(less, b < a ? b : a)
SL_OPERATION(greater, a < b ? b : a)
SL_OPERATION(bit_and, a &b)
SL_OPERATION(bit_or, a | b)
SL_OPERATION(bit_xor, a ^ b)
#pragma pop_macro("SL_OPERATION")
} // namespace cooperative_groups
