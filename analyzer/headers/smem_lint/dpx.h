// Limits of sums and of three numbers, with and without a floor of zero, on words and on the halves of words (DPX).
#ifndef SMEM_LINT_DPX_H
#define SMEM_LINT_DPX_H

namespace smem_lint {
template <typename Type> SMEM_LINT_DEVICE Type least(Type a, Type b) { return b < a ? b : a; }
template <typename Type> SMEM_LINT_DEVICE Type most(Type a, Type b) { return a < b ? b : a; }
template <typename Type, typename Function>
SMEM_LINT_DEVICE unsigned by_halves(unsigned a, unsigned b, unsigned c, Function of) {
  const Type low = of((Type)a, (Type)b, (Type)c), high = of((Type)(a >> 16), (Type)(b >> 16), (Type)(c >> 16));
  return (unsigned)(unsigned short)low | (unsigned)(unsigned short)high << 16;
}
} // namespace smem_lint

#define SMEM_LINT_DPX_WORD(SUFFIX, TYPE, LIMIT, CHOICE)                                                                \
  SMEM_LINT_DEVICE TYPE __vi##LIMIT##3_##SUFFIX(TYPE a, TYPE b, TYPE c) {                                              \
    return smem_lint::CHOICE(smem_lint::CHOICE(a, b), c);                                                              \
  }                                                                                                                    \
  SMEM_LINT_DEVICE TYPE __viadd##LIMIT##_##SUFFIX(TYPE a, TYPE b, TYPE c) {                                            \
    return smem_lint::CHOICE<TYPE>((TYPE)((unsigned)a + (unsigned)b), c);                                              \
  }                                                                                                                    \
  SMEM_LINT_DEVICE TYPE __vib##LIMIT##_##SUFFIX(TYPE a, TYPE b, bool *first) {                                         \
    *first = smem_lint::CHOICE(a, b) == a;                                                                             \
    return smem_lint::CHOICE(a, b);                                                                                    \
  }
#define SMEM_LINT_DPX_WORD_RELU(LIMIT, CHOICE)                                                                         \
  SMEM_LINT_DEVICE int __vi##LIMIT##_s32_relu(int a, int b) { return smem_lint::most(smem_lint::CHOICE(a, b), 0); }    \
  SMEM_LINT_DEVICE int __vi##LIMIT##3_s32_relu(int a, int b, int c) {                                                  \
    return smem_lint::most(__vi##LIMIT##3_s32(a, b, c), 0);                                                            \
  }                                                                                                                    \
  SMEM_LINT_DEVICE int __viadd##LIMIT##_s32_relu(int a, int b, int c) {                                                \
    return smem_lint::most(__viadd##LIMIT##_s32(a, b, c), 0);                                                          \
  }
#define SMEM_LINT_DPX_HALVES(SUFFIX, TYPE, LIMIT, CHOICE)                                                              \
  SMEM_LINT_DEVICE unsigned __vi##LIMIT##3_##SUFFIX(unsigned a, unsigned b, unsigned c) {                              \
    return smem_lint::by_halves<TYPE>(                                                                                 \
        a, b, c, [](TYPE x, TYPE y, TYPE z) { return smem_lint::CHOICE(smem_lint::CHOICE(x, y), z); });                \
  }                                                                                                                    \
  SMEM_LINT_DEVICE unsigned __viadd##LIMIT##_##SUFFIX(unsigned a, unsigned b, unsigned c) {                            \
    return smem_lint::by_halves<TYPE>(                                                                                 \
        a, b, c, [](TYPE x, TYPE y, TYPE z) { return smem_lint::CHOICE<TYPE>((TYPE)(x + y), z); });                    \
  }
#define SMEM_LINT_DPX_HALVES_CHOSEN(SUFFIX, TYPE, LIMIT, CHOICE)                                                       \
  SMEM_LINT_DEVICE unsigned __vib##LIMIT##_##SUFFIX(unsigned a, unsigned b, bool *high, bool *low) {                   \
    *high = smem_lint::CHOICE((TYPE)(a >> 16), (TYPE)(b >> 16)) == (TYPE)(a >> 16);                                    \
    *low = smem_lint::CHOICE((TYPE)a, (TYPE)b) == (TYPE)a;                                                             \
    return smem_lint::by_halves<TYPE>(a, b, 0, [](TYPE x, TYPE y, TYPE) { return smem_lint::CHOICE(x, y); });          \
  }
#define SMEM_LINT_DPX_HALVES_RELU(LIMIT, CHOICE)                                                                       \
  SMEM_LINT_DEVICE unsigned __vi##LIMIT##_s16x2_relu(unsigned a, unsigned b) {                                         \
    return smem_lint::by_halves<short>(                                                                                \
        a, b, 0, [](short x, short y, short z) { return smem_lint::most(smem_lint::CHOICE(x, y), z); });               \
  }                                                                                                                    \
  SMEM_LINT_DEVICE unsigned __vi##LIMIT##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {                            \
    return __vimax_s16x2_relu_of(__vi##LIMIT##3_s16x2(a, b, c));                                                       \
  }                                                                                                                    \
  SMEM_LINT_DEVICE unsigned __viadd##LIMIT##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                          \
    return __vimax_s16x2_relu_of(__viadd##LIMIT##_s16x2(a, b, c));                                                     \
  }

SMEM_LINT_DEVICE unsigned __vimax_s16x2_relu_of(unsigned a) {
  return smem_lint::by_halves<short>(a, 0, 0, [](short x, short y, short) { return smem_lint::most(x, y); });
}
SMEM_LINT_DPX_HALVES_CHOSEN(s16x2, short, max, most)
SMEM_LINT_DPX_HALVES_CHOSEN(s16x2, short, min, least)
SMEM_LINT_DPX_HALVES_CHOSEN(u16x2, unsigned short, max, most)
SMEM_LINT_DPX_HALVES_CHOSEN(u16x2, unsigned short, min, least)
SMEM_LINT_DPX_WORD(s32, int, max, most)
SMEM_LINT_DPX_WORD(s32, int, min, least)
SMEM_LINT_DPX_WORD(u32, unsigned, max, most)
SMEM_LINT_DPX_WORD(u32, unsigned, min, least)
SMEM_LINT_DPX_WORD_RELU(max, most)
SMEM_LINT_DPX_WORD_RELU(min, least)
SMEM_LINT_DPX_HALVES(s16x2, short, max, most)
SMEM_LINT_DPX_HALVES(s16x2, short, min, least)
SMEM_LINT_DPX_HALVES(u16x2, unsigned short, max, most)
SMEM_LINT_DPX_HALVES(u16x2, unsigned short, min, least)
SMEM_LINT_DPX_HALVES_RELU(max, most)
SMEM_LINT_DPX_HALVES_RELU(min, least)

#undef SMEM_LINT_DPX_WORD
#undef SMEM_LINT_DPX_WORD_RELU
#undef SMEM_LINT_DPX_HALVES
#undef SMEM_LINT_DPX_HALVES_RELU
#undef SMEM_LINT_DPX_HALVES_CHOSEN

#endif
