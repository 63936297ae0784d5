"""Values by conditions, tables of constants, and mathematics of doubles."""
from .idiom import Idiom

OF_FLOATS = ("x > 0 ? x : by * (__expf(x) - 1)", "x > 0 ? x : by * x", "x > 20 ? x : __logf(1 + __expf(x))", "x > by ? x : fabsf(x)", "x < -1 ? -1 : x > by ? by : x", "fminf(fmaxf(x, 0.0f), by)",
             "x > by ? x : truncf(x)", "x / (1 + __expf(-x))", "x > by ? x : (float)(int)x", "x > by ? rsqrtf(x) : x", "x > by ? x : tanhf(x)", "x > 3 * by ? x : fmaf(x, by, 2.0f)", "x > by ? x : by / x",
             "x < by ? (x < 0 ? __cosf(x) : x) : by", "isnan(x) ? by : x", "x > by ? x : copysignf(x, by)")
OF_NUMBERS = ("x > by ? x : x / 7", "x > by ? x : x / 8", "x > by ? x % 5 : x", "x > by ? x : __popc(x) + __clz(x)", "x > by ? x : min(x * 3, by)", "x > by ? x : __mulhi(x, 77)", "x > by ? by : x < 0 ? 0 : x",
              "x > by ? x : (x ^ by) * 5 + (x >> 3)", "x > by ? x : x * x + by * x + 3 * by + (x ^ 7)", "x > by ? x : (int)((float)x * 0.5f)", "x > by ? __ffs(x) : abs(x)", "(x & 1) ? x : __brev(x)")


def chosen_values(c):
    kind = c.of("float", "int")
    return Idiom('''
__device__ __forceinline__ $T ${K}_of($T x, $T by) { return $how; }
__global__ void $K(const $T *${r}in, $T *${r}out, $T by) {
  __shared__ $T values[512];
  const int t = threadIdx.x, first = blockIdx.x * 512;
${u}  for (int i = 0; i < 4; ++i) values[$at] = ${K}_of(in[first + $from], by);
  __syncthreads();
${v}  for (int i = 0; i < 4; ++i) out[first + $to] = $last;
}''', (3,), (128,), [kind, kind, "3"], T=kind, how=c.of(*(OF_FLOATS if kind == "float" else OF_NUMBERS)), r=c.restrict(), u=c.unroll(), v=c.unroll(), at=c.of("4 * t + i", "i * 128 + t"),
                 **{"from": c.of("4 * t + i", "i * 128 + t")}, to=c.of("4 * t + i", "i * 128 + t"), last=c.of("values[511 - 4 * t - i]", "${K}_of(values[4 * (t ^ 1) + i], by)", "values[i * 128 + (t ^ 1)]"))


def in_registers(c):
    kind = c.of("float", "int")
    return Idiom('''
__global__ void $K(const ${T}4 *${r}in, $T *${r}out, $T by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const ${T}4 v = in[i];
  const $T four[4] = {v.x, v.y, v.z, v.w};
${u}  for (int k = 0; k < 4; ++k) {
    const $T x = four[k];
    out[$to] = $how;
  }
}''', (5,), (c.of(64, 96),), [kind + "4", kind, "3"], T=kind, how=c.of(*(OF_FLOATS if kind == "float" else OF_NUMBERS)), r=c.restrict(), u=c.of("", "#pragma unroll\n"), to=c.of("4 * i + k", "k * 512 + i"))


def constant_tables(c):
    values = ", ".join(str(7 * i % 31) for i in range(16))
    where, inside = c.of(("__device__ const", ""), ("static const __device__", ""), ("__constant__ const", ""), ("__device__", ""), ("", "static const"), ("", "static constexpr"), ("", "const"), ("", "constexpr"))
    kind = c.of("float", "int", "double")
    table = f"$T ${{K}}_table[16] = {{{values}}};"
    return Idiom((f"\n{where} {table}" if where else "") + '''
__global__ void $K(const int *${r}in, $T *${r}out, int n) {
''' + (f"  {inside} {table}\n" if inside else "") + '''  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  $T sum = 0;
${u}  for (int k = 0; k < $rounds; ++k) sum += ($T)in[k * 512 + i] * ${K}_table[$at];
  out[i] = sum;
}''', (4,), (c.of(64, 128),), ["int", kind, c.of(200, 256)], T=kind, rounds=c.of(1, 4, 16), r=c.restrict(), u=c.unroll(), at=c.of("(i + k) & 15", "k", "threadIdx.x / 32 + (k & 7)", "15 - (k & 15)"))


def waves_of_doubles(c):
    return Idiom('''
__global__ void $K(const double *${r}in, double *${r}out, int n, double step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
${u}  for (int k = 0; k < $rounds; ++k) {
    const double angle = x * (k + 1);
    out[k * 512 + i] = $how;
  }
}''', (3,), (c.of(64, 128),), ["double", "double", c.of(150, 192), "2"], rounds=c.of(1, 3), r=c.restrict(), u=c.unroll(),
                 how=c.of("sin(angle)", "cos(angle) * step", "sin(angle) + cos(angle)", "exp(-angle)", "sqrt(angle) + step", "angle > step ? sin(angle) : angle", "sinpi(angle)", "log1p(angle)", "tanh(angle) * step",
                          "pow(angle, step)", "angle > step ? angle : fabs(angle)"))


FAMILIES = (chosen_values, in_registers, constant_tables, waves_of_doubles)
