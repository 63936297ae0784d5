// Structures with padding between their fields, stored as a whole: each field by itself, neighbours together. Which stores there are, and how wide, is machine code's; of other types nvcc does otherwise,
// so that they are assumed.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

struct State {
  unsigned a, v[3];
  double e;
  float f; // four bytes of padding behind it
  double g;
};

// smem-lint: launch block=(64) grid=(1)
__global__ void made(State *out, const int *in, double x) {
  const unsigned i = threadIdx.x;
  out[i] = State{i, {1, 2, (unsigned)in[i]}, x, 3.f, 4.};
  // CHECK-LABEL: {{^}}made
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} out[i] {{ *}}store 64 {{ *}}8 {{.*}}assumed ([[MADE:[0-9]+]])
  // CHECK: [[#@LINE-3]]:{{[0-9]+}} out[i] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  // CHECK: ([[MADE]]) assumed: {{.*}}[assumed-structure-fields]
}

// What has no value is not stored.
// smem-lint: launch block=(64) grid=(1)
__global__ void in_part(State *out, const int *in) {
  State state;
  state.a = in[threadIdx.x];
  state.v[1] = 3;
  state.f = threadIdx.x;
  out[threadIdx.x] = state;
  // CHECK-LABEL: {{^}}in_part
  // CHECK: [[#@LINE-2]]:{{.*}}store 32 {{ *}}6 {{.*}}assumed
}

// A constant goes into what is stored of the end as well: two words of 64 bits for a double and an int.
struct Tail {
  double d;
  int i;
};

// smem-lint: launch block=(64) grid=(1)
__global__ void padded_at_the_end(Tail *out, const int *in) {
  out[threadIdx.x] = Tail{1.0, in[threadIdx.x]};
  // CHECK-LABEL: {{^}}padded_at_the_end
  // CHECK: [[#@LINE-2]]:{{.*}}out[threadIdx.x] {{.*}}assumed
}

// As it was in some fields, which are stored all the same: they were loaded in another block.
// smem-lint: launch block=(64) grid=(1)
__global__ void changed_in_branch(State *states, const int *in) {
  State state = states[threadIdx.x];
  if (state.a & 1)
    state.a ^= state.v[0] + in[threadIdx.x];
  states[threadIdx.x] = state;
  // CHECK-LABEL: {{^}}changed_in_branch
  // CHECK: [[#@LINE-2]]:{{.*}}store 64 {{ *}}8 {{.*}}assumed
  // CHECK: [[#@LINE-3]]:{{.*}}store 32 {{ *}}2 {{.*}}assumed
}

// In the same block those that changed.
// smem-lint: launch block=(64) grid=(1)
__global__ void changed(State *states) {
  State state = states[threadIdx.x];
  state.f *= state.a;
  states[threadIdx.x] = state;
  // CHECK-LABEL: {{^}}changed
  // CHECK: [[#@LINE-2]]:{{.*}}store 32 {{ *}}2 {{.*}}assumed
}

struct Bodies {
  float4 position, velocity;
};

// Whole vectors are stored as such.
// smem-lint: launch block=(64) grid=(1)
__global__ void of_vectors(Bodies *bodies) {
  Bodies body;
  body.position = bodies[threadIdx.x + 64].velocity;
  body.velocity = bodies[threadIdx.x + 64].position;
  bodies[threadIdx.x] = body;
  // CHECK-LABEL: {{^}}of_vectors
  // CHECK: [[#@LINE-2]]:{{.*}}bodies[threadIdx.x] {{ *}}store 128 {{ *}}4 {{.*}}exact
}
