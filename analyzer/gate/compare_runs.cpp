#include "gate/compare_runs.h"

#include "report/identity.h"
#include "report/site_rows.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace smem {
namespace {

Change change_of(const KernelCost &before, const KernelCost &after) {
  if (after.bound && !before.bound)
    return Change::Unknown;
  const auto sign = [](std::uint64_t a, std::uint64_t b) { return a > b ? 1 : a < b ? -1 : 0; };
  const int wavefronts = sign(after.counts.wavefronts, before.counts.wavefronts),
            sectors = sign(after.counts.sectors, before.counts.sectors);
  // Less than a lower bound is less, more than one may be anything.
  if (before.bound && (after.bound ? wavefronts != 0 || sectors != 0 : wavefronts > 0 || sectors > 0))
    return Change::Unknown;
  if (wavefronts * sectors < 0)
    return Change::Mixed;
  const int both = wavefronts + sectors;
  return both > 0 ? Change::Worse : both < 0 ? Change::Better : Change::Unchanged;
}

/// Of the launch of the kernel that both sides have and whose floor has changed most.
void compare_floors(const Floors &before, const Floors &after, KernelChange &change) {
  double most = 1;
  const auto first = after.lower_bound({change.path, change.kernel, {}, {}});
  for (auto now = first; now != after.end() && now->first.path == change.path && now->first.kernel == change.kernel;
       ++now) {
    const auto old = before.find(now->first);
    if (old == before.end() || old->second == 0 || now->second == 0)
      continue;
    const double quotient = static_cast<double>(now->second) / static_cast<double>(old->second);
    if (const double by = std::max(quotient, 1 / quotient); by > most || !change.floor_before) {
      most = by;
      change.floor_before = old->second;
      change.floor_after = now->second;
    }
  }
}

/// Where sums are the same, the floor may not be: of fewer, larger blocks some SM has more to do.
Change with_floor(const KernelChange &change) {
  if (change.change != Change::Unchanged || !change.floor_before)
    return change.change;
  return is_raised(*change.floor_before, *change.floor_after)   ? Change::Worse
         : is_raised(*change.floor_after, *change.floor_before) ? Change::Better
                                                                : Change::Unchanged;
}

void compare_kernels(const KernelCosts &before, const KernelCosts &after, const Floors &floors_before,
                     const Floors &floors_after, DiffReport &report) {
  std::set<std::pair<std::string, std::string>> names;
  for (const KernelCosts *side : {&before, &after})
    for (const auto &[name, cost] : *side)
      names.insert(name);
  for (const auto &name : names) {
    const auto old = before.find(name), now = after.find(name);
    KernelChange change;
    change.path = name.first;
    change.kernel = name.second;
    if (old != before.end()) {
      change.before = old->second.counts;
      change.before_bound = old->second.bound;
    }
    if (now != after.end()) {
      change.after = now->second.counts;
      change.after_bound = now->second.bound;
    }
    change.change = !change.before ? Change::New : !change.after ? Change::Gone : change_of(old->second, now->second);
    compare_floors(floors_before, floors_after, change);
    change.change = with_floor(change);
    if (change.change == Change::Unchanged)
      ++report.unchanged_kernels;
    else
      report.kernels.push_back(std::move(change));
  }
}

} // namespace

KernelCosts kernel_costs(std::span<const FileAnalysis> files, RepositoryPaths &paths) {
  KernelCosts costs;
  for (const FileAnalysis &file : files)
    for (const LaunchAnalysis &launch : file.launches) {
      const Program &program = file.programs[launch.program];
      KernelCost &cost = costs[{paths.show(program.location.file), normalise_kernel(program.kernel)}];
      for (const SiteRow &row : site_rows(program, launch.result)) {
        cost.counts += row.counts;
        cost.bound |= row.verdict == Verdict::Unknown;
      }
    }
  return costs;
}

DiffReport compare_runs(const RunSummary &before, std::span<const FileAnalysis> now, std::vector<Finding> &now_findings,
                        const Gpu *gpu, RepositoryPaths &paths, const std::function<bool(const Finding &)> &gates) {
  DiffReport report;
  compare_kernels(before.kernels, kernel_costs(now, paths), before.findings.floors, floors_of(now, gpu, paths), report);

  const BaselineComparison comparison =
      compare_with(before.findings, now, now_findings, paths, [](std::string_view) { return true; });
  drop_explained_floors(now_findings);
  std::set<std::string> here; // entries of files that are not there any more are gone as well
  for (const Finding &finding : now_findings) {
    const std::string path = paths.show(finding.location.file);
    for (const Occurrence &occurrence : finding.occurrences) {
      const std::string key = fingerprint(finding.rule->id, path, occurrence);
      here.insert(key);
      const BaselineEntry *entry = before.findings.find(key);
      const int order = entry ? compare_metrics(finding.rule->id, occurrence.metrics, entry->occurrence.metrics) : 1;
      if (finding.suppression || finding.baseline == BaselineState::None || order == 0)
        continue;
      SiteChange change{path,
                        occurrence.kernel,
                        occurrence.expression,
                        finding.rule,
                        finding.location.line,
                        finding.rule->id == rule::floor_raised ? Change::Worse
                        : !entry                               ? Change::New
                        : order > 0                            ? Change::Worse
                                                               : Change::Better,
                        std::nullopt,
                        occurrence.metrics,
                        order > 0 && gates(finding),
                        static_cast<std::size_t>(&finding - now_findings.data())};
      if (entry)
        change.before = entry->occurrence.metrics;
      report.sites.push_back(std::move(change));
    }
  }
  std::set<std::string> unknown;
  for (const BaselineEntry &entry : comparison.not_known)
    unknown.insert(fingerprint(entry.rule, entry.path, entry.occurrence));
  for (const auto &[key, entry] : before.findings.entries()) {
    const Rule *rule = find_rule(entry.rule);
    if (!rule || here.count(key))
      continue;
    report.sites.push_back({entry.path, entry.occurrence.kernel, entry.occurrence.expression, rule, 0,
                            unknown.count(key) ? Change::Unknown : Change::Gone, entry.occurrence.metrics, std::nullopt,
                            false, std::nullopt});
  }
  const auto rank = [](const SiteChange &site) {
    const int order = site.gates                                                   ? 0
                      : site.change == Change::New || site.change == Change::Worse ? 1
                      : site.change == Change::Unknown                             ? 2
                                                                                   : 3;
    return std::tuple(order, site.path, site.line, site.kernel, site.rule->id, site.expression);
  };
  std::stable_sort(report.sites.begin(), report.sites.end(),
                   [&](const SiteChange &a, const SiteChange &b) { return rank(a) < rank(b); });
  return report;
}

} // namespace smem
