#include "smem/architecture.h"

#include <algorithm>
#include <array>
#include <string>

#include "smem/memory_model.h"

namespace smem {
namespace {

constexpr std::uint32_t kKiB = 1024;

// [guide] CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": capacities, threads, blocks.
// [occupancy] cuda_occupancy.h of CUDA 13.0: blocks per SM (cudaOccMaxBlocksPerMultiprocessor), shared-memory
//   configurations per SM (cudaOccAlignUpShmemSizeVoltaPlus).
// [H200] micro-benchmarks on an H200 (compute capability 9.0), CUDA 13.0.
// [forum] NVIDIA developer forum, topic 77228, an answer by NVIDIA: pairs of equal lanes (n and n^1, or n and n^2) halve the
//   passes of a 128-bit load on compute capability 7.0 to 7.5.

// What every chip since Volta has in common. [guide] 32 banks of 4 bytes, 32-byte sectors, 128-byte lines, 1024 threads a
// block, 48 KB of shared memory without opting in.
constexpr Architecture common() {
  Architecture a{};
  a.banks = 32;
  a.bank_bytes = 4;
  a.sector_bytes = 32;
  a.line_bytes = 128;
  a.max_threads_per_block = 1024;
  return a;
}

/// Combined L1 and shared memory per SM, the most of it that can be shared memory, and the most for one block, in KiB.
constexpr Capacity capacity(std::uint32_t combined, std::uint32_t per_sm, std::uint32_t per_block) {
  // [guide] From 8.0 on the driver reserves 1 KB of every block's shared memory, the difference of the last two.
  return {combined * kKiB, per_sm * kKiB, per_block * kKiB, 48 * kKiB, (per_sm - per_block) * kKiB};
}

/// [H200] Every rule below and in the memory model equals the counters on every recorded pattern.
constexpr MemoryRules measured_on_sm90() {
  using enum AtomicKind;
  using enum AtomicService;
  constexpr unsigned k32 = 0, k64 = 1, kDropped = 0, kUsed = 1;
  MemoryRules rules;
  rules.wide_loads = WideLoads::MergeAgreeingPairs;
  rules.cached_copy = CopyService::LanesMeeting;
  rules.bypass_copy = CopyService::SectorMoves;
  const auto rule = [&](AtomicKind kind, unsigned width, unsigned used) -> AtomicRule & {
    return rules.shared_atomics[static_cast<std::size_t>(kind)][width][used];
  };
  for (const unsigned used : {kDropped, kUsed}) {
    for (const AtomicKind kind : {Add, Increment, Min, Max, And, Or, Xor, Exchange, IncrementWrap, DecrementWrap})
      rule(kind, k32, used) = {LaneByLane};
    rule(CompareAndSwap, k32, used) = {LaneByLane, 2};
    rule(CompareAndSwap, k64, used) = {LaneByLane, 2};
    rule(Exchange, k64, used) = {LaneByLane};
    // LDS and ATOMS.CAST.SPIN in a loop. FloatAdd of 32 bits is float, half2 and bf16x2.
    for (const AtomicKind kind : {Add, Increment, And, Or, Xor, FloatAdd})
      rule(kind, k64, used) = {LoopOfCompareSwap};
    for (const AtomicKind kind : {Min, Max})
      rule(kind, k64, used) = {LoopOnValues};
    rule(FloatAdd, k32, used) = {LoopOfCompareSwap};
  }
  rule(Increment, k32, kDropped) = {EqualWordsAtOnce}; // ATOMS.POPC.INC; with a used result it is ATOMS.ADD
  return rules;
}

constexpr std::string_view kInferred =
    "capacities and limits: CUDA C++ Programming Guide, cuda_occupancy.h of CUDA 13.0; "
    "wavefronts, sectors and tags: taken over from measurements on sm_90";

constexpr Architecture volta() {
  Architecture a = common();
  a.name = "sm_70";
  a.compute = 70;
  a.capacity = capacity(128, 96, 96); // [guide] [occupancy]
  a.max_threads_per_sm = 2048;        // [guide]
  a.max_blocks_per_sm = 32;           // [guide] [occupancy]
  a.rules = measured_on_sm90();       // pair merging: [forum]; the rest inferred
  a.wavefront_evidence = Evidence::Inferred;
  a.rules_of = "sm_90";
  a.evidence = kInferred;
  return a;
}

constexpr Architecture turing() {
  Architecture a = volta();
  a.name = "sm_75";
  a.compute = 75;
  a.capacity = capacity(96, 64, 64); // [guide] [occupancy]
  a.max_threads_per_sm = 1024;       // [guide]
  a.max_blocks_per_sm = 16;          // [guide] [occupancy]
  a.matrix_load = true;              // PTX ISA: ldmatrix requires sm_75
  return a;
}

constexpr Architecture ampere() {
  Architecture a = turing();
  a.name = "sm_80";
  a.compute = 80;
  a.capacity = capacity(192, 164, 163); // [guide] [occupancy]
  a.max_threads_per_sm = 2048;          // [guide]
  a.max_blocks_per_sm = 32;             // [guide] [occupancy]
  a.async_copy = true;                  // PTX ISA: cp.async requires sm_80
  return a;
}

constexpr Architecture ampere_consumer() {
  Architecture a = ampere();
  a.name = "sm_86";
  a.compute = 86;
  a.capacity = capacity(128, 100, 99); // [guide] [occupancy]
  a.max_threads_per_sm = 1536;         // [guide]
  a.max_blocks_per_sm = 16;            // [guide] [occupancy]
  return a;
}

constexpr Architecture ada() {
  Architecture a = ampere_consumer();
  a.name = "sm_89";
  a.compute = 89;
  a.max_blocks_per_sm = 24; // [guide] [occupancy]
  return a;
}

constexpr Architecture hopper() {
  Architecture a = ampere();
  a.name = "sm_90";
  a.compute = 90;
  a.target_suffixes = "a";
  a.capacity = capacity(256, 228, 227); // [guide] [occupancy]
  a.max_threads_per_sm = 2048;          // [guide]
  a.max_blocks_per_sm = 32;             // [guide] [occupancy]
  a.matrix_store = true;                // PTX ISA: stmatrix requires sm_90
  a.matrix_multiply = true;             // PTX ISA: wgmma requires sm_90a
  a.bulk_copy = true;                   // PTX ISA: cp.async.bulk and clusters require sm_90
  a.rules = measured_on_sm90();         // [H200]
  a.wavefront_evidence = Evidence::Measured;
  a.rules_of = {};
  a.evidence = "capacities and limits: CUDA C++ Programming Guide, cuda_occupancy.h of CUDA 13.0; "
               "wavefronts, sectors and tags: measured on an H200 with CUDA 13.0";
  return a;
}

constexpr Architecture blackwell() {
  Architecture a = hopper(); // capacities and limits as Hopper's: [guide] [occupancy]
  a.name = "sm_100";
  a.compute = 100;
  a.target_suffixes = "af";
  a.matrix_multiply = false; // PTX ISA: wgmma is sm_90a's alone
  a.wavefront_evidence = Evidence::Inferred;
  a.rules_of = "sm_90";
  a.evidence = kInferred;
  return a;
}

constexpr Architecture blackwell_consumer() {
  Architecture a = blackwell();
  a.name = "sm_120";
  a.compute = 120;
  a.capacity = capacity(128, 100, 99); // [guide] [occupancy]
  a.max_threads_per_sm = 1536;         // [guide]
  a.max_blocks_per_sm = 24;            // [guide] [occupancy]
  return a;
}

constexpr std::array kArchitectures{volta(), turing(), ampere(),    ampere_consumer(),
                                    ada(),   hopper(), blackwell(), blackwell_consumer()};

/// "90", "9.0", "90a" -> matches compute 90.
bool names(std::string_view number, const Architecture &architecture) {
  const std::string digits = std::to_string(architecture.compute);
  if (number == digits.substr(0, digits.size() - 1) + "." + digits.back())
    return true;
  if (!number.starts_with(digits))
    return false;
  number.remove_prefix(digits.size());
  return number.empty() ||
         (number.size() == 1 && architecture.target_suffixes.find(number[0]) != std::string_view::npos);
}

} // namespace

std::span<const Architecture> architectures() { return kArchitectures; }

const Architecture *find_architecture(std::string_view name) {
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      if (name.find('.') != std::string_view::npos)
        return nullptr;
      break;
    }
  }
  const auto found = std::ranges::find_if(kArchitectures, [&](const Architecture &a) { return names(name, a); });
  return found == kArchitectures.end() ? nullptr : &*found;
}

std::string target_of(std::string_view name) {
  const Architecture *architecture = find_architecture(name);
  if (!architecture)
    return {};
  std::string target(architecture->name);
  if (const char last = name.back(); last < '0' || last > '9')
    target += last;
  return target;
}

} // namespace smem
