#include "frontend/known_headers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "frontend/skipped_declarations.h"

namespace smem {
namespace {

struct Declared {
  std::string_view name, header;
};

/// ISO C++17, [headers]; of names that several headers declare the one that most programs include for them.
constexpr std::array kInStd{
    Declared{"accumulate", "numeric"},
    Declared{"any", "any"},
    Declared{"array", "array"},
    Declared{"atomic", "atomic"},
    Declared{"bitset", "bitset"},
    Declared{"cerr", "iostream"},
    Declared{"chrono", "chrono"},
    Declared{"complex", "complex"},
    Declared{"condition_variable", "condition_variable"},
    Declared{"conditional", "type_traits"},
    Declared{"conditional_t", "type_traits"},
    Declared{"cout", "iostream"},
    Declared{"decay_t", "type_traits"},
    Declared{"deque", "deque"},
    Declared{"enable_if", "type_traits"},
    Declared{"enable_if_t", "type_traits"},
    Declared{"endl", "iostream"},
    Declared{"exception", "exception"},
    Declared{"fill", "algorithm"},
    Declared{"function", "functional"},
    Declared{"future", "future"},
    Declared{"initializer_list", "initializer_list"},
    Declared{"integral_constant", "type_traits"},
    Declared{"invalid_argument", "stdexcept"},
    Declared{"iota", "numeric"},
    Declared{"is_same", "type_traits"},
    Declared{"is_same_v", "type_traits"},
    Declared{"list", "list"},
    Declared{"lock_guard", "mutex"},
    Declared{"logic_error", "stdexcept"},
    Declared{"make_pair", "utility"},
    Declared{"make_shared", "memory"},
    Declared{"make_tuple", "tuple"},
    Declared{"make_unique", "memory"},
    Declared{"map", "map"},
    Declared{"max", "algorithm"},
    Declared{"max_element", "algorithm"},
    Declared{"min", "algorithm"},
    Declared{"min_element", "algorithm"},
    Declared{"move", "utility"},
    Declared{"mt19937", "random"},
    Declared{"multiplies", "functional"},
    Declared{"mutex", "mutex"},
    Declared{"numeric_limits", "limits"},
    Declared{"optional", "optional"},
    Declared{"ostream", "ostream"},
    Declared{"ostringstream", "sstream"},
    Declared{"out_of_range", "stdexcept"},
    Declared{"pair", "utility"},
    Declared{"plus", "functional"},
    Declared{"queue", "queue"},
    Declared{"random_device", "random"},
    Declared{"runtime_error", "stdexcept"},
    Declared{"set", "set"},
    Declared{"setprecision", "iomanip"},
    Declared{"setw", "iomanip"},
    Declared{"shared_ptr", "memory"},
    Declared{"sort", "algorithm"},
    Declared{"stack", "stack"},
    Declared{"string", "string"},
    Declared{"string_view", "string_view"},
    Declared{"stringstream", "sstream"},
    Declared{"swap", "utility"},
    Declared{"thread", "thread"},
    Declared{"tie", "tuple"},
    Declared{"to_string", "string"},
    Declared{"transform", "algorithm"},
    Declared{"tuple", "tuple"},
    Declared{"uniform_real_distribution", "random"},
    Declared{"unique_lock", "mutex"},
    Declared{"unique_ptr", "memory"},
    Declared{"unordered_map", "unordered_map"},
    Declared{"unordered_set", "unordered_set"},
    Declared{"variant", "variant"},
    Declared{"vector", "vector"},
};

/// C's, and those of the toolkit's headers that a kernel's file has to include by itself.
constexpr std::array kGlobal{
    Declared{"CUtensorMap", "cuda.h"},
    Declared{"CUstream", "cuda.h"},
    Declared{"DBL_MAX", "cfloat"},
    Declared{"EXIT_FAILURE", "cstdlib"},
    Declared{"EXIT_SUCCESS", "cstdlib"},
    Declared{"FLT_EPSILON", "cfloat"},
    Declared{"FLT_MAX", "cfloat"},
    Declared{"FLT_MIN", "cfloat"},
    Declared{"INT_MAX", "climits"},
    Declared{"INT_MIN", "climits"},
    Declared{"M_PI", "cmath"},
    Declared{"UINT_MAX", "climits"},
    Declared{"__half", "cuda_fp16.h"},
    Declared{"__half2", "cuda_fp16.h"},
    Declared{"__nv_bfloat16", "cuda_bf16.h"},
    Declared{"__nv_bfloat162", "cuda_bf16.h"},
    Declared{"__nv_fp8_e4m3", "cuda_fp8.h"},
    Declared{"__nv_fp8_e5m2", "cuda_fp8.h"},
    Declared{"__nv_fp8x2_e4m3", "cuda_fp8.h"},
    Declared{"__nv_fp8x2_e5m2", "cuda_fp8.h"},
    Declared{"__nv_fp8x4_e4m3", "cuda_fp8.h"},
    Declared{"__nv_fp8x4_e5m2", "cuda_fp8.h"},
    Declared{"assert", "cassert"},
    Declared{"cooperative_groups", "cooperative_groups.h"},
    Declared{"cuComplex", "cuComplex.h"},
    Declared{"cuDoubleComplex", "cuComplex.h"},
    Declared{"cuFloatComplex", "cuComplex.h"},
    Declared{"cub", "cub/cub.cuh"},
    Declared{"cublasHandle_t", "cublas_v2.h"},
    Declared{"cublasLtHandle_t", "cublasLt.h"},
    Declared{"curandState", "curand_kernel.h"},
    Declared{"curandStatePhilox4_32_10_t", "curand_kernel.h"},
    Declared{"curandState_t", "curand_kernel.h"},
    Declared{"curand_init", "curand_kernel.h"},
    Declared{"half", "cuda_fp16.h"},
    Declared{"half2", "cuda_fp16.h"},
    Declared{"int16_t", "cstdint"},
    Declared{"int32_t", "cstdint"},
    Declared{"int64_t", "cstdint"},
    Declared{"int8_t", "cstdint"},
    Declared{"nv_bfloat16", "cuda_bf16.h"},
    Declared{"nv_bfloat162", "cuda_bf16.h"},
    Declared{"nvcuda", "mma.h"},
    Declared{"uint16_t", "cstdint"},
    Declared{"uint32_t", "cstdint"},
    Declared{"uint64_t", "cstdint"},
    Declared{"uint8_t", "cstdint"},
    Declared{"uintptr_t", "cstdint"},
};

template <std::size_t N> std::string_view look_up(const std::array<Declared, N> &table, std::string_view name) {
  for (const Declared &one : table)
    if (one.name == name)
      return one.header;
  return {};
}

} // namespace

std::string_view header_that_declares(std::string_view name, bool in_std) {
  return in_std ? look_up(kInStd, name) : look_up(kGlobal, name);
}

std::string_view header_missed_by(const SourceError &error) {
  const std::optional<UndeclaredName> name = undeclared_name(error.message);
  if (!name)
    return {};
  constexpr std::string_view kStd = "std";
  if (name->name != kStd || !error.contents || error.offset > error.contents->size())
    return header_that_declares(name->name, name->in_std);
  std::string_view rest = std::string_view(*error.contents).substr(error.offset);
  for (const std::string_view expected : {kStd, std::string_view("::")}) {
    if (!rest.starts_with(expected))
      return {};
    rest.remove_prefix(expected.size());
  }
  const auto end = std::ranges::find_if_not(
      rest, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
  return header_that_declares(std::string_view(rest.begin(), end), /*in_std=*/true);
}

} // namespace smem
