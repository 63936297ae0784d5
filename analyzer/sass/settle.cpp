#include "sass/settle.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace smem::compiled {
namespace {

/// What the hardware's counters are joined on.
struct RowKey {
  std::string file;
  unsigned line = 0;
  Space space = Space::Shared;
  Operation operation = Operation::Load;

  auto operator<=>(const RowKey &) const = default;
};

struct Row {
  std::vector<SiteId> source, machine;
};

Space space_of(const Site &site, const SiteResult &result) {
  if (site.access.operation == Operation::AsyncCopy)
    return Space::Shared;
  return site.generic ? result.space : site.access.space;
}

bool same_counts(const Counts &a, const Counts &b) {
  return std::tie(a.wavefronts, a.ideal_wavefronts, a.sectors, a.ideal_sectors, a.tags) ==
         std::tie(b.wavefronts, b.ideal_wavefronts, b.sectors, b.ideal_sectors, b.tags);
}

/// The sum over some sites of one launch.
SiteResult sum_of(const SimulationResult &result, const std::vector<SiteId> &sites) {
  SiteResult sum;
  const auto worse = [](const std::optional<Example> &a, const std::optional<Example> &b, auto &&excess) {
    return b && (!a || excess(b->cost) > excess(a->cost));
  };
  for (const SiteId id : sites) {
    const SiteResult &one = result.sites[id];
    sum.counts += one.counts;
    if (one.sector_use)
      sum.sector_use = sum.sector_use.value_or(SectorUse{}) += *one.sector_use;
    sum.executed |= one.executed;
    sum.space = one.space;
    if (one.verdict > sum.verdict || sum.reason.empty()) {
      sum.reason = one.reason;
      sum.reason_location = one.reason_location;
    }
    sum.verdict = std::max(sum.verdict, one.verdict);
    if (worse(sum.shared_example, one.shared_example,
              [](const RequestCost &c) { return std::int64_t{c.wavefronts} - c.ideal_wavefronts; }))
      sum.shared_example = one.shared_example;
    if (worse(sum.global_example, one.global_example,
              [](const RequestCost &c) { return std::int64_t{c.sectors} - c.ideal_sectors; }))
      sum.global_example = one.global_example;
  }
  return sum;
}

std::string widths_of(const Program &program, const std::vector<SiteId> &sites) {
  std::map<unsigned, std::size_t> widths;
  for (const SiteId id : sites)
    ++widths[program.sites[id].access.width_bits];
  std::string text;
  for (const auto &[width, count] : widths)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + std::to_string(width) + " bits";
  return text;
}

std::set<unsigned> width_set(const Program &program, const std::vector<SiteId> &sites) {
  std::set<unsigned> widths;
  for (const SiteId id : sites)
    widths.insert(program.sites[id].access.width_bits);
  return widths;
}

class Settler {
public:
  Settler(Program &source, const LoweredMachineCode &machine, std::vector<SimulatedTwice> &launches)
      : source_(source), machine_(machine.program), complete_(machine.complete),
        uncertain_lines_(machine.uncertain_lines), local_(machine.local), launches_(launches) {}

  Settled run() {
    collect();
    for (auto &[key, row] : rows_)
      decide(key, row);
    take_least_work();
    return settled_;
  }

private:
  void collect() {
    const SimulationResult &first = *launches_.front().source;
    for (SiteId id = 0; id < source_.sites.size(); ++id) {
      const Site &site = source_.sites[id];
      if (!has_lane_addresses(site.access))
        continue; // not followed in machine code, which has no line for some of them
      rows_[{site.location.file, site.location.line, space_of(site, first.sites[id]), site.access.operation}]
          .source.push_back(id);
    }
    for (SiteId id = 0; id < machine_.sites.size(); ++id) {
      if (local_.contains(id))
        continue;
      const Site &site = machine_.sites[id];
      RowKey key{site.location.file, site.location.line, site.access.space, site.access.operation};
      if (uncertain_lines_.contains(id))
        uncertain_kinds_.insert({site.access.space, site.access.operation});
      if (site.generic) { // either space; where the source has both it may be any of them
        RowKey shared = key;
        shared.space = Space::Shared;
        if (const auto known = rows_.find(shared); known != rows_.end() && !known->second.source.empty()) {
          known->second.machine.push_back(id);
          if (!rows_.contains(key))
            continue;
        }
      }
      rows_[key].machine.push_back(id);
    }
  }

  bool machine_knows(const Row &row) const {
    return std::all_of(launches_.begin(), launches_.end(), [&](const SimulatedTwice &launch) {
      return std::all_of(row.machine.begin(), row.machine.end(),
                         [&](SiteId id) { return launch.machine.sites[id].verdict != Verdict::Unknown; });
    });
  }

  bool agrees(const Row &row) const {
    return std::all_of(launches_.begin(), launches_.end(), [&](const SimulatedTwice &launch) {
      const SiteResult predicted = sum_of(*launch.source, row.source);
      return predicted.verdict != Verdict::Unknown &&
             same_counts(predicted.counts, sum_of(launch.machine, row.machine).counts);
    });
  }

  void decide(const RowKey &key, Row &row) {
    const bool agreed = !row.source.empty() && !row.machine.empty() && machine_knows(row) && agrees(row);
    if (uncertain_kinds_.contains({key.space, key.operation}) && !agreed) {
      if (!row.source.empty())
        assume(row, "the listing does not say for which line each instruction of a toolkit's function counts");
      ++settled_.open;
    } else if (row.machine.empty()) {
      nothing_there(row);
    } else if (!machine_knows(row)) {
      leave_open(key, row);
    } else if (agreed) {
      ++settled_.confirmed;
      for (const SiteId id : row.source)
        source_.sites[id].compared = Agreement::Confirmed;
      for (SimulatedTwice &launch : launches_) {
        const SiteResult known = sum_of(launch.machine, row.machine);
        for (const SiteId id : row.source) {
          SiteResult &site = launch.source->sites[id];
          if (known.verdict >= site.verdict)
            continue; // what both assume stays assumed
          site.verdict = known.verdict;
          site.reason = known.reason;
          site.reason_location = known.reason_location;
        }
      }
    } else {
      replace(key, row);
    }
  }

  void nothing_there(const Row &row) {
    const auto runs = [&](const SimulatedTwice &launch) {
      return std::any_of(row.source.begin(), row.source.end(), [&](SiteId id) {
        const SiteResult &site = launch.source->sites[id];
        return site.executed || site.verdict == Verdict::Unknown;
      });
    };
    if (std::none_of(launches_.begin(), launches_.end(), runs))
      return;
    if (!complete_) {
      assume(row, "the machine code calls functions that are not followed, and has no such instruction itself");
      ++settled_.open;
      return;
    }
    ++settled_.absent;
    for (const SiteId id : row.source)
      source_.sites[id].compared = Agreement::Absent;
    for (SimulatedTwice &launch : launches_)
      for (const SiteId id : row.source) {
        SiteResult none;
        none.space = launch.source->sites[id].space;
        launch.source->sites[id] = none;
      }
  }

  /// Claims about a row become assumptions.
  void assume(const Row &row, const std::string &why) {
    for (SimulatedTwice &launch : launches_)
      for (const SiteId id : row.source) {
        SiteResult &site = launch.source->sites[id];
        if (site.verdict == Verdict::Unknown || !site.executed)
          continue;
        site.reason = site.reason.empty() ? why : site.reason + "; " + why;
        site.verdict = Verdict::Assumed;
      }
  }

  void leave_open(const RowKey &key, Row &row) {
    ++settled_.open;
    if (row.source.empty()) {
      add(key, row);
      return;
    }
    // What was not to be reached from the source may be an instruction of this line whose execution is not known.
    for (SimulatedTwice &launch : launches_)
      if (sum_of(launch.machine, row.machine).executed)
        for (const SiteId id : row.source)
          if (SiteResult &site = launch.source->sites[id]; site.verdict == Verdict::Exact && !site.executed) {
            site.verdict = Verdict::Assumed;
            site.reason = "the machine code's instructions here are not reached either";
          }
    const bool same_widths = width_set(source_, row.source) == width_set(machine_, row.machine);
    assume(row, same_widths ? "the machine code's instructions here could not be followed"
                            : "the machine code has " + widths_of(machine_, row.machine) +
                                  " here where the model has " + widths_of(source_, row.source));
  }

  /// A row that the source has nothing of: a site of its own.
  void add(const RowKey &key, Row &row) {
    Site site = machine_.sites[row.machine.front()];
    site.access.space = key.space;
    site.generic = false;
    site.not_lowered.clear();
    site.compared = Agreement::Added;
    row.source.push_back(static_cast<SiteId>(source_.sites.size()));
    source_.sites.push_back(std::move(site));
    for (SimulatedTwice &launch : launches_) {
      launch.source->sites.push_back(sum_of(launch.machine, row.machine));
      launch.source->sites.back().space = key.space;
    }
  }

  void replace(const RowKey &key, Row &row) {
    ++settled_.corrected;
    if (row.source.empty()) {
      add(key, row);
      return;
    }
    // One site gets all there is at the place; the others are made the same one.
    const SiteId first = row.source.front();
    Site &site = source_.sites[first];
    const auto widest = std::max_element(row.machine.begin(), row.machine.end(), [&](SiteId a, SiteId b) {
      return machine_.sites[a].access.width_bits < machine_.sites[b].access.width_bits;
    });
    site.access = machine_.sites[*widest].access;
    site.compared = Agreement::Corrected;
    site.assumption = {};
    site.not_lowered.clear();
    const Site same = site;
    for (SimulatedTwice &launch : launches_) {
      const bool generic = same.generic;
      const SiteResult known = sum_of(launch.machine, row.machine);
      for (const SiteId id : row.source) {
        source_.sites[id] = same;
        SiteResult none;
        none.space = known.space;
        none.verdict = known.verdict;
        none.reason = known.reason;
        launch.source->sites[id] = id == first ? known : none;
        if (generic)
          launch.source->sites[id].space = key.space;
      }
    }
  }

  bool of_one_array(const Row &row) const {
    return !row.source.empty() && std::ranges::all_of(row.source, [&](SiteId id) {
      return source_.sites[id].array == source_.sites[row.source.front()].array;
    });
  }

  /// What is executed, whatever the source has, with the sites that it has now.
  void take_least_work() {
    std::map<SiteId, SiteId> site_of; // of the source, by the machine code's
    for (const auto &[key, row] : rows_)
      if (of_one_array(row))
        for (const SiteId id : row.machine)
          site_of.emplace(id, row.source.front());
    for (SimulatedTwice &launch : launches_) {
      LeastWork &least = launch.source->least = launch.machine.least;
      for (ArrayReads &reads : least.reads)
        if (const auto known = site_of.find(reads.site); known != site_of.end()) {
          reads.site = known->second;
        } else { // of a row that is left out or that does not tell arrays apart
          least.reads.clear();
          break;
        }
    }
  }

  Program &source_;
  const Program &machine_;
  const bool complete_;
  const std::set<SiteId> &uncertain_lines_, &local_;
  std::set<std::pair<Space, Operation>> uncertain_kinds_; ///< of instructions whose line is not certain
  std::vector<SimulatedTwice> &launches_;
  std::map<RowKey, Row> rows_;
  Settled settled_;
};

} // namespace

void leave_unsettled(SimulationResult &result, const std::string &why) {
  for (SiteResult &site : result.sites) {
    if (site.verdict == Verdict::Unknown || !site.executed)
      continue;
    site.reason += (site.reason.empty() ? "" : "; ") + why;
    site.verdict = Verdict::Assumed;
  }
}

Settled settle(Program &source, const LoweredMachineCode &machine, std::vector<SimulatedTwice> &launches) {
  return launches.empty() ? Settled{} : Settler(source, machine, launches).run();
}

} // namespace smem::compiled
