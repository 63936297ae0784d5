#include "reasons.h"
#include "render.h"
#include "sinks/escape.h"

namespace smem::compare {
namespace {

/// A pull-request comment has a size limit; what is beyond stays in the other formats.
constexpr std::size_t kMostRows = 100, kUnfoldedRows = 10;

/// `256 → 128` where the two sides differ.
std::string both(const Row &row, std::uint64_t Figures::*value) {
  const auto show = [&](const std::optional<Figures> &figures) {
    return figures ? std::to_string((*figures).*value) : std::string("none");
  };
  const std::string predicted = show(row.predicted), measured = show(row.measured);
  return predicted == measured ? predicted
                               : std::string("**").append(predicted).append(" → ").append(measured).append("**");
}

std::string table(const std::vector<std::pair<const LaunchComparison *, const Row *>> &rows) {
  std::string out =
      "| place | access | wavefronts (ideal) | sectors (ideal) | tags | likely reason |\n|---|---|---|---|---|---|\n";
  for (const auto &[launch, row] : rows) {
    out += "| " + sinks::markdown_code(show(row->place)) + "<br>" + sinks::markdown_code(launch->predicted->kernel) +
           " | " + show_access(*row);
    if (row->false_claim())
      out += "<br>**false claim**";
    out += " | " + both(*row, &Figures::wavefronts) + " (" + both(*row, &Figures::ideal_wavefronts) + ") | " +
           both(*row, &Figures::sectors) + " (" + both(*row, &Figures::ideal_sectors) + ") | " +
           both(*row, &Figures::tags) + " | " + sinks::markdown(row->reason);
    if (!row->instructions.empty())
      out += "<br>" + sinks::markdown_code(describe(row->instructions));
    out += " |\n";
  }
  return out;
}

} // namespace

std::string render_markdown(const Comparison &comparison, const Provenance &provenance) {
  const Summary &summary = comparison.summary;
  std::string out = "### Predicted and measured counters\n\n";
  if (summary.rows == 0)
    out += "Nothing could be compared.\n";
  else
    out += "| launches | rows | claimed exact: right | wrong | assumed: right | wrong | unknown | missing |\n"
           "|---:|---:|---:|---:|---:|---:|---:|---:|\n| " +
           std::to_string(summary.launches) + " | " + std::to_string(summary.rows) + " | " +
           std::to_string(summary.exact_right) + " | " + std::to_string(summary.exact_wrong) + " | " +
           std::to_string(summary.assumed_right) + " | " + std::to_string(summary.assumed_wrong) + " | " +
           std::to_string(summary.unknown) + " | " + std::to_string(summary.missing) + " |\n";
  if (!provenance.gpu.empty())
    out += "\nMeasured on " + sinks::markdown(provenance.gpu) +
           (provenance.date.empty() ? "" : ", " + sinks::markdown(provenance.date)) + "; predicted for " +
           sinks::markdown(provenance.arch) + ".\n";

  // False claims first.
  std::vector<std::pair<const LaunchComparison *, const Row *>> rows;
  for (const bool false_claims : {true, false})
    for (const LaunchComparison &launch : comparison.launches)
      for (const Row &row : launch.rows)
        if (row.verdict == Verdict::Mismatch && row.false_claim() == false_claims)
          rows.emplace_back(&launch, &row);
  if (!rows.empty()) {
    const bool fold = rows.size() > kUnfoldedRows;
    const std::size_t left_out = rows.size() > kMostRows ? rows.size() - kMostRows : 0;
    rows.resize(rows.size() - left_out);
    out += fold ? "\n<details><summary>" + std::to_string(summary.mismatch) + " rows disagree</summary>\n\n" : "\n";
    out += "Predicted → measured:\n\n" + table(rows);
    if (left_out)
      out += "\n" + std::to_string(left_out) + " more are not shown.\n";
    if (fold)
      out += "\n</details>\n";
  }
  if (const std::vector<std::string> notes = remarks(comparison); !notes.empty()) {
    out += "\n<details><summary>Notes (" + std::to_string(notes.size()) + ")</summary>\n\n";
    for (const std::string &note : notes)
      out += "- " + sinks::markdown(note) + "\n";
    out += "\n</details>\n";
  }
  return out;
}

} // namespace smem::compare
