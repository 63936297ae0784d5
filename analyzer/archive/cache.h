// Results of earlier runs, used as long as everything that they depend on is the same.
//
// An entry is found by smem-lint itself, file, flags, architecture, headers, launches and budget, and holds if every file that the
// analysis read has the same contents and none has appeared that would have been found first. One entry a file and set of
// options; a new result replaces it.
#pragma once

#include "archive/archive.h"

#include <map>
#include <mutex>
#include <string>

namespace smem {

class ResultCache {
public:
  /// `directory` is made when something is to be written.
  explicit ResultCache(std::string directory) : directory(std::move(directory)) {}

  /// analyze_file(), or what it said the last time. May be called by several threads.
  FileAnalysis analyze(const AnalysisOptions &options);

  /// Damaged entries, entries that could not be written: one text for each kind, for standard error.
  std::vector<std::string> complaints() const;

private:
  std::optional<FileAnalysis> find(const std::string &path);
  void store(const std::string &path, const AnalysisOptions &options, const FileAnalysis &analysis);
  /// Of a file's contents, read once a run; nothing if there is no such file.
  std::optional<std::uint64_t> hash_of(const std::string &file);

  bool exists(const std::string &place);

  std::string directory;
  mutable std::mutex mutex;
  std::map<std::string, std::optional<std::uint64_t>> hashes;
  std::map<std::string, bool> existing;
  std::size_t damaged = 0;
  std::string not_written;
};

} // namespace smem
