// A kernel launch as CUPTI's callbacks show it, whichever of CUDA's calls made it.
#pragma once

#include "json_writer.h"

#include <cuda.h>
#include <cupti.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace smem_lint::validate {

struct Launch {
  CUfunction function = nullptr;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned shared_dynamic = 0;
  CUstream stream = nullptr;
  void **parameters = nullptr;            // null if the program packed its arguments itself
  void **extra = nullptr;                 // then they are here
  const CUlaunchConfig *config = nullptr; // of cuLaunchKernelEx only
  bool cooperative = false;
};

// Makes CUPTI call `subscriber` for every launch; throws CuptiError.
void enable_launch_callbacks(CUpti_SubscriberHandle subscriber);

// Nothing if the call launches no kernel: a graph, or one of the calls that CUDA 4 had.
std::optional<Launch> launch_of(CUpti_CallbackId id, const void *parameters);

bool is_graph_launch(CUpti_CallbackId id);
// The stream that a launch or a graph launch goes to.
CUstream stream_of(CUpti_CallbackId id, const void *parameters);

// Whether the launch is only recorded into a graph and runs later.
bool is_being_captured(CUstream stream);

// Where an argument lies in the parameter block, in bytes.
struct Parameter {
  std::size_t offset = 0, size = 0;
};
std::vector<Parameter> parameters_of(CUfunction function);

std::string demangle(const std::string &name);

// grid, block, shared_static, shared_dynamic, registers, arguments
void write_configuration(JsonWriter &json, const Launch &launch);
// grid, block, shared_dynamic
void write_shape(JsonWriter &json, const Launch &launch);
// The same as a text; empty for no launch.
std::string shape_of(const std::optional<Launch> &launch);

} // namespace smem_lint::validate
