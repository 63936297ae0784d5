// What the random host programs are written with. Compiled with -DRUN the launches are printed, and functions exist whose results the
// analysis cannot know.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

struct Pair {
  int x;
  unsigned y;
  short z;
};
enum Plain { kA = 3, kB, kC = -2, kD = 100 };
enum class Strong : unsigned char { kOne = 1, kTwo = 200, kThree };
struct Bits {
  unsigned a : 3;
  int b : 5;
  unsigned char c : 4;
  int d;
};
struct Base {
  int v;
  explicit Base(int value) : v(value) {}
  virtual int f(int k) const { return v + k; }
  int plain() const { return v * 2; }
};
struct Derived : Base {
  unsigned w;
  Derived(int value, unsigned more) : Base(value - 1), w(more) {}
  int f(int k) const override { return v * k - static_cast<int>(w); }
};
struct Vec {
  int x = 7, y = -1;
  Vec() = default;
  Vec(int a, int b) : x(a), y(b) {}
  Vec operator+(const Vec &o) const { return {x + o.x, y + o.y}; }
  Vec operator-() const { return Vec(-x, -y); }
  Vec &operator+=(const Vec &o) {
    x += o.x;
    y += o.y;
    return *this;
  }
  Vec &operator++() {
    ++x;
    return *this;
  }
  Vec operator++(int) {
    Vec old = *this;
    x += 2;
    return old;
  }
  int &operator[](int i) { return i & 1 ? y : x; }
  bool operator==(const Vec &o) const { return x == o.x && y == o.y; }
  bool operator<(const Vec &o) const { return x < o.x; }
  explicit operator bool() const { return x != 0; }
  operator int() const { return x * 3 + y; }
  int operator()(int a, int b = 5) const { return a * x + b * y; }
  Vec &scale(int k) {
    x *= k;
    y *= k;
    return *this;
  }
};
struct Counted { // its copies are not the same
  int n;
  explicit Counted(int value) : n(value) {}
  Counted(const Counted &o) : n(o.n + 1) {}
  Counted &operator=(const Counted &o) {
    n = o.n + 10;
    return *this;
  }
};
struct Holder {
  Counted c;
  int t[2];
  explicit Holder(int value) : c(value), t{value, value + 1} {}
};
struct Guard { // changes a variable at the end of its block
  int &target;
  int by;
  Guard(int &t, int b) : target(t), by(b) {}
  ~Guard() { target += by; }
};
template <class T, int N> T times(T x) { return static_cast<T>(x * N + static_cast<int>(sizeof(T))); }
template <class T> struct Box {
  T value;
  T twice() const { return static_cast<T>(value + value); }
  template <class U> U as() const { return static_cast<U>(value); }
};
inline int which(int) { return 1; }
inline int which(unsigned) { return 2; }
inline int which(long) { return 3; }
inline int which(unsigned long) { return 4; }
inline int which(double) { return 5; }
inline int which(unsigned char) { return 6; }
inline int which(bool) { return 7; }
inline int which(short) { return 8; }
inline int which(long long) { return 11; }
inline int which(unsigned long long) { return 12; }
inline int which(signed char) { return 13; }
inline int which(char) { return 14; }
inline int which(unsigned short) { return 15; }
inline int which(const Vec &) { return 9; }
inline int which(const int *) { return 10; }
/// A conversion that is always defined.
inline long whole(double d) { return d > -1e9 && d < 1e9 ? static_cast<long>(d) : 17; }
inline int &pick(int (&a)[4], int i) { return a[i & 3]; }
inline int *element(int *a, int i) { return a + (i & 3); }
inline int &larger(int &a, int &b) { return a < b ? b : a; }
inline int deflt(int a, int b = 3, int c = kB) { return a + b * c; }
inline int rec(int n, unsigned acc) {
  return n <= 0 ? static_cast<int>(acc) : rec(n - 1, acc * 3u + static_cast<unsigned>(n));
}
inline int counter() {
  static int n = 5;
  return n += 3;
}
template <class F> int apply_twice(F f, int x) { return f(f(x)); }
template <class T> constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; }
inline int &global() {
  static int g = 11;
  return g;
}

// Not known to the analysis.
long long opaque(long long x);
void opaque_store(int *p, int v);
void opaque_ref(int &r);
void opaque_read(const int *p);
int *opaque_pointer(int *p);

#ifdef RUN
#include <cstdio>
#include <cstring>
#define __global__
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
long long opaque(long long x) { return x; }
void opaque_store(int *p, int v) { *p = v; }
void opaque_ref(int &r) { r ^= 21; }
void opaque_read(const int *) {}
int *opaque_pointer(int *p) { return p; }
inline void show(bool v) { std::printf(" %d", v); }
template <class T> void show(T v) { std::printf(" %lld", static_cast<long long>(v)); }
inline void show(float v) {
  int bits;
  std::memcpy(&bits, &v, 4);
  std::printf(" %u", bits);
}
inline void show(double v) {
  long long bits;
  std::memcpy(&bits, &v, 8);
  std::printf(" %lld", bits);
}
inline void show(Pair v) {
  show(v.x);
  show(v.y);
  show(v.z);
}
template <class... P> struct At {
  int line;
  dim3 grid, block;
  unsigned long shared;
  void operator()(P... p) {
    std::printf("%d %u %u %u %u %u %u %lu", line, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared);
    (show(p), ...);
    std::printf("\n");
  }
};
template <class... P> At<P...> at(int line, void (*)(P...), dim3 grid, dim3 block, unsigned long shared) {
  return {line, grid, block, shared};
}
#define LAUNCH(kernel, grid, block, shared) at(__LINE__, kernel, grid, block, shared)
#else
#include <cuda_runtime.h>
#define LAUNCH(kernel, grid, block, shared) kernel<<<grid, block, shared>>>
#endif

__global__ void wide(long long, unsigned long long, long, unsigned) {}
__global__ void ints(int, unsigned, int, bool) {}
__global__ void narrow(signed char, unsigned char, short, unsigned short) {}
__global__ void reals(float, double, char, Strong) {}
__global__ void structs(Pair, Plain) {}
