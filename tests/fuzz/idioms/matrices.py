"""Dense and sparse linear algebra."""
from .idiom import Idiom


def blocked_floyd_warshall(c):
    b = c.of(8, 16, 32)
    return Idiom('''
__global__ void $K(int *${r}d, int n, int k) {
  __shared__ int pivot[$B][$B$pad], row[$B][$B];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.y * $B + y, j = blockIdx.x * $B + x;
  pivot[y][x] = d[(k * $B + y) * n + k * $B + x];
  row[y][x] = d[i * n + k * $B + x];
  __syncthreads();
  int best = d[i * n + j];
${u}  for (int t = 0; t < $B; ++t) {
    const int way = row[y][t] + pivot[t][x];
    $update
  }
  d[i * n + j] = best;
}''', (4, 4), (b, b), ["int", 4 * b, c.number(0, 3)], B=b, pad=c.of("", " + 1"), r=c.restrict(), u=c.unroll(), update=c.of("best = min(best, way);", "if (way < best) best = way;"))


def lu_diagonal(c):
    b = c.of(8, 16, 32)
    return Idiom('''
__global__ void $K($T *m, int dim, int offset) {
  __shared__ $T tile[$B][$B$pad];
  int at = offset * dim + offset;
  for (int i = 0; i < $B; ++i) {
    tile[i][threadIdx.x] = m[at + threadIdx.x];
    at += dim;
  }
  __syncthreads();
  for (int i = 0; i < $B - 1; ++i) {
    if (threadIdx.x > i) {
      for (int j = 0; j < i; ++j) tile[threadIdx.x][i] -= tile[threadIdx.x][j] * tile[j][i];
      tile[threadIdx.x][i] /= tile[i][i];
    }
    __syncthreads();
    if (threadIdx.x > i) {
      for (int j = 0; j < i + 1; ++j) tile[i + 1][threadIdx.x] -= tile[i + 1][j] * tile[j][threadIdx.x];
    }
    __syncthreads();
  }
  at = (offset + 1) * dim + offset;
  for (int i = 1; i < $B; ++i) {
    m[at + threadIdx.x] = tile[i][threadIdx.x];
    at += dim;
  }
}''', (1,), (b,), ["float", 256, 16], B=b, T="float", pad=c.of("", " + 1"))


def lu_internal(c):
    b = c.of(8, 16)
    return Idiom('''
__global__ void $K(float *${r}m, int dim, int offset) {
  __shared__ float above[$B][$B];
  __shared__ float left[$B][$B$pad];
  const int row = offset + (blockIdx.y + 1) * $B, column = offset + (blockIdx.x + 1) * $B;
  above[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * dim + column + threadIdx.x];
  left[threadIdx.y][threadIdx.x] = m[(row + threadIdx.y) * dim + offset + threadIdx.x];
  __syncthreads();
  float sum = 0;
${u}  for (int i = 0; i < $B; i++) sum += left[threadIdx.y][i] * above[i][threadIdx.x];
  m[(row + threadIdx.y) * dim + column + threadIdx.x] -= sum;
}''', (3, 3), (b, b), ["float", 256, b], B=b, pad=c.of("", " + 1"), r=c.restrict(), u=c.unroll())


def cholesky_columns(c):
    n = c.of(16, 24, 32)
    return Idiom('''
__global__ void $K(float *a, int batch) {
  __shared__ float l[$N * ($N$pad)];
  const int t = threadIdx.x, ld = $N$pad;
  float *mine = a + blockIdx.x * $N * $N;
  for (int i = t; i < $N * $N; i += blockDim.x) l[i / $N * ld + i % $N] = mine[i];
  __syncthreads();
  for (int k = 0; k < $N; ++k) {
    if (t == 0) l[k * ld + k] = sqrtf(l[k * ld + k]);
    __syncthreads();
    if (t > k && t < $N) l[t * ld + k] /= l[k * ld + k];
    __syncthreads();
    for (int j = k + 1; j < $N; ++j) {
      if (t >= j && t < $N) l[t * ld + j] -= l[t * ld + k] * l[j * ld + k];
    }
    __syncthreads();
  }
  for (int i = t; i < $N * $N; i += blockDim.x) mine[i] = l[i / $N * ld + i % $N];
}''', (5,), (c.of(32, 64, 128),), ["float", 5], N=n, pad=c.of("", " + 1"))


def cyclic_reduction(c):
    n = c.of(64, 128, 256)
    return Idiom('''
__global__ void $K(const $T *${r}a, const $T *${r}b, $T *x) {
  __shared__ $T sa[$N], sb[$N];
  const int t = threadIdx.x;
  sa[t] = a[blockIdx.x * $N + t];
  sb[t] = b[blockIdx.x * $N + t];
  __syncthreads();
  int stride = 1;
  for (int i = 0; i < $steps; ++i) {
    const int left = $left, right = $right;
    const $T na = sa[left] * sb[right] + sa[t];
    const $T nb = sb[left] - sb[t] * sa[right];
    __syncthreads();
    sa[t] = na;
    sb[t] = nb;
    stride $grow;
    __syncthreads();
  }
  x[blockIdx.x * $N + t] = sa[t] / sb[t];
}''', (7,), (n,), ["T1", "T1", "T1"], N=n, T=(t := c.of("float", "double")), T1=t, steps=n.bit_length() - 1, r=c.restrict(),
                 left=c.of("max(t - stride, 0)", "t - stride < 0 ? 0 : t - stride"), right=c.of(f"min(t + stride, {n - 1})", f"t + stride >= {n} ? {n - 1} : t + stride"), grow=c.of("*= 2", "<<= 1"))


def matrix_vector_by_warp(c):
    warps = c.of(2, 4, 8)
    vector = c.chance()
    body = '''
    const float4 w = reinterpret_cast<const float4 *>(a + row * cols)[i], v = reinterpret_cast<const float4 *>(x)[i];
    sum += w.x * v.x + w.y * v.y + w.z * v.z + w.w * v.w;''' if vector else '''
    sum += a[row * cols + i] * x[i];'''
    return Idiom('''
__global__ void $K(const float *${r}a, const float *${r}x, float *${r}y, int rows, int cols) {
  const int lane = threadIdx.x $mod, row = blockIdx.x * $W + threadIdx.x $div;
  if (row >= rows) return;
  float sum = 0.f;
${u}  for (int i = lane; i < cols$quarter; i += 32) {$body
  }
${v}  for (int o = 16; o > 0; o $half) sum += __shfl_$how(0xffffffff, sum, o);
  if (lane == 0) y[row] = $alpha;
}''', (16,), (32 * warps,), ["float", "float", "float", c.of(16 * warps, 16 * warps - 3), c.of(128, 256, 1024)], W=warps, body=body, quarter=" / 4" if vector else "", r=c.restrict(), u=c.unroll(),
                 v=c.unroll(), mod=c.of("& 31", "% 32"), div=c.of(">> 5", "/ 32"), half=c.of(">>= 1", "/= 2"), how=c.of("down_sync", "xor_sync"), alpha=c.of("sum", "2.f * sum + y[row]"))


def gemm_registers(c):
    bm, bn, tm, tn, bk = c.of((64, 64, 4, 4, 8), (64, 64, 8, 4, 16), (128, 64, 8, 4, 8), (32, 64, 4, 4, 16), (64, 64, 8, 8, 8))
    threads = bm // tm * (bn // tn)
    return Idiom('''
__global__ void $K(int M, int N, int K, float alpha, const float *${r}A, const float *${r}B, float beta, float *${r}C) {
  __shared__ float As[$BM * $BK];
  __shared__ float Bs[$BK * $BN];
  const $I cRow = blockIdx.y, cCol = blockIdx.x;
  const int threadCol = threadIdx.x % ($BN / $TN), threadRow = threadIdx.x / ($BN / $TN);
  A += cRow * $BM * K;
  B += cCol * $BN;
  C += cRow * $BM * N + cCol * $BN;
  const $I innerRowA = threadIdx.x / $BK, innerColA = threadIdx.x % $BK;
  const $I strideA = $threads / $BK;
  const $I innerRowB = threadIdx.x / $BN, innerColB = threadIdx.x % $BN;
  const $I strideB = $threads / $BN;
  float threadResults[$TM * $TN] = {0.0};
  float regM[$TM] = {0.0};
  float regN[$TN] = {0.0};
  for ($I bkIdx = 0; bkIdx < K; bkIdx += $BK) {
    for ($I loadOffset = 0; loadOffset < $BM; loadOffset += strideA) {
      As[(innerRowA + loadOffset) * $BK + innerColA] = A[(innerRowA + loadOffset) * K + innerColA];
    }
    for ($I loadOffset = 0; loadOffset < $BK; loadOffset += strideB) {
      Bs[(innerRowB + loadOffset) * $BN + innerColB] = B[(innerRowB + loadOffset) * N + innerColB];
    }
    __syncthreads();
    A += $BK;
    B += $BK * N;
${u}    for ($I dotIdx = 0; dotIdx < $BK; ++dotIdx) {
      for ($I i = 0; i < $TM; ++i) regM[i] = As[(threadRow * $TM + i) * $BK + dotIdx];
      for ($I i = 0; i < $TN; ++i) regN[i] = Bs[dotIdx * $BN + threadCol * $TN + i];
      for ($I resIdxM = 0; resIdxM < $TM; ++resIdxM) {
        for ($I resIdxN = 0; resIdxN < $TN; ++resIdxN) threadResults[resIdxM * $TN + resIdxN] += regM[resIdxM] * regN[resIdxN];
      }
    }
    __syncthreads();
  }
  for ($I resIdxM = 0; resIdxM < $TM; ++resIdxM) {
    for ($I resIdxN = 0; resIdxN < $TN; ++resIdxN) {
      C[(threadRow * $TM + resIdxM) * N + threadCol * $TN + resIdxN] = $store;
    }
  }
}''', (2, 2), (threads,), [2 * bm, 2 * bn, 8 * bk, "1.0f", "float", "float", "0.5f", "float"], BM=bm, BN=bn, TM=tm, TN=tn, BK=bk, threads=threads, r=c.restrict(), u=c.of("", "#pragma unroll\n"),
                 I=c.of("int", "unsigned", "size_t"), store=c.of("alpha * threadResults[resIdxM * %d + resIdxN]" % tn, "alpha * threadResults[resIdxM * %d + resIdxN] + beta * C[(threadRow * %d + resIdxM) * N + threadCol * %d + resIdxN]" % (tn, tm, tn)))


def sparse_ell(c):
    return Idiom('''
__global__ void $K(int rows, int width, const int *${r}columns, const $T *${r}values, const $T *${r}x, $T *${r}y) {
  const int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    $T dot = 0;
${u}    for (int n = 0; n < width; n++) {
      const int col = columns[$at];
      const $T val = values[$at];
      $guard dot += val * x[col];
    }
    y[row] += dot;
  }
}''', (8,), (c.of(64, 128, 256),), [c.of(1000, 1024, 500), c.number(3, 9), "int", "T1", "T1", "T1"], T=(t := c.of("float", "double")), T1=t, r=c.restrict(), u=c.unroll(), at=c.of("rows * n + row", "row * width + n"),
                 guard=c.of("", "if (val != 0)", "if (col >= 0)"))


def sparse_csr_vector(c):
    return Idiom('''
__global__ void $K(int rows, const int *${r}start, const int *${r}columns, const float *${r}values, const float *${r}x, float *${r}y) {
  __shared__ volatile float part[$threads];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32, lane = thread & 31;
  if (warp < rows) {
    float sum = 0;
    for (int j = start[warp] + lane; j < start[warp + 1]; j += 32) sum += values[j] * x[columns[j]];
    part[threadIdx.x] = sum;
    if (lane < 16) part[threadIdx.x] += part[threadIdx.x + 16];
    if (lane < 8) part[threadIdx.x] += part[threadIdx.x + 8];
    if (lane < 4) part[threadIdx.x] += part[threadIdx.x + 4];
    if (lane < 2) part[threadIdx.x] += part[threadIdx.x + 2];
    if (lane < 1) part[threadIdx.x] += part[threadIdx.x + 1];
    if (lane == 0) y[warp] $op part[threadIdx.x];
  }
}''', (6,), ((n := c.of(64, 128, 256)),), [c.of(20, 48), "int", "int", "float", "float", "float"], threads=n, r=c.restrict(), op=c.of("=", "+="))


def gaussian_elimination(c):
    b = c.of((16, 16), (32, 8), (4, 4))
    return Idiom('''
__global__ void $K(float *m, float *a, float *b, int size, int t) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size - 1 - t) return;
  if (y >= size - t) return;
  a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
  if (y == 0) b[x + 1 + t] -= m[size * (x + 1 + t) + (y + t)] * b[t];
}''', (3, 3), b, ["float", "float", "float", c.of(40, 64), c.number(0, 9)])


def transpose_rows(c):
    tile, rows = c.of((32, 8), (16, 16), (32, 4), (16, 4))
    return Idiom('''
template <typename T, int TILE, int ROWS>
__global__ void $K(T *${r}out, const T *${r}in, int width, int height) {
  __shared__ T tile[TILE][TILE$pad];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
${u}  for (int i = 0; i < TILE; i += ROWS) {
    $g1 tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
${u}  for (int i = 0; i < TILE; i += ROWS) {
    $g2 out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
  }
}
''', (4, 3), (tile, rows), ["T1", "T1", 4 * tile, 3 * tile], T=(t := c.of("float", "double", "int", "unsigned char", "float2")), T1=t, TILE=tile, ROWS=rows,
                 template=f"<{t}, {tile}, {rows}>", pad=c.of("", " + 1"), r=c.restrict(), u=c.unroll(), **dict(zip(("g1", "g2"), c.of(("", ""), ("if (x < width && y + i < height)", "if (x < height && y + i < width)")))))


FAMILIES = [blocked_floyd_warshall, lu_diagonal, lu_internal, cholesky_columns, cyclic_reduction, matrix_vector_by_warp, gemm_registers, sparse_ell, sparse_csr_vector, gaussian_elimination, transpose_rows]
