#include "archive/cache.h"

#include "archive/fields.h"
#include "plan/recorded_launches.h"
#include "source/paths.h"
#include "source/write_file.h"

#include <cstdlib>
#include <filesystem>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/xxhash.h>

namespace smem {
namespace {

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
  std::uint64_t max_steps = options.simulation.max_steps, max_instantiations = frontend.max_instantiations;
  key(identity, directory, file, has_contents, contents, architecture, toolkit, flags, kernels, wishes, max_steps, max_instantiations);
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

std::optional<std::uint64_t> ResultCache::hash_of(const std::string &file) {
  {
    const std::lock_guard lock(mutex);
    if (const auto known = hashes.find(file); known != hashes.end())
      return known->second;
  }
  const auto contents = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  std::optional<std::uint64_t> hash;
  if (contents)
    hash = llvm::xxh3_64bits((*contents)->getBuffer());
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

std::optional<FileAnalysis> ResultCache::find(const std::string &path) {
  const auto bytes = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes)
    return std::nullopt;
  std::string error;
  const llvm::StringRef buffer = (*bytes)->getBuffer();
  std::optional<CacheEntry> entry = read_cache_entry({buffer.data(), buffer.size()}, error);
  if (!entry) {
    const std::lock_guard lock(mutex);
    ++damaged;
    return std::nullopt;
  }
  for (const CacheEntry::Source &source : entry->read)
    if (hash_of(source.file) != source.hash)
      return std::nullopt;
  for (const std::string &place : entry->absent)
    if (exists(place))
      return std::nullopt;
  return std::move(entry->analysis);
}

void ResultCache::store(const std::string &path, const AnalysisOptions &options, const FileAnalysis &analysis) {
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
  entry.analysis = analysis;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (const std::string wrong = write_file(path, write_archive(entry)); !wrong.empty()) {
    const std::lock_guard lock(mutex);
    not_written = wrong;
  }
}

FileAnalysis ResultCache::analyze(const AnalysisOptions &options) {
  const std::string key = key_of(options);
  const std::string path = directory + "/" + key.substr(0, 2) + "/" + key.substr(2);
  if (std::optional<FileAnalysis> known = find(path))
    return std::move(*known);
  FileAnalysis analysis = analyze_file(options);
  if (!has_errors(analysis))
    store(path, options, analysis);
  return analysis;
}

std::vector<std::string> ResultCache::complaints() const {
  const std::lock_guard lock(mutex);
  std::vector<std::string> texts;
  if (damaged != 0)
    texts.push_back("the cache in '" + directory + "' was damaged; " + std::to_string(damaged) + (damaged == 1 ? " result is" : " results are") + " computed anew");
  if (!not_written.empty())
    texts.push_back("the cache is not written: " + not_written);
  return texts;
}

} // namespace smem
