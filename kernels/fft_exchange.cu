// The exchange between the stages of a Stockham FFT: 1,024 complex points, radix 4, five stages, 256 threads with four
// points each, real and imaginary parts in separate arrays.
//
// After the stage with span s = 1, 4, 16, 64 thread t stores its result r (0..3) at word (t / s) * 4 s + t mod s + r s and
// reads words t + 256 r back. The last stage (s = 256) goes straight to global memory.
//
// fft_exchange<false>, words as they are. Reading: 32 consecutive words, 1-way. Storing, r fixed, lanes of one warp:
//   s = 1    words 4 t + r: 4 words in a bank, 4-way. (The four results of a thread are neighbours on a 16-byte boundary;
//            where the compiler merges them into one 16-byte store, the quarter-warps are consecutive: 1-way.)
//   s = 4    8 groups 16 words apart, 4 words each: banks r * 4 + 0..3 and 16 more, 4 words in each: 4-way
//   s = 16   2 groups 64 words apart, 16 words each: 2 words in each of 16 banks: 2-way
//   s = 64   32 consecutive words: 1-way
// fft_exchange<true>, word w kept at w + p * (w / 32) with p = 1, 4, 8, 0 for s = 1, 4, 16, 64. A read stays in one row of 32
// words: 1-way. Storing:
//   s = 1    row t / 8 is shifted by t / 8: banks 4 (t mod 8) + t / 8 + r: 1-way
//   s = 4    rows hold two groups; row q is shifted by 4 q: banks 16 (g mod 2) + 4 (q + r) + 0..3: 1-way
//   s = 16   the second group lies two rows on and is shifted by 16: 1-way
// So the degree of the store is 4-way without and 1-way with the padding (the padding has to follow the
// stage: no fixed w + p * (w / d) with d = 8, 16, .. 128 and p = 0 .. 32 makes all four stores conflict-free).
//
// Whole launch, 1,024 transforms of 8 warps. Global: 4 loads and 4 stores of 8 bytes, 32 consecutive elements: 8 sectors, 2 tags;
// 32,768 requests and 262,144 sectors each way. Each exchange and array: 32,768 scalar stores and 32,768 loads; store
// wavefronts without merging 131,072 + 131,072 + 65,536 + 32,768 (with: 32,768 for s = 1, of 8,192 requests), with padding
// 32,768 an exchange.
//
// expect fft_exchange<false>: shared store 4-way; shared load 1-way
// expect fft_exchange<true>: shared store 1-way; shared load 1-way
#include "catalogue.h"

constexpr int kPoints = 1024;
constexpr int kThreads = kPoints / 4;

__device__ __forceinline__ float2 multiply(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

// Multiplies by the twiddle factors of a stage and transforms the four points of the thread.
template <int SPAN>
__device__ __forceinline__ void stage(float2 (&v)[4], int t) {
  float2 w;
  sincospif(-0.5f * (t % SPAN) / SPAN, &w.y, &w.x);
  const float2 w2 = multiply(w, w);
  v[1] = multiply(v[1], w);
  v[2] = multiply(v[2], w2);
  v[3] = multiply(v[3], multiply(w, w2));
  const float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
  const float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].x - v[3].x, v[1].y - v[3].y);
  v[0] = make_float2(a.x + c.x, a.y + c.y);
  v[1] = make_float2(b.x + d.y, b.y - d.x);
  v[2] = make_float2(a.x - c.x, a.y - c.y);
  v[3] = make_float2(b.x - d.y, b.y + d.x);
}

template <int SPAN, int PAD>
__device__ __forceinline__ void exchange(float2 (&v)[4], int t, float *re, float *im) {
  const int first = t / SPAN * (4 * SPAN) + t % SPAN;
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int to = first + r * SPAN;
    re[to + PAD * (to / 32)] = v[r].x;
    im[to + PAD * (to / 32)] = v[r].y;
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int from = t + r * kThreads;
    v[r].x = re[from + PAD * (from / 32)];  // expect: shared load 1-way
    v[r].y = im[from + PAD * (from / 32)];  // expect: shared load 1-way
  }
}

template <bool PADDED>
__global__ void fft_exchange(const float2 *__restrict__ in, float2 *__restrict__ out) {
  constexpr int words = PADDED ? kPoints + 8 * (kPoints / 32) : kPoints;
  __shared__ float re[words];
  __shared__ float im[words];
  const int t = threadIdx.x;
  const float2 *from = in + blockIdx.x * kPoints;
  float2 v[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) v[r] = from[t + r * kThreads];  // expect: global load 8 sectors/request
  stage<1>(v, t);
  exchange<1, PADDED ? 1 : 0>(v, t, re, im);
  stage<4>(v, t);
  exchange<4, PADDED ? 4 : 0>(v, t, re, im);
  stage<16>(v, t);
  exchange<16, PADDED ? 8 : 0>(v, t, re, im);
  stage<64>(v, t);
  exchange<64, 0>(v, t, re, im);
  stage<256>(v, t);
  float2 *to = out + blockIdx.x * kPoints;
#pragma unroll
  for (int r = 0; r < 4; ++r) to[t + r * kThreads] = v[r];  // expect: global store 8 sectors/request
}

// Checks eight frequencies of every 64th transform against the definition.
static bool check(const char *name, const std::vector<float2> &in, const std::vector<float2> &out, int transforms) {
  catalogue::Comparison comparison(2e-4);
  for (int f = 0; f < transforms; f += 64) {
    const std::size_t first = static_cast<std::size_t>(f) * kPoints;
    for (int k = f / 64; k < kPoints; k += 127) {
      double x = 0, y = 0;
      for (int i = 0; i < kPoints; ++i) {
        const double angle = -2 * 3.14159265358979323846 * (static_cast<double>(i) * k / kPoints);
        const double c = std::cos(angle), s = std::sin(angle);
        x += in[first + i].x * c - in[first + i].y * s;
        y += in[first + i].x * s + in[first + i].y * c;
      }
      comparison.add(out[first + k].x, x);
      comparison.add(out[first + k].y, y);
    }
  }
  std::printf("  %-32s max error %.3g: %s\n", name, comparison.max_error(), comparison.ok() ? "ok" : "WRONG");
  return comparison.ok();
}

int main() {
  const int transforms = 1024;
  const std::vector<float> values = catalogue::random_values(static_cast<std::size_t>(transforms) * kPoints * 2, 28);
  std::vector<float2> in(values.size() / 2);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = make_float2(values[2 * i], values[2 * i + 1]);

  catalogue::Device<float2> d_in(in), d_out(in.size());
  fft_exchange<false><<<transforms, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  bool ok = check("unpadded", in, d_out.download(), transforms);

  d_out.clear();
  fft_exchange<true><<<transforms, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  ok = check("padded", in, d_out.download(), transforms) && ok;
  return catalogue::report("fft_exchange", ok);
}
