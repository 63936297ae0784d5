#include "smem/gpu.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace smem {
namespace {

// [datasheet] NVIDIA's data sheet of the product, [whitepaper] the white paper of its architecture.
// [driver] what `nvidia-smi -q -d CLOCK` and cudaGetDeviceProperties report of the product.
// [H200] measured: none of the recorded launches is faster than the figure allows (tests/floors).

GpuFigure documented(double value, std::string source) { return {value, Evidence::Documented, std::move(source)}; }

/// What the driver is said to allow, where no document has it or cards go beyond what is advertised.
GpuFigure inferred(double value, std::string source) { return {value, Evidence::Inferred, std::move(source)}; }

GpuFigure registers() { return documented(65'536, "CUDA C++ Programming Guide, technical specifications"); }

std::vector<Gpu> make_gpus() {
  std::vector<Gpu> all;
  const auto add = [&](std::string name, std::string title, std::string architecture, GpuFigure sms, GpuFigure clock,
                       GpuFigure dram, GpuFigure l2) {
    all.push_back({std::move(name),
                   std::move(title),
                   std::move(architecture),
                   std::move(sms),
                   std::move(clock),
                   std::move(dram),
                   std::move(l2),
                   registers(),
                   {}});
  };
  // The first of an architecture stands for it where no GPU is named.
  add("h200", "H200", "sm_90", documented(132, "[datasheet]"),
      {1980, Evidence::Measured, "[driver]; [H200] shared memory is within 1% of one wavefront at this clock"},
      documented(4915, "6,144 bits of HBM3e at 6.4 Gb/s a pin; [datasheet] has 4.8 TB/s, rounded"),
      documented(60, "all of a GH100: [whitepaper]"));
  add("h100", "H100 SXM", "sm_90", documented(132, "[datasheet]"), documented(1980, "[datasheet]"),
      documented(3352, "[datasheet]: 5,120 bits of HBM3"), documented(50, "[whitepaper]"));
  add("h100-pcie", "H100 PCIe", "sm_90", documented(114, "[datasheet]"), documented(1755, "[datasheet]"),
      documented(2039, "[datasheet]: 5,120 bits of HBM2e"), documented(50, "[whitepaper]"));
  add("a100", "A100 80 GB", "sm_80", documented(108, "[whitepaper]"), documented(1410, "[whitepaper]"),
      documented(2039, "[datasheet]"), documented(40, "[whitepaper]"));
  add("a100-40gb", "A100 40 GB", "sm_80", documented(108, "[whitepaper]"), documented(1410, "[whitepaper]"),
      documented(1555, "[whitepaper]"), documented(40, "[whitepaper]"));
  add("v100", "V100", "sm_70", documented(80, "[whitepaper]"), documented(1530, "[whitepaper]"),
      documented(900, "[whitepaper]"), documented(6, "[whitepaper]"));
  add("t4", "T4", "sm_75", documented(40, "[datasheet]"), documented(1590, "[datasheet]"),
      documented(320, "[datasheet]"), documented(4, "[whitepaper]"));
  add("a10", "A10", "sm_86", documented(72, "[datasheet]"), documented(1695, "[datasheet]"),
      documented(600, "[datasheet]"), documented(6, "[whitepaper]"));
  add("l40s", "L40S", "sm_89", documented(142, "[datasheet]"), documented(2520, "[datasheet]"),
      documented(864, "[datasheet]"), documented(96, "[whitepaper]: all of an AD102"));
  add("l4", "L4", "sm_89", inferred(60, "58 by some sources, 60 by others: the larger one is the safe one"),
      documented(2040, "[datasheet]"), documented(300, "[datasheet]"), documented(48, "[datasheet]"));
  add("rtx4090", "RTX 4090", "sm_89", documented(128, "[whitepaper]"),
      inferred(3105, "[driver]: the highest that it allows; [whitepaper] has 2,520 MHz, which cards exceed"),
      documented(1008, "[whitepaper]"), documented(72, "[whitepaper]"));
  add("b200", "B200", "sm_100", documented(148, "[driver]"),
      inferred(1965, "[driver], of one report; no data sheet has it"),
      documented(8192, "8,192 bits of HBM3e at 8 Gb/s a pin; [datasheet] has 8 TB/s, rounded"),
      documented(127, "[driver]: 126.5 MiB"));
  for (Gpu &gpu : all)
    if (gpu.name == "h200" || gpu.name == "h100") { // of one chip, at one clock
      gpu.l2_store_gbs = {
          5500, Evidence::Measured,
          "[H200] 4,681 at most, of stores of whole sectors (validate/recorded/throughput-h200.jsonl); a "
          "sixth more is taken"};
      gpu.l2_read_gbs = {
          10'700, Evidence::Measured,
          "[H200] 8,674 at most (validate/recorded/throughput-h200.jsonl); nearly a quarter more is taken"};
    }
  return all;
}

std::map<std::string, ArithmeticThroughput, std::less<>> make_arithmetic() {
  // Since CUDA 13 the table is in the Best Practices Guide (12.1.1). Rows of sm_80 and sm_90 agree with what others cite from that edition.
  const std::string guide = "CUDA C++ Programming Guide, throughput of native arithmetic instructions";
  const std::string issue = "white papers since Volta: four schedulers, an instruction of 32 lanes a clock each";
  std::map<std::string, ArithmeticThroughput, std::less<>> all;
  const std::string cores = "white papers: peak rates of 16-bit numbers, without sparsity";
  const auto add = [&](std::string architecture, double fp32, double fp64, double tensor) {
    all[std::move(architecture)] = {documented(fp32, guide), documented(fp64, guide),  documented(16, guide),
                                    documented(128, issue),  documented(64, guide),    documented(64, guide),
                                    documented(32, guide),   documented(tensor, cores)};
  };
  add("sm_70", 64, 32, 512);
  add("sm_75", 64, 4, 512); // of FP64 the guide has 2 in some editions, 4 in others: the higher is never wrong
  add("sm_80", 64, 32, 1024);
  add("sm_86", 128, 4, 512);
  add("sm_89", 128, 4, 512);
  add("sm_90", 128, 64, 2048);
  // An instruction may do the arithmetic of two floats there; figures as those of the generation before where they were not looked up. None is
  // below what is cited from the Best Practices Guide of CUDA 13: of 10.0 128, 64 and 64 lanes of FP32, FP64 and integers; of 12.0 128 of FP32 and
  // integer sums, 2 of FP64, 64 of integer products and logic, 32 of shuffles.
  const auto infer = [&](std::string architecture, double fp64, double tensor) {
    const std::string source = "as its predecessors; an instruction may have two floats";
    const std::string unified = "integers are computed where floats are";
    all[std::move(architecture)] = {inferred(128, source),  inferred(fp64, source),
                                    inferred(32, source),   inferred(256, source),
                                    inferred(128, unified), inferred(128, unified),
                                    inferred(32, source),   inferred(tensor, "twice its predecessor's")};
  };
  infer("sm_100", 64, 4096);
  infer("sm_120", 4, 1024);
  return all;
}

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ')
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

} // namespace

const SmThroughput &sm_throughput() {
  static const SmThroughput throughput{
      // CUDA C++ Programming Guide: "each bank has a bandwidth of 32 bits per clock cycle", 32 banks. NVIDIA's developer forum, topic
      // 165293: "a wavefront is the maximum unit of work that can pass through that pipeline stage per cycle".
      {1, Evidence::Documented, "CUDA C++ Programming Guide; NVIDIA developer forum, topic 165293; [H200]"},
      // Less where lines share a set: power-of-two strides get one a clock on an H200.
      {4, Evidence::Documented, "NVIDIA developer forum, topic 273699: 4 sets a cycle since GV100"},
  };
  return throughput;
}

const ArithmeticThroughput *arithmetic_throughput(std::string_view architecture) {
  static const auto all = make_arithmetic();
  const auto found = all.find(architecture);
  return found == all.end() ? nullptr : &found->second;
}

std::span<const Gpu> gpus() {
  static const std::vector<Gpu> all = make_gpus();
  return all;
}

const Gpu *find_gpu(std::string_view name) {
  const auto found = std::ranges::find(gpus(), plain(name), [](const Gpu &gpu) { return plain(gpu.name); });
  return found == gpus().end() ? nullptr : &*found;
}

const Gpu *usual_gpu(const Architecture &architecture) {
  const auto found = std::ranges::find(gpus(), architecture.name, &Gpu::architecture);
  return found == gpus().end() ? nullptr : &*found;
}

std::string wrong_with(const Gpu &gpu) {
  if (!find_architecture(gpu.architecture))
    return "there is no table for its architecture";
  constexpr double kMost = 1e9;
  const auto is_positive = [](double value) { return value > 0 && value <= kMost; }; // a NaN is neither
  const auto is_whole = [](double value) { return value == std::floor(value); };
  if (!is_positive(gpu.sms.value) || !is_whole(gpu.sms.value))
    return "sms must be a positive integer";
  if (!is_positive(gpu.registers.value) || !is_whole(gpu.registers.value))
    return "registers must be a positive integer";
  if (!is_positive(gpu.clock_mhz.value))
    return "clock_mhz must be a positive number";
  if (!is_positive(gpu.dram_gbs.value))
    return "dram_gbs must be a positive number";
  if (!is_positive(gpu.l2_mib.value))
    return "l2_mib must be a positive number";
  return {};
}

} // namespace smem
