#include "driver/output.h"

#include "driver/options.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
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

bool wants_color(ColorWish wish, int file_descriptor) {
  if (wish != ColorWish::Auto)
    return wish == ColorWish::Always;
  const auto is_set = [](const char *name) {
    const char *value = std::getenv(name);
    return value && *value;
  };
  if (is_set("NO_COLOR"))
    return false;
  if (is_set("CLICOLOR_FORCE") && std::strcmp(std::getenv("CLICOLOR_FORCE"), "0") != 0)
    return true;
  const char *terminal = std::getenv("TERM");
  return isatty(file_descriptor) && (!terminal || std::strcmp(terminal, "dumb") != 0);
}

} // namespace smem
