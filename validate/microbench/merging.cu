// When does the compiler merge adjacent accesses into a wider one?  Small kernels to be read as machine code:
//
//   nvcc -O3 -arch=sm_90 -cubin merging.cu -o merging.cubin && cuobjdump -sass merging.cubin
//
// `s` is only ever declared with the alignment of its element.  The kernel's name says what it asks.
#define K extern "C" __global__ void
#define SH __shared__
#define TX int(threadIdx.x)
#define TY int(threadIdx.y)

// Four consecutive elements, pitches that are and are not multiples of four.
K load4_pitch64(float* o) { SH float s[16][64]; for (int i = 0; i < 16; ++i) s[i][TX] = o[i * 64 + TX]; __syncthreads(); float r = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) for (int m = 0; m < 4; ++m) r = r * 3 + s[k][TY * 4 + m]; o[TX] = r; }
K load4_pitch65(float* o) { SH float s[16][65]; for (int i = 0; i < 16; ++i) s[i][TX] = o[i * 64 + TX]; __syncthreads(); float r = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) for (int m = 0; m < 4; ++m) r = r * 3 + s[k][TY * 4 + m]; o[TX] = r; }
K load4_pitch66(float* o) { SH float s[16][66]; for (int i = 0; i < 16; ++i) s[i][TX] = o[i * 64 + TX]; __syncthreads(); float r = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) for (int m = 0; m < 4; ++m) r = r * 3 + s[k][TY * 4 + m]; o[TX] = r; }
K load4_pitch68(float* o) { SH float s[16][68]; for (int i = 0; i < 16; ++i) s[i][TX] = o[i * 64 + TX]; __syncthreads(); float r = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) for (int m = 0; m < 4; ++m) r = r * 3 + s[k][TY * 4 + m]; o[TX] = r; }
// A loop that stays a loop: nothing is known of k's parity.
K load4_pitch64_rolled(float* o, int n) { SH float s[16][64]; for (int i = 0; i < 16; ++i) s[i][TX] = o[i * 64 + TX]; __syncthreads(); float r = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) for (int m = 0; m < 4; ++m) r = r * 3 + s[k][TY * 4 + m]; o[TX] = r; }
K load4_pitch65_rolled(float* o, int n) { SH float s[16][65]; for (int i = 0; i < 16; ++i) s[i][TX] = o[i * 64 + TX]; __syncthreads(); float r = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) for (int m = 0; m < 4; ++m) r = r * 3 + s[k][TY * 4 + m]; o[TX] = r; }
// One load each of a flat array, base index unknown or known modulo something.
K flat4_tx4(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K flat4_tx4_plus1(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4 + 1; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K flat4_tx4_plus2(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4 + 2; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K flat4_tx(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K flat2_tx2(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 2; o[TX] = s[i] + 3 * s[i + 1]; }
K flat3_tx4(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2]; }
K flat3_tx3(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 3; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2]; }
K flat8_tx8(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 8; float r = 0; for (int m = 0; m < 8; ++m) r = r * 3 + s[i + m]; o[TX] = r; }
K flat4_uniform(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); o[TX] = s[8] + 3 * s[9] + 5 * s[10] + 7 * s[11]; }
K flat4_uniform_odd(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); o[TX] = s[5] + 3 * s[6] + 5 * s[7] + 7 * s[8]; }
K flat4_param(float* o, int n) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = n; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K flat4_param4(float* o, int n) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = n * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K flat4_shuffled(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i + 2] + 3 * s[i] + 5 * s[i + 3] + 7 * s[i + 1]; }
// Other element types.
K chars4(char* o) { SH char s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K shorts4(short* o) { SH short s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K doubles2(double* o) { SH double s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 2; o[TX] = s[i] + 3 * s[i + 1]; }
// Stores.
K store4_tx4(float* o) { SH float s[1024]; int i = TX * 4; s[i] = o[i]; s[i + 1] = o[i + 9]; s[i + 2] = o[i + 12]; s[i + 3] = o[i + 33]; __syncthreads(); o[TX] = s[TX]; }
K store2_tx2(float* o) { SH float s[1024]; int i = TX * 2; s[i] = o[i]; s[i + 1] = o[i + 9]; __syncthreads(); o[TX] = s[TX]; }
K store4_const(float* o) { SH float s[1024]; int i = TX * 4; s[i] = 0; s[i + 1] = 0; s[i + 2] = 0; s[i + 3] = 0; __syncthreads(); o[TX] = s[TX]; }
K store4_tx(float* o) { SH float s[1024]; int i = TX; s[i] = o[i]; s[i + 256] = o[i + 9]; __syncthreads(); o[TX] = s[TX ^ 1]; }
K store4_from_float4(float* o) { SH float s[1024]; float4 v = reinterpret_cast<float4*>(o)[TX]; int i = TX * 4; s[i] = v.x; s[i + 1] = v.y; s[i + 2] = v.z; s[i + 3] = v.w; __syncthreads(); o[TX] = s[TX]; }
K store4_transposed(float* o) { SH float s[16][68]; float4 v = reinterpret_cast<float4*>(o)[TX]; s[0][TX] = v.x; s[1][TX] = v.y; s[2][TX] = v.z; s[3][TX] = v.w; __syncthreads(); o[TX] = s[TX % 16][1]; }
// What lies between two accesses.
K across_barrier(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; float a = s[i] + 3 * s[i + 1]; __syncthreads(); float b = 5 * s[i + 2] + 7 * s[i + 3]; o[TX] = a + b; }
K across_syncwarp(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; float a = s[i] + 3 * s[i + 1]; __syncwarp(); float b = 5 * s[i + 2] + 7 * s[i + 3]; o[TX] = a + b; }
K across_global_store(float* o, float* p) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; float a = s[i] + 3 * s[i + 1]; p[TX] = a; float b = 5 * s[i + 2] + 7 * s[i + 3]; o[TX] = a + b; }
K across_shared_store(float* o) { SH float s[1024]; SH float t[256]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; float a = s[i] + 3 * s[i + 1]; t[TX] = a; float b = 5 * s[i + 2] + 7 * s[i + 3]; __syncthreads(); o[TX] = a + b + t[TX ^ 1]; }
K across_branch(float* o, int n) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; float r = s[i] + 3 * s[i + 1]; if (TX < n) r += 5 * s[i + 2] + 7 * s[i + 3]; o[TX] = r; }
K inside_branch(float* o, int n) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; float r = 0; if (TX < n) r = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; o[TX] = r; }
K volatile4(float* o) { SH volatile float s[1024]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
// Second array, whose base is not a multiple of 16 unless the compiler makes it so.
K second_array(float* o) { SH float t[33]; SH float s[1024]; if (TX < 33) t[TX] = o[TX + 7]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3] + t[TX % 33]; }
K both_arrays(float* o) { SH float t[33 * 4]; SH float s[1025]; t[TX] = o[TX + 7]; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; float r = 0; for (int m = 0; m < 4; ++m) r = r * 3 + s[i + m]; for (int m = 0; m < 4; ++m) r = r * 3 + t[i % 128 + m]; o[TX] = r; }
extern SH float dynamic[];
K dynamic4(float* o) { float* s = dynamic; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
K dynamic4_offset(float* o, int n) { float* s = dynamic + n; s[TX] = o[TX]; __syncthreads(); int i = TX * 4; o[TX] = s[i] + 3 * s[i + 1] + 5 * s[i + 2] + 7 * s[i + 3]; }
// The same vector needed twice, or in two unrolled iterations.
K reuse(float* o) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); float r = 0;
#pragma unroll
  for (int m = 0; m < 4; ++m) r = r * 3 + s[TX * 4 + m] * s[TX * 4 + (m ^ 1)]; o[TX] = r; }
K unrolled_stride1(float* o, int n) { SH float s[1024]; s[TX] = o[TX]; __syncthreads(); float r = 0;
#pragma unroll 4
  for (int k = 0; k < n; ++k) r = r * 3 + s[k]; o[TX] = r; }
K unrolled_const_trip(float* o) { SH float s[64]; s[TX] = o[TX]; __syncthreads(); float r = 0;
  for (int k = 0; k < 64; ++k) r = r * 3 + s[k]; o[TX] = r; }
K unrolled_row(float* o) { SH float s[32][33]; s[TY][TX] = o[TX]; __syncthreads(); float r = 0;
  for (int k = 0; k < 32; ++k) r = r * 3 + s[TY][k]; o[TX] = r; }
K unrolled_row32(float* o) { SH float s[32][32]; s[TY][TX] = o[TX]; __syncthreads(); float r = 0;
  for (int k = 0; k < 32; ++k) r = r * 3 + s[TY][k]; o[TX] = r; }
// Global memory.
K global_load4(const float* p, float* o) { int i = TX * 4; o[TX] = p[i] + 3 * p[i + 1] + 5 * p[i + 2] + 7 * p[i + 3]; }
K global_load4_restrict(const float* __restrict__ p, float* __restrict__ o) { int i = TX * 4; o[TX] = p[i] + 3 * p[i + 1] + 5 * p[i + 2] + 7 * p[i + 3]; }
K global_store4(const float* __restrict__ p, float* __restrict__ o) { int i = TX * 4; float v = p[TX]; o[i] = v; o[i + 1] = v + 1; o[i + 2] = v + 2; o[i + 3] = v + 3; }
K global_load4_assumed(const float* __restrict__ p, float* __restrict__ o) { p = static_cast<const float*>(__builtin_assume_aligned(p, 16)); int i = TX * 4; o[TX] = p[i] + 3 * p[i + 1] + 5 * p[i + 2] + 7 * p[i + 3]; }
struct F4 { float x, y, z, w; };
K global_struct(const F4* __restrict__ p, F4* __restrict__ o) { o[TX] = p[TX]; }
struct __align__(16) A4 { float x, y, z, w; };
K global_struct_aligned(const A4* __restrict__ p, A4* __restrict__ o) { o[TX] = p[TX]; }
__device__ float device_array[4096];
K global_device_array(float* __restrict__ o) { int i = TX * 4; o[TX] = device_array[i] + 3 * device_array[i + 1] + 5 * device_array[i + 2] + 7 * device_array[i + 3]; }
K shared_struct(float* o) { SH F4 s[128]; s[TX].x = o[TX]; s[TX].y = o[TX + 3]; s[TX].z = 1; s[TX].w = 2; __syncthreads(); F4 v = s[TX ^ 1]; o[TX] = v.x + 3 * v.y + 5 * v.z + 7 * v.w; }
K shared_float4_member(float* o) { SH float4 s[128]; s[TX] = make_float4(o[TX], o[TX + 1], 3, 4); __syncthreads(); o[TX] = s[TX ^ 1].y; }
K shared_float4_two_members(float* o) { SH float4 s[128]; s[TX] = make_float4(o[TX], o[TX + 1], 3, 4); __syncthreads(); o[TX] = s[TX ^ 1].y + 3 * s[TX ^ 1].z; }
