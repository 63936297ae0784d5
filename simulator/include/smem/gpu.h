// Throughputs of GPUs, one record for each product, every figure with its source.
//
// They bound times from below, so that each is the most that the GPU can do: the highest clock, not the usual one; the peak of
// the bus, not what a copy reaches. What an SM does in a clock follows from its architecture, and is the same for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "smem/architecture.h"

namespace smem {

struct GpuFigure {
  double value = 0; ///< positive
  Evidence evidence = Evidence::Documented;
  std::string source;
};

struct Gpu {
  std::string name;         ///< as --gpu has it: "h200"
  std::string title;        ///< as people write it: "H200"
  std::string architecture; ///< "sm_90", one that there is a table for
  GpuFigure sms;            ///< streaming multiprocessors
  GpuFigure clock_mhz;      ///< the highest clock of the SMs
  GpuFigure dram_gbs;       ///< GB/s (10^9 bytes) between the chip and its memory, both ways together
  GpuFigure l2_mib;         ///< MiB of L2: what it may hold of a launch's data before and after
  GpuFigure registers;      ///< 32-bit registers of an SM
  GpuFigure l2_store_gbs{}; ///< GB/s that SMs send L2 to store; 0: not known
  GpuFigure l2_read_gbs{};  ///< GB/s that L2 gives to SMs; 0: not known

  double nanoseconds(double cycles) const { return cycles * 1e3 / clock_mhz.value; }
};

/// What an SM does in a clock at most, on every architecture that there is a table for.
struct SmThroughput {
  GpuFigure wavefronts; ///< of the L1 data pipe, which shared memory is part of
  GpuFigure tags;       ///< lookups of 128-byte lines
};
const SmThroughput &sm_throughput();

/// Results of the lanes of an SM in a clock at most, by architecture.
struct ArithmeticThroughput {
  GpuFigure fp32;         ///< additions, multiplications, fused ones
  GpuFigure fp64;         ///< the same of doubles
  GpuFigure special;      ///< reciprocals, roots, exponentials, logarithms, sines
  GpuFigure instructions; ///< of all kinds: lanes of the instructions that its schedulers issue
  GpuFigure integer;      ///< additions, shifts, logic, comparisons of integers
  GpuFigure multiply;     ///< multiplications of integers
  GpuFigure exchange;     ///< shuffles: loads and stores take a pipe of their own
  GpuFigure tensor;       ///< multiplications of 16-bit numbers with an addition, by tensor cores
};
/// Null: there is no table for it.
const ArithmeticThroughput *arithmetic_throughput(std::string_view architecture);

std::span<const Gpu> gpus();

/// By name, in any case, with and without hyphens: "h200", "RTX-4090". Null if there is no such record.
const Gpu *find_gpu(std::string_view name);

/// The GPU that stands for an architecture where none is named; null if none does.
const Gpu *usual_gpu(const Architecture &architecture);

/// Empty when every figure can be one, else what is wrong: "sms must be a positive integer".
std::string wrong_with(const Gpu &gpu);

} // namespace smem
