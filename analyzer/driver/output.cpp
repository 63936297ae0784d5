#include "driver/output.h"

#include "driver/options.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace smem {

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
