// Shuffles, votes and barriers of a warp whose masks name lanes that do not come to them.
// RUN: %races %s | FileCheck --match-full-lines %s

// CHECK-LABEL:half_of_warp grid (1,1,1) block (64,1,1): {{.*}}
// CHECK-NEXT:  barrier of line [[#@LINE+4]]: its mask names lanes of the warp that do not come to it
__global__ void half_of_warp(int *o) {
  int v = threadIdx.x;
  if (threadIdx.x % 32 < 16)
    v += __shfl_down_sync(0xffffffff, v, 8);
  o[threadIdx.x] = v;
}

// CHECK-LABEL:own_half grid (1,1,1) block (64,1,1): {{.*}}
// CHECK-NOT: barrier of
__global__ void own_half(int *o) {
  int v = threadIdx.x;
  if (threadIdx.x % 32 < 16)
    v += __shfl_down_sync(0xffff, v, 8);
  o[threadIdx.x] = v;
}

// Both ways of a branch may come to one.
// CHECK-LABEL:both_ways grid (1,1,1) block (64,1,1): {{.*}}
// CHECK-NOT: barrier of
__global__ void both_ways(int *o) {
  int v = threadIdx.x;
  if (threadIdx.x % 32 < 16)
    v += __shfl_down_sync(0xffffffff, v, 8);
  else
    v -= __shfl_down_sync(0xffffffff, v, 8);
  o[threadIdx.x] = v;
}

// Lanes that have no element leave the loop.
// CHECK-LABEL:left_loop grid (1,1,1) block (32,1,1): {{.*}}
// CHECK-NEXT:  barrier of line [[#@LINE+5]]: its mask names lanes of the warp that do not come to it
__global__ void left_loop(int *o) {
  int v = 0;
  for (int i = threadIdx.x; i < 40; i += 32) {
    v += i;
    v += __shfl_xor_sync(0xffffffff, v, 1);
  }
  o[threadIdx.x] = v;
}

// Those that have ended need not come, nor those that the block does not have.
// CHECK-LABEL:ended grid (1,1,1) block (48,1,1): {{.*}}
// CHECK-NOT: barrier of
__global__ void ended(int *o) {
  if (threadIdx.x % 32 > 20)
    return;
  o[threadIdx.x] = __any_sync(0xffffffff, o[threadIdx.x]);
}

// CHECK-LABEL:stranger grid (1,1,1) block (32,1,1): {{.*}}
// CHECK-NEXT:  barrier of line [[#@LINE+1]]: its mask does not name all lanes that execute it
__global__ void stranger(int *o) { o[threadIdx.x] = __ballot_sync(0xff, threadIdx.x & 1); }

// Which lanes come depends on data.
// CHECK-LABEL:data grid (1,1,1) block (32,1,1): {{.*}}
// CHECK-NOT: barrier of
__global__ void data(int *o) {
  if (o[threadIdx.x] > 0)
    o[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 0);
}

// CHECK-LABEL:barrier_of_half grid (1,1,1) block (32,1,1): {{.*}}
// CHECK:  barrier of line [[#@LINE+6]]: its mask names lanes of the warp that do not come to it
__global__ void barrier_of_half(int *o) {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 16) {
    s[threadIdx.x] = 2;
    __syncwarp();
  }
  __syncthreads();
  o[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
  int *o;
  cudaMalloc(&o, 1 << 20);
  half_of_warp<<<1, 64>>>(o);
  own_half<<<1, 64>>>(o);
  both_ways<<<1, 64>>>(o);
  left_loop<<<1, 32>>>(o);
  ended<<<1, 48>>>(o);
  stranger<<<1, 32>>>(o);
  data<<<1, 32>>>(o);
  barrier_of_half<<<1, 32>>>(o);
}
