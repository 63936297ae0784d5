// Thirty-two instantiations behind five flags: what their launches take their sizes from is found once, and is the same for all.
// RUN: %lint --fail-on=never %s | FileCheck %s --implicit-check-not='parameter of'
template <class T, bool A, bool B, bool C, bool D, bool E> __global__ void reverse(T *out, const T *in, int length) {
  extern __shared__ __align__(16) char raw[];
  T *row = reinterpret_cast<T *>(raw);
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    row[i] = in[blockIdx.x * length + i] + A + B + C + D + E;
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    out[blockIdx.x * length + i] = row[length - 1 - i];
}

template <class T, bool A, bool B, bool C, bool D, bool E>
void with_all(T *out, const T *in, int length, dim3 grid, dim3 block, size_t bytes) {
  reverse<T, A, B, C, D, E><<<grid, block, bytes>>>(out, in, length);
}
template <class T, bool A, bool B, bool C, bool D>
void with_four(T *out, const T *in, int length, dim3 grid, dim3 block, size_t bytes, bool e) {
  e ? with_all<T, A, B, C, D, true>(out, in, length, grid, block, bytes)
    : with_all<T, A, B, C, D, false>(out, in, length, grid, block, bytes);
}
template <class T, bool A, bool B, bool C>
void with_three(T *out, const T *in, int length, dim3 grid, dim3 block, size_t bytes, bool d, bool e) {
  if (d)
    with_four<T, A, B, C, true>(out, in, length, grid, block, bytes, e);
  else
    with_four<T, A, B, C, false>(out, in, length, grid, block, bytes, e);
}
template <class T, bool A, bool B>
void with_two(T *out, const T *in, int length, dim3 grid, dim3 block, size_t bytes, bool c, bool d, bool e) {
  if (c)
    with_three<T, A, B, true>(out, in, length, grid, block, bytes, d, e);
  else
    with_three<T, A, B, false>(out, in, length, grid, block, bytes, d, e);
}
template <class T, bool A>
void with_one(T *out, const T *in, int length, dim3 grid, dim3 block, size_t bytes, bool b, bool c, bool d, bool e) {
  if (b)
    with_two<T, A, true>(out, in, length, grid, block, bytes, c, d, e);
  else
    with_two<T, A, false>(out, in, length, grid, block, bytes, c, d, e);
}
void dispatch(float *out, const float *in, int rows, int length, bool a, bool b, bool c, bool d, bool e) {
  const dim3 grid(rows), block(length < 1024 ? (length + 31) / 32 * 32 : 1024);
  if (a)
    with_one<float, true>(out, in, length, grid, block, length * sizeof(float), b, c, d, e);
  else
    with_one<float, false>(out, in, length, grid, block, length * sizeof(float), b, c, d, e);
}
// CHECK-COUNT-32: assumed: rows = {{[0-9]+}}, length = {{[0-9]+}} (parameters of dispatch): grid={{.*}} follow from the host code
// CHECK: 32 kernels, 32 launches
