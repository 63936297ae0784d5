#include "frontend/regular_files.h"

#include "sinks/files.h"

#include <array>
#include <memory>
#include <system_error>

namespace smem {
namespace {

/// Reasons as error codes, which is what a file system answers with. The texts
/// are those of sinks::refusal_of(), each with a number of its own.
class Refusals : public std::error_category {
public:
  const char *name() const noexcept override { return "smem-lint"; }
  std::string message(int number) const override { return kTexts[static_cast<std::size_t>(number) - 1]; }

  std::error_code code_of(const std::string &text) const {
    for (std::size_t i = 0; i < kTexts.size(); ++i)
      if (text == kTexts[i])
        return {static_cast<int>(i) + 1, *this};
    return std::make_error_code(std::errc::permission_denied);
  }

private:
  static constexpr std::array<const char *, 5> kTexts{
      "it is a device, and only regular files are read", "it is a pipe, and only regular files are read",
      "it is a socket, and only regular files are read", "the kernel makes it up, and only regular files are read",
      "it is larger than 64 MiB, the limit for such a file"};
};

const Refusals &refusals() {
  static const Refusals category;
  return category;
}

class RegularFiles : public llvm::vfs::ProxyFileSystem {
public:
  RegularFiles() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    // Of folders Clang itself says what is wrong.
    if (const std::string refusal = sinks::refusal_of(path.str(), kLargestSource, /*folders=*/true); !refusal.empty())
      return refusals().code_of(refusal);
    return ProxyFileSystem::openFileForRead(path);
  }
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> regular_files() { return llvm::makeIntrusiveRefCnt<RegularFiles>(); }

} // namespace smem
