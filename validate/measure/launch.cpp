#include "launch.h"

#include "cupti_error.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace smem_lint::validate {
namespace {

const cuGraphLaunch_params *graph_launch(CUpti_CallbackId id, const void *parameters) {
  return is_graph_launch(id) ? static_cast<const cuGraphLaunch_params *>(parameters) : nullptr;
}

template <class Parameters> Launch plain(const Parameters *p) {
  Launch launch;
  launch.function = p->f;
  launch.grid[0] = p->gridDimX, launch.grid[1] = p->gridDimY, launch.grid[2] = p->gridDimZ;
  launch.block[0] = p->blockDimX, launch.block[1] = p->blockDimY, launch.block[2] = p->blockDimZ;
  launch.shared_dynamic = p->sharedMemBytes;
  launch.stream = p->hStream;
  launch.parameters = p->kernelParams;
  return launch;
}

} // namespace

void enable_launch_callbacks(CUpti_SubscriberHandle subscriber) {
  for (const auto id :
       {CUPTI_DRIVER_TRACE_CBID_cuLaunch, CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
        CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz})
    check_cupti(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id), "cuptiEnableCallback");
}

std::optional<Launch> launch_of(CUpti_CallbackId id, const void *parameters) {
  switch (id) {
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
    const auto *p = static_cast<const cuLaunchKernel_params *>(parameters);
    Launch launch = plain(p);
    launch.extra = p->extra;
    return launch;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
    Launch launch = plain(static_cast<const cuLaunchCooperativeKernel_params *>(parameters));
    launch.cooperative = true;
    return launch;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
    const auto *p = static_cast<const cuLaunchKernelEx_params *>(parameters);
    if (!p->config)
      return std::nullopt;
    const auto &c = *p->config;
    return Launch{p->f,
                  {c.gridDimX, c.gridDimY, c.gridDimZ},
                  {c.blockDimX, c.blockDimY, c.blockDimZ},
                  c.sharedMemBytes,
                  c.hStream,
                  p->kernelParams,
                  p->extra,
                  p->config,
                  false};
  }
  default: return std::nullopt;
  }
}

bool is_graph_launch(CUpti_CallbackId id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch || id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz;
}

CUstream stream_of(CUpti_CallbackId id, const void *parameters) {
  if (const auto launch = launch_of(id, parameters))
    return launch->stream;
  const auto *graph = graph_launch(id, parameters);
  return graph ? graph->hStream : nullptr;
}

bool is_being_captured(CUstream stream) {
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  return stream && cuStreamIsCapturing(stream, &capture) == CUDA_SUCCESS && capture != CU_STREAM_CAPTURE_STATUS_NONE;
}

std::vector<Parameter> parameters_of(CUfunction function) {
  std::vector<Parameter> found;
  for (std::size_t i = 0;; ++i) {
    Parameter parameter;
    // The handle is that of a function or, with the newer library interface, of a kernel.
    if (cuFuncGetParamInfo(function, i, &parameter.offset, &parameter.size) != CUDA_SUCCESS &&
        cuKernelGetParamInfo(reinterpret_cast<CUkernel>(function), i, &parameter.offset, &parameter.size) !=
            CUDA_SUCCESS)
      return found;
    found.push_back(parameter);
  }
}

std::string demangle(const std::string &name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

void write_shape(JsonWriter &json, const Launch &launch) {
  const auto dimensions = [&](const char *key, const unsigned(&d)[3]) {
    json.key(key).begin_array().value(d[0]).value(d[1]).value(d[2]).end_array();
  };
  dimensions("grid", launch.grid);
  dimensions("block", launch.block);
  json.field("shared_dynamic", launch.shared_dynamic);
}

std::string shape_of(const std::optional<Launch> &launch) {
  if (!launch)
    return {};
  JsonWriter json;
  json.begin_object();
  write_shape(json, *launch);
  return json.end_object().text();
}

constexpr std::size_t kMostBytes = 4096; // of one argument; more than CUDA 12 takes altogether

void write_configuration(JsonWriter &json, const Launch &launch) {
  write_shape(json, launch);
  const auto attribute = [&](CUfunction_attribute which) {
    int value = 0;
    CUdevice device = 0;
    if (cuFuncGetAttribute(&value, which, launch.function) == CUDA_SUCCESS)
      return value;
    cuCtxGetDevice(&device);
    return cuKernelGetAttribute(&value, which, reinterpret_cast<CUkernel>(launch.function), device) == CUDA_SUCCESS
               ? value
               : 0;
  };
  json.field("shared_static", attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  json.field("registers", attribute(CU_FUNC_ATTRIBUTE_NUM_REGS));
  json.key("arguments").begin_array();
  const auto parameters = launch.parameters ? parameters_of(launch.function) : std::vector<Parameter>{};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::string hex;
    for (std::size_t b = 0; launch.parameters[i] && b < parameters[i].size && b < kMostBytes; ++b) {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char *>(launch.parameters[i])[b]);
      hex += digits;
    }
    json.begin_object()
        .field("offset", parameters[i].offset)
        .field("size", parameters[i].size)
        .field("bytes", hex)
        .end_object();
  }
  json.end_array();
}

} // namespace smem_lint::validate
