// Texture and surface references, which CUDA 12 removed; a source may have other uses for their names.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
// RUN: %lint --fail-on=never %s -- -DBASE_ALONE 2>&1 | FileCheck --check-prefix=BASE %s
// RUN: %lint %s -- -DOWN_NAMES 2>&1 | FileCheck --check-prefix=OWN --implicit-check-not='earlier CUDA' %s
#if defined(BASE_ALONE)
// BASE: :[[#@LINE+1]]:7: note: 'textureReference' is of an earlier CUDA: analysed with a stand-in for it
const textureReference *any;
// BASE: 1 kernel
__global__ void own_names(float *out) { out[threadIdx.x] = 1; }
#elif defined(OWN_NAMES)
template <class T> struct texture { T at; };
struct surface { int at; };

// OWN-LABEL: {{^}}own_names
// OWN: out[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact
__global__ void own_names(float *out, texture<float> t, surface s) { out[threadIdx.x] = t.at + s.at; }
#else
// CHECK: :[[#@LINE+1]]:1: note: 'texture' is of an earlier CUDA: analysed with a stand-in for it
texture<float, 1, cudaReadModeElementType> elements;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> pixels;
texture<int2> pairs;
surface<void, cudaSurfaceType2D> image;
const textureReference *by_name;

// CHECK-LABEL: {{^}}transpose
// CHECK: tile[threadIdx.x][threadIdx.y] {{ *}}load 32 {{ *}}32 {{ *}}1,024 {{.*}} exact
// CHECK: global memory
// CHECK-NEXT: out[{{.*}} exact
// CHECK-NOT: unknown
// CHECK-NOT: races: not known
// CHECK: 1 finding
__global__ void transpose(float *out, int n) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = tex1Dfetch(elements, threadIdx.y * n + threadIdx.x) + tex2D(pixels, 0.5f, 0.5f).x;
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y] + tex1Dfetch(pairs, n).y;
  surf2Dwrite(1.0f, image, threadIdx.x * 4, threadIdx.y);
}
#endif

int main() {
  float *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
#if defined(BASE_ALONE)
  own_names<<<1, 32>>>(out);
#elif defined(OWN_NAMES)
  own_names<<<1, 32>>>(out, {1}, {2});
#else
  cudaArray *array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 32, 32);
  elements.filterMode = cudaFilterModePoint;
  elements.addressMode[0] = cudaAddressModeClamp;
  cudaBindTexture(0, elements, in, 4096);
  cudaBindTexture(nullptr, pairs, in, format, 4096);
  cudaBindTextureToArray(pixels, array);
  cudaBindSurfaceToArray(image, array);
  cudaGetTextureReference(&by_name, "elements");
  transpose<<<1, dim3(32, 32)>>>(out, 32);
  cudaUnbindTexture(elements);
#endif
}
