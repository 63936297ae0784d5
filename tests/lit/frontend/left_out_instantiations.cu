// Of a template of which other instantiations are analysed, those that are left out have their arguments in the message.
// RUN: not %lint-short --fail-on=never %s 2>&1 | FileCheck %s
template <class T> struct Count;
template <> struct Count<float> { static constexpr int value = 1; };

// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: kernel 'some<double>' is not analysed: implicit instantiation of undefined template 'Count<double>'
template <class T> __global__ void some(T *out) { out[threadIdx.x * Count<T>::value] = 1; }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: kernel 'none' is not analysed: implicit instantiation of undefined template 'Count<double>'
template <class T> __global__ void none(T *out) { out[threadIdx.x * Count<T>::value] = 1; }

void launch(float *a, double *b) {
  some<<<1, 32>>>(a);
  some<<<1, 32>>>(b);
  none<<<1, 32>>>(b);
}
