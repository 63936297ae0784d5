"""Operators of neural networks."""
from .idiom import Idiom

# As several libraries have it: partial results of warps in a static shared array.
BLOCK_SUM = '''
template <typename T>
__inline__ __device__ T ${K}_warpSum(T val) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) val += __shfl_xor_sync(0xffffffff, val, mask, 32);
  return val;
}
template <typename T>
__inline__ __device__ T ${K}_blockSum(T val) {
  static __shared__ T shared[$slots];
  const int lane = threadIdx.x & 0x1f, wid = threadIdx.x >> 5;
  val = ${K}_warpSum<T>(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = $read;
  val = ${K}_warpSum<T>(val);
  return val;
}
'''


def block_sum(c):
    return dict(slots=c.of(32, 33), read=c.of("(threadIdx.x < (blockDim.x / 32.f)) ? shared[lane] : (T)0.0f", "threadIdx.x < (blockDim.x >> 5) ? shared[lane] : (T)0", "lane < (blockDim.x + 31) / 32 ? shared[lane] : T(0)"))


def layer_norm(c):
    def load(text):
        return f"__ldg(&{text})" if hinted else text
    hinted = c.chance()
    return Idiom(BLOCK_SUM + '''
__global__ void $K(const float *${r}input, const float *${r}gamma, const float *${r}beta, float *${r}out, int m, int n) {
  __shared__ float s_mean, s_variance;
  const int tid = threadIdx.x;
  float mean = 0.0f, variance = 0.0f, local = 0.0f;
${u}  for (int i = tid; i < n; i += blockDim.x) local += $x;
  mean = ${K}_blockSum<float>(local);
  if (threadIdx.x == 0) s_mean = mean / n;
  __syncthreads();
  float var = 0.0f;
  for (int i = tid; i < n; i += blockDim.x) {
    const float diff = $x - s_mean;
    var += diff * diff;
  }
  variance = ${K}_blockSum<float>(var);
  if (threadIdx.x == 0) s_variance = rsqrtf(variance / n + 1e-6f);
  __syncthreads();
  for (int i = tid; i < n; i += blockDim.x) {
    const float b = beta == nullptr ? 0.0f : $beta;
    out[blockIdx.x * n + i] = ($x - s_mean) * s_variance * $gamma + b;
  }
}''', (6,), (c.of(64, 128, 256),), ["float", "float", "float", "float", 6, c.of(512, 768, 1000)], r=c.restrict(), u=c.unroll(), x=load("input[blockIdx.x * n + i]"), beta=load("beta[i]"), gamma=load("gamma[i]"), **block_sum(c))


def softmax_rows(c):
    ipt = c.of(1, 2, 4, 8)
    return Idiom(BLOCK_SUM + '''
template <int ITEMS>
__global__ void $K($T *${r}qk, const $T *${r}mask, int len, float scale) {
  float data[ITEMS];
  __shared__ float s_max;
  const int offset = (blockIdx.y * gridDim.x + blockIdx.x) * len;
  float local_max = -1e20f;
  for (int i = 0; blockDim.x * i + threadIdx.x < len; i++) {
    const int at = offset + blockDim.x * i + threadIdx.x;
    float value = (float)qk[at], m = (float)mask[$mask];
    m = (1.0f - m) * -10000.0f;
    data[i] = value * scale + m;
    local_max = fmaxf(data[i], local_max);
  }
  if (threadIdx.x == 0) s_max = local_max;
  __syncthreads();
  float local_sum = 0;
  for (int i = 0; blockDim.x * i + threadIdx.x < len; i++) {
    data[i] = __expf(data[i] - s_max);
    local_sum += data[i];
  }
  const float sum = ${K}_blockSum<float>(local_sum);
  for (int i = 0; blockDim.x * i + threadIdx.x < len; i++) qk[offset + blockDim.x * i + threadIdx.x] = ($T)(data[i] / (sum + 1e-6f));
}''', (4, 2), (t := c.of(32, 64, 128),), ["T1", "T1", t * ipt, "0.1f"], template=f"<{ipt}>", T=(e := c.of("float", "half")), T1=e, r=c.restrict(), mask=c.of("blockDim.x * i + threadIdx.x", "(blockIdx.x * len) + blockDim.x * i + threadIdx.x"), **block_sum(c))


def adam_chunks(c):
    ilp = c.of(2, 4)
    return Idiom('''
#define ${K}_ILP $ILP
__global__ void $K(const float *g, float *p, float *m, float *v, int n, float beta1, float beta2, float lr) {
  for (int i_start = blockIdx.x * blockDim.x * ${K}_ILP; i_start < n; i_start += blockDim.x * gridDim.x * ${K}_ILP) {
    float r_g[${K}_ILP], r_p[${K}_ILP], r_m[${K}_ILP], r_v[${K}_ILP];
#pragma unroll
    for (int ii = 0; ii < ${K}_ILP; ii++) {
      const int i = i_start + threadIdx.x + ii * blockDim.x;
      if (i < n) {
        r_g[ii] = g[i];
        r_p[ii] = p[i];
        r_m[ii] = m[i];
        r_v[ii] = v[i];
      } else {
        r_g[ii] = r_p[ii] = r_m[ii] = r_v[ii] = 0.f;
      }
    }
#pragma unroll
    for (int ii = 0; ii < ${K}_ILP; ii++) {
      r_m[ii] = beta1 * r_m[ii] + (1 - beta1) * r_g[ii];
      r_v[ii] = beta2 * r_v[ii] + (1 - beta2) * r_g[ii] * r_g[ii];
      r_p[ii] = r_p[ii] - lr * r_m[ii] / (sqrtf(r_v[ii]) + 1e-8f);
    }
#pragma unroll
    for (int ii = 0; ii < ${K}_ILP; ii++) {
      const int i = i_start + threadIdx.x + ii * blockDim.x;
      if (i < n) {
        p[i] = r_p[ii];
        m[i] = r_m[ii];
        v[i] = r_v[ii];
      }
    }
  }
}''', (4,), (c.of(64, 128, 256),), ["float", "float", "float", "float", c.of(1 << 13, 5000), "0.9f", "0.99f", "0.01f"], ILP=ilp)


def vectorised_elementwise(c):
    e, vec = c.of(("float", 4), ("float", 2), ("half", 4), ("half", 8), ("int", 4), ("double", 2), ("unsigned char", 4))
    return Idiom('''
template <typename T, int N>
struct alignas(sizeof(T) * N) ${K}_Vector {
  T val[N];
};
struct ${K}_Op {
  $T scale;
  __device__ $T operator()($T a, $T b) const { return a * scale + b; }
};
template <int N>
__global__ void $K(int n, const $T *${r}a, const $T *${r}b, $T *${r}c) {
  using V = ${K}_Vector<$T, N>;
  const ${K}_Op op{($T)3};
  const int tid = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  for (int i = tid; i < n / N; i += stride) {
    V va = reinterpret_cast<const V *>(a)[i], vb = reinterpret_cast<const V *>(b)[i], vc;
#pragma unroll
    for (int j = 0; j < N; ++j) vc.val[j] = op(va.val[j], vb.val[j]);
    reinterpret_cast<V *>(c)[i] = vc;
  }
  $tail
}''', (3,), (c.of(64, 128, 100),), [c.of(4096, 4099), "T1", "T1", "T1"], template=f"<{vec}>", T=e, T1=e, r=c.restrict(),
                 tail=c.of("", "for (int i = n / N * N + tid; i < n; i += stride) c[i] = op(a[i], b[i]);", "if (tid < n % N) c[n - 1 - tid] = op(a[n - 1 - tid], b[n - 1 - tid]);"))


def rotary_embedding(c):
    return Idiom('''
__global__ void $K($T *${r}q, const float *${r}cosine, const float *${r}sine, int heads, int dim) {
  const int token = blockIdx.x, half_dim = dim / 2;
  for (int i = threadIdx.x; i < heads * half_dim; i += blockDim.x) {
    const int head = i / half_dim, d = i % half_dim;
    $T *base = q + (token * heads + head) * dim;
    const float co = cosine[token * half_dim + d], si = sine[token * half_dim + d];
    const float x = (float)base[$a], y = (float)base[$b];
    base[$a] = ($T)(x * co - y * si);
    base[$b] = ($T)(x * si + y * co);
  }
}''', (5,), (c.of(64, 128),), ["T1", "float", "float", c.of(2, 4), c.of(64, 128)], T=(e := c.of("float", "half")), T1=e, r=c.restrict(), **dict(zip(("a", "b"), c.of(("d", "d + half_dim"), ("2 * d", "2 * d + 1")))))


def dequantise(c):
    return Idiom('''
__global__ void $K(const unsigned *${r}packed, const float *${r}scale, $T *${r}out, int groups) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  const unsigned w = packed[g];
  const float s = scale[g $shift];
${u}  for (int i = 0; i < 8; ++i) {
    const int nibble = (w >> (4 * i)) & 0xF;
    out[$at] = ($T)((nibble - 8) * s);
  }
}''', (4,), (c.of(64, 128),), ["unsigned", "float", "T1", c.of(256, 500)], T=(e := c.of("float", "half")), T1=e, r=c.restrict(), u=c.unroll(), shift=c.of(">> 2", "/ 4", "/ 16"), at=c.of("g * 8 + i", "i * groups + g", "8 * g + 7 - i"))


def image_to_columns(c):
    return Idiom('''
__global__ void $K(int n, const float *${r}im, int height, int width, int ksize, int pad, int stride, int height_col, int width_col, float *${r}col) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  for (; index < n; index += blockDim.x * gridDim.x) {
    const int w_out = index % width_col, h_index = index / width_col, h_out = h_index % height_col;
    const int channel_in = h_index / height_col, channel_out = channel_in * ksize * ksize;
    const int h_in = h_out * stride - pad, w_in = w_out * stride - pad;
    float *data_col = col + (channel_out * height_col + h_out) * width_col + w_out;
    const float *data_im = im + (channel_in * height + h_in) * width + w_in;
    for (int i = 0; i < ksize; ++i) {
      for (int j = 0; j < ksize; ++j) {
        const int h = h_in + i, w = w_in + j;
        *data_col = (h >= 0 && w >= 0 && h < height && w < width) ? data_im[i * width + j] : 0;
        data_col += height_col * width_col;
      }
    }
  }
}''', (4,), (c.of(64, 128),), [3 * 14 * 14, "float", 14, 14, c.of(1, 3, 5), c.of(0, 1), 1, 14, 14, "float"], r=c.restrict())


def max_pool(c):
    return Idiom('''
__global__ void $K(const float *${r}in, float *${r}out, int *${r}mask, int channels, int height, int width, int ph, int pw, int kernel, int stride, int pad) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < channels * ph * pw) {
    const int x = index % pw, y = (index / pw) % ph, ch = index / pw / ph;
    int hstart = y * stride - pad, wstart = x * stride - pad;
    const int hend = min(hstart + kernel, height), wend = min(wstart + kernel, width);
    hstart = max(hstart, 0);
    wstart = max(wstart, 0);
    float best = -1e38f;
    int at = -1;
    const float *slice = in + ch * height * width;
    for (int h = hstart; h < hend; ++h) {
      for (int w = wstart; w < wend; ++w) {
        if (slice[h * width + w] > best) {
          at = h * width + w;
          best = slice[at];
        }
      }
    }
    out[index] = best;
    $mask
  }
}''', (4,), (64,), ["float", "float", "int", 4, 16, 16, 8, 8, c.of(2, 3), 2, c.of(0, 1)], r=c.restrict(), mask=c.of("mask[index] = at;", "if (mask) mask[index] = at;", ""))


def group_norm_channels_last(c):
    return Idiom('''
__global__ void $K(const float *${r}x, float *${r}y, const float *${r}gamma, int hw, int channels, int groups) {
  __shared__ float sums[$threads], squares[$threads];
  const int per_group = channels / groups, n = blockIdx.x / groups, g = blockIdx.x % groups;
  float sum = 0.f, square = 0.f;
  for (int i = threadIdx.x; i < hw * per_group; i += blockDim.x) {
    const int spatial = i / per_group, ch = i % per_group + g * per_group;
    const float v = x[(n * hw + spatial) * channels + ch];
    sum += v;
    square += v * v;
  }
  sums[threadIdx.x] = sum;
  squares[threadIdx.x] = square;
  __syncthreads();
${u}  for (int s = $threads / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) {
      sums[threadIdx.x] += sums[threadIdx.x + s];
      squares[threadIdx.x] += squares[threadIdx.x + s];
    }
    __syncthreads();
  }
  const float mean = sums[0] / (hw * per_group), inv = rsqrtf(squares[0] / (hw * per_group) - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < hw * per_group; i += blockDim.x) {
    const int spatial = i / per_group, ch = i % per_group + g * per_group;
    const int at = (n * hw + spatial) * channels + ch;
    y[at] = (x[at] - mean) * inv * gamma[ch];
  }
}''', (8,), (t := c.of(64, 128, 256),), ["float", "float", "float", c.of(49, 64), c.of(32, 64), 4], threads=t, r=c.restrict(), u=c.unroll())


def flash_tile(c):
    br, d = c.of((32, 32), (16, 32), (32, 16), (64, 16))
    return Idiom('''
__global__ void $K(const float *${r}Q, const float *${r}Kp, const float *${r}V, int N, float scale, float *${r}l, float *${r}m, float *${r}O) {
  const int tx = threadIdx.x, bx = blockIdx.x;
  const int qkv = bx * N * $D, lm = bx * N;
  extern __shared__ float ${K}_sram[];
  float *Qi = ${K}_sram, *Kj = &${K}_sram[$B * $D], *Vj = &${K}_sram[$B * $D * 2], *S = &${K}_sram[$B * $D * 3];
  for (int j = 0; j < N / $B; j++) {
    for (int x = 0; x < $D; x++) {
      Kj[(tx * $D) + x] = Kp[qkv + ($B * $D * j) + (tx * $D) + x];
      Vj[(tx * $D) + x] = V[qkv + ($B * $D * j) + (tx * $D) + x];
    }
    __syncthreads();
    for (int i = 0; i < N / $B; i++) {
      for (int x = 0; x < $D; x++) Qi[(tx * $D) + x] = Q[qkv + ($B * $D * i) + (tx * $D) + x];
      const float row_m_prev = m[lm + ($B * i) + tx], row_l_prev = l[lm + ($B * i) + tx];
      float row_m = -1e30f;
      for (int y = 0; y < $B; y++) {
        float sum = 0;
        for (int x = 0; x < $D; x++) sum += Qi[(tx * $D) + x] * Kj[(y * $D) + x];
        sum *= scale;
        S[($B * tx) + y] = sum;
        if (sum > row_m) row_m = sum;
      }
      float row_l = 0;
      for (int y = 0; y < $B; y++) {
        S[($B * tx) + y] = __expf(S[($B * tx) + y] - row_m);
        row_l += S[($B * tx) + y];
      }
      const float row_m_new = max(row_m_prev, row_m);
      const float row_l_new = (__expf(row_m_prev - row_m_new) * row_l_prev) + (__expf(row_m - row_m_new) * row_l);
      for (int x = 0; x < $D; x++) {
        float pv = 0;
        for (int y = 0; y < $B; y++) pv += S[($B * tx) + y] * Vj[(y * $D) + x];
        O[qkv + ($B * $D * i) + (tx * $D) + x] = (1 / row_l_new) * ((row_l_prev * __expf(row_m_prev - row_m_new) * O[qkv + ($B * $D * i) + (tx * $D) + x]) + (__expf(row_m - row_m_new) * pv));
      }
      m[lm + ($B * i) + tx] = row_m_new;
      l[lm + ($B * i) + tx] = row_l_new;
    }
    __syncthreads();
  }
}''', (3,), (br,), ["float", "float", "float", 2 * br, "0.1f", "float", "float", "float"], shared=4 * (3 * br * d + br * br), B=br, D=d, r=c.restrict())


FAMILIES = [layer_norm, softmax_rows, adam_chunks, vectorised_elementwise, rotary_embedding, dequantise, image_to_columns, max_pool, group_norm_channels_last, flash_tile]
