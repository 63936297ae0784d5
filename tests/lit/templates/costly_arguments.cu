// Arguments that are made up can be those of a pack of thousands: looking for those of one template ends after a part of the instantiations that the file may begin, whatever
// they are begun for, and the other templates are analysed. Clang begins nothing more then: the last tree has half a million.
// RUN: %lint --fail-on=never --max-instantiations=100000 %s 2>&1 | FileCheck %s
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --check-prefix=ALL %s

template <unsigned LEVEL, unsigned WHICH> struct Tree {
  static constexpr unsigned leaves = Tree<LEVEL - 1, 2 * WHICH>::leaves + Tree<LEVEL - 1, 2 * WHICH + 1>::leaves;
};
template <unsigned WHICH> struct Tree<0, WHICH> {
  static constexpr unsigned leaves = 1;
};

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: warning: template of_many<WIDTH> is not instantiated in this file and not analysed: looking for plausible arguments took more than 1000 template instantiations; `--launch 'of_many<...>:'` names them
// ALL-DAG: analysed as of_many<32>
template <int WIDTH> __global__ void of_many(float *data) {
  __shared__ float tile[Tree<12, WIDTH>::leaves / 64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[threadIdx.x ^ WIDTH];
}

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: warning: template by_default<WIDTH, LEAVES> is not instantiated in this file and not analysed: looking for plausible arguments took more than 1000
// ALL-DAG: analysed as by_default<32, 4096>
template <int WIDTH, int LEAVES = Tree<12, WIDTH + 1>::leaves> __global__ void by_default(float *data) {
  data[threadIdx.x * LEAVES] = WIDTH;
}

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: warning: template of_more<WIDTH> is not instantiated in this file and not analysed: looking for plausible arguments took more than 1000
// ALL-DAG: :[[#@LINE+1]]:{{[0-9]+}}: warning: template of_more<WIDTH> is not instantiated in this file and not analysed: looking for plausible arguments took more than 100000
template <int WIDTH> __global__ void of_more(float *data) {
  data[threadIdx.x * Tree<18, WIDTH + 2>::leaves] = WIDTH;
}

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: note: template scale<T> is not instantiated in this file; analysed as scale<float> (assumed)
// ALL-DAG: analysed as scale<float>
template <typename T> __global__ void scale(T *data) {
  __shared__ T tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = 2 * tile[255 - threadIdx.x];
}
// CHECK: 0 exact, 4 assumed
// ALL: 0 exact
