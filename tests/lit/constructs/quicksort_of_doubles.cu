// Programs of this kind once were malformed: values of 64 bits that one block defines and another one uses behind the loops in which lanes part and meet again.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not="internal error" --implicit-check-not=malformed
template <typename T> __device__ void swap_keys(T &a, T &b) {
  T t = a;
  a = b;
  b = t;
}
template <typename T> __device__ int partition(T *a, int lo, int hi) {
  T pivot = a[(lo + hi) / 2];
  int i = lo, j = hi;
  while (i <= j) {
    while (a[i] < pivot)
      ++i;
    while (pivot < a[j])
      --j;
    if (i <= j) {
      swap_keys(a[i], a[j]);
      ++i;
      --j;
    }
  }
  return i;
}
template <typename T> __global__ void quicksort(T *keys, int n) {
  __shared__ T s[128 * 8];
  int stack[16];
  T *mine = s + threadIdx.x * 8;
  for (int i = 0; i < 8; ++i)
    mine[i] = keys[(blockIdx.x * blockDim.x + threadIdx.x) * 8 + i];
  int top = 0;
  stack[top++] = 0;
  stack[top++] = n - 1;
  while (top > 0) {
    int hi = stack[--top], lo = stack[--top];
    if (lo >= hi)
      continue;
    int middle = partition(mine, lo, hi);
    if (middle - 1 > lo) {
      stack[top++] = lo;
      stack[top++] = middle - 1;
    }
    if (middle < hi) {
      stack[top++] = middle;
      stack[top++] = hi;
    }
  }
  for (int i = 0; i < 8; ++i)
    keys[(blockIdx.x * blockDim.x + threadIdx.x) * 8 + i] = mine[i];
}
int main() {
  double *keys;
  cudaMalloc(&keys, 128 * 8 * sizeof(double));
  quicksort<double><<<1, 128>>>(keys, 8);
}
// CHECK: quicksort<double>  grid=(1) block=(128)
// CHECK: {{^ *}}5:5  a {{ *}}store 64 {{.*}}unknown
// CHECK: {{^ *}}6:5  b {{ *}}store 64 {{.*}}unknown
// CHECK: {{^ *}}9:13 {{.*}}load 64 {{.*}}unknown
// CHECK: {{^ *}}12:12 {{.*}}load 64 {{.*}}unknown
// CHECK: {{^ *}}14:20 {{.*}}load 64 {{.*}}unknown
// CHECK: {{^ *}}29:13 {{.*}}store 128 {{ *}}16 {{ *}}256 {{ *}}64 {{ *}}4-way {{ *}}exact
// CHECK: {{^ *}}48:61 {{.*}}load 128 {{ *}}16 {{ *}}256 {{ *}}64 {{ *}}4-way {{ *}}exact
