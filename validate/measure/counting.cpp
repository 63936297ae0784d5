#include "counting.h"

#include "counters.h"
#include "elf_image.h"
#include "instruction.h"
#include "launch.h"
#include "launch_filter.h"
#include "cubin_lines.h"
#include "record_file.h"
#include "support/driver_version.h"

#include <cuda.h>
#include <cupti.h>
#include <cupti_pcsampling.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>

namespace smem_lint::validate {
namespace {

struct Module {
  std::string bytes;
  std::optional<ElfImage> image;
  smem::LineTable lines;
};

// Makes a context current for the life of the object.
class CurrentContext {
public:
  explicit CurrentContext(CUcontext context) {
    cuCtxGetCurrent(&previous_);
    changed_ = previous_ != context && cuCtxSetCurrent(context) == CUDA_SUCCESS;
  }
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;
  ~CurrentContext() {
    if (changed_)
      cuCtxSetCurrent(previous_);
  }

private:
  CUcontext previous_ = nullptr;
  bool changed_ = false;
};

class Measurement {
public:
  static Measurement &get() {
    // Never destroyed: CUDA may call back while the program's own statics go down.
    static Measurement *const instance = new Measurement;
    return *instance;
  }

  bool start(const char *path) {
    if (!out_.open(path))
      return false;
    try {
      filter_ = LaunchFilter::from_environment();
    } catch (const std::regex_error &) {
      out_.fail("the kernel filter is not a regular expression", "");
      return false;
    }
    all_ = std::getenv("SMEM_MEASURE_ALL") != nullptr;
    try {
      const auto subscriber = CounterSession::subscribe(&Measurement::callback);
      enable_launch_callbacks(subscriber);
    } catch (const CuptiError &error) {
      fail(error);
      return false;
    }
    std::atexit([] { get().finish(); });
    return true;
  }

private:
  static void callback(void *, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
    auto &self = get();
    const std::lock_guard lock(self.mutex_);
    try {
      if (domain == CUPTI_CB_DOMAIN_RESOURCE)
        self.resource(id, static_cast<const CUpti_ResourceData *>(data));
      else if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
        self.driver_call(id, static_cast<const CUpti_CallbackData *>(data));
    } catch (const CuptiError &error) {
      self.fail(error);
    } catch (const std::exception &error) {
      self.out_.fail(error.what(), "");
    }
  }

  void resource(CUpti_CallbackId id, const CUpti_ResourceData *data) {
    if (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED)
      open_session(data->context);
    if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
      const auto *loaded = static_cast<const CUpti_ModuleResourceData *>(data->resourceDescriptor);
      if (!loaded || !loaded->pCubin)
        return;
      CUpti_GetCubinCrcParams crc{};
      crc.size = CUpti_GetCubinCrcParamsSize;
      crc.cubinSize = loaded->cubinSize;
      crc.cubin = loaded->pCubin;
      if (cuptiGetCubinCrc(&crc) != CUPTI_SUCCESS)
        return;
      auto &module = modules_[static_cast<std::uint32_t>(crc.cubinCrc)];
      if (!module.bytes.empty())
        return;
      module.bytes.assign(loaded->pCubin, loaded->cubinSize);
      module.image = ElfImage::parse(module.bytes);
      module.lines = read_line_table(module.bytes);
    }
  }

  void open_session(CUcontext context) {
    if (session_ || out_.failed())
      return;
    const CurrentContext current(context); // a driver's context is not yet anybody's when it has just been created
    CUdevice device = 0;
    cuCtxGetDevice(&device);
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
    json.begin_object()
        .field("kind", "session")
        .field("schema_version", 1)
        .field("gpu", name)
        .field("chip", session_->chip());
    json.field("compute_capability", std::to_string(major) + "." + std::to_string(minor)).field("driver", driver);
    if (const std::string version = driver_version(); !version.empty())
      json.field("driver_version", version);
    json.field("cupti", cupti).field("date", date).field("program", std::string(program, length > 0 ? length : 0));
    out_.write(json.end_object());
  }

  void driver_call(CUpti_CallbackId id, const CUpti_CallbackData *data) {
    if (data->callbackSite == CUPTI_API_ENTER) {
      if (!session_)
        open_session(data->context);
      return;
    }
    if (!session_)
      return;
    if (data->context != context_) {
      ++elsewhere_;
      return;
    }
    const auto launch = launch_of(id, data->functionParams);
    if (is_being_captured(stream_of(id, data->functionParams)))
      return;

    CUresult result =
        data->functionReturnValue ? *static_cast<const CUresult *>(data->functionReturnValue) : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS)
      result = cuCtxSynchronize();
    const std::string name = data->symbolName ? data->symbolName : is_graph_launch(id) ? "(graph)" : "(unknown)";
    const bool counted = filter_.wants(name, demangle(name), shape_of(launch));
    // Always taken, so that a launch that is not wanted does not leave its counts to the next one.
    const auto functions = result == CUDA_SUCCESS ? session_->take() : decltype(session_->take()){};
    const unsigned index = index_++;
    if (!counted)
      return;
    write_launch(index, name, launch ? &*launch : nullptr, result, functions);
  }

  void write_launch(unsigned index, const std::string &name, const Launch *launch, CUresult result,
                    const std::map<std::string, FunctionCounters> &functions) {
    JsonWriter json;
    json.begin_object().field("kind", launch ? "launch" : "graph").field("index", index);
    json.field("kernel", name).field("demangled", demangle(name));
    if (launch)
      write_configuration(json, *launch);
    const char *error = nullptr;
    if (result != CUDA_SUCCESS)
      cuGetErrorName(result, &error);
    json.field("result", error ? error : "success");
    bool has_lines = false;
    for (const auto &[function, counters] : functions)
      if (const auto module = modules_.find(counters.cubin_crc); module != modules_.end())
        has_lines = has_lines || !module->second.lines.empty();
    json.field("line_info", has_lines);
    json.key("instructions").begin_array();
    for (const auto &[function, counters] : functions)
      write_rows(json, function, counters);
    out_.write(json.end_array().end_object());
    if (result != CUDA_SUCCESS)
      std::fprintf(stderr, "smem-validate: launch %u of %s failed: %s\n", index, demangle(name).c_str(),
                   error ? error : "?");
  }

  void write_rows(JsonWriter &json, const std::string &function, const FunctionCounters &counters) {
    const auto found = modules_.find(counters.cubin_crc);
    const Module *module = found == modules_.end() ? nullptr : &found->second;
    const auto *text = module && module->image ? module->image->find(".text." + function) : nullptr;
    for (const auto &[pc, row] : counters.rows) {
      const Instruction instruction = text && pc < text->bytes.size() ? decode(text->bytes.substr(pc)) : Instruction{};
      const bool counts = row[wavefronts] || row[tags] || row[sectors];
      if (!all_ && !counts && !instruction.opcode[0])
        continue;
      json.begin_object().field("function", function).field("pc", pc);
      if (instruction.opcode[0]) {
        json.field("opcode", instruction.opcode)
            .field("space", instruction.space)
            .field("operation", instruction.operation);
        if (instruction.width)
          json.field("width", instruction.width);
      }
      const auto chain = module ? module->lines.at(function, pc) : std::vector<smem::LinePosition>{};
      if (!chain.empty()) {
        json.field("file", chain[0].file).field("line", chain[0].line);
        if (chain.size() > 1) {
          json.key("inlined_at").begin_array();
          for (std::size_t i = 1; i < chain.size(); ++i)
            json.begin_object()
                .field("file", chain[i].file)
                .field("line", chain[i].line)
                .field("callee", chain[i - 1].function)
                .end_object();
          json.end_array();
        }
      }
      json.field("executed", row[executed]).field("threads", row[threads]);
      json.field("wavefronts", row[wavefronts]).field("wavefronts_ideal", row[wavefronts_ideal]);
      json.field("tags", row[tags]).field("sectors", row[sectors]).field("sectors_ideal", row[sectors_ideal]);
      json.end_object();
    }
  }

  void fail(const CuptiError &error) { out_.fail(error.what(), error.hint()); }

  void finish() {
    const std::lock_guard lock(mutex_);
    JsonWriter json;
    json.begin_object()
        .field("kind", "end")
        .field("launches", index_)
        .field("measured", filter_.taken())
        .field("other_contexts", elsewhere_);
    out_.write(json.end_object());
  }

  RecordFile out_;
  LaunchFilter filter_;
  bool all_ = false;
  unsigned index_ = 0;
  unsigned elsewhere_ = 0; // launches in contexts other than the first, which are not counted
  std::unique_ptr<CounterSession> session_;
  CUcontext context_ = nullptr;
  std::map<std::uint32_t, Module> modules_;
  std::recursive_mutex mutex_;
};

} // namespace

bool start_counting(const char *path) { return Measurement::get().start(path); }

} // namespace smem_lint::validate
