// SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
#include "report/diff_report.h"
#include "report/machine_text.h"
#include "report/report.h"
#include "sinks/escape.h"
#include "support/words.h"

#include <algorithm>

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {
namespace {

using llvm::json::OStream;

constexpr const char *kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

constexpr const char *kSourceRoot = "%SRCROOT%";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
/// How many bytes of `text` are `expression`, which may be spaced otherwise; all but blanks at the end where it goes on in the next line; 0: they differ.
std::size_t length_of_expression(std::string_view text, std::string_view expression) {
  std::size_t at = 0, length = 0;
  for (const char c : expression) {
    if (is_blank(c) || c == '\n')
      continue;
    while (at < text.size() && is_blank(text[at]))
      ++at;
    if (at == text.size())
      return length;
    if (text[at] != c)
      return 0;
    length = ++at;
  }
  return length;
}

/// How many bytes at the start of `text` are what a finding points at: the expression, else a word, else one character.
std::size_t extent_at(std::string_view text, std::string_view expression) {
  if (text.empty())
    return 0;
  if (const std::size_t length = length_of_expression(text, expression); length != 0)
    return length;
  std::size_t length = 0;
  while (length < text.size() && is_word(text[length]))
    ++length;
  if (length == 0)
    for (++length; length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80;)
      ++length; // of one character in UTF-8
  return length;
}

class Writer {
public:
  Writer(OStream &json, const Report &report, SourceLines &sources) : json(json), report(report), sources(sources) {}

  void write() {
    json.object([&] {
      json.attribute("$schema", kSchema);
      json.attribute("version", "2.1.0");
      json.attributeArray("runs", [&] { json.object([&] { run(); }); });
    });
  }

private:
  void run() {
    json.attributeObject("tool", [&] {
      json.attributeObject("driver", [&] {
        json.attribute("name", "smem-lint");
        json.attribute("version", report.tool_version);
        if (!report.homepage.empty())
          json.attribute("informationUri", report.homepage);
        json.attributeArray("rules", [&] {
          for (const Rule &rule : rules())
            write_rule(rule);
        });
      });
    });
    const bool successful =
        std::all_of(report.files.begin(), report.files.end(),
                    [](const FileAnalysis &file) { return file.parsed && !overlooked(file); }) &&
        std::none_of(report.diagnostics.begin(), report.diagnostics.end(),
                     [](const Diagnostic &diagnostic) { return diagnostic.severity == Diagnostic::Severity::Error; });
    json.attributeArray("invocations", [&] {
      json.object([&] {
        json.attribute("executionSuccessful", successful);
        json.attributeArray("toolExecutionNotifications", [&] {
          for (const FileAnalysis &file : report.files)
            for (const Diagnostic &diagnostic : file.diagnostics)
              notification(diagnostic);
          for (const Diagnostic &diagnostic : report.diagnostics)
            notification(diagnostic);
          for (const Finding &finding : report.findings)
            if (is_about_the_analysis(finding))
              notification(finding);
        });
      });
    });
    json.attributeObject("originalUriBaseIds", [&] {
      json.attributeObject(kSourceRoot, [&] {
        if (!report.source_root.empty())
          json.attribute("uri", uri_of(report.source_root));
        json.attributeObject("description", [&] { json.attribute("text", "The root of the repository."); });
      });
    });
    if (report.diff)
      json.attributeObject("properties", [&] {
        json.attribute("revision", utf8(report.diff->revision));
        json.attribute("regression", report.diff->regressed());
        json.attribute("better", static_cast<std::uint64_t>(report.diff->count(Change::Better)));
        json.attribute("gone", static_cast<std::uint64_t>(report.diff->count(Change::Gone)));
        json.attribute("notKnownAnyMore", static_cast<std::uint64_t>(report.diff->count(Change::Unknown)));
      });
    json.attribute("columnKind", "utf16CodeUnits");
    json.attributeArray("results", [&] {
      for (const std::span<const Finding> findings : {report.findings, report.known, report.suppressed})
        for (const Finding &finding : findings)
          if (!is_about_the_analysis(finding)) // a result becomes an alert
            json.object([&] { result(finding); });
    });
  }

  void notification(const Diagnostic &diagnostic) {
    json.object([&] {
      if (diagnostic.incomplete)
        json.attributeObject("properties", [&] { json.attribute("incomplete", true); });
      json.attribute("level", std::string(to_string(diagnostic.severity)));
      message(diagnostic.message);
      if (!diagnostic.location.file.empty())
        json.attributeArray("locations", [&] { json.object([&] { physical_location(diagnostic.location); }); });
    });
  }

  void notification(const Finding &finding) {
    json.object([&] {
      json.attributeObject("associatedRule", [&] { rule_reference("id", "index", *finding.rule); });
      json.attribute("level", std::string(to_string(finding.severity)));
      message(paragraphs(finding));
      if (!finding.location.file.empty())
        json.attributeArray("locations", [&] { json.object([&] { physical_location(finding.location); }); });
    });
  }

  void rule_reference(const char *id, const char *index, const Rule &rule) {
    json.attribute(id, std::string(rule.id));
    json.attribute(index, static_cast<std::int64_t>(&rule - rules().data()));
  }

  void message(std::string_view text) {
    // `[text](target)` in a message is a link.
    std::string unlinked = utf8(text);
    for (std::size_t at = 0; (at = unlinked.find("](", at)) != std::string::npos; at += 3)
      unlinked.insert(at + 1, " ");
    json.attributeObject("message", [&] { json.attribute("text", unlinked); });
  }

  void write_rule(const Rule &rule) {
    json.object([&] {
      json.attribute("id", std::string(rule.id));
      json.attributeObject("shortDescription", [&] { json.attribute("text", utf8(rule.title)); });
      json.attributeObject("fullDescription", [&] { json.attribute("text", utf8(rule.cause)); });
      json.attributeObject("help", [&] {
        json.attribute("text", utf8(explain_text(rule)));
        json.attribute("markdown", utf8(explain_markdown(rule)));
      });
      json.attributeObject("defaultConfiguration",
                           [&] { json.attribute("level", std::string(to_string(rule.severity))); });
      if (!report.homepage.empty())
        json.attribute("helpUri", report.homepage + "/blob/main/docs/rules.md#" + std::string(rule.id));
      json.attributeObject("properties", [&] {
        json.attributeArray("tags", [&] {
          for (const std::string_view tag : tags_of(rule))
            json.value(std::string(tag));
        });
      });
    });
  }

  void artifact(const std::string &file) {
    const std::string path = report.repository_path(file);
    json.attributeObject("artifactLocation", [&] {
      json.attribute("uri", uri_of(path));
      if (!path.starts_with('/'))
        json.attribute("uriBaseId", kSourceRoot);
    });
  }

  /// The column of a byte of a line, in UTF-16 code units from 1.
  std::size_t utf16_column(const std::string &file, unsigned line, unsigned column) {
    const std::string_view text = sources.line(file, line);
    return 1 + (column - 1 <= text.size() ? utf16_units(text.substr(0, column - 1)) : column - 1);
  }

  /// `expression`: what stands there, where that is known.
  void physical_location(const SourceLocation &location, std::string_view expression = {}) {
    json.attributeObject("physicalLocation", [&] {
      artifact(location.file);
      if (location.line != 0)
        json.attributeObject("region", [&] {
          json.attribute("startLine", location.line);
          if (location.column == 0)
            return;
          const auto column = [&](std::size_t byte) {
            return static_cast<std::uint64_t>(utf16_column(location.file, location.line, static_cast<unsigned>(byte)));
          };
          json.attribute("startColumn", column(location.column));
          const std::string_view line = sources.line(location.file, location.line);
          if (location.column <= line.size())
            json.attribute("endColumn",
                           column(location.column + extent_at(line.substr(location.column - 1), expression)));
        });
    });
  }

  void result(const Finding &finding) {
    rule_reference("ruleId", "ruleIndex", *finding.rule);
    json.attribute("level", std::string(to_string(finding.severity)));
    message(paragraphs(finding));
    const bool in_kernel = finding.program != Finding::kNoIndex;
    json.attributeArray("locations", [&] {
      if (!finding.location.file.empty())
        json.object([&] {
          physical_location(finding.location, expression_of(finding));
          if (in_kernel)
            json.attributeArray("logicalLocations", [&] {
              json.object([&] {
                json.attribute("fullyQualifiedName", utf8(report.files[finding.file].programs[finding.program].kernel));
                json.attribute("kind", "function");
              });
            });
        });
    });
    related_locations(finding);
    code_flows(finding);
    if (!finding.fingerprints.empty())
      json.attributeObject("partialFingerprints", [&] { json.attribute("smemLint/v1", finding.fingerprints.front()); });
    if (finding.baseline != BaselineState::None)
      json.attribute("baselineState", finding.baseline == BaselineState::New         ? "new"
                                      : finding.baseline == BaselineState::Unchanged ? "unchanged"
                                                                                     : "updated");
    if (finding.suppression)
      json.attributeArray("suppressions", [&] {
        json.object([&] {
          json.attribute("kind", "inSource");
          if (!finding.suppression->reason.empty())
            json.attribute("justification", utf8(finding.suppression->reason));
          json.attributeObject("location", [&] { physical_location(finding.suppression->location); });
        });
      });
    const bool writable =
        std::any_of(finding.fixes.begin(), finding.fixes.end(), [](const Fix &fix) { return !fix.edits.empty(); });
    if (writable)
      json.attributeArray("fixes", [&] {
        for (const Fix &fix : finding.fixes)
          if (!fix.edits.empty())
            write_fix(fix);
      });
    json.attributeObject("properties", [&] {
      json.attribute("verdict", std::string(to_string(finding.verdict)));
      if (!finding.uncertainties.empty())
        json.attributeArray("uncertainties", [&] {
          for (const std::string &id : finding.uncertainties)
            json.value(id);
        });
      if (in_kernel)
        json.attribute("arch", std::string(report.files[finding.file].architecture->name));
      if (!finding.traffic)
        return;
      const Traffic &traffic = *finding.traffic;
      json.attribute("unit", std::string(to_string(traffic.unit)));
      json.attribute("requests", traffic.requests);
      json.attribute("actual", traffic.actual);
      json.attribute("ideal", traffic.ideal);
      json.attribute("excess", traffic.excess());
      json.attribute("atLeast", traffic.at_least);
      json.attribute("kernelTotal", traffic.kernel);
      json.attribute("kernelTotalAtLeast", traffic.kernel_at_least);
      json.attribute("shareOfKernel", traffic.share());
      json.attribute("avoidableShareOfKernel", traffic.avoidable());
    });
  }

  /// As it stands in the source; empty where the finding is about no access.
  std::string_view expression_of(const Finding &finding) const {
    if (finding.program == Finding::kNoIndex || !finding.site)
      return {};
    const Site &site = report.files[finding.file].programs[finding.program].sites[*finding.site];
    return site.location == finding.location ? std::string_view(site.expression) : std::string_view();
  }

  void related_locations(const Finding &finding) {
    std::vector<std::pair<SourceLocation, std::string>> related;
    const bool in_kernel = finding.program != Finding::kNoIndex;
    if (in_kernel && finding.site) {
      const Site &site = report.files[finding.file].programs[finding.program].sites[*finding.site];
      if (site.array_location.known())
        related.emplace_back(site.array_location,
                             site.array.empty() ? "the array is declared here" : site.array + " is declared here");
      for (const InlineFrame &frame : site.inlined_at)
        if (frame.call.known())
          related.emplace_back(frame.call, "inlined into " + frame.function + " here");
    }
    if (in_kernel && finding.launch != Finding::kNoIndex) {
      const Launch &launch = report.files[finding.file].launches[finding.launch].launch;
      if (launch.location.known())
        related.emplace_back(launch.location, "launched here");
      if (launch.called_from.known())
        related.emplace_back(launch.called_from, "the launch is called here");
    }
    for (const ThreadStep &step : finding.threads)
      if (step.location.known())
        related.emplace_back(step.location, step.text);
    if (related.empty())
      return;
    json.attributeArray("relatedLocations", [&] {
      std::int64_t id = 0;
      for (const auto &[location, text] : related)
        json.object([&, &location = location, &text = text] {
          json.attribute("id", id++);
          physical_location(location);
          message(text);
        });
    });
  }

  /// Both threads of a race, each with its step.
  void code_flows(const Finding &finding) {
    if (finding.threads.empty() ||
        !std::ranges::all_of(finding.threads, [](const ThreadStep &step) { return step.location.known(); }))
      return;
    json.attributeArray("codeFlows", [&] {
      json.object([&] {
        json.attributeArray("threadFlows", [&] {
          for (const ThreadStep &step : finding.threads)
            json.object([&] {
              json.attributeArray("locations", [&] {
                json.object([&] {
                  json.attributeObject("location", [&] {
                    physical_location(step.location);
                    message(step.text);
                  });
                });
              });
            });
        });
      });
    });
  }

  /// The line (from 1) and UTF-16 column (from 1) of a byte offset.
  std::pair<std::size_t, std::size_t> position(std::string_view text, std::uint64_t offset) {
    const std::string_view before = text.substr(0, std::min<std::uint64_t>(offset, text.size()));
    const std::size_t start = before.rfind('\n') + 1; // npos + 1 is 0
    return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
            utf16_units(before.substr(start)) + 1};
  }

  void write_fix(const Fix &fix) {
    json.object([&] {
      json.attributeObject("description", [&] { json.attribute("text", utf8(fix_text(fix))); });
      json.attributeArray("artifactChanges", [&] {
        for (std::size_t i = 0; i < fix.edits.size();) {
          std::size_t end = i;
          while (end < fix.edits.size() && fix.edits[end].file == fix.edits[i].file)
            ++end;
          json.object([&] {
            artifact(fix.edits[i].file);
            json.attributeArray("replacements", [&] {
              for (; i < end; ++i)
                replacement(fix.edits[i]);
            });
          });
        }
      });
    });
  }

  void replacement(const Edit &edit) {
    const std::string_view text = sources.text(edit.file);
    const auto [line, column] = position(text, edit.offset);
    const auto [end_line, end_column] = position(text, edit.offset + edit.length);
    json.object([&, line = line, column = column, end_line = end_line, end_column = end_column] {
      json.attributeObject("deletedRegion", [&] {
        json.attribute("startLine", static_cast<std::uint64_t>(line));
        json.attribute("startColumn", static_cast<std::uint64_t>(column));
        json.attribute("endLine", static_cast<std::uint64_t>(end_line));
        json.attribute("endColumn", static_cast<std::uint64_t>(end_column));
      });
      json.attributeObject("insertedContent", [&] { json.attribute("text", utf8(edit.replacement)); });
    });
  }

  OStream &json;
  const Report &report;
  SourceLines &sources;
};

} // namespace

std::string sarif_report(const Report &report, SourceLines &sources) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  OStream json(stream, 2);
  Writer(json, report, sources).write();
  stream << '\n';
  return sinks::json(out);
}

} // namespace smem
