// In the short report races that one barrier ends are one finding, which names the lines of the others.
// RUN: %lint-short --fail-on=never --color=never %s | FileCheck %s --implicit-check-not="warning: race"

// smem-lint: launch grid=1 block=256
__global__ void reduce(const float *in, float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = in[threadIdx.x];
  for (unsigned d = 128; d > 0; d >>= 1)
    if (threadIdx.x < d)
      // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: race: thread (0,0,0) reads s[threadIdx.x + d]
      // CHECK: hint: `__syncthreads();` before line [[#@LINE-2]] (in braces with the loop's body): then these two no longer race in this launch, nor does 1 other pair (line [[#@LINE+1]])
      s[threadIdx.x] += s[threadIdx.x + d];
  if (threadIdx.x == 0)
    out[0] = s[0];
}

// Two barriers are missing: two mistakes, and two findings.
// smem-lint: launch grid=1 block=256
__global__ void twice(float *out) {
  __shared__ float s[256], r[256];
  s[threadIdx.x] = threadIdx.x;
  // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: race: thread {{.*}} reads s[255 - threadIdx.x]
  // CHECK: hint: `__syncthreads();` before line [[#@LINE+1]]: then these two no longer race in this launch{{$}}
  out[threadIdx.x] = s[255 - threadIdx.x];
  r[threadIdx.x] = threadIdx.x;
  // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: race: thread {{.*}} reads r[255 - threadIdx.x]
  // CHECK: hint: `__syncthreads();` before line [[#@LINE+1]]: then these two no longer race in this launch{{$}}
  out[threadIdx.x] += r[255 - threadIdx.x];
}
