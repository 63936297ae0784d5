#include "reasons.h"
#include "render.h"
#include "sinks/escape.h"

#include <cstdio>

namespace smem::compare {
namespace {

class TextReport {
public:
  TextReport(const Comparison &comparison, const TextOptions &options) : comparison(comparison), options(options) {}

  std::string write() {
    for (const LaunchComparison &launch : comparison.launches)
      write_launch(launch);
    for (const std::string &remark : remarks(comparison))
      out += "note: " + sinks::line(remark) + "\n";
    const Summary &summary = comparison.summary;
    out += std::to_string(summary.launches) + (summary.launches == 1 ? " launch: " : " launches: ");
    paint(summary.mismatch ? "1;31" : "1;32", headline(summary));
    out += "\n";
    if (!summary.causes.empty()) {
      out += "mismatches:";
      for (const auto &[cause, count] : summary.causes)
        out += std::string(" ") + to_string(cause) + " " + std::to_string(count);
      out += "\n";
    }
    return out;
  }

private:
  void paint(const char *code, const std::string &text) {
    out += options.color ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
  }

  void write_launch(const LaunchComparison &launch) {
    bool headed = false;
    for (const Row &row : launch.rows) {
      if (row.verdict != Verdict::Mismatch && !options.verbose)
        continue;
      if (!headed)
        paint("1", sinks::line(show_launch(launch)) + "\n");
      headed = true;
      write_row(row);
    }
    if (headed)
      out += "\n";
  }

  void write_row(const Row &row) {
    const bool wrong = row.verdict == Verdict::Mismatch;
    out += "  " + sinks::line(show(row.place)) + ": " + show_access(row) + ": ";
    paint(wrong ? "31" : row.verdict == Verdict::Exact ? "32" : "33", to_string(row.verdict));
    if (row.false_claim())
      paint("1;31", " (false claim)");
    else if (row.claim == Claim::Assumed)
      out += " (assumed)";
    if (!row.reason.empty())
      out += ": " + sinks::line(row.reason);
    out += "\n";
    if (row.verdict == Verdict::Unknown || row.verdict == Verdict::Unstable)
      return;
    if (const std::string text = expressions(row); !text.empty() && wrong)
      out += "    " + sinks::line(text) + "\n";
    if (wrong) {
      out += "               requests  wavefronts       ideal     sectors       ideal        tags\n";
      figures("predicted", row.predicted);
      figures("measured", row.measured);
      if (!row.instructions.empty())
        out += "    " + describe(row.instructions) + "\n";
    } else {
      figures("both", row.measured);
    }
  }

  void figures(const char *title, const std::optional<Figures> &figures) {
    char text[128];
    if (!figures) {
      std::snprintf(text, sizeof text, "    %-9s  none\n", title);
      out += text;
      return;
    }
    std::snprintf(text, sizeof text, "    %-9s %11llu", title, static_cast<unsigned long long>(figures->requests));
    out += text;
    for (const Column &column : columns) {
      std::snprintf(text, sizeof text, " %11llu", static_cast<unsigned long long>((*figures).*column.value));
      out += text;
    }
    out += "\n";
  }

  const Comparison &comparison;
  const TextOptions &options;
  std::string out;
};

} // namespace

std::string render_text(const Comparison &comparison, const Provenance &, const TextOptions &options) {
  return sinks::terminal(TextReport(comparison, options).write(), options.color);
}

} // namespace smem::compare
