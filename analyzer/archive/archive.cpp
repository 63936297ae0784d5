#include "archive/archive.h"

#include "archive/build_id.h"
#include "archive/fields.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/xxhash.h>

namespace smem {
namespace {

constexpr std::string_view kMagic = "smem-lint archive 1\n";

template <class T> std::string write(std::string_view kind, const T &value) {
  ArchiveWriter writer;
  std::string identity = tool_identity(), kind_text(kind);
  writer(identity, kind_text);
  writer(const_cast<T &>(value)); // fields() is one function for both directions
  const std::string &payload = writer.bytes();
  std::string out(kMagic);
  std::uint64_t hash = llvm::xxh3_64bits(payload);
  for (int i = 0; i < 8; ++i, hash >>= 8)
    out += static_cast<char>(hash & 0xff);
  return out + payload;
}

/// Whether what refers to something refers to something that is there: the hash of an archive says that it is whole, not who wrote it.
bool is_consistent(const FileAnalysis &file) {
  return file.architecture &&
         std::all_of(file.launches.begin(), file.launches.end(), [&](const LaunchAnalysis &launch) {
           if (launch.program >= file.programs.size())
             return false;
           const Program &program = file.programs[launch.program];
           const auto is_site = [&](const std::optional<SiteId> &site) {
             return !site || *site < program.sites.size();
           };
           return launch.result.sites.size() == program.sites.size() &&
                  std::all_of(launch.result.least.reads.begin(), launch.result.least.reads.end(),
                              [&](const ArrayReads &reads) { return reads.site < program.sites.size(); }) &&
                  std::all_of(launch.result.problems.begin(), launch.result.problems.end(),
                              [&](const Problem &problem) { return is_site(problem.site); });
         });
}

bool is_consistent(const FileAnalysis &file, const FileFixes &fixes) {
  return std::all_of(fixes.sites.begin(), fixes.sites.end(), [&](const FixedSite &site) {
    return site.launch < file.launches.size() && site.site < file.launches[site.launch].result.sites.size() &&
           site.suggestion < fixes.suggestions.size();
  });
}

bool is_consistent(const RunPart &part) {
  if (part.index == 0 || part.index > part.count || (!part.fixes.empty() && part.fixes.size() != part.files.size()))
    return false;
  for (std::size_t i = 0; i < part.files.size(); ++i)
    if (!is_consistent(part.files[i]) || (!part.fixes.empty() && !is_consistent(part.files[i], part.fixes[i])))
      return false;
  return true;
}

bool is_consistent(const CacheEntry &) { return true; } // read_analysis() looks at what is in it

template <class T> std::optional<T> contents(ArchiveReader &reader) {
  std::optional<T> value(std::in_place);
  reader(*value);
  if (!reader.complete() || !is_consistent(*value))
    value.reset();
  return value;
}

template <class T> std::optional<T> read(std::string_view bytes, std::string_view kind, std::string &error) {
  if (!bytes.starts_with(kMagic)) {
    error = "is no archive of smem-lint";
    return std::nullopt;
  }
  bytes.remove_prefix(kMagic.size());
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < 8 && i < bytes.size(); ++i)
    hash |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  bytes.remove_prefix(std::min<std::size_t>(8, bytes.size()));
  if (llvm::xxh3_64bits(llvm::StringRef(bytes.data(), bytes.size())) != hash) {
    error = "is damaged";
    return std::nullopt;
  }
  ArchiveReader reader(bytes);
  std::string identity, found_kind;
  reader(identity, found_kind);
  if (identity != tool_identity()) {
    error = "was written by another smem-lint (" + identity + "; this is " + tool_identity() + ")";
    return std::nullopt;
  }
  if (found_kind != kind) {
    error = "has a " + found_kind + ", not a " + std::string(kind);
    return std::nullopt;
  }
  std::optional<T> value = contents<T>(reader);
  if (!value)
    error = "is damaged";
  return value;
}

std::string hash_of_program() {
  static int anchor;
  const std::string program = llvm::sys::fs::getMainExecutable("smem-lint", &anchor);
  const auto contents = llvm::MemoryBuffer::getFile(program, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  const std::uint64_t hash = contents ? llvm::xxh3_64bits((*contents)->getBuffer()) : 0;
  return llvm::utohexstr(hash, /*LowerCase=*/true);
}

} // namespace

std::string foreign_text(const ForeignCode &foreign) {
  ArchiveWriter writer;
  writer(const_cast<ForeignCode &>(foreign));
  return writer.bytes();
}

std::string host_digest(const HostLaunches &host) {
  ArchiveWriter writer;
  auto &[launches, diagnostics, opted_in, unit] = const_cast<HostLaunches &>(host); // as above
  std::vector<std::pair<std::string, std::uint64_t>> amounts(opted_in.begin(), opted_in.end());
  writer(launches, diagnostics, amounts);
  const llvm::BLAKE3Result<> code = llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(writer.bytes()));
  return {code.begin(), code.end()};
}

std::string launch_text(const FileAnalysis &file, std::size_t launch) {
  LaunchAnalysis analysis = file.launches[launch];
  const std::size_t number = std::exchange(analysis.program, 0);
  Program program = file.programs[number];
  std::vector<Pattern> patterns = number < file.patterns.size() ? file.patterns[number] : std::vector<Pattern>();
  ArchiveWriter writer;
  writer(program);
  writer(patterns);
  writer(analysis);
  return writer.bytes();
}

std::string write_outcome(const Outcome &outcome) {
  ArchiveWriter writer;
  // Writing changes nothing: the same function reads.
  writer(const_cast<Outcome &>(outcome));
  return writer.bytes();
}

std::optional<Outcome> read_outcome(std::string_view bytes) {
  ArchiveReader reader(bytes);
  Outcome outcome;
  reader(outcome);
  return reader.complete() ? std::optional(std::move(outcome)) : std::nullopt;
}

std::optional<RunPart> read_run_part_contents(std::string_view bytes) {
  ArchiveReader reader(bytes);
  return contents<RunPart>(reader);
}

std::string write_archive(const RunPart &part) { return write("part of a run", part); }
std::string write_archive(const CacheEntry &entry) { return write("cached result", entry); }
std::optional<RunPart> read_run_part(std::string_view bytes, std::string &error) {
  return read<RunPart>(bytes, "part of a run", error);
}
std::optional<CacheEntry> read_cache_entry(std::string_view bytes, std::string &error) {
  return read<CacheEntry>(bytes, "cached result", error);
}

std::string write_analysis(const FileAnalysis &analysis) {
  ArchiveWriter writer;
  auto &value = const_cast<FileAnalysis &>(analysis); // as above
  writer(value, value.unit, value.host_digest);
  return writer.bytes();
}

std::optional<FileAnalysis> read_analysis(std::string_view bytes) {
  ArchiveReader reader(bytes);
  std::optional<FileAnalysis> value(std::in_place);
  reader(*value, value->unit, value->host_digest);
  if (!reader.complete() || !is_consistent(*value))
    value.reset();
  return value;
}

const std::string &tool_identity() {
  static const std::string identity = [] {
    std::string program = build_id();
    return std::string(SMEM_LINT_VERSION) + "/" + LLVM_VERSION_STRING + "/" +
           (program.empty() ? hash_of_program() : std::move(program));
  }();
  return identity;
}

} // namespace smem
