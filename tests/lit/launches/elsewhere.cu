// What code that is not in this file may have changed or decided: globals that are read for the first time behind it, and which method an
// object of a class that is not known has.
// RUN: %lint %s | FileCheck %s --implicit-check-not='of_base  grid=(4)'
__global__ void of_global(float *p, int n) { p[threadIdx.x + 32 * n] = 1; }
__global__ void of_static(float *p, int n) { p[threadIdx.x + 32 * n] = 1; }
__global__ void of_base(float *p, int n) { p[threadIdx.x + 32 * n] = 1; }
__global__ void of_own(float *p, int n) { p[threadIdx.x + 32 * n] = 1; }

int width = 4;
static int height = 5;
void set();

struct Base {
  virtual void go(int n) { of_base<<<n, 32>>>(0, n); }
};
struct Derived : Base {
  void go(int n) override { Base::go(2 * n); }
};
struct Own {
  virtual void go(int n) { of_own<<<n, 32>>>(0, n); }
};
void call(Base &base) { base.go(4); }

// CHECK: {{^}}of_global  grid={{.*}}
// CHECK-NEXT: launch: assumed
// CHECK-NEXT: assumed: width = {{[0-9]+}} (what 'set' stores (line [[#@LINE+9]]))
// CHECK: {{^}}of_static  grid=(5) block=(32) p=0.0 n=5
// CHECK-NEXT: launch: host code
// CHECK: {{^}}of_base  grid=(6) block=(32) p=0.0 n=6
// CHECK-NEXT: launch: host code
// CHECK: {{^}}of_own  grid=(7) block=(32) p=0.0 n=7
// CHECK-NEXT: launch: host code
int main() {
  Derived derived;
  set();
  of_global<<<width, 32>>>(0, width);
  of_static<<<height, 32>>>(0, height);
  derived.go(3);
  Own().go(7);
}
