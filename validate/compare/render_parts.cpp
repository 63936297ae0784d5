#include "render.h"

#include <algorithm>
#include <sstream>
#include <cstdio>

namespace smem::compare {

std::string percent(std::size_t part, std::size_t whole) {
  if (whole == 0)
    return "-";
  if (part == whole)
    return "100%";
  char text[16];
  // Never rounded up to all of them.
  const double tenths = static_cast<double>(part) * 1000.0 / static_cast<double>(whole);
  std::snprintf(text, sizeof text, "%.1f%%", static_cast<double>(static_cast<std::size_t>(tenths)) / 10.0);
  return text;
}

std::string headline(const Summary &summary) {
  const auto claimed = [](std::size_t right, std::size_t wrong) {
    return std::to_string(right) + " right, " + std::to_string(wrong) + " wrong";
  };
  return "rows " + std::to_string(summary.rows) + " \u00b7 claimed exact " +
         claimed(summary.exact_right, summary.exact_wrong) + " \u00b7 assumed " +
         claimed(summary.assumed_right, summary.assumed_wrong) + " \u00b7 unknown " + std::to_string(summary.unknown) +
         " \u00b7 missing " + std::to_string(summary.missing) + " \u00b7 " + percent(summary.exact, summary.rows) +
         " match";
}

std::string show(const Place &place) {
  if (place.pc) {
    std::ostringstream text;
    text << "+0x" << std::hex << *place.pc;
    return text.str();
  }
  return place.line == 0 ? std::string("(no line)") : place.file + ":" + std::to_string(place.line);
}

std::string show_access(const Row &row) {
  switch (row.operation) {
  case Operation::AsyncCopy: return "async copy";
  case Operation::MatrixLoad: return "ldmatrix";
  case Operation::MatrixStore: return "stmatrix";
  case Operation::MatrixMultiply: return "wgmma";
  case Operation::BulkCopy: return "bulk copy";
  default: return std::string(to_string(row.space)) + " " + to_string(row.operation);
  }
}

std::string show_launch(const LaunchComparison &launch) {
  std::string text = launch.predicted->kernel + ", " + to_string(launch.predicted->configuration);
  if (launch.measured.size() > 1)
    text += ", " + std::to_string(launch.measured.size()) + " launches";
  return text;
}

std::string expressions(const Row &row) {
  std::vector<std::string> seen;
  std::string text;
  for (const PredictedSite *site : row.sites) {
    if (site->expression.empty() || std::find(seen.begin(), seen.end(), site->expression) != seen.end())
      continue;
    seen.push_back(site->expression);
    text += (text.empty() ? "" : ", ") + site->expression;
  }
  return text;
}

namespace {

/// One line for launches that have everything in common, in the order of first appearance.
void add_unmatched(const char *what, const std::vector<Unmatched> &launches, std::vector<std::string> &out) {
  std::vector<std::pair<std::string, std::size_t>> lines;
  for (const Unmatched &launch : launches) {
    const std::string line =
        std::string(what) + launch.kernel + ", " + to_string(launch.configuration) + ": " + launch.reason;
    const auto known = std::find_if(lines.begin(), lines.end(), [&](const auto &entry) { return entry.first == line; });
    if (known == lines.end())
      lines.emplace_back(line, 1);
    else
      ++known->second;
  }
  for (const auto &[line, count] : lines)
    out.push_back(line + (count == 1 ? "" : " (" + std::to_string(count) + " launches)"));
}

} // namespace

std::vector<std::string> remarks(const Comparison &comparison) {
  std::vector<std::string> out = comparison.warnings;
  for (const std::string &file : comparison.other_versions)
    out.push_back(file + ": predicted from another version of the file than was measured");
  add_unmatched("not measured: ", comparison.only_predicted, out);
  add_unmatched("not compared: ", comparison.only_measured, out);
  const Summary &summary = comparison.summary;
  if (summary.ignored_instructions)
    out.push_back(std::to_string(summary.ignored_instructions) +
                  " machine instructions without an active lane, where nothing was predicted, are left out");
  if (summary.unstable)
    out.push_back(std::to_string(summary.unstable) +
                  " places that measurements of the same program count differently are left out");
  if (summary.ignored_sites)
    out.push_back(std::to_string(summary.ignored_sites) +
                  " predicted sites that never run, and were not measured, are left out");
  return out;
}

} // namespace smem::compare
