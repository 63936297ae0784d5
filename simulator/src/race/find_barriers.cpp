// Which barrier makes a race vanish.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "reached_by_all.h"
#include "smem/control_flow.h"
#include "smem/race.h"

namespace smem {
namespace {

constexpr std::size_t kMostPaired = 4;    ///< places that are tried two by two
constexpr std::size_t kMostEnclosing = 6; ///< branches around an access that a barrier is tried before

/// Before instruction `index` of a block, where a statement of the source begins.
struct Place {
  BlockId block = kNone;
  std::size_t index = 0;
  SourceLocation line;
  bool ends_loop = false; ///< where the body of the loop on that line ends
  bool in_braces = false; ///< that have to be written around the body
};

std::optional<Place> place_of(const Program &program, std::uint32_t operation) {
  for (BlockId b = 0; b < program.blocks.size(); ++b)
    for (std::size_t i = 0; i < program.blocks[b].instructions.size(); ++i) {
      const Instruction &instruction = program.blocks[b].instructions[i];
      const SiteId site = program.memory_operations[operation].site;
      if (instruction.opcode == Opcode::Memory && instruction.index == operation && site != kNone)
        return Place{b, i, program.sites[site].location, false};
    }
  return std::nullopt;
}

/// Back to where the statement begins that starts on `place.line` and goes on to line `last`, as far as its block has it.
Place start_of_statement(const Program &program, Place place, unsigned last) {
  const auto belongs = [&](const Instruction &instruction) {
    if (instruction.opcode == Opcode::Barrier || instruction.opcode == Opcode::WarpBarrier)
      return false;
    if (instruction.opcode != Opcode::Memory)
      return true;
    const SiteId site = program.memory_operations[instruction.index].site;
    if (site == kNone)
      return true;
    const SourceLocation &at = program.sites[site].location;
    return at.file == place.line.file && at.line >= place.line.line && at.line <= last;
  };
  while (place.index > 0 && belongs(program.blocks[place.block].instructions[place.index - 1]))
    --place.index;
  return place;
}

/// Where all iterations of a loop end, if `continue` leads past no such place.
std::optional<Place> end_of_loop(const Program &program, const ControlFlow &flow, BlockId header) {
  const Loop &loop = flow.loops[flow.loop_of_header[header]];
  BlockId latch = kNone;
  for (const BlockId from : flow.predecessors[header])
    if (loop.contains[from]) {
      if (latch != kNone)
        return std::nullopt;
      latch = from;
    }
  if (latch == kNone || flow.predecessors[latch].size() > 1)
    return std::nullopt;
  // `for` and `while` ask at the beginning, `do` at the end.
  for (const BlockId block : {header, latch})
    if (const Terminator &asks = program.blocks[block].terminator; asks.targets.size() > 1 && asks.location.known())
      return Place{latch, program.blocks[latch].instructions.size(), asks.location, true};
  return std::nullopt;
}

/// The statement before which a loop's first iteration begins.
std::optional<Place> before_loop(const Program &program, const ControlFlow &flow, BlockId header) {
  const Loop &loop = flow.loops[flow.loop_of_header[header]];
  BlockId before = kNone;
  for (const BlockId from : flow.predecessors[header])
    if (!loop.contains[from]) {
      if (before != kNone)
        return std::nullopt;
      before = from;
    }
  const Terminator &asks = program.blocks[header].terminator;
  if (before == kNone || program.blocks[before].terminator.targets.size() > 1 || asks.targets.size() < 2 ||
      !asks.location.known())
    return std::nullopt;
  return Place{before, program.blocks[before].instructions.size(), asks.location, false};
}

/// Before the branches around the access, and at the end of loops around it, from the inside.
void add_places_around(std::vector<Place> &places, const Program &program, const ControlFlow &flow, BlockId block) {
  const BlockId access = block;
  for (std::size_t found = 0; found < kMostEnclosing;) {
    if (flow.loop_of_header[block] != kNone && flow.loops[flow.loop_of_header[block]].contains[access]) {
      for (const std::optional<Place> &place : {end_of_loop(program, flow, block), before_loop(program, flow, block)})
        if (place) {
          places.push_back(*place);
          ++found;
        }
    } else if (const Terminator &branch = program.blocks[block].terminator;
               block != access && branch.targets.size() > 1 && branch.location.known()) {
      places.push_back({block, program.blocks[block].instructions.size(), branch.location, false});
      ++found;
    }
    const BlockId above = flow.immediate_dominator[block];
    if (above == kNone || above == block)
      return;
    block = above;
  }
}

/// Before the line of a loop is not where each of its iterations comes by: what stands there is executed once.
bool is_before_its_loop(const Program &program, const ControlFlow &flow, const Place &place) {
  if (place.ends_loop)
    return false;
  return std::ranges::any_of(flow.loops, [&](const Loop &loop) {
    if (!loop.contains[place.block])
      return false;
    for (BlockId block = 0; block < program.blocks.size(); ++block) {
      const Terminator &asks = program.blocks[block].terminator;
      const bool leaves = asks.targets.size() > 1 && loop.contains[block] &&
                          std::ranges::any_of(asks.targets, [&](BlockId to) { return !loop.contains[to]; });
      const bool goes_on = std::ranges::any_of(asks.targets, [&](BlockId to) { return to == loop.header; });
      if (leaves && (block == loop.header || goes_on) && asks.location.file == place.line.file &&
          asks.location.line == place.line.line)
        return true;
    }
    return false;
  });
}

/// A branch of the same statement before the place, up to line `last`, comes after what is inserted before the statement.
bool begins_statement(const Program &program, const ControlFlow &flow, const Place &place, unsigned last) {
  for (BlockId block = place.block, above = flow.immediate_dominator[block]; above != kNone && above != block;
       block = above, above = flow.immediate_dominator[block])
    if (const Terminator &branch = program.blocks[above].terminator;
        branch.targets.size() > 1 && branch.location.file == place.line.file &&
        branch.location.line >= place.line.line && branch.location.line <= last)
      return false;
  return true;
}

/// As the source has room for it.
std::optional<Place> as_written(const Program &program, const ControlFlow &flow, Place place,
                                const RaceOptions &options) {
  const unsigned last = place.line.line;
  if (options.as_written) {
    const std::optional<BarrierEdit> edit = options.as_written({place.line, place.ends_loop});
    if (!edit)
      return std::nullopt;
    place.line = edit->line;
    place.in_braces = edit->in_braces;
  }
  if (place.ends_loop)
    return place;
  if (!begins_statement(program, flow, place, last))
    return std::nullopt;
  place = start_of_statement(program, place, last);
  if (is_before_its_loop(program, flow, place))
    return std::nullopt;
  return place;
}

/// What is inserted in a function stands wherever it is called.
bool is_called_elsewhere(const Program &program, std::uint32_t operation) {
  const SiteId site = program.memory_operations[operation].site;
  if (site == kNone || program.sites[site].inlined_at.empty())
    return false;
  const Site &here = program.sites[site];
  return std::ranges::any_of(program.sites, [&](const Site &other) {
    return other.location == here.location && other.inlined_at != here.inlined_at;
  });
}

/// The same of what stands before a branch, or ends its loop.
bool is_branch_elsewhere(const Program &program, const SourceLocation &branch) {
  return std::ranges::count_if(program.blocks, [&](const BasicBlock &block) {
           return block.terminator.targets.size() > 1 && block.terminator.location == branch;
         }) > 1;
}

/// Those in the fewest loops first, as a barrier there is executed least often, and of these the nearest.
std::vector<Place> places_for(const Program &program, const ControlFlow &flow, const RaceWitness &witness,
                              const RaceOptions &options) {
  std::vector<Place> accesses, near, places;
  for (const std::uint32_t operation : {witness.second.operation, witness.first.operation})
    if (const std::optional<Place> access = place_of(program, operation)) {
      accesses.push_back(*access);
      if (!is_called_elsewhere(program, operation))
        near.push_back(*access);
    }
  std::vector<Place> around;
  for (const Place &access : accesses)
    add_places_around(around, program, flow, access.block);
  std::erase_if(around, [&](const Place &place) { return is_branch_elsewhere(program, place.line); });
  near.insert(near.end(), around.begin(), around.end());
  for (const Place &place : near)
    if (const std::optional<Place> written = as_written(program, flow, place, options))
      places.push_back(*written);
  std::ranges::stable_sort(places, {}, [&](const Place &place) {
    return std::ranges::count_if(flow.loops, [&](const Loop &loop) { return loop.contains[place.block]; });
  });
  return places;
}

/// The places in an order in which one does not move another: later ones of a block first.
Program with_barriers(Program program, std::vector<Place> places, bool of_warp) {
  std::ranges::sort(places, std::ranges::greater(),
                    [](const Place &place) { return std::pair(place.block, place.index); });
  for (const Place &place : places) {
    Instruction barrier;
    barrier.opcode = of_warp ? Opcode::WarpBarrier : Opcode::Barrier;
    barrier.immediate = of_warp ? static_cast<std::int64_t>(kFullMask) : 0;
    std::vector<Instruction> &instructions = program.blocks[place.block].instructions;
    instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(place.index), std::move(barrier));
    if (!of_warp)
      continue;
    Instruction mask; // that all lanes come to it is checked
    mask.opcode = Opcode::Constant;
    mask.width = 32;
    mask.immediate = static_cast<std::int32_t>(kFullMask);
    mask.result = program.register_count++;
    program.register_width.push_back(mask.width);
    Instruction members;
    members.opcode = Opcode::WarpMembers;
    members.operands = {mask.result};
    members.immediate = static_cast<std::int64_t>(WarpOperation::Barrier);
    instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(place.index), {mask, members});
  }
  return program;
}

/// One place after the other, and then the nearest ones two by two.
std::vector<std::vector<Place>> combinations(const std::vector<Place> &places) {
  std::vector<std::vector<Place>> all;
  for (const Place &place : places)
    all.push_back({place});
  const std::size_t near = std::min(places.size(), kMostPaired);
  for (std::size_t i = 0; i < near; ++i)
    for (std::size_t j = i + 1; j < near; ++j)
      if (std::pair(places[i].block, places[i].index) != std::pair(places[j].block, places[j].index))
        all.push_back({places[i], places[j]});
  return all;
}

using Pair = std::tuple<bool, std::uint32_t, std::uint32_t>;
Pair pair_of(const RaceWitness &witness) {
  const auto [low, high] = std::minmax(witness.first.operation, witness.second.operation);
  return {witness.within_warp, low, high};
}

/// Barriers that some threads do not come to, and whether all do where that was known.
bool has_worse_barriers(const Races &with, const Races &before) {
  return with.barriers.size() > before.barriers.size() || (with.barriers_open && !before.barriers_open);
}

} // namespace

void find_barriers(Races &races, const Program &program, const Launch &launch, const Architecture &architecture,
                   const RaceOptions &options) {
  if (races.witnesses.empty())
    return;
  const ControlFlow flow = analyze_control_flow(program);
  const std::vector<bool> by_all = race::reached_by_all(program, flow);
  std::uint64_t steps = 0;
  /// The races of the launch with barriers at `places`.
  const auto with = [&](const std::vector<Place> &places, bool of_warp,
                        const std::function<bool(const Races &)> &enough) {
    RaceOptions rest = options;
    rest.enough = enough;
    rest.max_steps -= std::min(rest.max_steps, steps);
    Races found = find_races(with_barriers(program, places, of_warp), launch, architecture, rest);
    steps += found.steps;
    return found;
  };
  std::map<Pair, std::vector<BarrierEdit>> edits;
  std::vector<BarrierEdit> of_all; ///< with which nothing races any more
  const auto search = [&](const RaceWitness &witness, std::vector<BarrierEdit> &best) {
    for (const std::vector<Place> &places : combinations(places_for(program, flow, witness, options))) {
      if (places.size() > 1 && !best.empty())
        break;
      const auto is_there = [&](const Races &found) {
        return std::ranges::any_of(found.witnesses,
                                   [&](const RaceWitness &other) { return pair_of(other) == pair_of(witness); });
      };
      // Of a barrier that is of no use, or of no more than another, no more is asked.
      const auto no_better = [&](const Races &found) {
        return is_there(found) || found.witnesses.size() >= (best.empty() ? races.witnesses.size() : 1);
      };
      const Races left = with(places, witness.within_warp, no_better);
      // A barrier that only some threads come to, or that more steps are needed for, leaves something unknown that was not.
      // Of masks nothing becomes unknown, and threads that end need not come, but a barrier is no place for some of them.
      if (has_worse_barriers(left, races))
        continue;
      const bool vanishes = !is_there(left);
      const bool excused = left.excusing.size() > races.excusing.size();
      const bool by_all_threads = std::ranges::all_of(places, [&](const Place &place) { return by_all[place.block]; });
      // Two barriers on two sides of a branch may count as one, and with other values than those that were made up only some threads may come to one.
      const bool free = left.verdict() == RaceVerdict::Free && !excused &&
                        (by_all_threads || (places.size() == 1 && !options.assume));
      // Where threads still race, whether all come to a barrier is open, and the search may have ended before it: only where it stands says so.
      const bool better = by_all_threads && !excused && vanishes && left.reason == races.reason &&
                          left.witnesses.size() < races.witnesses.size();
      if (free || (better && best.empty())) {
        best.clear();
        for (const Place &place : places)
          best.push_back({place.line, place.ends_loop, place.in_braces, witness.within_warp});
      }
      if (free) {
        of_all = best;
        return;
      }
    }
  };
  // What orders warps orders the lanes of each as well.
  for (const bool within_warp : {false, true})
    for (RaceWitness &witness : races.witnesses) {
      if (witness.within_warp != within_warp)
        continue;
      const auto [known, first] = edits.try_emplace(pair_of(witness), of_all);
      if (first && of_all.empty())
        search(witness, known->second);
      witness.edits = known->second;
    }
}

} // namespace smem
