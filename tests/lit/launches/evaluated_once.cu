// Every operand of host code is evaluated once, also where an assignment or an increment is itself what is named.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

__global__ void k(int *t, int a, int b, int c, int d) { t[threadIdx.x + a + b + c + d] = 1; }

struct Scale {
  int n;
  Scale &operator*=(int m) { n *= m; return *this; }
};
struct Guard {
  int &n;
  ~Guard() { n += 100; }
};
int &bump(int &n) { ++n; return n; }

int main() {
  int *t;
  cudaMalloc(&t, 1 << 20);
  {
    int n = 0, grid = 1, i = 0, j = 0;
    for (i = 0, j = 0; i < 4; ++i, ++j) n += j;
    for (int m = 8; m > 1; m >>= 1, grid <<= 1) {}
    k<<<grid, 256>>>(t, n, i, j, 0);
    // CHECK-DAG: k  grid=(8) block=(256) a=6 b=4 c=4 d=0
  }
  {
    int n = 1, i = 0, m = 5, a[4] = {1, 2, 3, 4};
    (++n) += 2;
    ++(m += 2);
    a[i++] += 5;
    k<<<1, 32>>>(t, n, m, a[0] * 10 + a[1], i);
    // CHECK-DAG: k  grid=(1) block=(32) a=4 b=8 c=62 d=1
  }
  {
    int n = 1, m = 1, i = 0;
    (i++ ? n : m) += 7;
    bump(n) += 10;
    bump(m)++;
    k<<<2, 32>>>(t, n, m, i, (i ?: 9) + (++i, i));
    // CHECK-DAG: k  grid=(2) block=(32) a=12 b=10 c=1 d=3
  }
  {
    Scale s{2};
    int i = 0, n = 3;
    ((s *= 3) *= 2).n += i++;
    { Guard g{n}; n *= 2; }
    k<<<3, 32>>>(t, s.n, i, n, (n -= 6, n >>= 1));
    // CHECK-DAG: k  grid=(3) block=(32) a=12 b=1 c=106 d=50
  }
}
