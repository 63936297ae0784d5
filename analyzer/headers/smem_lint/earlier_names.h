// Device functions without underscores, which CUDA has dropped: for sources that call them. Others have these names for functions of their own.
#pragma once

SMEM_LINT_DEVICE void syncthreads() { __syncthreads(); }
SMEM_LINT_DEVICE void threadfence(bool global = true) {
  if (global)
    __threadfence();
  else
    __threadfence_block();
}
SMEM_LINT_DEVICE int mulhi(int x, int y) { return __mulhi(x, y); }
SMEM_LINT_DEVICE unsigned mulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
SMEM_LINT_DEVICE unsigned umulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
SMEM_LINT_DEVICE long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
SMEM_LINT_DEVICE unsigned long long umul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }
SMEM_LINT_DEVICE int mul24(int x, int y) { return __mul24(x, y); }
SMEM_LINT_DEVICE unsigned umul24(unsigned x, unsigned y) { return __umul24(x, y); }
SMEM_LINT_DEVICE int float_as_int(float x) { return __float_as_int(x); }
SMEM_LINT_DEVICE float int_as_float(int x) { return __int_as_float(x); }
SMEM_LINT_DEVICE float saturate(float x) { return __saturatef(x); }
SMEM_LINT_DEVICE int float2int(float x) { return __float2int_rz(x); }
SMEM_LINT_DEVICE unsigned float2uint(float x) { return __float2uint_rz(x); }
SMEM_LINT_DEVICE float int2float(int x) { return __int2float_rn(x); }
SMEM_LINT_DEVICE float uint2float(unsigned x) { return __uint2float_rn(x); }
