#include "probe.h"

#include <nlohmann/json.hpp>

#include <dlfcn.h>

namespace smem_lint::validate {
namespace {

using nlohmann::json;

// The few calls of the driver that are needed, so that this program links no CUDA. Signatures as in cuda.h.
class Driver {
public:
  explicit Driver(void *library) : library_(library) {}
  template <class... Arguments> int call(const char *name, Arguments... arguments) const {
    const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
    return function ? function(arguments...) : -1;
  }
  std::string name_of(int result) const {
    const char *name = nullptr;
    return call("cuGetErrorName", result, &name) == 0 && name ? name : "error " + std::to_string(result);
  }

private:
  void *library_;
};

constexpr int kMajor = 75, kMinor = 76; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*

json devices(const Driver &driver) {
  json found = json::array();
  int count = 0;
  driver.call("cuDeviceGetCount", &count);
  for (int i = 0; i < count; ++i) {
    int device = 0, major = 0, minor = 0;
    char name[256] = "";
    driver.call("cuDeviceGet", &device, i);
    driver.call("cuDeviceGetName", &name[0], int{sizeof name}, device);
    driver.call("cuDeviceGetAttribute", &major, kMajor, device);
    driver.call("cuDeviceGetAttribute", &minor, kMinor, device);
    found.push_back({{"name", name}, {"compute_capability", std::to_string(major) + "." + std::to_string(minor)}});
  }
  return found;
}

} // namespace

void probe(const std::string &library, std::ostream &out) {
  json found = json::object();
  if (!dlopen(library.c_str(), RTLD_NOW))
    found["load_error"] = dlerror();
  if (void *cuda = dlopen("libcuda.so.1", RTLD_NOW)) {
    const Driver driver(cuda);
    int version = 0;
    if (driver.call("cuDriverGetVersion", &version) == 0)
      found["driver"] = version;
    if (const int result = driver.call("cuInit", 0u); result != 0) {
      found["error"] = driver.name_of(result);
    } else {
      found["devices"] = devices(driver);
      void *context = nullptr;
      if (const int made = found["devices"].empty() ? 0 : driver.call("cuDevicePrimaryCtxRetain", &context, 0))
        found["context_error"] = driver.name_of(made);
    }
  }
  out << found.dump() << std::endl;
}

} // namespace smem_lint::validate
