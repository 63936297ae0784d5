#include "annotated_source.h"
#include "html_text.h"
#include "page_style.h"
#include "reasons.h"
#include "render.h"
#include "scatter.h"
#include "sinks/escape.h"

#include <algorithm>

namespace smem::compare {
namespace {

std::string card(const std::string &title, const std::string &value, const char *kind = "") {
  return "<li><b class=\"" + std::string(kind) + "\">" + value + "</b>" + title + "</li>\n";
}

std::string head(const Comparison &comparison, const Provenance &provenance) {
  const Summary &summary = comparison.summary;
  std::string out =
      "<h1>Predicted and measured counters</h1>\n<p class=\"soft\">" + sinks::markup(provenance.predicted_name);
  if (!provenance.arch.empty())
    out += " for " + sinks::markup(provenance.arch);
  out += " beside " + sinks::markup(provenance.measured_name);
  if (!provenance.gpu.empty())
    out += ", measured on " + sinks::markup(provenance.gpu);
  if (!provenance.date.empty())
    out += ", " + sinks::markup(provenance.date);
  out += "</p>\n<ul class=\"figures\">\n" + card("launches", grouped(summary.launches)) +
         card("rows", grouped(summary.rows)) + card("claimed exact, right", grouped(summary.exact_right), "exact") +
         card("claimed exact, wrong", grouped(summary.exact_wrong), summary.exact_wrong ? "mismatch" : "") +
         card("assumed, right", grouped(summary.assumed_right)) +
         card("assumed, wrong", grouped(summary.assumed_wrong)) + card("unknown", grouped(summary.unknown), "unknown") +
         card("missing", grouped(summary.missing)) + "</ul>\n";
  if (summary.rows == 0)
    out += "<p class=\"mismatch\">Nothing could be compared.</p>\n";
  return out;
}

std::string figure_cell(const Row &row, std::uint64_t Figures::*value) {
  const bool unknown = row.verdict == Verdict::Unknown || row.verdict == Verdict::Unstable;
  const auto show = [&](const std::optional<Figures> &figures) {
    return figures ? grouped((*figures).*value) : std::string("–");
  };
  const std::string predicted = unknown ? "?" : show(row.predicted), measured = show(row.measured);
  const bool off = !unknown && predicted != measured;
  return "<td class=\"n" + std::string(off ? " off" : "") + "\">" +
         (predicted == measured ? measured : predicted + " / " + measured) + "</td>";
}

/// How much is wrong, to find the worst.
std::uint64_t distance(const Row &row) {
  const Figures predicted = row.predicted.value_or(Figures{}), measured = row.measured.value_or(Figures{});
  std::uint64_t sum = 0;
  for (const Column &column : columns)
    sum += std::max(predicted.*column.value, measured.*column.value) -
           std::min(predicted.*column.value, measured.*column.value);
  return sum;
}

std::string table_row(const LaunchComparison &launch, const Row &row) {
  const bool wrong = row.verdict == Verdict::Mismatch;
  std::string out =
      "<tr" + (wrong ? " class=\"mismatch-row\" data-off=\"" + std::to_string(distance(row)) + "\"" : std::string()) +
      "><td class=\"" + to_string(row.verdict) + "\">" +
      (wrong                           ? "✗ "
       : row.verdict == Verdict::Exact ? "✓ "
                                       : "? ") +
      to_string(row.verdict) +
      (row.false_claim()                       ? "<br><b>false claim</b>"
       : row.claim == Claim::Assumed && !wrong ? "<br>assumed"
                                               : "") +
      "</td><td><a href=\"#" + line_anchor(row.place) + "\"><code>" + sinks::markup(show(row.place)) +
      "</code></a><br><span class=\"soft\" title=\"" + sinks::markup(show_launch(launch)) + "\">" +
      sinks::markup(launch.predicted->kernel) + "</span></td><td>" + show_access(row);
  if (const std::string text = expressions(row); !text.empty())
    out += "<br><code>" + sinks::markup(text) + "</code>";
  out += "</td>";
  for (const Column &column : columns)
    out += figure_cell(row, column.value);
  out += "<td>" + sinks::markup(row.reason);
  if (wrong && !row.instructions.empty())
    out += "<br><code>" + sinks::markup(describe(row.instructions)) + "</code>";
  return out + "</td></tr>\n";
}

std::string table(const Comparison &comparison) {
  std::string out =
      "<h2>Rows</h2>\n<p><label><input type=\"checkbox\" id=\"only\"> only those that disagree</label> "
      "<span class=\"soft\">Keys: n next worst, p previous. Where two figures stand, the first is predicted, the second measured.</span></p>\n"
      "<div class=\"scroll\"><table class=\"rows\"><thead><tr><th>verdict</th><th>place</th><th>access</th>";
  for (const Column &column : columns)
    out += std::string("<th class=\"n\">") + column.title + "</th>";
  out += "<th>likely reason</th></tr></thead><tbody>\n";
  for (const LaunchComparison &launch : comparison.launches)
    for (const Row &row : launch.rows)
      out += table_row(launch, row);
  return out + "</tbody></table></div>\n";
}

} // namespace

std::string render_html(const Comparison &comparison, const Provenance &provenance,
                        const std::filesystem::path &source_root) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Predicted and measured counters</title>\n<style>" +
      std::string(page_style) + "</style>\n</head>\n<body>\n" + head(comparison, provenance);
  if (comparison.summary.rows != 0)
    out +=
        "<h2>Predicted against measured</h2>\n<p class=\"soft\">● wavefronts of shared memory, ■ sectors of global memory, ✗ what disagrees. Unknown rows are not in the plot.</p>\n" +
        scatter_plot(comparison) + table(comparison) + "<h2>Source</h2>\n" + annotated_sources(comparison, source_root);
  if (const std::vector<std::string> notes = remarks(comparison); !notes.empty()) {
    out += "<h2>Notes</h2>\n<ul>\n";
    for (const std::string &note : notes)
      out += "<li>" + sinks::markup(note) + "</li>\n";
    out += "</ul>\n";
  }
  return out + "<script>" + page_script + "</script>\n</body>\n</html>\n";
}

} // namespace smem::compare
