#include "gate/baseline.h"

#include "report/claim.h"
#include "report/identity.h"
#include "smem/floor.h"
#include "support/parse_json.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

namespace smem {
namespace {

namespace json = llvm::json;

constexpr int kMajor = 1;
constexpr const char *kSchemaVersion = "1.1";

/// Rules about comments, budgets and floors are no property of the code that a baseline could tolerate.
bool belongs_in_baseline(const Finding &finding) {
  return !finding.suppression && !finding.occurrences.empty() && finding.rule->id != rule::expectation_broken &&
         finding.rule->id != rule::expectation_stale && finding.rule->id != rule::unused_nolint &&
         finding.rule->id != rule::floor_raised;
}

std::string utf8(const std::string &text) { return json::isUTF8(text) ? text : json::fixUTF8(text); }

int sign(double now, double then) {
  // Equal quotients of different sums may differ in the last bit.
  const double slack = 1e-12 * std::max(std::abs(now), std::abs(then));
  return now > then + slack ? 1 : now < then - slack ? -1 : 0;
}

double quotient(double actual, double ideal) { return ideal > 0 ? actual / ideal : actual > 0 ? HUGE_VAL : 1; }

/// What the analysis has looked into: an entry of it would have been found again.
struct Analysed {
  std::set<std::string> paths;
  std::set<std::string> left_out; ///< kernels

  bool has(const BaselineEntry &entry) const {
    return paths.count(entry.path) && !left_out.count(entry.occurrence.kernel);
  }
};

Analysed analysed_of(std::span<const FileAnalysis> files, RepositoryPaths &paths) {
  Analysed analysed;
  std::set<std::string> &seen = analysed.paths;
  for (const FileAnalysis &file : files) {
    if (!file.parsed)
      continue;
    seen.insert(paths.show(file.file));
    for (const Program &program : file.programs)
      for (const Site &site : program.sites)
        seen.insert(paths.show(site.location.file));
    for (const std::string &kernel : file.left_out)
      analysed.left_out.insert(normalise_kernel(kernel));
  }
  return analysed;
}

/// Accesses whose cost may be anything: what their pattern prices is known, however often it runs.
std::set<std::tuple<std::string, std::string, std::string>> unknown_accesses(std::span<const FileAnalysis> files,
                                                                             RepositoryPaths &paths) {
  std::set<std::tuple<std::string, std::string, std::string>> found;
  for (const FileAnalysis &file : files)
    for (const LaunchAnalysis &launch : file.launches) {
      const Program &program = file.programs[launch.program];
      for (const SiteRow &row : site_rows(program, launch.result, patterns_of(file, launch.program)))
        if (row.verdict == Verdict::Unknown && !pattern_metrics(row, launch.launch))
          found.emplace(paths.show(row.site->location.file), normalise_kernel(program.kernel),
                        normalise_expression(row.site->expression));
    }
  return found;
}

} // namespace

std::string fingerprint(std::string_view rule, const std::string &path, const Occurrence &occurrence) {
  std::string key(rule);
  for (const std::string &part : {path, occurrence.kernel, occurrence.expression, std::to_string(occurrence.ordinal)})
    key += '\0' + part;
  return llvm::utohexstr(llvm::xxh3_64bits(key), /*LowerCase=*/true, 16);
}

std::optional<Baseline> Baseline::parse(const std::string &text, std::string &error) {
  auto parsed = parse_json(text);
  if (!parsed) {
    error = "is not JSON: " + llvm::toString(parsed.takeError());
    return std::nullopt;
  }
  const json::Object *root = parsed->getAsObject();
  const auto kind = root ? root->getString("kind") : std::nullopt;
  const auto version = root ? root->getString("schema_version") : std::nullopt;
  const json::Array *entries = root ? root->getArray("entries") : nullptr;
  if (!kind || *kind != "smem-lint-baseline" || !version) {
    error = "is no baseline of smem-lint";
    return std::nullopt;
  }
  int major = 0;
  if (version->split('.').first.getAsInteger(10, major) || major > kMajor) {
    error = "has schema_version " + version->str() + "; this smem-lint reads " + kSchemaVersion +
            " and older: use a newer smem-lint";
    return std::nullopt;
  }
  Baseline baseline;
  std::size_t number = 0;
  for (const json::Value &value : entries ? *entries : json::Array()) {
    const json::Object *object = value.getAsObject();
    BaselineEntry entry;
    bool good = object != nullptr && entries;
    const auto text_of = [&](const char *key, std::string &into) {
      const auto found = good ? object->getString(key) : std::nullopt;
      good = good && found;
      if (found)
        into = found->str();
    };
    const auto number_of = [&](const char *key) {
      const auto found = good ? object->getNumber(key) : std::nullopt;
      good = good && found && *found >= 0;
      return found.value_or(0);
    };
    text_of("rule", entry.rule);
    text_of("path", entry.path);
    text_of("kernel", entry.occurrence.kernel);
    text_of("expression", entry.occurrence.expression);
    entry.occurrence.ordinal = static_cast<unsigned>(number_of("ordinal"));
    Metrics &metrics = entry.occurrence.metrics;
    metrics.degree = static_cast<std::uint32_t>(number_of("degree"));
    metrics.wavefronts = number_of("wavefronts_per_request");
    metrics.ideal_wavefronts = number_of("ideal_wavefronts_per_request");
    metrics.sectors = number_of("sectors_per_request");
    metrics.ideal_sectors = number_of("ideal_sectors_per_request");
    ++number;
    if (!good) {
      error = "is damaged: entry " + std::to_string(number) + " is incomplete";
      return std::nullopt;
    }
    baseline.add(std::move(entry));
  }
  if (!entries) {
    error = "is damaged: it has no entries";
    return std::nullopt;
  }
  const json::Array *const floors = root->getArray("floors");
  if (floors && root->getInteger("floor_model") == kFloorModel) // those of another one say nothing here
    for (const json::Value &value : *floors) {
      const json::Object *object = value.getAsObject();
      const auto text = [&](const char *key) { return object ? object->getString(key) : std::nullopt; };
      const auto path = text("path"), kernel = text("kernel"), sizes = text("sizes"), gpu = text("gpu");
      const auto ns = object ? object->getInteger("ns") : std::nullopt;
      if (!path || !kernel || !sizes || !gpu || !ns || *ns < 0) {
        error = "is damaged: floor " + std::to_string(baseline.floors.size() + 1) + " is incomplete";
        return std::nullopt;
      }
      baseline.floors[{path->str(), kernel->str(), sizes->str(), gpu->str()}] = static_cast<std::uint64_t>(*ns);
    }
  return baseline;
}

Baseline Baseline::of(std::span<const Finding> findings, RepositoryPaths &paths) {
  Baseline baseline;
  for (const Finding &finding : findings)
    if (belongs_in_baseline(finding))
      for (const Occurrence &occurrence : finding.occurrences)
        baseline.add({std::string(finding.rule->id), paths.show(finding.location.file), occurrence});
  return baseline;
}

void Baseline::add(BaselineEntry entry) {
  const std::string key = fingerprint(entry.rule, entry.path, entry.occurrence);
  const auto [known, added] = all.emplace(key, entry);
  if (!added && compare_metrics(entry.rule, entry.occurrence.metrics, known->second.occurrence.metrics) > 0)
    known->second = std::move(entry);
}

std::string Baseline::text() const {
  std::vector<std::pair<const std::string *, const BaselineEntry *>> sorted;
  for (const auto &[key, entry] : all)
    sorted.emplace_back(&key, &entry);
  std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
    const auto key = [](const BaselineEntry &e) {
      return std::tie(e.path, e.occurrence.kernel, e.rule, e.occurrence.expression, e.occurrence.ordinal);
    };
    return key(*a.second) < key(*b.second);
  });
  std::string out = "{\n\"kind\": \"smem-lint-baseline\",\n\"schema_version\": \"" + std::string(kSchemaVersion) +
                    "\",\n\"entries\": [";
  const char *separator = "\n";
  for (const auto &[key, entry] : sorted) {
    out += separator;
    separator = ",\n";
    llvm::raw_string_ostream stream(out);
    json::OStream line(stream);
    line.object([&, key = key, entry = entry] {
      const Occurrence &occurrence = entry->occurrence;
      line.attribute("fingerprint", *key);
      line.attribute("rule", entry->rule);
      line.attribute("path", utf8(entry->path));
      line.attribute("kernel", utf8(occurrence.kernel));
      line.attribute("expression", utf8(occurrence.expression));
      line.attribute("ordinal", occurrence.ordinal);
      line.attribute("degree", occurrence.metrics.degree);
      line.attribute("wavefronts_per_request", occurrence.metrics.wavefronts);
      line.attribute("ideal_wavefronts_per_request", occurrence.metrics.ideal_wavefronts);
      line.attribute("sectors_per_request", occurrence.metrics.sectors);
      line.attribute("ideal_sectors_per_request", occurrence.metrics.ideal_sectors);
    });
  }
  out += "\n]";
  const std::string begin = ",\n\"floor_model\": " + std::to_string(kFloorModel) + ",\n\"floors\": [\n";
  separator = begin.c_str();
  for (const auto &[key, ns] : floors) {
    out += separator;
    separator = ",\n";
    llvm::raw_string_ostream stream(out);
    json::OStream line(stream);
    line.object([&, &key = key, ns = ns] {
      line.attribute("path", utf8(key.path));
      line.attribute("kernel", utf8(key.kernel));
      line.attribute("sizes", utf8(key.sizes));
      line.attribute("gpu", utf8(key.gpu));
      line.attribute("ns", ns);
    });
  }
  return out + (floors.empty() ? "\n}\n" : "\n]\n}\n");
}

const BaselineEntry *Baseline::find(const std::string &key) const {
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

int compare_metrics(std::string_view rule, const Metrics &now, const Metrics &then) {
  if (rule == rule::uncoalesced || rule == rule::narrow_access)
    return sign(quotient(now.sectors, now.ideal_sectors), quotient(then.sectors, then.ideal_sectors));
  if (rule != rule::bank_conflict && rule != rule::atomic_serialization && rule != rule::copy_lines)
    return 0;
  if (const int order =
          sign(quotient(now.wavefronts, now.ideal_wavefronts), quotient(then.wavefronts, then.ideal_wavefronts));
      order != 0)
    return order;
  return sign(now.degree, then.degree);
}

BaselineComparison compare_with(const Baseline &baseline, std::span<const FileAnalysis> files,
                                std::vector<Finding> &findings, RepositoryPaths &paths,
                                const std::function<bool(std::string_view)> &enabled) {
  BaselineComparison comparison;
  std::set<std::string> met;
  for (Finding &finding : findings) {
    if (finding.suppression) {
      for (const Occurrence &occurrence : finding.occurrences)
        met.insert(fingerprint(finding.rule->id, paths.show(finding.location.file), occurrence));
      continue;
    }
    if (!belongs_in_baseline(finding))
      continue;
    bool better = false;
    std::string where; // the first kernel that is new or worse: not always the one whose figures are shown
    finding.baseline = BaselineState::Unchanged;
    for (const Occurrence &occurrence : finding.occurrences) {
      const std::string key = fingerprint(finding.rule->id, paths.show(finding.location.file), occurrence);
      met.insert(key);
      const BaselineEntry *entry = baseline.find(key);
      const int order = entry ? compare_metrics(finding.rule->id, occurrence.metrics, entry->occurrence.metrics) : 0;
      const BaselineState before = finding.baseline;
      if (!entry)
        finding.baseline = BaselineState::New;
      else if (order > 0 && finding.baseline != BaselineState::New)
        finding.baseline = BaselineState::Worse;
      if (finding.baseline != before)
        where = (entry ? "worse in " : "new in ") + occurrence.kernel;
      better |= entry && order < 0;
    }
    if (finding.baseline == BaselineState::Unchanged && better)
      finding.baseline = BaselineState::Better;
    if (!where.empty() && finding.occurrences.size() > 1)
      finding.extent += (finding.extent.empty() ? "" : "; ") + where;
    ++(finding.baseline == BaselineState::New      ? comparison.added
       : finding.baseline == BaselineState::Worse  ? comparison.worse
       : finding.baseline == BaselineState::Better ? comparison.better
                                                   : comparison.unchanged);
  }
  const Analysed analysed = analysed_of(files, paths);
  const auto unknown = unknown_accesses(files, paths);
  for (const auto &[key, entry] : baseline.entries()) {
    if (met.count(key) || !analysed.has(entry) || !enabled(entry.rule))
      continue;
    const bool is_unknown = unknown.count({entry.path, entry.occurrence.kernel, entry.occurrence.expression}) != 0;
    (is_unknown ? comparison.not_known : comparison.gone).push_back(entry);
  }
  return comparison;
}

void add_fingerprints(std::vector<Finding> &findings, RepositoryPaths &paths) {
  for (Finding &finding : findings) {
    finding.fingerprints.clear();
    const std::string path = paths.show(finding.location.file);
    for (const Occurrence &occurrence : finding.occurrences)
      finding.fingerprints.push_back(fingerprint(finding.rule->id, path, occurrence));
  }
}

Baseline updated(const Baseline &old, std::span<const FileAnalysis> files, std::span<const Finding> findings,
                 const Floors &floors, RepositoryPaths &paths) {
  Baseline result = Baseline::of(findings, paths);
  const Analysed analysed = analysed_of(files, paths);
  result.floors = floors;
  for (const auto &[key, ns] : old.floors)
    if (!analysed.paths.count(key.path) || analysed.left_out.count(key.kernel))
      result.floors.emplace(key, ns);
  for (const auto &[key, entry] : old.entries())
    if (!analysed.has(entry))
      result.add(entry);
  return result;
}

Baseline pruned(const Baseline &old, const BaselineComparison &comparison, std::span<const Finding> findings,
                const Floors &floors, RepositoryPaths &paths) {
  Baseline result = old;
  for (auto &[key, ns] : result.floors)
    if (const auto now = floors.find(key); now != floors.end())
      ns = std::min(ns, now->second);
  for (const BaselineEntry &entry : comparison.gone)
    result.remove(fingerprint(entry.rule, entry.path, entry.occurrence));
  const Baseline now = Baseline::of(findings, paths);
  for (const auto &[key, entry] : now.entries())
    if (const BaselineEntry *known = old.find(key);
        known && compare_metrics(entry.rule, entry.occurrence.metrics, known->occurrence.metrics) < 0) {
      result.remove(key);
      result.add(entry);
    }
  return result;
}

} // namespace smem
