#include "shared_request.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "distinct_units.h"
#include "lanes.h"
#include "smem/architecture.h"

namespace smem {
namespace {

/// Shared memory seen by accesses of `Bytes` (4, 8 or 16): units of that size in 32, 16 or 8 groups of banks. A warp is served
/// in phases of as many lanes as there are groups. Narrower accesses count as 4 bytes.
template <unsigned Bytes> struct Banks {
  static constexpr unsigned kGroups = kWavefrontBytes / Bytes;
  static constexpr unsigned kPhaseLanes = kGroups;

  static std::uint32_t unit(std::uint64_t address) { return static_cast<std::uint32_t>(address) / Bytes; }

  /// Most distinct words one bank must serve among the N lanes from `first` on; 0 if none is active.
  template <std::size_t N> static unsigned degree(const Request &request, unsigned first) {
    if ((request.active & lane_range(first, N)) == 0)
      return 0;
    return deepest_bucket<kGroups>(gather<N>(request, first, unit));
  }
};

/// The contribution of phases of one degree.
void add(RequestCost &cost, unsigned degree, unsigned phases = 1) {
  cost.wavefronts += degree * phases;
  cost.conflict_degree = std::max(cost.conflict_degree, degree);
}

/// The stride between all lanes of a full warp, in units, if there is one.
template <unsigned Bytes> std::optional<std::uint32_t> stride_of(const Request &request) {
  if (request.active != kFullMask)
    return std::nullopt;
  const auto units = gather<kWarpSize>(request, 0, Banks<Bytes>::unit);
  const std::uint32_t stride = units[1] - units[0];
  return has_stride(units, stride) ? std::optional(stride) : std::nullopt;
}

/// A full warp with one stride: all phases are alike.
template <unsigned Bytes> void serve_stride(std::uint32_t stride, RequestCost &cost) {
  constexpr unsigned kLanes = Banks<Bytes>::kPhaseLanes;
  add(cost, deepest_bucket_of_stride<Banks<Bytes>::kGroups>(kLanes, stride), kWarpSize / kLanes);
}

/// The first `lanes` lanes, phase by phase.
template <unsigned Bytes> void serve_in_phases(const Request &request, unsigned lanes, RequestCost &cost) {
  constexpr unsigned kLanes = Banks<Bytes>::kPhaseLanes;
  for (unsigned first = 0; first < lanes; first += kLanes)
    add(cost, Banks<Bytes>::template degree<kLanes>(request, first));
}

/// Which lanes agree with their neighbours on a unit of `Bytes`, for the rules that merge the phases of wide loads.
template <unsigned Bytes> class NeighbourAgreement {
public:
  explicit NeighbourAgreement(const Request &request) : active_(request.active) {
    for (unsigned lane = 0; lane < kWarpSize; lane += 4) {
      std::uint32_t a[4];
      for (unsigned i = 0; i < 4; ++i)
        a[i] = Banks<Bytes>::unit(request.address[lane + i]);
      const LaneMask by1 = LaneMask{a[0] != a[1]} * 0b0011u | LaneMask{a[2] != a[3]} * 0b1100u;
      const LaneMask by2 = LaneMask{a[0] != a[2]} * 0b0101u | LaneMask{a[1] != a[3]} * 0b1010u;
      differs_by1_ |= by1 << lane;
      differs_by2_ |= by2 << lane;
    }
  }

  /// All lanes of `group` agree with lane^1, or all with lane^2. An inactive lane agrees with any.
  bool pairs(LaneMask group) const {
    return (differs_by1_ & active_ & swapped_by1() & group) == 0 ||
           (differs_by2_ & active_ & swapped_by2() & group) == 0;
  }

  /// Likewise, but an inactive lane agrees only with an inactive one.
  bool pairs_strictly(LaneMask group) const {
    return (((differs_by1_ & active_) | (active_ ^ swapped_by1())) & group) == 0 ||
           (((differs_by2_ & active_) | (active_ ^ swapped_by2())) & group) == 0;
  }

private:
  LaneMask swapped_by1() const { return (active_ & 0x55555555u) << 1 | (active_ >> 1 & 0x55555555u); }
  LaneMask swapped_by2() const { return (active_ & 0x33333333u) << 2 | (active_ >> 2 & 0x33333333u); }

  LaneMask active_, differs_by1_ = 0, differs_by2_ = 0;
};

void serve_load64(const Request &request, RequestCost &cost) {
  const std::optional<std::uint32_t> stride = stride_of<8>(request);
  if (stride && *stride != 0)
    serve_stride<8>(*stride, cost);
  else if (NeighbourAgreement<8>(request).pairs(kFullMask) && Banks<8>::degree<kWarpSize>(request, 0) == 1)
    add(cost, 1);
  else
    serve_in_phases<8>(request, kWarpSize, cost);
}

bool all_lanes_on_one_address(const Request &request) {
  const auto units = gather<kWarpSize>(request, 0, Banks<16>::unit);
  return has_stride(units, 0);
}

void serve_load128(const Request &request, RequestCost &cost) {
  const std::optional<std::uint32_t> stride = stride_of<16>(request);
  if (stride && *stride != 0) {
    serve_stride<16>(*stride, cost);
    return;
  }
  if (all_lanes_on_one_address(request)) {
    cost.wavefronts = std::popcount(request.active) <= 16 ? 1 : 2;
    cost.conflict_degree = 1;
    return;
  }
  const NeighbourAgreement<16> agreement(request);
  constexpr LaneMask kLower = lane_range(0, 16), kUpper = lane_range(16, 16);
  // The lower half is not merged when lane 31 is active, except where the pairs agree in their activity too.
  const bool last_lane = (request.active >> 31 & 1) != 0;
  const bool may_merge[2] = {!last_lane || agreement.pairs_strictly(kLower), agreement.pairs(kUpper)};
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned first = 16 * half;
    if (may_merge[half] && Banks<16>::degree<16>(request, first) == 1) {
      add(cost, 1);
    } else {
      add(cost, Banks<16>::degree<8>(request, first));
      add(cost, Banks<16>::degree<8>(request, first + 8));
    }
  }
}

RequestCost load_cost(const Request &request, unsigned width_bytes, WideLoads rule) {
  RequestCost cost;
  const bool merge = rule == WideLoads::MergeAgreeingPairs;
  if (width_bytes <= 4)
    serve_in_phases<4>(request, kWarpSize, cost);
  else if (width_bytes == 8)
    merge ? serve_load64(request, cost) : serve_in_phases<8>(request, kWarpSize, cost);
  else
    merge ? serve_load128(request, cost) : serve_in_phases<16>(request, kWarpSize, cost);
  cost.ideal_wavefronts = std::min(cost.wavefronts, packed_wavefronts(request.active, width_bytes));
  return cost;
}

template <unsigned Bytes> void serve_store(const Request &request, RequestCost &cost) {
  if (const std::optional<std::uint32_t> stride = stride_of<Bytes>(request))
    serve_stride<Bytes>(*stride, cost);
  else
    serve_in_phases<Bytes>(request, kWarpSize, cost);
}

RequestCost store_cost(const Request &request, unsigned width_bytes) {
  RequestCost cost;
  if (width_bytes <= 4)
    serve_in_phases<4>(request, kWarpSize, cost); // one phase, which looks for a stride itself
  else if (width_bytes == 8)
    serve_store<8>(request, cost);
  else
    serve_store<16>(request, cost);
  cost.ideal_wavefronts = packed_wavefronts(request.active, width_bytes);
  return cost;
}

/// Lanes 0 to 7 hold the rows of the first 8x8 matrix, 8 to 15 those of the second, and so on; a phase a matrix.
RequestCost matrix_cost(const Request &request, unsigned matrices) {
  RequestCost cost;
  serve_in_phases<16>(request, 8 * matrices, cost);
  cost.ideal_wavefronts = matrices;
  return cost;
}

RequestCost atomic_cost(const Request &request, unsigned width_bytes, const AtomicRule &rule) {
  RequestCost cost;
  if (rule.service == AtomicService::EqualWordsAtOnce) {
    cost = store_cost(request, width_bytes);
  } else {
    const unsigned phase = width_bytes <= 4 ? 32 : 16;
    for (unsigned first = 0; first < kWarpSize; first += phase)
      add(cost, lanes_per_bank(request, lane_range(first, phase), width_bytes));
    cost.ideal_wavefronts = packed_wavefronts(request.active, width_bytes);
  }
  cost.wavefronts *= rule.passes;
  cost.ideal_wavefronts *= rule.passes;
  return cost;
}

} // namespace

unsigned lanes_per_bank(const Request &request, LaneMask lanes, unsigned width_bytes) {
  std::array<std::uint8_t, kBanks> count{};
  unsigned most = 0;
  for (LaneMask rest = request.active & lanes; rest != 0; rest &= rest - 1)
    most = std::max<unsigned>(most, ++count[first_bank(request.address[std::countr_zero(rest)], width_bytes)]);
  return most;
}

std::uint32_t serial_wavefronts(const Request &request, const Access &access, const Architecture &architecture) {
  if (access.space != Space::Shared || access.operation != Operation::Atomic || access.uncounted || request.active == 0)
    return 0;
  const AtomicRule &rule =
      architecture.rules.shared_atomic(static_cast<std::size_t>(access.atomic), access.width_bits, access.result_used);
  if (rule.service != AtomicService::LaneByLane)
    return 0;
  const unsigned width_bytes = access.width_bits / 8;
  AtomicRule at_once = rule;
  at_once.service = AtomicService::EqualWordsAtOnce;
  const std::uint32_t all = atomic_cost(request, width_bytes, rule).wavefronts;
  return all - std::min(all, atomic_cost(request, width_bytes, at_once).wavefronts);
}

RequestCost shared_cost(const Request &request, const Access &access, const MemoryRules &rules) {
  const unsigned width_bytes = access.width_bits / 8;
  switch (access.operation) {
  case Operation::Load: return load_cost(request, width_bytes, rules.wide_loads);
  case Operation::Store: return store_cost(request, width_bytes);
  case Operation::AsyncCopy: break; // evaluate_copy()
  case Operation::MatrixMultiply:
  case Operation::BulkCopy: break; // evaluate()
  case Operation::MatrixLoad:
  case Operation::MatrixStore: return matrix_cost(request, access.matrices);
  case Operation::Atomic:
    return atomic_cost(
        request, width_bytes,
        rules.shared_atomic(static_cast<std::size_t>(access.atomic), access.width_bits, access.result_used));
  }
  return {};
}

} // namespace smem
