#include "report/format.h"
#include "report/html_data.h"
#include "report/html_page.h"
#include "report/lanes.h"
#include "report/machine_text.h"
#include "report/report.h"

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

std::string escaped(std::string_view text) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  llvm::printHTMLEscaped(utf8(text), stream);
  return out;
}

std::string card(const std::string &value, const std::string &title) { return "<li><b>" + value + "</b>" + escaped(title) + "</li>\n"; }

/// The page, one part after the other.
class Page {
public:
  Page(const Report &report, SourceLines &sources) : report(report), sources(sources), sites(html_sites(report)) {
    for (const FileAnalysis &file : report.files)
      for (const LaunchAnalysis &launch : file.launches)
        for (const SiteRow &row : site_rows(file.programs[launch.program], launch.result))
          shown_files.insert(row.site->location.file);
  }

  std::string print() {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n<title>smem-lint</title>\n<style>" +
           std::string(kHtmlStyle) + "</style>\n</head>\n<body>\n" + head() + body() + "<script id=\"data\" type=\"application/json\">" + data() + "</script>\n<script>" + kHtmlScript +
           "</script>\n</body>\n</html>\n";
  }

private:
  std::string head() {
    const Tally count = tally(report);
    std::string files;
    for (const FileAnalysis &file : report.files)
      files += (files.empty() ? "" : ", ") + file.file;
    std::string out = "<h1>Shared and global memory</h1>\n<p class=\"soft\">" + escaped(shorten(files, 200));
    if (!report.files.empty() && report.files.front().architecture)
      out += " on " + escaped(report.files.front().architecture->name);
    out += " · smem-lint " + escaped(report.tool_version) + "</p>\n<ul class=\"figures\">\n" + card(thousands(report.findings.size()), "findings") + card(thousands(count.kernels), "kernels") +
           card(thousands(count.launches), "launches") + card(thousands(count.exact), "exact rows") + card(thousands(count.assumed), "assumed") + card(thousands(count.unknown), "unknown") + "</ul>\n";
    for (const FileAnalysis &file : report.files)
      if (!file.parsed)
        out += "<p class=\"bad\">" + escaped(file.file) + " could not be analysed.</p>\n";
    return out;
  }

  std::string body() {
    if (sites.empty())
      return "<p>No memory instruction was found.</p>\n<ol id=\"list\" hidden></ol><div id=\"detail\" hidden></div>\n";
    std::string out = "<h2>Sites, the worst first</h2>\n<p class=\"soft\"><kbd>n</kbd> next worst · <kbd>p</kbd> previous · <kbd>[</kbd> <kbd>]</kbd> another request of the site</p>\n"
                      "<div class=\"columns\"><ol id=\"list\">\n";
    for (const HtmlSite &site : sites) {
      const std::string excess = site.excess == 0 ? "–" : "+" + thousands(site.excess) + (site.row.moves_shared ? " wavefronts" : " sectors");
      out += "<li><button><b class=\"" + std::string(site.excess ? "bad" : "soft") + "\">" + excess + "</b>" + escaped(place_of(site)) + "<code>" + escaped(shorten(expression_of(site), 60)) + "</code></button></li>\n";
    }
    return out + "</ol><div id=\"detail\" aria-live=\"polite\"></div></div>\n<h2>Source</h2>\n" + source();
  }

  static std::string expression_of(const HtmlSite &site) { return site.row.site->expression.empty() ? describe_operation(site.row.site->access) : site.row.site->expression; }
  static std::string place_of(const HtmlSite &site) { return to_string(SourceLocation{site.row.site->location.file, site.row.site->location.line, 0}); }

  /// An id for a line; short, as every site names one.
  std::string anchor(const SourceLocation &place) {
    const auto number = std::distance(shown_files.begin(), shown_files.find(place.file));
    return "f" + std::to_string(number) + "l" + std::to_string(place.line);
  }

  std::string source() {
    struct Line {
      Counts counts;
      std::size_t first = 0; ///< site: the worst
      bool unknown = false, hot = false;
    };
    std::map<std::string, std::map<unsigned, Line>> files;
    for (std::size_t i = sites.size(); i-- > 0;) {
      const SiteRow &row = sites[i].row;
      if (!row.site->location.known())
        continue;
      Line &line = files[row.site->location.file][row.site->location.line];
      line.counts += row.counts;
      line.first = i;
      line.unknown |= row.verdict == Verdict::Unknown;
      line.hot |= sites[i].finding != nullptr;
    }
    std::string out;
    for (const auto &[file, lines] : files) {
      out += "<details open><summary>" + escaped(file) +
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
        const auto figure = [&](std::uint64_t value) { return "<td class=\"n f\">" + (value == 0 ? std::string() : (line.unknown ? "≥" : "") + thousands(value)) + "</td>"; };
        out += "<tr id=\"" + anchor({file, at->first, 0}) + "\" data-l=\"" + anchor({file, at->first, 0}) + "\" data-s=\"" + std::to_string(line.first) + "\"" + (line.hot ? " class=\"hot\"" : "") + "><td class=\"n\">" +
               std::to_string(at->first) + "</td>" + figure(line.counts.wavefronts) + figure(line.counts.ideal_wavefronts) + figure(line.counts.sectors) + figure(line.counts.ideal_sectors) + "<td>" +
               escaped(sources.line(file, at->first)) + "</td></tr>\n";
        const auto following = std::next(at);
        const unsigned last = std::min(at->first + kContext, count), end = following == lines.end() ? last : std::min(last, following->first - 1);
        for (next = at->first + 1; next <= end; ++next)
          out += plain(file, next);
      }
      out += "</tbody></table></div></details>\n";
    }
    return out;
  }

  std::string plain(const std::string &file, unsigned number) {
    return "<tr><td class=\"n\">" + std::to_string(number) + "</td><td></td><td></td><td></td><td></td><td>" + escaped(sources.line(file, number)) + "</td></tr>\n";
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
    for (const char c : text)
      safe += c == '<' ? "\\u003c" : std::string(1, c);
    return safe;
  }

  void write(OStream &json, const HtmlSite &site) {
    const FileAnalysis &file = report.files[site.file];
    const LaunchAnalysis &launch = file.launches[site.launch];
    const SiteRow &row = site.row;
    const Access &access = row.site->access;
    json.attribute("p", utf8(place_of(site)));
    json.attribute("l", anchor(row.site->location));
    json.attribute("x", utf8(expression_of(site)));
    json.attribute("o", describe_operation(access));
    json.attribute("v", std::string(to_string(row.verdict)));
    json.attribute("k", utf8(shorten(file.programs[launch.program].kernel, 120)) + " · grid " + to_string(launch.launch.grid) + " · block " + to_string(launch.launch.block));
    json.attributeArray("t", [&] {
      std::vector<std::string> texts;
      if (row.moves_shared)
        texts.push_back(thousands(row.counts.wavefronts) + " wavefronts where " + thousands(row.counts.ideal_wavefronts) + " would do, in " + plural(row.counts.requests, "request"));
      if (row.moves_global)
        texts.push_back(thousands(row.counts.sectors) + " sectors where " + thousands(row.counts.ideal_sectors) + " would do, in " + plural(row.counts.requests, "request"));
      if (row.verdict != Verdict::Exact && !row.reason.empty())
        texts.push_back(std::string(to_string(row.verdict)) + ": " + row.reason);
      if (site.finding && !site.finding->cause.empty() && site.finding->launch == site.launch)
        texts.push_back(site.finding->cause);
      if (site.finding && site.finding->fixes.empty() && !site.finding->hint.empty())
        texts.push_back(site.finding->hint);
      for (const std::string &text : texts)
        json.value(utf8(text));
    });
    if (site.finding)
      json.attribute("m", utf8(site.finding->message));
    json.attributeArray("q", [&] {
      for (const auto &[label, request] : site.requests)
        write(json, label, request, access);
    });
    if (site.finding && !site.finding->fixes.empty())
      json.attributeObject("fix", [&] { write(json, site.finding->fixes.front(), access, site.finding->launch == site.launch); });
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
