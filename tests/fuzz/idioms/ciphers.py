"""Bits, bytes and tables."""
from .idiom import Idiom


def table_cipher(c):
    rounds = c.of(2, 4, 9)
    return Idiom('''
__device__ const unsigned ${K}_init[256] = {1, 2, 3};
__global__ void $K(const unsigned *${r}in, unsigned *${r}out, const unsigned *${r}keys, int n) {
  __shared__ unsigned table[256$more];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) table[i] = ${K}_init[i];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned s0 = in[4 * i] ^ keys[0], s1 = in[4 * i + 1] ^ keys[1], s2 = in[4 * i + 2] ^ keys[2], s3 = in[4 * i + 3] ^ keys[3];
${u}  for (int r = 1; r <= $rounds; ++r) {
    const unsigned t0 = s0 * 5 + keys[4 * r], t1 = (s1 << 8 | s1 >> 24) ^ keys[4 * r + 1], t2 = (s2 << 16 | s2 >> 16) ^ keys[4 * r + 2], t3 = s3 ^ keys[4 * r + 3];
    s0 = t0 ^ t1;
    s1 = t1 + t2;
    s2 = t2 ^ t3;
    s3 = t3 + t0;
  }
  out[4 * i] = s0 ^ table[threadIdx.x & 255];
  out[4 * i + 1] = s1;
  out[4 * i + 2] = s2;
  out[4 * i + 3] = s3;
}''', (3,), (c.of(64, 128, 256),), ["unsigned", "unsigned", "unsigned", c.of(300, 384)], rounds=rounds, more=c.of("", " + 1"), r=c.restrict(), u=c.unroll())


def message_schedule(c):
    return Idiom('''
__device__ __forceinline__ unsigned ${K}_rotate(unsigned x, int n) { return (x >> n) | (x << (32 - n)); }
__constant__ unsigned ${K}_k[64];
__global__ void $K(const unsigned *${r}messages, unsigned *${r}digests, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[64];
${u}  for (int t = 0; t < 16; ++t) w[t] = messages[$at];
$v  for (int t = 16; t < 64; ++t) {
    const unsigned s0 = ${K}_rotate(w[t - 15], 7) ^ ${K}_rotate(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const unsigned s1 = ${K}_rotate(w[t - 2], 17) ^ ${K}_rotate(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  unsigned a = 0x6a09e667u, b = 0xbb67ae85u, e = 0x510e527fu;
$v  for (int t = 0; t < 64; ++t) {
    const unsigned t1 = e + ${K}_k[t] + w[t];
    e = b + t1;
    b = a;
    a = t1 + ${K}_rotate(a, 2);
  }
  digests[3 * i] = a;
  digests[3 * i + 1] = b;
  digests[3 * i + 2] = e;
}''', (3,), (c.of(64, 128),), ["unsigned", "unsigned", c.of(150, 192)], r=c.restrict(), u=c.of("", "#pragma unroll\n"), v=c.of("", "#pragma unroll\n"), at=c.of("i * 16 + t", "t * n + i"))


def packed_pixels(c):
    return Idiom('''
__global__ void $K(const uchar4 *${r}in, unsigned *${r}out, unsigned char *${r}grey, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const uchar4 p = in[y * w + x];
  const unsigned l = (p.x * 77 + p.y * 151 + p.z * 28) >> 8;
  $first
  $second
}''', (3, 3), (16, 16), ["uchar4", "unsigned", "unsigned char", c.of(48, 45), 48], r=c.restrict(),
                 first=c.of("out[y * w + x] = (p.w << 24) | (l << 16) | (l << 8) | l;", "out[y * w + x] = l | l << 8;", "reinterpret_cast<uchar4 *>(out)[y * w + x] = make_uchar4(l, l, l, p.w);"),
                 second=c.of("grey[y * w + x] = l;", "grey[(h - 1 - y) * w + x] = l;", "grey[3 * (y * w + x)] = l;\n  grey[3 * (y * w + x) + 1] = p.x;\n  grey[3 * (y * w + x) + 2] = p.y;"))


def bit_matrix(c):
    return Idiom('''
__global__ void $K(const unsigned *${r}in, unsigned *${r}out, int words) {
  __shared__ unsigned rows[32][$P];
  const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  for (int i = warp; i < 32; i += blockDim.x / 32) rows[i][lane] = in[(blockIdx.x * 32 + i) * words + lane];
  __syncthreads();
${u}  for (int j = warp; j < 32; j += blockDim.x / 32) {
    unsigned v = 0;
    const unsigned word = rows[lane][j];
    for (int b = 0; b < 32; ++b) {
      const unsigned vote = __ballot_sync(0xffffffffu, (word >> b) & 1);
      if (lane == b) v = vote;
    }
    out[(j * 32 + lane) * gridDim.x + blockIdx.x] = v;
  }
}''', (2,), (c.of(32, 64, 128, 256),), ["unsigned", "unsigned", 32], P=c.of(32, 33), r=c.restrict(), u=c.unroll())


def random_walk_states(c):
    return Idiom('''
struct ${K}_State {
  unsigned x, y, z, w$more;
  __device__ unsigned next() {
    const unsigned t = x ^ (x << 11);
    x = y;
    y = z;
    z = w;
    w = w ^ (w >> 19) ^ t ^ (t >> 8);
    return w;
  }
};
__global__ void $K(${K}_State *states, float *${r}out, int draws) {
  __shared__ float sums[$N];
  const int id = threadIdx.x + blockIdx.x * blockDim.x;
  $copy
  float sum = 0;
${u}  for (int i = 0; i < draws; ++i) sum += s.next() * 2.3e-10f;
  $back
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int o = $N / 2; o > 0; o /= 2) {
    if (threadIdx.x < o) sums[threadIdx.x] += sums[threadIdx.x + o];
    __syncthreads();
  }
  if (!threadIdx.x) out[blockIdx.x] = sums[0] / (draws * $N);
}''', (4,), (n := c.of(64, 128),), ["${K}_State", "float", c.of(7, 16)], N=n, more=c.of("", ", d"), r=c.restrict(), u=c.unroll(), **dict(zip(("copy", "back"), c.of(("${K}_State s = states[id];", "states[id] = s;"), ("${K}_State &s = states[id];", "")))))


def base64_triples(c):
    return Idiom('''
__constant__ char ${K}_digits[64];
__global__ void $K(const unsigned char *${r}in, unsigned char *${r}out, int triples) {
  __shared__ unsigned char digits[64], bytes[3 * $N];
  if (threadIdx.x < 64) digits[threadIdx.x] = ${K}_digits[threadIdx.x];
  for (int i = threadIdx.x; i < 3 * $N; i += $N) bytes[i] = in[blockIdx.x * 3 * $N + i];
  __syncthreads();
  const int t = threadIdx.x, at = blockIdx.x * $N + t;
  if (at < triples) {
    const unsigned v = bytes[3 * t] << 16 | bytes[3 * t + 1] << 8 | bytes[3 * t + 2];
    out[4 * at] = digits[(t + 1) & 63] + v;
    out[4 * at + 1] = digits[(t >> 1) & 63];
    out[4 * at + 2] = digits[t & 15] ^ v;
    out[4 * at + 3] = digits[t & 63];
  }
}''', (3,), (n := c.of(64, 128),), ["unsigned char", "unsigned char", 3 * n - c.of(0, 5)], N=n, r=c.restrict())


def cyclic_redundancy(c):
    return Idiom('''
__global__ void $K(const unsigned char *${r}data, unsigned *${r}sums, int length) {
  __shared__ unsigned part[$N / 32];
  unsigned crc = 0xffffffffu;
  const unsigned char *mine = data + (blockIdx.x * $N + threadIdx.x) * length;
${u}  for (int i = 0; i < length; ++i) {
    crc ^= mine[i];
#pragma unroll
    for (int b = 0; b < 8; ++b) crc = (crc >> 1) ^ (0xEDB88320u & -(crc & 1));
  }
${v}  for (int o = 16; o; o >>= 1) crc ^= __shfl_xor_sync(~0u, crc, o);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = crc;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned all = 0;
    for (int w = 0; w < $N / 32; ++w) all ^= part[w];
    sums[blockIdx.x] = all;
  }
}''', (3,), (n := c.of(64, 128, 256),), ["unsigned char", "unsigned", c.of(4, 7, 16)], N=n, r=c.restrict(), u=c.unroll(), v=c.unroll())


FAMILIES = [table_cipher, message_schedule, packed_pixels, bit_matrix, random_walk_states, base64_triples, cyclic_redundancy]
