#include "report/launch_floor.h"

#include "report/format.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

namespace smem {

std::string on_gpu(const Gpu &gpu) {
  constexpr std::string_view kLetters = "AEFHILMNORSX", kSounds = "AEIOUaeiou"; // as letters are spoken, and words
  const bool word = gpu.title.size() > 1 && gpu.title[1] >= 'a' && gpu.title[1] <= 'z';
  const bool vowel =
      !gpu.title.empty() && (word ? kSounds : kLetters).find(gpu.title.front()) != std::string_view::npos;
  return (vowel ? "on an " : "on a ") + gpu.title;
}

namespace {

std::string time_text(const Floor &floor) { return (floor.at_least ? ">=" : "") + duration_text(floor.ns); }

/// " (1.8x at most)"; empty where no bound is known.
std::string at_most_text(const LaunchFloor &launch, std::span<const Finding *const> findings) {
  constexpr double kDigits = 1e6;
  UnitWork saved;
  for (const Finding *finding : findings) {
    if (!finding->traffic || finding->traffic->at_least)
      return {};
    saved += avoidable_work(*finding);
  }
  const std::optional<double> most = most_gain(launch.work, saved, *launch.gpu, launch.residency);
  return most ? " (" + ratio(static_cast<std::uint64_t>(*most * kDigits), static_cast<std::uint64_t>(kDigits)) +
                    " at most)"
              : std::string();
}

/// A twentieth of a percent is rounding.
bool is_lower(const Floor &now, const Floor &before) {
  return static_cast<double>(now.ns) < 0.9995 * static_cast<double>(before.ns);
}

} // namespace

std::optional<LaunchFloor> launch_floor(const FileAnalysis &file, const LaunchAnalysis &analysis, const Gpu *asked) {
  if (!file.architecture)
    return std::nullopt;
  LaunchFloor out;
  out.gpu = asked ? asked : usual_gpu(*file.architecture);
  if (!out.gpu || out.gpu->architecture != file.architecture->name)
    return std::nullopt;
  const Program &program = file.programs[analysis.program];
  out.work = launch_work(program, analysis.launch, analysis.result, analysis.arithmetic);
  out.floor = floor_of(out.work, *out.gpu);
  if (out.floor.ns == 0)
    return std::nullopt;
  const auto compiled = file.compiled.kernels.find(program.mangled);
  out.residency = residency(analysis.launch, analysis.result.shared_bytes,
                            compiled == file.compiled.kernels.end() ? std::nullopt : compiled->second.registers,
                            *file.architecture, *out.gpu);
  out.assumed_launch = !analysis.launch.assumptions.empty() || !analysis.launch.not_known.empty();
  return out;
}

UnitWork avoidable_work(const Finding &finding) {
  constexpr std::uint64_t kSectorsOfLine = 4;
  UnitWork work;
  if (!finding.traffic)
    return work;
  if (finding.traffic->unit == Unit::Wavefronts) {
    work.shared_wavefronts = finding.traffic->excess();
  } else {
    const Counts &counts = finding.counts;
    const std::uint64_t ideal = std::max(counts.requests, (counts.ideal_sectors + kSectorsOfLine - 1) / kSectorsOfLine);
    // Each request of a load takes a cycle at least, of a store a lookup.
    const bool loads = counts.line_cycles != 0;
    const std::uint64_t now = std::max(counts.tags, counts.line_cycles * kTagsOfCycle),
                        then = loads ? ideal * kTagsOfCycle : ideal;
    work.tags = now > then ? now - then : 0;
    work.global_wavefronts = counts.line_cycles > ideal ? counts.line_cycles - ideal : 0;
  }
  return work;
}

Floor floor_without(const LaunchFloor &launch, std::span<const Finding *const> findings) {
  UnitWork saved;
  for (const Finding *finding : findings)
    saved += avoidable_work(*finding);
  return floor_of(launch.work.without(saved), *launch.gpu);
}

Intensity intensity_of(const LaunchWork &work) {
  if (work.at_least) // a quotient of two lower bounds
    return {};
  constexpr double kWarp = 32, kWavefrontBytes = 128;
  const ArithmeticWork &done = work.arithmetic;
  const double operations =
      kWarp * (static_cast<double>(done.fp32) + static_cast<double>(done.fp64)) + static_cast<double>(done.tensor);
  const auto each = [&](double bytes) {
    return operations > 0 && bytes > 0 ? std::optional(operations / bytes) : std::nullopt;
  };
  return {each(static_cast<double>(work.read_bytes) + static_cast<double>(work.written_bytes)),
          each(kWavefrontBytes * static_cast<double>(work.total.shared_wavefronts))};
}

std::string array_name(const Program &program, const ArrayReads &reads) {
  const Site &site = program.sites[reads.site];
  return site.array.empty() ? shorten(site.expression.empty() ? "an array" : site.expression, 40) : site.array;
}

namespace {

/// The floor of each launch, found once for all findings that it has.
class LaunchFloors {
public:
  LaunchFloors(std::span<const FileAnalysis> files, const Gpu *asked) : files_(files), asked_(asked) {}

  const std::optional<LaunchFloor> &of(std::size_t file, std::size_t launch) {
    const auto [known, first] = known_.try_emplace({file, launch});
    if (first)
      known->second = launch_floor(files_[file], files_[file].launches[launch], asked_);
    return known->second;
  }

private:
  std::span<const FileAnalysis> files_;
  const Gpu *asked_;
  std::map<std::pair<std::size_t, std::size_t>, std::optional<LaunchFloor>> known_;
};

/// Of one launch that has the finding.
std::optional<double> most_gain_of(const Instance &instance, LaunchFloors &floors) {
  if (instance.launch == Finding::kNoIndex || !instance.traffic || instance.traffic->at_least ||
      instance.traffic->unit != Unit::Wavefronts)
    return std::nullopt;
  const std::optional<LaunchFloor> &launch = floors.of(instance.file, instance.launch);
  if (!launch || launch->assumed_launch)
    return std::nullopt;
  UnitWork saved;
  saved.shared_wavefronts = instance.traffic->excess();
  return most_gain(launch->work, saved, *launch->gpu, launch->residency);
}

} // namespace

void add_worth(std::span<Finding> findings, std::span<const FileAnalysis> files, const Gpu *asked) {
  constexpr std::size_t kMostInstances = 1000; // of more it is not known what the best of them gains
  LaunchFloors floors(files, asked);
  for (Finding &finding : findings) {
    if (finding.launch == Finding::kNoIndex || avoidable_work(finding) == UnitWork())
      continue;
    const std::optional<LaunchFloor> &launch = floors.of(finding.file, finding.launch);
    if (!launch || launch->assumed_launch)
      continue;
    const Finding *const one = &finding;
    Worth worth{launch->floor.ns, floor_without(*launch, std::span(&one, 1)).ns, !launch->bound().value_or(true),
                std::nullopt};
    if (finding.instances.size() <= kMostInstances) {
      worth.most_gain = 1;
      for (const Instance &instance : finding.instances) {
        const std::optional<double> most = most_gain_of(instance, floors);
        worth.most_gain = most && worth.most_gain ? std::optional(std::max(*most, *worth.most_gain)) : std::nullopt;
      }
    }
    finding.worth = worth;
  }
}

std::string duration_text(std::uint64_t ns) {
  constexpr std::uint64_t kMostMicroseconds = 100'000;
  const auto with_digits = [](std::uint64_t tenths, std::uint64_t unit, unsigned digits) {
    const std::string rest = std::to_string(tenths % unit);
    return std::to_string(tenths / unit) + "." + std::string(digits - rest.size(), '0') + rest + " us";
  };
  if (ns < 10'000)
    return with_digits(ns / 10, 100, 2);
  if (ns < 100'000)
    return with_digits(ns / 100, 10, 1);
  return ns / 1000 < kMostMicroseconds ? thousands(ns / 1000) + " us" : thousands(ns / 1'000'000) + " ms";
}

std::string floor_text(const LaunchFloor &launch) {
  const std::string unit(to_string(launch.floor.binding)), time = time_text(launch.floor);
  if (launch.bound().value_or(true)) // what is not counted to the end may be another unit's
    return time + " " + on_gpu(*launch.gpu) + " (" + unit + (launch.floor.at_least ? ", of what is counted)" : ")");
  return "not bound by throughput " + on_gpu(*launch.gpu) + ": " + plural(launch.work.blocks, "block") + " on " +
         thousands(static_cast<std::uint64_t>(launch.gpu->sms.value)) + " SMs, " +
         plural(launch.residency.warps_at_once, "warp") + " an SM, " + time + " of " + unit;
}

std::string worth_text(const LaunchFloor &launch, std::span<const Finding *const> findings) {
  const bool avoids =
      std::ranges::any_of(findings, [](const Finding *finding) { return avoidable_work(*finding) != UnitWork(); });
  if (!avoids || launch.assumed_launch)
    return {};
  if (!launch.bound().value_or(true))
    return floor_text(launch);
  const Floor left = floor_without(launch, findings);
  const std::string them = findings.size() == 1 ? "it" : "them";
  if (!is_lower(left, launch.floor))
    return floor_text(launch) + ", and the same without " + them + at_most_text(launch, findings);
  return floor_text(launch) + "; " + time_text(left) + " without " + them + " (" + ratio(launch.floor.ns, left.ns) +
         ")" +
         (left.at_least || left.binding == launch.floor.binding
              ? ""
              : ", then bound by " + std::string(to_string(left.binding)));
}

} // namespace smem
