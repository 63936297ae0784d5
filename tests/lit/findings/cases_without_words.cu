// Where rows start within a sector depends on what has no words: the message has the cost that is certain, not the largest one.
// RUN: %lint-short %s --set n=2048 --set m=64 | FileCheck %s
__global__ void __launch_bounds__(32) pairs(short *__restrict__ c, int n, int m, int k) {
  for (int l = 0; l < 8; l += 2) {
    const int row = k * 16 + l % 4 / 2 * 8 + threadIdx.x / 4;
    if (row < m) {
      int *p = reinterpret_cast<int *>(c + row * n + k % 5 * 128 + l / 4 * 8 + l % 2 + threadIdx.x % 4 * 2);
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: {{.*}} moves 8 sectors instead of 4, in warps whose lanes are all active, when n % 16 == 0
      *p = *p + 1;
    }
  }
}
void go(short *c, int n, int m, int k) { pairs<<<m / 16 * (n / 128), 32>>>(c, n, m, k); }
