// Structures in shared memory. One field of an array of structures is a strided access; the stride is the size of the
// structure in words. An odd size (12 bytes) is harmless, a power of two is not; an array for each field never is.
//
// Blocks of 256 threads, thread t owns element t; within a warp t is the lane plus a multiple of 32.
//   one_field_of_8    struct of 2 words, lanes 2 words apart: 2-way
//   one_field_of_16   struct of 4 words, lanes 4 words apart: 4-way
//   one_field_of_32   struct of 8 words: 8-way
//   fields_of_12      struct of 3 words, aligned to 4: three separate 4-byte loads, lanes 3 words apart, gcd(3, 32) = 1:
//                     1-way each
//   whole_16          the aligned structure as one 16-byte load, neighbours 16 bytes apart: four quarter-warps, each
//                     covering all banks once: 1-way, 4 wavefronts (ideal 4)
//   fields_apart      structure of arrays: 1-way
// The arrays are filled word by word in consecutive order: 1-way; the fill reads global memory with 4 sectors a request.
//
// Whole launch: 512 blocks of 8 warps; one load site: 4,096 requests, wavefronts = 4,096 times the degree
// (whole_16: 4 * 4,096). Fill of a structure of w words: w * 4,096 requests, 1 wavefront each.
#include "catalogue.h"

constexpr int kThreads = 256;
constexpr int kBlocks = 512;
constexpr int kCount = kThreads * kBlocks;

struct Pair { float value, weight; };
struct Particle { float x, y, z, mass; };
struct Cell { float density[4]; float velocity[3]; float pressure; };
struct Vector3 { float x, y, z; };

template <typename T>
__device__ __forceinline__ void fill(T *shared, const float *in) {
  constexpr int words = sizeof(T) / sizeof(float);
  float *flat = reinterpret_cast<float *>(shared);
  const float *block_in = in + blockIdx.x * kThreads * words;
  for (int i = threadIdx.x; i < kThreads * words; i += kThreads)
    flat[i] = block_in[i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
}

__global__ void one_field_of_8(const float *in, float *out) {
  __shared__ Pair pairs[kThreads];
  fill(pairs, in);
  out[blockIdx.x * kThreads + threadIdx.x] = pairs[threadIdx.x].weight;  // expect: shared load 2-way; global store 4 sectors/request
}

__global__ void one_field_of_16(const float *in, float *out) {
  __shared__ Particle particles[kThreads];
  fill(particles, in);
  out[blockIdx.x * kThreads + threadIdx.x] = particles[threadIdx.x].mass;  // expect: shared load 4-way; global store 4 sectors/request
}

__global__ void one_field_of_32(const float *in, float *out) {
  __shared__ Cell cells[kThreads];
  fill(cells, in);
  out[blockIdx.x * kThreads + threadIdx.x] = cells[threadIdx.x].pressure;  // expect: shared load 8-way; global store 4 sectors/request
}

__global__ void fields_of_12(const float *in, float *out) {
  __shared__ Vector3 points[kThreads];
  fill(points, in);
  const float x = points[threadIdx.x].x;  // expect: shared load 1-way
  const float y = points[threadIdx.x].y;  // expect: shared load 1-way
  const float z = points[threadIdx.x].z;  // expect: shared load 1-way
  out[blockIdx.x * kThreads + threadIdx.x] = x + y + z;  // expect: global store 4 sectors/request
}

__global__ void whole_16(const float *in, float *out) {
  __shared__ float4 particles[kThreads];
  fill(particles, in);
  const float4 p = particles[threadIdx.x];  // expect: shared load 1-way
  out[blockIdx.x * kThreads + threadIdx.x] = p.x + p.y + p.z + p.w;  // expect: global store 4 sectors/request
}

__global__ void fields_apart(const float *in, float *out) {
  __shared__ float x[kThreads], y[kThreads], z[kThreads];
  const float *block_in = in + blockIdx.x * 3 * kThreads;
  x[threadIdx.x] = block_in[threadIdx.x];                 // expect: global load 4 sectors/request; shared store 1-way
  y[threadIdx.x] = block_in[kThreads + threadIdx.x];      // expect: global load 4 sectors/request; shared store 1-way
  z[threadIdx.x] = block_in[2 * kThreads + threadIdx.x];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  const int opposite = kThreads - 1 - threadIdx.x;
  const float sum = x[opposite] + y[opposite] + z[opposite];  // expect: shared load 1-way
  out[blockIdx.x * kThreads + opposite] = sum;                // expect: global store 4 sectors/request
}

int main() {
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(kCount) * 8, 10);
  catalogue::Device<float> d_in(in), d_out(kCount);
  const dim3 grid(kBlocks), block(kThreads);
  std::vector<float> expected(kCount);
  bool ok = true;

  one_field_of_8<<<grid, block>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < kCount; ++i) expected[i] = in[2 * i + 1];
  ok = catalogue::compare("one_field_of_8", d_out.download(), expected) && ok;

  one_field_of_16<<<grid, block>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < kCount; ++i) expected[i] = in[4 * i + 3];
  ok = catalogue::compare("one_field_of_16", d_out.download(), expected) && ok;

  one_field_of_32<<<grid, block>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < kCount; ++i) expected[i] = in[8 * i + 7];
  ok = catalogue::compare("one_field_of_32", d_out.download(), expected) && ok;

  fields_of_12<<<grid, block>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < kCount; ++i) expected[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2];
  ok = catalogue::compare("fields_of_12", d_out.download(), expected) && ok;

  whole_16<<<grid, block>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < kCount; ++i) expected[i] = in[4 * i] + in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3];
  ok = catalogue::compare("whole_16", d_out.download(), expected) && ok;

  fields_apart<<<grid, block>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int b = 0; b < kBlocks; ++b)
    for (int t = 0; t < kThreads; ++t) {
      const float *block_in = &in[static_cast<std::size_t>(b) * 3 * kThreads];
      expected[b * kThreads + t] = block_in[t] + block_in[kThreads + t] + block_in[2 * kThreads + t];
    }
  ok = catalogue::compare("fields_apart", d_out.download(), expected) && ok;
  return catalogue::report("struct_access", ok);
}
