"""Particles, fields and finance."""
from .idiom import Idiom


def bodies_tile(c):
    n = c.of(32, 64, 128, 256)
    return Idiom('''
__device__ float3 ${K}_pair(float3 ai, float4 bi, float4 bj) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  const float d = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f;
  const float inv = rsqrtf(d), s = bj.w * inv * inv * inv;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}
__global__ void $K(float4 *${r}next, const float4 *${r}now, float4 *${r}speed, int count, float dt) {
  __shared__ float4 bodies[$N];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  $guard
  const float4 mine = now[i];
  float3 acc = {0.0f, 0.0f, 0.0f};
  for (int tile = 0; tile < count / $N; tile++) {
    bodies[threadIdx.x] = now[tile * blockDim.x + threadIdx.x];
    __syncthreads();
${u}    for (int j = 0; j < $bound; j++) acc = ${K}_pair(acc, mine, bodies[j]);
    __syncthreads();
  }
  float4 v = speed[i];
  v.x += acc.x * dt;
  v.y += acc.y * dt;
  v.z += acc.z * dt;
  float4 p = mine;
  p.x += v.x * dt;
  p.y += v.y * dt;
  p.z += v.z * dt;
  next[i] = p;
  speed[i] = v;
}''', (4,), (n,), ["float4", "float4", "float4", 4 * n, "0.01f"], N=n, r=c.restrict(), u=c.unroll(), bound=c.of(n, "blockDim.x"), guard=c.of("", "if (i >= count) return;"))


def particles_structure(c):
    return Idiom('''
struct ${K}_Particle {
  float3 position;
  $lock
  float3 velocity;
  $T mass;
};
__global__ void $K(${K}_Particle *p, float *energy, int n, float dt) {
  __shared__ float sums[$N];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e = 0.f;
  if (i < n) {
    $copy
    q.position.x += q.velocity.x * dt;
    q.position.y += q.velocity.y * dt;
    q.position.z += q.velocity.z * dt;
    e = 0.5f * q.mass * (q.velocity.x * q.velocity.x + q.velocity.y * q.velocity.y + q.velocity.z * q.velocity.z);
    $back
  }
  sums[threadIdx.x] = e;
  __syncthreads();
  for (int s = $N / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) energy[blockIdx.x] = sums[0];
}''', (4,), (t := c.of(64, 128),), ["${K}_Particle", "float", c.of(4 * t, 4 * t - 5), "0.1f"], N=t, T=c.of("float", "float", "double", "int"), lock=c.of("", "int id;"),
                 **dict(zip(("copy", "back"), c.of(("${K}_Particle q = p[i];", "p[i] = q;"), ("${K}_Particle &q = p[i];", ""), ("${K}_Particle q = p[i];", "p[i].position = q.position;")))))


def lattice_boltzmann(c):
    nx = c.of(64, 128)
    return Idiom('''
__constant__ int ${K}_cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int ${K}_cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__global__ void $K(const $T *${r}f, $T *${r}g, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  $T in[9], rho = 0;
${u}  for (int q = 0; q < 9; ++q) {
    const int sx = (x - ${K}_cx[q] + nx) % nx, sy = (y - ${K}_cy[q] + ny) % ny;
    in[q] = f[q * plane + sy * nx + sx];
    rho += in[q];
  }
${u}  for (int q = 0; q < 9; ++q) g[q * plane + y * nx + x] = in[q] - ($T)0.6 * (in[q] - rho * ($T)0.1111);
}''', (nx // 32, 4), (32,), ["T1", "T1", nx, 4], T=(t := c.of("float", "double")), T1=t, r=c.restrict(), u=c.unroll())


def black_scholes(c):
    return Idiom('''
__device__ inline float ${K}_normal(float d) {
  const float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float cnd = 0.39894228f * __expf(-0.5f * d * d) * (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}
__global__ void $K($V *${r}call, $V *${r}put, const $V *${r}price, const $V *${r}strike, float rate, float vol, int n) {
  const int tid = blockDim.x * blockIdx.x + threadIdx.x, step = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += step) {
    const $V s = price[i], x = strike[i];
    $V a, b;
    $body
    call[i] = a;
    put[i] = b;
  }
}''', (3,), (128,), ["T1", "T1", "T1", "T1", "0.02f", "0.3f", c.of(1000, 384, 1152)], r=c.restrict(),
                 **c.of(dict(V="float", T1="float", body="const float d = (__logf(s / x) + rate) / vol;\n    a = s * ${K}_normal(d);\n    b = x * ${K}_normal(-d);"),
                              dict(V="float2", T1="float2", body="const float d = (__logf(s.x / x.x) + rate) / vol, e = (__logf(s.y / x.y) + rate) / vol;\n    a.x = s.x * ${K}_normal(d);\n    a.y = s.y * ${K}_normal(e);\n    b.x = x.x * ${K}_normal(-d);\n    b.y = x.y * ${K}_normal(-e);")))


def binomial_tree(c):
    n = c.of(64, 128)
    per = c.of(1, 2, 4)
    return Idiom('''
__global__ void $K(const float *price, float *result, float up, float down) {
  __shared__ float edge[$N + 1];
  const int tid = threadIdx.x;
  float call[$P + 1];
#pragma unroll
  for (int i = 0; i < $P; ++i) call[i] = fmaxf(price[blockIdx.x] * (tid * $P + i) - 100.f, 0.f);
  if (tid == 0) edge[$N] = price[blockIdx.x] * 0.5f;
  int final_it = max(0, tid * $P - 1);
  for (int i = $steps; i > 0; --i) {
    edge[tid] = call[0];
    __syncthreads();
    call[$P] = edge[tid + 1];
    __syncthreads();
    if (i > final_it) {
#pragma unroll
      for (int j = 0; j < $P; ++j) call[j] = up * call[j + 1] + down * call[j];
    }
  }
  if (tid == 0) result[blockIdx.x] = call[0];
}''', (5,), (n,), ["float", "float", "0.4f", "0.6f"], N=n, P=per, steps=c.of(16, 32, 40))


def anisotropic_diffusion(c):
    b = 16
    return Idiom('''
__global__ void $K(float *E_C, float *W_C, float *N_C, float *S_C, float *J, float *C, int cols, int rows, float q0sqr) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int index = cols * $B * by + $B * bx + cols * ty + tx;
  const int index_n = cols * $B * by + $B * bx + tx - cols, index_s = cols * $B * by + $B * bx + cols * $B + tx;
  const int index_w = cols * $B * by + $B * bx + cols * ty - 1, index_e = cols * $B * by + $B * bx + cols * ty + $B;
  float n, w, e, s;
  __shared__ float temp[$B][$B], north[$B][$B], south[$B][$B], east[$B][$B], west[$B][$B];
  north[ty][tx] = J[max(index_n, 0)];
  south[ty][tx] = J[index_s];
  if (by == 0) north[ty][tx] = J[$B * bx + tx];
  else if (by == gridDim.y - 1) south[ty][tx] = J[cols * $B * (gridDim.y - 1) + $B * bx + cols * ($B - 1) + tx];
  __syncthreads();
  west[ty][tx] = J[max(index_w, 0)];
  east[ty][tx] = J[index_e];
  if (bx == 0) west[ty][tx] = J[cols * $B * by + cols * ty];
  else if (bx == gridDim.x - 1) east[ty][tx] = J[cols * $B * by + $B * (gridDim.x - 1) + cols * ty + $B - 1];
  __syncthreads();
  temp[ty][tx] = J[index];
  __syncthreads();
  const float jc = temp[ty][tx];
  if (ty == 0 && tx == 0) {
    n = north[ty][tx] - jc;
    s = temp[ty + 1][tx] - jc;
    w = west[ty][tx] - jc;
    e = temp[ty][tx + 1] - jc;
  } else if (ty == 0 && tx == $B - 1) {
    n = north[ty][tx] - jc;
    s = temp[ty + 1][tx] - jc;
    w = temp[ty][tx - 1] - jc;
    e = east[ty][tx] - jc;
  } else if (ty == $B - 1) {
    n = temp[ty - 1][tx] - jc;
    s = south[ty][tx] - jc;
    w = west[ty][tx] - jc;
    e = east[ty][tx] - jc;
  } else if (ty == 0) {
    n = north[ty][tx] - jc;
    s = temp[ty + 1][tx] - jc;
    w = temp[ty][tx - 1] - jc;
    e = temp[ty][tx + 1] - jc;
  } else {
    n = temp[ty - 1][tx] - jc;
    s = temp[ty + 1][tx] - jc;
    w = tx == 0 ? west[ty][tx] - jc : temp[ty][tx - 1] - jc;
    e = tx == $B - 1 ? east[ty][tx] - jc : temp[ty][tx + 1] - jc;
  }
  const float g2 = (n * n + s * s + w * w + e * e) / (jc * jc), l = (n + s + w + e) / jc;
  const float num = (0.5f * g2) - ((1.0f / 16.0f) * (l * l)), den = 1 + (.25f * l);
  const float q = num / (den * den);
  float value = 1.0f / (1.0f + (q - q0sqr) / (q0sqr * (1 + q0sqr)));
  if (value < 0) temp[ty][tx] = 0;
  else if (value > 1) temp[ty][tx] = 1;
  else temp[ty][tx] = value;
  __syncthreads();
  C[index] = temp[ty][tx];
  E_C[index] = e;
  W_C[index] = w;
  S_C[index] = s;
  N_C[index] = n;
}''', (3, 3), (b, b), ["float"] * 6 + [48, 48, "0.05f"], B=b)


def back_propagation(c):
    h = c.of(16, 8)
    return Idiom('''
__global__ void $K(const float *${r}input, float *${r}weights, float *${r}partial, int in, int hid) {
  const int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int index = (hid + 1) * $H * by + (hid + 1) * ty + tx + 1 + (hid + 1), index_in = $H * by + ty + 1;
  __shared__ float node[$H];
  __shared__ float matrix[$H][$H];
  if (tx == 0) node[ty] = input[index_in];
  __syncthreads();
  matrix[ty][tx] = weights[index];
  __syncthreads();
  matrix[ty][tx] = matrix[ty][tx] * node[ty];
  __syncthreads();
  for (int i = 1; i <= $log; i++) {
    const int power_two = $power;
    if (ty % power_two == 0) matrix[ty][tx] = matrix[ty][tx] + matrix[ty + power_two / 2][tx];
    __syncthreads();
  }
  weights[index] = matrix[ty][tx];
  __syncthreads();
  if (tx == 0) partial[by * hid + ty] = matrix[tx][ty];
}''', (1, 4), (h, h), ["float", "float", "float", 64, h], H=h, log=h.bit_length() - 1, power="1 << i", r=c.restrict())


def nearest_centre(c):
    k, d = c.of((4, 8), (5, 3), (8, 4), (16, 2))
    return Idiom('''
__global__ void $K(const float *${r}features, const float *${r}centres, int *${r}membership, int points) {
  __shared__ float s[$C * $D];
  for (int i = threadIdx.x; i < $C * $D; i += blockDim.x) s[i] = centres[i];
  __syncthreads();
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point < points) {
    int index = -1;
    float least = 3.4e38f;
${u}    for (int i = 0; i < $C; i++) {
      float dist = 0.0f;
${v}      for (int l = 0; l < $D; l++) {
        const float diff = features[$at] - s[i * $D + l];
        dist += diff * diff;
      }
      if (dist < least) {
        least = dist;
        index = i;
      }
    }
    membership[point] = index;
  }
}''', (4,), (c.of(64, 128),), ["float", "float", "int", c.of(500, 256)], C=k, D=d, r=c.restrict(), u=c.unroll(), v=c.unroll(), at=c.of("l * points + point", f"point * {d} + l"))


def matrix_class(c):
    b = c.of(8, 16)
    return Idiom('''
struct ${K}_Matrix {
  int width, height, stride;
  float *elements;
};
__device__ float ${K}_get(const ${K}_Matrix A, int row, int col) { return A.elements[row * A.stride + col]; }
__device__ void ${K}_set(${K}_Matrix A, int row, int col, float v) { A.elements[row * A.stride + col] = v; }
__device__ ${K}_Matrix ${K}_sub(${K}_Matrix A, int row, int col) {
  ${K}_Matrix s;
  s.width = $B;
  s.height = $B;
  s.stride = A.stride;
  s.elements = &A.elements[A.stride * $B * row + $B * col];
  return s;
}
__global__ void $K(float *a, float *b, float *c, int n) {
  const ${K}_Matrix A{n, n, n, a}, B{n, n, n, b}, C{n, n, n, c};
  ${K}_Matrix Cs = ${K}_sub(C, blockIdx.y, blockIdx.x);
  float value = 0;
  const int row = threadIdx.y, col = threadIdx.x;
  for (int m = 0; m < (A.width / $B); ++m) {
    ${K}_Matrix As = ${K}_sub(A, blockIdx.y, m), Bs = ${K}_sub(B, m, blockIdx.x);
    __shared__ float sa[$B][$B], sb[$B][$B];
    sa[row][col] = ${K}_get(As, row, col);
    sb[row][col] = ${K}_get(Bs, row, col);
    __syncthreads();
${u}    for (int e = 0; e < $B; ++e) value += sa[row][e] * sb[$pick];
    __syncthreads();
  }
  ${K}_set(Cs, row, col, value);
}''', (3, 3), (b, b), ["float", "float", "float", 3 * b], B=b, u=c.unroll(), pick=c.of("e][col", "col][e"))


def averaged_neighbours_1d(c):
    n, radius = c.of(64, 128, 256), c.number(1, 7)
    return Idiom('''
__global__ void $K(const $T *${r}in, $T *${r}out, int n) {
  __shared__ $T temp[$N + 2 * $R];
  const int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + $R;
  temp[l] = $first;
  if (threadIdx.x < $R) {
    temp[l - $R] = $before;
    temp[l + $N] = $after;
  }
  __syncthreads();
  $T result = 0;
${u}  for (int o = -$R; o <= $R; o++) result += temp[l + o];
  $store
}''', (5,), (n,), ["T1", "T1", 5 * n], N=n, R=radius, T=(t := c.of("int", "float", "double", "unsigned char")), T1=t, r=c.restrict(), u=c.unroll(), first=c.of("in[g]", "g < n ? in[g] : 0"),
                 before=c.of(f"in[g < {radius} ? 0 : g - {radius}]", f"g >= {radius} ? in[g - {radius}] : 0", f"in[max(g - {radius}, 0)]"), after=c.of(f"in[min(g + {n}, n - 1)]", f"g + {n} < n ? in[g + {n}] : 0"),
                 store=c.of("out[g] = result;", "if (g < n) out[g] = result;"))


FAMILIES = [bodies_tile, particles_structure, lattice_boltzmann, black_scholes, binomial_tree, anisotropic_diffusion, back_propagation, nearest_centre, matrix_class, averaged_neighbours_1d]
