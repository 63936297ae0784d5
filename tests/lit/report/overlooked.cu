// A file whose kernels all are hidden from the analysis is not clean, and --quiet does not make it so.
// RUN: not %lint %s 2>&1 | FileCheck %s
// RUN: not %lint %s 2>/dev/null | FileCheck %s --check-prefix=TEXT
// RUN: not %lint --quiet %s 2>&1 | FileCheck %s
// RUN: not %lint --quiet --format=markdown %s 2>/dev/null | FileCheck %s --check-prefix=MARKDOWN
// RUN: not %lint --format=sarif %s 2>/dev/null | FileCheck %s --check-prefix=SARIF
// RUN: %lint --quiet %s -- -DENABLED=2 2>&1 | FileCheck %s --check-prefix=ENABLED --allow-empty
// __global__ void in_a_comment() {}
__global__ void declared(float *out);
#if ENABLED > 1
__global__ void hidden(float *out) { out[threadIdx.x] = 0; }
void launch(float *out) { hidden<<<1, 32>>>(out); }
#endif

// CHECK: overlooked.cu:11:1: warning: no kernel of this file was analysed: the condition of line 10 leaves this one out
// SARIF: "executionSuccessful": false
// MARKDOWN: **Analysed in part:** `{{.*}}overlooked.cu:11{{(:1)?}}`: no kernel of this file was analysed
// TEXT: 1 file of which no kernel was analysed: the messages say why
// TEXT-NEXT: no findings
// ENABLED-NOT: {{warning|error}}
