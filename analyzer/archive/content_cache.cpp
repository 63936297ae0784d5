#include "archive/content_cache.h"

#include "archive/archive.h"
#include "archive/cache_key.h"

#include <algorithm>
#include <filesystem>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SHA256.h>

namespace smem {
namespace {

/// A file: this, the code that authenticates what follows, the size of the archived entry, the entry, what is attached.
constexpr std::string_view kHead = "smem-lint cache 4\n";
constexpr std::size_t kSizeAt = kHead.size() + kAuthenticationBytes, kAlignment = 64;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// In place of a key where files are known by their owner: it tells what is damaged, and one entry from another.
constexpr const char *kOfAll = "smem-lint, installed for all";

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

ContentCache::ContentCache(const InstalledFolder &folder, bool make) : owner_(folder.owner), key_(kOfAll) {
  folder_ = sinks::Tree::open(folder.path, refusal_, make);
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
  std::optional<Whole> whole = known_whole(key);
  return whole ? std::optional(std::move(whole->kept)) : std::nullopt;
}

std::optional<ContentCache::Whole> ContentCache::known_whole(std::string_view key) {
  const std::string name = name_of(key);
  Whole whole;
  const std::string &bytes = whole.bytes;
  if (!(owner_ ? folder_.read_of(*owner_, name, kMostBytes, whole.bytes)
               : folder_.read(name, kMostBytes, whole.bytes)) ||
      !bytes.starts_with(kHead))
    return std::nullopt;
  // Nothing that somebody else has written is even parsed; what is damaged or of another version is as good as not there.
  const bool authentic = bytes.size() >= kSizeAt + sizeof(std::uint64_t) &&
                         std::string_view(bytes).substr(kHead.size(), kAuthenticationBytes) ==
                             code_of(name, std::string_view(bytes).substr(kSizeAt));
  if (!authentic) {
    const std::lock_guard lock(mutex_);
    damaged_ = folder_.path() + "/" + name;
    return std::nullopt;
  }
  const std::uint64_t size = llvm::support::endian::read64le(bytes.data() + kSizeAt);
  const std::size_t from = kSizeAt + sizeof size;
  std::string error;
  std::optional<CacheEntry> entry =
      size <= bytes.size() - from ? read_cache_entry(std::string_view(bytes).substr(from, size), error) : std::nullopt;
  if (!entry)
    return std::nullopt;
  for (const CacheEntry::Source &source : entry->read) {
    if (hash_of(source.file) != source.hash)
      return std::nullopt;
    whole.kept.read.push_back(source.file);
  }
  for (const std::string &place : entry->absent)
    if (exists(place))
      return std::nullopt;
  whole.kept.text = std::move(entry->text);
  whole.absent = std::move(entry->absent);
  whole.attached_at = std::min(llvm::alignTo(from + size, kAlignment), bytes.size());
  return whole;
}

void ContentCache::keep_whole(std::string_view key, const std::vector<std::string> &read,
                              const std::vector<std::string> &absent, const std::string &text,
                              std::string_view attached) {
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
  char size[sizeof(std::uint64_t)];
  llvm::support::endian::write64le(size, archive.size());
  std::string bytes(kSizeAt, '\0');
  bytes.reserve(kSizeAt + sizeof size + archive.size() + kAlignment + attached.size());
  bytes.append(size, sizeof size).append(archive);
  if (!attached.empty())
    bytes.append(llvm::alignTo(bytes.size(), kAlignment) - bytes.size(), '\0').append(attached);
  bytes.replace(0, kSizeAt, std::string(kHead) + code_of(name, std::string_view(bytes).substr(kSizeAt)));
  sinks::Writing how;
  how.make_folders = true;
  how.durable = false; // a result that a crash has cut off is not authentic
  const std::string wrong = folder_.write(name, bytes, how);
  const std::lock_guard lock(mutex_);
  if (wrong.empty())
    has_kept_ = true;
  else
    not_written_ = wrong;
}

/// An entry under another name is another entry.
std::string ContentCache::code_of(const std::string &name, std::string_view bytes) const {
  return authentication_code(key_, {name, std::string_view("\0", 1), bytes});
}

bool ContentCache::has_kept() const {
  const std::lock_guard lock(mutex_);
  return has_kept_;
}

std::string ContentCache::damaged() const {
  const std::lock_guard lock(mutex_);
  return damaged_;
}

std::string ContentCache::complaint() const {
  const std::lock_guard lock(mutex_);
  return not_written_.empty() ? std::string() : "the cache is not written: " + not_written_;
}

} // namespace smem
