// The parameters of a pack have names of their own, so that one of them can be stated.
// RUN: %lint %s --checks=-* --launch 'invoke:grid=4 block=32 args[2]=2' | FileCheck %s
template <class F, class... Args> __global__ void invoke(Args... args) { F()(args...); }

struct Row {
  __device__ void operator()(float *out, const float *in, int stride, bool never) {
    __shared__ float s[64 * 32];
    s[threadIdx.x * stride] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
    if (never)
      out[threadIdx.x * 32] = 0;
  }
};

// CHECK: invoke<Row, {{.*}} grid=(4) block=(32) {{.*}} args[2]=2 args[3]=0
// CHECK: s[threadIdx.x * stride] {{.*}} 2-way exact
void go(float *o, const float *i, int stride) { invoke<Row><<<4, 32>>>(o, i, stride, false); }
