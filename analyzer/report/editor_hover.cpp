#include "report/editor_hover.h"

#include "report/claim.h"
#include "report/figures.h"
#include "report/finding.h"
#include "report/format.h"
#include "report/lanes.h"
#include "sinks/escape.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

namespace smem {
namespace {

constexpr std::size_t kMostLaunches = 6; ///< in a page's table

/// What one request costs in one unit: degree, or sectors. Nothing: it is not known.
struct RequestFigure {
  std::optional<double> value;
  bool assumed = false;
};

RequestFigure figure_of(const PlacedRow &placed, Unit unit) {
  const bool shared = unit == Unit::Wavefronts;
  const auto of = [&](const Metrics &metrics) { return shared ? metrics.degree : metrics.sectors; };
  const SiteRow &row = placed.row;
  RequestFigure figure;
  if (row.verdict != Verdict::Unknown)
    figure.value = of(metrics_of(row.counts));
  else if (row.pattern && row.pattern->verdict == PatternVerdict::Always)
    if (const std::optional<Metrics> metrics = pattern_metrics(row, placed.launch->launch))
      figure.value = of(*metrics);
  figure.assumed = row.verdict != Verdict::Exact || rests_on_launch(row, *placed.launch)
                       ? claim_of(row, *placed.file, *placed.launch, unit).reach == Reach::Assumed
                       : false;
  return figure;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.1f", value);
  return text;
}

bool comes_there(const SiteRow &row) { return row.executed || row.verdict == Verdict::Unknown; }

std::string label_in(const std::vector<PlacedRow> &rows, Unit unit) {
  const bool shared = unit == Unit::Wavefronts;
  std::optional<double> least, most;
  bool assumed = false, unknown = false, any = false;
  for (const PlacedRow &placed : rows) {
    if (!(shared ? placed.row.moves_shared : placed.row.moves_global) || !comes_there(placed.row))
      continue;
    any = true;
    const RequestFigure figure = figure_of(placed, unit);
    assumed |= figure.assumed;
    unknown |= !figure.value;
    if (figure.value) {
      least = std::min(least.value_or(*figure.value), *figure.value);
      most = std::max(most.value_or(*figure.value), *figure.value);
    }
  }
  if (!any)
    return {};
  const char *const unknown_text = shared ? "banks unknown" : "sectors unknown";
  if (!most)
    return unknown_text;
  const std::string words =
      (*least == *most ? number(*most) : number(*least) + " to " + number(*most)) + (shared       ? "-way"
                                                                                     : *most == 1 ? " sector"
                                                                                                  : " sectors");
  return words + (unknown ? " or unknown" : "") + (assumed ? ", assumed" : "");
}

/// Which banks each lane of the costliest phase accesses; adjacent lanes with the same banks are one row.
std::string bank_picture(const Example &example, const Access &access, const Architecture &architecture) {
  const Pileup pileup = worst_pileup(example.request, access, architecture);
  const unsigned bytes = std::max(1u, access.width_bits / 8u);
  std::vector<std::pair<LaneMask, std::string>> rows;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(example.request.active & pileup.phase & (LaneMask{1} << lane)))
      continue;
    std::string row(architecture.banks, '.');
    const std::uint64_t address = example.request.address[lane];
    for (std::uint64_t word = address / architecture.bank_bytes;
         word <= (address + bytes - 1) / architecture.bank_bytes; ++word)
      row[word % architecture.banks] = '#';
    if (!rows.empty() && rows.back().second == row)
      rows.back().first |= LaneMask{1} << lane;
    else
      rows.emplace_back(LaneMask{1} << lane, std::move(row));
  }
  std::string out = "             bank 0   4   8   12  16  20  24  28\n";
  // Where nothing conflicts a few lanes show how they lie.
  const std::size_t most = pileup.words > 1 ? rows.size() : std::min<std::size_t>(rows.size(), 8);
  for (std::size_t i = 0; i < most; ++i) {
    char label[40];
    std::snprintf(label, sizeof label, "%-17.17s ", describe_lanes(rows[i].first).c_str());
    out += label + rows[i].second + "\n";
  }
  if (most < rows.size())
    out += "and " + plural(rows.size() - most, "row") + " more, none of which shares a bank with another word\n";
  if (pileup.words > 1)
    out += "bank " + std::to_string(pileup.bank) + ": " + std::to_string(pileup.words) + " different words, of " +
           describe_lanes(pileup.lanes) + "\n";
  return out;
}

/// Which sectors of each line are touched.
std::string sector_picture(const Example &example, const Access &access, const Architecture &architecture) {
  struct Line {
    LaneMask lanes = 0;
    std::string sectors;
  };
  std::map<std::int64_t, Line> lines;
  const unsigned bytes = std::max(1u, access.width_bits / 8u),
                 per_line = architecture.line_bytes / architecture.sector_bytes;
  std::optional<std::uint64_t> first;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (example.request.active >> lane & 1)
      first = std::min(first.value_or(example.request.address[lane]), example.request.address[lane]);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(example.request.active >> lane & 1))
      continue;
    const std::uint64_t address = example.request.address[lane];
    for (std::uint64_t sector = address / architecture.sector_bytes;
         sector <= (address + bytes - 1) / architecture.sector_bytes; ++sector) {
      Line &line = lines[static_cast<std::int64_t>(sector / per_line)];
      line.sectors.resize(per_line, '.');
      line.sectors[sector % per_line] = '#';
      line.lanes |= LaneMask{1} << lane;
    }
  }
  constexpr std::size_t kMostLines = 16;
  std::string out = "line of " + std::to_string(architecture.line_bytes) + " bytes  sectors\n";
  std::size_t shown = 0;
  const auto begin = static_cast<std::int64_t>(first.value_or(0) / architecture.line_bytes);
  for (const auto &[number, line] : lines) {
    if (shown++ == kMostLines)
      break;
    char label[48];
    std::snprintf(label, sizeof label, "%+17lld  ", static_cast<long long>((number - begin) * architecture.line_bytes));
    out += label + line.sectors + "  " + describe_lanes(line.lanes) + "\n";
  }
  if (lines.size() > kMostLines)
    out += "and " + plural(lines.size() - kMostLines, "line") + " more\n";
  return out;
}

std::string code_block(const std::string &text) { return "```text\n" + text + "```\n"; }

std::string row_of(const PlacedRow &placed, bool shared) {
  const Figures figure = figures(placed.row);
  const Launch &launch = placed.launch->launch;
  const std::string verdict = comes_there(placed.row) ? std::string(to_string(placed.row.verdict)) : "not reached";
  return "| " +
         sinks::markdown_code(short_kernel(placed.file->programs[placed.launch->program].kernel, 40) +
                              " grid=" + short_dim(launch.grid) + " block=" + short_dim(launch.block)) +
         " | " + to_string(figure.requests) + " | " + to_string(shared ? figure.wavefronts : figure.sectors) + " | " +
         to_string(shared ? figure.ideal_wavefronts : figure.ideal_sectors) + " | " +
         ratio(shared ? figure.wavefronts : figure.sectors, shared ? figure.ideal_wavefronts : figure.ideal_sectors) +
         " | " + verdict + " |\n";
}

/// One table, with what else is known of these rows.
void add_part(std::string &page, const std::vector<const PlacedRow *> &rows, bool shared) {
  const PlacedRow *worst = nullptr;
  for (const PlacedRow *placed : rows) {
    const auto excess = [&](const PlacedRow &one) {
      return shared ? one.row.excess_wavefronts() : one.row.excess_sectors();
    };
    if (!worst || excess(*placed) > excess(*worst))
      worst = placed;
  }
  const SiteRow &row = worst->row;
  const std::string name = !row.site->expression.empty() ? row.site->expression : row.site->array;
  page += (page.empty() ? "" : "\n---\n\n") + std::string("**") + describe_operation(row.site->access) + "**" +
          (name.empty() ? "" : " of " + sinks::markdown_code(shorten(name, 80))) +
          (shared ? ", shared memory\n\n" : ", global memory\n\n");
  page += std::string("| launch | requests | ") + (shared ? "wavefronts" : "sectors") +
          " | ideal | ratio | verdict |\n|---|---:|---:|---:|---:|---|\n";
  std::size_t shown = 0;
  for (const PlacedRow *placed : rows)
    if (shown++ < kMostLaunches)
      page += row_of(*placed, shared);
  page += "\n";
  if (rows.size() > kMostLaunches)
    page += "and " + plural(rows.size() - kMostLaunches, "launch") + " more\n\n";
  if (!row.reason.empty())
    page += std::string(to_string(row.verdict)) + ": " + sinks::markdown(row.reason) + "\n\n";
  if (const std::string words = pattern_words(row, worst->launch->launch); !words.empty())
    page += "A request: " + sinks::markdown(words) + "\n\n";
  const Architecture &architecture = *worst->file->architecture;
  if (shared && row.shared_example && row.counts.serial_wavefronts == 0)
    page += code_block(bank_picture(*row.shared_example, row.site->access, architecture));
  if (!shared && row.global_example)
    page += code_block(sector_picture(*row.global_example, row.site->access, architecture));
}

} // namespace

std::string access_label(const std::vector<PlacedRow> &rows) {
  const std::string shared = label_in(rows, Unit::Wavefronts), global = label_in(rows, Unit::Sectors);
  return shared + (shared.empty() || global.empty() ? "" : ", ") + global;
}

bool is_costly(const std::vector<PlacedRow> &rows) {
  return std::ranges::any_of(rows, [](const PlacedRow &placed) {
    return placed.row.excess_wavefronts() > 0 || placed.row.excess_sectors() > 0;
  });
}

std::string access_page(const std::vector<PlacedRow> &rows) {
  // One part for what each statement does in each space: `x[i] += y` loads and stores.
  std::map<std::pair<bool, std::string>, std::vector<const PlacedRow *>> parts;
  for (const PlacedRow &placed : rows) {
    if (placed.row.moves_shared)
      parts[{false, describe_operation(placed.row.site->access)}].push_back(&placed);
    if (placed.row.moves_global)
      parts[{true, describe_operation(placed.row.site->access)}].push_back(&placed);
  }
  std::string page;
  for (const auto &[key, of_part] : parts)
    add_part(page, of_part, !key.first);
  return page;
}

std::string expectable(const std::vector<PlacedRow> &rows) {
  std::uint32_t degree = 0;
  double sectors = 0;
  for (const PlacedRow &placed : rows) {
    const SiteRow &row = placed.row;
    if (row.verdict != Verdict::Exact || !row.executed || rests_on_launch(row, *placed.launch))
      return {};
    const Metrics metrics = metrics_of(row.counts);
    if (row.moves_shared)
      degree = std::max(degree, metrics.degree);
    if (row.moves_global)
      sectors = std::max(sectors, metrics.sectors);
  }
  std::string text;
  if (degree > 0)
    text = "degree<=" + std::to_string(degree);
  if (sectors > 0)
    text += (text.empty() ? "" : ", ") + std::string("sectors/request<=") + number(std::ceil(sectors));
  return text;
}

} // namespace smem
