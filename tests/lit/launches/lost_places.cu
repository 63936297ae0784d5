// What is assigned through a pointer, an index or a reference that is not known, or by a function that is not followed, is not known
// afterwards; nor is what follows a loop or a branch that may have returned, broken off or gone on. What is then assumed follows from
// one choice of what is not known, which is named; what the program determines all the same is not chosen.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>
#include <algorithm>

__global__ void k(int *t, int which, int n) { t[threadIdx.x + which + n] = 1; }

int unknown();
void elsewhere();
int counter = 4;
struct Bits { unsigned a : 3; };
struct Base { int x = 5; };
struct Derived : Base { int y = 6; };

int found(const int *a) {
  for (int i = 0; i < unknown(); ++i)
    if (a[i] == 3) return 5;
  return 1;
}
void leaves(int &n, int m) {
  for (int i = 0; i < m; ++i)
    if (i == unknown()) return;
  n = 2;
}

void jumps(int &n) {
  if (unknown()) goto out;
  n = 2;
out:
  return;
}
void jumps_away(int &n) {
  if (unknown()) goto out;
  n = 2;
  return;
out:
  n = 3;
}
int repeats(int n) {
again:
  n *= 2;
  if (n < 50) goto again;
  if (n > 3) goto out;
  n = 1;
out:
  return n;
}

int main() {
  int *t;
  cudaMalloc(&t, 1 << 20);
  { int a[4] = {1, 2, 3, 4}; a[unknown()] = 7; k<<<1, 32>>>(t, 1, a[0]); }
  // CHECK-LABEL: block=(32) which=1 n=?
  // CHECK-NEXT: launch:
  // CHECK-NEXT: not known: n: depends on what is assigned to a place that is not known (line [[#@LINE-3]])
  { int a = 1, b = 1; *(unknown() ? &a : &b) = 7; k<<<1, 32>>>(t, 2, a); }
  // CHECK-LABEL: block=(32) which=2 n=7
  // CHECK: assumed: n=7 follows from unknown() = 1024 (the result of 'unknown'
  { int a = 1, b = 1; (unknown() ? a : b) = 7; k<<<1, 32>>>(t, 3, b); }
  // CHECK-LABEL: block=(32) which=3 n=1
  // CHECK: assumed: n=1 follows from unknown() = 1024 (the result of 'unknown' (line [[#@LINE-2]])){{$}}
  { int n = 1; auto add = [&] { n += unknown(); }; std::for_each(t, t + 1, [&](int) { n = 9; }); add(); k<<<1, 32>>>(t, 4, n); }
  // CHECK-LABEL: block=(32) which=4 n=2048
  // CHECK: assumed: n=2048 follows from unknown() = 1024 (the result of 'unknown' (line {{[0-9]+}})), n = 1024 (what 'for_each' stores
  { int a[1] = {3}; k<<<1, 32>>>(t, 5, found(a)); }
  // CHECK-LABEL: block=(32) which=5 n=5
  // CHECK: assumed: n=5 follows from unknown() = 1024 (the result of 'unknown' (line 18)){{$}}
  { int n = 1; leaves(n, unknown()); k<<<1, 32>>>(t, 6, n); }
  // CHECK-LABEL: block=(32) which=6 n={{[12]}}
  // CHECK: assumed: n={{[12]}} follows from {{.*}}unknown() = {{[0-9]+}} (the result of 'unknown' (line 24)){{$}}
  { counter = 4; elsewhere(); k<<<1, 32>>>(t, 7, counter); }
  // CHECK-LABEL: block=(32) which=7 n=1024
  // CHECK: assumed: counter = 1024 (what 'elsewhere' stores
  { int n = 1; switch (2) { case 2: if (unknown()) break; n = 5; } k<<<1, 32>>>(t, 8, n); }
  // CHECK-LABEL: block=(32) which=8 n=1
  // CHECK: assumed: n=1 follows from unknown() = 1024 (the result of 'unknown' (line [[#@LINE-2]])){{$}}
  { float f = 1; reinterpret_cast<int &>(f) = 3; k<<<1, 32>>>(t, 9, static_cast<int>(f)); }
  // CHECK-LABEL: block=(32) which=9 n=?
  // CHECK: not known: n: depends on what is assigned to a place that is not known (line [[#@LINE-2]])
  { Bits b{}; b.a = 9; k<<<1, 32>>>(t, 10, b.a); }
  // CHECK-LABEL: block=(32) which=10 n=1
  // CHECK-NOT: assumed:
  { Derived d; Base *b = &d; k<<<1, 32>>>(t, 11, static_cast<Derived *>(b)->y); }
  // CHECK-LABEL: block=(32) which=11 n=6
  // CHECK-NOT: assumed:
  { int n = 1; jumps(n); k<<<1, 32>>>(t, 12, n); }
  // CHECK-LABEL: block=(32) which=12 n=1
  // CHECK: assumed: n=1 follows from unknown() = 1024 (the result of 'unknown' (line 29)){{$}}
  { int n = 1; jumps_away(n); k<<<1, 32>>>(t, 13, n); }
  // CHECK-LABEL: block=(32) which=13 n=3
  // CHECK: assumed: n=3 follows from {{.*}}unknown() = 1024 (the result of 'unknown' (line 35)){{$}}
  k<<<1, 32>>>(t, 14, repeats(3));
  // CHECK-LABEL: block=(32) which=14 n=96
  // CHECK-NOT: assumed:
}
