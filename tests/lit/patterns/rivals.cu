// A lane that is compared with what all lanes share comes alone; what is computed of such comparisons says no such thing.
// RUN: %lint-short --format=json --fail-on=never %s | FileCheck %s

// smem-lint: launch block=32 grid=1
__global__ void compared(float *out, int n, int m) {
  __shared__ float s[32 * 33];
  const int lane = threadIdx.x;
  s[lane] = 0;
  // CHECK: "expression": "s[lane * 32]"
  // CHECK: "text": "conflict-free in all launches"
  if (lane == n)
    s[lane * 32] = 1;
  // CHECK: "expression": "s[lane * 32 + 1]"
  // CHECK: "text": "32-way when all lanes are active, else at most 32-way"
  if (lane == n || lane == m)
    s[lane * 32 + 1] = 1;
  // CHECK: "expression": "s[lane * 32 + 2]"
  // CHECK: "text": "32-way when all lanes are active, else at most 32-way"
  if ((lane == n) != (lane == m))
    s[lane * 32 + 2] = 1;
  // CHECK: "expression": "s[lane * 32 + 3]"
  // CHECK: "text": "32-way when all lanes are active, else at most 32-way"
  if ((lane != n) | (m > 5))
    s[lane * 32 + 3] = 1;
  // CHECK: "expression": "s[lane * 32 + 4]"
  // CHECK: "text": "32-way when all lanes are active, else at most 32-way"
  if ((lane == n) + (lane == m) == 0)
    s[lane * 32 + 4] = 1;
  // CHECK: "expression": "s[lane * 32 + 5]"
  // CHECK: "text": "32-way when all lanes are active, else at most 32-way"
  if (lane == n ? m > 3 : lane > m)
    s[lane * 32 + 5] = 1;
  __syncthreads();
  out[lane] = s[lane * 33];
}
