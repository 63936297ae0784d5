// A folder for temporary files that goes away with its owner.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace smem_lint::validate {

class ScratchFolder {
public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "smem-validate.XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("cannot make a folder in " + std::filesystem::temp_directory_path().string());
    path_ = name;
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace smem_lint::validate
