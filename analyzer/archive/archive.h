// Analyses as bytes, for caches and for the parts of a run that was spread over machines.
//
// Not an exchange format: only the very smem-lint that wrote an archive reads it (see tool_identity()). What is written is
// what reports need; the code of the programs (Program::blocks and what belongs to it) is not.
#pragma once

#include "analysis/analysis.h"
#include "fixes/fixes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// A part of a run: `--shard i/n`.
struct RunPart {
  unsigned index = 1, count = 1;
  std::vector<LaunchWish> wishes;  ///< those of the command line, to be matched against all parts
  std::vector<FileAnalysis> files; ///< places as they are shown
  std::vector<FileFixes> fixes;    ///< parallel to them, or empty; without texts and the analysis of the edited source
};

/// An entry of a cache: a text, and what it depends on.
struct CacheEntry {
  struct Source {
    std::string file;
    std::string hash; ///< of the contents, such that nobody can make another file with it: BLAKE3, 32 bytes
  };
  std::vector<Source> read;
  std::vector<std::string> absent;
  std::string text; ///< of write_analysis(), or a listing
};

/// What a process hands to the one that started it: all that is wanted of the analysis of a file there.
struct Outcome {
  FileAnalysis
      analysis; ///< with the code of its programs, which reports execute the beginning of; without the uses of arrays
  FileFixes fixes;
  std::string remark; ///< about the process itself, for --verbose; may be empty
};

/// What tells one from another.
std::string foreign_text(const ForeignCode &foreign);
/// The same of everything but `unit`, in 32 bytes: BLAKE3.
std::string host_digest(const HostLaunches &host);
/// All that is reported of a launch of the file, its kernel's accesses and patterns included.
std::string launch_text(const FileAnalysis &file, std::size_t launch);

/// Between processes of one program: without what tells versions apart.
std::string write_outcome(const Outcome &outcome);
std::optional<Outcome> read_outcome(std::string_view bytes);

std::string write_archive(const RunPart &part);
std::string write_archive(const CacheEntry &entry);

/// On failure `error` says why: no archive, damaged, of another version of smem-lint.
std::optional<RunPart> read_run_part(std::string_view bytes, std::string &error);
/// A part without what an archive begins with: version and hash.
std::optional<RunPart> read_run_part_contents(std::string_view bytes);
std::optional<CacheEntry> read_cache_entry(std::string_view bytes, std::string &error);
/// What a cache keeps of an analysis.
std::string write_analysis(const FileAnalysis &analysis);
std::optional<FileAnalysis> read_analysis(std::string_view bytes);

/// What tells one smem-lint from another: version, compiler library, and a hash of the program itself.
const std::string &tool_identity();

} // namespace smem
