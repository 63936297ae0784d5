// Results of earlier runs, used as long as everything that they depend on is the same.
//
// An entry is found by smem-lint itself, file, flags, architecture, headers, launches and budget, and holds if every file that the
// analysis read has the same contents and none has appeared that would have been found first. One entry a file and set of
// options; a new result replaces it.
//
// An entry is authenticated with a key of the user's own (cache_key.h): what others put into the folder, be it shared, restored by a CI system or part of the
// repository, is no entry. What is damaged or was written by another version is none either.
#pragma once

#include "archive/archive.h"
#include "sinks/files.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace smem {

class ResultCache {
public:
  /// `directory` is made if it is not there. `within`: the folder that it must lie in, no link on the way; empty: it may be anywhere.
  explicit ResultCache(const std::string &directory, const std::string &within = {});

  /// Why there can be no cache; then nothing else may be called.
  const std::string &refusal() const { return refusal_; }

  /// What analyze_file() said the last time, if that still holds: bytes for read_analysis(), which takes far longer than this.
  std::optional<std::string> known(const AnalysisOptions &options);
  /// Keeps what it says now, unless that has errors.
  void keep(const AnalysisOptions &options, const FileAnalysis &analysis);

  /// Why entries could not be written, or empty.
  std::string complaint() const;

private:
  std::optional<std::string> find(const std::string &name);
  void store(const std::string &name, const AnalysisOptions &options, const FileAnalysis &analysis);
  std::string code_of(const std::string &name, std::string_view archive) const;
  /// Of a file's contents, read once a run; nothing if there is no such file.
  std::optional<std::string> hash_of(const std::string &file);

  bool exists(const std::string &place);

  sinks::Tree folder;
  std::string key, refusal_;
  mutable std::mutex mutex;
  std::map<std::string, std::optional<std::string>> hashes;
  std::map<std::string, bool> existing;
  std::string not_written;
};

} // namespace smem
