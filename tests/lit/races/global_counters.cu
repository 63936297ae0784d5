// Numbers that an atomic sum in global memory hands out: no two threads of the grid have the same.
// RUN: %races --global %s | FileCheck --match-full-lines --strict-whitespace %s

// smem-lint: launch grid=1000 block=256
__global__ void collected(int *found, int *count, const int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 0)
    found[atomicAdd(count, 1)] = i;
}
// CHECK:collected grid (1000,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)

// Of unsigned numbers, in a variable, two elements for each, in a loop.
__device__ unsigned places;
// smem-lint: launch grid=1000 block=256
__global__ void pairs(float *found, const float *a, const int *row) {
  for (int i = row[threadIdx.x]; i < row[threadIdx.x + 1]; ++i) {
    const unsigned at = atomicAdd(&places, 2u);
    found[at] = a[i];
    found[at] += 1;
  }
}
// CHECK:pairs grid (1000,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)

// Two counters side by side.
// smem-lint: launch grid=1000 block=256
__global__ void both(int *small, int *large, int *counts, const int *a) {
  if (a[threadIdx.x] > 0)
    large[atomicAdd(&counts[1], 1)] = threadIdx.x;
  else
    small[atomicAdd(&counts[0], 1)] = threadIdx.x;
}
// CHECK:both grid (1000,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)

// The next element is another thread's.
// smem-lint: launch grid=1000 block=256
__global__ void next_element(int *found, int *count) {
  const int at = atomicAdd(count, 1);
  found[at] = threadIdx.x;
  found[at + 1] = threadIdx.x;
}
// CHECK:next_element grid (1000,1,1) block (256,1,1): unknown {{.*}}

// All have the same number, or some do.
// smem-lint: launch grid=1000 block=256
__global__ void no_step(int *found, int *count) { found[atomicAdd(count, 0)] = threadIdx.x; }
// CHECK:no_step grid (1000,1,1) block (256,1,1): unknown {{.*}}
// smem-lint: launch grid=1000 block=256
__global__ void step_of_thread(int *found, int *count) { found[atomicAdd(count, threadIdx.x)] = threadIdx.x; }
// CHECK:step_of_thread grid (1000,1,1) block (256,1,1): unknown {{.*}}

// Numbers are taken back, or the counter is set.
// smem-lint: launch grid=1000 block=256
__global__ void taken_back(int *found, int *count, const int *a) {
  found[atomicAdd(count, 1)] = threadIdx.x;
  if (a[threadIdx.x])
    atomicSub(count, 1);
}
// CHECK:taken_back grid (1000,1,1) block (256,1,1): unknown {{.*}}
// smem-lint: launch grid=1000 block=256
__global__ void written(int *found, int *counts, const int *a) {
  found[atomicAdd(&counts[0], 1)] = threadIdx.x;
  atomicExch(&counts[a[threadIdx.x]], 0);
}
// CHECK:written grid (1000,1,1) block (256,1,1): unknown {{.*}}

// Each block, or each lane, counts for itself.
// smem-lint: launch grid=1000 block=256
__global__ void of_each_block(int *found, int *counts) { found[atomicAdd(&counts[blockIdx.x], 1)] = threadIdx.x; }
// CHECK:of_each_block grid (1000,1,1) block (256,1,1): unknown {{.*}}
// smem-lint: launch grid=1000 block=256
__global__ void of_each_lane(int *found, int *counts) { found[atomicAdd(&counts[threadIdx.x], 1)] = threadIdx.x; }
// CHECK:of_each_lane grid (1000,1,1) block (256,1,1): unknown {{.*}}
// smem-lint: launch grid=1000 block=256
__global__ void for_the_block(int *found, int *count) { found[atomicAdd_block(count, 1)] = threadIdx.x; }
// CHECK:for_the_block grid (1000,1,1) block (256,1,1): race {{.*}}

// Other accesses of the same array may be anywhere in it.
// smem-lint: launch grid=1000 block=256
__global__ void also_elsewhere(int *found, int *count) {
  found[atomicAdd(count, 1)] = threadIdx.x;
  found[blockIdx.x * 256 + threadIdx.x] += 1;
}
// CHECK:also_elsewhere grid (1000,1,1) block (256,1,1): unknown {{.*}}
// smem-lint: launch grid=1000 block=256
__global__ void read_elsewhere(int *found, int *count, const int *from) {
  found[atomicAdd(count, 1)] = found[from[threadIdx.x]];
}
// CHECK:read_elsewhere grid (1000,1,1) block (256,1,1): unknown {{.*}}
// smem-lint: launch grid=1000 block=256
__global__ void cut_off(int *found, int *count) { found[atomicAdd(count, 1) & 1023] = threadIdx.x; }
// CHECK:cut_off grid (1000,1,1) block (256,1,1): unknown {{.*}}
// Parts of the array for each block overlap as far as is known.
// smem-lint: launch grid=1000 block=256
__global__ void part_of_block(int *found, int *count) { found[blockIdx.x * 256 + atomicAdd(count, 1)] = threadIdx.x; }
// CHECK:part_of_block grid (1000,1,1) block (256,1,1): unknown {{.*}}

// A number that one lane has drawn and others have from it.
// smem-lint: launch grid=1000 block=256
__global__ void handed_on(int *found, int *count) {
  const int at = __shfl_sync(0xffffffff, atomicAdd(count, 1), 0);
  found[at] = threadIdx.x;
}
// CHECK:handed_on grid (1000,1,1) block (256,1,1): unknown {{.*}}
// smem-lint: launch grid=1000 block=256
__global__ void drawn_by_one(int *found, int *count) {
  int at = 0;
  if (threadIdx.x % 32 == 0)
    at = atomicAdd(count, 1);
  found[at] = threadIdx.x;
}
// CHECK:drawn_by_one grid (1000,1,1) block (256,1,1): unknown {{.*}}
// smem-lint: launch grid=1000 block=256
__global__ void drawn_once(int *found, int *count) {
  const int at = atomicAdd(count, 1);
  for (int i = 0; i < 3; ++i)
    found[at] += threadIdx.x;
  int other = at;
  if (threadIdx.x & 1)
    other = atomicAdd(count, 1);
  found[other] = 1;
}
// CHECK:drawn_once grid (1000,1,1) block (256,1,1): unknown {{.*}}
