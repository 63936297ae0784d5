// What a GPU answers when host code asks for its properties.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smem {

/// Limits that follow from the architecture, and the size of one common product of it, which is an assumption.
struct TypicalDevice {
  int compute = 0;          ///< 90
  std::string_view product; ///< "H100 SXM or H200"
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  int shared_per_multiprocessor = 0, shared_per_block_optin = 0; ///< bytes
};

/// By Clang's name of the processor, "sm_90"; of one that is not listed the nearest before it.
const TypicalDevice &typical_device(std::string_view processor);

/// One integer property, by its name as a field of cudaDeviceProp ("maxGridSize[1]"). `assumed` says whether it differs between products.
struct DeviceProperty {
  std::int64_t value = 0;
  bool known = false, assumed = false;
};
DeviceProperty device_property(const TypicalDevice &device, std::string_view field);

/// Blocks that a multiprocessor holds at a time, as far as threads and the shared memory named (bytes a block) limit them.
int resident_blocks(const TypicalDevice &device, int threads, std::int64_t shared_bytes);

/// The block size that cudaOccupancyMaxPotentialBlockSize chooses under the same limits: of those up to `limit` threads with the
/// most threads resident the largest. 0 if none fits.
int occupancy_block_size(const TypicalDevice &device, int limit, std::int64_t shared_bytes);

/// The field of cudaDeviceProp with the same meaning as an enumerator of cudaDeviceAttr, or empty.
std::string_view field_of_attribute(std::string_view enumerator);

} // namespace smem
