// Structures in shared and global memory: copied, read field by field, and both.
struct Padded { char tag; short id; float weight; double sum; };
struct Floats { float a, b, c; };
struct alignas(16) Aligned { float x, y, z, w; };
struct Two { float a, b; };
struct Node { int key; int left; const float *payload; unsigned short flags; };
__device__ float &last(Padded &s) { return s.weight; }
__device__ float &last(Floats &s) { return s.c; }
__device__ float &last(Aligned &s) { return s.w; }
__device__ float &last(Two &s) { return s.b; }

template <typename T> __global__ void reversed(T *data) {
  __shared__ T s[64];
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = s[63 - threadIdx.x];
}
template <typename T> __global__ void copied_then_read(T *data, float *out) {
  __shared__ T s[64];
  const int x = threadIdx.x;
  s[x] = data[x];
  __syncthreads();
  data[63 - x] = s[x];
  out[x] = last(s[x]);
}
template <typename T> __global__ void variable(T *data, float *out) {
  __shared__ T s[64];
  const int x = threadIdx.x;
  s[x] = data[x];
  __syncthreads();
  T t = s[x ^ 1];
  last(t) += 1.0f;
  data[x] = t;
  out[x] = last(t);
}
template <typename T> __global__ void field_only(T *data, float *out) {
  __shared__ T s[64];
  const int x = threadIdx.x;
  s[x] = data[x];
  __syncthreads();
  out[x] = last(s[x]) + last(s[63 - x]);
}
template <typename T> __global__ void own(T *data, float *out) {
  __shared__ T s[64];
  const int x = threadIdx.x;
  s[x] = data[x];
  out[x] = last(s[x]);
  __syncthreads();
  data[x] = s[63 - x];
}
template <typename T> __global__ void emptied(T *data, float *out) {
  __shared__ T s[64];
  const int x = threadIdx.x;
  s[x] = T{};
  __syncthreads();
  if (x < 32) s[x] = data[x];
  __syncthreads();
  out[x] = last(s[63 - x]);
}
template <typename T> __global__ void parameter(T first, T *data, float *out) {
  __shared__ T s[64];
  s[threadIdx.x] = first;
  __syncthreads();
  data[threadIdx.x] = s[63 - threadIdx.x];
  out[threadIdx.x] = last(first);
}
__global__ void nodes(Node *tree, Node *copy, int *out) {
  __shared__ Node level[64];
  const int x = threadIdx.x;
  Node n = tree[x];
  n.left = x;
  level[x] = n;
  __syncthreads();
  copy[x] = level[x ^ 3];
  out[x] = level[(x * 5) & 63].key;
}
template <typename T> void all(T *data, float *out) {
  reversed<T><<<2, 64>>>(data);
  copied_then_read<T><<<2, 64>>>(data, out);
  variable<T><<<2, 64>>>(data, out);
  field_only<T><<<2, 64>>>(data, out);
  own<T><<<2, 64>>>(data, out);
  emptied<T><<<2, 64>>>(data, out);
  parameter<T><<<2, 64>>>(T{}, data, out);
}
int main() {
  char *data;
  float *out;
  cudaMalloc(&data, 1 << 16); cudaMalloc(&out, 1 << 12);
  cudaMemset(data, 0, 1 << 16);
  all((Padded *)data, out); all((Floats *)data, out); all((Aligned *)data, out); all((Two *)data, out);
  nodes<<<2, 64>>>((Node *)data, (Node *)data + 64, (int *)out);
  return cudaDeviceSynchronize();
}
