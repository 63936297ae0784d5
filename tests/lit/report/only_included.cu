// Kernels of the toolkit's headers that are there by inclusion only are not the user's: those that are no templates, and empty ones.
// RUN: %lint --fail-on=never %s | FileCheck --implicit-check-not='of_the_library  grid' --implicit-check-not='asked_about' %s
// RUN: %lint --fail-on=never %s -- -DLAUNCHES | FileCheck --check-prefix=LAUNCHED %s
// RUN: %lint --fail-on=never --kernel='asked*' %s | FileCheck --check-prefix=NAMED %s
#include "Inputs/usr/include/only_included.cuh"
__global__ void own(float *p) { p[threadIdx.x] = 1; }
#ifdef LAUNCHES
void run(float *p) { of_the_library<<<1, 32>>>(p); }
#endif
// CHECK: {{^}}instantiated<float>  grid
// CHECK: {{^}}own  grid
// CHECK: 2 kernels
// LAUNCHED: of_the_library  grid=(1) block=(32)
// NAMED: asked_about<void>
