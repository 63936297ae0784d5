"""Stencils, images and transforms."""
from .idiom import Idiom


def hotspot(c):
    b = c.of(8, 16, 32)
    steps = c.number(1, 3)
    return Idiom('''
#define IN_RANGE_$K(x, min, max) ((x) >= (min) && (x) <= (max))
__global__ void $K(int iteration, const float *power, const float *temp_src, float *temp_dst, int grid_cols, int grid_rows, int border, float Cap, float Rx, float Rz) {
  __shared__ float temp_on_cuda[$B][$B];
  __shared__ float power_on_cuda[$B][$B];
  __shared__ float temp_t[$B][$B];
  const float step_div_Cap = 0.1f / Cap, Rx_1 = 1 / Rx, Rz_1 = 1 / Rz;
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int small_rows = $B - iteration * 2, small_cols = $B - iteration * 2;
  const int blkY = small_rows * by - border, blkX = small_cols * bx - border;
  const int blkYmax = blkY + $B - 1, blkXmax = blkX + $B - 1;
  const int yidx = blkY + ty, xidx = blkX + tx;
  const int index = grid_cols * yidx + xidx;
  if (IN_RANGE_$K(yidx, 0, grid_rows - 1) && IN_RANGE_$K(xidx, 0, grid_cols - 1)) {
    temp_on_cuda[ty][tx] = temp_src[index];
    power_on_cuda[ty][tx] = power[index];
  }
  __syncthreads();
  const int validYmin = (blkY < 0) ? -blkY : 0, validYmax = (blkYmax > grid_rows - 1) ? $B - 1 - (blkYmax - grid_rows + 1) : $B - 1;
  const int validXmin = (blkX < 0) ? -blkX : 0, validXmax = (blkXmax > grid_cols - 1) ? $B - 1 - (blkXmax - grid_cols + 1) : $B - 1;
  int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
  N = (N < validYmin) ? validYmin : N;
  S = (S > validYmax) ? validYmax : S;
  W = (W < validXmin) ? validXmin : W;
  E = (E > validXmax) ? validXmax : E;
  bool computed;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (IN_RANGE_$K(tx, i + 1, $B - i - 2) && IN_RANGE_$K(ty, i + 1, $B - i - 2) && IN_RANGE_$K(tx, validXmin, validXmax) && IN_RANGE_$K(ty, validYmin, validYmax)) {
      computed = true;
      temp_t[ty][tx] = temp_on_cuda[ty][tx] + step_div_Cap * (power_on_cuda[ty][tx] + (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0f * temp_on_cuda[ty][tx]) * 0.5f +
                       (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0f * temp_on_cuda[ty][tx]) * Rx_1 + (80.0f - temp_on_cuda[ty][tx]) * Rz_1);
    }
    __syncthreads();
    if (i == iteration - 1) break;
    if (computed) temp_on_cuda[ty][tx] = temp_t[ty][tx];
    __syncthreads();
  }
  if (computed) temp_dst[index] = temp_t[ty][tx];
}''', (3, 3), (b, b), [steps, "float", "float", "float", 3 * b - c.number(0, 9), 3 * b, steps, "2.0f", "3.0f", "4.0f"], B=b)


def path_finder(c):
    n = c.of(64, 128, 256)
    steps = c.number(1, 5)
    return Idiom('''
__global__ void $K(int iteration, const int *wall, const int *src, int *dst, int cols, int start, int border) {
  __shared__ int prev[$N];
  __shared__ int result[$N];
  const int bx = blockIdx.x, tx = threadIdx.x;
  const int small = $N - iteration * 2;
  const int blkX = small * bx - border, blkXmax = blkX + $N - 1, xidx = blkX + tx;
  const int lo = (blkX < 0) ? -blkX : 0, hi = (blkXmax > cols - 1) ? $N - 1 - (blkXmax - cols + 1) : $N - 1;
  int W = tx - 1, E = tx + 1;
  W = (W < lo) ? lo : W;
  E = (E > hi) ? hi : E;
  const bool valid = tx >= lo && tx <= hi;
  if (xidx >= 0 && xidx <= cols - 1) prev[tx] = src[xidx];
  __syncthreads();
  bool computed;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= $N - i - 2 && valid) {
      computed = true;
      const int left = prev[W], up = prev[tx], right = prev[E];
      const int shortest = min(min(left, up), right);
      result[tx] = shortest + wall[cols * (start + i) + xidx];
    }
    __syncthreads();
    if (i == iteration - 1) break;
    if (computed) prev[tx] = result[tx];
    __syncthreads();
  }
  if (computed) dst[xidx] = result[tx];
}''', (6,), (n,), [steps, "int", "int", "int", 5 * n, 0, steps], N=n)


def needleman_wunsch(c):
    b = c.of(16, 32)
    return Idiom('''
__device__ int ${K}_max(int a, int b, int c) {
  int k;
  if (a <= b) k = b;
  else k = a;
  if (k <= c) return c;
  return k;
}
__global__ void $K(const int *reference, int *matrix, int cols, int penalty, int i) {
  const int bx = blockIdx.x, tx = threadIdx.x;
  const int b_x = bx, b_y = i - 1 - bx;
  const int index = cols * $B * b_y + $B * b_x + tx + (cols + 1);
  const int index_n = cols * $B * b_y + $B * b_x + tx + 1;
  const int index_w = cols * $B * b_y + $B * b_x + cols;
  const int index_nw = cols * $B * b_y + $B * b_x;
  __shared__ int temp[$B + 1][$B + 1];
  __shared__ int ref[$B][$B];
  if (tx == 0) temp[tx][0] = matrix[index_nw];
${u}  for (int ty = 0; ty < $B; ty++) ref[ty][tx] = reference[index + cols * ty];
  __syncthreads();
  temp[tx + 1][0] = matrix[index_w + cols * tx];
  __syncthreads();
  temp[0][tx + 1] = matrix[index_n];
  __syncthreads();
  for (int m = 0; m < $B; m++) {
    if (tx <= m) {
      const int x = tx + 1, y = m - tx + 1;
      temp[y][x] = ${K}_max(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty, temp[y - 1][x] - penalty);
    }
    __syncthreads();
  }
  for (int m = $B - 2; m >= 0; m--) {
    if (tx <= m) {
      const int x = tx + $B - m, y = $B - tx;
      temp[y][x] = ${K}_max(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty, temp[y - 1][x] - penalty);
    }
    __syncthreads();
  }
${u}  for (int ty = 0; ty < $B; ty++) matrix[index + ty * cols] = temp[ty + 1][tx + 1];
}''', (3,), (b,), ["int", "int", 4 * b + 1, 10, 3], B=b, u=c.unroll())


def convolution_rows(c):
    bx, by, steps, halo, radius = c.of((16, 4, 8, 1, 8), (16, 4, 4, 1, 5), (32, 4, 2, 1, 16), (16, 8, 3, 1, 3))
    return Idiom('''
__constant__ float ${K}_taps[$R * 2 + 1];
__global__ void $K(float *${r}dst, const float *${r}src, int w, int h, int pitch) {
  __shared__ float s[$BY][($S + 2 * $H) * $BX];
  const int baseX = (blockIdx.x * $S - $H) * $BX + threadIdx.x, baseY = blockIdx.y * $BY + threadIdx.y;
  src += baseY * pitch + baseX;
  dst += baseY * pitch + baseX;
#pragma unroll
  for (int i = $H; i < $H + $S; i++) s[threadIdx.y][threadIdx.x + i * $BX] = src[i * $BX];
#pragma unroll
  for (int i = 0; i < $H; i++) s[threadIdx.y][threadIdx.x + i * $BX] = (baseX >= -i * $BX) ? src[i * $BX] : 0;
#pragma unroll
  for (int i = $H + $S; i < $H + $S + $H; i++) s[threadIdx.y][threadIdx.x + i * $BX] = (w - baseX > i * $BX) ? src[i * $BX] : 0;
  __syncthreads();
#pragma unroll
  for (int i = $H; i < $H + $S; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -$R; j <= $R; j++) sum += ${K}_taps[$R - j] * s[threadIdx.y][threadIdx.x + i * $BX + j];
    dst[i * $BX] = sum;
  }
}''', (2, 3), (bx, by), ["float", "float", 2 * steps * bx, 3 * by, 2 * steps * bx], BX=bx, BY=by, S=steps, H=halo, R=radius, r=c.restrict())


def walsh_transform(c):
    log = c.of(8, 9, 10, 7)
    return Idiom('''
extern __shared__ float ${K}_data[];
__global__ void $K(float *out, const float *in, int log2N) {
  const int N = 1 << log2N, base = blockIdx.x << log2N;
  const float *src = in + base;
  float *dst = out + base;
  for (int pos = threadIdx.x; pos < N; pos += blockDim.x) ${K}_data[pos] = src[pos];
  const int pos = threadIdx.x;
  for (int stride = N >> 2; stride > 0; stride >>= 2) {
    const int lo = pos & (stride - 1);
    const int i0 = ((pos - lo) << 2) + lo, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    __syncthreads();
    const float D0 = ${K}_data[i0], D1 = ${K}_data[i1], D2 = ${K}_data[i2], D3 = ${K}_data[i3];
    float T;
    T = D0;
    const float E0 = D0 + D2, E2 = T - D2;
    T = D1;
    const float E1 = D1 + D3, E3 = T - D3;
    ${K}_data[i0] = E0 + E1;
    ${K}_data[i1] = E0 - E1;
    ${K}_data[i2] = E2 + E3;
    ${K}_data[i3] = E2 - E3;
  }
  if (log2N & 1) {
    __syncthreads();
    for (int p = threadIdx.x; p < N / 2; p += blockDim.x) {
      const int i0 = p << 1, i1 = i0 + 1;
      const float a = ${K}_data[i0], b = ${K}_data[i1];
      ${K}_data[i0] = a + b;
      ${K}_data[i1] = a - b;
    }
  }
  __syncthreads();
  for (int p = threadIdx.x; p < N; p += blockDim.x) dst[p] = ${K}_data[p];
}''', (4,), ((1 << log) // 4,), ["float", "float", log], shared=4 << log)


def dct_rows(c):
    bx, by = c.of((8, 4), (4, 2), (2, 2))
    return Idiom('''
__device__ __forceinline__ void ${K}_butterfly(float *v, int step) {
  float a[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) a[i] = v[i * step];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float s = a[i] + a[7 - i], d = (a[i] - a[7 - i]) * 0.7071f;
    a[i] = s;
    a[7 - i] = d;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i * step] = a[i];
}
__global__ void $K(float *dst, const float *src, int stride) {
  __shared__ float block[$BY * 8 * $P];
  const int x = threadIdx.y * 8 + threadIdx.x, y = threadIdx.z * 8;
  float *mine = block + y * $P + x;
  src += (blockIdx.y * $BY * 8 + y) * stride + blockIdx.x * $BX * 8 + x;
  dst += (blockIdx.y * $BY * 8 + y) * stride + blockIdx.x * $BX * 8 + x;
#pragma unroll
  for (int i = 0; i < 8; i++) mine[i * $P] = src[i * stride];
  __syncthreads();
  ${K}_butterfly(block + (y + threadIdx.x) * $P + x - threadIdx.x, 1);
  __syncthreads();
  ${K}_butterfly(mine, $P);
#pragma unroll
  for (int i = 0; i < 8; i++) dst[i * stride] = mine[i * $P];
}''', (2, 2), (8, bx, by), ["float", "float", 16 * bx], BX=bx, BY=by, P=bx * 8 + c.of(0, 1))


def sobel(c):
    b = c.of((16, 16), (32, 8), (32, 4))
    return Idiom('''
__global__ void $K($O *out, const unsigned char *${r}in, int w, int h) {
  __shared__ $S tile[$BY + 2][$BX + 2$pad];
  const int x = blockIdx.x * $BX + threadIdx.x, y = blockIdx.y * $BY + threadIdx.y;
  for (int i = threadIdx.y; i < $BY + 2; i += $BY) {
    for (int j = threadIdx.x; j < $BX + 2; j += $BX) {
      const int gy = min(max((int)(blockIdx.y * $BY + i) - 1, 0), h - 1), gx = min(max((int)(blockIdx.x * $BX + j) - 1, 0), w - 1);
      tile[i][j] = in[gy * w + gx];
    }
  }
  __syncthreads();
  if (x >= w || y >= h) return;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int gx = tile[ty - 1][tx + 1] + 2 * tile[ty][tx + 1] + tile[ty + 1][tx + 1] - tile[ty - 1][tx - 1] - 2 * tile[ty][tx - 1] - tile[ty + 1][tx - 1];
  const int gy = tile[ty - 1][tx - 1] + 2 * tile[ty - 1][tx] + tile[ty - 1][tx + 1] - tile[ty + 1][tx - 1] - 2 * tile[ty + 1][tx] - tile[ty + 1][tx + 1];
  out[y * w + x] = ($O)(abs(gx) + abs(gy));
}''', (3, 3), b, ["T1", "unsigned char", 3 * b[0] - c.number(0, 3), 3 * b[1]], BX=b[0], BY=b[1], S=c.of("unsigned char", "int", "float", "short"),
                 O=(o := c.of("unsigned char", "float", "int")), T1=o, pad=c.of("", " + 1"), r=c.restrict())


def box_filter(c):
    radius = c.number(1, 6)
    return Idiom('''
__global__ void $K(const float *${r}id, float *${r}od, int w, int h) {
  const $I x = blockIdx.x * blockDim.x + threadIdx.x;
  const float scale = 1.0f / ($R * 2 + 1);
  const float *src = &id[x];
  float *dst = &od[x];
  float t = src[0] * $R;
  for (int y = 0; y < $R + 1; y++) t += src[y * w];
  dst[0] = t * scale;
  for (int y = 1; y < $R + 1; y++) {
    t += src[(y + $R) * w];
    t -= src[0];
    dst[y * w] = t * scale;
  }
  for (int y = $R + 1; y < h - $R; y++) {
    t += src[(y + $R) * w];
    t -= src[((y - $R) * w) - w];
    dst[y * w] = t * scale;
  }
  for (int y = h - $R; y < h; y++) {
    t += src[(h - 1) * w];
    t -= src[((y - $R) * w) - w];
    dst[y * w] = t * scale;
  }
}''', (2,), (c.of(64, 128),), ["float", "float", 256, c.of(32, 48, 61)], R=radius, r=c.restrict(), I=c.of("unsigned int", "int"))


def haar_wavelet(c):
    n = c.of(64, 128, 256)
    return Idiom('''
__global__ void $K(const float *id, float *od, float *approx, int dlevels, int slength, int bdim) {
  extern __shared__ float ${K}_shared[];
  const int gid = blockIdx.x * blockDim.x + threadIdx.x, tid = threadIdx.x;
  int idata = 2 * blockIdx.x * blockDim.x + tid;
  ${K}_shared[tid] = id[idata];
  ${K}_shared[tid + bdim] = id[idata + bdim];
  __syncthreads();
  float data0 = ${K}_shared[2 * tid], data1 = ${K}_shared[2 * tid + 1];
  __syncthreads();
  od[gid + slength] = (data0 - data1) * 0.70710678f;
  int atid = tid + (tid >> 5);
  ${K}_shared[atid] = (data0 + data1) * 0.70710678f;
  int levels = bdim >> 1, offset = 1, idata0 = tid * 2;
  for (int i = 1; i < dlevels; ++i) {
    __syncthreads();
    if (tid < levels) {
      int at0 = idata0 + (idata0 >> 5), at1 = idata0 + offset + ((idata0 + offset) >> 5);
      const float a = ${K}_shared[at0], b = ${K}_shared[at1];
      od[(slength >> i) + blockIdx.x * levels + tid] = (a - b) * 0.70710678f;
      ${K}_shared[at0] = (a + b) * 0.70710678f;
      levels >>= 1;
      offset <<= 1;
      idata0 <<= 1;
    }
  }
  __syncthreads();
  if (0 == tid) approx[blockIdx.x] = ${K}_shared[0];
}''', (3,), (n,), ["float", "float", "float", n.bit_length(), 3 * n, n], shared=8 * n + n)


def marching_planes(c):
    bx, by = c.of((16, 16), (32, 8), (32, 4))
    radius = c.number(1, 4)
    return Idiom('''
__global__ void $K(float *${r}output, const float *${r}input, int dimx, int dimy, int dimz) {
  __shared__ float tile[$BY + 2 * $R][$BX + 2 * $R];
  const int gx = blockIdx.x * $BX + threadIdx.x, gy = blockIdx.y * $BY + threadIdx.y;
  const int stride_y = dimx + 2 * $R, stride_z = stride_y * (dimy + 2 * $R);
  int at = $R * stride_y + $R + gy * stride_y + gx, out = 0;
  float infront[$R], behind[$R], current;
  const int tx = threadIdx.x + $R, ty = threadIdx.y + $R;
  for (int i = $R - 2; i >= 0; i--) {
    behind[i] = input[at];
    at += stride_z;
  }
  current = input[at];
  out = at;
  at += stride_z;
  for (int i = 0; i < $R; i++) {
    infront[i] = input[at];
    at += stride_z;
  }
${u}  for (int iz = 0; iz < dimz; iz++) {
    for (int i = $R - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current;
    current = infront[0];
#pragma unroll
    for (int i = 0; i < $R - 1; i++) infront[i] = infront[i + 1];
    infront[$R - 1] = input[at];
    at += stride_z;
    out += stride_z;
    __syncthreads();
    if (threadIdx.y < $R) {
      tile[threadIdx.y][tx] = input[out - $R * stride_y];
      tile[threadIdx.y + $BY + $R][tx] = input[out + $BY * stride_y];
    }
    if (threadIdx.x < $R) {
      tile[ty][threadIdx.x] = input[out - $R];
      tile[ty][threadIdx.x + $BX + $R] = input[out + $BX];
    }
    tile[ty][tx] = current;
    __syncthreads();
    float value = 0.5f * current;
#pragma unroll
    for (int i = 1; i <= $R; i++) value += 0.1f * (infront[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
    output[out] = value;
  }
}''', (2, 2), (bx, by), ["float", "float", 2 * bx, 2 * by, c.number(3, 9)], BX=bx, BY=by, R=radius, r=c.restrict(), u=c.unroll())


def fft_radix(c):
    n = c.of(64, 128, 256)
    return Idiom('''
__device__ inline float2 ${K}_mul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__global__ void $K(float2 *data, int batch) {
  __shared__ float2 s[$N];
  const int t = threadIdx.x;
  float2 *mine = data + blockIdx.x * $N;
  s[t] = mine[t];
  s[t + $N / 2] = mine[t + $N / 2];
  __syncthreads();
  for ($loop) {
    const int k = t $mod, j = $j;
    const float2 w = make_float2(__cosf(-3.14159f * k / half), __sinf(-3.14159f * k / half));
    const float2 a = s[j], b = ${K}_mul(s[j + half], w);
    $sync
    s[j] = make_float2(a.x + b.x, a.y + b.y);
    s[j + half] = make_float2(a.x - b.x, a.y - b.y);
    __syncthreads();
  }
  mine[t] = s[t];
  mine[t + $N / 2] = s[t + $N / 2];
}''', (4,), (n // 2,), ["float2", 4], N=n, loop=c.of(f"int half = 1; half < {n}; half *= 2", f"int half = {n // 2}; half > 0; half >>= 1", f"int half = 1; half <= {n // 2}; half <<= 1"), mod=c.of("& (half - 1)", "% half"),
                 j=c.of("(t - k) * 2 + k", "2 * t - k", "(t / half) * half * 2 + k"), sync=c.of("", "__syncthreads();"))


def game_of_life(c):
    b = c.of((16, 16), (32, 4), (32, 8))
    return Idiom('''
__global__ void $K(const $T *${r}now, $T *${r}next, int size) {
  const int ix = blockDim.x * blockIdx.x + threadIdx.x$one, iy = blockDim.y * blockIdx.y + threadIdx.y$one;
  const int id = iy * (size + 2) + ix;
  if (ix $cmp size && iy $cmp size) {
    const int neighbours = now[id + (size + 2)] + now[id - (size + 2)] + now[id + 1] + now[id - 1] + now[id + (size + 3)] + now[id - (size + 3)] + now[id - (size + 1)] + now[id + (size + 1)];
    const $T cell = now[id];
    $rule
  }
}''', (3, 3), b, ["T1", "T1", 3 * min(b)], T=(t := c.of("int", "unsigned char")), T1=t, r=c.restrict(), one=" + 1", cmp=c.of("<=", "<"),
                 rule=c.of("next[id] = neighbours == 3 || (cell && neighbours == 2);", '''if (cell == 1 && neighbours < 2) next[id] = 0;
    else if (cell == 1 && (neighbours == 2 || neighbours == 3)) next[id] = 1;
    else if (cell == 1 && neighbours > 3) next[id] = 0;
    else if (cell == 0 && neighbours == 3) next[id] = 1;
    else next[id] = cell;'''))


FAMILIES = [hotspot, path_finder, needleman_wunsch, convolution_rows, walsh_transform, dct_rows, sobel, box_filter, haar_wavelet, marching_planes, fft_radix, game_of_life]
