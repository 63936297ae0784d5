#include "report/identity.h"

#include <cctype>

namespace smem {

std::string normalise_expression(std::string_view text) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80) != 0;
  };
  std::string out;
  bool blank = false;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      blank = true;
      continue;
    }
    // Between two words and between two equal operators (`a - -b`) the blank is part of the meaning.
    if (blank && !out.empty() &&
        ((is_word(out.back()) && is_word(c)) ||
         (out.back() == c && !is_word(c) && std::string_view("+-&|<>").find(c) != std::string_view::npos)))
      out += ' ';
    blank = false;
    out += c;
  }
  return out;
}

std::string normalise_kernel(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::size_t at = name.find(" at ");
    const std::size_t close = at == std::string_view::npos ? at : name.find(')', at);
    const bool place = close != std::string_view::npos && close > 0 &&
                       std::isdigit(static_cast<unsigned char>(name[close - 1])) &&
                       name.substr(at, close - at).find(':') != std::string_view::npos;
    out.append(name.substr(0, place ? at : close));
    name.remove_prefix(place ? close : std::min(close, name.size()));
  }
  return normalise_expression(out);
}

Metrics metrics_of(const Counts &counts) {
  Metrics metrics;
  metrics.degree = counts.conflict_degree;
  if (counts.requests == 0)
    return metrics;
  const auto per_request = [&](std::uint64_t sum) {
    return static_cast<double>(sum) / static_cast<double>(counts.requests);
  };
  metrics.wavefronts = per_request(counts.wavefronts);
  metrics.ideal_wavefronts = per_request(counts.ideal_wavefronts);
  metrics.sectors = per_request(counts.sectors);
  metrics.ideal_sectors = per_request(counts.ideal_sectors);
  return metrics;
}

AccessNames::AccessNames(const Program &program, const std::vector<SiteRow> &rows)
    : kernel(normalise_kernel(program.kernel)) {
  for (const SiteRow &row : rows)
    ordinals[normalise_expression(row.site->expression)].emplace(Place{row.site->location, row.site->inlined_at}, 0);
  for (auto &[expression, places] : ordinals) {
    unsigned next = 0;
    for (auto &[place, ordinal] : places)
      ordinal = next++;
  }
}

Occurrence AccessNames::occurrence(const SiteRow &row) const {
  Occurrence occurrence;
  occurrence.kernel = kernel;
  occurrence.expression = normalise_expression(row.site->expression);
  if (const auto places = ordinals.find(occurrence.expression); places != ordinals.end())
    if (const auto place = places->second.find({row.site->location, row.site->inlined_at});
        place != places->second.end())
      occurrence.ordinal = place->second;
  occurrence.metrics = metrics_of(row.counts);
  return occurrence;
}

} // namespace smem
