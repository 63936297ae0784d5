// nvcc's atomic functions with an order and a scope, as Clang's of the same meaning; the scope changes no count.
#pragma once

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#define __nv_atomic_load(pointer, to, order, ...) __atomic_load(pointer, to, order)
#define __nv_atomic_load_n(pointer, order, ...) __atomic_load_n(pointer, order)
#define __nv_atomic_store(pointer, from, order, ...) __atomic_store(pointer, from, order)
#define __nv_atomic_store_n(pointer, value, order, ...) __atomic_store_n(pointer, value, order)
#define __nv_atomic_fetch_add(pointer, value, order, ...) __atomic_fetch_add(pointer, value, order)
#define __nv_atomic_fetch_sub(pointer, value, order, ...) __atomic_fetch_sub(pointer, value, order)
#define __nv_atomic_fetch_and(pointer, value, order, ...) __atomic_fetch_and(pointer, value, order)
#define __nv_atomic_fetch_or(pointer, value, order, ...) __atomic_fetch_or(pointer, value, order)
#define __nv_atomic_fetch_xor(pointer, value, order, ...) __atomic_fetch_xor(pointer, value, order)
#define __nv_atomic_fetch_min(pointer, value, order, ...) __atomic_fetch_min(pointer, value, order)
#define __nv_atomic_fetch_max(pointer, value, order, ...) __atomic_fetch_max(pointer, value, order)
#define __nv_atomic_exchange_n(pointer, value, order, ...) __atomic_exchange_n(pointer, value, order)
#define __nv_atomic_compare_exchange_n(pointer, expected, desired, weak, success, failure, ...)                        \
  __atomic_compare_exchange_n(pointer, expected, desired, weak, success, failure)
#define __nv_atomic_thread_fence(order, ...) __atomic_thread_fence(order)
