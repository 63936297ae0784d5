__device__ __forceinline__ void addd(double *a, double v) {
  unsigned long long *p = (unsigned long long *)a, old = *p, as;
  do {
    as = old;
    old = atomicCAS(p, as, __double_as_longlong(v + __longlong_as_double(as)));
  } while (as != old);
}
__device__ __forceinline__ void maxf(float *a, float v) {
  int *p = (int *)a, old = *p, as;
  do {
    as = old;
    old = atomicCAS(p, as, __float_as_int(fmaxf(v, __int_as_float(as))));
  } while (as != old);
}
__global__ void same(double *a, float *o) {
  addd(a, 1.0);
  o[threadIdx.x] = 1;
  __syncwarp();
  o[threadIdx.x + 64] = 2;
}
__global__ void apart(double *a, float *o) {
  addd(a + threadIdx.x, 1.0);
  o[threadIdx.x] = 1;
}
__global__ void quarters(double *a, float *o) {
  addd(a + threadIdx.x % 8, 1.0);
  o[threadIdx.x] = 1;
}
__global__ void shared_same(double *a, float *o) {
  __shared__ double s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  addd(s, 1.0);
  o[threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x + 64] = s[0];
}
__global__ void shared_quarters(double *a, float *o) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  maxf(s + threadIdx.x % 8, threadIdx.x);
  s[threadIdx.x] += 1;
  o[threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x + 64] = s[0];
}
__global__ void lock(int *l, float *o) {
  __shared__ int s;
  if (threadIdx.x == 0)
    s = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&s, 0, 1) == 0) {
      o[5] += 1;
      atomicExch(&s, 0);
      done = true;
    }
  }
  o[threadIdx.x + 64] = 3;
}
__global__ void unlock_behind(int *l, float *o) {
  __shared__ int s;
  s = 0;
  __syncthreads();
  while (atomicCAS(&s, 0, 1) != 0)
    ;
  s = 0;
  o[threadIdx.x + 64] = 3;
}
__global__ void tickets(int *l, float *o) {
  while (atomicAdd(l, 1) < 40)
    ;
  o[threadIdx.x] = 1;
}
__global__ void counted(int *l, float *o) {
  int c = 0;
  for (int i = 0; i < threadIdx.x; i++)
    c += atomicAdd(&l[i], 1);
  o[threadIdx.x] = c;
}
__global__ void chase(const int *l, float *o) {
  int i = threadIdx.x, n = 0;
  while (i > 3) {
    i = l[i];
    n++;
  }
  o[threadIdx.x] = n;
}
__global__ void one(int *l, float *o, int n) {
  if (threadIdx.x == 0)
    while (atomicAdd(l, 1) < 20)
      ;
  o[threadIdx.x] = 1;
}
__global__ void half(int *l, float *o, int n) {
  if (threadIdx.x < 16)
    while (atomicAdd(l, 1) < 40)
      ;
  o[threadIdx.x] = 1;
}
__global__ void nested(int *l, float *o, int n) {
  if (n > 0) {
    if (threadIdx.x != 5) {
      while (atomicAdd(l, 1) < 40)
        ;
      o[threadIdx.x] = 1;
    }
    o[threadIdx.x + 64] = 1;
  }
  o[threadIdx.x + 128] = 1;
}
__global__ void inner(int *l, float *o, int n) {
  for (int i = 0; i < n; i++) {
    while (atomicCAS(l + i, 0, 1) != 0)
      ;
    o[threadIdx.x + i * 32] = 1;
    atomicExch(l + i, 0);
  }
  o[threadIdx.x + 512] = 2;
}
__global__ void nano(int *l, float *o) {
  while (atomicExch(l, 1) != 0)
    __nanosleep(100);
  o[threadIdx.x] = 1;
  __threadfence();
  atomicExch(l, 0);
}
__global__ void probe(int *table, float *o, int n) {
  int k = threadIdx.x / 2, s = k % n;
  while (true) {
    int old = atomicCAS(&table[s], 0, k + 1);
    if (old == 0 || old == k + 1)
      break;
    s = (s + 1) % n;
  }
  o[threadIdx.x] = s;
}
__global__ void max_loop(float *a, float *o) {
  float v = threadIdx.x + 1;
  int *p = (int *)(a + threadIdx.x % 3), old = *p;
  while (v > __int_as_float(old)) {
    int as = old;
    old = atomicCAS(p, as, __float_as_int(v));
    if (old == as)
      break;
  }
  o[threadIdx.x] = 1;
  if (threadIdx.x % 2)
    o[threadIdx.x + 64] = 1;
  o[threadIdx.x + 128] = 1;
}
__global__ void volatile_chase(volatile int *l, float *o) {
  int i = threadIdx.x, n = 0;
  while (i > 3) {
    i = l[i];
    n++;
  }
  o[threadIdx.x] = n;
}
__global__ void shuffled(int *l, float *o, int n) {
  while (atomicAdd(l, 1) < 40)
    ;
  float v = __shfl_xor_sync(~0u, n + threadIdx.x, 1);
  o[threadIdx.x] = v;
}
__global__ void claimed(int *l, float *o, int n) {
  __shared__ float s[64];
  for (int i = atomicAdd(l, 1); i < n; i = atomicAdd(l, 1))
    o[i] = 3;
  s[threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x + 64] = s[threadIdx.x ^ 1];
}
int main() {
  double *a; float *o; int *l; int next[64];
  cudaMalloc(&a, 8192); cudaMalloc(&o, 8192); cudaMalloc(&l, 8192);
  const auto reset = [&] { cudaMemset(a, 0, 8192); cudaMemset(o, 0, 8192); cudaMemset(l, 0, 8192); };
  reset(); same<<<1, 32>>>(a, o);
  reset(); apart<<<1, 32>>>(a, o);
  reset(); quarters<<<1, 32>>>(a, o);
  reset(); shared_same<<<1, 32>>>(a, o);
  reset(); shared_quarters<<<1, 32>>>(a, o);
  reset(); lock<<<1, 32>>>(l, o);
  reset(); unlock_behind<<<1, 32>>>(l, o);
  reset(); tickets<<<1, 32>>>(l, o);
  reset(); counted<<<1, 32>>>(l, o);
  reset(); one<<<1, 32>>>(l, o, 3);
  reset(); half<<<1, 32>>>(l, o, 3);
  reset(); nested<<<1, 32>>>(l, o, 3);
  reset(); inner<<<1, 32>>>(l, o, 3);
  reset(); nano<<<1, 32>>>(l, o);
  reset(); probe<<<1, 32>>>(l, o, 64);
  reset(); max_loop<<<1, 32>>>((float *)a, o);
  reset(); shuffled<<<1, 32>>>(l, o, 3);
  reset(); claimed<<<1, 32>>>(l, o, 100);
  for (int i = 0; i < 64; i++) next[i] = i - 1 - i % 3;
  cudaMemcpy(l, next, sizeof next, cudaMemcpyHostToDevice);
  chase<<<1, 32>>>(l, o);
  volatile_chase<<<1, 32>>>(l, o);
  return cudaDeviceSynchronize();
}
