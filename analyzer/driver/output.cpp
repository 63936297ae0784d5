#include "driver/output.h"

#include "driver/options.h"
#include "sinks/escape.h"
#include "sinks/files.h"
#include "sinks/stream.h"

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

void complain(const std::string &message) { remark("error: " + message); }
void warn(const std::string &message) { remark("warning: " + message); }
void remark(const std::string &message) {
  (void)sinks::print(STDERR_FILENO, "smem-lint: " + sinks::line(message) + "\n");
}

std::string deliver(const std::string &text, const std::string &output) {
  if (!output.empty())
    return sinks::write_file(output, text);
  const int error = sinks::write_all(STDOUT_FILENO, text);
  return error != 0 ? std::string("cannot write to standard output: ") + std::strerror(error) : std::string();
}

bool show(const std::string &text, bool colors) {
  const std::string error = deliver(sinks::terminal(text, colors));
  if (!error.empty())
    complain(error);
  return error.empty();
}

} // namespace smem
