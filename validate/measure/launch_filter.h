// Which launches of a program are of interest, from the environment: SMEM_MEASURE_KERNEL (regular expression on the kernel's
// name, mangled or not), SMEM_MEASURE_SKIP and SMEM_MEASURE_COUNT (launches of matching kernels), SMEM_MEASURE_EACH (of these,
// launches of one kernel in one shape).
#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <string>

namespace smem_lint::validate {

class LaunchFilter {
public:
  // Throws std::regex_error.
  static LaunchFilter from_environment() {
    LaunchFilter filter;
    if (const char *kernel = std::getenv("SMEM_MEASURE_KERNEL"))
      filter.kernel_.emplace(kernel);
    if (const char *skip = std::getenv("SMEM_MEASURE_SKIP"))
      filter.skip_ = std::strtoul(skip, nullptr, 10);
    if (const char *count = std::getenv("SMEM_MEASURE_COUNT"))
      filter.count_ = std::strtoul(count, nullptr, 10);
    if (const char *each = std::getenv("SMEM_MEASURE_EACH"))
      filter.each_ = std::strtoul(each, nullptr, 10);
    return filter;
  }

  // To be asked once for each launch, in order. `shape` is any text that tells a kernel's grids and blocks apart.
  bool wants(const std::string &mangled, const std::string &demangled, const std::string &shape) {
    if (kernel_ && !std::regex_search(mangled, *kernel_) && !std::regex_search(demangled, *kernel_))
      return false;
    if (matching_++ < skip_ || taken_ >= count_)
      return false;
    if (each_ != ~0ul && taken_of_[mangled + shape]++ >= each_)
      return false;
    ++taken_;
    return true;
  }

  // How many it wanted.
  unsigned long taken() const { return taken_; }

private:
  std::optional<std::regex> kernel_;
  unsigned long skip_ = 0, count_ = ~0ul, each_ = ~0ul, matching_ = 0, taken_ = 0;
  std::map<std::string, unsigned long> taken_of_;
};

} // namespace smem_lint::validate
