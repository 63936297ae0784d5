// What the units of a GPU take at least for a launch, and what findings are worth by it.
// RUN: not %lint-short %s --kernel=conflict --kernel=library --kernel=small 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %lint-short %s --kernel=transposed 2>&1 | FileCheck %s --check-prefix=STORES
// RUN: %lint-short %s --table --checks='-*' 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: %lint-short %s --verbose --checks='-*' --kernel=conflict 2>&1 | FileCheck %s --check-prefix=UNITS
// RUN: %lint-short %s --verbose --checks='-*' --kernel=gather 2>&1 | FileCheck %s --check-prefix=LEAST --implicit-check-not=binds --implicit-check-not='for each'
// RUN: not %lint-short %s --gpu=t4 --kernel=conflict 2>&1 | FileCheck %s --check-prefix=T4
// RUN: not %lint-short %s --kernel=conflict --format=json | FileCheck %s --check-prefix=JSON

__shared__ float tile[32][32];

// The busiest SM has 64 blocks of 32 warps, each of which stores in one wavefront, loads in 32, and reads and writes in one each.
// smem-lint: launch block=(32,32) grid=(64,132)
__global__ void conflict(float *out, const float *in) {
  const int i = (blockIdx.y * 64 + blockIdx.x) * 1024 + threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x][threadIdx.y];
}
// SHORT: floors.cu:[[@LINE-2]]:{{[0-9]+}}: warning: 32-way bank conflict
// SHORT-NEXT: cost:
// SHORT-NEXT: hint:
// SHORT-NEXT: floor: 36.2 us on an H200 (shared memory); 6.29 us without it (5.75x), then bound by L2 stores
// TABLE: floor: 36.2 us on an H200 (shared memory)
// UNITS: unit {{ *}}cycles  at least
// UNITS-NEXT: L1             l1tex__data_pipe_lsu_wavefronts             71,680   36.2 us  binds
// UNITS-NEXT: shared memory  l1tex__data_pipe_lsu_wavefronts_mem_shared  67,584   34.1 us
// UNITS-NEXT: L2 stores      lts__t_sectors_op_write                     12,457   6.29 us
// UNITS-NEXT: L2 reads       lts__t_sectors_op_read                      6,403   3.23 us
// UNITS-NEXT: L1 tags        l1tex__t_output_wavefronts                   2,560   1.29 us
// UNITS-NEXT: issue slots    sm__inst_issued                              2,048   1.03 us
// UNITS-NEXT: blocks: 8,448 on 132 SMs, 64 on the busiest; an SM has room for 2 (threads), 64 warps at a time
// UNITS-NEXT: counted: reads 34,603,008 bytes of in, >=34,603,008 distinct ones (of a block >=4,096)
// T4: floor: 190 us on a T4 (DRAM), and the same without it (1.87x at most)
// JSON: "floor": {
// JSON-NEXT: "gpu": "h200",
// JSON-NEXT: "ns": 36202,
// JSON-NEXT: "binding": "l1tex__data_pipe_lsu_wavefronts_mem_shared",
// JSON-NEXT: "bound_by_throughput": true,
// JSON-NEXT: "at_least": false,
// JSON-NEXT: "assumed": false,
// JSON-NEXT: "resources": [
// JSON-NEXT: {
// JSON-NEXT: "resource": "l1tex__data_pipe_lsu_wavefronts",
// JSON-NEXT: "cycles": 71680,
// JSON-NEXT: "ns": 36202

// Of a launch that is assumed a time says nothing about the user's.
__global__ void library(float *out, const float *in) {
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// SHORT: floors.cu:[[@LINE-2]]:{{[0-9]+}}: warning: 32-way bank conflict
// SHORT-NEXT: cost:
// SHORT-NEXT: hint:
// TABLE: library
// TABLE-NOT: floor:
// TABLE: small

// The same with little to do: whatever it waits for, it is none of these.
// smem-lint: launch block=(32,32) grid=8
__global__ void small(float *out, const float *in) {
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// SHORT: floors.cu:[[@LINE-2]]:{{[0-9]+}}: warning: 32-way bank conflict
// SHORT-NEXT: cost:
// SHORT-NEXT: hint:
// SHORT-NEXT: floor: not bound by throughput on an H200: 8 blocks on 132 SMs, 32 warps an SM, 0.56 us of shared memory

// What is not known makes it a lower bound. 512 MiB are read, 60 of which L2 may have had.
// smem-lint: launch block=256 grid=524288
__global__ void gather(float *out, const int *index, const float *in) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float x = in[index[i]];
  if (x > 0)
    out[0] = x;
}
// TABLE: gather
// TABLE: floor: >=96.4 us on an H200 (DRAM, of what is counted)
// LEAST: floor: >=96.4 us on an H200 (DRAM, of what is counted)
// LEAST: dram__

// Of a store that does not fill its sectors lookups go with the finding; to L2 it may send each sector once anyway.
// smem-lint: launch block=(32,32) grid=(64,132)
__global__ void transposed(float *out, const float *in) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  out[x * 4224 + y] = in[y * 2048 + x];
}
// STORES: floors.cu:[[@LINE-2]]:{{[0-9]+}}: warning: uncoalesced store of out[x * 4224 + y] moves 32 sectors instead of 4
// STORES-NEXT: cost:
// STORES-NEXT: hint:
// STORES-NEXT: floor: 9.30 us on an H200 (L1 tags); 6.29 us without it (1.48x), then bound by L2 stores
