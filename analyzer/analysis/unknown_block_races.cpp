#include "analysis/unknown_block_races.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/assumed_input_races.h"
#include "analysis/likely_blocks.h"
#include "analysis/race_search.h"

namespace smem {
namespace {

/// Of a launch whose block is not known: what those blocks say that were tried.
class LikelyBlocks {
public:
  LikelyBlocks(const Program &source, const Launch &launch, const Architecture &architecture,
               const RaceOptions &options)
      : source_(source), launch_(launch), tried_(known_part(launch, source)), architecture_(architecture),
        options_(options), left_(options.max_steps / kShare) {
    // As much as any kernel has without asking for more: how much it is of may depend on the block.
    if (!launch.dynamic_known)
      tried_.dynamic_shared_bytes =
          std::max<std::uint64_t>(tried_.dynamic_shared_bytes, architecture.capacity.shared_default);
  }

  Races run() {
    const bool planes = reads(source_, {SpecialRegister::ThreadY, SpecialRegister::BlockDimY});
    // The one that was assumed for the counts keeps inside the arrays; of what is left others are tried.
    bool decided = decide(launch_.block);
    for (const std::vector<Dim3> &tier : likely_blocks(source_, launch_, architecture_, planes)) {
      for (const Dim3 &block : tier)
        decided = decided && !options_.stop.stop_requested() && (block == launch_.block || !left_ || decide(block));
      if (!decided || meant_.racing)
        break;
    }
    Tried &told = meant_.free.empty() && !meant_.racing ? others_ : meant_;
    Races all = !decided                             ? undecided()
                : told.racing && told.free.empty()   ? race(told)
                : !told.racing && !told.free.empty() ? free(told)
                                                     : undecided();
    if (all.free_blocks.empty() && !all.block)
      all.free_blocks = std::move(meant_.free);
    if (decided && told.racing && !all.block)
      all.reason += ", and threads race with " + to_string(*told.racing->block);
    all.steps = steps_;
    all.leave_barriers_open(std::string(kBlockNotKnown));
    return all;
  }

private:
  static constexpr std::uint64_t kShare = 4;   ///< of what a launch that is known may take
  static constexpr std::uint32_t kUsual = 256; ///< threads of a block

  struct Tried {
    std::vector<Dim3> free;      ///< every launch with them is
    std::optional<Races> racing; ///< those of the most usual block
    EveryLaunch every;           ///< of it
    RaceOptions options;         ///< it was found with
    std::size_t count = 0;       ///< blocks whose threads race
  };

  Races undecided() const {
    Races races = Races::unknown(reason_);
    races.reason_location = reason_location_;
    return races;
  }

  Races free(const Tried &told) const {
    Races races = Races::unknown(std::string(kBlockNotKnown));
    races.free_blocks = told.free;
    races.between_warps = races.within_warp = races.between_blocks = RaceVerdict::Free;
    races.assumed = true;
    const std::size_t tried = told.free.size();
    races.assumptions = {
        {"block: not known from the source; no launch races with " +
         (tried == 1 ? std::string("the one block that was tried")
                     : "any of the " + std::to_string(tried) + " blocks that were tried") +
         (left_out_ ? ", " + std::to_string(left_out_) + " others leave the kernel's arrays" : std::string())}};
    return races;
  }

  Races race(Tried &told) {
    Races races = std::move(*told.racing);
    tried_.block = *races.block;
    if (told.options.assume)
      find_barriers(races, source_, tried_, architecture_, told.options);
    else
      look_at_barriers(races, source_, tried_, architecture_, told.options, told.every);
    const Assumption block{"block=" + to_string(*races.block) + ": not known from the source, and threads race in " +
                           std::to_string(told.count) +
                           (told.count == 1 ? " block that was tried" : " blocks that were tried")};
    races.assumed = true;
    races.assumptions.insert(races.assumptions.begin(), block);
    return races;
  }

  /// False: it is not known what threads of this block do.
  bool decide(const Dim3 &block) {
    tried_.block = block;
    options_.max_steps = 2 * left_; // every_launch() takes half
    const EveryLaunch every = every_launch(source_, tried_, architecture_, options_);
    spend(every.steps);
    options_.max_steps = left_;
    Races found = left_ ? find_or_free(source_, tried_, architecture_, options_, every) : Races::unknown("");
    spend(found.steps);
    // A kernel is not meant for a block with which it does nothing, or reads what no thread has written.
    const bool meant = every.free ? every.accesses && !reads_unwritten(found) : found.unwritten.empty();
    Tried &tried = meant ? meant_ : others_;
    if (every.free) {
      tried.free.push_back(block);
      return true;
    }
    RaceOptions searched = options_;
    bool leaves_arrays = found.leaves_arrays;
    if (found.verdict() == RaceVerdict::Unknown && !leaves_arrays && left_) {
      searched.max_steps = left_;
      AssumedInputRaces assumed = with_assumed_input(source_, tried_, architecture_, searched, found);
      spend(assumed.steps);
      leaves_arrays = assumed.leaves_arrays;
      searched = std::move(assumed.options);
      if (assumed.races)
        found = with_witnesses(std::move(found), std::move(*assumed.races), {});
    }
    if (!left_ && block != launch_.block) // what it would have come to is not known: others decide
      return true;
    if (leaves_arrays) {
      ++left_out_;
      // It is meant for other blocks, unless there is more dynamic shared memory than was assumed.
      return launch_.dynamic_known || std::ranges::none_of(source_.shared_arrays, &SharedArray::dynamic);
    }
    if (found.verdict() != RaceVerdict::Race) {
      if (!found.unwritten.empty()) // others decide
        return true;
      if (!found.reason.empty())
        reason_ += "; with " + to_string(block) + ": " + found.reason;
      reason_location_ = found.reason_location;
      return false;
    }
    const auto distance = [&](const Dim3 &one) {
      const auto threads = static_cast<std::int64_t>(one.count());
      return std::tuple(one != launch_.block, one.y, threads > kUsual ? threads - kUsual : kUsual - threads);
    };
    ++tried.count;
    if (!tried.racing || distance(block) < distance(*tried.racing->block)) {
      found.block = block;
      tried.racing = std::move(found);
      tried.every = every;
      tried.options = std::move(searched);
    }
    return true;
  }

  /// Of a block that is free, with some lengths of its loops where these are not known.
  bool reads_unwritten(const Races &found) {
    if (found.verdict() != RaceVerdict::Unknown || !found.unwritten.empty() || !left_)
      return !found.unwritten.empty();
    RaceOptions options = options_;
    options.max_steps = left_;
    options.assume = kLikelyInput;
    const Races likely = find_races(source_, tried_, architecture_, options);
    spend(likely.steps);
    return !likely.unwritten.empty();
  }

  void spend(std::uint64_t steps) {
    left_ -= std::min(left_, steps);
    steps_ += steps;
  }

  const Program &source_;
  const Launch &launch_;
  Launch tried_;
  const Architecture &architecture_;
  RaceOptions options_;
  std::uint64_t left_, steps_ = 0;
  Tried meant_, others_;
  std::string reason_{kBlockNotKnown}; ///< where nothing is decided
  SourceLocation reason_location_;
  std::size_t left_out_ = 0; ///< those with which accesses leave their arrays
};

} // namespace

Races races_of_unknown_block(const Program &source, const Launch &launch, const Architecture &architecture,
                             const RaceOptions &options) {
  return LikelyBlocks(source, launch, architecture, options).run();
}

} // namespace smem
