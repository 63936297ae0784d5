// A name that is declared nowhere is told once, with its other uses; the first of them may be a macro of the build's.
// RUN: not %lint %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not='not listed'
// RUN: %lint --fail-on=never %s -- -DROWS=32 -DCOLUMNS=8 2>&1 | FileCheck %s --check-prefix=DEFINED --implicit-check-not=error: --implicit-check-not='the build'
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: error: use of undeclared identifier 'ROWS' (26 more uses)
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: error: use of undeclared identifier 'COLUMNS' (1 more use)
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: note: if the build defines 'ROWS': `-- -DROWS=VALUE` does so here, `-p DIR` takes the flags of its compile_commands.json
// CHECK-DAG: [[#@LINE+8]]:{{[0-9]+}}: error: use of undeclared identifier 'absent'
// DEFINED: {{^}}sums  grid=
__global__ void sums(const float *in, float *out) {
  __shared__ float tile[ROWS * COLUMNS];
  tile[threadIdx.x] = in[threadIdx.x % COLUMNS];
  out[0] = ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS;
  out[1] = ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS + ROWS;
#ifndef ROWS
  out[2] = absent;
#endif
}
