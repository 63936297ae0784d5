// char1 .. double4, dim3 and their make_ functions, with the sizes and alignments that
// decide how wide a load or store is.
#ifndef SMEM_LINT_VECTOR_TYPES_H
#define SMEM_LINT_VECTOR_TYPES_H

#pragma push_macro("SMEM_LINT_VECTORS")
#undef SMEM_LINT_VECTORS
// NAME, element type, alignment of the 2- and of the 4-component type; the types of one
// and three components are aligned as their element.
#define SMEM_LINT_VECTORS(NAME, T, ALIGN2, ALIGN4)                                                                     \
  struct NAME##1 { T x; };                                                                                             \
  struct __attribute__((aligned(ALIGN2))) NAME##2 { T x, y; };                                                         \
  struct NAME##3 { T x, y, z; };                                                                                       \
  struct __attribute__((aligned(ALIGN4))) NAME##4 { T x, y, z, w; };                                                   \
  SMEM_LINT_CONSTEXPR NAME##1 make_##NAME##1(T x) { return NAME##1 {x}; }                                              \
  SMEM_LINT_CONSTEXPR NAME##2 make_##NAME##2(T x, T y) { return NAME##2 {x, y}; }                                      \
  SMEM_LINT_CONSTEXPR NAME##3 make_##NAME##3(T x, T y, T z) { return NAME##3 {x, y, z}; }                              \
  SMEM_LINT_CONSTEXPR NAME##4 make_##NAME##4(T x, T y, T z, T w) { return NAME##4 {x, y, z, w}; }

SMEM_LINT_VECTORS(char, signed char, 2, 4)
SMEM_LINT_VECTORS(uchar, unsigned char, 2, 4)
SMEM_LINT_VECTORS(short, short, 4, 8)
SMEM_LINT_VECTORS(ushort, unsigned short, 4, 8)
SMEM_LINT_VECTORS(int, int, 8, 16)
SMEM_LINT_VECTORS(uint, unsigned int, 8, 16)
SMEM_LINT_VECTORS(long, long, 16, 16)
SMEM_LINT_VECTORS(ulong, unsigned long, 16, 16)
SMEM_LINT_VECTORS(longlong, long long, 16, 16)
SMEM_LINT_VECTORS(ulonglong, unsigned long long, 16, 16)
SMEM_LINT_VECTORS(float, float, 8, 16)
SMEM_LINT_VECTORS(double, double, 16, 16)
#pragma pop_macro("SMEM_LINT_VECTORS")

struct dim3 {
  unsigned int x, y, z;
  __attribute__((host, device, nodebug)) constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __attribute__((host, device, nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __attribute__((host, device, nodebug)) constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
