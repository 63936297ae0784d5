// compile_commands.json, and the source of a file beside it.
#include "driver/compile_database.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  // A folder a process, gone with it: several run beside one another.
  static const struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("smem-fuzz-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } folder;
  const std::string file = folder.path / "compile_commands.json";
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
  std::string error;
  const auto database = smem::CompileDatabase::load(file, error);
  if (!database && error.empty())
    std::abort();
  if (database) {
    (void)database->find("/src/a.cu");
    (void)database->includer_of("/src/a.cuh");
  }
  return 0;
}
