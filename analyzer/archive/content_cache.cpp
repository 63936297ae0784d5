#include "archive/content_cache.h"

#include "archive/archive.h"
#include "archive/cache_key.h"

#include <filesystem>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SHA256.h>

namespace smem {
namespace {

constexpr std::string_view kHead = "smem-lint cache 3\n";
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

std::string name_of(std::string_view key) {
  const std::string digest =
      llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef({key.data(), key.size()})), /*LowerCase=*/true);
  return digest.substr(0, 2) + "/" + digest.substr(2);
}

} // namespace

ContentCache::ContentCache(const std::string &directory, const std::string &within) {
  if (within.empty()) {
    folder_ = sinks::Tree::open(directory, refusal_, /*make=*/true);
  } else if (const sinks::Tree tree = sinks::Tree::open(within, refusal_); tree) {
    const std::string name = std::filesystem::path(directory).lexically_relative(within).string();
    folder_ = tree.folder(name, refusal_);
  }
  if (folder_)
    key_ = user_cache_key(refusal_);
}

std::optional<std::string> ContentCache::hash_of(const std::string &file) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = hashes_.find(file); known != hashes_.end())
      return known->second;
  }
  std::string wrong;
  const std::optional<std::string> contents = sinks::read_file(file, wrong);
  std::optional<std::string> hash;
  if (contents) {
    const llvm::BLAKE3Result<> code = llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(*contents));
    hash.emplace(code.begin(), code.end());
  }
  const std::lock_guard lock(mutex_);
  return hashes_.emplace(file, hash).first->second;
}

bool ContentCache::exists(const std::string &place) {
  const std::lock_guard lock(mutex_);
  const auto [known, added] = existing_.emplace(place, false);
  if (added)
    known->second = llvm::sys::fs::exists(place);
  return known->second;
}

std::optional<ContentCache::Kept> ContentCache::known(std::string_view key) {
  const std::string name = name_of(key);
  std::string bytes;
  if (!folder_.read(name, kMostBytes, bytes) || bytes.size() < kHead.size() + kAuthenticationBytes ||
      !bytes.starts_with(kHead))
    return std::nullopt;
  const std::string_view code = std::string_view(bytes).substr(kHead.size(), kAuthenticationBytes),
                         archive = std::string_view(bytes).substr(kHead.size() + kAuthenticationBytes);
  // Nothing that somebody else has written is even parsed; what is damaged or of another version is as good as not there.
  std::string error;
  std::optional<CacheEntry> entry = code == code_of(name, archive) ? read_cache_entry(archive, error) : std::nullopt;
  if (!entry)
    return std::nullopt;
  Kept kept;
  for (const CacheEntry::Source &source : entry->read) {
    if (hash_of(source.file) != source.hash)
      return std::nullopt;
    kept.read.push_back(source.file);
  }
  for (const std::string &place : entry->absent)
    if (exists(place))
      return std::nullopt;
  kept.text = std::move(entry->text);
  return kept;
}

void ContentCache::keep(std::string_view key, const std::vector<std::string> &read,
                        const std::vector<std::string> &absent, const std::string &text) {
  const std::string name = name_of(key);
  CacheEntry entry;
  for (const std::string &file : read) {
    const auto hash = hash_of(file);
    if (!hash)
      return; // gone meanwhile
    entry.read.push_back({file, *hash});
  }
  entry.absent = absent;
  entry.text = text;
  const std::string archive = write_archive(entry);
  sinks::Writing how;
  how.make_folders = true;
  how.durable = false; // a result that a crash has cut off is not authentic
  if (const std::string wrong = folder_.write(name, std::string(kHead) + code_of(name, archive) + archive, how);
      !wrong.empty()) {
    const std::lock_guard lock(mutex_);
    not_written_ = wrong;
  }
}

/// An entry under another name is another entry.
std::string ContentCache::code_of(const std::string &name, std::string_view archive) const {
  return authentication_code(key_, name + '\0' + std::string(archive));
}

std::string ContentCache::complaint() const {
  const std::lock_guard lock(mutex_);
  return not_written_.empty() ? std::string() : "the cache is not written: " + not_written_;
}

} // namespace smem
