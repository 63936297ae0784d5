// threadIdx, blockIdx, blockDim, gridDim and warpSize. Every component is a property
// whose getter reads the special register, so no object exists in memory.
#ifndef SMEM_LINT_BUILTIN_VARIABLES_H
#define SMEM_LINT_BUILTIN_VARIABLES_H

#pragma push_macro("SMEM_LINT_COMPONENT")
#pragma push_macro("SMEM_LINT_BUILTIN_VARIABLE")
#undef SMEM_LINT_COMPONENT
#undef SMEM_LINT_BUILTIN_VARIABLE
#define SMEM_LINT_COMPONENT(REGISTER, C)                                                                               \
  __declspec(property(get = read_##C)) unsigned int C;                                                                 \
  __attribute__((device, always_inline, nodebug)) static inline unsigned int read_##C() {                              \
    return __nvvm_read_ptx_sreg_##REGISTER##_##C();                                                                    \
  }
#define SMEM_LINT_BUILTIN_VARIABLE(VARIABLE, REGISTER)                                                                 \
  struct VARIABLE##_t {                                                                                                \
    SMEM_LINT_COMPONENT(REGISTER, x)                                                                                   \
    SMEM_LINT_COMPONENT(REGISTER, y)                                                                                   \
    SMEM_LINT_COMPONENT(REGISTER, z)                                                                                   \
    __attribute__((device, always_inline, nodebug)) operator ::uint3() const {                                         \
      return ::uint3{read_x(), read_y(), read_z()};                                                                    \
    }                                                                                                                  \
    __attribute__((device, always_inline, nodebug)) operator ::dim3() const {                                          \
      return ::dim3(read_x(), read_y(), read_z());                                                                     \
    }                                                                                                                  \
    VARIABLE##_t(const VARIABLE##_t &) = delete;                                                                       \
    VARIABLE##_t &operator=(const VARIABLE##_t &) = delete;                                                            \
                                                                                                                       \
  private:                                                                                                             \
    VARIABLE##_t() = default;                                                                                          \
  };

namespace smem_lint {
SMEM_LINT_BUILTIN_VARIABLE(threadIdx, tid)
SMEM_LINT_BUILTIN_VARIABLE(blockIdx, ctaid)
SMEM_LINT_BUILTIN_VARIABLE(blockDim, ntid)
SMEM_LINT_BUILTIN_VARIABLE(gridDim, nctaid)
} // namespace smem_lint
#pragma pop_macro("SMEM_LINT_BUILTIN_VARIABLE")
#pragma pop_macro("SMEM_LINT_COMPONENT")

extern const __attribute__((device, weak)) smem_lint::threadIdx_t threadIdx;
extern const __attribute__((device, weak)) smem_lint::blockIdx_t blockIdx;
extern const __attribute__((device, weak)) smem_lint::blockDim_t blockDim;
extern const __attribute__((device, weak)) smem_lint::gridDim_t gridDim;
__attribute__((device)) const int warpSize = 32;

#endif
