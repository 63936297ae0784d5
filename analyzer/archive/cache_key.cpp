#include "archive/cache_key.h"

#include "sinks/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sys/random.h>

#include <llvm-c/blake3.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>

namespace smem {
namespace {

constexpr const char *kFile = "cache.key";
constexpr std::size_t kLeastKey = 16, kMostKey = 4096; // bytes

std::string configuration_folder() {
  const char *folder = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
  if (folder && *folder == '/')
    return std::string(folder) + "/smem-lint";
  return home && *home == '/' ? std::string(home) + "/.config/smem-lint" : std::string();
}

/// 64 hexadecimal digits; empty if the system has no random numbers.
std::string new_key() {
  std::array<std::uint8_t, 32> bytes;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (count < 0 && errno != EINTR)
      return {};
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return llvm::toHex(bytes, /*LowerCase=*/true) + "\n";
}

} // namespace

std::string user_cache_key(std::string &error) {
  std::string key;
  if (const char *given = std::getenv("SMEM_LINT_CACHE_KEY"); given && *given) {
    key = given;
    if (key.size() < kLeastKey)
      error = "SMEM_LINT_CACHE_KEY has less than " + std::to_string(kLeastKey) + " characters";
    return error.empty() ? key : std::string();
  }
  const std::string folder = configuration_folder();
  if (folder.empty()) {
    error = "there is no place for a key: set HOME, XDG_CONFIG_HOME or SMEM_LINT_CACHE_KEY";
    return {};
  }
  const sinks::Tree tree = sinks::Tree::open(folder, error, /*make=*/true);
  if (!tree)
    return {};
  std::optional<std::string> known = tree.read_private(kFile, kMostKey, error);
  if (!known && error.empty()) {
    const std::string made = new_key();
    error = made.empty() ? "the system has no random numbers" : tree.create_private(kFile, made);
    if (error.empty())
      known = tree.read_private(kFile, kMostKey, error); // that of another run, if it was faster
  }
  if (known && known->size() < kLeastKey)
    error = "'" + tree.path() + "/" + kFile + "' is no key: remove it";
  return known && error.empty() ? *known : std::string();
}

std::string authentication_code(std::string_view key, std::initializer_list<std::string_view> pieces) {
  const llvm::BLAKE3Result<LLVM_BLAKE3_KEY_LEN> of_key =
      llvm::BLAKE3::hash<LLVM_BLAKE3_KEY_LEN>(llvm::arrayRefFromStringRef(key));
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init_keyed(&hasher, of_key.data());
  for (const std::string_view piece : pieces)
    llvm_blake3_hasher_update(&hasher, piece.data(), piece.size());
  std::string code(kAuthenticationBytes, '\0');
  llvm_blake3_hasher_finalize(&hasher, reinterpret_cast<std::uint8_t *>(code.data()), code.size());
  return code;
}

} // namespace smem
