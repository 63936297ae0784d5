// Parts of a run, as `smem-lint merge` reads them, without the hash and the version in front, which anybody can write: what can be read can be
// reported on, in every format that merge has. And what caches and worker processes hand over, which is written the same way.
#include "archive/archive.h"
#include "report/findings.h"
#include "report/report.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  (void)smem::read_outcome(bytes);
  const std::optional<smem::RunPart> part = smem::read_run_part_contents(bytes);
  if (!part)
    return 0;
  const std::vector<smem::Finding> findings = smem::find_all(part->files);
  const smem::Report report{.files = part->files, .findings = findings, .tool_version = "0"};
  smem::SourceLines sources;
  for (const smem::FileAnalysis &file : part->files)
    sources.add(file.file, "int main() {}\n"); // none of this machine
  (void)smem::text_report(report, sources, {.full = true, .verbose = true});
  (void)smem::json_report(report);
  (void)smem::sarif_report(report, sources);
  (void)smem::github_report(report);
  (void)smem::gitlab_report(report);
  (void)smem::markdown_report(report);
  return 0;
}
