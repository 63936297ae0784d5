// Dispatch by the type of a tensor.
#pragma once

#include <smem_lint_host/torch_c10.h>

// One type stands for all that are dispatched to.
#define SMEM_LINT_DISPATCH(dispatched, ...)                                                                            \
  [&] {                                                                                                                \
    using scalar_t = dispatched;                                                                                       \
    return __VA_ARGS__();                                                                                              \
  }()
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...) SMEM_LINT_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_FLOATING_TYPES_AND(also, type, name, ...) SMEM_LINT_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(also, and_also, type, name, ...) SMEM_LINT_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND3(also, and_also, and_third, type, name, ...)                                    \
  SMEM_LINT_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND AT_DISPATCH_FLOATING_TYPES_AND
#define AT_DISPATCH_ALL_TYPES_AND2 AT_DISPATCH_FLOATING_TYPES_AND2
#define AT_DISPATCH_ALL_TYPES_AND3 AT_DISPATCH_FLOATING_TYPES_AND3
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND AT_DISPATCH_FLOATING_TYPES_AND
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2 AT_DISPATCH_FLOATING_TYPES_AND2
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3 AT_DISPATCH_FLOATING_TYPES_AND3
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1 AT_DISPATCH_FLOATING_TYPES_AND
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2 AT_DISPATCH_FLOATING_TYPES_AND2
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(type, name, ...) SMEM_LINT_DISPATCH(c10::Half, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(type, name, ...) SMEM_LINT_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND(also, type, name, ...) SMEM_LINT_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(type, name, ...)                                                                       \
  [&] {                                                                                                                \
    using index_t = int;                                                                                               \
    return __VA_ARGS__();                                                                                              \
  }()
#define AT_WRAP(...) __VA_ARGS__
#define AT_EXPAND(...) __VA_ARGS__
#define AT_DISPATCH_V2(type, name, body, ...) SMEM_LINT_DISPATCH(float, body)
#define AT_DISPATCH_SWITCH(type, name, ...)                                                                            \
  [&] {                                                                                                                \
    switch (c10::ScalarType smem_lint_type = (type)) { __VA_ARGS__ default : break; }                                  \
  }()
#define AT_PRIVATE_CASE_TYPE_USING_HINT(enumerator, hint, ...)                                                         \
  case enumerator: {                                                                                                   \
    using hint = c10::TypeOf<enumerator>;                                                                              \
    __VA_ARGS__();                                                                                                     \
    break;                                                                                                             \
  }
#define AT_DISPATCH_CASE(enumerator, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(enumerator, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                                                           \
  AT_DISPATCH_CASE(c10::ScalarType::Double, __VA_ARGS__) AT_DISPATCH_CASE(c10::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                                           \
  AT_DISPATCH_CASE(c10::ScalarType::Int, __VA_ARGS__) AT_DISPATCH_CASE(c10::ScalarType::Long, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                                                                \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
