#include "source/write_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace smem {
namespace fs = std::filesystem;

std::string write_file(const std::string &path, const std::string &text) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    return "cannot write '" + path + "': it is a directory";
  const bool direct = fs::exists(status) && !fs::is_regular_file(status);
  const std::string target = direct ? path : path + ".tmp" + std::to_string(getpid());
  errno = 0;
  std::ofstream out(target, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    const std::string reason = errno ? std::strerror(errno) : "write error";
    if (!direct)
      fs::remove(target, error);
    return "cannot write '" + path + "': " + reason;
  }
  if (!direct) {
    fs::rename(target, path, error);
    if (error) {
      const std::string reason = error.message();
      fs::remove(target, error);
      return "cannot write '" + path + "': " + reason;
    }
  }
  return {};
}

} // namespace smem
