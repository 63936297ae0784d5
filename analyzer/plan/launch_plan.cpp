#include "plan/launch_plan.h"

#include "plan/assumed_parts.h"
#include "plan/draft.h"
#include "plan/follow_host.h"
#include "plan/kernel_facts.h"
#include "plan/kernel_uses.h"
#include "plan/plausible_arguments.h"
#include "plan/recorded_drafts.h"
#include "smem/pattern.h"
#include "smem/shared_layout.h"
#include "support/paths.h"
#include "support/scalar_text.h"

#include <algorithm>
#include <map>

namespace smem {
namespace {

/// Where the kernel says how many threads it is made for.
std::string bounds_text(const Program &program) {
  SourceLocation place = program.location;
  place.file = seen_from_here(place.file);
  return "__launch_bounds__(" + std::to_string(*program.max_threads) + ")" +
         (place.known() ? " at " + to_string(place) : "");
}

/// Limits that what is stated exceeds by itself.
std::string impossible(const Draft &draft, const Program &program, const Architecture &architecture) {
  const Launch &launch = draft.launch;
  const std::string on = " on " + std::string(architecture.name);
  if (draft.block_said) {
    const std::string block =
        "block=" + to_string(launch.block) + " has " + std::to_string(launch.block.count()) + " threads; ";
    if (launch.block.count() > architecture.max_threads_per_block)
      return block + "at most " + std::to_string(architecture.max_threads_per_block) + " are allowed" + on;
    if (program.max_threads && launch.block.count() > *program.max_threads)
      return block + "the kernel has " + bounds_text(program);
    if (launch.block.z > 64)
      return "block=" + to_string(launch.block) + ": block.z is at most 64";
  }
  if (draft.grid_said && (launch.grid.x > 0x7fffffffu || launch.grid.y > 65535 || launch.grid.z > 65535))
    return "grid=" + to_string(launch.grid) + " exceeds (2147483647,65535,65535)";
  if (draft.dynamic_said) {
    const std::uint64_t bytes =
        layout_shared(program.shared_arrays, architecture).dynamic_offset + launch.dynamic_shared_bytes;
    if (bytes > architecture.capacity.shared_per_block)
      return "dynamic=" + std::to_string(launch.dynamic_shared_bytes) + " makes " + std::to_string(bytes) +
             " bytes of shared memory a block; at most " + std::to_string(architecture.capacity.shared_per_block) +
             " are allowed" + on;
  }
  return {};
}

bool said(const BlockFacts &facts) { return !std::ranges::all_of(facts, &ArgumentFacts::empty); }

std::uint32_t most_threads(const Program &program, const Architecture &architecture) {
  return std::min(architecture.max_threads_per_block, program.max_threads.value_or(UINT32_MAX));
}

/// A block of which that is known, with a usual number of threads if it may have one.
std::optional<Dim3> nearest_block(const BlockFacts &facts, std::uint32_t most_threads) {
  constexpr std::int64_t kPlausibleThreads = 256;
  const auto axis = [&](std::size_t which, std::int64_t others) -> std::int64_t {
    ArgumentFacts possible;
    possible.least = 1;
    possible.most = most_threads / others;
    const std::optional<ArgumentFacts> both = *possible.most < 1 ? std::nullopt : combine(facts[which], possible);
    return both ? both->nearest(std::max<std::int64_t>(kPlausibleThreads / others, 1)).value_or(0) : 0;
  };
  const std::int64_t least_y = facts[1].nearest(1).value_or(0), z = facts[2].nearest(1).value_or(0);
  const std::int64_t x = least_y < 1 || z < 1 || least_y > most_threads || z > 64 ? 0 : axis(0, least_y * z);
  const std::int64_t y = x < 1 ? 0 : axis(1, x * z);
  if (y < 1)
    return std::nullopt;
  return Dim3{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)};
}

/// The blocks that are plausible, of those that are possible by what is known of them; empty: none is.
std::vector<Dim3> blocks_of(const Draft &draft, const Program &program, const Uses &uses,
                            const Architecture &architecture) {
  const BlockFacts &facts = draft.launch.block_facts;
  const std::vector<Dim3> plausible = plausible_blocks(program, uses);
  if (!said(facts))
    return plausible;
  std::vector<Dim3> blocks = plausible;
  std::erase_if(blocks, [&](const Dim3 &block) { return !admits(facts, block); });
  if (!blocks.empty())
    return blocks;
  if (const std::optional<Dim3> block = nearest_block(facts, most_threads(program, architecture)))
    return {*block};
  return draft.block_stated ? blocks : plausible;
}

PlannedLaunch complete(const Draft &draft, const Program &program, const Uses &uses, const Architecture &architecture,
                       std::uint64_t opted_in_bytes) {
  PlannedLaunch planned;
  planned.contradictions = draft.contradictions;
  if (draft.by_user)
    planned.impossible = impossible(draft, program, architecture);
  const std::vector<Dim3> blocks = blocks_of(draft, program, uses, architecture);
  if (blocks.empty() && !draft.block_known) {
    planned.impossible = "no block of at most " + std::to_string(most_threads(program, architecture)) +
                         " threads is one of '" + kernel_fact_text(draft.launch.block_facts) + "'" +
                         (program.max_threads ? "; the kernel has " + bounds_text(program) : std::string());
    planned.candidates.emplace_back();
    planned.candidates.back().location = draft.block_stated_at;
    return planned;
  }
  const std::uint8_t shapes =
      draft.launch.contradicted ? 0 : shapes_of(draft.launch.block_facts, most_threads(program, architecture));
  bool follows_host = false;
  const auto add = [&](Draft candidate, std::optional<Dim3> block, std::int64_t extent) {
    Launch &launch = candidate.launch;
    const std::size_t assumed = launch.assumptions.size();
    launch.mangled = program.mangled;
    launch.opted_in_bytes = opted_in_bytes;
    launch.grid_known = candidate.grid_known;
    launch.block_known = candidate.block_known;
    launch.block_shapes = shapes ? shapes : kAllShapes;
    const std::size_t of_host = overrides_host(draft, program, uses) ? 0 : draft.of_host.size();
    if (of_host != 0)
      launch.assumptions.insert(launch.assumptions.begin(), draft.of_host.begin(), draft.of_host.end());
    if (block) {
      launch.block = *block;
      const bool bounds = program.max_threads && block->count() == *program.max_threads;
      launch.shape_provenance = bounds ? Provenance::LaunchBounds : Provenance::Assumed;
      launch.assumptions.push_back({"block=" + to_string(*block) + ": " +
                                    reason_for(draft, "block",
                                               draft.block_stated ? "one of " + kernel_fact_text(*draft.block_stated)
                                               : bounds           ? "from __launch_bounds__"
                                                                  : "no launch found")});
    } else if (candidate.block_follows) {
      launch.shape_provenance = Provenance::Assumed;
    }
    if (!candidate.grid_known) {
      if (candidate.block_known && launch.shape_provenance == Provenance::HostCode)
        launch.shape_provenance = Provenance::Assumed;
      if (!candidate.grid_follows) {
        launch.grid = plausible_grid(launch.block, uses);
        launch.assumptions.push_back(
            {"grid=" + to_string(launch.grid) + ": " + reason_for(draft, "grid", "no launch found")});
      }
    }
    complete_dynamic(candidate, program, architecture);
    complete_arguments(candidate, program, uses, extent);
    if (draft.searched && !follows_host && launch.assumptions.size() > assumed + of_host)
      launch.assumptions.push_back({kNotReached});
    planned.pointer_assumptions = pointer_assumptions(candidate, program, uses); // the same for all
    planned.candidates.push_back(std::move(launch));
  };
  const auto add_with_blocks = [&](const Draft &candidate, std::int64_t extent) {
    if (candidate.block_known || candidate.block_follows)
      return add(candidate, std::nullopt, extent);
    for (const Dim3 &block : blocks)
      add(candidate, block, extent);
  };
  std::vector<const ConsistentLaunch *> agreeing;
  for (const ConsistentLaunch &follows : draft.consistent)
    if (agrees(draft, follows))
      agreeing.push_back(&follows);
  std::ranges::stable_sort(agreeing, {},
                           [&](const ConsistentLaunch *follows) { return less_plausible(*follows, program); });
  follows_host = true;
  for (const ConsistentLaunch *follows : agreeing) {
    Draft candidate = draft;
    follow(candidate, *follows, program, uses);
    add_with_blocks(candidate, kPlausibleExtent);
  }
  if (!planned.candidates.empty())
    return planned;
  follows_host = false;
  add_with_blocks(draft, kPlausibleExtent);
  if (const Launch &first = planned.candidates.front();
      std::any_of(first.arguments.begin(), first.arguments.end(),
                  [](const ArgumentValue &a) { return a.provenance == Provenance::Assumed && !a.pointer; }))
    for (const std::int64_t extent : {256, 128, 64, 32, 16, 8, 1})
      add(draft, draft.block_known ? std::nullopt : std::optional(blocks.front()), extent);
  return planned;
}

/// What the kernel's own code says of its arguments wherever it accesses memory: launches of which it does not hold access nothing. What is stated
/// otherwise stays, and both places are said.
void add_kernel_facts(std::vector<Draft> &drafts, std::span<const PlacedWish> wishes, const Program &program,
                      const Uses &uses) {
  const std::vector<ParameterFact> all = facts_of_all_sites(program);
  if (all.empty())
    return;
  for (const PassedScalar &passed : passed_scalars(program)) {
    if (passed.scalar.pointer)
      continue;
    const auto fact = std::ranges::find_if(all, [&](const ParameterFact &one) {
      return one.index == passed.index && one.offset == passed.scalar.offset && one.width == 8 * passed.scalar.size;
    });
    const bool needed = std::ranges::any_of(uses.arguments, [&](const Uses::Piece &piece) {
      return piece.index == passed.index && piece.offset == passed.scalar.offset;
    });
    if (fact == all.end() || !needed)
      continue;
    std::vector<Diagnostic> contradictions;
    const auto contradicts = [&](const PlacedWish &placed, const std::string &text) {
      SourceLocation place = fact->location;
      place.file = seen_from_here(place.file);
      contradictions.push_back(
          {Diagnostic::Severity::Warning,
           placed.wish->location.known() ? placed.wish->location
           : placed.location.known()     ? placed.location
                                         : fact->location,
           text + " of " + program.kernel + " contradicts " + to_string(fact->facts, passed.scalar.name) +
               (place.known() ? " of the kernel's code at " + to_string(place) : " of the kernel's code") +
               "; what is stated is taken"});
    };
    for (const PlacedWish &placed : wishes) {
      for (const auto &[name, facts] : said_of_parameters(*placed.wish))
        if (name == passed.scalar.name && !combine(facts, fact->facts))
          contradicts(placed, to_string(facts, name));
    }
    for (Draft &draft : drafts) {
      ArgumentValue &argument = argument_of(draft.launch, passed);
      if (&draft == &drafts.front())
        draft.contradictions.insert(draft.contradictions.end(), contradictions.begin(), contradictions.end());
      if (argument.value || argument.pointer)
        continue;
      const std::optional<ArgumentFacts> both = combine(argument.facts, fact->facts);
      if (!both || *both == argument.facts)
        continue;
      argument.facts = *both;
      argument.facts_location = fact->location;
    }
  }
}

} // namespace

std::vector<PlannedLaunch> plan_launches(const Program &program, const LaunchSources &sources,
                                         const Architecture &architecture) {
  // A launch that the default run does not reach is worth analysing if it is known or if there is no other.
  const bool any_reached = std::any_of(sources.host.begin(), sources.host.end(), [&](const HostLaunch &host) {
    return host.launch.mangled == program.mangled && host.reached;
  });
  std::vector<Draft> drafts;
  for (const HostLaunch &host : sources.host)
    if (host.launch.mangled == program.mangled && (host.reached || host.shape_known || !any_reached)) {
      Draft draft = draft_of(host);
      const auto known = std::ranges::find_if(drafts, [&](const Draft &other) { return same(draft, other); });
      if (known == drafts.end())
        drafts.push_back(std::move(draft));
      else {
        known->launch.reached |= draft.launch.reached;
        keep_common_origins(known->launch.arguments, draft.launch.arguments);
      }
    }
  const Uses uses = uses_of(program);
  if (!sources.recorded.empty())
    drafts = recorded_drafts(sources.recorded, drafts, program, uses);
  if (drafts.empty()) {
    Draft draft;
    draft.launch.shape_provenance = Provenance::Assumed;
    drafts.push_back(std::move(draft));
  }

  // From the weakest to the strongest, so that the last word is the strongest one's.
  std::map<Provenance, std::vector<PlacedWish>, std::greater<>> levels;
  for (const PlacedWish &placed : sources.wishes)
    levels[placed.wish->provenance].push_back(placed);
  for (const auto &[provenance, level] : levels)
    drafts = apply_level(std::move(drafts), level, program);
  add_kernel_facts(drafts, sources.wishes, program, uses);

  std::vector<PlannedLaunch> planned;
  for (const Draft &draft : drafts)
    planned.push_back(complete(draft, program, uses, architecture, sources.opted_in_bytes));
  return planned;
}

} // namespace smem
