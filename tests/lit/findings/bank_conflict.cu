// The column of a tile: found, with its cost, its cause in lanes and banks, and a repair that is then shown to work.
// RUN: not %lint %s | FileCheck %s
// RUN: %lint %s --extra-arg=-DPADDING=1 | FileCheck %s --check-prefix=PADDED
// RUN: not %lint %s --quiet | FileCheck %s --check-prefix=QUIET
// RUN: not %lint %s --verbose | FileCheck %s --check-prefix=VERBOSE
#ifndef PADDING
#define PADDING 0
#endif

// smem-lint: launch block=(32,32) grid=(32,32) n=1024
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32 + PADDING];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] =
      tile[x][y];
// CHECK: bank_conflict.cu:[[#@LINE-1]]:7: warning: 32-way bank conflict: load of tile[x][y] takes 32 wavefronts instead of 1 [smem-bank-conflict]
// CHECK-NEXT: {{^}}   [[#@LINE-2]] |       tile[x][y];
// CHECK-NEXT: {{^}}      |       ^
// CHECK-NEXT: {{^}}  cost: 1,048,576 wavefronts where 32,768 are enough (32x) in 32,768 requests; {{[0-9]+}}% of all wavefronts of {{[a-z_]+}}; {{[0-9]+}}% avoidable here; exact
// CHECK-NEXT: {{^}}  cause: lanes 0-31, each 128 bytes from the next, all meet in bank 0
// CHECK-NEXT: {{^}}  hint: {{.*}}[32 + PADDING + 1]` makes it 1 wavefront
}
// Nothing else is found.
// CHECK-NOT: warning:
// CHECK: transpose  grid=(32,32) block=(32,32) shared=4,096 B n=1024
// CHECK-NEXT: launch: comment at {{.*}}bank_conflict.cu:10:4
// CHECK-NEXT: shared memory  {{ *}}requests  wavefronts  {{ *}}ideal  conflict  verdict
// CHECK-NEXT: 14:14  tile[y][x]  store 32  32,768  {{ *}}32,768  32,768  {{ *}}-  exact
// CHECK-NEXT: 17:7  tile[x][y]  load 32  {{ *}}32,768  1,048,576  32,768  {{ *}}32-way  exact
// CHECK-NEXT: total {{ *}}65,536  1,081,344  65,536  16.5x
// CHECK: 1 finding (1 warning) in 1 file, 1 kernel, 1 launch on sm_90
// CHECK-NEXT: memory instructions: 4 exact, 0 assumed, 0 unknown

// PADDED-NOT: {{warning|note|error}}:
// PADDED: transpose  grid=(32,32) block=(32,32) shared=4,224 B
// PADDED: 17:7  tile[x][y]  load 32  {{ *}}32,768  {{ *}}32,768  32,768  {{ *}}-  exact
// PADDED: no findings in 1 file, 1 kernel, 1 launch on sm_90

// QUIET: [smem-bank-conflict]
// QUIET-NOT: requests  wavefronts
// QUIET-NOT: memory instructions:

// VERBOSE: [smem-bank-conflict]
// VERBOSE: kernel: transpose
// VERBOSE: address: tile + {{.*}}threadIdx.x{{.*}}
// VERBOSE: request: warp 0 of block (0,0,0)
// VERBOSE-NEXT: lane  byte offset  banks
// VERBOSE-NEXT: 0 {{ *}}0  0
// VERBOSE-NEXT: 1 {{ *}}128  0
// VERBOSE: 31 {{ *}}3,968  0
