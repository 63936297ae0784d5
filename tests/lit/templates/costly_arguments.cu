// Arguments that are made up can be those of a pack of thousands: looking for them ends after a part of the instantiations that the file may begin, and the other templates
// are analysed.
// RUN: %lint --fail-on=never --max-instantiations=100000 %s 2>&1 | FileCheck %s
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --check-prefix=ALL %s

template <unsigned LEVEL, unsigned WHICH> struct Tree {
  static constexpr unsigned leaves = Tree<LEVEL - 1, 2 * WHICH>::leaves + Tree<LEVEL - 1, 2 * WHICH + 1>::leaves;
};
template <unsigned WHICH> struct Tree<0, WHICH> {
  static constexpr unsigned leaves = 1;
};

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: note: template scale<T> is not instantiated in this file; analysed as scale<float> (assumed)
// ALL-DAG: analysed as scale<float>
template <typename T> __global__ void scale(T *data) {
  __shared__ T tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = 2 * tile[255 - threadIdx.x];
}

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: warning: template of_many<WIDTH> is not instantiated in this file and not analysed: looking for plausible arguments took more than 4000 template instantiations; `--launch 'of_many<...>:'` names them
// ALL-DAG: analysed as of_many<32>
template <int WIDTH> __global__ void of_many(float *data) {
  __shared__ float tile[Tree<12, WIDTH>::leaves / 64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[threadIdx.x ^ WIDTH];
}
