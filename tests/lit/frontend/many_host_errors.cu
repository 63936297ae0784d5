// A missing header makes many errors of host code: three are told one by one, and the others together. Without one each is an error, and told.
// RUN: not %lint %s 2>&1 | FileCheck %s
// RUN: sed 's/^#include.*//' %s > %t.cu; not %lint %t.cu 2>&1 | FileCheck --check-prefix=ALL %s
#include <ours/checks.h>
// CHECK: [[#@LINE-1]]:10: error: 'ours/checks.h' file not found

__global__ void copy(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x]; }

void first() { check_one(); }
void second() { check_two(); }
void third() { check_three(); }
void fourth() { check_four(); }
void fifth() { check_five(); }
void sixth() { check_one(); }
// CHECK-DAG: warning: host functions 'first' and 1 more are followed in part only: use of undeclared identifier 'check_one'
// CHECK-DAG: warning: host function 'second' is followed in part only: use of undeclared identifier 'check_two'
// CHECK-DAG: warning: host function 'third' is followed in part only: use of undeclared identifier 'check_three'
// CHECK-DAG: warning: host functions 'fourth' and 1 more are followed in part only: use of undeclared identifier 'check_four', and other errors
// CHECK-NOT: check_five
// ALL-DAG: error: host function 'fourth' is followed in part only: use of undeclared identifier 'check_four'
// ALL-DAG: error: host function 'fifth' is followed in part only: use of undeclared identifier 'check_five'

void launch(float *out, const float *in) { copy<<<4, 128>>>(out, in); }
