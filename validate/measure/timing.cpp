#include "timing.h"

#include "cupti_error.h"
#include "launch.h"
#include "launch_filter.h"
#include "record_file.h"

#include <cuda.h>
#include <cupti.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

namespace smem_lint::validate {
namespace {

constexpr double kSampleSeconds = 200e-6; // long against what two events cost
constexpr double kLaunchBudgetSeconds = 0.1;
constexpr int kMostLaunches = 64, kMostSamples = 25, kFewestSamples = 5;

void check_cuda(CUresult result, const char *call) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = nullptr;
  cuGetErrorName(result, &name);
  throw std::runtime_error(std::string(call) + ": " + (name ? name : "error"));
}

// The allocations that a launch's arguments point into, and their contents.
class Snapshot {
public:
  explicit Snapshot(const Launch &launch) {
    if (!launch.parameters)
      throw std::runtime_error("its arguments are packed, so what they point to is not known");
    std::map<CUdeviceptr, std::size_t> ranges;
    const auto parameters = parameters_of(launch.function);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      for (std::size_t at = 0; at + sizeof(CUdeviceptr) <= parameters[i].size; at += sizeof(CUdeviceptr)) {
        CUdeviceptr value = 0, start = 0;
        std::size_t size = 0;
        std::memcpy(&value, static_cast<const char *>(launch.parameters[i]) + at, sizeof value);
        if (value && cuMemGetAddressRange(&start, &size, value) == CUDA_SUCCESS && start)
          ranges[start] = size;
      }
    for (const auto &[start, size] : ranges) {
      Copy copy{start, size, 0};
      if (cuMemAlloc(&copy.kept, size) != CUDA_SUCCESS) {
        release();
        throw std::runtime_error("too little memory on the GPU for a copy of its data");
      }
      copies_.push_back(copy);
      cuMemcpyDtoD(copy.kept, start, size);
    }
  }
  Snapshot(const Snapshot &) = delete;
  Snapshot &operator=(const Snapshot &) = delete;
  ~Snapshot() {
    for (const auto &copy : copies_)
      cuMemcpyDtoD(copy.start, copy.kept, copy.size);
    release();
  }

private:
  struct Copy {
    CUdeviceptr start;
    std::size_t size;
    CUdeviceptr kept;
  };
  void release() {
    for (const auto &copy : copies_)
      cuMemFree(copy.kept);
    copies_.clear();
  }
  std::vector<Copy> copies_;
};

// A stream and two events; the time between them.
class Stopwatch {
public:
  Stopwatch() {
    check_cuda(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    check_cuda(cuEventCreate(&begin_, CU_EVENT_DEFAULT), "cuEventCreate");
    check_cuda(cuEventCreate(&end_, CU_EVENT_DEFAULT), "cuEventCreate");
  }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;
  ~Stopwatch() {
    cuEventDestroy(begin_);
    cuEventDestroy(end_);
    cuStreamDestroy(stream_);
  }

  CUstream stream() const { return stream_; }

  template <class Work> double seconds(Work &&work) {
    float milliseconds = 0;
    check_cuda(cuEventRecord(begin_, stream_), "cuEventRecord");
    work();
    check_cuda(cuEventRecord(end_, stream_), "cuEventRecord");
    check_cuda(cuEventSynchronize(end_), "cuEventSynchronize");
    check_cuda(cuEventElapsedTime(&milliseconds, begin_, end_), "cuEventElapsedTime");
    return milliseconds * 1e-3;
  }

private:
  CUstream stream_ = nullptr;
  CUevent begin_ = nullptr, end_ = nullptr;
};

void repeat(const Launch &launch, CUstream stream) {
  if (launch.config) {
    CUlaunchConfig config = *launch.config;
    config.hStream = stream;
    check_cuda(cuLaunchKernelEx(&config, launch.function, launch.parameters, launch.extra), "cuLaunchKernelEx");
    return;
  }
  const auto &[gx, gy, gz] = launch.grid;
  const auto &[bx, by, bz] = launch.block;
  if (launch.cooperative)
    check_cuda(cuLaunchCooperativeKernel(launch.function, gx, gy, gz, bx, by, bz, launch.shared_dynamic, stream,
                                         launch.parameters),
               "cuLaunchCooperativeKernel");
  else
    check_cuda(cuLaunchKernel(launch.function, gx, gy, gz, bx, by, bz, launch.shared_dynamic, stream, launch.parameters,
                              launch.extra),
               "cuLaunchKernel");
}

// Several launches as one piece of work, so that the host's own pace does not show.
class Graph {
public:
  Graph(const Launch &launch, int launches, CUstream stream) {
    CUgraph graph = nullptr;
    check_cuda(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED), "cuStreamBeginCapture");
    std::optional<std::runtime_error> failure;
    try {
      for (int i = 0; i < launches; ++i)
        repeat(launch, stream);
    } catch (const std::runtime_error &error) {
      failure = error;
    }
    const CUresult ended = cuStreamEndCapture(stream, &graph);
    CUresult made = ended;
    if (ended == CUDA_SUCCESS && !failure)
      made = cuGraphInstantiate(&executable_, graph, 0);
    if (graph)
      cuGraphDestroy(graph);
    if (failure)
      throw *failure;
    check_cuda(made, "cuGraphInstantiate");
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  ~Graph() {
    if (executable_)
      cuGraphExecDestroy(executable_);
  }
  void run(CUstream stream) { check_cuda(cuGraphLaunch(executable_, stream), "cuGraphLaunch"); }

private:
  CUgraphExec executable_ = nullptr;
};

struct Times {
  int launches = 0;            // in a sample
  std::vector<double> seconds; // of one launch, a sample each, ascending
};

Times time(const Launch &launch) {
  Times times;
  const Snapshot snapshot(launch);
  Stopwatch watch;
  repeat(launch, watch.stream());
  const double once = std::max(1e-6, watch.seconds([&] { repeat(launch, watch.stream()); }));
  times.launches = std::clamp(static_cast<int>(std::ceil(kSampleSeconds / once)), 1, kMostLaunches);
  const int samples =
      std::clamp(static_cast<int>(kLaunchBudgetSeconds / (once * times.launches)), kFewestSamples, kMostSamples);
  Graph graph(launch, times.launches, watch.stream());
  graph.run(watch.stream());
  for (int i = 0; i < samples; ++i)
    times.seconds.push_back(watch.seconds([&] { graph.run(watch.stream()); }) / times.launches);
  std::sort(times.seconds.begin(), times.seconds.end());
  return times;
}

class Timing {
public:
  static Timing &get() {
    // Never destroyed: CUDA may call back while the program's own statics go down.
    static Timing *const instance = new Timing;
    return *instance;
  }

  bool start(const char *path) {
    if (!out_.open(path))
      return false;
    try {
      filter_ = LaunchFilter::from_environment();
      CUpti_SubscriberHandle subscriber = nullptr;
      check_cupti(cuptiSubscribe(&subscriber, &Timing::callback, nullptr), "cuptiSubscribe");
      enable_launch_callbacks(subscriber);
    } catch (const CuptiError &error) {
      out_.fail(error.what(), error.hint());
      return false;
    } catch (const std::regex_error &) {
      out_.fail("the kernel filter is not a regular expression", "");
      return false;
    }
    return true;
  }

private:
  static void callback(void *, CUpti_CallbackDomain, CUpti_CallbackId id, const void *data) {
    auto &self = get();
    const std::lock_guard lock(self.mutex_);
    if (self.busy_)
      return; // our own launches
    self.busy_ = true;
    self.driver_call(id, static_cast<const CUpti_CallbackData *>(data));
    self.busy_ = false;
  }

  void driver_call(CUpti_CallbackId id, const CUpti_CallbackData *data) {
    if (data->callbackSite == CUPTI_API_ENTER || is_being_captured(stream_of(id, data->functionParams)))
      return;
    const auto launch = launch_of(id, data->functionParams);
    const unsigned index = index_++;
    const std::string name = data->symbolName ? data->symbolName : "(unknown)", demangled = demangle(name);
    if (!filter_.wants(name, demangled, shape_of(launch)) || !launch)
      return;
    JsonWriter json;
    json.begin_object().field("kind", "time").field("index", index).field("kernel", name).field("demangled", demangled);
    write_shape(json, *launch);
    try {
      check_cuda(data->functionReturnValue ? *static_cast<const CUresult *>(data->functionReturnValue) : CUDA_SUCCESS,
                 "the launch");
      check_cuda(cuCtxSynchronize(), "the kernel");
      const Times times = time(*launch);
      json.field("launches", times.launches).field("samples", static_cast<unsigned long>(times.seconds.size()));
      const auto nanoseconds = [](double seconds) { return static_cast<unsigned long>(std::llround(seconds * 1e9)); };
      json.field("median_ns", nanoseconds(times.seconds[times.seconds.size() / 2]));
      json.field("fastest_ns", nanoseconds(times.seconds.front()))
          .field("slowest_ns", nanoseconds(times.seconds.back()));
    } catch (const std::runtime_error &error) {
      json.field("not_timed", error.what());
    }
    out_.write(json.end_object());
  }

  RecordFile out_;
  LaunchFilter filter_;
  unsigned index_ = 0;
  bool busy_ = false;
  std::recursive_mutex mutex_;
};

} // namespace

bool start_timing(const char *path) { return Timing::get().start(path); }

} // namespace smem_lint::validate
