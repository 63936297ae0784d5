// Where ptxas knows that lanes have one address, one lane does the atomic for all, however few of them come there; sums of different numbers whose results are used take a whole warp.
// Each row was compared with nvcc's machine code (13.0, sm_90).
// RUN: not %lint %s | FileCheck %s
// RUN: %lint-short --format=json --fail-on=never %s > %t.json
// RUN: FileCheck %s --input-file=%t.json --check-prefix=PATTERN

// smem-lint: launch block=(64) grid=(1) n=40
__global__ void some_lanes(const int *in, int *out, int n) {
  __shared__ int words[64], list[64];
  const int t = threadIdx.x;
  words[t] = 0;
  __syncthreads();
  if (t < n) {
    // CHECK-DAG: [[#@LINE+1]]:5  atomicMax(&words[n], in[t]) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}- {{ *}}exact
    atomicMax(&words[n], in[t]);
    // CHECK-DAG: [[#@LINE+1]]:11  atomicAdd(&words[0], n) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}- {{ *}}assumed
    list[(atomicAdd(&words[0], n)) & 63] = t;
    // 32 lanes: a scan and one atomic. 8 lanes: each its own.
    // CHECK-DAG: [[#@LINE+1]]:18  atomicAdd(&words[1], t) {{ *}}atomic 32 {{ *}}2 {{ *}}9 {{ *}}2 {{ *}}8 lanes {{ *}}assumed
    out[t] = 3 * atomicAdd(&words[1], t);
    // CHECK-DAG: [[#@LINE+1]]:19  atomicMin(&words[2], t) {{ *}}atomic 32 {{ *}}2 {{ *}}40 {{ *}}2 {{ *}}32 lanes {{ *}}exact
    out[64 + t] = atomicMin(&words[2], t);
  }
  // CHECK-DAG: [[#@LINE+2]]:5  atomicOr(&words[5], n) {{ *}}atomic 32 {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}- {{ *}}exact
  if (t < 20)
    atomicOr(&words[5], n);
  out[128 + t] = words[t] + list[t];
}

// What loops carry is of one value where all lanes leave together, or where those that leave exit.
// smem-lint: launch block=(64) grid=(1) n=4
__global__ void carried(const int *in, int *out, int n) {
  __shared__ int words[64];
  const int t = threadIdx.x;
  words[t] = 0;
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < t; ++k)
      out[k * 64 + t] = i;
    // CHECK-DAG: [[#@LINE+1]]:5  atomicMax(&words[i], t) {{ *}}atomic 32 {{ *}}8 {{ *}}8 {{ *}}8 {{ *}}- {{ *}}assumed
    atomicMax(&words[i], t);
  }
  for (int i = 0; i < n; ++i) {
    // CHECK-DAG: [[#@LINE+1]]:5  atomicMax(&words[i + 8], t) {{ *}}atomic 32 {{ *}}8 {{ *}}256 {{ *}}8 {{ *}}32 lanes {{ *}}assumed
    atomicMax(&words[i + 8], t);
    if (t > 100 + i)
      break;
  }
  out[t] = words[t];
}

// What such a request costs is one wavefront in all launches, whichever lanes come; a lane that is elected is one.
__global__ void compacted(const int *in, int *out, int n) {
  __shared__ int count, list[1024];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (in[i] > 3) {
      // PATTERN: "expression": "atomicAdd(&count, 1)"
      // PATTERN: "verdict": "always"
      // PATTERN: "wavefronts": 1,
      list[atomicAdd(&count, 1)] = i;
      const unsigned here = __activemask();
      const int leader = __ffs(here) - 1;
      // PATTERN: "expression": "atomicExch(&count, here)"
      // PATTERN: "verdict": "always"
      // PATTERN: "wavefronts": 1,
      if (lane == leader)
        atomicExch(&count, here);
    }
  // PATTERN: "expression": "list[lane * 32]"
  // PATTERN: "verdict": "cases"
  // PATTERN: "at_most": false,
  // PATTERN-NEXT: "wavefronts": 1,
  if (lane == in[4])
    list[lane * 32] = 1;
  // Any lane but one may come: no rivals.
  // PATTERN: "expression": "list[lane * 32 + 1]"
  // PATTERN: "verdict": "cases"
  // PATTERN: "at_most": false,
  // PATTERN-NEXT: "wavefronts": 32,
  if (lane != in[5])
    list[lane * 32 + 1] = 1;
  __syncthreads();
  out[threadIdx.x] = list[threadIdx.x];
}

// ptxas takes what is behind these for one thread, and leaves it alone; rows of 16 have two such lanes in a warp, and remainders more. Of a computed number that depends on other atomics.
// smem-lint: launch block=(16,4) grid=(1) n=1
__global__ void single(const int *in, int *out, int n) {
  __shared__ int words[64];
  const int t = threadIdx.x;
  words[t] = 0;
  __syncthreads();
  // CHECK-DAG: [[#@LINE+2]]:5  atomicMax(&words[0], in[t]) {{ *}}atomic 32 {{ *}}2 {{ *}}4 {{ *}}2 {{ *}}2 lanes {{ *}}exact
  if (t == n)
    atomicMax(&words[0], in[t]);
  // CHECK-DAG: [[#@LINE+2]]:5  atomicOr(&words[1], in[t]) {{ *}}atomic 32 {{ *}}2 {{ *}}24 {{ *}}2 {{ *}}12 lanes {{ *}}exact
  if (t % 3 == 0)
    atomicOr(&words[1], in[t]);
  // CHECK-DAG: [[#@LINE+2]]:5  atomicMin(&words[2], in[t]) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}- {{ *}}assumed
  if (t == n * 3)
    atomicMin(&words[2], in[t]);
  // CHECK-DAG: [[#@LINE+2]]:5  atomicXor(&words[3], in[t]) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}- {{ *}}exact
  if (t % 4 == 0)
    atomicXor(&words[3], in[t]);
  out[threadIdx.y * 16 + t] = words[t];
}
