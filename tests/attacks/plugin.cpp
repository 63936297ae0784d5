// A library that leaves a mark when it is loaded, whoever loads it.
#include <cstdio>
#include <cstdlib>

namespace {

const struct Mark {
  Mark() {
    if (const char *path = std::getenv("SMEM_LINT_ATTACK_MARK"))
      if (std::FILE *file = std::fopen(path, "a")) {
        std::fputs("the plugin is loaded\n", file);
        std::fclose(file);
      }
  }
} mark;

} // namespace
