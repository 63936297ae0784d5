// What is passed for the operation of a kernel template that nothing instantiates: it takes anything and gives the first of it back.
#pragma once

#if defined(__cplusplus) && __cplusplus >= 201103L
struct smem_lint_callable {
  __device__ __host__ int operator()() const { return 0; }
  template <class First, class... Rest> __device__ __host__ First operator()(First first, Rest...) const {
    return first;
  }
};
#endif
