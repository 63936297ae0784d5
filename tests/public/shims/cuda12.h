// What CUDA 13 took away and programs for earlier toolkits use, for nvcc's -include. Also read by C files.
#pragma once

#include <cuda_runtime.h>

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset

#ifdef __cplusplus
struct DevicePropertiesOfCuda12 : cudaDeviceProp {
  int clockRate = 1000000, memoryClockRate = 1000000, deviceOverlap = 1, kernelExecTimeoutEnabled = 0,
      computeMode = 0; // kHz
};
inline cudaError_t cudaGetDeviceProperties(DevicePropertiesOfCuda12 *properties, int device) {
  return cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
}
#define cudaDeviceProp DevicePropertiesOfCuda12
#endif
