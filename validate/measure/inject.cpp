// Loaded into any CUDA program through CUDA_INJECTION64_PATH: writes one line of JSON for every kernel launch, with the
// hardware's counters of every memory instruction.  The line is on disk before the program's launch call returns.
//
// Settings, all from the environment: SMEM_MEASURE_OUT (file), SMEM_MEASURE_KERNEL (regular expression on the kernel's
// name, mangled or not), SMEM_MEASURE_SKIP and SMEM_MEASURE_COUNT (launches of matching kernels), SMEM_MEASURE_ALL
// (rows for all instructions, not only those that access memory).
#include "counters.h"
#include "elf_image.h"
#include "instruction.h"
#include "json_writer.h"
#include "line_table.h"

#include <cuda.h>
#include <cupti.h>
#include <cupti_pcsampling.h>

#include <cxxabi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <regex>

namespace smem_lint::validate {
namespace {

std::string demangle(const std::string& name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

struct Module {
  std::string bytes;
  std::optional<ElfImage> image;
  LineTable lines;
};

// What is the same for all of CUDA's ways to launch a kernel.
struct Launch {
  CUfunction function = nullptr;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned shared_dynamic = 0;
  CUstream stream = nullptr;
  void** parameters = nullptr;
};

class Measurement {
 public:
  static Measurement& get() {
    // Never destroyed: CUDA may call back while the program's own statics go down.
    static Measurement* const instance = new Measurement;
    return *instance;
  }

  bool start() {
    const char* path = std::getenv("SMEM_MEASURE_OUT");
    out_ = std::fopen(path ? path : "smem-measure.jsonl", "a");
    if (!out_) {
      std::fprintf(stderr, "smem-validate: cannot write %s\n", path ? path : "smem-measure.jsonl");
      return false;
    }
    try {
      if (const char* kernel = std::getenv("SMEM_MEASURE_KERNEL")) kernel_.emplace(kernel);
    } catch (const std::regex_error&) {
      fail("the kernel filter is not a regular expression", "");
      return false;
    }
    if (const char* skip = std::getenv("SMEM_MEASURE_SKIP")) skip_ = std::strtoul(skip, nullptr, 10);
    if (const char* count = std::getenv("SMEM_MEASURE_COUNT")) count_ = std::strtoul(count, nullptr, 10);
    all_ = std::getenv("SMEM_MEASURE_ALL") != nullptr;
    try {
      const auto subscriber = CounterSession::subscribe(&Measurement::callback);
      for (const auto id : {CUPTI_DRIVER_TRACE_CBID_cuLaunch, CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid,
                            CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                            CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                            CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                            CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                            CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz})
        check_cupti(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id), "cuptiEnableCallback");
    } catch (const CuptiError& error) {
      fail(error);
      return false;
    }
    std::atexit([] { get().finish(); });
    return true;
  }

 private:
  static void callback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    auto& self = get();
    const std::lock_guard lock(self.mutex_);
    try {
      if (domain == CUPTI_CB_DOMAIN_RESOURCE) self.resource(id, static_cast<const CUpti_ResourceData*>(data));
      else if (domain == CUPTI_CB_DOMAIN_DRIVER_API) self.driver_call(id, static_cast<const CUpti_CallbackData*>(data));
    } catch (const CuptiError& error) {
      self.fail(error);
    } catch (const std::exception& error) {
      self.fail(error.what(), "");
    }
  }

  void resource(CUpti_CallbackId id, const CUpti_ResourceData* data) {
    if (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED) open_session(data->context);
    if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
      const auto* loaded = static_cast<const CUpti_ModuleResourceData*>(data->resourceDescriptor);
      if (!loaded || !loaded->pCubin) return;
      CUpti_GetCubinCrcParams crc{};
      crc.size = CUpti_GetCubinCrcParamsSize;
      crc.cubinSize = loaded->cubinSize;
      crc.cubin = loaded->pCubin;
      if (cuptiGetCubinCrc(&crc) != CUPTI_SUCCESS) return;
      auto& module = modules_[static_cast<std::uint32_t>(crc.cubinCrc)];
      if (!module.bytes.empty()) return;
      module.bytes.assign(loaded->pCubin, loaded->cubinSize);
      module.image = ElfImage::parse(module.bytes);
      module.lines = LineTable::read(module.bytes);
    }
  }

  void open_session(CUcontext context) {
    if (session_ || failed_) return;
    CUdevice device = 0;
    CUcontext previous = nullptr;
    cuCtxGetCurrent(&previous);
    if (previous != context) cuCtxSetCurrent(context);
    cuCtxGetDevice(&device);
    if (previous != context) cuCtxSetCurrent(previous);
    CounterSession::initialize();
    session_ = std::make_unique<CounterSession>(context, static_cast<std::uint32_t>(device));
    context_ = context;
    char name[256] = "";
    int major = 0, minor = 0, driver = 0;
    cuDeviceGetName(name, sizeof name, device);
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    cuDriverGetVersion(&driver);
    std::uint32_t cupti = 0;
    cuptiGetVersion(&cupti);
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    JsonWriter json;
    json.begin_object().field("kind", "session").field("schema_version", 1).field("gpu", name).field("chip", session_->chip());
    json.field("compute_capability", std::to_string(major) + "." + std::to_string(minor)).field("driver", driver);
    json.field("cupti", cupti).field("date", date).field("program", std::string(program, length > 0 ? length : 0));
    write(json.end_object());
  }

  static std::optional<Launch> launch_of(CUpti_CallbackId id, const void* parameters) {
    Launch launch;
    const auto plain = [&](const auto* p) {
      launch.function = p->f;
      launch.grid[0] = p->gridDimX, launch.grid[1] = p->gridDimY, launch.grid[2] = p->gridDimZ;
      launch.block[0] = p->blockDimX, launch.block[1] = p->blockDimY, launch.block[2] = p->blockDimZ;
      launch.shared_dynamic = p->sharedMemBytes;
      launch.stream = p->hStream;
      launch.parameters = p->kernelParams;
    };
    switch (id) {
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
        plain(static_cast<const cuLaunchKernel_params*>(parameters));
        return launch;
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
        plain(static_cast<const cuLaunchCooperativeKernel_params*>(parameters));
        return launch;
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
        const auto* p = static_cast<const cuLaunchKernelEx_params*>(parameters);
        if (!p->config) return std::nullopt;
        const auto& c = *p->config;
        launch = {p->f, {c.gridDimX, c.gridDimY, c.gridDimZ}, {c.blockDimX, c.blockDimY, c.blockDimZ}, c.sharedMemBytes,
                  c.hStream, p->kernelParams};
        return launch;
      }
      default: return std::nullopt;
    }
  }

  void driver_call(CUpti_CallbackId id, const CUpti_CallbackData* data) {
    if (data->callbackSite == CUPTI_API_ENTER) {
      if (!session_) open_session(data->context);
      return;
    }
    if (!session_ || data->context != context_) return;
    auto launch = launch_of(id, data->functionParams);
    const auto* graph = id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch || id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz
                            ? static_cast<const cuGraphLaunch_params*>(data->functionParams)
                            : nullptr;
    const CUstream stream = launch ? launch->stream : graph ? graph->hStream : nullptr;
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    if (stream && cuStreamIsCapturing(stream, &capture) == CUDA_SUCCESS && capture != CU_STREAM_CAPTURE_STATUS_NONE) return;

    CUresult result = data->functionReturnValue ? *static_cast<const CUresult*>(data->functionReturnValue) : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) result = cuCtxSynchronize();
    const std::string name = data->symbolName ? data->symbolName : graph ? "(graph)" : "(unknown)";
    const bool wanted = !kernel_ || std::regex_search(name, *kernel_) || std::regex_search(demangle(name), *kernel_);
    const bool counted = wanted && matching_++ >= skip_ && written_ < count_;
    // Always taken, so that a launch that is not wanted does not leave its counts to the next one.
    const auto functions = result == CUDA_SUCCESS ? session_->take() : decltype(session_->take()){};
    const unsigned index = index_++;
    if (!counted) return;
    ++written_;
    write_launch(index, name, launch ? &*launch : nullptr, result, functions);
  }

  void write_launch(unsigned index, const std::string& name, const Launch* launch, CUresult result,
                    const std::map<std::string, FunctionCounters>& functions) {
    JsonWriter json;
    json.begin_object().field("kind", launch ? "launch" : "graph").field("index", index);
    json.field("kernel", name).field("demangled", demangle(name));
    if (launch) write_configuration(json, *launch);
    const char* error = nullptr;
    if (result != CUDA_SUCCESS) cuGetErrorName(result, &error);
    json.field("result", error ? error : "success");
    bool has_lines = false;
    for (const auto& [function, counters] : functions)
      if (const auto module = modules_.find(counters.cubin_crc); module != modules_.end())
        has_lines = has_lines || !module->second.lines.empty();
    json.field("line_info", has_lines);
    json.key("instructions").begin_array();
    for (const auto& [function, counters] : functions) write_rows(json, function, counters);
    write(json.end_array().end_object());
    if (result != CUDA_SUCCESS)
      std::fprintf(stderr, "smem-validate: launch %u of %s failed: %s\n", index, demangle(name).c_str(), error ? error : "?");
  }

  void write_configuration(JsonWriter& json, const Launch& launch) {
    const auto dimensions = [&](const char* key, const unsigned (&d)[3]) {
      json.key(key).begin_array().value(d[0]).value(d[1]).value(d[2]).end_array();
    };
    dimensions("grid", launch.grid);
    dimensions("block", launch.block);
    // The handle is that of a function or, with the newer library interface, of a kernel.
    const auto attribute = [&](CUfunction_attribute which) {
      int value = 0;
      CUdevice device = 0;
      if (cuFuncGetAttribute(&value, which, launch.function) == CUDA_SUCCESS) return value;
      cuCtxGetDevice(&device);
      return cuKernelGetAttribute(&value, which, reinterpret_cast<CUkernel>(launch.function), device) == CUDA_SUCCESS ? value : 0;
    };
    json.field("shared_static", attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)).field("shared_dynamic", launch.shared_dynamic);
    json.field("registers", attribute(CU_FUNC_ATTRIBUTE_NUM_REGS));
    json.key("arguments").begin_array();
    for (std::size_t i = 0; launch.parameters; ++i) {
      std::size_t offset = 0, size = 0;
      if (cuFuncGetParamInfo(launch.function, i, &offset, &size) != CUDA_SUCCESS &&
          cuKernelGetParamInfo(reinterpret_cast<CUkernel>(launch.function), i, &offset, &size) != CUDA_SUCCESS)
        break;
      std::string hex;
      for (std::size_t b = 0; launch.parameters[i] && b < size && b < 64; ++b) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(launch.parameters[i])[b]);
        hex += digits;
      }
      json.begin_object().field("offset", offset).field("size", size).field("bytes", hex).end_object();
    }
    json.end_array();
  }

  void write_rows(JsonWriter& json, const std::string& function, const FunctionCounters& counters) {
    const auto found = modules_.find(counters.cubin_crc);
    const Module* module = found == modules_.end() ? nullptr : &found->second;
    const auto* text = module && module->image ? module->image->find(".text." + function) : nullptr;
    for (const auto& [pc, row] : counters.rows) {
      const Instruction instruction = text && pc < text->bytes.size() ? decode(text->bytes.substr(pc)) : Instruction{};
      const bool counts = row[wavefronts] || row[tags] || row[sectors];
      if (!all_ && !counts && !instruction.opcode[0]) continue;
      json.begin_object().field("function", function).field("pc", pc);
      if (instruction.opcode[0]) {
        json.field("opcode", instruction.opcode).field("space", instruction.space).field("operation", instruction.operation);
        if (instruction.width) json.field("width", instruction.width);
      }
      const auto chain = module ? module->lines.at(function, pc) : std::vector<Position>{};
      if (!chain.empty()) {
        json.field("file", chain[0].file).field("line", chain[0].line);
        if (chain.size() > 1) {
          json.key("inlined_at").begin_array();
          for (std::size_t i = 1; i < chain.size(); ++i)
            json.begin_object().field("file", chain[i].file).field("line", chain[i].line).field("callee", chain[i - 1].function).end_object();
          json.end_array();
        }
      }
      json.field("executed", row[executed]).field("threads", row[threads]);
      json.field("wavefronts", row[wavefronts]).field("wavefronts_ideal", row[wavefronts_ideal]);
      json.field("tags", row[tags]).field("sectors", row[sectors]).field("sectors_ideal", row[sectors_ideal]);
      json.end_object();
    }
  }

  void fail(const CuptiError& error) {
    const char* hint = "";
    if (error.result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
      hint = "counters are reserved to the administrator: run as root, or load the nvidia kernel module with "
             "NVreg_RestrictProfilingToAdminUsers=0";
    if (error.result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
      hint = "another profiler is attached to the program: run it without";
    if (error.result == CUPTI_ERROR_NOT_SUPPORTED) hint = "this GPU or this virtual machine offers no SASS metrics";
    fail(error.what(), hint);
  }
  void fail(const std::string& message, const std::string& hint) {
    if (failed_) return;
    failed_ = true;
    std::fprintf(stderr, "smem-validate: %s\n", message.c_str());
    if (!hint.empty()) std::fprintf(stderr, "smem-validate: %s\n", hint.c_str());
    JsonWriter json;
    json.begin_object().field("kind", "error").field("message", message).field("hint", hint);
    write(json.end_object());
  }

  void finish() {
    const std::lock_guard lock(mutex_);
    JsonWriter json;
    json.begin_object().field("kind", "end").field("launches", index_).field("measured", written_);
    write(json.end_object());
  }

  // One write a line, flushed: what was measured survives whatever the program does next.
  void write(const JsonWriter& json) {
    if (!out_) return;
    std::fwrite(json.text().data(), 1, json.text().size(), out_);
    std::fputc('\n', out_);
    std::fflush(out_);
  }

  std::FILE* out_ = nullptr;
  std::optional<std::regex> kernel_;
  unsigned long skip_ = 0, count_ = ~0ul, matching_ = 0, written_ = 0;
  bool all_ = false, failed_ = false;
  unsigned index_ = 0;
  std::unique_ptr<CounterSession> session_;
  CUcontext context_ = nullptr;
  std::map<std::uint32_t, Module> modules_;
  std::recursive_mutex mutex_;
};

}  // namespace
}  // namespace smem_lint::validate

// CUDA calls this once, when the program initialises the driver.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  static const bool started = smem_lint::validate::Measurement::get().start();
  return started ? 1 : 0;
}
