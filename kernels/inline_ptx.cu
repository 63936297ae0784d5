// Memory instructions written as inline PTX: nothing in the CUDA source says "shared" but the instruction itself.
//
//   ptx_column      a 32 x 32 tile of floats, rows of 32 words: st.shared of a row 1-way, ld.shared of a column 32-way;
//                   ld.global.nc and st.global 4 sectors
//   ptx_vector      ld.shared.v4.f32 of neighbouring 16-byte pieces: four quarter-warps of 32 consecutive words: 1-way,
//                   4 wavefronts; v4 at every other piece (32 bytes apart): 2-way, 8 wavefronts
//   ptx_async_copy  cp.async.cg of 16 bytes a lane, 512 consecutive bytes: 16 sectors, 4 tags; shared side four
//                   quarter-warps of 32 consecutive words: 1-way. cp.async.ca of 4 bytes: 4 sectors, 1-way.
//   ptx_ldmatrix    ldmatrix.x1, eight rows of 16 bytes without gaps: 32 consecutive words: 1-way, 1 wavefront; the same rows
//                   64 bytes apart: banks 0 and 16, four rows each: 4-way, 4 wavefronts
//
// Whole launch of each: 512 blocks.
//   ptx_column (32, 8): each site 512 * 8 * 4 = 16,384 requests; wavefronts 16,384 for the store, 524,288 for the load
//   ptx_vector, 64 threads: 1,024 requests a site; wavefronts 4,096 and 8,192
//   ptx_async_copy, 128 threads: 2,048 requests a site
//   ptx_ldmatrix, 32 threads: 512 requests a site; wavefronts 512 and 2,048
#include "catalogue.h"

constexpr int kBlocks = 512;

__device__ __forceinline__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ float load_global(const float *p) {
  float value;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(p));  // expect: global load 4 sectors/request
  return value;
}

__device__ __forceinline__ void store_global(float *p, float value) {
  asm volatile("st.global.f32 [%0], %1;" ::"l"(p), "f"(value) : "memory");  // expect: global store 4 sectors/request
}

__global__ void ptx_column(const float *in, float *out) {
  __shared__ float tile[32 * 32];
  const unsigned base = shared_address(tile);
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    const float value = load_global(in + blockIdx.x * 1024 + y * 32 + x);
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(base + (y * 32 + x) * 4), "f"(value) : "memory");  // expect: shared store 1-way
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    float value;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(base + (x * 32 + y) * 4) : "memory");  // expect: shared load 32-way
    store_global(out + blockIdx.x * 1024 + y * 32 + x, value);
  }
}

__global__ void ptx_vector(const float *in, float *out) {
  __shared__ __align__(16) float line[64 * 8];
  const int t = threadIdx.x;
  for (int i = t; i < 64 * 8; i += 64) line[i] = in[blockIdx.x * 512 + i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  float a, b, c, d, e, f, g, h;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(shared_address(line) + t * 16) : "memory");  // expect: shared load 1-way
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(e), "=f"(f), "=f"(g), "=f"(h) : "r"(shared_address(line) + t * 32) : "memory");  // expect: shared load 2-way
  store_global(out + blockIdx.x * 64 + t, a + b + c + d - (e + f + g + h));
}

__global__ void ptx_async_copy(const float *in, float *out) {
  __shared__ __align__(16) float wide[512];
  __shared__ __align__(16) float narrow[128];
  const int t = threadIdx.x;
  const float *block_in = in + blockIdx.x * 640;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(wide) + t * 16), "l"(block_in + t * 4) : "memory");  // expect: global async_copy 16 sectors/request; shared async_copy 1-way
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(narrow) + t * 4), "l"(block_in + 512 + t) : "memory");  // expect: global async_copy 4 sectors/request; shared async_copy 1-way
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  const int opposite = 127 - t;
  const float sum = wide[opposite] + wide[opposite + 256];  // expect: shared load 1-way
  const float factor = narrow[opposite];                    // expect: shared load 1-way
  store_global(out + blockIdx.x * 128 + t, sum * factor);
}

__global__ void ptx_ldmatrix(const unsigned *in, unsigned *out) {
  __shared__ __align__(128) unsigned rows[8 * 16];
  const int t = threadIdx.x;
  for (int i = t; i < 8 * 16; i += 32) rows[i] = in[blockIdx.x * 128 + i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  const unsigned base = shared_address(rows);
  unsigned packed, spread;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(packed) : "r"(base + t % 8 * 16) : "memory");  // expect: shared matrix_load 1-way
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(spread) : "r"(base + t % 8 * 64) : "memory");  // expect: shared matrix_load 4-way
  out[blockIdx.x * 64 + t] = packed;       // expect: global store 4 sectors/request
  out[blockIdx.x * 64 + 32 + t] = spread;  // expect: global store 4 sectors/request
}

int main() {
  bool ok = true;
  {
    const std::vector<float> in = catalogue::random_values(kBlocks * 1024, 37);
    std::vector<float> expected(in.size());
    for (int i = 0; i < kBlocks * 1024; ++i) expected[i] = in[i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32];
    catalogue::Device<float> d_in(in), d_out(in.size());
    ptx_column<<<kBlocks, dim3(32, 8)>>>(d_in, d_out);
    CHECK_LAUNCH();
    ok = catalogue::compare("ptx_column", d_out.download(), expected) && ok;
  }
  {
    const std::vector<float> in = catalogue::random_values(kBlocks * 512, 38);
    std::vector<float> expected(kBlocks * 64, 0.0f);
    for (int i = 0; i < kBlocks * 64; ++i)
      for (int k = 0; k < 4; ++k) expected[i] += in[i / 64 * 512 + i % 64 * 4 + k] - in[i / 64 * 512 + i % 64 * 8 + k];
    catalogue::Device<float> d_in(in), d_out(expected.size());
    ptx_vector<<<kBlocks, 64>>>(d_in, d_out);
    CHECK_LAUNCH();
    ok = catalogue::compare("ptx_vector", d_out.download(), expected) && ok;
  }
  {
    const std::vector<float> in = catalogue::random_values(kBlocks * 640, 39);
    std::vector<float> expected(kBlocks * 128);
    for (int i = 0; i < kBlocks * 128; ++i) {
      const float *block_in = &in[i / 128 * 640];
      const int opposite = 127 - i % 128;
      expected[i] = (block_in[opposite] + block_in[opposite + 256]) * block_in[512 + opposite];
    }
    catalogue::Device<float> d_in(in), d_out(expected.size());
    ptx_async_copy<<<kBlocks, 128>>>(d_in, d_out);
    CHECK_LAUNCH();
    ok = catalogue::compare("ptx_async_copy", d_out.download(), expected) && ok;
  }
  {
    const std::vector<unsigned> in = catalogue::random_integers<unsigned>(kBlocks * 128, 0xffffffffu, 40);
    std::vector<unsigned> expected(kBlocks * 64);
    for (int i = 0; i < kBlocks * 32; ++i) {
      const int block = i / 32, lane = i % 32;
      expected[block * 64 + lane] = in[block * 128 + lane / 4 * 4 + lane % 4];
      expected[block * 64 + 32 + lane] = in[block * 128 + lane / 4 * 16 + lane % 4];
    }
    catalogue::Device<unsigned> d_in(in), d_out(expected.size());
    ptx_ldmatrix<<<kBlocks, 32>>>(d_in, d_out);
    CHECK_LAUNCH();
    ok = catalogue::compare("ptx_ldmatrix", d_out.download(), expected) && ok;
  }
  return catalogue::report("inline_ptx", ok);
}
