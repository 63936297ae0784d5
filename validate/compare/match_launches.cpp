#include "match_launches.h"

#include "kernel_name.h"

#include <algorithm>

namespace smem::compare {
namespace {

using Key = std::pair<std::string, Configuration>;

/// Launches that follow each other and look alike.
template <typename Launch> using Run = std::vector<const Launch *>;

bool alike(const PredictedLaunch &a, const PredictedLaunch &b) { return a.sites == b.sites; }
bool alike(const MeasuredLaunch &a, const MeasuredLaunch &b) { return a.instructions == b.instructions; }

template <typename Launch> std::vector<Run<Launch>> runs(const std::vector<const Launch *> &launches) {
  std::vector<Run<Launch>> out;
  for (const Launch *launch : launches)
    if (out.empty() || !alike(*out.back().front(), *launch))
      out.push_back({launch});
    else
      out.back().push_back(launch);
  return out;
}

/// Why a measured launch cannot be compared; empty if it can.
std::string unusable(const MeasuredLaunch &launch, bool by_pc) {
  if (!launch.result.empty() && launch.result != "success")
    return "the launch failed: " + launch.result;
  if (!launch.has_lines && !by_pc)
    return "built without line information (nvcc -lineinfo)";
  return {};
}

class Matcher {
public:
  LaunchMatches result;

  /// The launches of one kernel with one configuration.
  void match(const std::vector<const PredictedLaunch *> &predicted,
             const std::vector<const MeasuredLaunch *> &measured) {
    if (match_records(predicted, measured))
      return;
    if (predicted.size() == measured.size()) {
      for (std::size_t i = 0; i < predicted.size(); ++i)
        add(predicted[i], {measured[i]});
      return;
    }
    const auto expected = runs(predicted);
    const auto counted = runs(measured);
    if (expected.size() == counted.size()) {
      for (std::size_t i = 0; i < expected.size(); ++i)
        add(expected[i].front(), counted[i]);
    } else if (expected.size() == 1) {
      add(expected.front().front(), measured);
    } else {
      // In order, as far as both go: which is which cannot be told.
      const std::size_t common = std::min(expected.size(), counted.size());
      for (std::size_t i = 0; i < common; ++i)
        add(expected[i].front(), counted[i]);
      for (std::size_t i = common; i < expected.size(); ++i)
        result.only_predicted.push_back({expected[i].front()->kernel, expected[i].front()->configuration,
                                         "fewer launches were measured than predicted"});
      for (std::size_t i = common; i < counted.size(); ++i)
        result.only_measured.push_back({counted[i].front()->kernel, counted[i].front()->configuration,
                                        "more launches were measured than predicted"});
    }
  }

private:
  /// Predictions that were made from this very recording name their launches. Each stands for those behind it as well, up to the
  /// next one. False, with nothing done, where they were not.
  bool match_records(const std::vector<const PredictedLaunch *> &predicted,
                     const std::vector<const MeasuredLaunch *> &measured) {
    std::map<std::size_t, LaunchMatch> by_record;
    for (const PredictedLaunch *launch : predicted)
      by_record[launch->record].predicted = launch;
    const auto is_measured = [&](const auto &entry) {
      return std::any_of(measured.begin(), measured.end(),
                         [&](const MeasuredLaunch *launch) { return launch->record == entry.first; });
    };
    if (by_record.size() != predicted.size() || !std::all_of(by_record.begin(), by_record.end(), is_measured) ||
        by_record.begin()->first != measured.front()->record)
      return false;
    for (const MeasuredLaunch *launch : measured)
      std::prev(by_record.upper_bound(launch->record))->second.measured.push_back(launch);
    for (const auto &[record, match] : by_record)
      add(match.predicted, match.measured);
    return true;
  }

  void add(const PredictedLaunch *predicted, const std::vector<const MeasuredLaunch *> &measured) {
    for (LaunchMatch &known : result.matches)
      if (known.predicted->mangled == predicted->mangled &&
          known.predicted->configuration == predicted->configuration && alike(*known.predicted, *predicted) &&
          alike(*known.measured.front(), *measured.front())) {
        known.measured.insert(known.measured.end(), measured.begin(), measured.end());
        return;
      }
    result.matches.push_back({predicted, measured});
  }
};

} // namespace

LaunchMatches match_launches(const Prediction &prediction, const Measurement &measurement) {
  // In the order of first appearance.
  std::vector<Key> order;
  std::map<Key, std::vector<const PredictedLaunch *>> predicted;
  std::map<Key, std::vector<const MeasuredLaunch *>> measured;
  std::map<std::string, std::vector<const MeasuredLaunch *>> by_name;
  Matcher matcher;

  for (const PredictedLaunch &launch : prediction.launches) {
    Key key{normalised_kernel_name(launch.mangled), launch.configuration};
    if (predicted[key].empty())
      order.push_back(key);
    predicted[key].push_back(&launch);
  }
  for (const MeasuredLaunch &launch : measurement.launches) {
    const std::string name = normalised_kernel_name(launch.mangled);
    by_name[name].push_back(&launch);
    if (const std::string reason = unusable(launch, prediction.by_pc); !reason.empty())
      matcher.result.only_measured.push_back({launch.kernel, launch.configuration, reason});
    else
      measured[{name, launch.configuration}].push_back(&launch);
  }

  for (const Key &key : order) {
    if (const auto found = measured.find(key); found != measured.end()) {
      matcher.match(predicted[key], found->second);
      continue;
    }
    const auto others = by_name.find(key.first);
    std::string reason = "never launched";
    if (others != by_name.end()) {
      const MeasuredLaunch &other = *others->second.front();
      reason = other.configuration == key.second ? unusable(other, prediction.by_pc)
                                                 : "measured with " + to_string(other.configuration);
    }
    for (const PredictedLaunch *launch : predicted[key])
      matcher.result.only_predicted.push_back({launch->kernel, launch->configuration, reason});
  }
  for (const auto &[key, launches] : measured)
    if (!predicted.contains(key)) {
      const bool known = std::any_of(order.begin(), order.end(), [&](const Key &k) { return k.first == key.first; });
      for (const MeasuredLaunch *launch : launches)
        matcher.result.only_measured.push_back({launch->kernel, launch->configuration,
                                                known ? "predicted with other configurations only" : "not predicted"});
    }
  return matcher.result;
}

} // namespace smem::compare
