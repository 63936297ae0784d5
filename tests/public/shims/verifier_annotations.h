// The annotations of GPUVerify and Faial, for their suites to compile: what is required or assumed of a kernel is, the rest says nothing.
#pragma once
#include <assert.h>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>

namespace cooperative_groups {
template <typename Group> __device__ void synchronize(const Group &group) { group.sync(); }
} // namespace cooperative_groups

#undef __assert
#define __assert(condition) ((void)0)
#define __requires(condition) __builtin_assume(condition)
#define __assume(condition) __builtin_assume(condition)
#define __global_requires(condition) __builtin_assume(condition)
#define __ensures(condition) ((void)0)
#define __global_ensures(condition) ((void)0)
#define __requires_fresh_array(pointer) ((void)0)
#define __invariant(condition) ((void)0)
#define __global_invariant(condition) ((void)0)
#define __function_wide_invariant(condition) ((void)0)
#define __function_wide_candidate_invariant(condition) ((void)0)
#define __candidate_invariant(condition) ((void)0)
#define __barrier_invariant_1(...) ((void)0)
#define __barrier_invariant_2(...) ((void)0)
#define __axiom(condition) static_assert(true, "");
#define __implies(a, b) (!(a) || (b))
#define __enabled() true
#define __non_temporal(statement) statement
#define __all(condition) (condition)
#define __exclusive(condition) true
#define __at_most_one(condition) true
#define __same_group true
#define __uniform_int(value) true
#define __uniform_bool(value) true
#define __distinct_int(value) true
#define __distinct_bool(value) true
#define __other_int(value) (value)
#define __other_bool(value) (value)
#define __read(pointer) true
#define __write(pointer) true
#define __no_read(pointer) true
#define __no_write(pointer) true
#define __read_implies(pointer, condition) true
#define __write_implies(pointer, condition) true
#define __reads_from(pointer) true
#define __writes_to(pointer) true
#define __array_snapshot(a, b) ((void)0)
#define __is_pow2(value) ((value) != 0 && ((value) & ((value) - 1)) == 0)
#define __return_val_int(condition) true
#define __return_val_bool(condition) true
#define __return_val_funptr(pointer) true
#define __return_val_ptr(pointer) true
#define __ptr_offset_bytes(pointer) 0
#define __ptr_base(pointer) (pointer)
#define __old_int(value) (value)
#define __read_offset_bytes(pointer) 0
#define __write_offset_bytes(pointer) 0
#define __add_noovfl_signed(a, b) ((a) + (b))
#define __add_noovfl_unsigned(a, b) ((a) + (b))
