#include "classes.h"

#include <algorithm>

namespace smem {

std::vector<Problem> check_launch(const Machine &machine) {
  std::vector<Problem> problems;
  const Launch &launch = machine.launch;
  auto report = [&](Problem::Kind kind, std::string message) {
    Problem problem;
    problem.kind = kind;
    problem.message = std::move(message);
    problem.location = launch.location.known() ? launch.location : machine.program.location;
    problems.push_back(std::move(problem));
  };
  const std::uint64_t threads = launch.block.count();
  if (!threads || !launch.grid.count())
    report(Problem::Kind::LaunchLimit,
           "an empty launch: grid " + to_string(launch.grid) + ", block " + to_string(launch.block));
  if (threads > machine.architecture.max_threads_per_block)
    report(Problem::Kind::LaunchLimit, "a block of " + std::to_string(threads) + " threads; " +
                                           std::string(machine.architecture.name) + " allows " +
                                           std::to_string(machine.architecture.max_threads_per_block));
  if (machine.program.max_threads && threads > *machine.program.max_threads &&
      threads <= machine.architecture.max_threads_per_block)
    report(Problem::Kind::LaunchLimit, "a block of " + std::to_string(threads) +
                                           " threads for a kernel with __launch_bounds__(" +
                                           std::to_string(*machine.program.max_threads) + ")");
  if (launch.block.z > 64)
    report(Problem::Kind::LaunchLimit, "block.z is " + std::to_string(launch.block.z) + "; at most 64 is allowed");
  if (launch.grid.x > 0x7fffffffu || launch.grid.y > 65535 || launch.grid.z > 65535)
    report(Problem::Kind::LaunchLimit, "grid " + to_string(launch.grid) + " exceeds (2147483647,65535,65535)");
  if (machine.shared_bytes > machine.architecture.capacity.shared_per_block)
    report(Problem::Kind::SharedCapacity, std::to_string(machine.shared_bytes) + " bytes of shared memory a block; " +
                                              std::string(machine.architecture.name) + " has " +
                                              std::to_string(machine.architecture.capacity.shared_per_block));
  else if (machine.layout.static_bytes > machine.architecture.capacity.shared_default)
    report(Problem::Kind::SharedCapacity, std::to_string(machine.layout.static_bytes) +
                                              " bytes of static shared memory; the limit is " +
                                              std::to_string(machine.architecture.capacity.shared_default) +
                                              ", more has to be dynamic and opted into");
  return problems;
}

bool fatal(const Problem &problem) {
  return problem.kind == Problem::Kind::LaunchLimit || problem.kind == Problem::Kind::SharedCapacity;
}

Box whole_grid(const Launch &launch) {
  return {{{0, 1, 0, launch.grid.x}, {1, 1, 0, launch.grid.y}, {2, 1, 0, launch.grid.z}}};
}

std::optional<Box> UncoveredBlocks::next() {
  if (boxes_.empty())
    return std::nullopt;
  Box box = std::move(boxes_.back());
  boxes_.pop_back();
  return box;
}

void UncoveredBlocks::divide(const Box &box, const PeriodWish &wish) {
  for (Box &part : split(box, wish.dimension, wish.period))
    boxes_.push_back(std::move(part));
}

void UncoveredBlocks::cover(const Box &box, const Box &region, const std::function<bool(const Box &)> &wanted) {
  for (Box &rest : remainder(box, region))
    if (!wanted || wanted(rest))
      boxes_.push_back(std::move(rest));
}

void UncoveredBlocks::separate() {
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::vector<Box> single;
    for (const Box &box : boxes_)
      for (std::int64_t i = 0; i < box.digits[axis].extent; ++i) {
        single.push_back(box);
        single.back().digits[axis].low = i;
        single.back().digits[axis].extent = 1;
      }
    boxes_ = std::move(single);
  }
  std::reverse(boxes_.begin(), boxes_.end());
}

Warp::Status execute_block(Machine &machine, Scopes &scopes, std::uint32_t first_warp, std::uint32_t last_warp) {
  CellMemory shared;
  std::vector<Warp> warps;
  warps.reserve(last_warp - first_warp);
  for (std::uint32_t w = first_warp; w < last_warp; ++w)
    warps.emplace_back(machine, scopes, w, machine.values_in_shared ? &shared : nullptr);
  std::vector<bool> finished(warps.size());
  for (bool running = true; running;) {
    running = false;
    for (std::size_t w = 0; w < warps.size(); ++w) {
      if (finished[w])
        continue;
      const Warp::Status status = warps[w].run(machine.values_in_shared);
      if (status == Warp::Status::Interrupted || status == Warp::Status::OutOfSteps)
        return status;
      if (status == Warp::Status::AtBarrier)
        running = true;
      else
        finished[w] = true;
    }
  }
  return Warp::Status::Finished;
}

namespace {

/// What executing all of `blocks` by these warps would take, by the steps that some of `box` take. Nothing is counted.
double steps_by_sample(Machine &machine, const Box &box, std::uint64_t blocks, std::uint32_t first_warp,
                       std::uint32_t last_warp, std::uint64_t most) {
  const std::uint64_t steps = machine.steps, events = machine.events, limit = machine.step_limit;
  machine.step_limit = steps + most;
  double taken = 0, share = 1;
  for (Box part = box;;) {
    const std::uint64_t before = machine.steps;
    Scopes scopes(part);
    const Warp::Status status = execute_block(machine, scopes, first_warp, last_warp);
    taken = static_cast<double>(status == Warp::Status::OutOfSteps ? most : machine.steps - before);
    if (status == Warp::Status::Finished)
      share = static_cast<double>(blocks) / static_cast<double>(scopes.region().count()); // else it may stand for all
    if (status != Warp::Status::Interrupted)
      break;
    const PeriodWish wish = *scopes.wished();
    part = split(part, wish.dimension, wish.period).front();
  }
  machine.steps = steps;
  machine.events = events;
  machine.step_limit = limit;
  return taken * std::max(share, 1.0);
}

const Box &largest_of(const std::vector<Box> &boxes) { return *std::ranges::max_element(boxes, {}, &Box::count); }

/// The blocks of `box` from a place along its longest side on: 0 is its beginning, `of` would be behind its end.
Box from_there(const Box &box, std::int64_t place, std::int64_t of) {
  Box part = box;
  Digit &longest = *std::ranges::max_element(part.digits, {}, &Digit::extent);
  const std::int64_t skipped = (longest.extent - 1) / (of - 1) * place;
  longest.low += skipped;
  longest.extent -= skipped;
  return part;
}

/// The same as is_hopeless() long before, where blocks that differ from each other may be few: whether what is left takes many times the budget by what there has been, and wherever one
/// looks; the more the fewer steps there have been. `covered`: blocks that the steps stand for, once for each group of warps.
bool is_far_beyond(Machine &machine, const std::vector<Box> &open, std::uint64_t covered, std::uint32_t first_warp,
                   std::uint32_t together, std::uint32_t warps, std::uint64_t longest) {
  constexpr double kLeast = 2, kMost = 8; // times the budget
  constexpr std::int64_t kPlaces = 3;
  const std::uint64_t sample = 2 * longest;
  if (open.empty() || sample * kPlaces > machine.options.max_steps / 8)
    return false;
  const auto budget = static_cast<double>(machine.options.max_steps);
  const double enough = budget * std::clamp(budget / 8 / static_cast<double>(machine.steps), kLeast, kMost);
  const std::uint32_t next = first_warp + together, others = (warps - next) / together;
  std::uint64_t left = 0;
  for (const Box &box : open)
    left += box.count();
  const double of_a_block = static_cast<double>(machine.steps) / static_cast<double>(covered);
  if (of_a_block * static_cast<double>(left + others * machine.launch.grid.count()) <= enough)
    return false;
  double least = 1e18;
  for (std::int64_t place = 0; place < kPlaces; ++place)
    least = std::min(least, steps_by_sample(machine, from_there(largest_of(open), place, kPlaces), left, first_warp,
                                            first_warp + together, sample));
  if (others != 0 && least <= enough) {
    const Box whole = whole_grid(machine.launch);
    const double last = steps_by_sample(machine, whole, whole.count(), warps - together, warps, sample);
    least += std::min(least, last) * others;
  }
  if (least <= enough)
    return false;
  machine.least_budget = static_cast<std::uint64_t>(least);
  return true;
}

/// Whether what is left takes so much more than the budget that there is no point in going on. `open`: boxes of the present warps; `longest`:
/// the steps of the longest execution so far.
bool is_hopeless(Machine &machine, const std::vector<Box> &open, std::uint32_t first_warp, std::uint32_t together,
                 std::uint32_t warps, std::uint64_t longest) {
  constexpr double kClearly = 2; // times the budget: samples are not exact
  std::uint64_t left = 0;
  const Box whole = whole_grid(machine.launch);
  const Box *largest = &whole;
  for (const Box &box : open) {
    left += box.count();
    if (largest == &whole || box.count() > largest->count())
      largest = &box;
  }
  const double enough = kClearly * static_cast<double>(machine.options.max_steps);
  // What is cut off says nothing of what it stands for: a sample may take as long as what has been executed.
  const std::uint64_t sample = std::max(machine.options.max_steps / 16, longest + longest / 4);
  const auto exceeds = [&](double steps) {
    constexpr double kMost = 1e18;
    if (steps > enough)
      machine.least_budget = static_cast<std::uint64_t>(std::min(steps, kMost));
    return steps > enough;
  };
  double all = static_cast<double>(machine.steps);
  if (left)
    all += steps_by_sample(machine, *largest, left, first_warp, first_warp + together, sample);
  if (exceeds(all))
    return true;
  // The first warp may have more to do than the others, or less than the last.
  if (const std::uint32_t next = first_warp + together; next < warps) {
    const auto blocks = whole.count();
    const double least = std::min(steps_by_sample(machine, *largest, blocks, next, next + together, sample),
                                  steps_by_sample(machine, *largest, blocks, warps - together, warps, sample));
    all += least * ((warps - next) / together);
  }
  return exceeds(all);
}

} // namespace

bool no_warp_ends_within(Machine &machine, std::uint64_t steps) {
  const auto warps = static_cast<std::uint32_t>((machine.launch.block.count() + kWarpSize - 1) / kWarpSize);
  if (!steps || machine.values_in_shared || warps < machine.options.max_steps / steps)
    return false;
  if (steps_by_sample(machine, whole_grid(machine.launch), 1, warps - 1, warps, steps) < static_cast<double>(steps))
    return false;
  machine.least_budget = steps * warps;
  return true;
}

std::uint64_t groups_of_warps(const Machine &machine) {
  return machine.values_in_shared ? 1 : (machine.launch.block.count() + kWarpSize - 1) / kWarpSize;
}

void run_classes(Machine &machine, const std::function<bool(Scopes &scopes, const Box &region)> &found) {
  const auto warps = static_cast<std::uint32_t>((machine.launch.block.count() + kWarpSize - 1) / kWarpSize);
  // Warps that share no values are independent, and each has classes of blocks of its own.
  const std::uint32_t together = machine.values_in_shared ? warps : 1;
  std::uint64_t look_at = machine.options.max_steps / 8, longest = 0;
  std::uint64_t glance_at = std::max<std::uint64_t>(machine.options.max_steps / 64, 4096);
  std::uint64_t covered = 0; // blocks, once for each group of warps
  for (std::uint32_t first = 0; first < warps && !machine.out_of_steps(); first += together) {
    UncoveredBlocks open(machine.launch);
    if (!machine.options.classes)
      open.separate();
    while (const std::optional<Box> box = open.next()) {
      Scopes scopes(*box, !machine.symbols.symbolic);
      const std::uint64_t before = machine.steps;
      const Warp::Status status = execute_block(machine, scopes, first, first + together);
      longest = std::max(longest, machine.steps - before);
      if (status == Warp::Status::Interrupted) {
        open.divide(*box, *scopes.wished());
        continue;
      }
      if (status == Warp::Status::OutOfSteps)
        return;
      const Box region = scopes.region();
      if (!found(scopes, region))
        return;
      covered += region.count();
      open.cover(*box, region, [&](const Box &rest) {
        return std::none_of(rest.digits.begin(), rest.digits.end(),
                            [&](const Digit &d) { return machine.open_grid[d.axis] && d.low > 0; });
      });
      if (!machine.options.classes || machine.symbols.symbolic)
        continue;
      if (machine.steps > look_at) {
        machine.hopeless = is_hopeless(machine, open.boxes(), first, together, warps, longest);
        look_at = machine.steps * 2;
      } else if (machine.steps > glance_at) {
        machine.hopeless = is_far_beyond(machine, open.boxes(), covered, first, together, warps, longest);
        glance_at = machine.steps * 2;
      }
      if (machine.hopeless)
        return;
    }
  }
}

} // namespace smem
