// Which launches of a program are of interest, from the environment: SMEM_MEASURE_KERNEL (regular expression on the kernel's
// name, mangled or not), SMEM_MEASURE_SKIP and SMEM_MEASURE_COUNT (launches of matching kernels).
#pragma once

#include <cstdlib>
#include <optional>
#include <regex>
#include <string>

namespace smem_lint::validate {

class LaunchFilter {
 public:
  // Throws std::regex_error.
  static LaunchFilter from_environment() {
    LaunchFilter filter;
    if (const char* kernel = std::getenv("SMEM_MEASURE_KERNEL")) filter.kernel_.emplace(kernel);
    if (const char* skip = std::getenv("SMEM_MEASURE_SKIP")) filter.skip_ = std::strtoul(skip, nullptr, 10);
    if (const char* count = std::getenv("SMEM_MEASURE_COUNT")) filter.count_ = std::strtoul(count, nullptr, 10);
    return filter;
  }

  // To be asked once for each launch, in order.
  bool wants(const std::string& mangled, const std::string& demangled) {
    if (kernel_ && !std::regex_search(mangled, *kernel_) && !std::regex_search(demangled, *kernel_)) return false;
    if (matching_++ < skip_ || taken_ >= count_) return false;
    ++taken_;
    return true;
  }

  // How many it wanted.
  unsigned long taken() const { return taken_; }

 private:
  std::optional<std::regex> kernel_;
  unsigned long skip_ = 0, count_ = ~0ul, matching_ = 0, taken_ = 0;
};

}  // namespace smem_lint::validate
