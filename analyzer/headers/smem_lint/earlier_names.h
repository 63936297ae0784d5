// What CUDA has dropped, device functions without underscores and texture references: those names that a source calls and does not declare, as others have these names for
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
#ifdef SMEM_LINT_EARLIER_float2int
SMEM_LINT_DEVICE int float2int(float x) { return __float2int_rz(x); }
#endif
#ifdef SMEM_LINT_EARLIER_float2uint
SMEM_LINT_DEVICE unsigned float2uint(float x) { return __float2uint_rz(x); }
#endif
#ifdef SMEM_LINT_EARLIER_int2float
SMEM_LINT_DEVICE float int2float(int x) { return __int2float_rn(x); }
#endif
#ifdef SMEM_LINT_EARLIER_uint2float
SMEM_LINT_DEVICE float uint2float(unsigned x) { return __uint2float_rn(x); }
#endif
