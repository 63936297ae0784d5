// Members of a structure are stated as source writes them.
// RUN: %lint --fail-on=never %s --launch 'rows:grid=4 block=128 p.ncols=64 p.dims[1].stride=64 p.out=0' 2>&1 | FileCheck %s --check-prefix=STATED
// RUN: %lint --fail-on=never %s --kernel rows --launch 'rows:grid=4 block=128 p.ncols=48' --set 'p.dims[1].stride % 8 == 3' 2>&1 | FileCheck %s --check-prefix=FACT
// RUN: not %lint %s --set p.nclos=4 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: not %lint %s --set 'p.=4' 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: not %lint %s --set 'p[x]=4' 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not %lint %s --set 'p.ncols=<value>' 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: %lint --fail-on=never %s --kernel rows 2>&1 | FileCheck %s --check-prefix=HINT
struct Dim { int extent, stride; };
struct Params { int ncols; float scale; Dim dims[2]; float *out; };

// STATED: {{^}}rows  grid=(4) block=(128) shared=4,096 B p.ncols=64 p.dims[1].stride=64
// STATED: t[i] {{.*}} exact
// STATED: p.out[threadIdx.x * p.ncols] {{.*}} 8x  exact
// FACT: {{^}}rows  grid=(4) block=(128)
// FACT: p.ncols=48
// FACT: open: p.dims[1].stride % 8 == 3
// HINT: --launch 'rows:block=<value> grid=<value> p.ncols=<value> p.dims[1].stride=<value>'
// MISSPELT: 'p.nclos' is no parameter of any kernel; did you mean 'p.ncols'?
// DOT: 'p.=4' is not of the form NAME=VALUE
// INDEX: 'p[x]=4' is not of the form NAME=VALUE
// PLACE: 'p.ncols=<value>': put the value of p.ncols in place of <value>
__global__ void rows(const float *x, Params p) {
  __shared__ float t[1024];
  for (int i = threadIdx.x; i < p.ncols; i += blockDim.x) t[i] = x[blockIdx.x * p.dims[1].stride + i];
  __syncthreads();
  p.out[threadIdx.x * p.ncols] = t[threadIdx.x];
}

// What host code makes of the others agrees with what is stated of one.
// STATED: {{^}}commented  grid=(6) block=(32) {{.*}}p.dims[0].extent=192
// STATED: p.dims[0].extent = 192
// smem-lint: launch p.dims[0].extent=192
__global__ void commented(Params p) {
  if (threadIdx.x < p.dims[0].extent) p.out[threadIdx.x * p.dims[0].extent] = p.scale;
}
void launch(Params p) { commented<<<p.dims[0].extent / 32, 32>>>(p); }
