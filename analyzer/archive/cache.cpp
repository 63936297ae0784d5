#include "archive/cache.h"

#include "archive/cache_key.h"
#include "archive/fields.h"
#include "plan/recorded_launches.h"
#include "support/paths.h"

#include <cstdlib>
#include <filesystem>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SHA256.h>

namespace smem {
namespace {

constexpr std::string_view kHead = "smem-lint cache 2\n";
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// Everything that decides an analysis besides the contents of files.
std::string key_of(const AnalysisOptions &options) {
  const FrontendOptions &frontend = options.frontend;
  ArchiveWriter key;
  std::string identity = tool_identity(), directory = normalise_path("."), file = frontend.file;
  std::string architecture(frontend.architecture->name), contents = frontend.contents.value_or("");
  bool has_contents = frontend.contents.has_value();
  Toolkit toolkit = frontend.toolkit;
  std::vector<std::string> flags = frontend.compiler_flags;
  std::vector<LaunchWish> wishes = options.wishes;
  std::vector<std::string> kernels = options.kernels;
  bool races = options.races;
  std::uint64_t max_steps = options.simulation.max_steps, max_instantiations = frontend.max_instantiations,
                max_device_code = frontend.max_device_code;
  ForeignCode foreign = frontend.foreign;
  bool for_others = frontend.for_others;
  key(foreign, for_others);
  key(identity, directory, file, has_contents, contents, architecture, toolkit, flags, kernels, wishes, races,
      max_steps, max_instantiations, max_device_code);
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) { // Clang's driver looks at these
    const char *value = std::getenv(name);
    std::string text = value ? value : "";
    key(text);
  }
  std::string recorded = options.recorded ? options.recorded->digest() : std::string();
  key(recorded);
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(key.bytes())), /*LowerCase=*/true);
}

bool has_errors(const FileAnalysis &analysis) {
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      return true;
  return !analysis.parsed;
}

} // namespace

ResultCache::ResultCache(const std::string &directory, const std::string &within) {
  if (within.empty()) {
    folder = sinks::Tree::open(directory, refusal_, /*make=*/true);
  } else if (const sinks::Tree tree = sinks::Tree::open(within, refusal_); tree) {
    const std::string name = std::filesystem::path(directory).lexically_relative(within).string();
    folder = tree.folder(name, refusal_);
  }
  if (folder)
    key = user_cache_key(refusal_);
}

std::optional<std::string> ResultCache::hash_of(const std::string &file) {
  {
    const std::lock_guard lock(mutex);
    if (const auto known = hashes.find(file); known != hashes.end())
      return known->second;
  }
  std::string wrong;
  const std::optional<std::string> contents = sinks::read_file(file, wrong);
  std::optional<std::string> hash;
  if (contents) {
    const llvm::BLAKE3Result<> code = llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(*contents));
    hash.emplace(code.begin(), code.end());
  }
  const std::lock_guard lock(mutex);
  return hashes.emplace(file, hash).first->second;
}

bool ResultCache::exists(const std::string &place) {
  const std::lock_guard lock(mutex);
  const auto [known, added] = existing.emplace(place, false);
  if (added)
    known->second = llvm::sys::fs::exists(place);
  return known->second;
}

std::optional<std::string> ResultCache::find(const std::string &name) {
  std::string bytes;
  if (!folder.read(name, kMostBytes, bytes) || bytes.size() < kHead.size() + kAuthenticationBytes ||
      !bytes.starts_with(kHead))
    return std::nullopt;
  const std::string_view code = std::string_view(bytes).substr(kHead.size(), kAuthenticationBytes),
                         archive = std::string_view(bytes).substr(kHead.size() + kAuthenticationBytes);
  // Nothing that somebody else has written is even parsed; what is damaged or of another version is as good as not there.
  std::string error;
  std::optional<CacheEntry> entry = code == code_of(name, archive) ? read_cache_entry(archive, error) : std::nullopt;
  if (!entry)
    return std::nullopt;
  for (const CacheEntry::Source &source : entry->read)
    if (hash_of(source.file) != source.hash)
      return std::nullopt;
  for (const std::string &place : entry->absent)
    if (exists(place))
      return std::nullopt;
  return std::move(entry->analysis);
}

void ResultCache::store(const std::string &name, const AnalysisOptions &options, const FileAnalysis &analysis) {
  CacheEntry entry;
  const std::string virtual_file = options.frontend.contents ? normalise_path(options.frontend.file) : std::string();
  for (const std::string &file : analysis.dependencies.read) {
    if (file == virtual_file)
      continue;
    const auto hash = hash_of(file);
    if (!hash)
      return; // gone meanwhile
    entry.read.push_back({file, *hash});
  }
  entry.absent.assign(analysis.dependencies.absent.begin(), analysis.dependencies.absent.end());
  entry.analysis = write_analysis(analysis);
  const std::string archive = write_archive(entry);
  sinks::Writing how;
  how.make_folders = true;
  how.durable = false; // a result that a crash has cut off is not authentic
  if (const std::string wrong = folder.write(name, std::string(kHead) + code_of(name, archive) + archive, how);
      !wrong.empty()) {
    const std::lock_guard lock(mutex);
    not_written = wrong;
  }
}

/// An entry under another name is another entry.
std::string ResultCache::code_of(const std::string &name, std::string_view archive) const {
  return authentication_code(key, name + '\0' + std::string(archive));
}

namespace {

std::string name_of(const AnalysisOptions &options) {
  const std::string of_options = key_of(options);
  return of_options.substr(0, 2) + "/" + of_options.substr(2);
}

} // namespace

std::optional<std::string> ResultCache::known(const AnalysisOptions &options) { return find(name_of(options)); }

void ResultCache::keep(const AnalysisOptions &options, const FileAnalysis &analysis) {
  if (!has_errors(analysis))
    store(name_of(options), options, analysis);
}

std::string ResultCache::complaint() const {
  const std::lock_guard lock(mutex);
  return not_written.empty() ? std::string() : "the cache is not written: " + not_written;
}

} // namespace smem
