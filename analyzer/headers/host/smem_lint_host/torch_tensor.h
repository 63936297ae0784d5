// Tensors, and what kernels see of them.
#pragma once

#include <smem_lint_host/torch_c10.h>

namespace at {
using namespace c10;
using c10::cuda::CUDAStream;

struct Scalar {
  Scalar(double);
  template <class T> T to() const;
  double toDouble() const;
  float toFloat() const;
  std::int64_t toLong() const;
  int toInt() const;
};

template <class T> struct OpMathType {
  using type = T;
};
template <> struct OpMathType<Half> {
  using type = float;
};
template <> struct OpMathType<BFloat16> {
  using type = float;
};
template <class T> using opmath_type = typename OpMathType<T>::type;
template <class T, bool IsCuda> struct AccumulateType {
  using type = opmath_type<T>;
};
template <class T, bool IsCuda> using acc_type = typename AccumulateType<T, IsCuda>::type;

template <class T> struct DefaultPtrTraits {
  using PtrType = T *;
};
template <class T> struct RestrictPtrTraits {
  using PtrType = T *__restrict__;
};

/// What kernels see of a tensor: a pointer, sizes and strides, in the layout that PyTorch passes.
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class TensorAccessorBase {
public:
  using PtrType = typename Traits<T>::PtrType;
  __host__ __device__ TensorAccessorBase(PtrType data, const Index *sizes, const Index *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  ArrayRef<Index> sizes() const;
  ArrayRef<Index> strides() const;
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ PtrType data() { return data_; }
  __host__ __device__ const PtrType data() const { return data_; }

protected:
  PtrType data_;
  const Index *sizes_, *strides_;
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, Traits, Index> {
public:
  using PtrType = typename Traits<T>::PtrType;
  using TensorAccessorBase<T, N, Traits, Index>::TensorAccessorBase;
  __host__ __device__ decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return (this->data_[this->strides_[0] * i]);
    else
      return TensorAccessor<T, N - 1, Traits, Index>(this->data_ + this->strides_[0] * i, this->sizes_ + 1,
                                                     this->strides_ + 1);
  }
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class GenericPackedTensorAccessorBase {
public:
  using PtrType = typename Traits<T>::PtrType;
  template <class Other> GenericPackedTensorAccessorBase(PtrType, const Other *, const Other *);
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ PtrType data() { return data_; }
  __host__ __device__ const PtrType data() const { return data_; }

protected:
  PtrType data_;
  Index sizes_[N], strides_[N];
  void bounds_check_(Index) const;
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class GenericPackedTensorAccessor : public GenericPackedTensorAccessorBase<T, N, Traits, Index> {
public:
  using PtrType = typename Traits<T>::PtrType;
  using GenericPackedTensorAccessorBase<T, N, Traits, Index>::GenericPackedTensorAccessorBase;
  __host__ __device__ decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return (this->data_[this->strides_[0] * i]);
    else
      return TensorAccessor<T, N - 1, Traits, Index>(this->data_ + this->strides_[0] * i, this->sizes_ + 1,
                                                     this->strides_ + 1);
  }
  GenericPackedTensorAccessor<T, N - 1, Traits, Index> transpose(Index, Index) const;
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits> using PackedTensorAccessor32 =
    GenericPackedTensorAccessor<T, N, Traits, std::int32_t>;
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits> using PackedTensorAccessor64 =
    GenericPackedTensorAccessor<T, N, Traits, std::int64_t>;
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, Index>;

struct TensorImpl {
  bool storage_initialized() const;
};
struct Storage {
  template <class T> T *data() const;
  void *mutable_data() const;
  std::size_t nbytes() const;
};
class Tensor;
namespace indexing {
struct EllipsisIndexType {};
inline constexpr std::nullopt_t None = std::nullopt;
inline const EllipsisIndexType Ellipsis;
struct Slice {
  Slice(std::optional<std::int64_t> = {}, std::optional<std::int64_t> = {}, std::optional<std::int64_t> = {});
};
struct TensorIndex {
  TensorIndex(std::nullopt_t);
  TensorIndex(EllipsisIndexType);
  TensorIndex(const char *);
  TensorIndex(Slice);
  TensorIndex(const Tensor &);
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> TensorIndex(T);
};
} // namespace indexing
class Tensor {
public:
  Tensor();
  void *data_ptr() const;
  template <class T> T *data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
  template <class T> const T *const_data_ptr() const;
  const void *const_data_ptr() const;
  void *mutable_data_ptr() const;
  Storage storage() const;
  TensorImpl *unsafeGetTensorImpl() const;
  MaybeOwned<Tensor> expect_contiguous() const;
  Tensor diff(std::int64_t = 1, std::int64_t = -1) const;
  template <class T> T *data() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
  PackedTensorAccessor<T, N, Traits, Index> packed_accessor() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
  GenericPackedTensorAccessor<T, N, Traits, Index> generic_packed_accessor() const;
  template <class T, std::size_t N> TensorAccessor<T, N> accessor() const;
  std::int64_t size(std::int64_t) const;
  std::int64_t stride(std::int64_t) const;
  SymInt sym_size(std::int64_t) const;
  SymInt sym_stride(std::int64_t) const;
  SymInt sym_numel() const;
  SymIntArrayRef sym_sizes() const;
  SymIntArrayRef sym_strides() const;
  std::int64_t ndimension() const;
  std::int64_t itemsize() const;
  std::int64_t storage_offset() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  std::int64_t dim() const;
  std::int64_t numel() const;
  std::int64_t element_size() const;
  std::size_t nbytes() const;
  TensorOptions options() const;
  ScalarType dtype() const;
  ScalarType scalar_type() const;
  Device device() const;
  DeviceIndex get_device() const;
  bool defined() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_mtia() const;
  bool is_meta() const;
  bool is_sparse() const;
  bool is_pinned() const;
  bool is_same(const Tensor &) const;
  bool is_contiguous() const;
  bool is_contiguous(MemoryFormat) const;
  bool is_floating_point() const;
  bool requires_grad() const;
  bool has_storage() const;
  DeviceIndex device_index() const;
  bool operator==(const Tensor &) const;
  Tensor contiguous() const;
  Tensor contiguous(MemoryFormat) const;
  ScalarType type() const;
  Tensor select(std::int64_t, std::int64_t) const;
  Tensor slice(std::int64_t, std::optional<std::int64_t> = {}, std::optional<std::int64_t> = {},
               std::int64_t = 1) const;
  Tensor narrow(std::int64_t, std::int64_t, std::int64_t) const;
  Tensor permute(IntArrayRef) const;
  Tensor expand(IntArrayRef) const;
  Tensor expand_as(const Tensor &) const;
  Tensor view_as(const Tensor &) const;
  Tensor reshape_as(const Tensor &) const;
  Tensor flatten(std::int64_t, std::int64_t = -1) const;
  Tensor squeeze(std::int64_t) const;
  Tensor sum(IntArrayRef, bool = false, std::optional<ScalarType> = {}) const;
  Tensor sum(ScalarType) const;
  Tensor prod() const;
  Tensor mean() const;
  Tensor any() const;
  Tensor all() const;
  Tensor eq(Scalar) const;
  Tensor ne(Scalar) const;
  Tensor argsort(std::int64_t = -1, bool = false) const;
  std::tuple<Tensor, Tensor> sort(std::int64_t = -1, bool = false) const;
  Tensor index_select(std::int64_t, const Tensor &) const;
  Tensor toType(ScalarType) const;
  Tensor grad() const;
  Tensor repeat(IntArrayRef) const;
  void record_stream(CUDAStream) const;
  Tensor set_requires_grad(bool) const;
  Tensor fill_(Scalar) const;
  Tensor resize_(IntArrayRef) const;
  Tensor copy_(const Tensor &, bool = false) const;
  Tensor add_(const Tensor &) const;
  Tensor mul_(Scalar) const;
  Tensor cumsum(std::int64_t) const;
  Tensor index(ArrayRef<indexing::TensorIndex>) const;
  Tensor index_put_(ArrayRef<indexing::TensorIndex>, const Tensor &) const;
  Tensor index_put_(ArrayRef<indexing::TensorIndex>, Scalar) const;
  Tensor clone() const;
  Tensor detach() const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor t() const;
  Tensor transpose(std::int64_t, std::int64_t) const;
  Tensor view(IntArrayRef) const;
  Tensor reshape(IntArrayRef) const;
  Tensor flatten() const;
  Tensor squeeze() const;
  Tensor unsqueeze(std::int64_t) const;
  Tensor zero_() const;
  Tensor max() const;
  Tensor min() const;
  std::tuple<Tensor, Tensor> max(std::int64_t, bool = false) const;
  std::tuple<Tensor, Tensor> min(std::int64_t, bool = false) const;
  Tensor sum() const;
  template <class... T> Tensor to(const T &...) const;
  template <class T> T item() const;
  Scalar item() const;
  Tensor transpose_(std::int64_t, std::int64_t) const;
  Tensor resize_as_(const Tensor &) const;
  Tensor flip(IntArrayRef) const;
  Tensor ceil() const;
  Tensor floor() const;
  Tensor round() const;
  Tensor abs() const;
  Tensor neg() const;
  Tensor exp() const;
  Tensor log() const;
  Tensor sqrt() const;
  Tensor conj() const;
  Tensor bitwise_not() const;
  Tensor logical_not() const;
  Tensor clamp(std::optional<Scalar>, std::optional<Scalar> = {}) const;
  Tensor clamp_min(Scalar) const;
  Tensor clamp_min_(Scalar) const;
  Tensor clamp_max_(Scalar) const;
  Tensor clamp_(std::optional<Scalar>, std::optional<Scalar> = {}) const;
  Tensor clamp_max(Scalar) const;
  Tensor masked_fill(const Tensor &, Scalar) const;
  Tensor masked_fill_(const Tensor &, Scalar) const;
  Tensor masked_select(const Tensor &) const;
  Tensor nonzero() const;
  Tensor div(const Tensor &) const;
  Tensor div(Scalar) const;
  Tensor div_(const Tensor &) const;
  Tensor div_(Scalar) const;
  Tensor true_divide(const Tensor &) const;
  Tensor true_divide_(const Tensor &) const;
  Tensor floor_divide_(const Tensor &) const;
  Tensor add(const Tensor &, Scalar = 1) const;
  Tensor add(Scalar) const;
  Tensor sub(const Tensor &, Scalar = 1) const;
  Tensor sub(Scalar) const;
  Tensor mul(const Tensor &) const;
  Tensor mul(Scalar) const;
  Tensor mul_(const Tensor &) const;
  Tensor sub_(const Tensor &) const;
  Tensor matmul(const Tensor &) const;
  Tensor mm(const Tensor &) const;
  Tensor bmm(const Tensor &) const;
  Tensor gather(std::int64_t, const Tensor &) const;
  Tensor scatter_add_(std::int64_t, const Tensor &, const Tensor &) const;
  Tensor movedim(std::int64_t, std::int64_t) const;
  Tensor unfold(std::int64_t, std::int64_t, std::int64_t) const;
  std::vector<Tensor> unbind(std::int64_t = 0) const;
  std::vector<Tensor> split(std::int64_t, std::int64_t = 0) const;
  std::vector<Tensor> chunk(std::int64_t, std::int64_t = 0) const;
  template <class... T> Tensor new_empty(IntArrayRef, const T &...) const;
  template <class... T> Tensor new_zeros(IntArrayRef, const T &...) const;
  template <class... T> Tensor new_ones(IntArrayRef, const T &...) const;
  template <class... T> Tensor new_full(IntArrayRef, Scalar, const T &...) const;
  bool is_complex() const;
  Tensor index_add_(std::int64_t, const Tensor &, const Tensor &) const;
  bool equal(const Tensor &) const;
  template <class T> Tensor operator[](T) const;
};

using TensorList = ArrayRef<Tensor>;
std::optional<Device> device_of(const Tensor &);
std::optional<Device> device_of(TensorList);
Tensor operator+(const Tensor &, const Tensor &);
Tensor operator-(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, Scalar);
Tensor operator/(const Tensor &, Scalar);
#define SMEM_LINT_TENSOR_COMPARISON(sign)                                                                              \
  Tensor operator sign(const Tensor &, const Tensor &);                                                                \
  Tensor operator sign(const Tensor &, Scalar);
SMEM_LINT_TENSOR_COMPARISON(<)
SMEM_LINT_TENSOR_COMPARISON(<=)
SMEM_LINT_TENSOR_COMPARISON(>)
SMEM_LINT_TENSOR_COMPARISON(>=)
SMEM_LINT_TENSOR_COMPARISON(!=)
Tensor operator==(const Tensor &, Scalar);
Tensor operator+(const Tensor &, Scalar);
Tensor operator-(const Tensor &, Scalar);
Tensor operator/(const Tensor &, const Tensor &);
Tensor operator*(Scalar, const Tensor &);
Tensor operator-(const Tensor &);
Tensor matmul(const Tensor &, const Tensor &);
Tensor mm(const Tensor &, const Tensor &);
Tensor bmm(const Tensor &, const Tensor &);
Tensor &mm_out(Tensor &, const Tensor &, const Tensor &);
Tensor &addmm_out(Tensor &, const Tensor &, const Tensor &, const Tensor &, Scalar = 1, Scalar = 1);
Tensor index_select(const Tensor &, std::int64_t, const Tensor &);
Tensor cat(const std::vector<Tensor> &, std::int64_t = 0);
Tensor stack(const std::vector<Tensor> &, std::int64_t = 0);
template <class... T> Tensor arange(Scalar, const T &...);
Tensor &sum_out(Tensor &, const Tensor &, std::int64_t);
Tensor isnan(const Tensor &);
Tensor isinf(const Tensor &);
struct OptionalTensorRef {
  OptionalTensorRef();
  OptionalTensorRef(const Tensor &);
};
struct TensorArg {
  TensorArg(const Tensor &, const char *, int);
  const Tensor &operator*() const;
  const Tensor *operator->() const;
};
using CheckedFrom = const char *;
void checkAllSameGPU(CheckedFrom, ArrayRef<TensorArg>);
void checkAllSameType(CheckedFrom, ArrayRef<TensorArg>);
template <class... T> void checkSameGPU(CheckedFrom, const T &...);

template <class... T> Tensor empty(IntArrayRef, const T &...);
template <class... T> Tensor zeros(IntArrayRef, const T &...);
template <class... T> Tensor ones(IntArrayRef, const T &...);
template <class... T> Tensor rand(IntArrayRef, const T &...);
template <class... T> Tensor randn(IntArrayRef, const T &...);
template <class... T> Tensor full(IntArrayRef, Scalar, const T &...);
template <class... T> Tensor empty_like(const Tensor &, const T &...);
template <class... T> Tensor zeros_like(const Tensor &, const T &...);
std::int64_t numel(const Tensor &);
template <class... T> Tensor ones_like(const Tensor &, const T &...);
Tensor max(const Tensor &);
std::tuple<Tensor, Tensor> max(const Tensor &, std::int64_t, bool = false);
Tensor min(const Tensor &);
std::tuple<Tensor, Tensor> min(const Tensor &, std::int64_t, bool = false);
Tensor sum(const Tensor &);
Tensor sum(const Tensor &, IntArrayRef, bool = false);
Tensor prod(const Tensor &);
Tensor prod(const Tensor &, std::int64_t, bool = false);
Tensor cumsum(const Tensor &, std::int64_t, std::optional<ScalarType> = {});
template <class T> Tensor tensor(const T &, const TensorOptions & = {});
template <class T> Tensor tensor(std::initializer_list<T>, const TensorOptions & = {});
template <class... T> Tensor from_blob(void *, IntArrayRef, const T &...);
template <class... T> Tensor scalar_tensor(Scalar, const T &...);
template <class... T> Tensor empty_symint(SymIntArrayRef, const T &...);
template <class... T> Tensor empty_strided(IntArrayRef, IntArrayRef, const T &...);

/// The state of a generator of random numbers as it is passed to kernels.
struct PhiloxCudaState {
  PhiloxCudaState() = default;
  PhiloxCudaState(std::uint64_t, std::uint64_t);
  PhiloxCudaState(std::int64_t *, std::int64_t *, std::uint32_t);
  union Payload {
    std::uint64_t val;
    std::int64_t *ptr;
  };
  Payload seed_, offset_;
  std::uint32_t offset_intragraph_ = 0;
  bool captured_ = false;
};
struct Generator {
  std::mutex &mutex() const;
};
struct CUDAGeneratorImpl {
  PhiloxCudaState philox_cuda_state(std::uint64_t);
  std::pair<std::uint64_t, std::uint64_t> philox_engine_inputs(std::uint64_t);
  std::mutex mutex_;
};
template <class T> T *check_generator(std::optional<Generator>);
template <class T> T *get_generator_or_default(const std::optional<Generator> &, const Generator &);

template <class T> inline C10_HOST_DEVICE bool _isnan(T value) { return value != value; }

namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(std::int64_t);
int warp_size();
cublasHandle_t getCurrentCUDABlasHandle();
template <class T> constexpr __host__ __device__ T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
bool check_device(TensorList);
namespace detail {
const Generator &getDefaultCUDAGenerator(DeviceIndex = -1);
bool canUse32BitIndexMath(const Tensor &, std::int64_t = 0);
} // namespace detail
namespace philox {
inline __host__ __device__ std::tuple<std::uint64_t, std::uint64_t> unpack(PhiloxCudaState state) {
  if (state.captured_)
    return {static_cast<std::uint64_t>(*state.seed_.ptr),
            static_cast<std::uint64_t>(*state.offset_.ptr + state.offset_intragraph_)};
  return {state.seed_.val, state.offset_.val};
}
} // namespace philox
} // namespace cuda
} // namespace at
