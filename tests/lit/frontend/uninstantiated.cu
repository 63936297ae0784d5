// Kernel templates that nothing instantiates are analysed for plausible arguments, and everything there is assumed.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not='template used<' %s
// RUN: %lint --fail-on=never --launch 'scale<float,16>: block=(16,16) grid=(4) n=64' %s 2>&1 | FileCheck --check-prefix=WANTED %s
// RUN: not %lint --fail-on=never --launch 'scale<float, nothing>: block=(16)' %s 2>&1 | FileCheck --check-prefix=WRONG %s

// The edge of the tile that fits shared memory, not the first size that comes to mind.
// CHECK-DAG: :[[#@LINE+4]]:46: note: template scale<T, W> is not instantiated in this file; analysed as scale<float, 32> (assumed)
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}} {{ *}}tile[threadIdx.x][threadIdx.y] {{ *}}store 32 {{.*}}32-way {{ *}}assumed
namespace {
template <typename T, int W> __global__ void scale(T *a, int n);
template <typename T, int W> __global__ void scale(T *a, int n) {
  __shared__ T tile[W][W];
  tile[threadIdx.x][threadIdx.y] = a[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  a[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
} // namespace
// WANTED-NOT: is not instantiated in this file; analysed as scale
// WANTED: {{^}}scale<float, 16>  grid=(4) block=(16,16)
// WANTED: {{ *}}launch: option
// WRONG: uninstantiated.cu: error: 'scale<float, nothing>' cannot be instantiated: use of undeclared identifier 'nothing'

// What the template asks for is honoured; arguments that the source writes come first, and so does the launch in the host template.
// CHECK-DAG: note: template run<T> is not instantiated in this file; analysed as run<float> (assumed)
// CHECK-DAG: {{^}}rows<float, 192>  grid=({{[0-9]+}}) block=(192)
// CHECK-DAG: run<float>: nothing in this file instantiates the template
template <typename T, int N> __global__ void rows(T *p) {
  static_assert(N % 64 == 0, "of two warps");
  p[blockIdx.x * N + threadIdx.x] = 1;
}
template <typename T> void run(T *p, int n) { rows<T, 192><<<n / 192, 192>>>(p); }

// CHECK-DAG: analysed as integers<int, {{[0-9]+}}, {{[0-9]+}}> (assumed)
template <class T> struct is_whole { static constexpr bool value = false; };
template <> struct is_whole<int> { static constexpr bool value = true; };
template <typename T, int M, int N> __global__ void integers(T *p) {
  static_assert(is_whole<T>::value, "");
  p[threadIdx.x] = M * N;
}

// CHECK-DAG: analysed as modes<Mode::Fast, false> (assumed)
// CHECK-DAG: analysed as defaults<float, 8> (assumed)
enum class Mode { Fast, Slow };
template <Mode M, bool B, typename... Rest> __global__ void modes(int *p, Rest... rest) { p[threadIdx.x * (M == Mode::Fast ? 1 : 2)] = B; }
template <typename T, int N = 8> __global__ void defaults(T *p) { p[threadIdx.x * N] = 1; }

// Not for what is instantiated, by whatever.
template <typename T> __global__ void used(T *p) { p[threadIdx.x] = 1; }
template __global__ void used(double *);

// What is called gets something that can be.
// CHECK-DAG: analysed as map<float, smem_lint_callable> (assumed)
// CHECK-DAG: analysed as fold<int, smem_lint_callable> (assumed)
// CHECK-DAG: out[2 * threadIdx.x] {{ *}}store 32 {{.*}} assumed
template <typename T, typename Operation> __global__ void map(T *out, const T *in, Operation operation) {
  out[2 * threadIdx.x] = operation(in[threadIdx.x]);
}
template <typename Index, class F> __global__ void fold(int *out, Index n) { out[n] = F()(out[threadIdx.x], out[threadIdx.x + n]); }

// Nothing plausible is found for what is asked for members: said, and the file is not taken for complete.
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: warning: template apply<F> is not instantiated in this file and not analysed: no plausible arguments were found
template <typename F> __global__ void apply(int *p) { p[threadIdx.x] = F::of(threadIdx.x); }
