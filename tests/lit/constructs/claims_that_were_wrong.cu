// Kernels of which a claim about all launches was wrong once. The property test over this folder launches them at random values.
// RUN: %lint %s --fail-on=never --verbose | FileCheck %s

// Of three pointers one is chosen: nothing is claimed of all launches.
// CHECK-NOT: warning:{{.*}}p[threadIdx.x * 2]
// CHECK-LABEL: one_of_three  grid=
__global__ void one_of_three(int mode, float *g, float *h) {
  __shared__ float s[4096];
  float *p = s;
  if (mode == 1)
    p = g;
  else if (mode == 2)
    p = h;
  p[threadIdx.x * 2] = 1;
}

// A pointer that a loop changes.
// CHECK-LABEL: changed_in_loop  grid=
__global__ void changed_in_loop(int n, float *g) {
  __shared__ float s[4096];
  float *p = s;
  for (int i = 0; i < n; ++i) {
    if (i == 3)
      p = g;
    p[threadIdx.x * 2] = i;
  }
}

// Every lane has a local array of its own.
// CHECK-LABEL: own_array  grid=
__global__ void own_array(int mode, int n, float *out) {
  int a[16], b[16];
  for (int i = 0; i < 16; ++i) {
    a[i] = threadIdx.x * i;
    b[i] = threadIdx.x + i;
  }
  a[n & 15] = threadIdx.x;
  b[n & 7] = 3;
  int *p = mode ? a : b;
  out[p[n & 3] * 8] = 1;
}

// Far below zero a stride has other costs than close to it.
// CHECK-LABEL: negative_stride  grid=
__global__ void negative_stride(int n) {
  __shared__ float s[40000];
  s[(threadIdx.x & 31) * min(n, -64) + 30000] = 1;
}

// The larger of two unsigned values is negative to a signed comparison.
// CHECK-LABEL: unsigned_larger  grid=
__global__ void unsigned_larger(unsigned n) {
  __shared__ float s[2048];
  unsigned lane = threadIdx.x & 31;
  if ((int)max(n, lane) < 16)
    s[lane * 32] = 1;
}

// Two quotients of one piece without a name.
struct Unnamed {
  union {
    int a;
    float f;
  };
};
// CHECK-LABEL: quotients  grid=
__global__ void quotients(Unnamed p, float *out) {
  __shared__ float s[4096];
  int lane = threadIdx.x & 31;
  s[lane * (p.a / 2) + 100] = 1;
  __syncthreads();
  s[lane * (p.a / 4) + 100] = 2;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// Narrow values wrap around.
struct Fields {
  int a : 5;
  int b : 7;
};
// CHECK-LABEL: narrow  grid=
__global__ void narrow(int n, float *out) {
  __shared__ float s[65536];
  int lane = threadIdx.x & 31;
  short stride = n;
  s[lane * stride + 100] = 1;
  signed char c = threadIdx.x + n;
  out[c + 128] = 2;
  Fields x;
  x.a = lane * n;
  out[x.a + 64] = 1;
}

// A negative divisor has negative quotients.
// CHECK-LABEL: negative_divisor  grid=
__global__ void negative_divisor(int n, float *out) {
  int q = (int)threadIdx.x / n;
  out[((q * 4 + (int)(threadIdx.x & 31)) % 4) * 8 + 5000] = 1;
}

// Two memories of one name are two memories.
namespace left {
__device__ float table[1024];
}
namespace right {
__device__ float table[1024];
}
// CHECK-LABEL: two_tables  grid=
// CHECK: p[threadIdx.x & 30]{{ +}}store 32{{ +}}at most 10 sectors
__global__ void two_tables() {
  float *p = threadIdx.x & 1 ? left::table : right::table;
  p[threadIdx.x & 30] = 1;
}

// A carry is no operand of the instruction that reads it, and each lane has its own; so has %tid.
// CHECK-LABEL: carries  grid=
// CHECK: s[carry * 32] {{.*}} unknown
// CHECK: s[own * 32] {{.*}} unknown
__global__ void carries(float *out) {
  __shared__ float s[1024];
  for (int i = 0; i < 32; ++i)
    s[threadIdx.x + 32 * i] = 1;
  __syncthreads();
  unsigned carry, own;
  asm volatile("{ .reg .u32 a; add.cc.u32 a, %1, 0xfffffff0; addc.u32 %0, 0, 0; }" : "=r"(carry) : "r"(threadIdx.x));
  asm volatile("{ .reg .v4 .u32 t; mov.v4.u32 t, %%tid; mov.u32 %0, t.x; }" : "=r"(own));
  out[threadIdx.x] = s[carry * 32];
  out[threadIdx.x + 32] = s[own * 32];
}
