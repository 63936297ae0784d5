// What a function of another file, or one that calls itself, is handed a pointer to has another value behind the call; so has what a fetch writes.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
__device__ void of_another_file(int *to);

__device__ __noinline__ void calls_itself(int *to, int depth) {
  if (depth > 0)
    calls_itself(to + 1, depth - 1);
  *to = depth;
}

// CHECK-LABEL: {{^}}variables
// CHECK: tile[own & 1023] {{ *}}store 32 {{.*}} unknown
// CHECK: tile[several[1] & 1023] {{ *}}load 32 {{.*}} unknown
__global__ void variables(int *out) {
  __shared__ int tile[1024];
  int own = 3, several[4] = {1, 2, 3, 4};
  of_another_file(&own);
  tile[own & 1023] = 1;
  of_another_file(several);
  out[threadIdx.x] = tile[several[1] & 1023];
}

// CHECK-LABEL: {{^}}shared
// CHECK: tile[index[0] & 1023] {{ *}}load 32 {{.*}} unknown
__global__ void shared(int *out) {
  __shared__ int tile[1024], index[32];
  index[threadIdx.x] = 0;
  of_another_file(index);
  out[threadIdx.x] = tile[index[0] & 1023];
}

// CHECK-LABEL: {{^}}recursion
// CHECK: tile[several[2] & 1023] {{ *}}store 32 {{.*}} unknown
__global__ void recursion(int *out) {
  __shared__ int tile[1024];
  int several[4] = {1, 2, 3, 4};
  calls_itself(several, 3);
  tile[several[2] & 1023] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

// CHECK-LABEL: {{^}}fetched
// CHECK: tile[texel & 1023] {{ *}}store 32 {{.*}} unknown
// CHECK: out[pixel] {{ *}}store 32 {{.*}} unknown
__global__ void fetched(int *out, cudaTextureObject_t texture, cudaSurfaceObject_t surface) {
  __shared__ int tile[1024];
  int texel = 3, pixel = 5;
  tex1Dfetch(&texel, texture, threadIdx.x);
  tile[texel & 1023] = 1;
  surf2Dread(&pixel, surface, threadIdx.x, 0);
  out[pixel] = tile[threadIdx.x];
}

// CHECK-LABEL: {{^}}fetched_by_all
// CHECK: tile[thread{{.*}}ex & 1023] {{ *}}store 32 {{.*}} unknown
// CHECK: 63:{{[0-9]+}} tex1Dfetch({{.*}} {{ *}}store {{.*}} unknown
// CHECK: races: not known
__global__ void fetched_by_all(int *out, cudaTextureObject_t texture) {
  __shared__ int tile[1024], index;
  index = 0;
  tex1Dfetch(&index, texture, 3);
  tile[threadIdx.x + index & 1023] = 1;
  tex1Dfetch(&tile[2 * threadIdx.x], texture, 3);
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int *p;
  cudaMalloc(&p, 4096);
  variables<<<1, 32>>>(p);
  shared<<<1, 32>>>(p);
  recursion<<<1, 32>>>(p);
  fetched<<<1, 32>>>(p, 0, 0);
  fetched_by_all<<<1, 32>>>(p, 0);
}
