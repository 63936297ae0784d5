#include "smem/floor.h"
#include "smem/kernel_arithmetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "program_builder.h"

namespace smem {
namespace {

const Architecture &sm90() { return *find_architecture("sm_90"); }

/// Round figures: a cycle is a nanosecond, a byte of memory, too.
Gpu round_gpu() {
  Gpu gpu = *find_gpu("h200");
  gpu.sms.value = 10;
  gpu.clock_mhz.value = 1000;
  gpu.dram_gbs.value = 1;
  gpu.l2_mib.value = 1;
  gpu.l2_store_gbs = gpu.l2_read_gbs = {};
  return gpu;
}

TEST(Gpus, EveryFigureIsPlausibleAndHasASource) {
  std::set<std::string> names;
  for (const Gpu &gpu : gpus()) {
    EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
    EXPECT_EQ(wrong_with(gpu), "") << gpu.name;
    EXPECT_EQ(find_gpu(gpu.name), &gpu);
    for (const GpuFigure *figure : {&gpu.sms, &gpu.clock_mhz, &gpu.dram_gbs, &gpu.l2_mib, &gpu.registers})
      EXPECT_FALSE(figure->source.empty()) << gpu.name;
  }
  for (const GpuFigure *figure : {&sm_throughput().wavefronts, &sm_throughput().tags}) {
    EXPECT_GT(figure->value, 0);
    EXPECT_FALSE(figure->source.empty());
  }
}

TEST(Gpus, AreFoundByNamesAsPeopleWriteThem) {
  for (const char *name : {"h200", "H200", "H-200", "h_200", "H 200"})
    EXPECT_EQ(find_gpu(name), &gpus()[0]) << name;
  EXPECT_EQ(find_gpu("RTX-4090"), find_gpu("rtx4090"));
  for (const char *name : {"", "h201", "sm_90", "H200!"})
    EXPECT_EQ(find_gpu(name), nullptr) << name;
  EXPECT_EQ(usual_gpu(sm90()), find_gpu("h200"));
  EXPECT_EQ(usual_gpu(*find_architecture("sm_80")), find_gpu("a100"));
  EXPECT_EQ(usual_gpu(*find_architecture("sm_120")), nullptr);
}

TEST(Gpus, ImpossibleFiguresAreNamed) {
  Gpu gpu = round_gpu();
  gpu.sms.value = 1.5;
  EXPECT_EQ(wrong_with(gpu), "sms must be a positive integer");
  gpu = round_gpu();
  gpu.clock_mhz.value = 0;
  EXPECT_EQ(wrong_with(gpu), "clock_mhz must be a positive number");
  gpu = round_gpu();
  gpu.dram_gbs.value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(wrong_with(gpu), "dram_gbs must be a positive number");
  gpu = round_gpu();
  gpu.l2_mib.value = -1;
  EXPECT_EQ(wrong_with(gpu), "l2_mib must be a positive number");
  gpu = round_gpu();
  gpu.architecture = "sm_1";
  EXPECT_EQ(wrong_with(gpu), "there is no table for its architecture");
}

TEST(Floor, WhatCanBeGainedIsBounded) {
  LaunchWork work;
  work.blocks = 20; // two on each of 10 SMs
  work.total.shared_wavefronts = 2000;
  work.block.shared_wavefronts = 100;
  Residency many, few;
  many.warps_at_once = 4;
  few.warps_at_once = 3;
  const auto gain = [&](const UnitWork &saved, const Residency &residency) {
    return most_gain(work, saved, round_gpu(), residency);
  };
  EXPECT_EQ(gain({}, many), 1.0);
  const UnitWork saved{1500, 0, 0};
  EXPECT_DOUBLE_EQ(gain(saved, many).value(), 1 + 1.25 * 150 / 50);
  EXPECT_DOUBLE_EQ(gain(saved, few).value(), 1 + 2.5 * 150 / 50);
  EXPECT_GE(gain(saved, many).value(), 200.0 / 50); // no less than what the floor falls by
  work.read_bytes = (1 << 20) + 400;                // beyond L2: 400 ns
  EXPECT_DOUBLE_EQ(gain(saved, many).value(), 1 + 1.25 * 150 / 400);
  EXPECT_EQ(gain({1500, 0, 1}, many), std::nullopt); // L2 has less to do as well
  work.read_bytes = 0;                               // nothing is left that takes time
  EXPECT_EQ(gain({2000, 0, 0}, many), std::nullopt);
  work.blocks = 0;
  EXPECT_EQ(gain(saved, many), std::nullopt);
}

TEST(Floor, ArithmeticAndIssueSlotsTakeTime) {
  LaunchWork work;
  work.blocks = 10;
  work.arithmetic = {4000, 2000, 500}; // on 10 SMs of sm_90: 128, 64 and 16 lanes a cycle
  work.memory_instructions = 1500;
  const Floor floor = floor_of(work, round_gpu());
  EXPECT_EQ(floor.resources, (std::vector<ResourceFloor>{{Resource::Issue, 200, 200},
                                                         {Resource::Fp32, 100, 100},
                                                         {Resource::Fp64, 100, 100},
                                                         {Resource::Special, 100, 100}}));
  EXPECT_EQ(arithmetic_throughput("sm_1"), nullptr);
  for (const Gpu &gpu : gpus()) {
    const ArithmeticThroughput *lanes = arithmetic_throughput(gpu.architecture);
    ASSERT_NE(lanes, nullptr) << gpu.name;
    for (const GpuFigure *figure : {&lanes->fp32, &lanes->fp64, &lanes->special, &lanes->instructions, &lanes->integer,
                                    &lanes->multiply, &lanes->exchange, &lanes->tensor}) {
      EXPECT_GT(figure->value, 0);
      EXPECT_FALSE(figure->source.empty());
    }
  }
}

TEST(Floor, MachineCodeSaysHowAllIsComputed) {
  LaunchWork work;
  work.blocks = 10;
  work.memory_instructions = 1000;
  work.arithmetic.fp32 = 2000;
  work.arithmetic.multiply = 2000; // of the same pipe, of which half can do it
  work.arithmetic.integer = 3000;
  work.arithmetic.shuffles = 500;
  work.arithmetic.tensor = 20480 * 30; // 2,048 a cycle
  work.arithmetic.instructions = 10000;
  const Floor floor = floor_of(work, round_gpu());
  EXPECT_EQ(floor.resources, (std::vector<ResourceFloor>{{Resource::Issue, 250, 250},
                                                         {Resource::Integer, 150, 150},
                                                         {Resource::Fp32, 100, 100},
                                                         {Resource::Multiply, 100, 100},
                                                         {Resource::Exchange, 50, 50},
                                                         {Resource::Tensor, 30, 30}}));
  EXPECT_EQ(most_of({1, 5, 0}, {2, 3, 0}), (ArithmeticWork{2, 5, 0}));
  EXPECT_EQ(ArithmeticWork({UINT64_MAX / 2, 0, 0}).times(3).fp32, UINT64_MAX);
}

TEST(Floor, ArithmeticRunsAsOftenAsALoadBesideIt) {
  Program program;
  program.sites.resize(3);
  SimulationResult result;
  result.sites.resize(3);
  result.sites[0].counts.requests = 100;
  result.sites[1].counts.requests = 30; // some lanes are kept away from it
  Launch launch;
  const std::vector<BlockArithmetic> blocks{
      {{{0, 2}, {1, 1}}, {8, 4, 1}}, {{{2, 1}}, {1000, 0, 0}}, {{{9, 1}}, {1, 1, 1}}};
  const LaunchWork work = launch_work(program, launch, result, arithmetic_of(result, blocks));
  EXPECT_EQ(work.arithmetic, (ArithmeticWork{400, 200, 50}));
  EXPECT_EQ(work.memory_instructions, 130u);
}

TEST(Floor, TheBusiestSmHasNoLessThanItsBlocksCost) {
  LaunchWork work;
  work.blocks = 11; // on 10 SMs: one has two
  work.total.shared_wavefronts = 1100;
  EXPECT_EQ(floor_of(work, round_gpu()).resources, (std::vector<ResourceFloor>{{Resource::SharedMemory, 110, 110}}));
  work.block.shared_wavefronts = 100;
  const Floor floor = floor_of(work, round_gpu());
  EXPECT_EQ(floor.resources, (std::vector<ResourceFloor>{{Resource::SharedMemory, 200, 200}}));
  EXPECT_EQ(floor.binding, Resource::SharedMemory);
  EXPECT_EQ(floor.ns, 200u);
}

TEST(Floor, GlobalMemoryTakesTheSamePipe) {
  LaunchWork work;
  work.blocks = 10;
  work.total = {600, 400, 8000};
  Floor floor = floor_of(work, round_gpu());
  EXPECT_EQ(floor.resources,
            (std::vector<ResourceFloor>{
                {Resource::L1Tags, 200, 200}, {Resource::L1Data, 100, 100}, {Resource::SharedMemory, 60, 60}}));
  EXPECT_EQ(floor.binding, Resource::L1Tags);
  work.total.tags = 0;
  floor = floor_of(work, round_gpu());
  EXPECT_EQ(floor.ns, 100u);
  EXPECT_EQ(floor.binding, Resource::SharedMemory) << "which is most of what the pipe does";
  work.total.shared_wavefronts = 100;
  EXPECT_EQ(floor_of(work, round_gpu()).binding, Resource::L1Data);
}

TEST(Floor, MemoryHasWhatL2CannotHold) {
  constexpr std::uint64_t kMiB = 1024 * 1024;
  LaunchWork work;
  work.blocks = 10;
  work.read_bytes = kMiB;
  work.written_bytes = kMiB;
  EXPECT_EQ(floor_of(work, round_gpu()).ns, 0u);
  work.read_bytes += 300;
  work.written_bytes += 200;
  const Floor floor = floor_of(work, round_gpu());
  EXPECT_EQ(floor.resources, (std::vector<ResourceFloor>{{Resource::Dram, 500, 500}}));
  Gpu gpu = round_gpu();
  gpu.l2_read_gbs.value = 2; // once, whether L2 has it or not
  EXPECT_EQ(floor_of(work, gpu).resources.front(),
            (ResourceFloor{Resource::L2Reads, (kMiB + 300) / 2, (kMiB + 300) / 2}));
}

TEST(Floor, NothingToDoHasNoFloor) {
  EXPECT_EQ(floor_of({}, round_gpu()).ns, 0u);
  EXPECT_TRUE(floor_of({}, round_gpu()).resources.empty());
  LaunchWork work;
  work.blocks = UINT64_MAX;
  work.total = work.block = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
  work.read_bytes = work.written_bytes = UINT64_MAX;
  EXPECT_GT(floor_of(work, round_gpu()).ns, 0u);
}

TEST(Floor, AChangeTakesItsPartOfTheBlocks) {
  LaunchWork work;
  work.blocks = 11;
  work.total.shared_wavefronts = 1100;
  work.block.shared_wavefronts = 100;
  EXPECT_EQ(floor_of(work.without({550, 0, 0}), round_gpu()).ns, 100u);
  EXPECT_EQ(floor_of(work.without({5000, 0, 0}), round_gpu()).ns, 0u);
  EXPECT_EQ(floor_of(work.without({}), round_gpu()).ns, floor_of(work, round_gpu()).ns);
}

// An H200 took 41,280 ns for 64 MiB that eight warps stored, a word of each sector each (validate/recorded/stores-h200.json); 16 Mi sectors of requests would take 97,612.
TEST(Floor, WhatIsWrittenIsSentToL2Once) {
  LaunchWork work;
  work.blocks = 65536;
  work.written_bytes = 64 << 20;
  const Floor floor = floor_of(work, *find_gpu("h200"));
  EXPECT_EQ(std::ranges::find(floor.resources, Resource::L2Stores, &ResourceFloor::resource)->ns, 12'201u)
      << "64 MiB at 5,500 GB/s";
}

TEST(Floor, UnitsTakeWhatTheyAreKnownToTake) {
  Access load;
  load.space = Space::Global;
  EXPECT_EQ(unit_work(load, Space::Global, 10, 0, 160, 40), (UnitWork{0, 40, 40}));
  EXPECT_EQ(unit_work(load, Space::Global, 10, 0, 10, 10), (UnitWork{0, 10, 10}))
      << "a request is a wavefront at least";
  EXPECT_EQ(unit_work(load, Space::Global, 10, 0, 160, 40, 80), (UnitWork{0, 80, 320}))
      << "lines that want the same banks take turns in both stages";
  EXPECT_EQ(unit_work(Access(), Space::Shared, 10, 320, 0, 0), (UnitWork{320, 0, 0}));
  Access copy;
  copy.operation = Operation::AsyncCopy;
  EXPECT_EQ(unit_work(copy, Space::Shared, 10, 20, 160, 40), (UnitWork{20, 0, 40}));
  for (const Operation operation : {Operation::MatrixMultiply, Operation::BulkCopy}) {
    Access other;
    other.operation = operation;
    EXPECT_EQ(unit_work(other, Space::Shared, 10, 20, 160, 40), UnitWork());
  }
  Access atomic;
  atomic.operation = Operation::Atomic;
  EXPECT_EQ(unit_work(atomic, Space::Global, 10, 0, 160, 40), UnitWork());
}

/// A copy of 4,096 x 4,096 floats, a row of a block each, and a conflict of 32 lanes in each.
TEST(Floor, OfASimulatedLaunch) {
  test::ProgramBuilder b;
  const unsigned array = b.shared_array(32 * 128);
  const RegisterId thread = b.special(SpecialRegister::ThreadX), block = b.special(SpecialRegister::BlockX);
  const RegisterId wide = b.resize(Opcode::ZeroExtend, thread, 64);
  b.loop(b.constant(0), b.constant(1), b.constant(128), [&](RegisterId i, RegisterId) {
    const RegisterId index =
        b.binary(Opcode::Add, thread, b.binary(Opcode::Add, b.scaled(i, 32), b.scaled(block, 4096)));
    const RegisterId offset = b.scaled(b.resize(Opcode::ZeroExtend, index, 64), 4);
    for (const auto &[argument, operation] : {std::pair(0u, Operation::Load), std::pair(1u, Operation::Store)})
      b.access(AddressSpace::Global, operation, 32, b.binary(Opcode::Add, b.argument(argument, 64), offset));
    b.access(AddressSpace::Shared, Operation::Load, 32,
             b.binary(Opcode::Add, b.shared_address(array), b.scaled(wide, 128)));
  });
  Launch launch;
  launch.grid = {4096, 1, 1};
  launch.block = {32, 1, 1};
  for (const unsigned index : {0u, 1u}) {
    ArgumentValue pointer;
    pointer.index = index;
    pointer.width_bits = 64;
    pointer.pointer = true;
    launch.arguments.push_back(pointer);
    b.program.parameters.push_back({"p", "float *", 8, true});
  }
  const SimulationResult result = simulate(b.program, launch, sm90(), {});
  constexpr std::uint64_t kBytes = 4096 * 4096 * 4;
  EXPECT_EQ(result.least.read_bytes, kBytes);
  EXPECT_EQ(result.least.written_bytes, kBytes);
  EXPECT_EQ(result.least.block, (UnitWork{128 * 32, 2 * 128, 4 * 128 + 128}))
      << "a load takes a cycle, which is four quarters";
  const LaunchWork work = launch_work(b.program, launch, result);
  EXPECT_EQ(work.total, result.least.block.times(4096));
  EXPECT_FALSE(work.at_least);
  EXPECT_FALSE(work.assumed);
  const Floor floor = floor_of(work, *find_gpu("h200"));
  ASSERT_EQ(floor.resources.size(), 7u);
  EXPECT_EQ(floor.binding, Resource::SharedMemory);
  EXPECT_EQ(floor.resources[0].cycles, (128 * 32 + 2 * 128) * 32u) << "one of the 132 SMs has 32 of the 4,096 blocks";
  EXPECT_EQ(floor.ns, 70'335u);
  // 2 x (64 - 60) MiB at 4,915 GB/s.
  const std::vector<ResourceFloor> &all = floor.resources;
  EXPECT_NE(std::ranges::find(all, ResourceFloor{Resource::Dram, 3379, 1706}), all.end());
  // 128 loads take a cycle each, as many stores a quarter; 64 MiB are stored at 5,500 GB/s, and a block issues 384 instructions.
  EXPECT_NE(std::ranges::find(all, ResourceFloor{Resource::L1Tags, 5120, 2585}), all.end());
  EXPECT_NE(std::ranges::find(all, Resource::L2Stores, &ResourceFloor::resource), all.end());
  EXPECT_NE(std::ranges::find(all, Resource::Issue, &ResourceFloor::resource), all.end());
}

/// Every warp of a block counts, and of blocks that differ the one that does least: the last one of an uneven matrix.
TEST(Floor, OfBlocksWithSeveralWarps) {
  test::ProgramBuilder b;
  const unsigned array = b.shared_array(32 * 128);
  const RegisterId thread = b.special(SpecialRegister::ThreadX), block = b.special(SpecialRegister::BlockX);
  const RegisterId index = b.binary(Opcode::Add, thread, b.scaled(block, 256));
  const auto load = [&](std::int64_t stride) {
    const RegisterId offset =
        b.binary(Opcode::And, b.scaled(b.resize(Opcode::ZeroExtend, thread, 64), stride), b.constant(4095, 64));
    b.access(AddressSpace::Shared, Operation::Load, 32, b.binary(Opcode::Add, b.shared_address(array), offset));
  };
  load(128);
  b.branch(b.compare(Opcode::ULt, index, b.constant(256 * 10 - 64)), [&] { load(4); });
  Launch launch;
  launch.grid = {10, 1, 1};
  launch.block = {256, 1, 1};
  for (const bool classes : {true, false}) {
    SimulationOptions options;
    options.classes = classes;
    const SimulationResult result = simulate(b.program, launch, sm90(), options);
    EXPECT_EQ(result.least.block, (UnitWork{8 * 32 + 6, 0, 0})) << "two of the last block's warps have nothing to load";
    EXPECT_EQ(launch_work(b.program, launch, result).total.shared_wavefronts, 10u * 8 * 32 + 10 * 8 - 2);
  }
}

TEST(Floor, WhatAnArgumentPointsToMayBeWrittenElsewhere) {
  // Loads of an array that is written at places that are loaded: what is written may be what is read.
  for (const bool scattered : {false, true}) {
    test::ProgramBuilder b;
    const RegisterId thread = b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64);
    const RegisterId offset = b.scaled(thread, 4);
    const RegisterId loaded =
        b.value_access(AddressSpace::Global, Operation::Load, b.binary(Opcode::Add, b.argument(0, 64), offset));
    const RegisterId index = scattered ? b.scaled(b.resize(Opcode::ZeroExtend, loaded, 64), 4) : offset;
    b.access(AddressSpace::Global, Operation::Store, 32, b.binary(Opcode::Add, b.argument(1, 64), index));
    Launch launch;
    launch.block = {1024, 1, 1};
    for (const unsigned number : {0u, 1u}) {
      ArgumentValue pointer;
      pointer.index = number;
      pointer.width_bits = 64;
      pointer.pointer = true;
      launch.arguments.push_back(pointer);
      b.program.parameters.push_back({"p", "float *", 8, true});
    }
    const SimulationResult result = simulate(b.program, launch, sm90(), {});
    EXPECT_EQ(result.least.read_bytes, 4096u);
    EXPECT_EQ(result.least.written_bytes, scattered ? 0u : 4096u);
  }
}

/// c[i] = a[i] + b[i] of a million floats, with what is known of the three pointers.
LeastWork of_sum(const std::array<PointerOrigin, 3> &origins) {
  test::ProgramBuilder b;
  const RegisterId index =
      b.binary(Opcode::Add, b.special(SpecialRegister::ThreadX), b.scaled(b.special(SpecialRegister::BlockX), 256));
  const RegisterId offset = b.scaled(b.resize(Opcode::ZeroExtend, index, 64), 4);
  Launch launch;
  launch.grid = {4096, 1, 1};
  launch.block = {256, 1, 1};
  for (const unsigned number : {0u, 1u, 2u}) {
    b.access(AddressSpace::Global, number == 2 ? Operation::Store : Operation::Load, 32,
             b.binary(Opcode::Add, b.argument(number, 64), offset));
    ArgumentValue pointer;
    pointer.index = number;
    pointer.width_bits = 64;
    pointer.pointer = true;
    pointer.origin = origins[number];
    if (pointer.origin.place) // as host code and recordings have it
      pointer.value = static_cast<std::int64_t>(*pointer.origin.place) %
                      (pointer.origin.allocation == PointerOrigin::kRecorded ? 256 : INT64_MAX);
    launch.arguments.push_back(pointer);
    b.program.parameters.push_back({"p", "float *", 8, true});
  }
  return simulate(b.program, launch, sm90(), {}).least;
}

constexpr std::uint64_t kArray = 4096 * 256 * 4;

TEST(Origins, ArraysOfDifferentAllocationsAddUp) {
  const LeastWork work = of_sum({{{1, 0, {}}, {2, 0, {}}, {3, 0, {}}}});
  EXPECT_EQ(work.read_bytes, 2 * kArray);
  EXPECT_EQ(work.written_bytes, kArray);
}

TEST(Origins, WhatMayBeOneArrayIsOne) {
  EXPECT_EQ(of_sum({}).read_bytes, kArray) << "nothing is known";
  EXPECT_EQ(of_sum({{{1, 0, {}}, {}, {3, 0, {}}}}).read_bytes, kArray) << "of one of the two";
  EXPECT_EQ(of_sum({{{1, 0, {}}, {1, 0, {}}, {3, 0, {}}}}).read_bytes, kArray) << "one pointer, passed twice";
  EXPECT_EQ(of_sum({{{1, 0, {}}, {1, {}, {}}, {3, 0, {}}}}).read_bytes, kArray) << "somewhere in one allocation";
}

TEST(Origins, PartsOfAnAllocationAddUpWhereTheyAreApart) {
  EXPECT_EQ(of_sum({{{1, 0, {}}, {1, kArray, {}}, {3, 0, {}}}}).read_bytes, 2 * kArray);
  EXPECT_EQ(of_sum({{{1, kArray, {}}, {1, 0, {}}, {3, 0, {}}}}).read_bytes, 2 * kArray);
  EXPECT_EQ(of_sum({{{1, 0, {}}, {1, kArray - 32, {}}, {3, 0, {}}}}).read_bytes, kArray) << "they share a sector";
}

TEST(Origins, RecordedAddressesTellArraysApart) {
  constexpr std::uint32_t kRecorded = PointerOrigin::kRecorded;
  constexpr std::uint64_t kPlace = 0x7f0000000000;
  const PointerOrigin a{kRecorded, kPlace, {}}, b{kRecorded, kPlace + kArray + 256, {}},
      overlaps{kRecorded, kPlace + 4096, {}}, c{kRecorded, kPlace + 4 * kArray, {}};
  EXPECT_EQ(of_sum({a, b, c}).read_bytes, 2 * kArray);
  EXPECT_EQ(of_sum({b, a, c}).read_bytes, 2 * kArray);
  EXPECT_EQ(of_sum({a, overlaps, c}).read_bytes, kArray);
  EXPECT_EQ(of_sum({a, b, {2, 0, {}}}).read_bytes, 2 * kArray) << "the third may be anywhere";
}

TEST(Origins, WhatIsWrittenIsNotReadFromMemory) {
  EXPECT_EQ(of_sum({{{1, 0, {}}, {2, 0, {}}, {2, 0, {}}}}).read_bytes, kArray) << "one is written in place";
  EXPECT_EQ(of_sum({{{1, 0, {}}, {2, 0, {}}, {2, kArray, {}}}}).read_bytes, 2 * kArray) << "beside it";
}

TEST(Origins, AnAllocationHasNoMoreThanItsBytes) {
  EXPECT_EQ(of_sum({{{1, 0, 1000}, {2, 0, kArray}, {3, 0, {}}}}).read_bytes, kArray + 1000);
}

TEST(Origins, LaunchesThatAreTakenForOneHaveWhatTheyHaveInCommon) {
  const auto pointers = [](std::initializer_list<PointerOrigin> origins) {
    std::vector<ArgumentValue> arguments;
    for (const PointerOrigin &origin : origins) {
      ArgumentValue argument;
      argument.index = static_cast<std::uint32_t>(arguments.size());
      argument.pointer = true;
      argument.origin = origin;
      arguments.push_back(argument);
    }
    return arguments;
  };
  const auto common = [&](std::vector<ArgumentValue> kept, const std::vector<ArgumentValue> &other) {
    keep_common_origins(kept, other);
    std::vector<std::uint32_t> allocations;
    for (const ArgumentValue &argument : kept)
      allocations.push_back(argument.origin.allocation);
    return allocations;
  };
  using Allocations = std::vector<std::uint32_t>;
  const PointerOrigin a{1, 0, {}}, b{2, 0, {}}, c{3, 0, {}}, unknown;
  EXPECT_EQ(common(pointers({a, b}), pointers({b, a})), (Allocations{1, 2})) << "in turns";
  EXPECT_EQ(common(pointers({a, b}), pointers({c, c})), (Allocations{0, 2})) << "both are one, once";
  EXPECT_EQ(common(pointers({a, b}), pointers({a, unknown})), (Allocations{1, 0}));
  EXPECT_EQ(common(pointers({a, b}), pointers({a})), (Allocations{1, 0}));
  const auto at = [](std::uint64_t place) { return PointerOrigin{PointerOrigin::kRecorded, place, {}}; };
  constexpr std::uint32_t kRecorded = PointerOrigin::kRecorded;
  EXPECT_EQ(common(pointers({at(0), at(4096)}), pointers({at(8192), at(4096)})), (Allocations{kRecorded, kRecorded}));
  EXPECT_EQ(common(pointers({at(0), at(4096)}), pointers({at(0), at(1024)})), (Allocations{0, kRecorded})) << "nearer";
}

Launch with_pointer(std::uint64_t blocks, std::uint32_t threads) {
  Launch launch;
  launch.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  launch.block = {threads, 1, 1};
  ArgumentValue pointer;
  pointer.width_bits = 64;
  pointer.pointer = true;
  launch.arguments = {pointer};
  return launch;
}

/// if (i < n) ... a[i]: half of the last block's warps have nothing to do, and all of the others'.
TEST(Floor, WarpsThatTheLastBlockHasNotCountInTheOthers) {
  test::ProgramBuilder b;
  b.program.parameters.push_back({"a", "float *", 8, true});
  const RegisterId index =
      b.binary(Opcode::Add, b.special(SpecialRegister::ThreadX), b.scaled(b.special(SpecialRegister::BlockX), 256));
  b.branch(b.compare(Opcode::ULt, index, b.constant(4096 * 256 - 128)), [&] {
    b.access(AddressSpace::Global, Operation::Load, 32,
             b.binary(Opcode::Add, b.argument(0, 64), b.scaled(b.resize(Opcode::ZeroExtend, index, 64), 4)));
  });
  const LeastWork work = simulate(b.program, with_pointer(4096, 256), sm90(), {}).least;
  EXPECT_EQ(work.read_bytes, 4095u * 1024);
  ASSERT_EQ(work.reads.size(), 1u);
  EXPECT_EQ(work.reads[0].least_bytes, 4095u * 1024);
}

/// Rows upwards from the first, and downwards from the ninth: nine rows in all.
TEST(Floor, RowsThatAreReadBothWaysCountOnce) {
  test::ProgramBuilder b;
  b.program.parameters.push_back({"a", "float *", 8, true});
  const RegisterId lane = b.scaled(b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64), 4);
  for (const auto &[first, step] : {std::pair(0, 1024), std::pair(8192, -1024)})
    b.loop(b.constant(0), b.constant(1), b.constant(8), [&](RegisterId i, RegisterId) {
      const RegisterId row =
          b.binary(Opcode::Add, b.constant(first, 64), b.scaled(b.resize(Opcode::SignExtend, i, 64), step));
      b.access(AddressSpace::Global, Operation::Load, 32,
               b.binary(Opcode::Add, b.argument(0, 64), b.binary(Opcode::Add, lane, row)));
    });
  const LeastWork work = simulate(b.program, with_pointer(1, 32), sm90(), {}).least;
  EXPECT_LE(work.read_bytes, 9u * 128);
  EXPECT_GE(work.read_bytes, 8u * 128);
}

/// What a loop without a load or store computes is known by a program that counts it.
TEST(Floor, ArithmeticOfLoopsIsCountedByItself) {
  test::ProgramBuilder b;
  b.program.parameters.push_back({"n", "int", 4});
  b.loop(b.constant(0), b.constant(1), b.argument(0),
         [&](RegisterId, RegisterId) { b.access(AddressSpace::Global, Operation::Load, 32, b.constant(0, 64)); });
  KernelArithmetic arithmetic;
  arithmetic.others.push_back({b.program, {{{{0, 1}}, {3, 0, 0}}}});
  Launch launch;
  launch.grid = {10, 1, 1};
  launch.block = {64, 1, 1};
  EXPECT_EQ(count_work(arithmetic.others, launch, sm90(), {}).work.fp32, 0u) << "data may decide how often";
  ArgumentValue n;
  n.value = 100;
  launch.arguments = {n};
  const CountedWork all = count_work(arithmetic.others, launch, sm90(), {});
  EXPECT_EQ(all.work.fp32, 3u * 100 * 10 * 2);
  EXPECT_GT(all.steps, 0u);
  EXPECT_FALSE(all.exhausted);
  arithmetic.others.push_back(arithmetic.others.front());
  EXPECT_EQ(count_work(arithmetic.others, launch, sm90(), {}).work, all.work.times(2));
  const CountedWork little = count_work(arithmetic.others, launch, sm90(), {}, 1);
  EXPECT_EQ(little.work, ArithmeticWork()) << "of the first there is no count, and nothing is left for the second";
  EXPECT_LT(little.steps, all.steps);
  EXPECT_TRUE(little.exhausted);
}

TEST(Occupancy, TheScarcestLimits) {
  const auto of = [](std::uint64_t threads, std::uint64_t shared, std::optional<std::uint32_t> registers) {
    return occupancy(sm90(), {threads, shared, registers});
  };
  EXPECT_EQ(of(256, 0, {}).blocks_per_sm, 8u);
  EXPECT_EQ(of(256, 0, {}).limit, Occupancy::Limit::Threads);
  EXPECT_EQ(of(32, 0, {}).blocks_per_sm, 32u);
  EXPECT_EQ(of(32, 0, {}).limit, Occupancy::Limit::Blocks);
  EXPECT_EQ(of(256, 100 * 1024, {}).blocks_per_sm, 2u) << "1 KiB of each block is the driver's";
  EXPECT_EQ(of(256, 100 * 1024, {}).limit, Occupancy::Limit::SharedMemory);
  EXPECT_EQ(of(256, 0, 64).blocks_per_sm, 4u);
  EXPECT_EQ(of(256, 0, 64).limit, Occupancy::Limit::Registers);
  EXPECT_EQ(of(256, 0, 65).blocks_per_sm, 3u) << "72 a thread: 28 warps, as 7 fit into each quarter of the SM";
  EXPECT_EQ(of(96, 0, 128).blocks_per_sm, 4u) << "three warps take the registers of four";
  EXPECT_EQ(of(1, 0, 32).warps_per_block, 1u);
  EXPECT_EQ(of(0, 0, {}).warps_per_block, 0u);
  EXPECT_EQ(of(256, 300 * 1024, {}).blocks_per_sm, 0u);
}

TEST(Residency, CountsBlocksAndWarpsOfTheBusiestSm) {
  Launch launch;
  launch.block = {256, 1, 1};
  launch.grid = {64, 1, 1};
  const Gpu &h200 = *find_gpu("h200");
  Residency few = residency(launch, 0, {}, sm90(), h200);
  EXPECT_EQ(few.blocks_of_busiest, 1u);
  EXPECT_EQ(few.warps_at_once, 8u);
  launch.grid = {100'000, 1, 1};
  EXPECT_EQ(residency(launch, 0, {}, sm90(), h200).blocks_of_busiest, 758u);
  EXPECT_EQ(residency(launch, 0, {}, sm90(), h200).warps_at_once, 64u);
  Floor floor;
  floor.ns = 100'000;
  EXPECT_EQ(bound_by_throughput(floor, few), true);
  few.warps_at_once = 1;
  EXPECT_EQ(bound_by_throughput(floor, few), false);
  few.warps_at_once = 8;
  floor.ns = 1000;
  EXPECT_EQ(bound_by_throughput(floor, few), false);
  floor.at_least = true;
  EXPECT_EQ(bound_by_throughput(floor, few), std::nullopt) << "what is not known may take long";
}

} // namespace
} // namespace smem
