// Races of kernels whose threads wait for barriers in shared memory: random kernels against executions of single threads in random orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "long_tests.h"
#include "program_builder.h"
#include "smem/race.h"

namespace smem {
namespace {

using test::ProgramBuilder;

constexpr unsigned kLanes = 32, kWords = 64, kMostBarriers = 2;

enum class What : std::uint8_t { Access, Arrive, Wait, ArriveAndWait, SyncWarp, Sync, Copy };

/// What a warp does next; `first_lane`: its first lane alone.
struct Step {
  What what = What::Access;
  bool first_lane = false;
  unsigned barrier = 0, parity = 0;
  Operation operation = Operation::Load; ///< word (lane * by_lane + offset) of the array
  unsigned by_lane = 0, offset = 0;
  unsigned bytes = 0; ///< Arrive: expected; Copy: moved to `offset`
};

struct Kernel {
  std::array<unsigned, kMostBarriers> count{};
  std::vector<std::vector<Step>> warps;
};

/// Phases that warps arrive at and wait for in turn, accesses between them, and now and then something wrong.
Kernel make_kernel(std::mt19937 &random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Kernel kernel;
  kernel.warps.resize(2 + below(2));
  const auto warps = static_cast<unsigned>(kernel.warps.size());
  std::array<std::vector<unsigned>, kMostBarriers>
      arrive_as; ///< by warp: 0 not, 1 all lanes, 2 the first after the others have met, 3 alone
  std::array<std::optional<unsigned>, kMostBarriers> copies; ///< the warp that copies
  for (unsigned b = 0; b < kMostBarriers; ++b) {
    for (unsigned w = 0; w < warps; ++w) {
      arrive_as[b].push_back(w == b ? 1 + below(3) : below(4));
      kernel.count[b] += arrive_as[b].back() == 1 ? kLanes : arrive_as[b].back() != 0;
    }
    if (below(3) == 0)
      copies[b] = below(warps);
    if (copies[b]) {
      kernel.count[b] -= arrive_as[b][*copies[b]] == 1 ? kLanes : arrive_as[b][*copies[b]] != 0;
      arrive_as[b][*copies[b]] = 2 + below(2);
      ++kernel.count[b];
    }
  }
  const bool wrong = below(3) == 0, calm = !wrong && below(2);
  const auto access = [&](unsigned w) {
    Step step;
    step.operation = below(calm ? 8 : 3) ? Operation::Load : Operation::Store;
    step.by_lane = below(4) ? 1 : 0;
    step.offset = below(4) ? kLanes * below(2) : below(kWords - kLanes);
    step.first_lane = below(6) == 0;
    kernel.warps[w].push_back(step);
  };
  std::array<unsigned, kMostBarriers> phases{};
  for (unsigned round = 2 + below(4); round > 0; --round) {
    for (unsigned n = below(3); n > 0; --n)
      access(below(warps));
    if (below(8) == 0)
      for (std::vector<Step> &steps : kernel.warps)
        steps.push_back({What::Sync});
    const unsigned b = below(kMostBarriers);
    const bool together = below(3) == 0 && !copies[b];
    for (unsigned w = 0; w < warps; ++w) {
      std::vector<Step> &steps = kernel.warps[w];
      if (wrong && below(12) == 0)
        continue;
      const unsigned as = arrive_as[b][w];
      Step step{together && as == 1 ? What::ArriveAndWait : What::Arrive, as != 1, b, phases[b] & 1};
      if (as == 2)
        steps.push_back({What::SyncWarp});
      if (copies[b] == w)
        step.bytes = 16 * (1 + below(4));
      if (as)
        steps.push_back(step);
      if (copies[b] == w) {
        Step copy{What::Copy, true, b};
        copy.bytes = wrong && below(8) == 0 ? 16 : step.bytes;
        copy.offset = 4 * below((kWords - copy.bytes / 4) / 4);
        steps.push_back(copy);
      }
    }
    for (unsigned w = 0; w < warps; ++w) {
      if (below(4) == 0)
        access(w);
      const bool waits = (wrong ? below(8) != 0 : below(16) != 0) && !(together && arrive_as[b][w] == 1);
      if (waits)
        kernel.warps[w].push_back({What::Wait, below(8) == 0, b, (phases[b] & 1) ^ unsigned{wrong && below(16) == 0}});
      if (below(3) == 0)
        access(w);
    }
    ++phases[b];
  }
  if (wrong && below(4) == 0)
    kernel.count[below(kMostBarriers)] += below(2) ? 1 : -1U;
  for (unsigned &count : kernel.count)
    count = std::clamp(count, 1U, 96U);
  return kernel;
}

// --- As a program --------------------------------------------------------------------------------------------------------------

class Builder {
public:
  Program build(const Kernel &kernel) {
    b_.shared_array(kWords * 4);
    b_.shared_array(std::uint64_t{8} * kMostBarriers);
    b_.program.waits_in_memory = b_.program.warps_meet_otherwise = true;
    const RegisterId thread = b_.special(SpecialRegister::ThreadX);
    lane_ = b_.binary(Opcode::And, thread, b_.constant(kLanes - 1));
    const RegisterId warp = b_.binary(Opcode::LShr, thread, b_.constant(5));
    b_.branch(b_.compare(Opcode::Eq, thread, b_.constant(0)), [&] {
      for (unsigned n = 0; n < kMostBarriers; ++n)
        mbarrier(MbarrierOperation::Init, n, b_.constant(kernel.count[n]), 0);
    });
    b_.barrier();
    for (unsigned w = 0; w < kernel.warps.size(); ++w)
      b_.branch(b_.compare(Opcode::Eq, warp, b_.constant(w)), [&] {
        for (const Step &step : kernel.warps[w])
          if (step.first_lane)
            b_.branch(b_.compare(Opcode::Eq, lane_, b_.constant(0)), [&] { emit(step); });
          else
            emit(step);
      });
    return b_.program;
  }

private:
  RegisterId mbarrier(MbarrierOperation operation, unsigned barrier, RegisterId number, unsigned bytes) {
    MbarrierCall call{operation, operation == MbarrierOperation::Wait || operation == MbarrierOperation::WaitForParity};
    const RegisterId address = b_.binary(Opcode::Add, b_.shared_address(1), b_.constant(8 * barrier, 64));
    return b_.emit(Opcode::Mbarrier, 64, {address, b_.constant(1, 1), number, b_.constant(bytes)}, call.pack());
  }
  void effect(Opcode opcode, std::int64_t immediate, std::vector<RegisterId> operands = {},
              std::uint32_t index = kNone) {
    Instruction instruction;
    instruction.opcode = opcode;
    instruction.immediate = immediate;
    instruction.operands = std::move(operands);
    instruction.index = index;
    b_.block().instructions.push_back(instruction);
  }
  void emit(const Step &step) {
    switch (step.what) {
    case What::Access: {
      const RegisterId word = b_.binary(Opcode::Add, b_.scaled(lane_, step.by_lane), b_.constant(step.offset));
      b_.access(AddressSpace::Shared, step.operation, 32,
                b_.binary(Opcode::Add, b_.shared_address(0), b_.scaled(b_.resize(Opcode::ZeroExtend, word, 64), 4)));
      return;
    }
    case What::Arrive: mbarrier(MbarrierOperation::Arrive, step.barrier, b_.constant(1), step.bytes); return;
    case What::Wait: mbarrier(MbarrierOperation::WaitForParity, step.barrier, b_.constant(step.parity), 0); return;
    case What::ArriveAndWait: {
      const RegisterId token = mbarrier(MbarrierOperation::Arrive, step.barrier, b_.constant(1), step.bytes);
      mbarrier(MbarrierOperation::Wait, step.barrier, token, 0);
      return;
    }
    case What::SyncWarp: return effect(Opcode::WarpBarrier, 0xffffffff);
    case What::Sync: return b_.barrier();
    case What::Copy: {
      b_.access(AddressSpace::Shared, Operation::BulkCopy, 0, b_.constant(0, 64));
      const RegisterId to = b_.binary(Opcode::Add, b_.shared_address(0), b_.constant(step.offset * 4, 64));
      const RegisterId barrier = b_.binary(Opcode::Add, b_.shared_address(1), b_.constant(8 * step.barrier, 64));
      return effect(Opcode::BulkCopy, static_cast<std::int64_t>(BulkMove::IntoShared),
                    {to, b_.constant(1, 1), b_.constant(step.bytes), barrier},
                    static_cast<std::uint32_t>(b_.program.memory_operations.size() - 1));
    }
    }
  }
  ProgramBuilder b_;
  RegisterId lane_ = 0;
};

// --- The oracle ----------------------------------------------------------------------------------------------------------------

/// One order of the threads' steps, with what each of them and each copy knows of the others.
class Execution {
public:
  Execution(const Kernel &kernel, std::mt19937 &random) : kernel_(kernel), random_(random) {
    const std::size_t threads = kernel.warps.size() * kLanes;
    std::size_t copies = 0;
    for (const std::vector<Step> &steps : kernel.warps)
      copies += static_cast<std::size_t>(std::ranges::count(steps, What::Copy, &Step::what));
    for (std::size_t t = 0; t < threads + copies; ++t)
      knows_.push_back(std::vector<unsigned>(threads + copies));
    time_.assign(threads + copies, 1);
    next_.assign(threads, 0);
    token_.assign(threads, std::nullopt);
    met_.assign(threads, false);
    for (unsigned b = 0; b < kMostBarriers; ++b)
      barriers_.push_back(
          {kernel.count[b], 0, 0, std::vector<unsigned>(threads + copies), std::vector<unsigned>(threads + copies)});
    first_copy_ = threads;
    // In half of the orders a warp goes on for as long as it can, and copies take as long as they can.
    std::vector<unsigned> warps(kernel.warps.size());
    std::iota(warps.begin(), warps.end(), 0U);
    std::ranges::shuffle(warps, random_);
    const bool by_warp = random_() % 2;
    for (bool moved = true; moved;) {
      moved = false;
      if (!by_warp && !open_.empty() && random_() % 4 == 0)
        finish_copy(random_() % open_.size());
      const auto first = static_cast<unsigned>(random_() % threads);
      for (unsigned n = 0; n < threads && !moved; ++n) {
        const auto t =
            static_cast<unsigned>(by_warp ? warps[n / kLanes] * kLanes + (first + n) % kLanes : (first + n) % threads);
        // Some threads get far ahead.
        for (unsigned most = random_() % 4 ? 1 : 6; most > 0 && next_[t] < steps(t).size() && can_go(t); --most) {
          go(t);
          moved = true;
        }
      }
      if (!moved && !open_.empty()) {
        finish_copy(random_() % open_.size());
        moved = true;
      }
    }
    for (unsigned t = 0; t < threads; ++t)
      stuck |= next_[t] < steps(t).size();
  }

  bool stuck = false, between = false, within = false;

private:
  struct Barrier {
    unsigned pending = 0, phase = 0;
    int bytes = 0;
    std::vector<unsigned> told, complete;
  };
  struct Touch {
    std::size_t by = 0; ///< a thread, or a copy
    unsigned time = 0, warp = 0;
    bool writes = false;
  };
  struct Copy {
    std::size_t by = 0;
    unsigned barrier = 0, bytes = 0;
  };

  const std::vector<Step> &steps(unsigned t) const { return kernel_.warps[t / kLanes]; }
  static void join(std::vector<unsigned> &into, const std::vector<unsigned> &from) {
    for (std::size_t i = 0; i < into.size(); ++i)
      into[i] = std::max(into[i], from[i]);
  }
  void release(std::size_t t, std::vector<unsigned> &into) {
    join(into, knows_[t]);
    into[t] = std::max(into[t], time_[t]++);
  }

  bool can_go(unsigned t) const {
    const Step &step = steps(t)[next_[t]];
    if (step.first_lane && t % kLanes)
      return true;
    const Barrier &barrier = barriers_[step.barrier];
    switch (step.what) {
    case What::Wait: return (barrier.phase & 1) != step.parity;
    case What::ArriveAndWait: return !token_[t] || barrier.phase > *token_[t];
    case What::SyncWarp:
    case What::Sync: return !met_[t] || all_have_come(t);
    default: return true;
    }
  }
  /// Which meeting a thread is at or comes to next: of its warp by its step, of all by how many there were.
  unsigned meeting(unsigned t, What what) const { return what == What::SyncWarp ? next_[t] : sync_number(t); }
  bool all_have_come(unsigned t) const {
    const What what = steps(t)[next_[t]].what;
    const unsigned wanted = meeting(t, what);
    for (unsigned other = 0; other < next_.size(); ++other) {
      if ((what == What::SyncWarp && other / kLanes != t / kLanes) || next_[other] >= steps(other).size())
        continue;
      const unsigned its = meeting(other, what);
      if (its < wanted || (its == wanted && !(met_[other] && steps(other)[next_[other]].what == what)))
        return false;
    }
    return true;
  }

  void touch(std::size_t by, unsigned warp, unsigned word, bool writes, const std::vector<unsigned> &knows) {
    for (const Touch &before : touches_[word])
      if (before.by != by && (writes || before.writes) && knows[before.by] < before.time)
        (before.warp == warp ? within : between) = true;
    touches_[word].push_back({by, time_[by], warp, writes});
  }

  void finish(Barrier &barrier) {
    if (barrier.pending || barrier.bytes)
      return;
    ++barrier.phase;
    barrier.pending = kernel_.count[static_cast<std::size_t>(&barrier - barriers_.data())];
    barrier.complete = barrier.told;
    std::ranges::fill(barrier.told, 0);
  }
  void finish_copy(std::size_t which) {
    const Copy copy = open_[which];
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(which));
    Barrier &barrier = barriers_[copy.barrier];
    barrier.told[copy.by] = std::max(barrier.told[copy.by], time_[copy.by]);
    barrier.bytes -= static_cast<int>(copy.bytes);
    finish(barrier);
  }

  /// Barriers that all threads, or lanes, come to: once to tell, once to know.
  void meet(unsigned t, std::vector<unsigned> &told) {
    if (!met_[t]) {
      met_[t] = true;
      told.resize(time_.size());
      release(t, told);
      return;
    }
    join(knows_[t], told);
    met_[t] = false;
    ++next_[t];
  }

  void go(unsigned t) {
    const Step &step = steps(t)[next_[t]];
    if (step.first_lane && t % kLanes) {
      ++next_[t];
      return;
    }
    Barrier &barrier = barriers_[step.barrier];
    switch (step.what) {
    case What::Access:
      touch(t, t / kLanes, t % kLanes * step.by_lane + step.offset, step.operation == Operation::Store, knows_[t]);
      break;
    case What::Arrive: arrive(t, barrier, step.bytes); break;
    case What::Wait: join(knows_[t], barrier.complete); break;
    case What::ArriveAndWait:
      if (!token_[t]) {
        token_[t] = barrier.phase;
        arrive(t, barrier, step.bytes);
        return;
      }
      join(knows_[t], barrier.complete);
      token_[t].reset();
      break;
    case What::SyncWarp: return meet(t, meetings_[{t / kLanes, next_[t]}]);
    case What::Sync: return meet(t, meetings_[{99U, sync_number(t)}]);
    case What::Copy: {
      const std::size_t by = first_copy_ + copies_++;
      for (unsigned word = 0; word < step.bytes / 4; ++word) {
        // Ordered after what its thread has done.
        std::vector<unsigned> knows = knows_[t];
        knows[t] = time_[t];
        touch(by, t / kLanes, step.offset + word, true, knows);
      }
      open_.push_back({by, step.barrier, step.bytes});
      break;
    }
    }
    ++next_[t];
  }
  unsigned sync_number(unsigned t) const {
    return static_cast<unsigned>(std::count_if(steps(t).begin(), steps(t).begin() + next_[t],
                                               [](const Step &step) { return step.what == What::Sync; }));
  }
  void arrive(unsigned t, Barrier &barrier, unsigned bytes) {
    release(t, barrier.told);
    barrier.bytes += static_cast<int>(bytes);
    --barrier.pending;
    finish(barrier);
  }

  const Kernel &kernel_;
  std::mt19937 &random_;
  std::vector<std::vector<unsigned>> knows_;
  std::vector<unsigned> time_, next_;
  std::vector<bool> met_;
  std::vector<std::optional<unsigned>> token_;
  std::vector<Barrier> barriers_;
  std::map<std::pair<unsigned, unsigned>, std::vector<unsigned>> meetings_;
  std::map<unsigned, std::vector<Touch>> touches_;
  std::vector<Copy> open_;
  std::size_t first_copy_ = 0, copies_ = 0;
};

TEST(MbarrierRace, AgreesWithThreadsInRandomOrders) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS");
  const unsigned kernels = wanted ? static_cast<unsigned>(std::atoi(wanted)) : test::long_tests() ? 3000 : 1500;
  unsigned free = 0, race = 0, never = 0, unknown = 0;
  std::map<std::string, unsigned> reasons;
  for (unsigned seed = 0; seed < kernels; ++seed) {
    std::mt19937 random(seed);
    const Kernel kernel = make_kernel(random);
    const Program program = Builder().build(kernel);
    ASSERT_EQ(verify(program), "") << seed;
    Launch launch;
    launch.grid = {1, 1, 1};
    launch.block = {static_cast<std::uint32_t>(kernel.warps.size()) * kLanes, 1, 1};
    const Races races = find_races(program, launch, *find_architecture("sm_90"));
    const bool is_free = races.verdict() == RaceVerdict::Free;
    bool stuck_once = false, always = true, between = false, within = false;
    const auto told = [](RaceVerdict verdict) { return verdict == RaceVerdict::Race; };
    // A race is one of some order, which may be rare; what is free, or never ends, is so in all.
    const auto missing = [&] {
      return (told(races.between_warps) && !between) || (told(races.within_warp) && !within);
    };
    const bool says_nothing = races.verdict() == RaceVerdict::Unknown && races.barriers.empty();
    const unsigned least =
        is_free || !races.barriers.empty() ? 50 : 4; // orders that may contradict what is claimed of all
    for (unsigned order = 0; !says_nothing && (order < least || (order < 20'000 && missing())); ++order) {
      const Execution run(kernel, random);
      stuck_once |= run.stuck;
      always &= run.stuck;
      between |= run.between;
      within |= run.within;
    }
    if (is_free) {
      ASSERT_FALSE(between || within) << "seed " << seed;
      ASSERT_FALSE(stuck_once) << "seed " << seed;
    }
    ASSERT_FALSE(missing()) << "seed " << seed;
    if (!races.barriers.empty()) {
      ASSERT_TRUE(always) << "seed " << seed << ": " << races.barriers.front().message;
    }
    free += is_free;
    race += races.verdict() == RaceVerdict::Race;
    never += !races.barriers.empty();
    unknown += races.verdict() == RaceVerdict::Unknown;
    if (races.verdict() == RaceVerdict::Unknown)
      ++reasons[races.reason];
  }
  std::string all;
  for (const auto &[reason, times] : reasons)
    all += std::to_string(times) + " " + reason + "\n";
  RecordProperty("unknown", all);
  if (wanted)
    std::printf("%u free, %u race, %u never end, %u unknown of %u\n%s", free, race, never, unknown, kernels,
                all.c_str());
  EXPECT_GT(free, kernels / 20);
  EXPECT_GT(race, kernels / 5);
  EXPECT_GT(never, kernels / 60);
}

} // namespace
} // namespace smem
