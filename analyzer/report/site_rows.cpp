#include "report/site_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace smem {
namespace {

const Example *costlier(const Example *a, const std::optional<Example> &b, bool shared) {
  if (!b)
    return a;
  if (!a)
    return &*b;
  const auto excess = [shared](const Example &e) {
    return shared
               ? std::pair{e.cost.wavefronts - std::min(e.cost.wavefronts, e.cost.ideal_wavefronts), e.cost.wavefronts}
               : std::pair{e.cost.sectors - std::min(e.cost.sectors, e.cost.ideal_sectors), e.cost.sectors};
  };
  return excess(*b) > excess(*a) ? &*b : a;
}

void widen(Span &span, const Span &other) {
  span = {std::min(span.least, other.least), std::max(span.most, other.most)};
}

void add_symbolic(std::optional<SymbolicCounts> &sum, const SymbolicCounts &one) {
  if (!sum || (sum->known() && !one.known())) {
    sum = one;
    return;
  }
  if (!sum->known())
    return;
  if (!one.requests_formula.terms.empty()) { // a site that is never reached says nothing
    const bool first = sum->requests_formula.terms.empty();
    for (auto span : {&SymbolicCounts::conflict_degree, &SymbolicCounts::wavefronts, &SymbolicCounts::sectors}) {
      if (first)
        (*sum).*span = one.*span;
      else
        widen((*sum).*span, one.*span);
    }
  }
  for (auto formula : {&SymbolicCounts::requests_formula, &SymbolicCounts::wavefronts_formula,
                       &SymbolicCounts::ideal_wavefronts_formula, &SymbolicCounts::sectors_formula,
                       &SymbolicCounts::ideal_sectors_formula, &SymbolicCounts::tags_formula})
    (*sum).*formula += one.*formula;
  sum->presumes |= one.presumes;
}

} // namespace

std::uint64_t SiteRow::excess_wavefronts() const {
  return counts.wavefronts - std::min(counts.wavefronts, counts.ideal_wavefronts);
}

std::uint64_t SiteRow::excess_sectors() const {
  return counts.sectors - std::min(counts.sectors, counts.ideal_sectors);
}

Verdict weaker(Verdict a, Verdict b) { return std::max(a, b); }

std::string describe_operation(const Access &access) {
  std::string text;
  switch (access.operation) {
  case Operation::Load: text = "load"; break;
  case Operation::Store: text = "store"; break;
  case Operation::Atomic: text = "atomic"; break;
  case Operation::AsyncCopy: text = "async copy"; break;
  case Operation::MatrixLoad: return "ldmatrix x" + std::to_string(access.matrices);
  case Operation::MatrixStore: return "stmatrix x" + std::to_string(access.matrices);
  case Operation::MatrixMultiply: return "wgmma";
  case Operation::BulkCopy: return "bulk copy";
  }
  return text + " " + std::to_string(access.width_bits);
}

const std::vector<Pattern> *patterns_of(const FileAnalysis &file, std::size_t program) {
  return program < file.patterns.size() && !file.patterns[program].empty() ? &file.patterns[program] : nullptr;
}

std::vector<SiteRow> site_rows(const Program &program, const SimulationResult &result,
                               const std::vector<Pattern> *patterns) {
  using Key = std::tuple<SourceLocation, Space, Operation, std::uint16_t, AtomicKind, std::uint8_t, bool, bool,
                         std::vector<InlineFrame>, std::string>;
  std::map<Key, std::size_t> known;
  std::vector<SiteRow> rows;
  std::vector<bool> sectors_known; // by row: of each of its sites
  for (SiteId id = 0; id < program.sites.size() && id < result.sites.size(); ++id) {
    const Site &site = program.sites[id];
    const SiteResult &counted = result.sites[id];
    const bool async = site.access.operation == Operation::AsyncCopy;
    const Space space = async ? Space::Shared : site.generic ? counted.space : site.access.space;
    Key key{site.location,           space,
            site.access.operation,   site.access.width_bits,
            site.access.atomic,      site.access.matrices,
            site.access.result_used, site.access.bypass_l1,
            site.inlined_at,         site.expression};
    const auto [entry, added] = known.emplace(std::move(key), rows.size());
    if (added) {
      SiteRow row;
      row.site = &site;
      row.space = space;
      row.moves_shared = space == Space::Shared;
      row.moves_global = space == Space::Global || async;
      rows.push_back(std::move(row));
      sectors_known.push_back(true);
    }
    SiteRow &row = rows[entry->second];
    row.ids.push_back(id);
    if (patterns && id < patterns->size())
      row.pattern = row.pattern ? either(*row.pattern, (*patterns)[id]) : (*patterns)[id];
    row.counts += counted.counts;
    row.executed |= counted.executed;
    if (row.reason.empty() || weaker(counted.verdict, row.verdict) != row.verdict) {
      row.reason = counted.reason;
      row.reason_location = counted.reason_location;
    }
    row.verdict = weaker(row.verdict, counted.verdict);
    for (const Assumption &assumption : counted.assumptions)
      if (!assumption.id.empty() && !std::ranges::binary_search(row.uncertainties, assumption.id))
        row.uncertainties.insert(std::ranges::upper_bound(row.uncertainties, assumption.id), assumption.id);
    row.established.insert(counted.established.begin(), counted.established.end());
    if (row.note.empty())
      row.note = counted.note;
    if (counted.data) {
      if (row.data)
        *row.data += *counted.data;
      else
        row.data = counted.data;
    }
    if (counted.symbolic)
      add_symbolic(row.symbolic, *counted.symbolic);
    if (counted.counts.sectors != 0) {
      sectors_known[entry->second] = sectors_known[entry->second] && counted.sector_use;
      if (counted.sector_use)
        row.sector_use = row.sector_use.value_or(SectorUse{}) += *counted.sector_use;
    }
    row.shared_example = costlier(row.shared_example, counted.shared_example, true);
    if (!row.loop_example && counted.loop_example)
      row.loop_example = &*counted.loop_example;
    row.global_example = costlier(row.global_example, counted.global_example, false);
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!sectors_known[i])
      rows[i].sector_use.reset();
  std::stable_sort(rows.begin(), rows.end(), [](const SiteRow &a, const SiteRow &b) {
    return std::tie(a.site->location, a.space) < std::tie(b.site->location, b.space);
  });
  return rows;
}

} // namespace smem
