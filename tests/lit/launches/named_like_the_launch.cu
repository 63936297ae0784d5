// A parameter that is called as a part of the launch is. What its value is makes no difference here; the block that was assumed does.
// RUN: %lint %s --launch "grid=(4)" 2>&1 | FileCheck %s

__global__ void row(float *out, int block) {
  out[threadIdx.x + 1024 * block] = 1;
}
// CHECK: row  grid=(4) block=(256) block=1024
// CHECK: assumed: block=(256,1,1): no launch found
// CHECK-NEXT: assumed: block=1024: not known from the source
// CHECK: assumed: block=(256,1,1): no launch found{{$}}
// CHECK: memory instructions: 0 exact, 1 assumed, 0 unknown
