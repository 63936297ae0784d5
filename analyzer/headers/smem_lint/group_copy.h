// A group's asynchronous copy: which thread moves which piece, and how wide a piece is.
// The width follows the type's alignment where that is at least 4 bytes, and the actual
// pointers where it is less.
#pragma once
#include "../cuda_pipeline_primitives.h"

namespace smem_lint {
template <int Bytes> struct piece_of;
template <> struct piece_of<1> {
  typedef char type;
};
template <> struct piece_of<2> {
  typedef short type;
};
template <> struct piece_of<4> {
  typedef int type;
};
template <> struct piece_of<8> {
  typedef int2 type;
};
template <> struct piece_of<16> {
  typedef int4 type;
};

template <typename Group, typename T>
SMEM_LINT_DEVICE void copy_pieces(const Group &g, T *__restrict__ to, const T *__restrict__ from, size_t count) {
  const unsigned rank = g.thread_rank(), stride = g.size();
  for (size_t i = rank; i < count; i += stride)
    to[i] = from[i];
}

// Tiles of a warp copy whole rounds without a test, and let surplus lanes of the last
// round repeat its last piece.
template <typename Group> struct copies_in_rounds {
  enum { value = 0 };
};

template <typename Group, typename T>
SMEM_LINT_DEVICE void copy_pieces_async(const Group &g, T *__restrict__ to, const T *__restrict__ from, size_t count) {
  if (copies_in_rounds<Group>::value && count == 0)
    return;
  const bool shared = __isShared(to), global = __isGlobal(from);
  if (!shared || !global) {
    copy_pieces(g, to, from, count);
    return;
  }
  const unsigned stride = g.size(), rank = g.thread_rank();
  if constexpr (copies_in_rounds<Group>::value) {
    const unsigned rest = (unsigned)count & (stride - 1), last = min(rank, rest - 1);
    const size_t whole = count & ~(size_t)(stride - 1);
    for (size_t i = 0; i < whole; i += stride)
      __pipeline_memcpy_async(to + rank + i, from + rank + i, sizeof(T));
    if (rest)
      __pipeline_memcpy_async(to + whole + last, from + whole + last, sizeof(T));
  } else {
    for (size_t i = rank; i < count; i += stride)
      __pipeline_memcpy_async(to + i, from + i, sizeof(T));
  }
}

template <int Width, typename Group>
SMEM_LINT_DEVICE void copy_aligned(const Group &g, void *to, const void *from, size_t bytes) {
  typedef typename piece_of<Width>::type T;
  copy_pieces_async(g, (T *)to, (const T *)from, bytes / Width);
}

// Bytes up to the first aligned piece, the pieces, the bytes behind them.
template <int Width, typename Group>
SMEM_LINT_DEVICE void copy_with_edges(const Group &g, char *to, const char *from, size_t bytes) {
  const unsigned head = -(unsigned)(size_t)from & (Width - 1);
  copy_pieces(g, to, from, head);
  const size_t middle = (bytes - head) / Width * Width;
  copy_aligned<Width>(g, to + head, from + head, middle);
  copy_pieces(g, to + head + middle, from + head + middle, bytes - head - middle);
}

template <int Alignment, typename Group>
SMEM_LINT_DEVICE void copy_bytes_async(const Group &g, void *to, const void *from, size_t bytes) {
  if constexpr (Alignment >= 4) {
    copy_aligned<(Alignment > 16 ? 16 : Alignment)>(g, to, from, bytes);
  } else {
    const unsigned difference = ((unsigned)(size_t)to ^ (unsigned)(size_t)from) & 15;
    unsigned width = difference == 0 ? 16 : difference & -difference;
    if (width < Alignment)
      width = Alignment;
    if (bytes < width)
      width = Alignment;
    char *d = (char *)to;
    const char *s = (const char *)from;
    switch (width) {
    case 2: copy_pieces(g, (short *)d, (const short *)s, bytes >> 1); break;
    case 4: copy_with_edges<4>(g, d, s, bytes); break;
    case 8: copy_with_edges<8>(g, d, s, bytes); break;
    case 16: copy_with_edges<16>(g, d, s, bytes); break;
    default: copy_pieces(g, d, s, bytes); break;
    }
  }
}
} // namespace smem_lint
