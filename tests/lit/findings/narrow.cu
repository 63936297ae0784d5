// Requests that leave gaps in their sectors: where the warp's other requests fill them, nothing that is fetched is wasted, and that is what is said. Where they
// do not, or where L1 cannot be relied on to keep the sectors, the access is uncoalesced.
// RUN: not %lint %s | FileCheck %s
// RUN: %lint %s --checks=-gmem-uncoalesced | FileCheck %s --check-prefix=NARROW

// smem-lint: launch block=(256) grid=(64)
__global__ void three(float *out, const float3 *p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float3 v = p[i];
  out[i] = v.x + v.y + v.z;
}
// CHECK: narrow.cu:[[#@LINE-3]]:20: note: narrow load of p[i] uses 33% of its sectors, with the accesses next to it 100% [gmem-narrow-access]
// CHECK: cost: 18,432 sectors where 6,144 are enough (3x) in 1,536 requests; 90% of all sectors of three; 60% avoidable here; exact
// CHECK-NEXT: cause: neighbouring lanes are 12 bytes apart: 32 lanes touch 12 sectors, their 128 bytes would fit into 4; L1 fetches them once for all of these accesses
// CHECK-NEXT: hint: stage the data in shared memory with accesses of consecutive words, or keep the fields in arrays of their own

struct Body { float x, y, z, mass; };

// smem-lint: launch block=(256) grid=(64)
__global__ void all_fields(float *out, const Body *b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Body body = b[i];
  out[i] = body.mass * (body.x + body.y + body.z);
}
// CHECK: narrow.cu:[[#@LINE-3]]:{{[0-9]+}}: note: narrow load of b[i] uses 25% of its sectors, with the accesses next to it 100% [gmem-narrow-access]
// CHECK: hint: load the 16 bytes of a lane at once, as one vector (float4) on an aligned address

// smem-lint: launch block=(256) grid=(64)
__global__ void one_field(float *out, const Body *b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = b[i].mass;
}
// CHECK: narrow.cu:[[#@LINE-2]]:17: warning: uncoalesced load of b[i].mass moves 16 sectors instead of 4 [gmem-uncoalesced]
// CHECK: cause: neighbouring lanes are 16 bytes apart: 32 lanes touch 16 sectors, their 128 bytes would fit into 4; a request uses 25% of their bytes, and the warp's accesses next to it none of the rest

// smem-lint: launch block=(256) grid=(64)
__global__ void two_fields(float *out, const Body *b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = b[i].mass *
           b[i].y;
}
// CHECK: narrow.cu:[[#@LINE-3]]:17: warning: uncoalesced load of b[i].mass
// CHECK: a request uses 25% of their bytes, with the warp's accesses next to it 50%
// CHECK: narrow.cu:[[#@LINE-4]]:17: warning: uncoalesced load of b[i].y

// smem-lint: launch block=(256) grid=(64)
__global__ void pairs(float *out, const float *a) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = a[2 * t] -
           a[2 * t + 1];
}
// CHECK: narrow.cu:[[#@LINE-3]]:12: note: narrow load of a[2 * t] uses 50% of its sectors, with the accesses next to it 100%
// CHECK: hint: load the 8 bytes of a lane at once, as one vector (float2) on an aligned address
// CHECK: narrow.cu:[[#@LINE-4]]:12: note: narrow load of a[2 * t + 1]

// smem-lint: launch block=(256) grid=(64)
__global__ void every_other(float *out, const float *a) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = a[2 * t];
}
// CHECK: narrow.cu:[[#@LINE-2]]:12: warning: uncoalesced load of a[2 * t] moves 8 sectors instead of 4 [gmem-uncoalesced]

// smem-lint: launch block=(256) grid=(64)
__global__ void bytes_of_a_word(int *out, const unsigned char *a) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 8; ++k)
    sum += a[8 * t + k];
  out[t] = sum;
}
// CHECK: narrow.cu:[[#@LINE-3]]:12: note: narrow load of a[8 * t + k] uses 12% of its sectors, with the accesses next to it 100%

// smem-lint: launch block=(256) grid=(64)
__global__ void store_three(float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[3 * i] = i;
  out[3 * i + 1] = i;
  out[3 * i + 2] = i;
}
// CHECK: narrow.cu:[[#@LINE-4]]:{{[0-9]+}}: note: narrow store of out[3 * i] uses 33% of its sectors, with the accesses next to it 100%
// CHECK: L2 merges what each of these stores sends

// smem-lint: launch block=(256) grid=(64)
__global__ void volatile_pairs(float *out, const volatile float *a) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = a[2 * t] -
           a[2 * t + 1];
}
// CHECK: narrow.cu:[[#@LINE-3]]:12: warning: uncoalesced load of a[2 * t]

// smem-lint: launch block=(256) grid=(64)
__global__ void uncached_pairs(float *out, const float *a) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = __ldcg(a + 2 * t) -
           __ldcg(a + 2 * t + 1);
}
// CHECK: narrow.cu:[[#@LINE-3]]:12: warning: uncoalesced load
// CHECK: cause: {{.*}}a request uses 50% of their bytes, and L1 keeps nothing for the next one

// smem-lint: launch block=(32,8) grid=(32,128) n=1024
__global__ void transpose(float *out, const float *in, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[y * n + x] = in[x * n + y];
}
// CHECK: narrow.cu:[[#@LINE-2]]:20: warning: uncoalesced load of in[x * n + y] moves 32 sectors instead of 4 [gmem-uncoalesced]
// CHECK: cause: {{.*}}a request uses 12% of their bytes; whether L1 keeps the rest until another one uses it is not known

// A loop along the row of each lane: its sectors lie in as many lines as there are lanes.
// smem-lint: launch block=(256) grid=(64) n=1024
__global__ void rows(float *out, const float *in, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < n; ++c)
    sum += in[r * n + c];
  out[r] = sum;
}
// CHECK: narrow.cu:[[#@LINE-3]]:12: warning: uncoalesced load of in[r * n + c]

// NARROW-COUNT-8: [gmem-narrow-access]
// NARROW-NOT: [gmem-narrow-access]
