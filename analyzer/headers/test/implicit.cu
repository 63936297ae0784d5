// Nothing is included: what nvcc makes visible by itself.
struct alignas(16) Four { float x, y, z, w; };

__constant__ float weights[16];
__device__ int counter;

__device__ float magnitude(float x) { return x > 0 ? x : -x; }
__host__ __device__ int ceil_div(int a, int b) { return (a + b - 1) / b; }

__global__ void __launch_bounds__(256, 2) arithmetic(float *__restrict__ a, double *d, int *i, int n) {
  extern __shared__ alignas(16) float pool[];
  __shared__ alignas(Four) char bytes[64];
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  const dim3 block = blockDim;
  const uint3 thread = threadIdx;
  pool[t] = a[t] + weights[t & 15] + block.x + thread.y + bytes[t & 63] + warpSize;
  __syncthreads();
  a[t] = sinf(a[t]) + sqrtf(a[1]) + sqrt(a[2]) + pow(a[3], 2) + pow(a[3], 3.0f) + fabs(a[4]) + max(a[1], a[2]) +
         fmax(a[1], 0.5) + expf(a[4]) + __expf(a[5]) + abs(a[6]) + floor(a[7]) + floorf(a[8]) + isnan(a[9]) + log(a[1]) +
         atan2(a[1], a[2]) + erff(a[1]) + copysignf(a[1], a[2]) + tanhf(a[1]) + min(a[1], 3.0) + rsqrtf(a[3]) +
         __fmaf_rn(a[1], a[2], a[3]) + __fdividef(a[1], a[2]) + __frcp_rn(a[1]) + magnitude(pool[t ^ 1]);
  d[t] = sin(d[0]) + pow(d[1], 0.5) + exp(d[3]) + fma(d[1], d[2], d[3]) + cbrt(d[4]) + sqrt(n) + fabs(d[4]) + isinf(d[3]);
  i[t] = __clz(i[1]) + __popc(i[2]) + __ffs(i[3]) + __brev(i[4]) + min(i[0], i[2]) + abs(i[4]) + __mul24(i[1], i[2]) +
         __umulhi(i[1], i[2]) + __mulhi(i[3], i[4]) + __byte_perm(i[1], i[2], 0x1234) + ceil_div(n, 32) +
         __funnelshift_l(i[1], i[2], i[3]) + __sad(i[1], i[2], i[3]) + __float2int_rn(a[1]) + __float_as_int(a[2]);
  if (t == n) printf("%d\n", i[0]);
  assert(n > 0);
  memset(i + 100, 0, 16);
  memcpy(i + 200, i + 300, 16);
}

__global__ void warp(float4 *v, int *i, float *f, double *d, unsigned long long *l) {
  const unsigned all = 0xffffffffu;
  i[0] = __shfl_xor_sync(all, i[0], 4) + __shfl_down_sync(all, i[1], 2) + __shfl_up_sync(all, i[1], 2) +
         __shfl_sync(all, i[3], 0, 16) + __ballot_sync(all, i[2]) + __any_sync(all, i[1]) + __all_sync(all, i[0]) +
         __match_any_sync(all, i[4]) + __activemask() + __syncthreads_count(i[7]);
  f[0] = __shfl_xor_sync(all, f[1], 1);
  d[0] = __shfl_xor_sync(all, d[1], 1);
  l[0] = __shfl_xor_sync(all, l[1], 1);
  v[0] = __ldg(v + 1);
  f[1] = __ldcg(f + 2) + __ldcs(f + 3) + __ldg(f + 4);
  __stcs(v + 3, v[4]);
  i[8] = (int)__cvta_generic_to_shared(v) + clock() + clock64();
  __syncwarp();
  __threadfence();
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
  __shared__ int s[32];
  atomicAdd(&s[threadIdx.x & 31], 1);
  atomicAdd(i, 1), atomicSub(i, 1), atomicMin(i, 2), atomicMax(u, 3), atomicExch(f, 1.0f), atomicCAS(l, 1, 2);
  atomicAnd(i, 1), atomicOr(u, 1), atomicXor(l, 1), atomicInc(u, 7), atomicDec(u, 7), atomicAdd(f, 1), atomicAdd(d, 1);
  atomicAdd_block(i, 1), atomicAdd_system(u, 1), atomicCAS_block(i, 1, 2), atomicInc_block(u, 3);
}

int main() {
  float *a;
  cudaMalloc(&a, 1024);
  cudaMalloc((void **)&a, 1024);
  cudaMemcpyToSymbol(weights, a, 64);
  cudaFuncSetAttribute(arithmetic, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, arithmetic, 256, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  arithmetic<<<dim3(4, 4), dim3(16, 16), 1024, stream>>>(a, nullptr, nullptr, 3);
  warp<<<1, 32>>>(nullptr, nullptr, a, nullptr, nullptr);
  printf("%s %d %f\n", cudaGetErrorString(cudaGetLastError()), max(1, 2), fabs(sqrt(2.0)));
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  srand((unsigned)time(NULL));
  fprintf(stderr, "%d\n", properties.major + rand());
  exit(EXIT_SUCCESS);
}
