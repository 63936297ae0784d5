#include "host/typical_device.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace smem {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; multiprocessors from the products' data sheets.
constexpr TypicalDevice kDevices[] = {
    {70, "V100", 80, 2048, 32, 96 << 10, 96 << 10},       {75, "T4", 40, 1024, 16, 64 << 10, 64 << 10},
    {80, "A100", 108, 2048, 32, 164 << 10, 163 << 10},    {86, "RTX 3090", 82, 1536, 16, 100 << 10, 99 << 10},
    {89, "RTX 4090", 128, 1536, 24, 100 << 10, 99 << 10}, {90, "H100 SXM or H200", 132, 2048, 32, 228 << 10, 227 << 10},
    {100, "B200", 148, 2048, 32, 228 << 10, 227 << 10},   {120, "RTX 5090", 170, 1536, 24, 100 << 10, 99 << 10},
};

} // namespace

const TypicalDevice &typical_device(std::string_view processor) {
  int compute = 0;
  if (processor.starts_with("sm_"))
    std::from_chars(processor.data() + 3, processor.data() + processor.size(), compute);
  const TypicalDevice *nearest = std::begin(kDevices);
  for (const TypicalDevice &device : kDevices)
    if (device.compute <= compute)
      nearest = &device;
  return *nearest;
}

DeviceProperty device_property(const TypicalDevice &device, std::string_view field) {
  const std::pair<std::string_view, DeviceProperty> properties[] = {
      {"multiProcessorCount", {device.multiprocessors, true, true}},
      {"major", {device.compute / 10, true, false}},
      {"minor", {device.compute % 10, true, false}},
      {"warpSize", {32, true, false}},
      {"maxThreadsPerBlock", {1024, true, false}},
      {"maxThreadsPerMultiProcessor", {device.threads_per_multiprocessor, true, false}},
      {"maxBlocksPerMultiProcessor", {device.blocks_per_multiprocessor, true, false}},
      {"maxThreadsDim[0]", {1024, true, false}},
      {"maxThreadsDim[1]", {1024, true, false}},
      {"maxThreadsDim[2]", {64, true, false}},
      {"maxGridSize[0]", {2147483647, true, false}},
      {"maxGridSize[1]", {65535, true, false}},
      {"maxGridSize[2]", {65535, true, false}},
      {"sharedMemPerBlock", {48 << 10, true, false}},
      {"sharedMemPerBlockOptin", {device.shared_per_block_optin, true, false}},
      {"sharedMemPerMultiprocessor", {device.shared_per_multiprocessor, true, false}},
      {"regsPerBlock", {65536, true, false}},
      {"regsPerMultiprocessor", {65536, true, false}},
      {"cooperativeLaunch", {1, true, false}},
      {"concurrentKernels", {1, true, false}},
      {"canMapHostMemory", {1, true, false}},
      {"managedMemory", {1, true, false}},
      {"unifiedAddressing", {1, true, false}},
  };
  const auto found =
      std::find_if(std::begin(properties), std::end(properties), [&](const auto &p) { return p.first == field; });
  return found == std::end(properties) ? DeviceProperty() : found->second;
}

int resident_blocks(const TypicalDevice &device, int threads, std::int64_t shared_bytes) {
  constexpr int kWarp = 32, kLargestBlock = 1024;
  if (threads <= 0 || threads > kLargestBlock || shared_bytes < 0 || shared_bytes > device.shared_per_block_optin)
    return 0;
  const int warps = (threads + kWarp - 1) / kWarp;
  const std::int64_t reserved =
      device.shared_per_multiprocessor - device.shared_per_block_optin; // by the system, for each block
  std::int64_t blocks = std::min(device.blocks_per_multiprocessor, device.threads_per_multiprocessor / kWarp / warps);
  if (shared_bytes + reserved > 0)
    blocks = std::min(blocks, device.shared_per_multiprocessor / (shared_bytes + reserved));
  return static_cast<int>(blocks);
}

int occupancy_block_size(const TypicalDevice &device, int limit, std::int64_t shared_bytes) {
  constexpr int kWarp = 32;
  int best = 0, most_threads = 0;
  for (int aligned = (limit + kWarp - 1) / kWarp * kWarp; aligned > 0; aligned -= kWarp) {
    const int threads = std::min(aligned, limit);
    const int resident = threads * resident_blocks(device, threads, shared_bytes);
    if (resident > most_threads) {
      most_threads = resident;
      best = threads;
    }
  }
  return best;
}

std::string_view field_of_attribute(std::string_view enumerator) {
  constexpr std::pair<std::string_view, std::string_view> kFields[] = {
      {"cudaDevAttrMultiProcessorCount", "multiProcessorCount"},
      {"cudaDevAttrComputeCapabilityMajor", "major"},
      {"cudaDevAttrComputeCapabilityMinor", "minor"},
      {"cudaDevAttrWarpSize", "warpSize"},
      {"cudaDevAttrMaxThreadsPerBlock", "maxThreadsPerBlock"},
      {"cudaDevAttrMaxThreadsPerMultiProcessor", "maxThreadsPerMultiProcessor"},
      {"cudaDevAttrMaxBlocksPerMultiprocessor", "maxBlocksPerMultiProcessor"},
      {"cudaDevAttrMaxSharedMemoryPerBlock", "sharedMemPerBlock"},
      {"cudaDevAttrMaxSharedMemoryPerBlockOptin", "sharedMemPerBlockOptin"},
      {"cudaDevAttrMaxSharedMemoryPerMultiprocessor", "sharedMemPerMultiprocessor"},
      {"cudaDevAttrMaxRegistersPerBlock", "regsPerBlock"},
      {"cudaDevAttrCooperativeLaunch", "cooperativeLaunch"},
      {"cudaDevAttrConcurrentKernels", "concurrentKernels"},
      {"cudaDevAttrCanMapHostMemory", "canMapHostMemory"},
      {"cudaDevAttrManagedMemory", "managedMemory"},
  };
  const auto found =
      std::find_if(std::begin(kFields), std::end(kFields), [&](const auto &f) { return f.first == enumerator; });
  return found == std::end(kFields) ? std::string_view() : found->second;
}

} // namespace smem
