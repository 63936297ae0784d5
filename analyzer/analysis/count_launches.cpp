#include "analysis/count_launches.h"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>

#include "analysis/alike_launches.h"
#include "analysis/simulate_launches.h"
#include "smem/program.h"

namespace smem {
namespace {

constexpr std::uint64_t kPieceOfLaunch = 64, kAllOfFile = 16;

bool same_code(const std::vector<CountedCode> &a, const std::vector<CountedCode> &b) {
  return &a == &b || std::ranges::equal(a, b, [](const CountedCode &x, const CountedCode &y) {
    return x.blocks == y.blocks && alike(x.program, y.program);
  });
}

/// Jobs that have the same result; the first is counted.
using Group = std::vector<std::size_t>;

std::vector<Group> groups_of(std::span<const CountingJob> jobs) {
  std::vector<Group> groups;
  std::map<SourceLocation, std::vector<std::size_t>> known; // by where a kernel or its template is
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].arithmetic->others.empty())
      continue;
    std::vector<std::size_t> &near = known[jobs[i].program->location];
    const auto same = std::ranges::find_if(near, [&](std::size_t group) {
      const CountingJob &first = jobs[groups[group].front()];
      return same_code(first.arithmetic->others, jobs[i].arithmetic->others) && alike(*first.launch, *jobs[i].launch);
    });
    if (same != near.end()) {
      groups[*same].push_back(i);
      continue;
    }
    near.push_back(groups.size());
    groups.push_back({i});
  }
  return groups;
}

} // namespace

CountedLaunches count_launches(std::span<const CountingJob> jobs, const AnalysisOptions &options) {
  CountedLaunches counted;
  counted.work.resize(jobs.size());
  const std::uint64_t most = std::max<std::uint64_t>(options.simulation.max_steps, 1);
  StepBudget budget(most, std::max<std::uint64_t>(most / kAllOfFile, 1));
  SimulationOptions piece = options.simulation;
  piece.max_steps = std::max<std::uint64_t>(most / kPieceOfLaunch, 1);
  const std::vector<Group> groups = groups_of(jobs);
  std::vector<CountedWork> results(groups.size());
  std::vector<std::string> errors(groups.size());
  std::map<SourceLocation, unsigned> exhausted;
  std::map<const KernelArithmetic *, std::vector<std::shared_ptr<const PreparedProgram>>> prepared;
  for (const Group &group : groups)
    if (const auto [own, fresh] = prepared.try_emplace(jobs[group.front()].arithmetic); fresh)
      for (const CountedCode &code : own->first->others)
        own->second.push_back(std::make_shared<const PreparedProgram>(code.program));
  for (std::size_t next = 0; next < groups.size(); next += StepBudget::kBatch) {
    const std::size_t batch = std::min(StepBudget::kBatch, groups.size() - next);
    const std::uint64_t most_of_each = budget.left() / batch; // nothing beyond what is left, unlike simulations
    std::vector<std::uint64_t> shares;
    for (std::size_t i = next; i < next + batch; ++i)
      shares.push_back(
          std::min(budget.share(batch, groups.size() - next, exhausted[jobs[groups[i].front()].program->location]),
                   most_of_each));
    options.parallel_for(batch, [&](std::size_t i) {
      const CountingJob &job = jobs[groups[next + i].front()];
      if (options.simulation.stop.stop_requested())
        return;
      try {
        results[next + i] = count_work(job.arithmetic->others, *job.launch, *options.frontend.architecture, piece,
                                       shares[i], prepared.at(job.arithmetic));
      } catch (const std::exception &error) {
        errors[next + i] = error.what();
      }
    });
    for (std::size_t i = next; i < next + batch; ++i) {
      budget.spend(results[i].steps);
      counted.steps += results[i].steps;
      if (counted.error.empty() && !errors[i].empty())
        counted.error = jobs[groups[i].front()].program->kernel + " failed: " + errors[i];
      unsigned &failures = exhausted[jobs[groups[i].front()].program->location];
      failures = StepBudget::exhausted_after(failures, results[i].exhausted);
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const std::size_t job : groups[i])
      counted.work[job] = results[i].work;
  return counted;
}

} // namespace smem
