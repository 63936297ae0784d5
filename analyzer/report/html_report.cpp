#include "report/claim.h"
#include "report/format.h"
#include "report/html_data.h"
#include "report/html_page.h"
#include "report/lanes.h"
#include "report/machine_text.h"
#include "report/report.h"
#include "sinks/escape.h"

#include <algorithm>
#include <map>
#include <set>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {
namespace {

using llvm::json::OStream;

constexpr unsigned kContext = 6; ///< lines shown around one with figures

std::string card(const std::string &value, const std::string &title) {
  return "<li><b>" + value + "</b>" + sinks::markup(title) + "</li>\n";
}

/// The page, one part after the other.
class Page {
public:
  Page(const Report &report, SourceLines &sources) : report(report), sources(sources), sites(html_sites(report)) {
    for (const HtmlSite &site : sites)
      if (site.location().known())
        shown_files.insert(site.location().file);
  }

  std::string print() {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n<title>smem-lint</title>\n<style>" +
           std::string(kHtmlStyle) + "</style>\n</head>\n<body>\n" + head() + body() +
           "<script id=\"data\" type=\"application/json\">" + data() + "</script>\n<script>" + kHtmlScript +
           "</script>\n</body>\n</html>\n";
  }

private:
  std::string head() {
    const Tally count = tally(report);
    std::string files;
    for (const FileAnalysis &file : report.files)
      files += (files.empty() ? "" : ", ") + file.file;
    std::string out = "<h1>Shared and global memory</h1>\n<p class=\"soft\">" + sinks::markup(shorten(files, 200));
    if (const std::string names = architectures_text(report.files); !names.empty())
      out += " on " + sinks::markup(names);
    out += " · smem-lint " + sinks::markup(report.tool_version) + "</p>\n<ul class=\"figures\">\n" +
           card(thousands(report.findings.size()), "findings") + card(thousands(count.kernels), "kernels") +
           card(thousands(count.launches), "launches") + card(thousands(count.exact), "exact rows") +
           card(thousands(count.assumed), "assumed") + card(thousands(count.unknown), "unknown") + "</ul>\n";
    for (const Diagnostic &missing : incomplete(report))
      out += "<p class=\"bad\">" +
             std::string(missing.severity == Diagnostic::Severity::Error ? "Not analysed: " : "Analysed in part: ") +
             sinks::markup((missing.location.file.empty() ? "" : place_of(missing.location) + ": ") + missing.message) +
             "</p>\n";
    return out;
  }

  std::string body() {
    if (sites.empty())
      return "<p>No memory instruction was found.</p>\n<ol id=\"list\" hidden></ol><div id=\"detail\" hidden></div>\n";
    std::string out =
        "<h2>Sites, the worst first</h2>\n<p class=\"soft\"><kbd>n</kbd> next worst · <kbd>p</kbd> previous · <kbd>[</kbd> <kbd>]</kbd> another request of the site</p>\n"
        "<div class=\"columns\"><ol id=\"list\">\n";
    for (const HtmlSite &site : sites) {
      const auto [label, bad] = label_of(site);
      out += "<li><button><b class=\"" + std::string(bad ? "bad" : "soft") + "\">" + label + "</b>" +
             sinks::markup(place_of(site.location())) + "<code>" + sinks::markup(shorten(expression_of(site), 60)) +
             "</code></button></li>\n";
    }
    return out + "</ol><div id=\"detail\" aria-live=\"polite\"></div></div>\n<h2>Source</h2>\n" + source();
  }

  /// What stands beside an entry of the list, and whether something is wrong with it.
  static std::pair<std::string, bool> label_of(const HtmlSite &site) {
    const Finding *finding = site.findings.empty() ? nullptr : site.findings.front();
    const bool error = finding && finding->severity == Diagnostic::Severity::Error;
    std::string excess;
    if (site.excess != 0)
      excess = (site.unknown() ? "≥ +" : "+") + thousands(site.excess) + " " + std::string(to_string(site.unit));
    if (error)
      return {"error" + (excess.empty() ? "" : ", " + excess), true};
    if (!excess.empty())
      return {excess, true};
    if (finding)
      return {std::string(to_string(finding->severity)), finding->severity != Diagnostic::Severity::Note};
    return {site.unknown() ? "unknown" : "–", false};
  }

  static std::string expression_of(const HtmlSite &site) {
    if (!site.row)
      return site.findings.front()->message;
    return site.row->site->expression.empty() ? describe_operation(site.row->site->access) : site.row->site->expression;
  }
  static std::string place_of(const SourceLocation &location) {
    return to_string(SourceLocation{location.file, location.line, 0});
  }

  /// An id for a line; short, as every site names one.
  std::string anchor(const SourceLocation &place) {
    const auto number = std::distance(shown_files.begin(), shown_files.find(place.file));
    return "f" + std::to_string(number) + "l" + std::to_string(place.line);
  }

  std::string source() {
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
          "</summary><div class=\"scroll\"><table class=\"source\"><thead><tr><th>line</th><th>wavefronts</th><th>ideal</th><th>sectors</th><th>ideal</th><th class=\"code\">source</th></tr></thead><tbody>\n";
      const std::string_view whole = sources.text(file);
      const auto count = static_cast<unsigned>(std::count(whole.begin(), whole.end(), '\n'));
      unsigned next = 1;
      for (auto at = lines.begin(); at != lines.end(); ++at) {
        const unsigned from = std::max(next, at->first > kContext ? at->first - kContext : 1u);
        if (from > next)
          out += "<tr class=\"gap\"><td></td><td></td><td></td><td></td><td></td><td>⋯</td></tr>\n";
        for (unsigned number = from; number < at->first; ++number)
          out += plain(file, number);
        const Line &line = at->second;
        const auto any = [&](bool SiteRow::*moves) {
          return std::any_of(line.rows.begin(), line.rows.end(), [&](const SiteRow &row) { return row.*moves; });
        };
        const Figures shared = total_figures(line.rows, Space::Shared),
                      global = total_figures(line.rows, Space::Global);
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
          out += plain(file, next);
      }
      out += "</tbody></table></div></details>\n";
    }
    return out;
  }

  std::string plain(const std::string &file, unsigned number) {
    return "<tr><td class=\"n\">" + std::to_string(number) + "</td><td></td><td></td><td></td><td></td><td>" +
           sinks::markup(sources.line(file, number)) + "</td></tr>\n";
  }

  std::string data() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    OStream json(stream);
    json.array([&] {
      for (const HtmlSite &site : sites)
        json.object([&] { write(json, site); });
    });
    // A text of the page must not end the element that it stands in.
    std::string safe;
    for (const char c : sinks::json(text))
      safe += c == '<' ? "\\u003c" : std::string(1, c);
    return safe;
  }

  static llvm::json::Value value_or_null(const std::optional<std::uint64_t> &value) {
    return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  }

  /// `wavefronts: 1,024, ideal: 32, 32-way, requests: 32`
  static std::string row_text(const Figures &all, Unit unit) {
    const bool shared = unit == Unit::Wavefronts;
    return std::string(to_string(unit)) + ": " + to_string(shared ? all.wavefronts : all.sectors) +
           ", ideal: " + to_string(shared ? all.ideal_wavefronts : all.ideal_sectors) +
           ", requests: " + to_string(all.requests);
  }

  static std::string data_text(const DataDependence &data, const Span &bounds, const std::optional<double> &mean,
                               Unit unit) {
    char average[40] = "not known";
    if (mean)
      std::snprintf(average, sizeof average, "%.2f", *mean);
    return "depends on data (index: " + (data.range.empty() ? "several ranges" : data.range) + "); " +
           std::string(to_string(unit)) + " a request: best " + std::to_string(bounds.least) + ", worst " +
           std::to_string(bounds.most) + ", mean of uniform data " + average;
  }

  void write(OStream &json, const HtmlSite &site) {
    const FileAnalysis *file = site.launch == Finding::kNoIndex ? nullptr : &report.files[site.file];
    const Finding *worst = site.findings.empty() ? nullptr : site.findings.front();
    json.attribute("p", utf8(place_of(site.location())));
    json.attribute("l", site.location().known() ? anchor(site.location()) : std::string());
    json.attribute("x", utf8(expression_of(site)));
    json.attribute("o", site.row ? describe_operation(site.row->site->access) : std::string(worst->rule->id));
    json.attribute("v", std::string(to_string(site.row ? site.row->verdict : worst->verdict)));
    if (file) {
      const LaunchAnalysis &launch = file->launches[site.launch];
      json.attribute("k", utf8(shorten(file->programs[launch.program].kernel, 120)) + " · grid " +
                              to_string(launch.launch.grid) + " · block " + to_string(launch.launch.block) + " · " +
                              std::string(file->architecture->name));
    } else {
      json.attribute("k", "");
    }
    json.attributeArray("t", [&] {
      for (const std::string &text : texts_of(site))
        json.value(utf8(text));
    });
    if (worst)
      json.attribute("m", utf8(headline(*worst)));
    if (site.row && site.row->counts.serial_wavefronts > 0)
      json.attribute("a", true);
    if (site.row)
      write_figures(json, *site.row);
    json.attributeArray("n", [&] {
      for (const Finding *finding : site.findings)
        json.value(static_cast<std::int64_t>(finding - report.findings.data()));
    });
    json.attributeArray("q", [&] {
      for (const auto &[label, request] : site.requests)
        write(json, label, request, site.row->site->access);
    });
    for (const Finding *finding : site.findings)
      if (!finding->fixes.empty() && site.row) {
        json.attributeObject("fix", [&] {
          write(json, finding->fixes.front(), site.row->site->access, finding->launch == site.launch);
        });
        break;
      }
  }

  /// "f": what is known, null else; "b": lower bounds where there are some; "d": best, worst and mean of what depends on data.
  void write_figures(OStream &json, const SiteRow &row) {
    const Figures all = figures(row);
    json.attributeArray("f", [&] {
      for (const auto &[name, member] : kFigures)
        json.value(value_or_null((all.*member).known()));
    });
    if (std::any_of(kFigures.begin(), kFigures.end(),
                    [&](const auto &each) { return (all.*each.second).at_least && (all.*each.second).value; }))
      json.attributeArray("b", [&] {
        for (const auto &[name, member] : kFigures)
          json.value(value_or_null((all.*member).value));
      });
    if (!row.data)
      return;
    const auto span = [&](bool wanted, const Span &bounds, const std::optional<double> &mean) {
      json.array([&] {
        json.value(wanted ? llvm::json::Value(bounds.least) : llvm::json::Value(nullptr));
        json.value(wanted ? llvm::json::Value(bounds.most) : llvm::json::Value(nullptr));
        json.value(wanted && mean ? llvm::json::Value(*mean) : llvm::json::Value(nullptr));
      });
    };
    json.attributeArray("d", [&] {
      span(row.moves_shared, row.data->wavefronts, row.data->expected_wavefronts);
      span(row.moves_global, row.data->sectors, row.data->expected_sectors);
    });
  }

  /// What is said of an entry, a paragraph each.
  std::vector<std::string> texts_of(const HtmlSite &site) {
    std::vector<std::string> texts;
    if (site.row) {
      const SiteRow &row = *site.row;
      const Figures all = figures(row);
      if (row.moves_shared)
        texts.push_back(row_text(all, Unit::Wavefronts));
      if (row.moves_global)
        texts.push_back(row_text(all, Unit::Sectors));
      if (row.data && row.moves_shared)
        texts.push_back(data_text(*row.data, row.data->wavefronts, row.data->expected_wavefronts, Unit::Wavefronts));
      if (row.data && row.moves_global)
        texts.push_back(data_text(*row.data, row.data->sectors, row.data->expected_sectors, Unit::Sectors));
      if (const std::string words = pattern_words(row, report.files[site.file].launches[site.launch].launch);
          !words.empty())
        texts.push_back("a request: " + words);
      if (row.verdict != Verdict::Exact && !row.reason.empty())
        texts.push_back((row.verdict == Verdict::Assumed ? "" : "counts ") + std::string(to_string(row.verdict)) +
                        ": " + row.reason);
    }
    for (const Finding *finding : site.findings) {
      if (finding != site.findings.front())
        texts.push_back(std::string(to_string(finding->severity)) + ": " + headline(*finding));
      const auto own =
          std::find_if(finding->instances.begin(), finding->instances.end(), [&](const Instance &instance) {
            return instance.file == site.file && instance.launch == site.launch;
          });
      const std::string &cost =
          finding->launch != site.launch && own != finding->instances.end() ? own->cost : finding->cost;
      if (!cost.empty())
        texts.push_back(cost);
      if (!finding->cause.empty() && finding->launch == site.launch)
        texts.push_back(finding->cause);
      if (finding->fixes.empty() && !finding->hint.empty())
        texts.push_back(finding->hint);
    }
    return texts;
  }

  static void write(OStream &json, const std::string &label, const Request &request, const Access &access) {
    LaneMask active = request.active;
    if (access.matrices != 0 && access.matrices < 4)
      active &= (1u << (8 * access.matrices)) - 1;
    json.array([&] {
      json.value(label);
      json.value(std::max(1, access.width_bits / 8));
      char mask[16];
      std::snprintf(mask, sizeof mask, "%x", active);
      json.value(mask);
      Request own = request;
      own.active = active;
      const auto stride = lane_stride(own);
      if (stride && (active & 1)) {
        json.value(static_cast<std::int64_t>(request.address[0]));
        json.value(*stride);
      } else {
        json.array([&] {
          for (unsigned lane = 0; lane < kWarpSize; ++lane)
            json.value(active >> lane & 1 ? static_cast<std::int64_t>(request.address[lane]) : 0);
        });
      }
    });
  }

  void write(OStream &json, const Fix &fix, const Access &access, bool own_launch) {
    json.attribute("t", utf8(fix_text(fix)));
    json.attributeArray("d", [&] {
      for (const auto &[sign, text] : changed_lines(fix))
        json.array([&] {
          json.value(std::string(1, sign));
          json.value(utf8(text));
        });
    });
    if (fix.example_after && own_launch)
      json.attributeBegin("q"), write(json, "with the fix", fix.example_after->request, access), json.attributeEnd();
  }

  /// The lines that the edits change, before and after.
  std::vector<std::pair<char, std::string>> changed_lines(const Fix &fix) {
    std::vector<std::pair<char, std::string>> out;
    for (std::size_t i = 0; i < fix.edits.size();) {
      const std::string &file = fix.edits[i].file;
      const std::string_view text = sources.text(file);
      if (fix.edits[i].offset + fix.edits[i].length > text.size())
        return {};
      const std::size_t begin = text.rfind('\n', fix.edits[i].offset == 0 ? 0 : fix.edits[i].offset - 1);
      const std::size_t from = fix.edits[i].offset == 0 || begin == std::string_view::npos ? 0 : begin + 1;
      std::size_t to = std::min(text.find('\n', fix.edits[i].offset + fix.edits[i].length), text.size());
      std::string after;
      std::size_t at = from;
      for (; i < fix.edits.size() && fix.edits[i].file == file && fix.edits[i].offset <= to; ++i) {
        const Edit &edit = fix.edits[i];
        after += text.substr(at, edit.offset - at);
        after += edit.replacement;
        at = edit.offset + edit.length;
        to = std::min(text.find('\n', at), text.size());
      }
      after += text.substr(at, to - at);
      add_lines(out, '-', text.substr(from, to - from));
      add_lines(out, '+', after);
    }
    return out;
  }

  static void add_lines(std::vector<std::pair<char, std::string>> &out, char sign, std::string_view text) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string line(text.substr(at, end - at));
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      out.emplace_back(sign, std::move(line));
      at = end + 1;
    }
  }

  const Report &report;
  SourceLines &sources;
  std::vector<HtmlSite> sites;
  std::set<std::string> shown_files;
};

} // namespace

std::string html_report(const Report &report, SourceLines &sources) { return Page(report, sources).print(); }

} // namespace smem
