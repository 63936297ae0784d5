#include "report/report.h"

#include "report/claim.h"
#include "report/site_rows.h"

#include <algorithm>
#include <set>

namespace smem {

using Severity = Diagnostic::Severity;

std::string architectures_text(std::span<const FileAnalysis> files) {
  std::set<std::string_view> names;
  for (const FileAnalysis &file : files)
    if (file.architecture)
      names.insert(file.architecture->name);
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

bool overlooked(const FileAnalysis &file) {
  return file.parsed && file.programs.empty() && file.left_out.empty() &&
         std::any_of(file.diagnostics.begin(), file.diagnostics.end(),
                     [](const Diagnostic &each) { return each.incomplete; });
}

std::vector<Diagnostic> incomplete(const Report &report) {
  std::vector<Diagnostic> out;
  const auto add = [&](std::span<const Diagnostic> diagnostics) {
    std::copy_if(diagnostics.begin(), diagnostics.end(), std::back_inserter(out),
                 [](const Diagnostic &each) { return each.incomplete || each.severity == Severity::Error; });
  };
  for (const FileAnalysis &file : report.files) {
    const std::size_t before = out.size();
    add(file.diagnostics);
    if (!file.parsed && out.size() == before)
      out.push_back({Severity::Error, {file.file, 0, 0}, "this file could not be analysed", true});
  }
  add(report.diagnostics);
  return out;
}

std::vector<Finding> one_per_statement(std::span<const Finding> findings) {
  constexpr std::string_view kLoad = "load of ", kStore = "store of ";
  const auto without_verb = [](std::string text, std::string_view verb) {
    const std::size_t at = text.find(verb);
    return at == std::string::npos ? std::string() : text.replace(at, verb.size(), "load and store of ");
  };
  std::vector<Finding> out;
  for (const Finding &finding : findings) {
    const bool stores = finding.subject.starts_with(kStore);
    const auto same = [&](const Finding &other) {
      return other.location == finding.location && other.rule == finding.rule && other.severity == finding.severity &&
             other.file == finding.file && other.launch == finding.launch && other.baseline == finding.baseline &&
             other.subject.starts_with(stores ? kLoad : kStore) &&
             without_verb(other.message, stores ? kLoad : kStore) ==
                 without_verb(finding.message, stores ? kStore : kLoad);
    };
    const auto first = finding.site && (stores || finding.subject.starts_with(kLoad)) && finding.location.known()
                           ? std::ranges::find_if(out, same)
                           : out.end();
    if (first == out.end()) {
      out.push_back(finding);
      continue;
    }
    first->message = without_verb(first->message, stores ? kLoad : kStore);
    for (const auto &[one, two] : {std::pair(" takes ", " take "), std::pair(" moves ", " move ")})
      if (const std::size_t at = first->message.find(one); at != std::string::npos)
        first->message.replace(at, std::string_view(one).size(), two);
    first->subject.clear(); // a third access is one of its own
  }
  return out;
}

Tally tally(const Report &report) {
  Tally count;
  for (const Finding &finding : report.findings)
    ++(finding.severity == Severity::Error     ? count.errors
       : finding.severity == Severity::Warning ? count.warnings
                                               : count.notes);
  for (const FileAnalysis &file : report.files) {
    count.kernels += file.programs.size();
    count.launches += file.launches.size();
    for (const LaunchAnalysis &launch : file.launches)
      for (const SiteRow &row :
           site_rows(file.programs[launch.program], launch.result, patterns_of(file, launch.program))) {
        count.by_pattern += row.verdict == Verdict::Unknown && row.pattern && covers_all_launches(*row.pattern);
        ++(row.verdict == Verdict::Exact     ? count.exact
           : row.verdict == Verdict::Assumed ? count.assumed
                                             : count.unknown);
      }
  }
  return count;
}

} // namespace smem
