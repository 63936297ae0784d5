// Launches in lambdas that are handed to a dispatch which cannot be followed: the lambda is run where it is made, so that the grid and
// the arguments follow from one length, and values that the code around checks are not contradicted.
// RUN: %lint %s | FileCheck %s
struct Tensor {
  int shape(int) const;
  int kind() const;
};
template <typename T> __global__ void copy_rows(float *out, const float *in, int rows, int columns) {
  __shared__ float tile[512];
  tile[threadIdx.x] = in[blockIdx.x * columns + threadIdx.x];
  __syncthreads();
  if (blockIdx.x < rows)
    out[blockIdx.x * columns + threadIdx.x] = tile[threadIdx.x];
}
template <typename F> void dispatch(int kind, F &&call);
extern int registered(int);
template <typename F> bool dispatch_one(int kind, F &call) {
  if (kind != registered(kind) * 2 + 1 || kind % 2 == 0)
    return false;
  call(1.0f);
  return true;
}
template <typename F> bool dispatch_integer(int kind, F &call) {
  if (kind != registered(kind) * 2 + 1 || kind % 2 == 0)
    return false;
  call(1);
  return true;
}
void run(Tensor &x, float *out, const float *in) {
  auto invoke = [&](auto t) {
    using T = decltype(t);
    const int rows = x.shape(0), columns = x.shape(1);
    const int blocks = rows;
    // CHECK-DAG: launch of copy_rows<float> is not known entirely; assumed x.shape(0) = 1024 (the result of 'shape' (line [[#@LINE-2]])): grid=(1024,1,1) follows
    // CHECK-DAG: {{^}}copy_rows<float>  grid=(1024) block=(512) {{.*}} rows=1024
    auto launch = [&](auto) { copy_rows<T><<<blocks, 512>>>(out, in, rows, columns); };
    launch(1);
  };
  if (!dispatch_one(x.kind() * 2, invoke))
    return;
}

template <typename T> __global__ void scale_heads(float *out, int heads, int groups) {
  if (threadIdx.x < groups)
    out[blockIdx.x * heads + threadIdx.x] *= 2;
}
// CHECK-DAG: launch of scale_heads<float> is not known entirely; assumed heads = 512 (parameter of run_heads): grid=(64,1,1) follows from the host code
// CHECK-DAG: {{^}}scale_heads<float>  grid=(64) block=(128) heads=512 groups=64
void run_heads(Tensor &x, float *out, int heads) {
  if (heads % 8 != 0 || heads > 512)
    return;
  const int groups = (heads + 7) / 8;
  auto invoke = [&](auto t) { scale_heads<decltype(t)><<<groups, 128>>>(out, heads, groups); };
  if (!dispatch_one(x.kind() * 2, invoke))
    return;
}

// What it captures by reference changes before it is handed on: nothing is concluded from where it is made.
// CHECK-DAG: launch of scale_heads<int> is not known entirely; assumed {{.*}}; no values were found with which host code gets here
void run_later(Tensor &x, float *out) {
  int groups = x.shape(1);
  auto invoke = [&](auto t) { scale_heads<decltype(t)><<<groups, 128>>>(out, 1, 1); };
  groups /= 4;
  if (!dispatch_integer(x.kind() * 2, invoke))
    return;
}

// CHECK-DAG: launch of scale_heads<double> is not known entirely; assumed {{.*}}; no values were found with which host code gets here
void halve(int &value);
template <typename F> bool dispatch_double(int kind, F &call) {
  if (kind != registered(kind) * 2 + 1 || kind % 2 == 0)
    return false;
  call(1.0);
  return true;
}
void run_halved(Tensor &x, float *out) {
  int groups = x.shape(1);
  auto invoke = [&](auto t) { scale_heads<decltype(t)><<<groups, 128>>>(out, 1, 1); };
  halve(groups);
  if (!dispatch_double(x.kind() * 2, invoke))
    return;
}
