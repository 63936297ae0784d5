// Verdicts on races in global memory: within a block, and between blocks.
// RUN: %races --global %s | FileCheck --match-full-lines --strict-whitespace %s

// smem-lint: launch grid=1000 block=256
__global__ void one_element_each(int *a, const int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i];
}
// CHECK:one_element_each grid (1000,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)

// smem-lint: launch grid=1000 block=256
__global__ void blocks_overlap(int *a, const int *b) {
  int i = blockIdx.x * 255 + threadIdx.x;
  a[i] = b[i];
}
// CHECK:blocks_overlap grid (1000,1,1) block (256,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-3]] write by (0,0,0) of block (1,0,0), line [[#@LINE-3]] write by (255,0,0) of block (0,0,0), byte 1020 of a

// smem-lint: launch grid=(8,1000) block=(32,8)
__global__ void rows(float *a, const float *b) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  a[y * 256 + x] = b[y * 256 + x];
}
// CHECK:rows grid (8,1000,1) block (32,8,1): free (between warps free, within a warp free, between blocks free)

// smem-lint: launch grid=(8,1000) block=(32,8)
__global__ void rows_overlap(float *a, const float *b) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  a[y * 255 + x] = b[y * 256 + x];
}
// CHECK:rows_overlap grid (8,1000,1) block (32,8,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-3]] write by (0,0,0) of block (0,1,0), line [[#@LINE-3]] write by (31,7,0) of block (7,0,0), byte 8160 of a

// smem-lint: launch grid=64 block=128
__global__ void neighbours(int *a) {
  int i = blockIdx.x * 128 + threadIdx.x;
  int right = a[i + 1];
  __syncthreads();
  a[i] = right;
}
// The barrier orders the block's own threads.
// CHECK:neighbours grid (64,1,1) block (128,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-6]] read by (127,0,0) of block (0,0,0), line [[#@LINE-4]] write by (0,0,0) of block (1,0,0), byte 512 of a

// smem-lint: launch grid=64 block=128
__global__ void one_value(int *flag, const int *a) {
  if (threadIdx.x < 2)
    *flag = 1;
}
// CHECK:one_value grid (64,1,1) block (128,1,1): free (between warps free, within a warp free, between blocks free)
// CHECK:  one value, within a warp: line [[#@LINE-3]] write by (0,0,0), line [[#@LINE-3]] write by (1,0,0) of block (0,0,0), byte 0 of flag, interval 0
// CHECK:  one value, between blocks: line [[#@LINE-4]] write by (0,0,0) of block (0,0,0), line [[#@LINE-4]] write by (0,0,0) of block (1,0,0), byte 0 of flag

// smem-lint: launch grid=64 block=128
__global__ void another_value(int *flag) { *flag = blockIdx.x; }
// CHECK:another_value grid (64,1,1) block (128,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-2]] write by (0,0,0) of block (0,0,0), line [[#@LINE-2]] write by (0,0,0) of block (1,0,0), byte 0 of flag
// CHECK:  one value, within a warp: line [[#@LINE-3]] write by (0,0,0), line [[#@LINE-3]] write by (1,0,0) of block (0,0,0), byte 0 of flag, interval 0
// CHECK:  one value, between warps: line [[#@LINE-4]] write by (0,0,0), line [[#@LINE-4]] write by (32,0,0) of block (0,0,0), byte 0 of flag, interval 0

// smem-lint: launch grid=64 block=128
__global__ void counted(int *a) { atomicAdd(&a[threadIdx.x / 2], 1); }
// CHECK:counted grid (64,1,1) block (128,1,1): free (between warps free, within a warp free, between blocks free)

// Where data leads is no witness and no proof.
// smem-lint: launch grid=64 block=128
__global__ void scattered(int *a, const int *to) { a[to[blockIdx.x * 128 + threadIdx.x]] = threadIdx.x; }
// CHECK:scattered grid (64,1,1) block (128,1,1): unknown ({{.*}}): `to[blockIdx.x * 128 + threadIdx.x]` is loaded from memory at line [[#@LINE-1]]

// smem-lint: launch grid=64 block=128
__global__ void gathered(int *a, const int *b, const int *from) {
  int i = blockIdx.x * 128 + threadIdx.x;
  a[i] = b[from[i]];
}
// CHECK:gathered grid (64,1,1) block (128,1,1): free (between warps free, within a warp free, between blocks free)

// Another block may have waited for what this one does before its fence.
// smem-lint: launch grid=64 block=128
__global__ void fenced(int *sums, int *total) {
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = 1;
    __threadfence();
    *total = sums[(blockIdx.x + 1) % 64];
  }
}
// CHECK:fenced grid (64,1,1) block (128,1,1): unknown (between warps free, within a warp free, between blocks unknown): whether two blocks touch the same bytes {{.*}}

// smem-lint: launch grid=(16,16) block=(16,16)
__global__ void transpose_in_place(float *a) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < y) {
    float t = a[y * 256 + x];
    a[y * 256 + x] = a[x * 256 + y];
    a[x * 256 + y] = t;
  }
}
// CHECK:transpose_in_place grid (16,16,1) block (16,16,1): free (between warps free, within a warp free, between blocks free)

// Each block's atomics are its own.
// smem-lint: launch grid=4 block=64
__global__ void of_block(int *a) { asm volatile("red.global.cta.add.s32 [%0], 1;" ::"l"(a) : "memory"); }
// CHECK:of_block grid (4,1,1) block (64,1,1): unknown (between warps free, within a warp free, between blocks unknown): {{.*}}

// smem-lint: launch grid=4 block=64
__global__ void two_widths(int *a) {
  if (threadIdx.x & 1)
    atomicAdd(a, 1);
  else
    atomicAdd((unsigned long long *)a, 1ull);
}
// CHECK:two_widths grid (4,1,1) block (64,1,1): unknown (between warps unknown, within a warp unknown, between blocks unknown): {{.*}}

// smem-lint: launch grid=4 block=64
__global__ void calls(int *a, void (*f)(int *)) {
  a[blockIdx.x * 64 + threadIdx.x] = 1;
  f(a);
}
// CHECK:calls grid (4,1,1) block (64,1,1): unknown (between warps unknown, within a warp unknown, between blocks unknown): {{.*}}

// smem-lint: launch grid=4 block=64
__global__ void relaxed(int *a) {
  asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(a), "r"(blockIdx.x) : "memory");
}
// CHECK:relaxed grid (4,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)

// A strong load beside a plain one is no race.
// smem-lint: launch grid=4 block=64
__global__ void loads(int *a, int *o) {
  int x;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(x) : "l"(a) : "memory");
  o[blockIdx.x * 64 + threadIdx.x] = x + a[0];
}
// CHECK:loads grid (4,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)

// How it is said.
// RUN: %lint --fail-on=never --checks='-*,gmem-race' %s | FileCheck %s --check-prefix=TEXT
// RUN: %lint-short --fail-on=never --checks='gmem-race' --format=json %s | FileCheck %s --check-prefix=JSON
// RUN: %lint --fail-on=never %s | FileCheck %s --check-prefix=OFF --implicit-check-not=gmem-race
// TEXT: warning: race: thread (127,0,0) of block (0,0,0) reads a[i + 1], thread (0,0,0) of block (1,0,0) writes it on line {{[0-9]+}}, and nothing orders the blocks [gmem-race]
// JSON: "global_races": {
// JSON: "kind": "between_blocks",
// OFF: memory instructions

// Atomic for threads of one block, and not for those of another one.
// smem-lint: launch grid=2 block=64
__global__ void atomics_of_a_block(unsigned *a, int *b) {
  atomicAdd_block(&a[0], 1u);
  atomicCAS_block(&b[0], 0, 1);
}
// CHECK:atomics_of_a_block grid (2,1,1) block (64,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-4]] write by (0,0,0) of block (0,0,0), line [[#@LINE-4]] write by (0,0,0) of block (1,0,0), byte 0 of a
// CHECK:  between blocks: line [[#@LINE-4]] write by (0,0,0) of block (0,0,0), line [[#@LINE-4]] write by (0,0,0) of block (1,0,0), byte 0 of b

// smem-lint: launch grid=2 block=64
__global__ void atomics_of_one_block(unsigned *a) { atomicAdd_block(&a[blockIdx.x], 1u); }
// CHECK:atomics_of_one_block grid (2,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)

// What each block has loaded from its own element is another number in another block, though one execution stands for all of them.
// smem-lint: launch grid=64 block=32
__global__ void base_of_each_block(int *a, const long *begin) { a[begin[blockIdx.x] + threadIdx.x] = 1 + threadIdx.x; }
// CHECK:base_of_each_block grid (64,1,1) block (32,1,1): unknown ({{.*}}): how far accesses of one array are apart depends on an argument or on data that are not known
// smem-lint: launch grid=64 block=32
__global__ void base_beside_block(int *a, const long *begin) {
  a[begin[blockIdx.x] + blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}
// CHECK:base_beside_block grid (64,1,1) block (32,1,1): unknown ({{.*}}): how far accesses of one array are apart depends on an argument or on data that are not known
// In one block nothing else is moved by it, and an argument moves all alike.
// smem-lint: launch grid=1 block=32
__global__ void base_of_one_block(int *a, const long *begin) { a[begin[blockIdx.x] + threadIdx.x] = 1 + threadIdx.x; }
// CHECK:base_of_one_block grid (1,1,1) block (32,1,1): free (between warps free, within a warp free, between blocks free)
// smem-lint: launch grid=64 block=32
__global__ void base_of_launch(int *a, long begin) { a[3 * begin + blockIdx.x * 32 + threadIdx.x] = threadIdx.x; }
// CHECK:base_of_launch grid (64,1,1) block (32,1,1): free (between warps free, within a warp free, between blocks free)

// Barriers behind a condition on an argument, which all threads of a block share: they order what is between them if it is made at all.
// smem-lint: launch grid=100000 block=64
__global__ void guarded_barrier(int *a, int *o, int n) {
  __shared__ int s;
  const int i = blockIdx.x;
  if (i < n) {
    a[i * 64 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[i * 64 + threadIdx.x] = a[i * 64 + 63 - threadIdx.x];
    if (threadIdx.x == 0)
      s = n;
    __syncthreads();
  }
  if (i > n / 2)
    o[i * 64 + threadIdx.x] += s;
}
// CHECK:guarded_barrier grid (100000,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)
// Some threads of other blocks may go one way where those of this one go the other.
// smem-lint: launch grid=64 block=64
__global__ void either_way(int *a, int n) {
  const int i = blockIdx.x;
  if (i < n) {
    a[i * 64 + threadIdx.x] = 1;
    __syncthreads();
  } else {
    a[i * 64 + 64 + threadIdx.x] = 2;
  }
}
// CHECK:either_way grid (64,1,1) block (64,1,1): unknown {{.*}}
// Without a barrier between them they race if they are made.
// smem-lint: launch grid=64 block=64
__global__ void guarded_race(int *a, int *o, const int *n) {
  if (blockIdx.x < *n) {
    __syncthreads();
    a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    o[blockIdx.x * 64 + threadIdx.x] = a[blockIdx.x * 64 + 63 - threadIdx.x];
  }
}
// CHECK:guarded_race grid (64,1,1) block (64,1,1): race {{.*}} under assumed values: `n` holds 1 everywhere and is not written by another pointer, which decides the branch at line [[#@LINE-6]]

// The same in a loop over further elements: which iteration a block is in is not known, but it takes the same ones as no other.
// smem-lint: launch grid=128 block=64
__global__ void guarded_iterations(int *a, int *o, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    a[i * 64 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
      o[i] += a[i * 64 + 63];
    __syncthreads();
  }
}
// CHECK:guarded_iterations grid (128,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)
// One that goes on by one meets what others begin with.
// smem-lint: launch grid=100 block=64
__global__ void iterations_overlap(int *a, int *o, int n) {
  for (int i = blockIdx.x; i < n; ++i) {
    __syncthreads();
    if (threadIdx.x == 0)
      o[i] += a[i];
  }
}
// CHECK:iterations_overlap grid (100,1,1) block (64,1,1): race {{.*}} under assumed values: n=1024: not known from the source
// Counters that wrap around come to all elements, unless the grid divides 2^32.
// smem-lint: launch grid=100 block=64
__global__ void unsigned_iterations(int *o, unsigned n) {
  for (unsigned i = blockIdx.x; i < n; i += gridDim.x) {
    __syncthreads();
    if (threadIdx.x == 0)
      o[i] = blockIdx.x;
  }
}
// CHECK:unsigned_iterations grid (100,1,1) block (64,1,1): unknown {{.*}}
// Not by the end of an iteration alone, which meets the next one.
// smem-lint: launch grid=100 block=64
__global__ void next_iteration(int *a, int *o, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    a[i * 64 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[i * 64 + threadIdx.x] = a[i * 64 + gridDim.x * 64 + threadIdx.x + 1];
  }
}
// CHECK:next_iteration grid (100,1,1) block (64,1,1): race {{.*}} under assumed values: n=1024: not known from the source

// What one block writes, all others read, though the accesses of no block but it move with the block to there.
// smem-lint: launch grid=64 block=64
__global__ void first_rows(int *a, int *o) {
  a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  o[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x];
}
// CHECK:first_rows grid (64,1,1) block (64,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-4]] write by (0,0,0) of block (0,0,0), line [[#@LINE-3]] read by (0,0,0) of block (1,0,0), byte 0 of a
// smem-lint: launch grid=64 block=64
__global__ void first_row_is_written(int *a, int *o) {
  o[blockIdx.x * 64 + threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  a[threadIdx.x] = blockIdx.x;
}
// CHECK:first_row_is_written grid (64,1,1) block (64,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-4]] read by (0,0,0) of block (0,0,0), line [[#@LINE-3]] write by (0,0,0) of block (1,0,0), byte 0 of a
// CHECK:  between blocks: line [[#@LINE-4]] write by (0,0,0) of block (0,0,0), line [[#@LINE-4]] write by (0,0,0) of block (1,0,0), byte 0 of a
// One block alone reads it: the others would have to be that one.
// smem-lint: launch grid=64 block=64
__global__ void first_row_by_one(int *a, int *o) {
  a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (blockIdx.x == 0)
    o[threadIdx.x] = a[threadIdx.x];
}
// CHECK:first_row_by_one grid (64,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)
// smem-lint: launch grid=(8,8) block=64
__global__ void row_of_y(int *a, int *o) {
  a[(blockIdx.y * 8 + blockIdx.x) * 64 + threadIdx.x] = threadIdx.x;
  o[(blockIdx.y * 8 + blockIdx.x) * 64 + threadIdx.x] = a[blockIdx.y * 512 + threadIdx.x];
}
// CHECK:row_of_y grid (8,8,1) block (64,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-4]] write by (0,0,0) of block (0,0,0), line [[#@LINE-3]] read by (0,0,0) of block (1,0,0), byte 0 of a

// Sums that may wrap around, being unsigned or made of products: they are apart by less than 2^32 and so stay apart.
// smem-lint: launch grid=64 block=64
__global__ void behind_arguments(int *a, int *o, unsigned n, int m, int k) {
  a[blockIdx.x * 64 + threadIdx.x + n] = threadIdx.x;
  o[m * k + blockIdx.x * 64 + threadIdx.x] += threadIdx.x;
}
// CHECK:behind_arguments grid (64,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)
struct Rows {
  int *to, first;
};
// smem-lint: launch grid=64 block=64
__global__ void behind_members(Rows r) { r.to[r.first + blockIdx.x * 64 + threadIdx.x] = threadIdx.x; }
// CHECK:behind_members grid (64,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)
// smem-lint: launch grid=64 block=64
__global__ void from_the_end(int *a, unsigned n) { a[n - 1 - (blockIdx.x * 64 + threadIdx.x)] = threadIdx.x; }
// CHECK:from_the_end grid (64,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)
// Another argument moves the other access, and an element further on is the next thread's.
// smem-lint: launch grid=64 block=64
__global__ void two_arguments(int *a, unsigned n, unsigned m) {
  a[blockIdx.x * 64 + threadIdx.x + n] = a[blockIdx.x * 64 + threadIdx.x + m];
}
// CHECK:two_arguments grid (64,1,1) block (64,1,1): unknown {{.*}}
// smem-lint: launch grid=64 block=64
__global__ void next_element(int *a, int m, int k) {
  const int i = m * k + blockIdx.x * 64 + threadIdx.x;
  a[i] = a[i + 1];
}
// CHECK:next_element grid (64,1,1) block (64,1,1): race {{.*}} under assumed values: {{.*}}
// smem-lint: launch grid=64 block=64
__global__ void rows_of_any_length(int *a, unsigned n) { a[(blockIdx.x * 64 + threadIdx.x) * n] = threadIdx.x; }
// CHECK:rows_of_any_length grid (64,1,1) block (64,1,1): unknown {{.*}}
// What of it is multiplied may wrap around to the same.
// smem-lint: launch grid=64 block=64
__global__ void wrapping_products(int *a, unsigned n) {
  a[(blockIdx.x * 64 + threadIdx.x + n) * (1u << 28)] = threadIdx.x;
}
// CHECK:wrapping_products grid (64,1,1) block (64,1,1): race {{.*}} under assumed values: {{.*}}
