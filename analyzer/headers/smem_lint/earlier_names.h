// What CUDA has dropped or deprecates, device functions without underscores and texture references: those names that a source calls and does not declare, as others have these names for
// functions of their own. `SMEM_LINT_EARLIER_mulhi` asks for mulhi().
#pragma once

#if defined(SMEM_LINT_EARLIER_texture) || defined(SMEM_LINT_EARLIER_textureReference) ||                               \
    defined(SMEM_LINT_EARLIER_surface) || defined(SMEM_LINT_EARLIER_surfaceReference)
#include "texture_references.h"
#endif

#ifdef SMEM_LINT_EARLIER_syncthreads
SMEM_LINT_DEVICE void syncthreads() { __syncthreads(); }
#endif
#ifdef SMEM_LINT_EARLIER_threadfence
SMEM_LINT_DEVICE void threadfence(bool global = true) {
  if (global)
    __threadfence();
  else
    __threadfence_block();
}
#endif
#ifdef SMEM_LINT_EARLIER_mulhi
SMEM_LINT_DEVICE int mulhi(int x, int y) { return __mulhi(x, y); }
SMEM_LINT_DEVICE unsigned mulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
SMEM_LINT_DEVICE unsigned mulhi(int x, unsigned y) { return __umulhi(x, y); }
SMEM_LINT_DEVICE unsigned mulhi(unsigned x, int y) { return __umulhi(x, y); }
#endif
#ifdef SMEM_LINT_EARLIER_umulhi
SMEM_LINT_DEVICE unsigned umulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
#endif
#ifdef SMEM_LINT_EARLIER_mul64hi
SMEM_LINT_DEVICE long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
SMEM_LINT_DEVICE unsigned long long mul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }
SMEM_LINT_DEVICE unsigned long long mul64hi(long long x, unsigned long long y) { return __umul64hi(x, y); }
SMEM_LINT_DEVICE unsigned long long mul64hi(unsigned long long x, long long y) { return __umul64hi(x, y); }
#endif
#ifdef SMEM_LINT_EARLIER_umul64hi
SMEM_LINT_DEVICE unsigned long long umul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }
#endif
#ifdef SMEM_LINT_EARLIER_mul24
SMEM_LINT_DEVICE int mul24(int x, int y) { return __mul24(x, y); }
#endif
#ifdef SMEM_LINT_EARLIER_umul24
SMEM_LINT_DEVICE unsigned umul24(unsigned x, unsigned y) { return __umul24(x, y); }
#endif
#ifdef SMEM_LINT_EARLIER_float_as_int
SMEM_LINT_DEVICE int float_as_int(float x) { return __float_as_int(x); }
#endif
#ifdef SMEM_LINT_EARLIER_int_as_float
SMEM_LINT_DEVICE float int_as_float(int x) { return __int_as_float(x); }
#endif
#ifdef SMEM_LINT_EARLIER_saturate
SMEM_LINT_DEVICE float saturate(float x) { return __saturatef(x); }
#endif
#ifdef SMEM_LINT_EARLIER_ballot
SMEM_LINT_DEVICE unsigned ballot(bool p) { return __nvvm_vote_ballot(p); }
#endif
#ifdef SMEM_LINT_EARLIER_any
SMEM_LINT_DEVICE bool any(bool p) { return __nvvm_vote_any(p); }
#endif
#ifdef SMEM_LINT_EARLIER_all
SMEM_LINT_DEVICE bool all(bool p) { return __nvvm_vote_all(p); }
#endif
#ifdef SMEM_LINT_EARLIER_syncthreads_count
SMEM_LINT_DEVICE int syncthreads_count(int p) { return __syncthreads_count(p); }
#endif
#ifdef SMEM_LINT_EARLIER_syncthreads_and
SMEM_LINT_DEVICE bool syncthreads_and(int p) { return __syncthreads_and(p); }
#endif
#ifdef SMEM_LINT_EARLIER_syncthreads_or
SMEM_LINT_DEVICE bool syncthreads_or(int p) { return __syncthreads_or(p); }
#endif

// Conversions and arithmetic with the rounding mode as an argument.
#define SMEM_LINT_ROUNDED(INTRINSIC, MODE, ...)                                                                        \
  ((MODE) == cudaRoundNearest  ? INTRINSIC##_rn(__VA_ARGS__)                                                           \
   : (MODE) == cudaRoundZero   ? INTRINSIC##_rz(__VA_ARGS__)                                                           \
   : (MODE) == cudaRoundPosInf ? INTRINSIC##_ru(__VA_ARGS__)                                                           \
                               : INTRINSIC##_rd(__VA_ARGS__))
#define SMEM_LINT_CONVERSION(NAME, FROM, TO, DEFAULT)                                                                  \
  SMEM_LINT_DEVICE TO NAME(FROM x, enum cudaRoundMode mode = DEFAULT) { return SMEM_LINT_ROUNDED(__##NAME, mode, x); }
#define SMEM_LINT_ARITHMETIC(NAME)                                                                                     \
  SMEM_LINT_DEVICE double NAME(double x, double y, enum cudaRoundMode mode = cudaRoundNearest) {                       \
    return SMEM_LINT_ROUNDED(__##NAME, mode, x, y);                                                                    \
  }
#ifdef SMEM_LINT_EARLIER_float2int
SMEM_LINT_CONVERSION(float2int, float, int, cudaRoundZero)
#endif
#ifdef SMEM_LINT_EARLIER_float2uint
SMEM_LINT_CONVERSION(float2uint, float, unsigned, cudaRoundZero)
#endif
#ifdef SMEM_LINT_EARLIER_float2ll
SMEM_LINT_CONVERSION(float2ll, float, long long, cudaRoundZero)
#endif
#ifdef SMEM_LINT_EARLIER_float2ull
SMEM_LINT_CONVERSION(float2ull, float, unsigned long long, cudaRoundZero)
#endif
#ifdef SMEM_LINT_EARLIER_int2float
SMEM_LINT_CONVERSION(int2float, int, float, cudaRoundNearest)
#endif
#ifdef SMEM_LINT_EARLIER_uint2float
SMEM_LINT_CONVERSION(uint2float, unsigned, float, cudaRoundNearest)
#endif
#ifdef SMEM_LINT_EARLIER_ll2float
SMEM_LINT_CONVERSION(ll2float, long long, float, cudaRoundNearest)
#endif
#ifdef SMEM_LINT_EARLIER_ull2float
SMEM_LINT_CONVERSION(ull2float, unsigned long long, float, cudaRoundNearest)
#endif
#ifdef SMEM_LINT_EARLIER_double2int
SMEM_LINT_CONVERSION(double2int, double, int, cudaRoundZero)
#endif
#ifdef SMEM_LINT_EARLIER_double2uint
SMEM_LINT_CONVERSION(double2uint, double, unsigned, cudaRoundZero)
#endif
#ifdef SMEM_LINT_EARLIER_double2ll
SMEM_LINT_CONVERSION(double2ll, double, long long, cudaRoundZero)
#endif
#ifdef SMEM_LINT_EARLIER_double2ull
SMEM_LINT_CONVERSION(double2ull, double, unsigned long long, cudaRoundZero)
#endif
#ifdef SMEM_LINT_EARLIER_ll2double
SMEM_LINT_CONVERSION(ll2double, long long, double, cudaRoundNearest)
#endif
#ifdef SMEM_LINT_EARLIER_ull2double
SMEM_LINT_CONVERSION(ull2double, unsigned long long, double, cudaRoundNearest)
#endif
#ifdef SMEM_LINT_EARLIER_int2double
SMEM_LINT_DEVICE double int2double(int x, enum cudaRoundMode = cudaRoundNearest) { return x; }
#endif
#ifdef SMEM_LINT_EARLIER_uint2double
SMEM_LINT_DEVICE double uint2double(unsigned x, enum cudaRoundMode = cudaRoundNearest) { return x; }
#endif
#ifdef SMEM_LINT_EARLIER_dadd
SMEM_LINT_ARITHMETIC(dadd)
#endif
#ifdef SMEM_LINT_EARLIER_dsub
SMEM_LINT_ARITHMETIC(dsub)
#endif
#ifdef SMEM_LINT_EARLIER_dmul
SMEM_LINT_ARITHMETIC(dmul)
#endif
#undef SMEM_LINT_ARITHMETIC
#undef SMEM_LINT_CONVERSION
#undef SMEM_LINT_ROUNDED

// As CCCL 2.8 has them, the last in which they are.
#if defined(SMEM_LINT_EARLIER_cub_Sum) || defined(SMEM_LINT_EARLIER_cub_Difference) ||                                 \
    defined(SMEM_LINT_EARLIER_cub_Division) || defined(SMEM_LINT_EARLIER_cub_Equality) ||                              \
    defined(SMEM_LINT_EARLIER_cub_Inequality)
#include <cuda/std/functional>
#endif
#if defined(SMEM_LINT_EARLIER_cub_Max) || defined(SMEM_LINT_EARLIER_cub_Min)
#include <cuda/functional>
#endif
#ifdef SMEM_LINT_EARLIER_cub_ConstantInputIterator
#include <thrust/iterator/constant_iterator.h>
#endif
#ifdef SMEM_LINT_EARLIER_cub_CountingInputIterator
#include <thrust/iterator/counting_iterator.h>
#endif
#ifdef SMEM_LINT_EARLIER_cub_DiscardOutputIterator
#include <thrust/iterator/discard_iterator.h>
#endif
#ifdef SMEM_LINT_EARLIER_cub_TransformInputIterator
#include <thrust/iterator/transform_iterator.h>
#endif
namespace cub {
#ifdef SMEM_LINT_EARLIER_cub_Sum
using Sum = ::cuda::std::plus<>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_Difference
using Difference = ::cuda::std::minus<>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_Division
using Division = ::cuda::std::divides<>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_Equality
using Equality = ::cuda::std::equal_to<>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_Inequality
using Inequality = ::cuda::std::not_equal_to<>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_Max
using Max = ::cuda::maximum<>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_Min
using Min = ::cuda::minimum<>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_ConstantInputIterator
template <class Value, class Offset = long> using ConstantInputIterator = thrust::constant_iterator<Value, Offset>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_CountingInputIterator
template <class Value, class Offset = long> using CountingInputIterator =
    thrust::counting_iterator<Value, thrust::use_default, thrust::use_default, Offset>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_DiscardOutputIterator
template <class Offset = long> using DiscardOutputIterator = thrust::discard_iterator<>;
#endif
#ifdef SMEM_LINT_EARLIER_cub_TransformInputIterator
template <class Value, class Operation, class Iterator, class Offset = long> using TransformInputIterator =
    thrust::transform_iterator<Operation, Iterator, Value>;
#endif
} // namespace cub
namespace thrust {
#ifdef SMEM_LINT_EARLIER_thrust_unary_function
template <class Argument, class Result> struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
#endif
#ifdef SMEM_LINT_EARLIER_thrust_binary_function
template <class First, class Second, class Result> struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};
#endif
} // namespace thrust
