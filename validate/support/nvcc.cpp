#include "nvcc.h"

#include "process.h"
#include "scratch_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace smem_lint::validate {

std::string find_nvcc(const std::string &given) {
  if (!given.empty()) {
    if (access(given.c_str(), X_OK) == 0)
      return given;
    return given.find('/') == std::string::npos ? find_program(given) : std::string();
  }
  if (std::string found = find_program("nvcc"); !found.empty())
    return found;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *folder = std::getenv(variable))
      if (const std::string file = std::string(folder) + "/bin/nvcc"; access(file.c_str(), X_OK) == 0)
        return file;
  const std::string usual = "/usr/local/cuda/bin/nvcc";
  return access(usual.c_str(), X_OK) == 0 ? usual : std::string();
}

std::string nvcc_version(const std::string &nvcc) {
  const ScratchFolder folder;
  const auto output = folder.path() / "version";
  run({{nvcc, "--version"}, {}, output.string()});
  std::ifstream in(output);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  // "Cuda compilation tools, release 13.0, V13.0.48"
  const std::string before = "release ";
  const auto at = text.find(before);
  if (at == std::string::npos)
    return {};
  const auto begin = at + before.size();
  return text.substr(begin, text.find_first_not_of("0123456789.", begin) - begin);
}

} // namespace smem_lint::validate
