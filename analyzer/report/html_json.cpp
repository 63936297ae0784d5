#include "report/html_json.h"

#include "report/claim.h"
#include "report/format.h"
#include "report/html_text.h"
#include "report/lanes.h"
#include "report/machine_text.h"
#include "sinks/escape.h"

#include <algorithm>
#include <cstdio>

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {
namespace {

using llvm::json::OStream;

class Writer {
public:
  Writer(const Report &report, SourceLines &sources, const std::vector<HtmlSite> &sites, const HtmlAnchors &anchor,
         const std::map<std::pair<std::size_t, std::size_t>, std::size_t> &launches)
      : report(report), sources(sources), sites(sites), anchor(anchor), launches(launches) {}

  std::string data() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    OStream json(stream);
    json.array([&] {
      for (const HtmlSite &site : sites)
        json.object([&] { write(json, site); });
    });
    return html_data_text(text);
  }

  /// What the sites written so far have, in the order of their numbers.
  std::string patterns() const {
    std::string text = "[";
    for (const std::string *one : pattern_texts)
      text += (text.size() == 1 ? "" : ",") + *one;
    return html_data_text(text + "]");
  }

private:
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
    const Finding *worst = site.findings.empty() ? nullptr : site.findings.front();
    json.attribute("p", utf8(place_of(site.location())));
    json.attribute("l", anchor(site.location()));
    json.attribute("x", utf8(expression_of(site)));
    json.attribute("o", site.row ? describe_operation(site.row->site->access) : std::string(worst->rule->id));
    json.attribute("v", std::string(to_string(site.row ? site.row->verdict : worst->verdict)));
    const auto launch = launches.find({site.file, site.launch});
    json.attribute("h", launch == launches.end() ? std::int64_t{-1} : static_cast<std::int64_t>(launch->second));
    json.attribute("s", static_cast<std::int64_t>(site.kind()));
    json.attribute("e", label_of(site).first);
    if (site.row && site.row->pattern && site.row->pattern->reached)
      json.attribute("y", std::string(to_string(site.row->pattern->verdict)));
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
    if (!site.global_requests.empty()) {
      json.attributeArray("g", [&] {
        for (const auto &[label, example] : site.global_requests)
          write(json, label, example.request, site.row->site->access);
      });
      json.attributeArray("r", [&] {
        for (const auto &[label, example] : site.global_requests)
          json.array([&] {
            json.value(example.cost.sectors);
            json.value(example.cost.ideal_sectors);
          });
      });
    }
    if (const RaceWitness *witness = witness_of(site))
      json.attributeObject("z", [&] { write(json, *witness); });
    if (site.cases.size() > 1 || (site.cases.size() == 1 && site.row->pattern->verdict == PatternVerdict::Cases))
      json.attributeArray("c", [&] { write_cases(json, site); });
    if (!report.fixes_looked_for && site.row &&
        std::any_of(site.findings.begin(), site.findings.end(),
                    [](const Finding *finding) { return finding->rule->id == rule::bank_conflict; }))
      json.attribute("w", true);
    for (const Finding *finding : site.findings)
      if (!finding->fixes.empty() && site.row) {
        json.attributeObject("fix", [&] {
          write(json, finding->fixes.front(), site.row->site->access, finding->launch == site.launch);
        });
        break;
      }
  }

  const RaceWitness *witness_of(const HtmlSite &site) const {
    for (const Finding *finding : site.findings)
      if (finding->witness && finding->launch == site.launch)
        return &report.files[site.file].launches[site.launch].races->witnesses[*finding->witness];
    return nullptr;
  }

  /// A race: the requests of the two threads, in bytes of their array where it is known, which lanes they are, what they do and on which lines;
  /// the byte, the array, and the lines of the barriers around (0: the kernel's begin or end, or not known).
  void write(OStream &json, const RaceWitness &witness) {
    const std::uint64_t begin = witness.array.empty() ? 0 : witness.byte - witness.array_byte;
    json.attributeArray("q", [&] {
      for (const RacingAccess *racing : {&witness.first, &witness.second}) {
        Request request = racing->request;
        for (std::uint64_t &address : request.address)
          address -= begin;
        write(json, "thread " + to_string(racing->thread), request, std::uint64_t{racing->request_bytes});
      }
    });
    json.attributeArray("w", [&] {
      for (const RacingAccess *racing : {&witness.first, &witness.second})
        json.array([&] {
          json.value(racing->lane);
          json.value(racing->asynchronous ? "copies"
                     : racing->atomic     ? "updates"
                     : racing->writes     ? "writes"
                                          : "reads");
          json.value(racing->location.line);
        });
    });
    json.attribute("b", witness.byte - begin);
    json.attribute("n", utf8(witness.array.empty() ? "shared memory" : witness.array));
    json.attribute("o", witness.within_warp);
    json.attributeArray("i", [&] {
      json.value(witness.interval);
      json.value(witness.interval_begin.line);
      json.value(witness.interval_end.line);
    });
  }

  /// The number of the pattern, which many sites share, and of the cases that the launch may have their numbers and requests.
  void write_cases(OStream &json, const HtmlSite &site) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    OStream cases(stream);
    cases.array([&] {
      for (const HtmlCase &one : site.cases)
        cases.array([&] {
          cases.value(utf8(to_string(one.figures.when)));
          cases.value(case_words(one.figures, *site.row));
          for (const std::uint32_t figure :
               {one.figures.wavefronts, one.figures.ideal_wavefronts, one.figures.sectors, one.figures.ideal_sectors})
            cases.value(figure);
        });
    });
    const auto [known, fresh] = pattern_numbers.try_emplace(std::move(text), pattern_numbers.size());
    if (fresh)
      pattern_texts.push_back(&known->first);
    json.value(static_cast<std::int64_t>(known->second));
    const auto index = [](const std::optional<std::size_t> &at) { return at ? static_cast<std::int64_t>(*at) : -1; };
    for (std::size_t i = 0; i < site.cases.size(); ++i)
      if (site.cases[i].own)
        json.array([&] {
          json.value(static_cast<std::int64_t>(i));
          json.value(index(site.cases[i].shared));
          json.value(index(site.cases[i].global));
        });
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

  static void write(OStream &json, const std::string &label, Request request, const Access &access) {
    if (access.matrices != 0 && access.matrices < 4)
      request.active &= (1u << (8 * access.matrices)) - 1;
    write(json, label, request, std::max<std::uint64_t>(1, access.width_bits / 8));
  }
  /// `bytes`: of each lane.
  static void write(OStream &json, const std::string &label, const Request &request, std::uint64_t bytes) {
    const LaneMask active = request.active;
    json.array([&] {
      json.value(label);
      json.value(bytes);
      char mask[16];
      std::snprintf(mask, sizeof mask, "%x", active);
      json.value(mask);
      const auto stride = lane_stride(request);
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
  const std::vector<HtmlSite> &sites;
  const HtmlAnchors &anchor;
  const std::map<std::pair<std::size_t, std::size_t>, std::size_t> &launches;
  std::map<std::string, std::size_t> pattern_numbers; ///< by their text
  std::vector<const std::string *> pattern_texts;
};

} // namespace

std::string html_data_text(const std::string &json) {
  std::string safe;
  for (const char c : sinks::json(json))
    safe += c == '<' ? "\\u003c" : std::string(1, c);
  return safe;
}

HtmlData html_json(const Report &report, SourceLines &sources, const std::vector<HtmlSite> &sites,
                   const HtmlAnchors &anchor,
                   const std::map<std::pair<std::size_t, std::size_t>, std::size_t> &launches) {
  Writer writer(report, sources, sites, anchor, launches);
  HtmlData out;
  out.sites = writer.data();
  out.patterns = writer.patterns();
  return out;
}

} // namespace smem
