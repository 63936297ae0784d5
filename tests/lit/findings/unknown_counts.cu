// Whether an access runs is loaded from memory, and what each of its requests costs is known all the same. Where the condition is one for the warp that is a
// claim, also of accesses that nvcc may make one of; where each lane has its own, how many lanes ever come there in this launch is not known: a note.
// RUN: not %lint-short %s | FileCheck %s
// RUN: %lint-short %s --checks=-smem-bank-conflict
__global__ void both_sides(const int *m, float *out) {
  __shared__ float s[32 * 33];
  const int t = threadIdx.x;
  for (int i = 0; i < 33; i++)
    s[i * 32 + t] = 0;
  __syncthreads();
  // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: 32-way bank conflict: store of s[t * 32] takes 32 wavefronts instead of 1 [smem-bank-conflict]
  if (m[0] > 5)
    s[t * 32] = 1.f;
  // CHECK-NEXT: cost: how often it runs is not known: `m[0]` is loaded from memory at line [[#@LINE-2]], in both_sides; assumed: nvcc makes one {{.*}} [assumed-tail-merging]; 2 places: also in line [[#@LINE+2]]
  else
    s[t * 32 + 1] = 2.f;
  // CHECK-NOT: hint: state the launch
  __syncthreads();
  out[t] = s[t];
}

__global__ void some_lanes(const int *m, float *out) {
  __shared__ float q[32 * 33];
  const int t = threadIdx.x;
  for (int i = 0; i < 33; i++)
    q[i * 32 + t] = 0;
  __syncthreads();
  // CHECK: [[#@LINE+2]]:{{[0-9]+}}: note: 32-way bank conflict: store of q[t * 32] takes 32 wavefronts instead of 1, in warps whose lanes are all active
  if (m[t] > 5)
    q[t * 32] = 1.f;
  __syncthreads();
  out[t] = q[t];
}

void run(const int *m, float *out) {
  both_sides<<<1, 32>>>(m, out);
  some_lanes<<<1, 32>>>(m, out);
}
// The second barrier of some_lanes orders nothing: its threads read what they have written themselves.
// CHECK: 4 findings (2 warnings, 2 notes)
