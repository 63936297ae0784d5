// Host-side helpers shared by every kernel of the catalogue: error checks, seeded
// fills, comparison with a reference, and the one-line verdict that `main` returns.
//
// Kept cheap to parse and dependent on nothing but the C library and eight runtime
// calls (cudaMalloc, cudaMemcpy, cudaMemset, cudaFree, cudaDeviceSynchronize,
// cudaGetLastError, cudaGetErrorString, cudaFuncSetAttribute). Nothing here runs on
// the device.
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

namespace catalogue {

// Aborts with the location when a runtime call failed.
inline void check(cudaError_t status, const char *what, const char *file, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(status));
  std::exit(1);
}

#define CUDA_CHECK(call) ::catalogue::check((call), #call, __FILE__, __LINE__)

// Put directly after a launch: reports a refused launch and any fault of the kernel.
#define CHECK_LAUNCH()                                                                   \
  do {                                                                                   \
    ::catalogue::check(cudaGetLastError(), "launch", __FILE__, __LINE__);                \
    ::catalogue::check(cudaDeviceSynchronize(), "kernel", __FILE__, __LINE__);           \
  } while (0)

// Sizes are a program's own unless the build names one, as measurements at the sizes of articles do.
#ifdef TRANSPOSE_SIZE
#define TRANSPOSE_SIZE_OR(own) TRANSPOSE_SIZE
#else
#define TRANSPOSE_SIZE_OR(own) own
#endif
#ifdef COPY_ELEMENTS
#define COPY_ELEMENTS_OR(own) COPY_ELEMENTS
#else
#define COPY_ELEMENTS_OR(own) own
#endif

constexpr int ceil_div(int n, int d) { return (n + d - 1) / d; }

// A small generator of its own, so that every platform draws the same values.
class Random {
public:
  explicit Random(unsigned seed) : state_(seed * 2654435761u + 1u) {}
  unsigned next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  unsigned below(unsigned limit) { return static_cast<unsigned>((static_cast<unsigned long long>(next()) * limit) >> 32); }

private:
  unsigned state_;
};

// `count` values k/16 with integer k in [-16, 16): exact in every floating-point type
// down to fp16, so that products are exact and only the order of sums matters.
template <typename T = float>
std::vector<T> random_values(std::size_t count, unsigned seed) {
  Random random(seed);
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>((static_cast<int>(random.below(32)) - 16) / 16.0f);
  return values;
}

// `count` integers in [0, limit).
template <typename T = int>
std::vector<T> random_integers(std::size_t count, unsigned limit, unsigned seed) {
  Random random(seed);
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(random.below(limit));
  return values;
}

// Device memory is released by the owner, `Device<T>`; it converts to the raw pointer
// that a kernel takes.
template <typename T>
class Device {
public:
  explicit Device(std::size_t count) : count_(count) {
    void *p = nullptr;
    check(cudaMalloc(&p, count * sizeof(T)), "cudaMalloc", __FILE__, __LINE__);
    check(cudaMemset(p, 0, count * sizeof(T)), "cudaMemset", __FILE__, __LINE__);
    data_ = static_cast<T *>(p);
  }
  explicit Device(const std::vector<T> &host) : Device(host.size()) { upload(host); }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device() { cudaFree(data_); }

  void upload(const std::vector<T> &host) {
    check(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy to device",
          __FILE__, __LINE__);
  }
  std::vector<T> download() const {
    std::vector<T> host(count_);
    check(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy to host", __FILE__,
          __LINE__);
    return host;
  }
  void clear() { check(cudaMemset(data_, 0, count_ * sizeof(T)), "cudaMemset", __FILE__, __LINE__); }
  T *get() const { return data_; }
  operator T *() const { return data_; }
  std::size_t size() const { return count_; }

private:
  std::size_t count_ = 0;
  T *data_ = nullptr;
};

// The largest error seen and whether all of them were within tolerance
// (|actual - expected| <= tolerance * max(1, |expected|); NaN is never within).
class Comparison {
public:
  explicit Comparison(double tolerance) : tolerance_(tolerance) {}
  void add(double actual, double expected) {
    const double error = std::fabs(actual - expected) / std::fmax(1.0, std::fabs(expected));
    if (!(error <= tolerance_)) ok_ = false;
    if (!(error <= max_error_)) max_error_ = error;
    ++count_;
  }
  bool ok() const { return ok_ && count_ != 0; }
  double max_error() const { return max_error_; }
  std::size_t count() const { return count_; }

private:
  double tolerance_;
  double max_error_ = 0;
  std::size_t count_ = 0;
  bool ok_ = true;
};

// Compares element by element and prints the largest error. Tolerance 0 asks for equality.
template <typename A, typename B>
bool compare(const char *what, const std::vector<A> &actual, const std::vector<B> &expected, double tolerance = 0) {
  Comparison c(tolerance);
  if (actual.size() == expected.size())
    for (std::size_t i = 0; i < actual.size(); ++i) c.add(static_cast<double>(actual[i]), static_cast<double>(expected[i]));
  std::printf("  %-32s max error %.3g over %zu values: %s\n", what, c.max_error(), c.count(), c.ok() ? "ok" : "WRONG");
  return c.ok();
}

// How the B operand of a product lies in memory: row-major (K,N) or row-major (N,K).
enum class Layout { KN, NK };

// Checks C (M,N) = A (M,K) * B against double-precision dot products of `samples`
// randomly drawn elements plus the four corners, and prints the largest error.
template <typename In, typename Out>
bool compare_gemm(const char *what, const std::vector<In> &a, const std::vector<In> &b, const std::vector<Out> &c, int m,
                  int n, int k, Layout layout = Layout::KN, double tolerance = 1e-6, int samples = 4096) {
  Random random(12345);
  Comparison result(tolerance);
  for (int s = 0; s < samples + 4; ++s) {
    int row = static_cast<int>(random.below(m)), col = static_cast<int>(random.below(n));
    if (s < 4) row = (s & 1) ? m - 1 : 0, col = (s & 2) ? n - 1 : 0;
    double sum = 0;
    for (int i = 0; i < k; ++i) {
      const std::size_t at =
          layout == Layout::KN ? static_cast<std::size_t>(i) * n + col : static_cast<std::size_t>(col) * k + i;
      sum += static_cast<double>(static_cast<float>(a[static_cast<std::size_t>(row) * k + i])) *
             static_cast<double>(static_cast<float>(b[at]));
    }
    result.add(static_cast<double>(static_cast<float>(c[static_cast<std::size_t>(row) * n + col])), sum);
  }
  std::printf("  %-32s max error %.3g over %zu sampled elements: %s\n", what, result.max_error(), result.count(),
              result.ok() ? "ok" : "WRONG");
  return result.ok();
}

// The last line of every `main`: prints the verdict and gives the exit code.
inline int report(const char *name, bool ok) {
  std::printf("%s: %s\n", name, ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

}  // namespace catalogue

#endif
