// What one warp-wide memory instruction costs: a pure function of its 32 addresses.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace smem {

struct Architecture;

inline constexpr unsigned kWarpSize = 32;
using LaneMask = std::uint32_t;
inline constexpr LaneMask kFullMask = 0xffffffffu;

/// The memory that an instruction addresses, as far as it is counted.
enum class Space : std::uint8_t { Shared, Global };

/// What the instruction does there. An AsyncCopy (cp.async, LDGSTS) is one instruction with a global read side and a
/// shared write side; each side is evaluated as a request of its own.
enum class Operation : std::uint8_t {
  Load,
  Store,
  Atomic,
  AsyncCopy,
  MatrixLoad,
  MatrixStore,
  MatrixMultiply, ///< wgmma: a warpgroup reads operands in shared memory, described by one number for all lanes
  BulkCopy,       ///< cp.async.bulk, with and without a tensor map: an engine of its own moves the bytes
};

/// The machine operation behind an Operation::Atomic. It decides how lanes on one address are served.
enum class AtomicKind : std::uint8_t {
  None,
  Add,       ///< integer add of a value that differs between lanes or is not known to be 1
  Increment, ///< integer add of the constant 1 (ATOMS.POPC.INC)
  Min,
  Max,
  And,
  Or,
  Xor,
  Exchange,
  CompareAndSwap,
  IncrementWrap, ///< atomicInc
  DecrementWrap, ///< atomicDec
  FloatAdd,      ///< float/double/half2/bf16x2, by width
  FloatMinMax,
};

/// What is fixed about a memory instruction, whatever its addresses.
struct Access {
  Space space = Space::Shared;
  Operation operation = Operation::Load;
  /// Bits each lane moves: 8, 16, 32, 64 or 128. For MatrixLoad/MatrixStore 128, the row that a lane addresses.
  std::uint16_t width_bits = 32;
  AtomicKind atomic = AtomicKind::None;
  /// An atomic whose old value is used returns it (ATOM/ATOMS); one whose value is dropped is a reduction (RED).
  bool result_used = false;
  /// MatrixLoad/MatrixStore only: 8x8 matrices moved (1, 2 or 4); lanes 0..8*matrices-1 supply row addresses.
  std::uint8_t matrices = 0;
  bool transposed = false;
  /// L1 does not keep what a load or an AsyncCopy fetches from global memory: `.cg`, volatile.
  bool bypass_l1 = false;
  /// AsyncCopy only: the instruction stands under no condition (which might become its predicate) and has no source size
  /// (zero fill). The counters of other `.cg` copies are not a function of their addresses.
  bool plain_copy = false;
  /// MatrixMultiply only: bytes of its operands in shared memory, for the warpgroup.
  std::uint32_t operand_bytes = 0;
  /// No counter sees what the instruction does: st.async, and what goes to another block's shared memory.
  bool uncounted = false;

  bool operator==(const Access &) const = default;
};

/// One warp executing one instruction: byte addresses of the lanes in `active`; the others are ignored.
/// Shared addresses are offsets into the block's shared window, modulo 2^32; global ones need only be right modulo 128 and
/// relative to each other. Addresses are multiples of the access's width (others fault); lower bits are ignored.
struct Request {
  std::array<std::uint64_t, kWarpSize> address{};
  LaneMask active = 0;
};

/// The hardware's integers for one request. Fields of the other space are 0.
struct RequestCost {
  std::uint32_t wavefronts = 0;       ///< passes of the shared-memory pipe
  std::uint32_t ideal_wavefronts = 0; ///< what the counter `…_mem_shared_ideal` reports
  std::uint32_t conflict_degree =
      0;                     ///< most distinct words that one bank must serve in one phase; 0 when no lane is active
  std::uint32_t sectors = 0; ///< 32-byte pieces moved
  std::uint32_t ideal_sectors = 0; ///< what the counter `…_mem_global_ideal` reports
  std::uint32_t tags = 0;          ///< 128-byte lines looked up in L1

  bool operator==(const RequestCost &) const = default;
};

/// Whether what the access costs depends on addresses of lanes at all. Without, evaluate() looks at none.
inline bool has_lane_addresses(const Access &access) {
  return access.operation != Operation::MatrixMultiply && access.operation != Operation::BulkCopy && !access.uncounted;
}

/// Pure; never fails. A combination of access and architecture for which no rule has been established is reported by
/// unsupported_reason() and must not be evaluated.
RequestCost evaluate(const Request &request, const Access &access, const Architecture &architecture);

/// Those of a shared atomic's wavefronts that it takes because lanes update the same word, which goes lane by lane: how many it takes beyond
/// what distinct words of one bank need. 0 of any other access. The access is one that evaluate() has a rule for.
std::uint32_t serial_wavefronts(const Request &request, const Access &access, const Architecture &architecture);

/// Empty when evaluate() has a rule for this access, else why not ("no measurement of … on sm_70").
/// The sides of an AsyncCopy are not evaluated by themselves (but for the global one of `.ca`): see evaluate_copy(). An atomic without an instruction of its
/// own has a cost under an assumption only: see evaluate_atomic_loop().
std::string_view unsupported_reason(const Access &access, const Architecture &architecture);

/// What the two sides of an AsyncCopy cost together.
struct CopyCost {
  RequestCost cost;
  std::string_view shared_unknown; ///< not empty: why wavefronts, ideal_wavefronts and conflict_degree are not known
  std::string_view global_unknown; ///< not empty: why sectors and ideal_sectors are not known. Tags are.
};

/// Shared memory serves a copy as a read of the source and a write of the destination: conflicts of either cost wavefronts.
/// `source.active` has those lanes of `destination.active` that read at least one byte: all, unless the copy fills with zeros.
CopyCost evaluate_copy(const Request &destination, const Request &source, const Access &access,
                       const Architecture &architecture);

/// An atomic that the compiler turns into a loop of a load and a compare-and-swap: both count on the atomic's line.
struct AtomicLoopCost {
  std::uint32_t trips = 0; ///< loads executed, and swaps executed
  RequestCost load;        ///< of all trips
  RequestCost swap;        ///< of all trips
};

/// True for a shared atomic of that kind. evaluate_atomic_loop() is exact if no other warp updates the same words meanwhile and, where it
/// takes more than one trip, every update changes the stored value; whoever uses it has to say that it assumes so.
bool is_atomic_loop(const Access &access, const Architecture &architecture);
AtomicLoopCost evaluate_atomic_loop(const Request &request, const Access &access, const Architecture &architecture);

std::string_view to_string(Space space); // "shared" | "global"
std::string_view to_string(
    Operation
        operation); // "load" | "store" | "atomic" | "async_copy" | "matrix_load" | "matrix_store" | "matrix_multiply" | "bulk_copy"

} // namespace smem
