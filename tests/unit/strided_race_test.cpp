// Loops of unknown length with a step: what is called free of races, against all that threads touch at some lengths.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "long_tests.h"
#include "program_builder.h"
#include "smem/race.h"

namespace smem {
namespace {

using test::ProgramBuilder;

const Architecture &hopper() { return *find_architecture("sm_90"); }

/// for (i = begin + by_thread * thread + by_block * block; i < n; i += step) access array[i * times + offset];
struct StridedLoop {
  std::int64_t begin = 0, by_thread = 1, by_block = 0, step = 1, times = 1, offset = 0;
  std::uint32_t bytes = 4, array = 0;
  bool writes = false, fits = true, barrier = false; ///< behind it

  std::int64_t first(std::int64_t thread, std::int64_t block) const {
    return begin + by_thread * thread + by_block * block;
  }
};

struct StridedKernel {
  std::vector<StridedLoop> loops;
  std::uint32_t threads = 64, blocks = 1;
};

constexpr std::uint64_t kBytes = 2048;

class StridedGenerator {
public:
  explicit StridedGenerator(unsigned seed) : random_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::int64_t of(std::initializer_list<std::int64_t> values) { return values.begin()[below(unsigned(values.size()))]; }

  StridedKernel kernel(bool global) {
    StridedKernel kernel;
    kernel.threads = static_cast<std::uint32_t>(of({64, 32, 48, 96}));
    kernel.blocks = global ? static_cast<std::uint32_t>(of({1, 2, 3, 4})) : 1;
    const std::int64_t all = std::int64_t{kernel.threads} * kernel.blocks;
    const unsigned count = 1 + below(3);
    for (unsigned i = 0; i < count; ++i) {
      StridedLoop &loop = kernel.loops.emplace_back();
      loop.begin = below(4) ? 0 : of({1, 2, 32});
      loop.by_thread = below(6) ? 1 : of({0, 2, 4});
      loop.by_block = global ? (below(6) ? std::int64_t{kernel.threads} : of({0, 1, 32})) : 0;
      loop.step = below(4) ? all : of({all / 2, 2 * all, 32, 1, all - 1});
      loop.times = below(6) ? 1 : of({2, 3, 4});
      loop.offset = below(4) ? 0 : of({1, -1, 32, 64});
      loop.bytes = static_cast<std::uint32_t>(of({4, 4, 4, 8}));
      loop.array = below(4) == 0;
      loop.writes = below(2);
      loop.fits = below(3) != 0;
      loop.barrier = below(3) == 0;
    }
    return kernel;
  }

private:
  std::mt19937 random_;
};

Program program_of(const StridedKernel &kernel, bool global) {
  ProgramBuilder b;
  for (int array = 0; array < 2; ++array)
    b.shared_array(kBytes);
  b.program.parameters.push_back({"n", "int", 4, false});
  for (const char *name : {"a0", "a1"})
    b.program.parameters.push_back({name, "char *", 8, true});
  const RegisterId n = b.argument(0), thread = b.special(SpecialRegister::ThreadX),
                   block = b.special(SpecialRegister::BlockX);
  for (const StridedLoop &loop : kernel.loops) {
    RegisterId first = b.binary(Opcode::Add, b.constant(loop.begin), b.scaled(thread, loop.by_thread));
    first = b.binary(Opcode::Add, first, b.scaled(block, loop.by_block));
    b.loop(first, b.constant(loop.step), n, [&](RegisterId i, RegisterId) {
      const RegisterId wide = b.resize(Opcode::SignExtend, i, 64);
      const RegisterId index = b.binary(Opcode::Add, b.scaled(wide, loop.times), b.constant(loop.offset, 64));
      const RegisterId base = global ? b.argument(1 + loop.array, 64) : b.shared_address(loop.array);
      b.access(global ? AddressSpace::Global : AddressSpace::Shared, loop.writes ? Operation::Store : Operation::Load,
               loop.bytes * 8, b.binary(Opcode::Add, base, b.scaled(index, loop.bytes)));
      if (!global)
        b.program.memory_operations.back().shared_array = loop.array;
    });
    if (loop.barrier)
      b.barrier();
  }
  // Counters, and nothing else, are sums of a phi.
  std::size_t at = 0;
  for (BasicBlock &basic : b.program.blocks)
    for (Instruction &instruction : basic.instructions)
      for (const BasicBlock &header : b.program.blocks)
        for (const Phi &phi : header.phis)
          if (instruction.opcode == Opcode::Add && instruction.operands[0] == phi.result && phi.incoming.size() == 2 &&
              (phi.incoming[0].value == instruction.result || phi.incoming[1].value == instruction.result) &&
              at < kernel.loops.size())
            instruction.immediate = kernel.loops[at++].fits ? kNoSignedWrap : 0;
  return b.program;
}

struct StridedTouch {
  std::uint32_t thread = 0, block = 0, interval = 0;
  bool writes = false;
};

/// Whether threads touch a byte of which one writes, with no barrier between them.
struct Meetings {
  bool within_warp = false, between_warps = false, between_blocks = false;
};

void brute_force(const StridedKernel &kernel, bool global, std::int64_t n, Meetings &met) {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<StridedTouch>> touched;
  std::uint32_t interval = 0;
  for (const StridedLoop &loop : kernel.loops) {
    for (std::uint32_t block = 0; block < kernel.blocks; ++block)
      for (std::uint32_t thread = 0; thread < kernel.threads; ++thread)
        for (std::int64_t i = loop.first(thread, block); i < n; i += loop.step) {
          const std::int64_t begin = (i * loop.times + loop.offset) * loop.bytes;
          if (begin < 0 || (!global && begin + loop.bytes > static_cast<std::int64_t>(kBytes)))
            continue; // outside its array
          for (std::int64_t byte = begin; byte < begin + loop.bytes; byte += 4)
            touched[{loop.array, byte}].push_back({thread, block, interval, loop.writes});
        }
    interval += loop.barrier;
  }
  for (const auto &[place, all] : touched)
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (all[i].writes || all[j].writes) {
          const bool together = all[i].block == all[j].block && all[i].interval == all[j].interval;
          const bool one_warp = all[i].thread / kWarpSize == all[j].thread / kWarpSize;
          met.within_warp |= together && one_warp && all[i].thread != all[j].thread;
          met.between_warps |= together && !one_warp;
          met.between_blocks |= all[i].block != all[j].block;
        }
}

void agrees(bool global) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS");
  const unsigned kernels = wanted               ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10))
                           : test::long_tests() ? 4000
                                                : 1500;
  unsigned free = 0, races = 0, neither = 0;
  for (unsigned seed = 1; seed <= kernels; ++seed) {
    const StridedKernel kernel = StridedGenerator(seed).kernel(global);
    const Program program = program_of(kernel, global);
    ASSERT_EQ(verify(program), "") << seed;
    Launch launch;
    launch.grid = {kernel.blocks, 1, 1};
    launch.block = {kernel.threads, 1, 1};
    for (const std::uint32_t array : {1u, 2u}) {
      ArgumentValue &pointer = launch.arguments.emplace_back();
      pointer.index = array;
      pointer.width_bits = 64;
      pointer.pointer = true;
    }
    RaceOptions options;
    options.memory = global ? RaceMemory::Global : RaceMemory::Shared;
    const Races found = find_races(program, launch, hopper(), options);
    Meetings met;
    for (const std::int64_t n : {40, 130, 400})
      brute_force(kernel, global, n, met);
    const auto agree = [&](RaceVerdict verdict, bool meets, const char *whom) {
      EXPECT_FALSE(verdict == RaceVerdict::Free && meets) << whom << ", seed " << seed << '\n' << to_string(program);
      EXPECT_FALSE(verdict == RaceVerdict::Race && !meets) << whom << ", seed " << seed << '\n' << to_string(program);
    };
    agree(found.within_warp, met.within_warp, "within a warp");
    agree(found.between_warps, met.between_warps, "between warps");
    if (global)
      agree(found.between_blocks, met.between_blocks, "between blocks");
    if (::testing::Test::HasFailure())
      return;
    const bool any = met.within_warp || met.between_warps || (global && met.between_blocks);
    free += found.verdict() == RaceVerdict::Free;
    races += any;
    neither += !any && found.verdict() != RaceVerdict::Free;
  }
  EXPECT_GT(free, kernels / 10);
  EXPECT_GT(races, kernels / 10);
  EXPECT_LT(neither, kernels / 4);
  ::testing::Test::RecordProperty("free", static_cast<int>(free));
  ::testing::Test::RecordProperty("races", static_cast<int>(races));
  ::testing::Test::RecordProperty("neither", static_cast<int>(neither));
}

TEST(StridedRace, FreeInSharedMemoryAgreesWithThreadsOneByOne) { agrees(false); }
TEST(StridedRace, FreeInGlobalMemoryAgreesWithThreadsOneByOne) { agrees(true); }

} // namespace
} // namespace smem
