// A parameter of type same_as<T> says nothing of T and is converted to it: where CUDA has overloads among which a pointer decides.
#ifndef SMEM_LINT_SAME_AS_H
#define SMEM_LINT_SAME_AS_H

namespace smem_lint {
template <typename T> struct same {
  typedef T type;
};
template <typename T> using same_as = typename same<T>::type;
} // namespace smem_lint

#endif
