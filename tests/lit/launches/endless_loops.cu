// A loop without a condition that an iteration may have ended, by an error or by what is computed, runs for a number of iterations that is not known: launches behind it, and behind the call of its function, have what host code says.
// RUN: %lint --fail-on=never %s | FileCheck %s
int converged(int iteration);
template <int M> __global__ void step(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = M; }

void iterate(float *p) {
  for (int i = 0;; i++) {
    step<0><<<8, 64>>>(p);
    if (converged(i))
      return;
  }
}

void iterate_again(float *p) {
  int i = 0;
  while (true) {
    step<1><<<8, 96>>>(p);
    if (converged(i++))
      return;
  }
}

int run(float *p) {
  iterate(p);
  step<2><<<16, 128>>>(p);
  iterate_again(p);
  step<3><<<16, 160>>>(p);
  return 0;
}
// CHECK: step<0>  grid=(8) block=(64)
// CHECK-NEXT: launch: host code at
// CHECK: step<1>  grid=(8) block=(96)
// CHECK-NEXT: launch: host code at
// CHECK: step<2>  grid=(16) block=(128)
// CHECK-NEXT: launch: host code at
// CHECK: step<3>  grid=(16) block=(160)
// CHECK-NEXT: launch: host code at
