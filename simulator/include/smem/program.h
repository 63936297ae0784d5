// The warp program that the simulator runs.
//
// A Program is a control-flow graph over integer registers in SSA form, holding only what decides addresses, active lanes
// and trip counts of a kernel's memory instructions. It knows nothing of its producers: any producer may build one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smem/assumption.h"
#include "smem/launch.h"
#include "smem/memory_model.h"
#include "smem/source.h"

namespace smem {

using RegisterId = std::uint32_t;
using BlockId = std::uint32_t;
using SiteId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffu;
inline constexpr std::int64_t kAllCopies = -1, kGroupsNotKnown = -2; ///< immediates of Opcode::CopyWait
inline constexpr std::int64_t kVotes = 1; ///< immediate of a Barrier that gives its threads a result, too
inline constexpr std::int64_t kNoSignedWrap =
    1; ///< immediate of a sum, product or shift that always fits its width, as a signed number
inline constexpr std::int64_t kClusterBarrier =
    16; ///< the number of one that is none of the block's, which are 0 to 15

/// A register holds one integer of `width` bits (1..64) in each lane; arithmetic wraps modulo 2^width.
/// Addresses are 64-bit. A pointer into shared memory by its own address space is the byte offset into the block's shared
/// window; ToGeneric turns it into a generic address, which remembers its window.
enum class Opcode : std::uint8_t {
  // Leaves. No operands.
  Constant,      ///< immediate
  Special,       ///< immediate is a SpecialRegister
  Argument,      ///< kernel argument `index`, `width` bits at byte `immediate` of it (non-zero inside a struct)
  SharedAddress, ///< offset of shared_arrays[index] in the shared window (address space shared)
  LocalAddress,  ///< generic address of local_objects[index], per lane
  GlobalAddress, ///< generic address of global_objects[index]
  Undefined,     ///< undef/poison: any value may be assumed
  // Integer arithmetic, two operands of the result's width. immediate of Add, Sub, Mul, Shl: kNoSignedWrap or 0.
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  UMin,
  UMax,
  SMin,
  SMax,
  UMulHigh,
  SMulHigh,
  // Integer functions of one operand.
  Popcount,
  CountLeadingZeros,
  CountTrailingZeros,
  ReverseBits,
  ReverseBytes,
  // Funnel shift of operands (high, low, amount).
  FunnelLeft,
  FunnelRight,
  // Width changes. The operand's width is that of its own register.
  Truncate,
  ZeroExtend,
  SignExtend,
  // Comparisons: 1-bit result.
  Eq,
  Ne,
  ULt,
  ULe,
  SLt,
  SLe,
  Select, ///< operands (condition, if true, if false)
  // Address-space casts of pointers.
  SharedToGeneric,
  GenericToShared,
  /// Operands (address in the block's own shared memory, 1 bit): the same place of another block of the cluster where the bit is 1.
  MapToOtherBlock,
  // Floating point on the bit patterns of 32- or 64-bit registers, as IEEE 754 has it; immediate is what a FloatMode packs.
  FAdd,
  FSub,
  FMul,
  FDiv,
  FRem,
  FMin,
  FMax,
  FFma, ///< operands (factor, factor, summand), rounded once
  FSqrt,
  FRound, ///< to a whole number
  FEq,
  FNe,
  FLt,
  FLe,
  FToS,
  FToU,
  SToF,
  UToF,
  FResize, ///< from 16 bits (IEEE 754's, not bfloat16), too
  /// Operands are what the value may be, by what a compiler makes of the source; known where they agree. index is a reason.
  Agree,
  // Warp-wide exchange of values; executed by the active lanes.
  Shuffle,   ///< operands (value, lane or delta, clamp word as in PTX shfl `c`); immediate is a ShuffleMode
  ShuffleOk, ///< same operands: the predicate result of shfl
  // Operands (predicate or value, members): what the active lanes of its mask of members bring, for each lane.
  Ballot, ///< bit mask of those where the predicate holds
  VoteAll,
  VoteAny,
  VoteUniform,
  MatchAny, ///< bit mask of those with the lane's value
  MatchAll, ///< bit mask of them all if they have one value, else 0
  Reduce,   ///< their values, joined by the opcode that is the immediate
  ActiveMask,
  // Anything else. Same operands, same value: warp-uniform (though unknown) when all operands are; index is a reason.
  Opaque,
  // Effects.
  Memory, ///< memory_operations[index]
  /// Block-wide execution barrier (any id). Operands, where they were kept: (number of the barrier, threads). immediate: kVotes or 0.
  Barrier,
  WarpBarrier, ///< of the lanes in immediate; 0: not known which
  // Effects that order memory and nothing else, in programs that races are looked for in.
  BarrierArrive, ///< operands (number of the barrier, threads): counts for it, and goes on
  Fence,         ///< of the device or wider
  CopyCommit,    ///< the asynchronous copies since the last one are a group
  CopyWait, ///< until at most `immediate` groups of the lane's copies are not done; kAllCopies: and no copy outside of a group
  BulkCommit, ///< likewise the bulk copies out of shared memory
  BulkWait,   ///< until they have read it, likewise
  /// Of a barrier in shared memory (mbarrier). Operands (its address, 1 bit: lanes that do it, number, bytes, then what an Opaque in its place
  /// has); immediate is what an MbarrierCall packs. The result is a phase of Arrive, the outcome of a wait, else nothing.
  Mbarrier,
  /// memory_operations[index] moves bytes. Operands (address in shared memory, 1 bit: lanes that do it, bytes, address of the barrier that
  /// completes); immediate is a BulkMove.
  BulkCopy,
  /// Operand: the lanes that a shuffle, a vote or a barrier of the warp names; immediate: a WarpOperation. Counts depend on those that name
  /// lanes by a constant, where not all lanes need to come.
  WarpMembers,
};

/// What lanes that name each other have to execute alike.
enum class WarpOperation : std::uint8_t { Shuffle, Vote, Match, Reduce, Barrier };

enum class MbarrierOperation : std::uint8_t {
  Init, ///< number: of arrivals in each phase
  Invalidate,
  Arrive,        ///< number: of arrivals; bytes: expected first
  ArriveAndDrop, ///< and expected no longer in the phases to come
  ExpectBytes,
  CompleteBytes,
  Wait,              ///< number: the phase, as an arrival has it
  WaitForParity,     ///< number: parity of the phase
  ArriveAfterCopies, ///< when the lane's asynchronous copies so far are done; one of the arrivals that are expected
  HoldForCopies,     ///< likewise, and one that is expected in addition
  NotFollowed,
};

/// `blocks`: a wait that goes on only when the phase is complete; else its result may also say that it is not.
struct MbarrierCall {
  MbarrierOperation operation = MbarrierOperation::NotFollowed;
  bool blocks = false;
  std::uint32_t reason = 0; ///< index into Program::reasons: of its result

  std::int64_t pack() const {
    return static_cast<std::int64_t>(operation) | (blocks ? 128 : 0) | static_cast<std::int64_t>(reason) << 8;
  }
  static MbarrierCall unpack(std::int64_t packed) {
    return {static_cast<MbarrierOperation>(packed & 127), (packed & 128) != 0, static_cast<std::uint32_t>(packed >> 8)};
  }
};

/// Bytes that an engine of its own moves. Of a tensor they are not known: its map is opaque.
enum class BulkMove : std::uint8_t { IntoShared, OutOfShared, TensorIntoShared, TensorOutOfShared };

enum class SpecialRegister : std::uint8_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  Lane,
  WarpInBlock,
  WarpSize,
  LaneMaskLt,
  LaneMaskLe,
  LaneMaskEq,
  LaneMaskGe,
  LaneMaskGt,
  DynamicSharedSize,
  TotalSharedSize,
};

/// Whether all threads of a block read one value.
bool is_same_in_block(SpecialRegister which);

enum class ShuffleMode : std::uint8_t { Index, Up, Down, Butterfly };

/// NearestAway: halves away from zero, of FRound alone.
enum class Rounding : std::uint8_t { NearestEven, TowardZero, Down, Up, NearestAway };

/// How a floating-point instruction computes. Where `flushes`, 32-bit denormals are taken for zero, and results that it would concern are
/// not known.
struct FloatMode {
  Rounding rounding = Rounding::NearestEven;
  bool flushes = false;

  std::int64_t pack() const { return static_cast<std::int64_t>(rounding) | (flushes ? 8 : 0); }
  static FloatMode unpack(std::int64_t packed) { return {static_cast<Rounding>(packed & 7), (packed & 8) != 0}; }
};

struct Instruction {
  Opcode opcode = Opcode::Constant;
  std::uint8_t width = 32; ///< bits of the result
  RegisterId result = kNone;
  std::uint32_t index = kNone; ///< into the table that the opcode names; Barrier and divisions: into places
  std::int64_t immediate = 0;
  std::vector<RegisterId> operands;

  bool operator==(const Instruction &) const = default;
};

struct Phi {
  RegisterId result = kNone;
  std::uint8_t width = 32;
  struct Incoming {
    BlockId from;
    RegisterId value;
    bool operator==(const Incoming &) const = default;
  };
  std::vector<Incoming> incoming; ///< one for every predecessor edge's source block

  bool operator==(const Phi &) const = default;
};

/// What the producer of a program may leave open for its whole.
enum class OpenChoice : std::uint8_t {
  InvariantAccess, ///< an access of one address in all iterations of a loop stays there
  UnevenLoop,      ///< how far a loop is unrolled that lanes leave at different iterations
  LateExit,        ///< lanes that leave an inner loop at different iterations reconverge after it
  LaneGroups,      ///< accesses are not moved to where groups of lanes run one after the other
  SkippedCopy,     ///< an asynchronous copy that some lanes leave the kernel before is behind a branch
  MissingLanes,    ///< lanes that have not come to an exchange that names them reconverge with the others after it
};
inline constexpr std::size_t kOpenChoices = 6;
constexpr std::size_t index_of(OpenChoice choice) { return static_cast<std::size_t>(choice); }

enum class TerminatorKind : std::uint8_t { Jump, Branch, Switch, Return, Trap };

struct Terminator {
  TerminatorKind kind = TerminatorKind::Return;
  RegisterId condition = kNone;    ///< Branch: 1 bit. Switch: the value.
  std::vector<BlockId> targets;    ///< Jump: {to}. Branch: {if true, if false}. Switch: {default, case 0, case 1, …}.
  std::vector<std::int64_t> cases; ///< Switch: values of targets[1..]
  SourceLocation location;         ///< for messages about conditions that are not known
  /// On a way back to a loop's header: the loop is unrolled as far as it will be (OpenChoice::UnevenLoop).
  bool fully_unrolled = false;

  bool operator==(const Terminator &) const = default;
};

struct BasicBlock {
  std::vector<Phi> phis;
  std::vector<Instruction> instructions;
  Terminator terminator;

  bool operator==(const BasicBlock &) const = default;
};

/// What another program of the same kernel that knows better says about a site, where there is one.
enum class Agreement : std::uint8_t {
  NotCompared,
  Confirmed, ///< the same counts
  Corrected, ///< other ones; they are given
  Added,     ///< only the other one has such an access at the place
  Absent,    ///< the other one has no such instruction
};

/// A memory instruction of the source, as its producer merged them.
struct Site {
  SourceLocation location;             ///< innermost place in the user's own files
  std::vector<InlineFrame> inlined_at; ///< from the innermost call outwards
  Access access;                       ///< for AsyncCopy `space` is Shared; the global side is implied
  bool generic = false;                ///< the instruction's own space is generic: decided by its addresses
  std::string expression;              ///< source text of the access, e.g. `tile[threadIdx.x][k]`
  std::string address;                 ///< derived formula in bytes, for the reader
  std::string array;                   ///< name of the array or pointer accessed, where known
  SourceLocation array_location;       ///< its declaration, where known
  Assumption assumption;               ///< what has to hold for the counts to be this line's; may be empty
  std::string not_lowered;             ///< non-empty: the construct for which this site could not be lowered
  Agreement compared = Agreement::NotCompared;

  bool operator==(const Site &) const = default;
};

enum class AddressSpace : std::uint8_t { Generic, Shared, Global, Constant, Local };

/// One scalar piece of the value that a memory operation moves. Only present when the program needs the value.
struct ValuePart {
  std::uint16_t byte_offset = 0;
  std::uint8_t width = 32; ///< bits
  RegisterId reg = kNone;  ///< result of a load or atomic; stored value of a store (kNone: value not known)

  bool operator==(const ValuePart &) const = default;
};

/// As far as which threads are concerned an access is atomic: PTX's morally strong ones. Weak: a plain load or store.
enum class Strength : std::uint8_t { Weak, Block, Device };

/// Whether one of the active lanes, whose address is the same, does the atomic of them all. Each gets a result of its own.
enum class Aggregation : std::uint8_t {
  None,
  Always,
  OfAllLanes
}; ///< OfAllLanes: where all lanes of the warp are active

struct MemoryOperation {
  SiteId site = kNone; ///< kNone: not counted (local and constant memory)
  AddressSpace space = AddressSpace::Generic;
  Access access;
  RegisterId address = kNone;
  RegisterId source = kNone;       ///< AsyncCopy: global address
  RegisterId operand = kNone;      ///< Atomic: the addend, or atomicInc's limit, where what it returns may be a count
  RegisterId source_bytes = kNone; ///< AsyncCopy with a source size: 0 reads nothing
  RegisterId predicate = kNone;    ///< inline PTX guard (1 bit): lanes where it is 0 are inactive
  SiteId loop_load = kNone; ///< Atomic that is a loop of compare-and-swap: where its loads count (add_loop_loads())
  std::uint32_t shared_array =
      kNone;                        ///< the one shared array that the address is derived from, where there is just one
  std::vector<std::uint32_t> facts; ///< of Program::parameter_facts: those that hold wherever it is executed
  std::uint8_t row_bytes =
      0; ///< what the rows that it accesses have to be multiples of, where that is more than its width
  std::uint8_t filled_bytes =
      0; ///< at the end of its width: no program asks for them, and they may be outside of the array
  std::uint32_t apart =
      kNone; ///< of Program::reasons: why the active lanes, where there are several, may come here at different times
  Aggregation aggregation = Aggregation::None; ///< of an atomic
  Strength strength = Strength::Weak;          ///< of atomics as well
  /// Store, where races are looked for: the values of all its parts, from the lowest byte upwards, where each is simple. Else empty.
  std::vector<RegisterId> stored;
  std::vector<ValuePart> parts; ///< loads: results needed; stores: every piece that a needed load may read

  bool operator==(const MemoryOperation &) const = default;
};

/// A shared array as declared. Layout is the simulator's business (shared_layout.h).
struct SharedArray {
  std::string name;
  std::uint64_t size = 0;      ///< bytes; 0 when dynamic
  std::uint64_t alignment = 1; ///< declared
  bool dynamic = false;        ///< extern __shared__
  SourceLocation location;
  std::string declaration; ///< source text, e.g. `float tile[32][33]`
  /// Bytes of its widest access, as the compiler makes them and as the source has them, which rows of another length have to be multiples of; 0: not known.
  std::uint32_t widest = 0, widest_in_source = 0;

  bool operator==(const SharedArray &) const = default;
};

struct LocalObject {
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;

  bool operator==(const LocalObject &) const = default;
};

/// A __device__ or __constant__ variable, or a constant table of the module.
struct GlobalObject {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  bool constant_space = false;
  std::optional<std::vector<std::uint8_t>> initializer; ///< present only if nothing can have changed it

  bool operator==(const GlobalObject &) const = default;
};

/// A scalar in a structure that is passed by value.
struct ParameterMember {
  std::string name; ///< `p.rows`, `p.dims[1]`
  std::string type;
  std::uint64_t offset = 0, size = 0; ///< bytes
  bool pointer = false;
  std::vector<std::int64_t> enumerators = {}; ///< of an enumeration, as declared

  bool operator==(const ParameterMember &) const = default;
};

/// One parameter of the kernel as its signature has it.
struct Parameter {
  std::string name;
  std::string type;
  std::uint64_t size = 0; ///< bytes
  bool pointer = false;
  std::vector<std::int64_t> enumerators = {}; ///< of an enumeration, as declared
  std::vector<ParameterMember> members = {};  ///< of a structure, by offset; not all of them where they are many

  bool operator==(const Parameter &) const = default;
};

/// A scalar as a launch passes it: a parameter that is no structure, or a member of one.
struct PassedScalar {
  std::uint32_t index = 0; ///< of the parameter
  ParameterMember scalar;  ///< `n` at offset 0, `p.rows`
};

/// What the kernel's own code says of a scalar piece of an argument: a condition on the way, an assertion, an assumption.
struct ParameterFact {
  std::uint32_t index = 0;  ///< of the parameter
  std::uint64_t offset = 0; ///< bytes
  std::uint8_t width = 32;  ///< bits
  ArgumentFacts facts;
  SourceLocation location; ///< of the condition, or of one of several

  bool operator==(const ParameterFact &) const = default;
};

struct Program;
/// In the order of the signature. Parameters without a name, and structures whose members are not known, are left out.
std::vector<PassedScalar> passed_scalars(const Program &program);

struct Program {
  std::string kernel; ///< as a person writes it: `transpose<float, 32>`
  std::string mangled;
  SourceLocation location;
  std::vector<Parameter> parameters;
  std::optional<std::uint32_t> max_threads; ///< __launch_bounds__
  std::optional<std::uint32_t> min_blocks;  ///< __launch_bounds__, second argument

  /// Not only the lanes' own accesses read and write its shared memory, but also bulk copies, wgmma or other blocks of the cluster: what is
  /// read there is not known, and its layout is not the lanes' business alone.
  bool shared_used_elsewhere = false;
  /// Warps wait for each other by something else than a Barrier of the whole block: barriers in shared memory, barriers of some warps. What
  /// one finds in shared memory that another one wrote is not known.
  bool warps_meet_otherwise = false;
  bool waits_in_memory = false; ///< for barriers in shared memory (mbarrier)
  /// What accesses shared memory at times that races are not looked for with (wgmma, other blocks of the cluster); empty: nothing does.
  std::string untimed;
  SourceLocation untimed_at;
  bool split_barriers = false; ///< threads arrive at some barrier in one place and wait, or do not, in another
  std::vector<std::uint32_t> counted_barriers; ///< the threads that a Barrier is said to be of, which may be all or not

  std::vector<Site> sites;
  std::vector<MemoryOperation> memory_operations;
  std::vector<SharedArray> shared_arrays;
  std::vector<LocalObject> local_objects;
  std::vector<GlobalObject> global_objects;
  std::vector<ParameterFact> parameter_facts;
  std::vector<std::string> reasons;   ///< texts for Opaque
  std::vector<SourceLocation> places; ///< of barriers and divisions, for messages

  std::vector<BasicBlock> blocks; ///< blocks[0] is the entry
  std::uint32_t register_count = 0;
  std::vector<std::uint8_t> register_width; ///< by RegisterId
  /// As it will be executed: no branch becomes a predicate, and what is not lowered is an instruction all the same, which does nothing where it is not
  /// reached.
  bool is_final = false;
  /// What may still become otherwise, as its producer says it: counts that depend on it are assumed. An empty one is not open.
  std::array<Assumption, kOpenChoices> open;

  bool operator==(const Program &) const = default;
};

/// What holds of arguments wherever one of the program's sites is executed: launches of which it does not hold access nothing.
std::vector<ParameterFact> facts_of_all_sites(const Program &program);

/// Empty when the program is well formed, else what is wrong (an internal error of its producer).
std::string verify(const Program &program);

/// Whether the two differ in nothing but names and types: a launch then has the same results with either, as instantiations of one template
/// often have.
bool alike(const Program &a, const Program &b);

/// Readable listing, for tests and debugging.
std::string to_string(const Program &program);

} // namespace smem
