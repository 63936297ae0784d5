// What a measurement needs, and how to mend what is missing.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace smem_lint::validate {

struct DeviceFacts {
  std::string name, compute_capability;
};

// Of this machine. Empty texts where nothing was found.
struct Facts {
  std::string library;        // path of the injected library
  std::string library_error;  // why it could not be loaded
  std::string driver_version; // "580.159.04"
  int cuda = 0;               // the newest CUDA that the driver serves: 13000
  unsigned cupti = 0;         // CUPTI's own version number
  std::string init_error;     // CUDA_ERROR_NO_DEVICE, ...
  std::vector<DeviceFacts> devices;
  std::string chip;                          // of the first device, if a session could be opened on it
  bool counters = false;                     // whether it could
  std::string counters_error, counters_hint; // why not
  std::optional<bool> admin_only;            // the driver reserves counters to the administrator
  bool administrator = false;
  std::string nvcc, nvcc_version;
};

enum class State { Good, Warning, Missing };

struct Check {
  State state = State::Good;
  std::string subject, finding, mend;
};

// In the order in which to mend; nothing is said twice.
std::vector<Check> diagnose(const Facts &facts);

// Whether nothing that a measurement needs is missing.
bool can_measure(const std::vector<Check> &checks);

} // namespace smem_lint::validate
