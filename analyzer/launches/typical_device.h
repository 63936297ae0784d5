// What a GPU answers when host code asks for its properties.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smem {

/// Limits that follow from the architecture, and the size of one common product of it, which is an assumption.
struct TypicalDevice {
  int compute = 0;                ///< 90
  std::string_view product;       ///< "H100 SXM or H200"
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  int shared_per_multiprocessor = 0, shared_per_block_optin = 0; ///< bytes
};

/// By Clang's name of the processor, "sm_90"; of one that is not listed the nearest before it.
const TypicalDevice &typical_device(std::string_view processor);

/// One integer property, by its name as a field of cudaDeviceProp. `assumed` says whether it differs between products.
struct DeviceProperty {
  std::int64_t value = 0;
  bool known = false, assumed = false;
};
DeviceProperty device_property(const TypicalDevice &device, std::string_view field);

/// The field of cudaDeviceProp with the same meaning as an enumerator of cudaDeviceAttr, or empty.
std::string_view field_of_attribute(std::string_view enumerator);

} // namespace smem
