#include "archive/prefix_cache.h"

#include "archive/archive.h"
#include "archive/fields.h"
#include "support/paths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>

namespace smem {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20; // sixty of a toolkit's headers, or ten with all of CUB

/// What there is of a prefix beside its tree and what files it was made of.
template <class A> void numbers(A &archive, Prefix &prefix) {
  archive(prefix.dependencies.complete, prefix.searched.angled, prefix.searched.quoted, prefix.source_bytes,
          prefix.instantiations);
}

} // namespace

InstalledFolder installed_prefixes() {
  struct stat program{};
  if (::stat("/proc/self/exe", &program) != 0)
    return {};
  InstalledFolder folder{{}, program.st_uid};
  std::error_code error;
  if (const char *given = std::getenv("SMEM_LINT_PREFIXES"))
    folder.path = given;
  else if (const fs::path file = fs::read_symlink("/proc/self/exe", error); !error)
    folder.path = file.parent_path().parent_path() / "lib" / "smem-lint" / "prefixes";
  return folder;
}

PrefixCache::PrefixCache(const std::string &directory, const std::string &within,
                         const std::vector<std::string> &analysed)
    : entries_(directory, within), identity_(tool_identity()) {
  const InstalledFolder folder = installed_prefixes();
  const auto brings = [&](const std::string &root) { return lies_in(normalise_path(folder.path), root); };
  if (!folder.path.empty() && std::ranges::none_of(analysed, brings))
    if (!installed_.emplace(folder, /*make=*/false).refusal().empty())
      installed_.reset(); // nothing was installed
}

std::shared_ptr<const Prefix> PrefixCache::known(const std::string &key, const std::shared_ptr<const Prefix> &base) {
  const std::lock_guard lock(mutex_);
  if (const auto loaded = loaded_.find(key); loaded != loaded_.end())
    return loaded->second;
  std::shared_ptr<const Prefix> prefix = read(entries_, key, base);
  if (!prefix && installed_ && !base) // those that go on from another are a user's own
    prefix = read(*installed_, key, base);
  if (prefix)
    loaded_.emplace(key, prefix);
  return prefix;
}

std::shared_ptr<const Prefix> PrefixCache::read(ContentCache &entries, const std::string &key,
                                                const std::shared_ptr<const Prefix> &base) const {
  std::optional<ContentCache::Whole> whole = entries.known_whole(identity_ + '\0' + key);
  if (!whole)
    return nullptr;
  const auto prefix = std::make_shared<Prefix>();
  prefix->base = base;
  ArchiveReader reader(whole->kept.text);
  numbers(reader, *prefix);
  if (!reader.complete())
    return nullptr;
  prefix->dependencies.read = {whole->kept.read.begin(), whole->kept.read.end()};
  prefix->dependencies.absent = {whole->absent.begin(), whole->absent.end()};
  prefix->bytes = std::move(whole->bytes);
  prefix->at = whole->attached_at;
  return prefix;
}

std::shared_ptr<const Prefix> PrefixCache::keep(const std::string &key, Prefix prefix) {
  ArchiveWriter writer;
  numbers(writer, prefix);
  const std::lock_guard lock(mutex_);
  const auto kept = std::make_shared<const Prefix>(std::move(prefix));
  loaded_[key] = kept;
  const SourceDependencies &headers = kept->dependencies;
  if (headers.read.empty() || !headers.complete) // nothing says how long it holds
    return kept;
  entries_.keep_whole(identity_ + '\0' + key, {headers.read.begin(), headers.read.end()},
                      {headers.absent.begin(), headers.absent.end()}, writer.bytes(), kept->tree());
  entries_.keep_newest(kMostBytes);
  return kept;
}

std::string PrefixCache::remark() const {
  std::string damaged = entries_.damaged();
  if (damaged.empty() && installed_)
    damaged = installed_->damaged();
  if (!damaged.empty())
    return "a precompiled prefix is made anew, as it is damaged or of another user: '" + damaged + "'";
  const std::string complaint = entries_.complaint();
  return complaint.empty() ? complaint : "precompiled prefixes: " + complaint;
}

} // namespace smem
