#include "sass/tools.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>

#include "sass/run_tool.h"
#include "sinks/files.h"
#include "support/programs.h"

namespace smem::compiled {
namespace {

namespace fs = std::filesystem;
using llvm::StringRef;

constexpr std::size_t kLongestExcerpt = 400;

/// What `folder` holds, later names first: of several versions the newest.
std::vector<fs::path> entries(const fs::path &folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    found.push_back(entry.path());
  std::sort(found.rbegin(), found.rend());
  return found;
}

/// Folders of Python packages: of the environment that is active, of the interpreter on the path, of the user, of the system.
std::vector<fs::path> package_folders() {
  std::vector<fs::path> roots;
  for (const char *variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *root = std::getenv(variable); root && *root == '/')
      roots.emplace_back(root);
  std::error_code error;
  if (const std::string python = find_on_path("python3"); !python.empty())
    roots.push_back(fs::canonical(python, error).parent_path().parent_path());
  if (const char *home = std::getenv("HOME"); home && *home == '/')
    roots.push_back(fs::path(home) / ".local");
  roots.emplace_back("/usr/local");
  roots.emplace_back("/usr");
  std::vector<fs::path> folders;
  for (const fs::path &root : roots)
    for (const fs::path &version : entries(root / "lib"))
      if (version.filename().string().starts_with("python3"))
        for (const char *packages : {"site-packages", "dist-packages"})
          folders.push_back(version / packages);
  return folders;
}

/// Triton's package has ptxas, nvdisasm and cuobjdump; NVIDIA's have a folder each.
std::string find_in_packages(const std::string &name) {
  for (const fs::path &packages : package_folders()) {
    std::vector<fs::path> folders{packages / "triton" / "backends" / "nvidia" / "bin"};
    for (const fs::path &package : entries(packages / "nvidia"))
      folders.push_back(package / "bin");
    for (const fs::path &folder : folders)
      if (const std::string program = (folder / name).string(); llvm::sys::fs::can_execute(program))
        return program;
  }
  return {};
}

} // namespace

std::string find_cuda_program(const std::string &name, const std::string &toolkit) {
  std::vector<std::string> folders;
  if (!toolkit.empty())
    folders.push_back(toolkit + "/bin");
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *root = std::getenv(variable))
      folders.push_back(std::string(root) + "/bin");
  for (const std::string &folder : folders)
    if (const std::string path = folder + "/" + name; llvm::sys::fs::can_execute(path))
      return path;
  if (std::string found = find_on_path(name); !found.empty())
    return found;
  const std::string usual = "/usr/local/cuda/bin/" + name;
  return llvm::sys::fs::can_execute(usual) ? usual : find_in_packages(name);
}

Scratch::Scratch() {
  llvm::SmallString<128> path;
  ok_ = !llvm::sys::fs::createUniqueDirectory("smem-lint", path);
  path_ = path.str();
}

Scratch::~Scratch() {
  if (ok_)
    llvm::sys::fs::remove_directories(path_);
}

std::string version_of(const std::string &program, const Scratch &scratch) {
  std::string why;
  const std::string name = StringRef(program).rsplit('/').second.str();
  const std::string output = scratch.file(name + "_version");
  run_tool({program, {"--version"}, output, scratch.file(name + "_version_errors"), scratch.path()}, why);
  const std::string text = contents_of(output);
  const std::size_t at = text.find(", V"); // "Cuda compilation tools, release 13.0, V13.0.88"
  return at == std::string::npos ? std::string()
                                 : text.substr(at + 3, text.find_first_not_of("0123456789.", at + 3) - at - 3);
}

std::string identity_of(const std::string &program) {
  llvm::sys::fs::file_status status;
  if (program.empty() || llvm::sys::fs::status(program, status))
    return {};
  return program + "\n" + std::to_string(status.getSize()) + "\n" +
         std::to_string(status.getLastModificationTime().time_since_epoch().count());
}

std::string excerpt(const std::string &text) {
  const StringRef trimmed = StringRef(text).trim();
  return trimmed.size() <= kLongestExcerpt ? trimmed.str() : trimmed.take_front(kLongestExcerpt).str() + " ...";
}

std::string contents_of(const std::string &path) {
  std::string wrong;
  return sinks::read_file(path, wrong).value_or("");
}

} // namespace smem::compiled
