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
    Races all = Races::unknown(std::string(kBlockNotKnown));
    const bool planes = reads(source_, {SpecialRegister::ThreadY, SpecialRegister::BlockDimY});
    // The one that was assumed for the counts keeps inside the arrays; of what is left others are tried.
    bool decided = decide(launch_.block, all);
    for (const std::vector<Dim3> &tier : likely_blocks(source_, launch_, architecture_, planes)) {
      for (const Dim3 &block : tier)
        decided =
            decided && !options_.stop.stop_requested() && (block == launch_.block || !left_ || decide(block, all));
      if (!decided || racing_)
        break;
    }
    all.steps = steps_;
    if (!decided)
      return all;
    if (!racing_ && all.free_blocks.empty())
      all.free_blocks = std::move(idle_);
    if (!racing_ && !all.free_blocks.empty()) {
      all.between_warps = all.within_warp = all.between_blocks = RaceVerdict::Free;
      all.assumed = true;
      all.leave_barriers_open(std::string(kBlockNotKnown));
      const std::size_t tried = all.free_blocks.size();
      all.assumptions = {
          {"block: not known from the source; no launch races with " +
           (tried == 1 ? std::string("the one block that was tried")
                       : "any of the " + std::to_string(tried) + " blocks that were tried") +
           (left_out_ ? ", " + std::to_string(left_out_) + " others leave the kernel's arrays" : std::string())}};
    } else if (racing_ && all.free_blocks.empty()) {
      all = std::move(*racing_);
      tried_.block = *all.block;
      if (racing_options_.assume)
        find_barriers(all, source_, tried_, architecture_, racing_options_);
      else
        look_at_barriers(all, source_, tried_, architecture_, racing_options_, racing_every_);
      all.steps = steps_;
      const Assumption block{"block=" + to_string(*all.block) + ": not known from the source, and threads race in " +
                             std::to_string(count_) +
                             (count_ == 1 ? " block that was tried" : " blocks that were tried")};
      all.assumed = true;
      all.assumptions.insert(all.assumptions.begin(), block);
      all.leave_barriers_open(std::string(kBlockNotKnown));
    } else if (racing_) {
      all.reason += ", and threads race with " + to_string(*racing_->block);
    }
    return all;
  }

private:
  static constexpr std::uint64_t kShare = 4;   ///< of what a launch that is known may take
  static constexpr std::uint32_t kUsual = 256; ///< threads of a block

  /// False: it is not known what threads of this block do.
  bool decide(const Dim3 &block, Races &all) {
    tried_.block = block;
    options_.max_steps = 2 * left_; // every_launch() takes half
    const EveryLaunch every = every_launch(source_, tried_, architecture_, options_);
    spend(every.steps);
    if (every.free) {
      (every.accesses ? all.free_blocks : idle_).push_back(block);
      return true;
    }
    options_.max_steps = left_;
    Races found = left_ ? find_or_free(source_, tried_, architecture_, options_, every) : Races::unknown("");
    spend(found.steps);
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
    if (leaves_arrays) {
      ++left_out_;
      // It is meant for other blocks, unless there is more dynamic shared memory than was assumed.
      return launch_.dynamic_known || std::ranges::none_of(source_.shared_arrays, &SharedArray::dynamic);
    }
    if (found.verdict() != RaceVerdict::Race) {
      if (left_ == 0 && block != launch_.block) // others were decided
        return true;
      all.reason = std::string(kBlockNotKnown) +
                   (found.reason.empty() ? "" : "; with " + to_string(block) + ": " + found.reason);
      all.reason_location = found.reason_location;
      return false;
    }
    const auto distance = [&](const Dim3 &one) {
      const auto threads = static_cast<std::int64_t>(one.count());
      return std::tuple(one != launch_.block, one.y, threads > kUsual ? threads - kUsual : kUsual - threads);
    };
    ++count_;
    if (!racing_ || distance(block) < distance(*racing_->block)) {
      found.block = block;
      racing_ = std::move(found);
      racing_every_ = every;
      racing_options_ = std::move(searched);
    }
    return true;
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
  std::optional<Races> racing_; ///< those of the most usual block
  EveryLaunch racing_every_;
  RaceOptions racing_options_; ///< it was found with
  std::vector<Dim3> idle_;     ///< those with which nothing is accessed: the kernel is not meant for them
  std::size_t count_ = 0;      ///< blocks whose threads race
  std::size_t left_out_ = 0;   ///< those with which accesses leave their arrays
};

} // namespace

Races races_of_unknown_block(const Program &source, const Launch &launch, const Architecture &architecture,
                             const RaceOptions &options) {
  return LikelyBlocks(source, launch, architecture, options).run();
}

} // namespace smem
