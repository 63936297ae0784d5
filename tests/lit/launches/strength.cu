// An option beats a comment, a comment beats host code, and the report says which one it was.
// RUN: %lint %s | FileCheck %s --check-prefix=COMMENT
// RUN: %lint %s --launch "k:block=(128)" | FileCheck %s --check-prefix=OPTION
// RUN: %lint %s --extra-arg=-DBOUNDS | FileCheck %s --check-prefix=BOUNDS

// smem-lint: launch block=(64)
__global__ void k(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
void run(float *out) { k<<<5, 32>>>(out); }
// COMMENT: k  grid=(5) block=(64)
// COMMENT-NEXT: launch: comment at {{.*}}strength.cu:6:4
// OPTION: k  grid=(5) block=(128)
// OPTION-NEXT: launch: option

#ifdef BOUNDS
__global__ __launch_bounds__(192) void bounded(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
#endif
// BOUNDS: bounded  grid=(64) block=(192)
// BOUNDS-NEXT: launch: {{.*}}launch bounds
