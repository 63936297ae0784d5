// Arrive/wait barriers as plain functions.
#pragma once
#include "cuda_pipeline_primitives.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;
SMEM_LINT_DEVICE unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }
SMEM_LINT_DEVICE void __mbarrier_init(__mbarrier_t *b, unsigned expected) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(b)), "r"(expected)
               : "memory");
}
SMEM_LINT_DEVICE void __mbarrier_inval(__mbarrier_t *b) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(b)) : "memory");
}
SMEM_LINT_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"((unsigned)__cvta_generic_to_shared(b))
               : "memory");
  return token;
}
SMEM_LINT_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"((unsigned)__cvta_generic_to_shared(b))
               : "memory");
  return token;
}
SMEM_LINT_DEVICE bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t token) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"((unsigned)__cvta_generic_to_shared(b)), "l"(token)
               : "memory");
  return done;
}
SMEM_LINT_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"((unsigned)__cvta_generic_to_shared(b)), "r"((unsigned)parity)
               : "memory");
  return done;
}
SMEM_LINT_DEVICE bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t token, unsigned nanoseconds) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2, %3; selp.b32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"((unsigned)__cvta_generic_to_shared(b)), "l"(token), "r"(nanoseconds)
               : "memory");
  return done;
}
SMEM_LINT_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity, unsigned nanoseconds) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, %3; selp.b32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"((unsigned)__cvta_generic_to_shared(b)), "r"((unsigned)parity), "r"(nanoseconds)
               : "memory");
  return done;
}
SMEM_LINT_DEVICE unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned pending;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(token));
  return pending;
}
SMEM_LINT_DEVICE void __pipeline_arrive_on(__mbarrier_t *b) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(b)) : "memory");
}
