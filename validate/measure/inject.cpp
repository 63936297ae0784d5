// Loaded into any CUDA program through CUDA_INJECTION64_PATH. SMEM_MEASURE_OUT names the file to write; with SMEM_MEASURE_TIME
// set, launches are timed, without it they are counted.
#include "counting.h"
#include "timing.h"

#include <cstdlib>

// CUDA calls this once, when the program initialises the driver.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace smem_lint::validate;
  static const bool started = [] {
    const char *path = std::getenv("SMEM_MEASURE_OUT");
    if (!path)
      path = "smem-measure.jsonl";
    return std::getenv("SMEM_MEASURE_TIME") ? start_timing(path) : start_counting(path);
  }();
  return started ? 1 : 0;
}
