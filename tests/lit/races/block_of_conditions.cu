// A block that conditions on the way to the launch leave no choice of is known, whatever made it: races are looked for with it.
// RUN: %races %s | FileCheck %s --implicit-check-not="race (" --implicit-check-not=error
template <int V> __global__ void sum(float *o) {
  __shared__ float s[512];
  s[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
void change(int &x);

// CHECK-DAG: sum<1> {{.*}} block (512,1,1): free {{.*}} in every launch with this block
// CHECK-DAG: sum<2> {{.*}} block (64,1,1): free {{.*}} in every launch with this block
void by_switch(float *o, int threads, int blocks) {
  dim3 block(threads, 1, 1);
  switch (threads) {
  case 512: sum<1><<<blocks, block>>>(o); break;
  case 64: sum<2><<<blocks, block>>>(o); break;
  }
}
// CHECK-DAG: sum<3> {{.*}} block (64,1,1): free {{.*}} in every launch with this block
void copied(float *o, int threads, int blocks) {
  dim3 made(threads), block = made;
  if (threads != 64)
    return;
  sum<3><<<blocks, block>>>(o);
}
// The variable is no longer what the block was made of.
// CHECK-DAG: sum<4> {{.*}}: free {{.*}} under assumed values: block: not known from the source{{.*}}
void assigned(float *o, int threads, int blocks) {
  dim3 block(threads);
  threads = 64;
  if (threads == 64)
    sum<4><<<blocks, block>>>(o);
}
// CHECK-DAG: sum<5> {{.*}}: free {{.*}} under assumed values: block: not known from the source{{.*}}
void changed(float *o, int threads, int blocks) {
  dim3 block(threads);
  change(threads);
  if (threads == 64)
    sum<5><<<blocks, block>>>(o);
}
// Two ways lead there.
// CHECK-DAG: sum<6> {{.*}}: free {{.*}} under assumed values: block: not known from the source{{.*}}
void falls_through(float *o, int threads, int blocks) {
  dim3 block(threads);
  switch (threads) {
  case 512: blocks += 1;
  case 256: sum<6><<<blocks, block>>>(o); break;
  }
}
// CHECK-DAG: sum<7> {{.*}}: free {{.*}} under assumed values: block: not known from the source{{.*}}
void either(float *o, int threads, int blocks) {
  dim3 block(threads);
  if (threads == 64 || blocks == 1)
    sum<7><<<blocks, block>>>(o);
}

// It is no assumption where a race is found under one, whatever else is.
// CHECK-DAG: raced {{.*}} block (96,1,1): race {{.*}} under assumed values: `f` holds 1 everywhere, which decides the branch at line [[#@LINE+4]]{{$}}
// CHECK-DAG: raced {{.*}} block (64,1,1): race {{.*}} under assumed values: threads = 64 (parameter of passed); `f` holds 1 everywhere
__global__ void raced(float *o, const int *f, int n) {
  __shared__ float s[96];
  if (f[threadIdx.x] == 1)
    s[threadIdx.x] = 1;
  if (n > 0)
    o[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
void with_data(float *o, const int *f, int threads) {
  if (threads == 96)
    raced<<<4, threads>>>(o, f, 1);
}
void passed(float *o, const int *f, int threads) {
  if (threads == 64)
    raced<<<4, threads>>>(o, f, threads);
}
