#include "report/json_writer.h"

#include <cmath>

#include "report/claim.h"
#include "nvcc/uncertainties.h"
#include "report/machine_text.h"

namespace smem {
namespace {

/// To what is the same on every machine: the last digits of a sum of powers are not.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

bool is_of_the_line(const std::string &id) {
  const UncertaintyInfo *info = find_uncertainty(id);
  return info && info->of_the_line;
}

} // namespace

std::set<std::uint64_t> JsonWriter::addresses_of(const FileAnalysis &file, const Program &program, const SiteRow &row) {
  std::set<std::uint64_t> addresses;
  if (const auto known = file.addresses.find(program.mangled); known != file.addresses.end())
    for (const SiteId id : row.ids)
      if (id < known->second.size())
        addresses.insert(known->second[id].begin(), known->second[id].end());
  return addresses;
}

void JsonWriter::write_site(const SiteRow &row, const Launch &launch, const std::set<std::uint64_t> &addresses) {
  const Site &site = *row.site;
  json.object([&] {
    place(site.location);
    json.attributeArray("inlined_at", [&] {
      for (const InlineFrame &frame : site.inlined_at)
        json.object([&] {
          json.attribute("function", utf8(frame.function));
          place(frame.call);
        });
    });
    json.attribute("space", std::string(to_string(row.space)));
    json.attribute("operation", std::string(to_string(site.access.operation)));
    json.attribute("width_bits", site.access.width_bits);
    json.attribute("instructions", static_cast<std::uint64_t>(row.ids.size()));
    if (!addresses.empty())
      json.attributeArray("pcs", [&] {
        for (const std::uint64_t address : addresses)
          json.value(address);
      });
    text_or_null("expression", site.expression);
    text_or_null("address", site.address);
    text_or_null("array", site.array);
    place_object("array_location", site.array_location);
    json.attribute("verdict", std::string(to_string(row.verdict)));
    text_or_null("reason", row.reason);
    place_object("reason_location", row.reason_location);
    if (!row.uncertainties.empty())
      json.attributeArray("uncertainties", [&] {
        for (const std::string &id : row.uncertainties)
          json.value(id);
      });
    if (row.verdict != Verdict::Exact &&
        (is_of_the_line(site.assumption.id) || std::ranges::any_of(row.uncertainties, is_of_the_line)))
      json.attribute("line_assumed", true);
    if (!row.established.empty())
      json.attributeArray("established", [&] {
        for (const std::string &id : row.established)
          json.value(id);
      });
    if (row.site->compared != Agreement::NotCompared)
      json.attribute("compiled", std::string(identifier(row.site->compared)));
    if (!row.note.empty())
      json.attribute("note", utf8(row.note));
    const Figures all = figures(row);
    for (const auto &[key, member] : kFigures)
      json.attribute(key, value_or_null((all.*member).known()));
    const bool bounds = std::any_of(kFigures.begin(), kFigures.end(), [&](const auto &each) {
      return (all.*each.second).at_least && (all.*each.second).value;
    });
    if (bounds)
      json.attributeObject("at_least", [&] {
        for (const auto &[key, member] : kFigures)
          json.attribute(key, value_or_null((all.*member).value));
      });
    else
      json.attribute("at_least", nullptr);
    if (row.sector_use)
      json.attributeObject("sector_use", [&] {
        json.attribute("sectors", row.sector_use->sectors);
        json.attribute("own_bytes", row.sector_use->own_bytes);
        json.attribute("bytes", row.sector_use->bytes);
      });
    if (row.data)
      json.attributeObject("data_dependence", [&] { write_data(row, *row.data); });
    else
      json.attribute("data_dependence", nullptr);
    if (row.symbolic)
      json.attributeObject("symbolic", [&] { write_symbolic(*row.symbolic); });
    else
      json.attribute("symbolic", nullptr);
    if (row.pattern)
      json.attributeObject("pattern", [&] { write_pattern(row, *row.pattern, launch); });
    else
      json.attribute("pattern", nullptr);
  });
}

void JsonWriter::write_pattern(const SiteRow &row, const Pattern &pattern, const Launch &launch) {
  json.attribute("verdict", std::string(to_string(pattern.verdict)));
  json.attributeArray("cases", [&] {
    for (const PatternCase &one : pattern.cases) {
      if (!admitted(one, launch))
        continue;
      json.object([&] {
        const auto figure = [&](const char *key, bool wanted, std::uint32_t value) {
          json.attribute(key, wanted ? llvm::json::Value(value) : llvm::json::Value(nullptr));
        };
        text_or_null("when", to_string(one.when));
        json.attribute("at_most", one.at_most);
        figure("wavefronts", row.moves_shared, one.wavefronts);
        figure("ideal_wavefronts", row.moves_shared, one.ideal_wavefronts);
        figure("conflict_degree", row.moves_shared, one.conflict_degree);
        figure("sectors", row.moves_global, one.sectors);
        figure("ideal_sectors", row.moves_global, one.ideal_sectors);
      });
    }
  });
  text_or_null("text", pattern_words(row, launch));
  text_or_null("reason", pattern.reason);
  place_object("reason_location", pattern.reason_location);
}

void JsonWriter::write_span(const char *key, const std::optional<Span> &value) {
  if (!value)
    json.attribute(key, nullptr);
  else
    json.attributeArray(key, [&] {
      json.value(value->least);
      json.value(value->most);
    });
}

void JsonWriter::write_data(const SiteRow &row, const DataDependence &data) {
  const auto mean = [&](const char *key, bool wanted, const std::optional<double> &value) {
    json.attribute(key, wanted && value ? llvm::json::Value(rounded(*value)) : llvm::json::Value(nullptr));
  };
  const auto span = [&](const char *key, bool wanted, const Span &value) {
    write_span(key, wanted ? std::optional(value) : std::nullopt);
  };
  text_or_null("range", data.range);
  json.attribute("requests", data.requests);
  span("conflict_degree", row.moves_shared, data.conflict_degree);
  span("wavefronts_per_request", row.moves_shared, data.wavefronts);
  span("sectors_per_request", row.moves_global, data.sectors);
  mean("expected_conflict_degree", row.moves_shared, data.expected_degree);
  mean("expected_wavefronts_per_request", row.moves_shared, data.expected_wavefronts);
  mean("expected_sectors_per_request", row.moves_global, data.expected_sectors);
}

} // namespace smem
