// Failures of CUPTI's calls, with what a user can do about them.
#pragma once

#include <cupti_result.h>

#include <stdexcept>
#include <string>

namespace smem_lint::validate {

struct CuptiError : std::runtime_error {
  CuptiError(CUptiResult code, const std::string &text) : std::runtime_error(text), result(code) {}

  // How to mend it; empty if nothing is known.
  const char *hint() const {
    switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "counters are reserved to the administrator: run as root, or load the nvidia kernel module with "
             "NVreg_RestrictProfilingToAdminUsers=0";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "another profiler is attached to the program: run it without";
    case CUPTI_ERROR_NOT_SUPPORTED: return "this GPU or this virtual machine offers no SASS metrics";
    default: return "";
    }
  }

  CUptiResult result;
};

inline void check_cupti(CUptiResult result, const char *call) {
  if (result == CUPTI_SUCCESS)
    return;
  const char *text = nullptr;
  cuptiGetResultString(result, &text);
  throw CuptiError(result, std::string(call) + ": " + (text ? text : "error") + " (" + std::to_string(result) + ")");
}

} // namespace smem_lint::validate
