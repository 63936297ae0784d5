// nvcc calls a constructor where the last operand of its last argument is: what one of a toolkit's header accesses counts on that line. 5 calls, PTX read.
// RUN: %lint --fail-on=never %s -- -isystem %S/Inputs/usr/include | FileCheck %s
#include <agent.h>

// smem-lint: launch block=32 grid=1
__global__ void k(int *counter, int *out) {
  __shared__ int first;
  Agent agent(
      first,
      counter,
      out,
      3);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}store 32 {{.*}}exact
  agent.process();
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 32 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}atomic 32 {{.*}}exact
}
