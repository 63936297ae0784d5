// The machine-readable report. Additive within a major version of the schema: fields may be added, never changed.
#include "report/json_writer.h"

#include <map>

#include <llvm/Support/raw_ostream.h>

#include "report/machine_text.h"
#include "sinks/escape.h"

namespace smem {
namespace {

constexpr const char *kSchemaVersion = "1.16";

} // namespace

void JsonWriter::write() {
  json.object([&] {
    json.attribute("schema_version", kSchemaVersion);
    json.attributeObject("tool", [&] {
      json.attribute("name", "smem-lint");
      json.attribute("version", report.tool_version);
    });
    const std::string architectures = architectures_text(report.files);
    const bool one = !architectures.empty() && architectures.find(',') == std::string::npos;
    json.attribute("arch", one ? llvm::json::Value(architectures) : nullptr);
    json.attributeArray("files", [&] {
      for (const FileAnalysis &file : report.files)
        write_file(file);
    });
    json.attributeArray("sources", [&] { write_sources(); });
    json.attributeArray("launches", [&] {
      for (const FileAnalysis &file : report.files) {
        first_launch.push_back(launches);
        launches += file.launches.size();
        for (const LaunchAnalysis &launch : file.launches)
          write_launch(file, launch);
      }
    });
    json.attributeArray("findings", [&] {
      for (const Finding &finding : report.findings)
        write_finding(finding);
      for (const Finding &finding : report.known)
        write_finding(finding);
    });
    json.attributeArray("diagnostics", [&] {
      for (const FileAnalysis &file : report.files)
        for (const Diagnostic &diagnostic : file.diagnostics)
          write_diagnostic(diagnostic);
      for (const Diagnostic &diagnostic : report.diagnostics)
        write_diagnostic(diagnostic);
    });
    const Tally count = tally(report);
    json.attributeObject("summary", [&] {
      json.attribute("exact", static_cast<std::uint64_t>(count.exact));
      json.attribute("assumed", static_cast<std::uint64_t>(count.assumed));
      json.attribute("unknown", static_cast<std::uint64_t>(count.unknown));
      json.attribute("errors", static_cast<std::uint64_t>(count.errors));
      json.attribute("warnings", static_cast<std::uint64_t>(count.warnings));
      json.attribute("notes", static_cast<std::uint64_t>(count.notes));
    });
    if (report.statistics)
      write_statistics(statistics(report));
  });
}

void JsonWriter::write_statistics(const Statistics &all) {
  const auto list = [&](const char *key, const char *name, const std::vector<FindingCounts> &counts) {
    json.attributeArray(key, [&] {
      for (const FindingCounts &one : counts)
        json.object([&] {
          json.attribute(name, utf8(one.name));
          if (&counts == &all.kernels)
            place(one.location);
          json.attribute("errors", static_cast<std::uint64_t>(one.errors));
          json.attribute("warnings", static_cast<std::uint64_t>(one.warnings));
          json.attribute("notes", static_cast<std::uint64_t>(one.notes));
        });
    });
  };
  json.attributeObject("statistics", [&] {
    list("rules", "rule", all.rules);
    list("files", "file", all.files);
    list("kernels", "kernel", all.kernels);
  });
}

void JsonWriter::write_diagnostic(const Diagnostic &diagnostic) {
  json.object([&] {
    json.attribute("severity", std::string(to_string(diagnostic.severity)));
    place(diagnostic.location);
    json.attribute("message", utf8(diagnostic.message));
    json.attribute("incomplete", diagnostic.incomplete);
  });
}

void JsonWriter::place(const SourceLocation &location) {
  text_or_null("file", location.file);
  number_or_null("line", location.line);
  number_or_null("column", location.column);
}

void JsonWriter::place_object(const char *key, const SourceLocation &location) {
  if (!location.known())
    json.attribute(key, nullptr);
  else
    json.attributeObject(key, [&] { place(location); });
}

void JsonWriter::text_or_null(const char *key, const std::string &text) {
  json.attribute(key, text.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(utf8(text)));
}

void JsonWriter::number_or_null(const char *key, unsigned number) {
  json.attribute(key, number == 0 ? llvm::json::Value(nullptr) : llvm::json::Value(number));
}

void JsonWriter::dim(const char *key, const Dim3 &value) {
  json.attributeArray(key, [&] {
    json.value(value.x);
    json.value(value.y);
    json.value(value.z);
  });
}

void JsonWriter::architecture(const FileAnalysis &file) {
  json.attribute("arch", file.architecture ? llvm::json::Value(std::string(file.architecture->name)) : nullptr);
}

void JsonWriter::write_file(const FileAnalysis &file) {
  json.object([&] {
    json.attribute("file", utf8(file.file));
    json.attribute("parsed", file.parsed);
    architecture(file);
    json.attribute("kernels", static_cast<std::uint64_t>(file.programs.size()));
    json.attributeObject("headers", [&] {
      json.attribute("source", file.toolkit.shipped ? "shipped" : "toolkit");
      text_or_null("version", file.toolkit.version);
    });
    if (!file.machine_code.empty())
      json.attribute("machine_code", utf8(file.machine_code));
    if (!file.compiled.unavailable.empty())
      json.attribute("not_as_compiled", utf8(file.compiled.unavailable));
    if (const CompiledUse &use = file.compiled; !use.from.empty())
      json.attributeObject("as_compiled", [&] {
        json.attribute("from", utf8(use.from));
        json.attribute("confirmed", static_cast<std::uint64_t>(use.confirmed));
        json.attribute("corrected", static_cast<std::uint64_t>(use.corrected));
        json.attribute("absent", static_cast<std::uint64_t>(use.absent));
        json.attribute("open", static_cast<std::uint64_t>(use.open));
      });
  });
}

std::string_view JsonWriter::identifier(Agreement compared) {
  switch (compared) {
  case Agreement::NotCompared: return "open";
  case Agreement::Confirmed: return "confirmed";
  case Agreement::Corrected: return "corrected";
  case Agreement::Added: return "added";
  case Agreement::Absent: return "absent";
  }
  return "open";
}

void JsonWriter::write_sources() {
  std::map<std::string, const SourceVersion *> versions;
  for (const FileAnalysis &file : report.files)
    for (const SourceVersion &source : file.sources)
      versions.emplace(source.file, &source);
  for (const auto &[file, source] : versions)
    json.object([&, &file = file, &source = source] {
      json.attribute("file", utf8(file));
      json.attribute("sha256", source->sha256);
      if (source->system)
        json.attribute("system", true);
    });
}

std::string json_report(const Report &report) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  llvm::json::OStream json(stream, 2);
  JsonWriter(json, report).write();
  stream << '\n';
  return sinks::json(out);
}

} // namespace smem
