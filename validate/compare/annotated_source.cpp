#include "annotated_source.h"

#include "html_text.h"
#include "render.h"
#include "sinks/escape.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>

namespace smem::compare {
namespace {

/// Lines shown around one that has figures.
constexpr std::uint32_t kContext = 12;

/// What all launches together have on one line.
struct Line {
  std::uint64_t wavefronts[2] = {0, 0}, sectors[2] = {0, 0}; ///< predicted, measured
  bool shared = false, global = false;
  Verdict worst = Verdict::Exact;
  std::string detail;

  void add(const Row &row, const LaunchComparison &launch) {
    worst = std::max(worst, row.verdict);
    const bool copy = row.operation == Operation::AsyncCopy;
    shared |= copy || row.space == Space::Shared;
    global |= copy || row.space == Space::Global;
    const Figures predicted = row.predicted.value_or(Figures{}), measured = row.measured.value_or(Figures{});
    wavefronts[0] += predicted.wavefronts, wavefronts[1] += measured.wavefronts;
    sectors[0] += predicted.sectors, sectors[1] += measured.sectors;
    detail += launch.predicted->kernel + ": " + show_access(row) + ": " + to_string(row.verdict) +
              (row.reason.empty() ? "" : ": " + row.reason) + "\n";
  }
};

using Lines = std::map<std::uint32_t, Line>;

std::vector<std::string> read_lines(const std::filesystem::path &path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    lines.push_back(std::move(line));
  return lines;
}

std::string pair_of(const std::uint64_t (&value)[2], bool present, const Line &line) {
  if (!present)
    return "<td class=\"n\"></td>";
  if (line.worst == Verdict::Unknown || line.worst == Verdict::Unstable)
    return "<td class=\"n\">? / " + grouped(value[1]) + "</td>";
  const bool off = value[0] != value[1];
  return "<td class=\"n" + std::string(off ? " off" : "") + "\">" + grouped(value[0]) + " / " + grouped(value[1]) +
         "</td>";
}

const char *sign(Verdict verdict) { return verdict == Verdict::Exact ? "✓" : verdict == Verdict::Mismatch ? "✗" : "?"; }

std::string source_line(const std::string &file, std::uint32_t number, const std::string &text, const Line *line) {
  std::string out = "<tr id=\"" + line_anchor({file, number}) + "\"";
  if (line && line->worst == Verdict::Mismatch)
    out += " class=\"mismatch-row\"";
  out += ">";
  if (line)
    out += pair_of(line->wavefronts, line->shared, *line) + pair_of(line->sectors, line->global, *line) +
           "<td class=\"" + to_string(line->worst) + "\" title=\"" + sinks::markup(line->detail) + "\">" +
           sign(line->worst) + "</td>";
  else
    out += "<td></td><td></td><td></td>";
  return out + "<td class=\"n\">" + std::to_string(number) + "</td><td>" + sinks::markup(text) + "</td></tr>\n";
}

std::string source_file(const std::string &file, const Lines &lines, const std::filesystem::path &root) {
  const std::vector<std::string> text = read_lines(root.empty() ? std::filesystem::path(file) : root / file);
  const bool wrong = std::any_of(lines.begin(), lines.end(),
                                 [](const auto &entry) { return entry.second.worst == Verdict::Mismatch; });
  std::string out = std::string("<details") + (wrong || lines.size() < 60 ? " open" : "") + "><summary>" +
                    sinks::markup(file) + "</summary>\n";
  if (text.empty())
    out += "<p class=\"soft\">The file is not there (see --source-root): only its lines' figures are shown.</p>\n";
  out +=
      "<div class=\"scroll\"><table class=\"source\"><thead><tr><th class=\"n\">wavefronts<br>predicted / measured</th><th class=\"n\">sectors<br>predicted / measured"
      "</th><th></th><th class=\"n\">line</th><th></th></tr></thead><tbody>\n";
  std::uint32_t shown = 0; // the last line so far
  for (auto entry = lines.begin(); entry != lines.end(); ++entry) {
    const std::uint32_t number = entry->first;
    const std::uint32_t last = static_cast<std::uint32_t>(text.size());
    const std::uint32_t from = text.empty() ? number : std::max(shown + 1, number > kContext ? number - kContext : 1);
    if (from > shown + 1 || (text.empty() && shown == 0))
      out += "<tr><td></td><td></td><td></td><td class=\"n\">⋯</td><td></td></tr>\n";
    for (std::uint32_t n = from; n < number && n <= last; ++n)
      out += source_line(file, n, text[n - 1], nullptr);
    out += source_line(file, number, number >= 1 && number <= last ? text[number - 1] : std::string(), &entry->second);
    shown = number;
    const auto next = std::next(entry);
    const std::uint32_t until = std::min({last, number + kContext, next == lines.end() ? last : next->first - 1});
    for (std::uint32_t n = number + 1; n <= until; ++n)
      out += source_line(file, n, text[n - 1], nullptr), shown = n;
  }
  if (shown < text.size())
    out += "<tr><td></td><td></td><td></td><td class=\"n\">⋯</td><td></td></tr>\n";
  return out + "</tbody></table></div></details>\n";
}

} // namespace

std::string line_anchor(const Place &place) {
  std::string out = "L";
  for (const char c : place.file)
    out += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c)
                                                       : "-" + std::to_string(static_cast<unsigned char>(c));
  return out + "--" + std::to_string(place.line);
}

std::string annotated_sources(const Comparison &comparison, const std::filesystem::path &source_root) {
  std::map<std::string, Lines> files;
  for (const LaunchComparison &launch : comparison.launches)
    for (const Row &row : launch.rows)
      if (row.place.line != 0)
        files[row.place.file][row.place.line].add(row, launch);
  std::string out;
  for (const auto &[file, lines] : files)
    out += source_file(file, lines, source_root);
  return out;
}

} // namespace smem::compare
