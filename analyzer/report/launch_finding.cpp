#include "report/launch_finding.h"

namespace smem {

Finding launch_finding(std::string_view rule, const FileAnalysis &file, std::size_t file_index, std::size_t launch) {
  Finding finding;
  finding.rule = find_rule(rule);
  finding.severity = finding.rule->severity;
  finding.file = file_index;
  finding.launch = launch;
  finding.program = file.launches[launch].program;
  return finding;
}

} // namespace smem
