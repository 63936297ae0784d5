// What json_report() writes, a function for each kind of object: json_report.cpp has files and sources, json_launches.cpp launches, json_sites.cpp their memory
// instructions, json_findings.cpp findings.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/Support/JSON.h>

#include "report/report.h"
#include "report/site_rows.h"
#include "report/statistics.h"

namespace smem {

class JsonWriter {
public:
  JsonWriter(llvm::json::OStream &json, const Report &report) : json(json), report(report) {}
  void write();

private:
  // --- The report and its files
  void write_statistics(const Statistics &all);
  void write_diagnostic(const Diagnostic &diagnostic);
  /// file, line, column of the object that is open; null where not known.
  void place(const SourceLocation &location);
  void place_object(const char *key, const SourceLocation &location);
  void text_or_null(const char *key, const std::string &text);
  void number_or_null(const char *key, unsigned number);
  static llvm::json::Value value_or_null(const std::optional<std::uint64_t> &value) {
    return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  }
  void dim(const char *key, const Dim3 &value);
  /// Identifiers of the schema; the words that people read may change.
  static std::string_view identifier(Provenance provenance);
  void architecture(const FileAnalysis &file);
  void write_file(const FileAnalysis &file);
  static std::string_view identifier(Agreement compared);
  /// Headers that several files share once.
  void write_sources();

  // --- Launches
  void write_launch(const FileAnalysis &file, const LaunchAnalysis &analysis);
  void write_compiled(const FileAnalysis &file, const Program &program, const LaunchAnalysis &launch);
  void racing(const RacingAccess &access);
  void racing(const RaceWitness &witness);
  void write_races(llvm::StringRef name, const Races &races);
  /// Whether all threads come to every barrier: what looks for races and what counts have both executed the launch.
  void write_barriers(const Races &races, const LaunchAnalysis &analysis);
  static std::string_view problem_kind(Problem::Kind kind);
  void write_floor(const FileAnalysis &file, const LaunchAnalysis &analysis);
  void write_symbolic(const SymbolicCounts &any);
  void write_argument(const Program &program, const ArgumentValue &argument);

  // --- Their memory instructions
  /// Of the instructions of a row of machine code; empty of a source's.
  static std::set<std::uint64_t> addresses_of(const FileAnalysis &file, const Program &program, const SiteRow &row);
  void write_site(const SiteRow &row, const Launch &launch, const std::set<std::uint64_t> &addresses);
  void write_pattern(const SiteRow &row, const Pattern &pattern, const Launch &launch);
  void write_span(const char *key, const std::optional<Span> &value);
  void write_data(const SiteRow &row, const DataDependence &data);

  // --- Findings
  void write_finding(const Finding &finding);
  /// What the finding is worth in the launch that it is shown of.
  void write_worth(const Finding &finding);
  void write_instance(const Instance &instance);
  void write_traffic(const std::optional<Traffic> &traffic);
  static std::string_view identifier(Fix::Kind kind);
  void write_fix(const Fix &fix);

  llvm::json::OStream &json;
  const Report &report;
  std::vector<std::size_t> first_launch; ///< of each file, among all
  std::size_t launches = 0;
};

} // namespace smem
