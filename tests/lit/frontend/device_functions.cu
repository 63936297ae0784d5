// Device functions that CUDA's headers have and Clang's do not, with the arguments that nvcc converts for them.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: %s

#include <cuda_bf16.h>
#include <cuda_fp8.h>

// CHECK-LABEL: {{^}}packed
__global__ void packed(unsigned a, unsigned b, unsigned *out, bool *which) {
  out[0] = __vabs2(a) + __vabs4(a) + __vabsss2(a) + __vabsss4(a) + __vneg2(a) + __vneg4(a) + __vnegss2(a) + __vnegss4(a);
  out[1] = __vaddus2(a, b) + __vsubss2(a, b) + __vsubus2(a, b) + __vhaddu2(a, b) + __vhaddu4(a, b) + __vabsdiffu2(a, b) + __vabsdiffs2(a, b)
         + __vabsdiffs4(a, b) + __vsadu2(a, b) + __vsads2(a, b) + __vcmpne2(a, b) + __vcmpges2(a, b) + __vcmpgeu2(a, b) + __vcmples2(a, b)
         + __vcmpleu2(a, b) + __vcmplts2(a, b) + __vcmpltu2(a, b) + __vcmpges4(a, b) + __vcmples4(a, b) + __vcmpleu4(a, b) + __vcmplts4(a,
         b) + __vseteq2(a, b) + __vsetne2(a, b) + __vsetges2(a, b) + __vsetgeu2(a, b) + __vsetgts2(a, b) + __vsetgtu2(a, b) + __vsetles2(a,
         b) + __vsetleu2(a, b) + __vsetlts2(a, b) + __vsetltu2(a, b) + __vsetges4(a, b) + __vsetgeu4(a, b) + __vsetgts4(a, b) +
         __vsetgtu4(a, b) + __vsetles4(a, b) + __vsetleu4(a, b) + __vsetlts4(a, b) + __vsetltu4(a, b);
  out[2] = __vibmax_s16x2(a, b, which, which) + __vibmin_u16x2(a, b, which, which);
}

// The pointer decides which store it is; nothing that is converted makes it another one.
// CHECK-LABEL: {{^}}hinted
// CHECK: store 8 {{ *}}1 {{ *}}1 {{.*}}exact
// CHECK: store 16 {{ *}}1 {{ *}}2 {{.*}}exact
// CHECK: store 64 {{ *}}1 {{ *}}8 {{.*}}exact
__global__ void hinted(unsigned char *bytes, unsigned short *halves, double *doubles, int x) {
  __stcs(bytes + threadIdx.x, x);
  __stcg(halves + threadIdx.x, x);
  __stwt(doubles + threadIdx.x, x);
}

// CHECK-LABEL: {{^}}swapped
// CHECK: out[__nv_bswap32(threadIdx.x << 24)] {{ *}}store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}}exact
__global__ void swapped(int *out) { out[__nv_bswap32(threadIdx.x << 24)] = __nv_bswap16(3) + (int)__nv_bswap64(5); }

// CHECK-LABEL: {{^}}classified
__global__ void classified(float f, double d, int *out) {
  out[0] = __signbit(d) + __signbitf(f) + __isnan(d) + __isnanf(f) + __isinf(d) + __isinff(f) + __finite(d) + __finitef(f);
  out[1] = (int)(__tanhf(f) + fdivide(d, d) + jn(2, f) + ynf(3, f) + cyl_bessel_i0(d) + cyl_bessel_i1f(f) + __fmaf_ieee_rn(f, f, f));
  __prof_trigger(1);
}

// Overloads for float: what is stored is 32 bits wide, and 64 where a double comes in.
// CHECK-LABEL: {{^}}overloaded
// CHECK-COUNT-4: store 32 {{ *}}1 {{ *}}4 {{.*}}exact
// CHECK: store 64 {{ *}}1 {{ *}}8 {{.*}}exact
template <class T> __device__ void put(void *out, T value) { reinterpret_cast<T *>(out)[threadIdx.x] = value; }
__global__ void overloaded(float f, double d, void *a, void *b, void *c, void *e, void *g) {
  put(a, j0(f) + y1(f) + cyl_bessel_i0(f));
  put(b, jn(2, f) + yn(3, f));
  put(c, erfinv(f) + erfcx(f) + normcdf(f) + rcbrt(f));
  put(e, sinpi(f) + cospi(f));
  put(g, jn(2, d));
}

// A NaN is equal to nothing and, to the ordered comparison, unequal to nothing, too: lanes are apart where a comparison of one holds.
// CHECK-LABEL: {{^}}not_a_number
// CHECK: out[threadIdx.x * (1 + __hne(nan, nan))] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}exact
// CHECK: out[threadIdx.x * (1 + __hequ(nan, nan))] {{ *}}store 32 {{ *}}1 {{ *}}8 {{.*}}exact
__global__ void not_a_number(int *out) {
  const __nv_bfloat16 nan = __ushort_as_bfloat16(0x7fff);
  out[threadIdx.x * (1 + __hne(nan, nan))] = 1;
  out[threadIdx.x * (1 + __hequ(nan, nan))] = 3;
}

// CHECK-LABEL: {{^}}narrowed
// CHECK: store 8 {{ *}}1 {{ *}}1 {{.*}}exact
// CHECK: store 16 {{ *}}1 {{ *}}2 {{.*}}exact
__global__ void narrowed(double d, double2 two, __half h, __nv_fp8_storage_t *one, __nv_fp8x2_storage_t *pair) {
  one[threadIdx.x] = __nv_cvt_double_to_fp8(d, __NV_SATFINITE, __NV_E4M3) + __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E5M2);
  pair[threadIdx.x] = __nv_cvt_double2_to_fp8x2(two, __NV_SATFINITE, __NV_E4M3);
}

// CHECK-LABEL: {{^}}of_clusters
// CHECK-LABEL: {{^}}earlier
__global__ void of_clusters(int *out) {
#if __CUDA_ARCH__ >= 900
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  out[threadIdx.x] = __clusterIdx().x + __clusterDim().x + __clusterRelativeBlockRank() + __clusterSizeInBlocks();
#endif
}

__global__ void earlier(float f, double d, int *out) {
  out[0] = ballot(out[1]) + any(out[2]) + all(out[3]) + syncthreads_count(out[4]) + syncthreads_and(out[5]) + syncthreads_or(out[6]);
  out[7] = float2int(f, cudaRoundPosInf) + double2int(d) + (int)int2float(out[8], cudaRoundZero) + (int)dadd(d, d);
}

int main() {
  packed<<<1, 32>>>(1, 2, nullptr, nullptr);
  hinted<<<1, 32>>>(nullptr, nullptr, nullptr, 3);
  swapped<<<1, 32>>>(nullptr);
  classified<<<1, 32>>>(1, 2, nullptr);
  overloaded<<<1, 32>>>(1, 2, nullptr, nullptr, nullptr, nullptr, nullptr);
  not_a_number<<<1, 32>>>(nullptr);
  narrowed<<<1, 32>>>(1, {1, 2}, __half(1), nullptr, nullptr);
  of_clusters<<<1, 32>>>(nullptr);
  earlier<<<1, 32>>>(1, 2, nullptr);
}
