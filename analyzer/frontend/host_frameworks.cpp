#include "frontend/host_frameworks.h"

#include <algorithm>

namespace smem {
namespace {

/// Folders end in a slash. The toolkit's libraries for host code are among them, as a machine may lack the toolkit.
// clang-format off
constexpr std::string_view kHostFrameworks[] = {
  "ATen/", "EGL/", "FreeImage", "GL/", "GLES3/", "GLFW/", "GLUT/", "Python.h", "SDL", "THC/", "X11/", "absl/",
  "benchmark/", "boost/", "c10/", "caffe2/", "catch2/", "cublasXt.h", "cudaEGL.h", "cudaGL.h", "cudaVDPAU.h",
  "cuda_d3d", "cuda_gl_interop.h", "cudnn", "cufft", "cusolver", "cusparse", "cutensor.h", "cv.h", "cxxopts",
  "doctest/", "fftw3", "fmt/", "gdal", "gflags/", "glog/", "gmock/", "gpu/mxGPUArray.h", "gtest/", "hdf5.h",
  "highgui.h", "imgui", "jni.h", "jpeglib.h", "mex.h", "mpi.h", "nccl.h", "netcdf", "nlohmann/", "npp.h", "nppi",
  "npps.h", "numpy/", "nvJitLink.h", "nvgraph.h", "nvjpeg", "nvml.h", "nvrtc.h", "omp.h", "opencv/", "opencv2/",
  "paddle/", "papi.h", "png.h", "pybind11/", "rapidjson/", "spdlog/", "stb_image", "tbb/", "tensorflow/", "tiffio.h",
  "tmwtypes.h", "torch/", "vtk", "vulkan/", "yaml-cpp/", "zlib.h",
};
// clang-format on

} // namespace

bool is_host_framework(std::string_view header) {
  return std::ranges::any_of(kHostFrameworks, [&](std::string_view name) { return header.starts_with(name); });
}

StandIn stand_in_for(std::string_view header) {
  for (const std::string_view folder : {"ATen/", "c10/", "torch/", "THC/"})
    if (header.starts_with(folder))
      return StandIn::PyTorch;
  for (const std::string_view folder : {"glog/", "absl/log/"})
    if (header.starts_with(folder))
      return StandIn::Logging;
  return StandIn::None;
}

std::string framework_of(const std::string &header) {
  if (stand_in_for(header) == StandIn::PyTorch)
    return "PyTorch";
  const std::size_t slash = header.find('/');
  return slash == std::string::npos ? header : header.substr(0, slash + 1);
}

} // namespace smem
