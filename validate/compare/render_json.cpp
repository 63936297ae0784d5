#include "render.h"
#include "sinks/escape.h"

#include <nlohmann/json.hpp>

namespace smem::compare {
namespace {

using Json = nlohmann::ordered_json;

Json dim(const Dim3 &d) { return Json::array({d.x, d.y, d.z}); }

Json text_or_null(const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); }

Json figures(const std::optional<Figures> &figures) {
  if (!figures)
    return nullptr;
  Json json{{"requests", figures->requests}};
  for (const Column &column : columns)
    json[column.key] = (*figures).*column.value;
  return json;
}

Json configuration(const Configuration &configuration) {
  return {{"grid", dim(configuration.grid)},
          {"block", dim(configuration.block)},
          {"dynamic_shared_bytes", configuration.dynamic_shared}};
}

Json row(const Row &row) {
  Json json{{"file", text_or_null(row.place.file)},
            {"line", row.place.line ? Json(row.place.line) : Json(nullptr)},
            {"pc", row.place.pc ? Json(*row.place.pc) : Json(nullptr)},
            {"space", to_string(row.space)},
            {"operation", to_string(row.operation)},
            {"verdict", to_string(row.verdict)},
            {"claim", row.predicted || row.verdict == Verdict::Unknown ? Json(to_string(row.claim)) : Json(nullptr)},
            {"false_claim", row.false_claim()},
            {"cause", row.verdict == Verdict::Mismatch ? Json(to_string(row.cause)) : Json(nullptr)},
            {"reason", text_or_null(row.reason)},
            {"expression", text_or_null(expressions(row))},
            {"predicted", row.claim == Claim::Unknown ? Json(nullptr) : figures(row.predicted)},
            {"measured", figures(row.measured)}};
  Json instructions = Json::array();
  for (const Instruction *instruction : row.instructions)
    instructions.push_back({{"function", instruction->function},
                            {"pc", instruction->pc},
                            {"opcode", text_or_null(instruction->opcode)},
                            {"width_bits", instruction->width ? Json(instruction->width) : Json(nullptr)},
                            {"measured", figures(instruction->figures)}});
  json["instructions"] = std::move(instructions);
  return json;
}

Json unmatched(const std::vector<Unmatched> &launches) {
  Json json = Json::array();
  for (const Unmatched &launch : launches) {
    Json entry{{"kernel", launch.kernel}};
    entry.update(configuration(launch.configuration));
    entry["reason"] = launch.reason;
    json.push_back(std::move(entry));
  }
  return json;
}

} // namespace

std::string render_json(const Comparison &comparison, const Provenance &provenance) {
  const Summary &summary = comparison.summary;
  Json causes = Json::object();
  for (const auto &[cause, count] : summary.causes)
    causes[to_string(cause)] = count;
  Json launches = Json::array();
  for (const LaunchComparison &launch : comparison.launches) {
    Json entry{{"kernel", launch.predicted->kernel}, {"mangled", launch.predicted->mangled}};
    entry.update(configuration(launch.predicted->configuration));
    Json indices = Json::array();
    for (const MeasuredLaunch *measured : launch.measured)
      indices.push_back(measured->index);
    entry["measured_launches"] = std::move(indices);
    entry["spills"] = launch.spills;
    Json rows = Json::array();
    for (const Row &each : launch.rows)
      rows.push_back(row(each));
    entry["rows"] = std::move(rows);
    launches.push_back(std::move(entry));
  }
  const Json json{{"schema_version", "1.0"},
                  {"tool", {{"name", "smem-validate compare"}}},
                  {"predicted", {{"file", provenance.predicted_name}, {"arch", text_or_null(provenance.arch)}}},
                  {"measured",
                   {{"file", provenance.measured_name},
                    {"gpu", text_or_null(provenance.gpu)},
                    {"date", text_or_null(provenance.date)}}},
                  {"summary",
                   {{"launches", summary.launches},
                    {"rows", summary.rows},
                    {"exact", summary.exact},
                    {"unknown", summary.unknown},
                    {"mismatch", summary.mismatch},
                    {"false_claims", summary.false_claims},
                    {"claims",
                     {{"exact_right", summary.exact_right},
                      {"exact_wrong", summary.exact_wrong},
                      {"assumed_right", summary.assumed_right},
                      {"assumed_wrong", summary.assumed_wrong},
                      {"unknown", summary.unknown},
                      {"missing", summary.missing}}},
                    {"unstable", summary.unstable},
                    {"causes", causes},
                    {"ignored_instructions", summary.ignored_instructions},
                    {"ignored_sites", summary.ignored_sites}}},
                  {"launches", launches},
                  {"only_predicted", unmatched(comparison.only_predicted)},
                  {"only_measured", unmatched(comparison.only_measured)},
                  {"other_versions", comparison.other_versions},
                  {"warnings", comparison.warnings}};
  return sinks::json(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace smem::compare
