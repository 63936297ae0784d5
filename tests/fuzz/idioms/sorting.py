"""Sorting, scanning, searching and counting."""
from .idiom import Idiom


def odd_even_merge_sort(c):
    n = c.of(64, 128, 256, 512)
    return Idiom('''
__device__ inline void ${K}_compare($T &keyA, unsigned &valA, $T &keyB, unsigned &valB, unsigned dir) {
  if ((keyA > keyB) == dir) {
    const $T t = keyA;
    keyA = keyB;
    keyB = t;
    const unsigned v = valA;
    valA = valB;
    valB = v;
  }
}
__global__ void $K($T *dstKey, unsigned *dstVal, const $T *srcKey, const unsigned *srcVal, unsigned arrayLength, unsigned dir) {
  __shared__ $T s_key[$N];
  __shared__ unsigned s_val[$N];
  srcKey += blockIdx.x * $N + threadIdx.x;
  srcVal += blockIdx.x * $N + threadIdx.x;
  dstKey += blockIdx.x * $N + threadIdx.x;
  dstVal += blockIdx.x * $N + threadIdx.x;
  s_key[threadIdx.x + 0] = srcKey[0];
  s_val[threadIdx.x + 0] = srcVal[0];
  s_key[threadIdx.x + ($N / 2)] = srcKey[$N / 2];
  s_val[threadIdx.x + ($N / 2)] = srcVal[$N / 2];
  for (unsigned size = 2; size <= arrayLength; size <<= 1) {
    unsigned stride = size / 2;
    const unsigned offset = threadIdx.x & (stride - 1);
    {
      __syncthreads();
      const unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      ${K}_compare(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], dir);
      stride >>= 1;
    }
    for (; stride > 0; stride >>= 1) {
      __syncthreads();
      const unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (offset >= stride) ${K}_compare(s_key[pos - stride], s_val[pos - stride], s_key[pos + 0], s_val[pos + 0], dir);
    }
  }
  __syncthreads();
  dstKey[0] = s_key[threadIdx.x + 0];
  dstVal[0] = s_val[threadIdx.x + 0];
  dstKey[$N / 2] = s_key[threadIdx.x + ($N / 2)];
  dstVal[$N / 2] = s_val[threadIdx.x + ($N / 2)];
}''', (3,), (n // 2,), ["T1", "unsigned", "T1", "unsigned", n, 1], N=n, T=(t := c.of("unsigned", "float", "int")), T1=t)


def warp_histograms(c):
    bins, warps = c.of((64, 4), (256, 4), (256, 2), (32, 8))
    return Idiom('''
__global__ void $K(unsigned *${r}partial, const unsigned *${r}data, unsigned count) {
  __shared__ unsigned hist[$W * $BINS];
  unsigned *mine = hist + (threadIdx.x >> 5) * $BINS;
#pragma unroll
  for (unsigned i = 0; i < ($BINS * $W) / $threads; i++) hist[threadIdx.x + i * $threads] = 0;
  __syncthreads();
  for (unsigned pos = blockIdx.x * blockDim.x + threadIdx.x; pos < count; pos += blockDim.x * gridDim.x) {
    const unsigned v = data[pos];
    atomicAdd(mine + ((v >> 0) & ($BINS - 1)), 1);
    atomicAdd(mine + ((v >> 8) & ($BINS - 1)), 1);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < $BINS; bin += $threads) {
    unsigned sum = 0;
${u}    for (unsigned i = 0; i < $W; i++) sum += hist[bin + i * $BINS];
    partial[blockIdx.x * $BINS + bin] = sum;
  }
}''', (4,), (32 * warps,), ["unsigned", "unsigned", c.of(2000, 4096)], W=warps, BINS=bins, threads=32 * warps, r=c.restrict(), u=c.unroll())


def byte_histogram(c):
    threads = c.of(64, 128)
    return Idiom('''
__global__ void $K(unsigned *partial, const unsigned *data, int words) {
  __shared__ unsigned char s_hist[$threads * 64];
  const int base = (threadIdx.x & ~63) | ((threadIdx.x & 15) << 2) | ((threadIdx.x & 48) >> 4);
  for (int i = 0; i < 64 / 4; i++) ((unsigned *)s_hist)[threadIdx.x + i * $threads] = 0;
  unsigned char *mine = s_hist + base;
  __syncthreads();
  for (int pos = blockIdx.x * blockDim.x + threadIdx.x; pos < words; pos += blockDim.x * gridDim.x) {
    const unsigned d = data[pos];
    mine[((d >> 2) & 0x3FU) * $threads]++;
    mine[((d >> 10) & 0x3FU) * $threads]++;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const unsigned char *bin = s_hist + threadIdx.x * $threads;
    unsigned sum = 0, pos = 4 * (threadIdx.x & 15);
    for (int i = 0; i < $threads / 4; i++) {
      sum += bin[pos + 0] + bin[pos + 1] + bin[pos + 2] + bin[pos + 3];
      pos = (pos + 4) & ($threads - 1);
    }
    partial[blockIdx.x * 64 + threadIdx.x] = sum;
  }
}''', (3,), (threads,), ["unsigned", "unsigned", c.of(500, 1024)], threads=threads)


def blelloch_scan(c):
    n = c.of(64, 128, 256, 512)
    gap = c.of("", "((n) >> 5)", "((n) >> 5) + ((n) >> 10)")
    return Idiom('''
#define ${K}_GAP(n) $gap
__global__ void $K($T *${r}out, const $T *${r}in, int n) {
  extern __shared__ $T ${K}_temp[];
  const int thid = threadIdx.x;
  int offset = 1;
  $load
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      ai += ${K}_GAP(ai);
      bi += ${K}_GAP(bi);
      ${K}_temp[bi] += ${K}_temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) ${K}_temp[n - 1 + ${K}_GAP(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      ai += ${K}_GAP(ai);
      bi += ${K}_GAP(bi);
      const $T t = ${K}_temp[ai];
      ${K}_temp[ai] = ${K}_temp[bi];
      ${K}_temp[bi] += t;
    }
  }
  __syncthreads();
  out[2 * thid] = ${K}_temp[2 * thid + ${K}_GAP(2 * thid)];
  out[2 * thid + 1] = ${K}_temp[2 * thid + 1 + ${K}_GAP(2 * thid + 1)];
}''', (2,), (n // 2,), ["T1", "T1", n], shared=12 * n, T=(t := c.of("float", "int")), T1=t, r=c.restrict(), gap=gap or "0",
                 load=c.of('''${K}_temp[2 * thid + ${K}_GAP(2 * thid)] = in[2 * thid];
  ${K}_temp[2 * thid + 1 + ${K}_GAP(2 * thid + 1)] = in[2 * thid + 1];''', '''const int a = thid, b = thid + n / 2;
  ${K}_temp[a + ${K}_GAP(a)] = in[a];
  ${K}_temp[b + ${K}_GAP(b)] = in[b];'''))


def rank_sort(c):
    n = c.of(64, 128, 256)
    return Idiom('''
__global__ void $K(const $T *${r}in, $T *${r}out) {
  __shared__ $T keys[$N];
  const int t = threadIdx.x;
  const $T mine = in[blockIdx.x * $N + t];
  keys[t] = mine;
  __syncthreads();
  int rank = 0;
${u}  for (int i = 0; i < $N; $step) {
    $body
  }
  out[blockIdx.x * $N + t] = rank;
}''', (3,), (n,), ["T1", "T1"], N=n, T=(t := c.of("float", "int")), T1=t, r=c.restrict(), u=c.unroll(),
                 **dict(zip(("step", "body"), c.of(("++i", "if (keys[i] < mine || (keys[i] == mine && i < t)) ++rank;"), ("++i", "rank += keys[i] < mine;"), ("i += 2", "rank += (keys[i] < mine) + (keys[i + 1] < mine);")))))


def warp_compaction(c):
    warps = c.of(2, 4, 8)
    return Idiom('''
__global__ void $K(const int *${r}in, int *${r}counts, int *${r}flags, int n) {
  __shared__ int per_warp[$W], bases[$W + 1];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5, i = blockIdx.x * blockDim.x + t;
  const bool keep = i < n && in[i] > 0;
  const unsigned vote = __ballot_sync(0xffffffffu, keep);
  if (lane == 0) per_warp[warp] = __popc(vote);
  __syncthreads();
  if (t == 0) {
    bases[0] = 0;
${u}    for (int w = 0; w < $W; ++w) bases[w + 1] = bases[w] + per_warp[w];
    counts[blockIdx.x] = bases[$W];
  }
  __syncthreads();
  const int at = bases[warp] + __popc(vote & ((1u << lane) - 1));
  if (i < n) flags[i] = keep ? at : -1;
}''', (5,), (32 * warps,), ["int", "int", "int", c.of(5 * 32 * warps, 5 * 32 * warps - 7)], W=warps, r=c.restrict(), u=c.unroll())


def smith_waterman_row(c):
    n = c.of(64, 128)
    return Idiom('''
__global__ void $K(const unsigned char *${r}query, const unsigned char *${r}target, int *${r}scores, int length) {
  __shared__ int h[2][$N + 1], e[$N + 1];
  __shared__ unsigned char bases[$N];
  const int t = threadIdx.x;
  bases[t] = target[blockIdx.x * $N + t];
  h[0][t + 1] = h[1][t + 1] = e[t + 1] = 0;
  if (t == 0) h[0][0] = h[1][0] = 0;
  __syncthreads();
  int best = 0;
  for (int i = 0; i < length; ++i) {
    const int now = i & 1, before = $flip;
    const int match = query[i] == bases[t] ? 2 : -1;
    const int down = max(e[t + 1] - 1, h[before][t + 1] - 3);
    int v = max(h[before][t] + match, down);
    v = max(v, 0);
    e[t + 1] = down;
    h[now][t + 1] = v;
    best = max(best, v);
    __syncthreads();
  }
  scores[blockIdx.x * $N + t] = best;
}''', (3,), (n,), ["unsigned char", "unsigned char", "int", c.of(20, 33)], N=n, r=c.restrict(), flip=c.of("now ^ 1", "1 - now", "(i + 1) & 1"))


def segmented_minimum(c):
    n = c.of(64, 128, 256)
    return Idiom('''
__global__ void $K(const float *${r}values, float *${r}best, int *${r}where, int width) {
  __shared__ float v[$N];
  __shared__ int at[$N];
  const int t = threadIdx.x;
  float mine = 1e38f;
  int index = -1;
  for (int i = t; i < width; i += $N) {
    const float x = values[blockIdx.x * width + i];
    if (x < mine) {
      mine = x;
      index = i;
    }
  }
  v[t] = mine;
  at[t] = index;
  __syncthreads();
  for (int s = $N / 2; s > $last; s >>= 1) {
    if (t < s && v[t + s] < v[t]) {
      v[t] = v[t + s];
      at[t] = at[t + s];
    }
    __syncthreads();
  }
  if (t == 0) {
    best[blockIdx.x] = v[0];
    where[blockIdx.x] = at[0];
  }
}''', (6,), (n,), ["float", "float", "int", c.of(500, 512, 1000)], N=n, last=c.of(0, 0, 1), r=c.restrict())


FAMILIES = [odd_even_merge_sort, warp_histograms, byte_histogram, blelloch_scan, rank_sort, warp_compaction, smith_waterman_row, segmented_minimum]
