// Functions of cuRAND, of which the shipped headers have no bodies: each reads and writes the state that it is given.
// RUN: %races --global %s | FileCheck --match-full-lines --strict-whitespace %s
// RUN: %races %s | FileCheck --check-prefix=SHARED %s
#include <curand_kernel.h>

// smem-lint: launch grid=4 block=256
__global__ void set_up(curandState *states, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}
// CHECK:set_up grid (4,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)

// smem-lint: launch grid=4 block=256
__global__ void of_each_thread(curandState *states, float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[i];
  a[i] = curand_uniform(&state) + curand_normal(&state);
  states[i] = state;
}
// CHECK:of_each_thread grid (4,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)

// smem-lint: launch grid=1 block=256
__global__ void of_all(curandState *state, float *a) { a[threadIdx.x] = curand_uniform(state); }
// CHECK:of_all grid (1,1,1) block (256,1,1): race (between warps race, within a warp race, between blocks free)
// CHECK:  within a warp: line [[#@LINE-2]] read by (1,0,0), line [[#@LINE-2]] write by (0,0,0) of block (0,0,0), byte 0 of state, interval 0
// CHECK:  within a warp: line [[#@LINE-3]] write by (0,0,0), line [[#@LINE-3]] write by (1,0,0) of block (0,0,0), byte 0 of state, interval 0
// CHECK:  between warps: line [[#@LINE-4]] write by (0,0,0), line [[#@LINE-4]] read by (32,0,0) of block (0,0,0), byte 0 of state, interval 0
// CHECK:  between warps: line [[#@LINE-5]] read by (0,0,0), line [[#@LINE-5]] write by (32,0,0) of block (0,0,0), byte 0 of state, interval 0
// CHECK:  between warps: line [[#@LINE-6]] write by (0,0,0), line [[#@LINE-6]] write by (32,0,0) of block (0,0,0), byte 0 of state, interval 0

// smem-lint: launch grid=2 block=256
__global__ void of_each_block(curandStatePhilox4_32_10_t *state, float *a) {
  if (threadIdx.x == 0)
    a[blockIdx.x] = curand(state);
}
// CHECK:of_each_block grid (2,1,1) block (256,1,1): race (between warps free, within a warp free, between blocks race)

// The number decides the branch, and where it goes.
// smem-lint: launch grid=1 block=32
__global__ void decides(curandState *states, int *a) {
  if (curand(&states[threadIdx.x]) % 2)
    a[curand(&states[threadIdx.x]) % 64] = threadIdx.x;
}
// CHECK:decides grid (1,1,1) block (32,1,1): unknown ({{.*}}): result of 'curand(curandStateXORWOW*)' (line [[#@LINE-2]])

// States in shared memory are written before they are read.
// smem-lint: launch grid=4 block=64
__global__ void shared_states(float *a) {
  __shared__ curandState states[64];
  curand_init(1, threadIdx.x, 0, &states[threadIdx.x]);
  curandState mine = states[threadIdx.x];
  a[blockIdx.x * 64 + threadIdx.x] = curand_uniform(&mine);
}
// SHARED: shared_states grid (4,1,1) block (64,1,1): free {{.*}}
// SHARED-NOT: unwritten
