// What an atomic adds is needed where memory that it may change is read again, and only there: through a pointer that came from memory, that may be
// shared memory.
// RUN: %lint --fail-on=never --launch "block=(64) grid=(4) n=200" %s 2>&1 | FileCheck %s
// CHECK-NOT: internal error
struct Record {
  unsigned *counter;
};

__global__ void draws(Record *record, int *out, unsigned n) {
  __shared__ unsigned at;
  const int t = threadIdx.x;
  if (t == 0)
    at = atomicSub(record->counter, n * 3 + 1) - n;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} {{ *}}at {{ *}}store 32 {{.*}} exact
  __syncthreads();
  out[at + t] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} {{ *}}out[at + t] {{.*}} unknown
}
