// Functions of these headers are inlined and carry no locations of their own, so that
// what they do is reported at the user's line.
#ifndef SMEM_LINT_ATTRIBUTES_H
#define SMEM_LINT_ATTRIBUTES_H

#define SMEM_LINT_INLINE static __inline__ __attribute__((always_inline, nodebug))
#define SMEM_LINT_DEVICE __attribute__((device)) SMEM_LINT_INLINE
#define SMEM_LINT_HOST __attribute__((host)) SMEM_LINT_INLINE
#define SMEM_LINT_BOTH __attribute__((host, device)) SMEM_LINT_INLINE
// A constexpr function belongs to both sides by itself.
#define SMEM_LINT_CONSTEXPR static __attribute__((always_inline, nodebug)) constexpr
#define SMEM_LINT_METHOD __attribute__((device, always_inline, nodebug)) inline
// What `__device__` may stand for in the user's files (frontend/user_file_macros.h).
#define SMEM_LINT_HOST_OF_DEVICE __attribute__((host)) __attribute__((device))
#define SMEM_LINT_BOTH_METHOD __attribute__((host, device, always_inline, nodebug)) inline

#endif
