// nvcc 13.0, machine code for sm_90.
#pragma once

#include "nvcc/rules/rules.h"

namespace smem {
namespace evidence {

constexpr std::string_view kUnrolling = "Where the compiler unrolls", kCopies = "How structures are copied",
                           kMerging = "What the compiler merges", kMembers = "Members of aligned structures",
                           kBranches = "What becomes of then and else blocks", kInlining = "What is inlined";
constexpr std::string_view kGrowingBodies = "54 kinds of bodies that grow step by step, PTX read";
constexpr std::string_view kWholeLoops =
    "bodies that grow by one instruction, 2 to 100 iterations, 19 kinds of arrays and indices, PTX read";
constexpr std::string_view kMachineLoops =
    "62 loops, machine code read; of 61 measured ones 51 agree in every row, 4 have an unknown, 6 differ";

} // namespace evidence

inline constexpr CompilerRules kNvcc130 = [] {
  using namespace evidence;
  return CompilerRules{
      .release = "13.0",

      .inlining_cost =
          {10'000'000,
           "functions of 50 to 1,200 statements, called once and twice: 10 of 10 kernels call none, PTX read",
           kInlining, "constructs/large_functions.cu"},
      .full_unroll_size = {406, kWholeLoops, kUnrolling, "nvcc/full_unroll.ll"},
      .full_unroll_local_array_size = {2436, kWholeLoops, kUnrolling, "nvcc/full_unroll.ll"},
      .full_unroll_bookkeeping = {2, kWholeLoops, kUnrolling, "nvcc/full_unroll.ll"},
      .full_unroll_analysed_trips = {10,
                                     "6 kinds of bodies, 16 to 108 iterations, PTX read: of 9 iterations left the loop "
                                     "goes, of 11 it stays. Up to it: assumed",
                                     kUnrolling, "nvcc/unrolled_in_part.ll"},
      .full_unroll_bounded_trips =
          {8, "9 loops of int, unsigned and 64-bit counters, PTX read: of 8 iterations straight code, of 9 a loop",
           kUnrolling, "constructs/unrolled_by_bound.cu"},
      .full_unroll_told_trips =
          {64,
           "30 bounds from 2 to 4,096, bodies of 1 to 64 loads, PTX read: of 64 iterations straight code, of 65 a loop",
           kUnrolling, "constructs/unrolled_by_bound.cu"},
      .shuffle_size = {3, kWholeLoops, kUnrolling, "nvcc/full_unroll.ll"},
      .partial_unroll_size = {200, "18 pairs of a length and a body: all agree", kUnrolling, "nvcc/partial_unroll.ll"},
      .runtime_unroll_count = {4, kGrowingBodies, kUnrolling, "nvcc/runtime_unroll.ll"},
      .runtime_unroll_size = {173, kGrowingBodies, kUnrolling, "nvcc/runtime_unroll.ll"},
      .runtime_unroll_bookkeeping = {9, kGrowingBodies, kUnrolling, "nvcc/runtime_unroll.ll"},
      .straightened_in_functions = {3, "6 kinds of loops within a loop, PTX read: one is left of each copy", kUnrolling,
                                    "constructs/unrolled_sizes.cu"},
      .runtime_unroll_fewest_trips = {20, "11 bounds of two loops, PTX read", kUnrolling, "nvcc/runtime_unroll.ll"},
      .division_size = {4, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .minimum_size = {2, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .exp_size = {12, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .exp_double_size = {44, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .log_size = {30, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .log_double_size = {66, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .log1p_size = {32, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .tanh_size = {16, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .tanh_double_size = {54, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .erf_size = {24, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .cbrt_size = {16, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .pow_size = {76, kGrowingBodies, kUnrolling, "nvcc/instruction_sizes.ll"},
      .certain_product_loads = {2, "79 kernels, machine code read. Beyond it: assumed",
                                "What moves, and where it is counted", "constructs/dot_products.cu"},
      .unswitch_size = {150, "4 kinds of bodies that grow by two instructions, PTX read: 150 do, 151 do not",
                        kUnrolling, "constructs/unswitched_loops.cu"},
      .if_conversion_size = {5, "read off PTX; the number of kernels is not recorded", kBranches,
                             "constructs/costly_blocks.cu"},
      .straight_copy_size = {127, "structures of 112 to 136 bytes, aligned to 1, 2, 4 and 8, PTX read", kCopies,
                             "nvcc/memory_intrinsics.ll"},
      .copy_piece_size = {8, "39 kernels, PTX and machine code read", kCopies, "nvcc/memory_intrinsics.ll"},
      .straight_copy_iterations =
          {16, "structures of 128 to 4,096 bytes, aligned to 1 to 64, PTX read: 16 are straight, 17 a loop", kCopies,
           "nvcc/memory_intrinsics.ll"},
      .straight_byte_copy_size =
          {16, "16 bytes are straight-line code and 20 a loop, machine code read. Beyond it: assumed", kCopies,
           "constructs/thread_exit.cu"},
      .scalarised_elements = {16, "16 kernels, PTX read", kMembers, "nvcc/placed_arrays.ll"},
      .captured_uses = {10000, "fields forwarded through 800 stores, PTX read", kCopies, ""},
      .forwarded_through = {200,
                            "a load of half a word behind stores of words: nvcc does through 800 stores of sums, 1,066 "
                            "of one value and 1,598 of loaded ones, PTX read. Beyond it: assumed",
                            kCopies, "constructs/forwarded_parts.cu"},
      .certain_fall_through = {2, "read off PTX; the number of kernels is not recorded. Beyond it: assumed",
                               "Where lanes reconverge between branches", "constructs/falling_cases.cu"},

      .unroll_count = {4, kMachineLoops, kUnrolling, "nvcc/runtime_unroll.ll"},
      .unroll_rest_count = {2, kMachineLoops, kUnrolling, "nvcc/runtime_unroll.ll"},
      .unroll_likely_size = {64, kMachineLoops, kUnrolling, "nvcc/machine_unroll.ll"},
      .unroll_never_size = {100, kMachineLoops, kUnrolling, "nvcc/machine_unroll.ll"},
      .unroll_likely_loads = {12, kMachineLoops, kUnrolling, "nvcc/machine_unroll.ll"},
      .unroll_never_loads = {18, "6 loops of 16 loads that unroll, 45 of 18 and more that do not, machine code read",
                             kUnrolling, "nvcc/machine_unroll.ll"},
      .exact_division_size = {24, kMachineLoops, kUnrolling, "nvcc/machine_unroll.ll"},
      .constant_division_size = {14, kMachineLoops, kUnrolling, "nvcc/machine_unroll.ll"},
      .straight_iterations =
          {64,
           "12 kinds of bodies, 21 lengths up to 1,024: whole loops of up to 28, of longer ones what is "
           "left over, machine code read. Up to it: assumed",
           kUnrolling, "constructs/straight_iterations.cu"},
      .certain_index_terms =
          {2, "342 kernels, PTX read: all aligned up to it; of sums of more 83 in part. Beyond it: assumed", kMerging,
           "constructs/sums_in_indices.cu"},
      .certain_address_steps = {2, "read off machine code; the number of kernels is not recorded. Beyond it: assumed",
                                kMerging, "nvcc/uncertain_accesses.ll"},
  };
}();

} // namespace smem
