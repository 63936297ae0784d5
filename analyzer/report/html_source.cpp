#include "report/html_source.h"

#include "report/figures.h"
#include "sinks/escape.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace smem {
namespace {

constexpr unsigned kContext = 6; ///< lines shown around one with figures

std::string plain(SourceLines &sources, const std::string &file, unsigned number) {
  return "<tr><td class=\"n\">" + std::to_string(number) + "</td><td></td><td></td><td></td><td></td><td>" +
         sinks::markup(sources.line(file, number)) + "</td></tr>\n";
}

} // namespace

HtmlAnchors::HtmlAnchors(const std::vector<HtmlSite> &sites) {
  for (const HtmlSite &site : sites)
    if (site.location().known())
      files_.insert(site.location().file);
}

std::string HtmlAnchors::operator()(const SourceLocation &place) const {
  const auto file = files_.find(place.file);
  return place.known() && file != files_.end()
             ? "f" + std::to_string(std::distance(files_.begin(), file)) + "l" + std::to_string(place.line)
             : "";
}

std::string source_tables(const std::vector<HtmlSite> &sites, const HtmlAnchors &anchor, SourceLines &sources) {
  struct Line {
    std::vector<SiteRow> rows;
    std::size_t first = 0; ///< site: the worst
    bool hot = false;
  };
  std::map<std::string, std::map<unsigned, Line>> files;
  for (std::size_t i = sites.size(); i-- > 0;) {
    const SourceLocation place = sites[i].location();
    if (!place.known())
      continue;
    Line &line = files[place.file][place.line];
    if (sites[i].row)
      line.rows.push_back(*sites[i].row);
    line.first = i;
    line.hot |= !sites[i].findings.empty();
  }
  std::string out;
  for (const auto &[file, lines] : files) {
    out +=
        "<details open><summary>" + sinks::markup(file) +
        "</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"source\"><table class=\"source\"><thead><tr><th>line</th><th>wavefronts</th><th>ideal</th><th>sectors</th><th>ideal</th><th class=\"code\">source</th></tr></thead><tbody>\n";
    const std::string_view whole = sources.text(file);
    const auto count = static_cast<unsigned>(std::count(whole.begin(), whole.end(), '\n'));
    unsigned next = 1;
    for (auto at = lines.begin(); at != lines.end(); ++at) {
      const unsigned from = std::max(next, at->first > kContext ? at->first - kContext : 1u);
      if (from > next)
        out += "<tr class=\"gap\"><td></td><td></td><td></td><td></td><td></td><td>⋯</td></tr>\n";
      for (unsigned number = from; number < at->first; ++number)
        out += plain(sources, file, number);
      const Line &line = at->second;
      const auto any = [&](bool SiteRow::*moves) {
        return std::any_of(line.rows.begin(), line.rows.end(), [&](const SiteRow &row) { return row.*moves; });
      };
      const Figures shared = total_figures(line.rows, Space::Shared), global = total_figures(line.rows, Space::Global);
      const auto figure = [&](bool shown, const Figure &value) {
        return "<td class=\"n f\">" + (shown ? sinks::markup(to_string(value)) : std::string()) + "</td>";
      };
      const bool in_shared = any(&SiteRow::moves_shared), in_global = any(&SiteRow::moves_global);
      out += "<tr id=\"" + anchor({file, at->first, 0}) + "\" data-l=\"" + anchor({file, at->first, 0}) +
             "\" data-s=\"" + std::to_string(line.first) + "\"" + (line.hot ? " class=\"hot\"" : "") +
             "><td class=\"n\">" + std::to_string(at->first) + "</td>" + figure(in_shared, shared.wavefronts) +
             figure(in_shared, shared.ideal_wavefronts) + figure(in_global, global.sectors) +
             figure(in_global, global.ideal_sectors) + "<td>" + sinks::markup(sources.line(file, at->first)) +
             "</td></tr>\n";
      const auto following = std::next(at);
      const unsigned last = std::min(at->first + kContext, count),
                     end = following == lines.end() ? last : std::min(last, following->first - 1);
      for (next = at->first + 1; next <= end; ++next)
        out += plain(sources, file, next);
    }
    out += "</tbody></table></div></details>\n";
  }
  return out;
}

} // namespace smem
