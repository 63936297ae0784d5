#include "driver_version.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

namespace smem_lint::validate {

std::string parse_driver_version(std::string_view text) {
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Release Build ..."
  std::istringstream words{std::string(text.substr(0, text.find('\n')))};
  for (std::string word; words >> word;)
    if (std::isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != std::string::npos &&
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) || c == '.'; }))
      return word;
  return {};
}

std::string driver_version() {
  std::ifstream in("/proc/driver/nvidia/version");
  return parse_driver_version(std::string(std::istreambuf_iterator<char>(in), {}));
}

} // namespace smem_lint::validate
