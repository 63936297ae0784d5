#include "report/format.h"
#include "report/html_contents.h"
#include "report/html_json.h"
#include "report/html_page.h"
#include "report/html_source.h"
#include "report/html_text.h"
#include "report/report.h"
#include "sinks/escape.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {
namespace {

std::string card(const std::string &value, const std::string &title) {
  return "<li><b>" + value + "</b>" + sinks::markup(title) + "</li>\n";
}

std::string head(const Report &report) {
  const Tally count = tally(report);
  std::string files;
  for (const FileAnalysis &file : report.files)
    files += (files.empty() ? "" : ", ") + file.file;
  std::string out =
      "<header>\n<h1>Shared and global memory</h1>\n<p class=\"soft\">" + sinks::markup(shorten(files, 200));
  if (const std::string names = architectures_text(report.files); !names.empty())
    out += " on " + sinks::markup(names);
  out += " · smem-lint " + sinks::markup(report.tool_version) + "</p>\n<ul class=\"figures\">\n" +
         card(thousands(report.findings.size()), "findings") + card(thousands(count.kernels), "kernels") +
         card(thousands(count.launches), "launches") + card(thousands(count.exact), "exact rows") +
         card(thousands(count.assumed), "assumed") + card(thousands(count.unknown), "unknown") + "</ul>\n";
  const std::vector<Diagnostic> missing = incomplete(report);
  constexpr std::size_t kFew = 5;
  if (missing.size() > kFew)
    out += "<details><summary class=\"bad\">Not analysed, or in part: " + plural(missing.size(), "message") +
           "</summary>\n";
  for (const Diagnostic &each : missing)
    out += "<p class=\"bad\">" +
           std::string(each.severity == Diagnostic::Severity::Error ? "Not analysed: " : "Analysed in part: ") +
           sinks::markup((each.location.file.empty() ? "" : place_of(each.location) + ": ") + each.message) + "</p>\n";
  return out + (missing.size() > kFew ? "</details>\n" : "") + "</header>\n";
}

std::string choice(const char *value, const char *text) {
  return std::string("<option value=\"") + value + "\">" + text + "</option>";
}

std::string filters() {
  return "<form id=\"filter\" role=\"search\">\n"
         "<label>Search <input type=\"search\" id=\"text\" placeholder=\"expression, kernel, file, message\"></label>\n"
         "<label>Memory <select id=\"kind\">" +
         choice("", "all") + choice("0", "shared") + choice("1", "global") + choice("2", "neither") +
         "</select></label>\n<label>Verdict <select id=\"verdict\">" + choice("", "all") +
         "<optgroup label=\"counts\">" + choice("v:exact", "exact") + choice("v:assumed", "assumed") +
         choice("v:unknown", "unknown") + "</optgroup><optgroup label=\"a request, in all launches\">" +
         choice("y:always", "one cost") + choice("y:cases", "cases") + choice("y:data", "depends on data") +
         choice("y:unknown", "not known") +
         "</optgroup></select></label>\n<label class=\"check\"><input type=\"checkbox\" id=\"found\"> only findings</label>\n"
         "<button type=\"reset\">clear</button>\n<p class=\"soft\"><output id=\"matches\"></output></p>\n</form>\n";
}

std::string list_of(const std::vector<HtmlSite> &sites, const std::vector<HtmlEntry> &entries, HtmlKind kind,
                    const char *id, const char *title) {
  std::string items;
  std::size_t count = 0;
  for (const HtmlEntry &entry : entries) {
    if (entry.kind != kind)
      continue;
    ++count;
    const HtmlSite &worst = sites[entry.sites.front()];
    const auto [label, bad] = label_of(worst);
    std::string numbers;
    for (const std::size_t i : entry.sites)
      numbers += (numbers.empty() ? "" : " ") + std::to_string(i);
    items += "<li><button data-s=\"" + numbers + "\"><b class=\"" + (bad ? "bad" : "soft") + "\">" + label + "</b>" +
             sinks::markup(place_of(worst.location())) + "<code>" + sinks::markup(shorten(expression_of(worst), 60)) +
             "</code></button></li>\n";
  }
  if (count == 0)
    return {};
  const std::string heading = std::string(id) + "-title";
  return "<section class=\"ranking\"><h3 id=\"" + heading + "\">" + title + " <span class=\"soft\">" +
         thousands(count) + "</span></h3><ol id=\"" + id + "\" aria-labelledby=\"" + heading + "\">\n" + items +
         "</ol></section>\n";
}

/// The texts of launches, by their numbers.
std::string launch_texts(const std::vector<HtmlKernel> &kernels) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.array([&] {
    for (const HtmlKernel &kernel : kernels)
      for (const HtmlLaunch &launch : kernel.launches)
        json.value(launch.text);
  });
  return html_data_text(text);
}

std::string body(const std::vector<HtmlSite> &sites, const std::vector<HtmlKernel> &kernels, const HtmlAnchors &anchor,
                 SourceLines &sources) {
  if (sites.empty())
    return "<p>No memory instruction was found.</p>\n";
  const std::vector<HtmlEntry> entries = html_entries(sites);
  return filters() + "<h2>Kernels, the worst first</h2>\n" + contents_table(kernels) +
         "<h2 id=\"accesses\">Accesses, the worst first</h2>\n<p class=\"soft keys\"><kbd>n</kbd> next worst · <kbd>p</kbd> previous · "
         "<kbd>[</kbd> <kbd>]</kbd> another request · <kbd>/</kbd> search</p>\n<div class=\"columns\"><div id=\"lists\">\n" +
         list_of(sites, entries, HtmlKind::Shared, "shared", "Shared memory") +
         list_of(sites, entries, HtmlKind::Global, "global", "Global memory") +
         list_of(sites, entries, HtmlKind::Other, "other", "Neither") +
         "</div><div id=\"detail\" tabindex=\"-1\"></div></div>\n<p id=\"said\" class=\"unseen\" aria-live=\"polite\"></p>\n"
         "<h2>Source</h2>\n" +
         source_tables(sites, anchor, sources);
}

} // namespace

std::string html_report(const Report &report, SourceLines &sources) {
  const std::vector<HtmlSite> sites = html_sites(report);
  const std::vector<HtmlKernel> kernels = html_kernels(report, sites);
  const HtmlAnchors anchor(sites);
  const HtmlData data = html_json(report, sources, sites, anchor, launch_numbers(kernels));
  const auto element = [](const char *id, const std::string &text) {
    return "<script id=\"" + std::string(id) + "\" type=\"application/json\">" + text + "</script>\n";
  };
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title>smem-lint</title>\n<style>" +
         std::string(kHtmlStyle) + "</style>\n</head>\n<body>\n" + head(report) + "<main>\n" +
         body(sites, kernels, anchor, sources) + "</main>\n" + element("data", data.sites) +
         element("patterns", data.patterns) + element("launches", launch_texts(kernels)) + "<script>" + kHtmlPictures +
         kHtmlScript + "</script>\n</body>\n</html>\n";
}

} // namespace smem
