// Races in shared and in global memory: random kernels against an execution thread by thread with all pairs compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "program_builder.h"
#include "smem/race.h"
#include "smem/shared_layout.h"

namespace smem {
namespace {

using test::ProgramBuilder;

const Architecture &sm_90() { return *find_architecture("sm_90"); }

Launch launch_of(std::uint32_t blocks, std::uint32_t threads) {
  Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  for (const std::uint32_t array : {1u, 2u, 3u}) {
    ArgumentValue &pointer = launch.arguments.emplace_back();
    pointer.index = array;
    pointer.width_bits = 64;
    pointer.pointer = true;
  }
  return launch;
}

// --- Random kernels ----------------------------------------------------------------------------------------------------------

struct Condition {
  enum class Kind : std::uint8_t { Below, Bits, BlockBit, RoundBit, Argument } kind = Kind::Below;
  unsigned a = 0, b = 0;
};

struct Statement {
  enum class Kind : std::uint8_t { Access, Barrier, WarpBarrier, Loop, If, Return } kind = Kind::Access;
  // Access of array[(thread * by_thread + round * by_round + block * by_block + argument * by_argument + offset) % elements]
  Operation operation = Operation::Load;
  unsigned array = 0, bytes = 4;
  unsigned by_thread = 0, by_round = 0, by_block = 0, by_argument = 0, offset = 0;
  std::uint32_t number = 0; ///< of the access, in the order of the program's memory operations; of a barrier
  unsigned rounds = 0;
  unsigned argument_rounds = 0; ///< if not 0: as many as the argument, times this
  Condition condition;
  std::vector<Statement> body, otherwise;
};

constexpr std::uint64_t kArrayBytes[] = {64, 256};
constexpr unsigned kNextBlock = 5; ///< elements of `data` further on that it is for the next block, for some conditions

struct Kernel {
  std::vector<Statement> body;
  std::uint32_t accesses = 0, barriers = 0;
  bool plain = true; ///< nothing is unknown, no thread ends early, no barrier under a condition on threads
};

class Generator {
public:
  /// `open`: with loops and branches that arguments and the block's index decide.
  explicit Generator(unsigned seed, bool open = false) : random_(seed), open_(open) {}
  Kernel kernel() {
    kernel_.body = statements(2, false);
    return std::move(kernel_);
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

private:
  std::vector<Statement> statements(unsigned depth, bool divergent) {
    std::vector<Statement> all;
    for (unsigned n = 1 + below(4); n > 0; --n)
      all.push_back(statement(depth, divergent));
    return all;
  }
  Statement statement(unsigned depth, bool divergent) {
    Statement s;
    const unsigned what = below(16);
    if (depth > 0 && what < 2) {
      s.kind = Statement::Kind::Loop;
      s.rounds = below(4);
      if (open_ && below(4)) {
        s.argument_rounds = 1;
        kernel_.plain = false;
      }
      s.body = statements(depth - 1, divergent);
    } else if (depth > 0 && what < 5) {
      s.kind = Statement::Kind::If;
      const unsigned kind = below(16);
      s.condition.kind = kind < 5    ? Condition::Kind::Below
                         : kind < 9  ? Condition::Kind::Bits
                         : kind < 12 ? Condition::Kind::BlockBit
                         : kind < 15 ? Condition::Kind::RoundBit
                                     : Condition::Kind::Argument;
      if (open_ && below(3))
        s.condition.kind = below(2) ? Condition::Kind::Argument : Condition::Kind::BlockBit;
      s.condition.a = below(2) ? 32 : 1 + below(70);
      s.condition.b = below(4);
      kernel_.plain &= s.condition.kind != Condition::Kind::Argument;
      const bool of_threads = s.condition.kind == Condition::Kind::Below || s.condition.kind == Condition::Kind::Bits;
      s.body = statements(depth - 1, divergent || of_threads);
      if (below(2))
        s.otherwise = statements(depth - 1, divergent || of_threads);
      if (of_threads && below(8) == 0) {
        s.body.push_back({});
        s.body.back().kind = Statement::Kind::Return;
        kernel_.plain = false;
      }
    } else if (what < 9 && (!divergent || below(6) == 0)) {
      s.kind = Statement::Kind::Barrier;
      s.number = kernel_.barriers++;
      kernel_.plain &= !divergent;
    } else if (what < 11 && (!divergent || below(6) == 0)) {
      s.kind = Statement::Kind::WarpBarrier;
      kernel_.plain &= !divergent;
    } else {
      const unsigned kind = below(8);
      s.operation = kind < 4 ? Operation::Load : kind < 7 ? Operation::Store : Operation::Atomic;
      s.array = below(2);
      s.bytes = s.operation == Operation::Atomic ? 4 : 1u << below(4);
      s.by_thread = below(5) ? 1 + below(2) : 0;
      s.by_round = below(3) ? 0 : below(8);
      s.by_block = below(4) ? 0 : below(8);
      s.offset = below(2) ? 0 : below(64);
      s.by_argument = below(24) ? 0 : 1 + below(2);
      kernel_.plain &= !s.by_argument;
      s.number = kernel_.accesses++;
    }
    return s;
  }
  std::mt19937 random_;
  bool open_ = false;
  Kernel kernel_;
};

class Builder {
public:
  /// `data`: conditions on the argument are every other time ones on what memory holds that a third pointer points to, a number for each thread.
  explicit Builder(RaceMemory memory, bool data = false) : memory_(memory), data_(data) {}
  Program build(const Kernel &kernel) {
    for (const std::uint64_t bytes : kArrayBytes)
      b_.shared_array(bytes);
    b_.program.parameters.push_back({"n", "int", 4, false});
    for (const char *name : {"a0", "a1"})
      b_.program.parameters.push_back({name, "char *", 8, true});
    b_.program.parameters.push_back({"data", "const int *", 8, true});
    thread_ = b_.special(SpecialRegister::ThreadX);
    block_ = b_.special(SpecialRegister::BlockX);
    argument_ = b_.argument(0);
    round_ = b_.constant(0);
    emit(kernel.body);
    return b_.program;
  }

private:
  RegisterId equals(RegisterId value, unsigned mask, unsigned wanted) {
    return b_.compare(Opcode::Eq, b_.binary(Opcode::And, value, b_.constant(mask)), b_.constant(wanted));
  }
  RegisterId condition(const Condition &c) {
    switch (c.kind) {
    case Condition::Kind::Below: return b_.compare(Opcode::SLt, thread_, b_.constant(c.a));
    case Condition::Kind::Bits: return equals(thread_, 3, c.b);
    case Condition::Kind::BlockBit: return equals(block_, 1, c.b & 1);
    case Condition::Kind::RoundBit: return equals(round_, 1, c.b & 1);
    case Condition::Kind::Argument: break;
    }
    RegisterId number = argument_;
    if (data_ && c.b % 2) {
      const RegisterId element =
          c.b % 4 == 3 ? b_.binary(Opcode::Add, thread_, b_.scaled(block_, kNextBlock)) : thread_;
      const RegisterId offset = b_.scaled(b_.resize(Opcode::ZeroExtend, element, 64), 4);
      number =
          b_.value_access(AddressSpace::Global, Operation::Load, b_.binary(Opcode::Add, b_.argument(3, 64), offset));
      numbers.push_back(kNone);
    }
    return b_.compare(Opcode::SLt, b_.constant(1), number);
  }
  void emit(const std::vector<Statement> &statements) {
    for (const Statement &s : statements)
      emit(s);
  }
  void emit(const Statement &s) {
    switch (s.kind) {
    case Statement::Kind::Access: {
      RegisterId index = b_.binary(Opcode::Add, b_.scaled(thread_, s.by_thread), b_.scaled(round_, s.by_round));
      index = b_.binary(Opcode::Add, index, b_.scaled(block_, s.by_block));
      if (s.by_argument)
        index = b_.binary(Opcode::Add, index, b_.scaled(argument_, s.by_argument));
      index = b_.binary(Opcode::Add, index, b_.constant(s.offset));
      const auto elements = static_cast<std::int64_t>(kArrayBytes[s.array] / s.bytes);
      index = b_.binary(Opcode::And, index, b_.constant(elements - 1));
      const bool shared = memory_ == RaceMemory::Shared;
      const RegisterId address =
          b_.binary(Opcode::Add, shared ? b_.shared_address(s.array) : b_.argument(1 + s.array, 64),
                    b_.scaled(b_.resize(Opcode::ZeroExtend, index, 64), s.bytes));
      b_.access(shared ? AddressSpace::Shared : AddressSpace::Global, s.operation, s.bytes * 8, address);
      if (shared)
        b_.program.memory_operations.back().shared_array = s.array;
      numbers.push_back(s.number);
      return;
    }
    case Statement::Kind::Barrier: return b_.barrier();
    case Statement::Kind::WarpBarrier: {
      Instruction i;
      i.opcode = Opcode::WarpBarrier;
      i.immediate = 0xffffffff;
      b_.block().instructions.push_back(i);
      return;
    }
    case Statement::Kind::Loop: {
      const RegisterId outer = round_;
      const RegisterId rounds = s.argument_rounds ? b_.scaled(argument_, s.argument_rounds) : b_.constant(s.rounds);
      b_.loop(b_.constant(0), b_.constant(1), rounds, [&](RegisterId i, RegisterId) {
        round_ = i;
        emit(s.body);
      });
      round_ = outer;
      return;
    }
    case Statement::Kind::If: {
      const bool ends = !s.body.empty() && s.body.back().kind == Statement::Kind::Return;
      BlockId last = kNone;
      const auto yes = [&] {
        emit(s.body);
        last = b_.current;
      };
      if (s.otherwise.empty())
        b_.branch(condition(s.condition), yes);
      else
        b_.branch(condition(s.condition), yes, [&] { emit(s.otherwise); });
      if (ends)
        b_.program.blocks[last].terminator = {TerminatorKind::Return, kNone, {}, {}, {}};
      return;
    }
    case Statement::Kind::Return: return;
    }
  }
  RaceMemory memory_;
  bool data_ = false;
  ProgramBuilder b_;
  RegisterId thread_ = 0, block_ = 0, argument_ = 0, round_ = 0;

public:
  std::vector<std::uint32_t> numbers;
};

// --- The oracle ----------------------------------------------------------------------------------------------------------------

/// Where an array lies.
using Places = std::array<std::uint64_t, 2>;

struct Touch {
  std::uint32_t thread = 0, number = 0, interval = 0, segment = 0;
  Operation operation = Operation::Load;
  std::uint64_t begin = 0, bytes = 0;
};

struct Thread {
  std::vector<std::uint32_t> barriers; ///< that it passed
  std::vector<Touch> touches;
  bool ended = false, part = false;
  std::uint32_t end_segment = 0; ///< of the interval in which it ended
};

bool conflicting(Operation a, Operation b) {
  return (a != Operation::Load || b != Operation::Load) && !(a == Operation::Atomic && b == Operation::Atomic);
}

/// What `data` holds, if it is not the argument everywhere.
struct Slope {
  std::int64_t first = 0, slope = 0;
};

/// What happens in one block, the argument being what it is.
class Execution {
public:
  Execution(const Kernel &kernel, const Places &places, unsigned threads, unsigned block, unsigned argument,
            std::optional<Slope> data = std::nullopt)
      : places_(places), block_(block), argument_(argument), data_(data), threads_(threads) {
    for (unsigned t = 0; t < threads; ++t) {
      thread_ = t;
      segment_ = 0;
      run(kernel.body, 0, false);
    }
    std::size_t most = 0;
    const Thread *longest = nullptr;
    for (const Thread &thread : threads_)
      if (!longest || thread.barriers.size() > most)
        most = (longest = &thread)->barriers.size();
    for (const Thread &thread : threads_) {
      divergent |= !std::equal(thread.barriers.begin(), thread.barriers.end(), longest->barriers.begin());
      short_of |= thread.barriers.size() < most;
      part |= thread.part;
    }
    compare();
  }

  bool divergent = false;                       ///< threads wait at different barriers
  bool short_of = false;                        ///< some end without coming to a barrier that others come to
  bool part = false;                            ///< a barrier of some lanes
  bool between = false, within = false;         ///< a race
  bool may_between = false, may_within = false; ///< including what nothing but threads' ends may order

  /// The thread's accesses of the instruction to the byte.
  std::vector<Touch> touches(const RacingAccess &access, std::uint64_t byte,
                             const std::vector<std::uint32_t> &numbers) const {
    std::vector<Touch> found;
    for (const Touch &touch : threads_.at(access.thread.x).touches)
      if (touch.number == numbers.at(access.operation) && touch.begin <= byte && byte < touch.begin + touch.bytes)
        found.push_back(touch);
    return found;
  }
  /// Some thread of this block and some of the other one.
  bool races_with(const Execution &other) const {
    for (const Thread &mine : threads_)
      for (const Touch &a : mine.touches)
        for (const Thread &its : other.threads_)
          for (const Touch &b : its.touches)
            if (conflicting(a.operation, b.operation) && a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes)
              return true;
    return false;
  }

  bool races(const RaceWitness &witness, const std::vector<std::uint32_t> &numbers) const {
    const auto touches = [&](const RacingAccess &access) {
      std::vector<const Touch *> found;
      for (const Touch &touch : threads_.at(access.thread.x).touches)
        if (touch.number == numbers.at(access.operation) && touch.interval == witness.interval &&
            touch.begin <= witness.byte && witness.byte < touch.begin + touch.bytes)
          found.push_back(&touch);
      return found;
    };
    for (const Touch *a : touches(witness.first))
      for (const Touch *b : touches(witness.second))
        if (a->thread != b->thread && conflicting(a->operation, b->operation) &&
            (a->thread / 32 == b->thread / 32) == witness.within_warp &&
            (!witness.within_warp || a->segment == b->segment))
          return true;
    return false;
  }

  /// No thread of the block writes the byte up to the interval in which the read is made, in the order of intervals.
  bool is_unwritten(const UnwrittenRead &read, const std::vector<std::uint32_t> &numbers) const {
    for (const Touch &touch : threads_.at(read.access.thread.x).touches) {
      if (touch.number != numbers.at(read.access.operation) || touch.operation != Operation::Load ||
          read.byte < touch.begin || read.byte >= touch.begin + touch.bytes)
        continue;
      if (first_write(read.byte) > touch.interval)
        return true;
    }
    return false;
  }
  /// Some thread reads what is not written.
  bool reads_unwritten() const {
    for (const Thread &thread : threads_)
      for (const Touch &touch : thread.touches)
        for (std::uint64_t byte = touch.begin; byte < touch.begin + touch.bytes; ++byte)
          if (touch.operation == Operation::Load && first_write(byte) > touch.interval)
            return true;
    return false;
  }

private:
  std::uint32_t first_write(std::uint64_t byte) const {
    std::uint32_t first = UINT32_MAX;
    for (const Thread &thread : threads_)
      for (const Touch &touch : thread.touches)
        if (touch.operation != Operation::Load && touch.begin <= byte && byte < touch.begin + touch.bytes)
          first = std::min(first, touch.interval);
    return first;
  }
  bool holds(const Condition &c, unsigned thread, unsigned round) const {
    switch (c.kind) {
    case Condition::Kind::Below: return thread < c.a;
    case Condition::Kind::Bits: return (thread & 3) == c.b;
    case Condition::Kind::BlockBit: return (block_ & 1) == (c.b & 1);
    case Condition::Kind::RoundBit: return (round & 1) == (c.b & 1);
    case Condition::Kind::Argument:
      return data_ && c.b % 2 ? data_->first + data_->slope * (thread + (c.b % 4 == 3 ? kNextBlock * block_ : 0)) > 1
                              : argument_ > 1;
    }
    return false;
  }
  void run(const std::vector<Statement> &statements, unsigned round, bool divergent_here) {
    Thread &thread = threads_[thread_];
    for (const Statement &s : statements) {
      if (thread.ended)
        return;
      switch (s.kind) {
      case Statement::Kind::Access: {
        const std::uint64_t index = std::uint64_t{thread_} * s.by_thread + round * s.by_round + block_ * s.by_block +
                                    argument_ * s.by_argument + s.offset;
        thread.touches.push_back({thread_, s.number, static_cast<std::uint32_t>(thread.barriers.size()), segment_,
                                  s.operation, places_[s.array] + index % (kArrayBytes[s.array] / s.bytes) * s.bytes,
                                  s.bytes});
        break;
      }
      case Statement::Kind::Barrier: thread.barriers.push_back(s.number); break;
      case Statement::Kind::WarpBarrier:
        if (divergent_here)
          thread.part = true;
        else
          ++segment_;
        break;
      case Statement::Kind::Loop:
        for (unsigned i = 0; i < (s.argument_rounds ? s.argument_rounds * argument_ : s.rounds) && !thread.ended; ++i)
          run(s.body, i, divergent_here);
        break;
      case Statement::Kind::If: {
        bool splits = false; // the warp
        for (unsigned t = thread_ / 32 * 32; t < std::min<std::size_t>(thread_ / 32 * 32 + 32, threads_.size()); ++t)
          splits |= holds(s.condition, t, round) != holds(s.condition, thread_, round);
        run(holds(s.condition, thread_, round) ? s.body : s.otherwise, round, divergent_here || splits);
        break;
      }
      case Statement::Kind::Return:
        thread.ended = true;
        thread.end_segment = segment_;
        break;
      }
    }
  }
  void compare() {
    std::size_t most = 0;
    for (const Thread &thread : threads_)
      most = std::max(most, thread.barriers.size());
    std::map<std::uint64_t, std::vector<const Touch *>> by_byte;
    for (const Thread &thread : threads_)
      for (const Touch &touch : thread.touches)
        for (std::uint64_t i = 0; i < touch.bytes; ++i)
          by_byte[touch.begin + i].push_back(&touch);
    const auto last = [&](const Touch &touch) {
      const std::size_t all = threads_[touch.thread].barriers.size();
      return all < most && touch.interval == all;
    };
    for (const auto &[byte, touches] : by_byte)
      for (std::size_t i = 0; i < touches.size(); ++i)
        for (std::size_t j = i + 1; j < touches.size(); ++j) {
          const Touch &a = *touches[i], &b = *touches[j];
          if (a.thread == b.thread || !conflicting(a.operation, b.operation))
            continue;
          const bool same_warp = a.thread / 32 == b.thread / 32;
          const bool together = a.interval == b.interval;
          (same_warp ? within : between) |= together && (!same_warp || a.segment == b.segment);
          const auto beyond = [&](const Touch &x, const Touch &y) {
            const Thread &thread = threads_[x.thread];
            return thread.ended && x.interval == thread.barriers.size() && y.segment > thread.end_segment;
          };
          const bool ended = beyond(a, b) || beyond(b, a);
          const bool perhaps = (a.interval < b.interval && last(a)) || (b.interval < a.interval && last(b));
          (same_warp ? may_within : may_between) |= perhaps || (together && same_warp && ended);
        }
    may_within |= within;
    may_between |= between;
  }

  const Places &places_;
  unsigned block_, argument_, thread_ = 0;
  std::optional<Slope> data_;
  std::uint32_t segment_ = 0;
  std::vector<Thread> threads_;
};

struct Tally {
  unsigned race = 0, free = 0, unknown = 0, unwritten = 0, between_blocks = 0;
};

/// Between blocks, all pairs of them.
void check_blocks(const Kernel &kernel, const Places &places, unsigned threads, unsigned blocks, const Races &races,
                  const std::vector<std::uint32_t> &numbers, bool special, unsigned seed) {
  bool race = false;
  for (const unsigned argument : {0u, 1u, 2u, 3u, 7u}) {
    std::vector<Execution> executions;
    for (unsigned block = 0; block < blocks; ++block)
      executions.emplace_back(kernel, places, threads, block, argument);
    for (unsigned a = 0; a < blocks; ++a)
      for (unsigned b = a + 1; b < blocks; ++b)
        race |= executions[a].races_with(executions[b]);
    for (const RaceWitness &witness : races.witnesses) {
      if (!witness.between_blocks)
        continue;
      ASSERT_NE(witness.block.x, witness.second_block.x) << "seed " << seed;
      ASSERT_LT(std::max(witness.block.x, witness.second_block.x), blocks) << "seed " << seed;
      const auto first = executions[witness.block.x].touches(witness.first, witness.byte, numbers);
      const auto second = executions[witness.second_block.x].touches(witness.second, witness.byte, numbers);
      ASSERT_TRUE(!first.empty() && !second.empty() && conflicting(first[0].operation, second[0].operation))
          << "seed " << seed << " argument " << argument << " blocks " << witness.block.x << " and "
          << witness.second_block.x << " byte " << witness.byte;
    }
    if (kernel.plain)
      break;
  }
  if (races.between_blocks == RaceVerdict::Free) {
    ASSERT_FALSE(race) << "seed " << seed;
  }
  if (!special) {
    ASSERT_EQ(races.between_blocks, race ? RaceVerdict::Race : RaceVerdict::Free) << "seed " << seed;
  }
}

void check_kernel(unsigned seed, RaceMemory memory, Tally &tally) {
  Generator generator(seed);
  const Kernel kernel = generator.kernel();
  constexpr unsigned kThreads[] = {64, 40, 33, 96, 32};
  const unsigned threads = kThreads[generator.below(5)], blocks = 1 + generator.below(4);
  Builder builder(memory);
  const Program program = builder.build(kernel);
  ASSERT_EQ(verify(program), "") << "seed " << seed;
  const SharedLayout layout = layout_shared(program.shared_arrays, sm_90());
  constexpr Places kApart{0, 1u << 20};
  const Places places = memory == RaceMemory::Shared ? Places{layout.offset[0], layout.offset[1]} : kApart;
  RaceOptions options;
  options.memory = memory;
  Races races = find_races(program, launch_of(blocks, threads), sm_90(), options);
  if (memory == RaceMemory::Global) {
    for (RaceWitness &witness : races.witnesses)
      witness.byte += kApart[witness.array == "a1"];
    // Where in its array is not known where an argument decides.
    std::erase_if(races.witnesses, [](const RaceWitness &witness) { return witness.array.empty(); });
  }
  bool between = false, within = false, special = !kernel.plain, unwritten = false;
  for (unsigned block = 0; block < blocks; ++block)
    for (const unsigned argument : {0u, 1u, 2u, 3u, 7u}) {
      if (kernel.plain && argument)
        continue;
      const Execution execution(kernel, places, threads, block, argument);
      special |= execution.divergent || execution.short_of || execution.part;
      between |= execution.between;
      within |= execution.within;
      unwritten |= execution.reads_unwritten();
      for (const UnwrittenRead &read : races.unwritten)
        if (read.block.x == block) {
          ASSERT_TRUE(execution.is_unwritten(read, builder.numbers))
              << "seed " << seed << " block " << block << " argument " << argument << " thread " << read.access.thread.x
              << " byte " << read.byte << "\n"
              << to_string(program);
        }
      const bool divergent = execution.divergent && kernel.accesses > 0;
      if (races.between_warps == RaceVerdict::Free) {
        ASSERT_FALSE(execution.may_between || divergent)
            << "seed " << seed << " block " << block << " argument " << argument << "\n"
            << to_string(program);
      }
      if (races.within_warp == RaceVerdict::Free) {
        ASSERT_FALSE(execution.may_within || divergent)
            << "seed " << seed << " block " << block << " argument " << argument << "\n"
            << to_string(program);
      }
      for (const RaceWitness &witness : races.witnesses) {
        if (witness.block.x != block || witness.between_blocks)
          continue;
        ASSERT_TRUE(execution.races(witness, builder.numbers))
            << "seed " << seed << " block " << block << " argument " << argument << " threads "
            << witness.first.thread.x << " and " << witness.second.thread.x << " byte " << witness.byte << "\n"
            << to_string(program);
      }
    }
  if (!special) {
    ASSERT_EQ(races.between_warps, between ? RaceVerdict::Race : RaceVerdict::Free)
        << "seed " << seed << ": " << races.reason << "\n"
        << to_string(program);
    ASSERT_EQ(races.within_warp, within ? RaceVerdict::Race : RaceVerdict::Free)
        << "seed " << seed << ": " << races.reason << "\n"
        << to_string(program);
    ASSERT_EQ(!races.unwritten.empty(), unwritten && memory == RaceMemory::Shared) << "seed " << seed << "\n"
                                                                                   << to_string(program);
  }
  if (memory == RaceMemory::Global)
    check_blocks(kernel, places, threads, blocks, races, builder.numbers, special, seed);
  if (testing::Test::HasFatalFailure())
    return;
  tally.between_blocks += races.between_blocks == RaceVerdict::Race;
  tally.unwritten += unwritten;
  const RaceVerdict verdict = races.verdict();
  if (memory == RaceMemory::Shared) {
    ASSERT_EQ(verdict == RaceVerdict::Race, !races.witnesses.empty());
  }
  ASSERT_TRUE(verdict != RaceVerdict::Unknown || !races.reason.empty());
  ++(verdict == RaceVerdict::Race ? tally.race : verdict == RaceVerdict::Free ? tally.free : tally.unknown);
}

TEST(Race, GlobalAgreesWithThreadsOneByOne) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS");
  const unsigned kernels = wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 2500;
  Tally tally;
  for (unsigned seed = 1; seed <= kernels && !HasFatalFailure(); ++seed)
    check_kernel(seed, RaceMemory::Global, tally);
  if (HasFatalFailure())
    return;
  EXPECT_GT(tally.between_blocks, kernels / 10);
  EXPECT_GT(tally.free, kernels / 20);
  EXPECT_LT(tally.unknown, kernels / 2);
}

TEST(Race, AgreesWithThreadsOneByOne) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS"); // e.g. 200000
  const unsigned kernels = wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 20000;
  Tally tally;
  for (unsigned seed = 1; seed <= kernels && !HasFatalFailure(); ++seed)
    check_kernel(seed, RaceMemory::Shared, tally);
  if (HasFatalFailure())
    return;
  // The comparison says something only if all answers are given often.
  EXPECT_GT(tally.race, kernels / 10);
  EXPECT_GT(tally.free, kernels / 10);
  EXPECT_GT(tally.unknown, kernels / 200);
  EXPECT_GT(tally.unwritten, kernels / 10);
  EXPECT_LT(tally.unwritten, kernels - kernels / 10);
  RecordProperty("race", static_cast<int>(tally.race));
  RecordProperty("free", static_cast<int>(tally.free));
  RecordProperty("unknown", static_cast<int>(tally.unknown));
}

bool by_argument(const std::vector<Statement> &body) {
  return std::ranges::any_of(
      body, [](const Statement &s) { return s.by_argument || by_argument(s.body) || by_argument(s.otherwise); });
}

/// Witnesses under assumed values are of a launch with these values; where addresses do not depend on them, hardly any is missing.
TEST(Race, AssumedValuesAgreeWithThreadsOneByOne) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS");
  const unsigned kernels = wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 4000;
  unsigned assumed = 0, of_data = 0, of_slopes = 0, missed = 0;
  for (unsigned seed = 1; seed <= kernels && !HasFatalFailure(); ++seed) {
    Generator generator(seed, true);
    const Kernel kernel = generator.kernel();
    const unsigned threads = generator.below(2) ? 64 : 33;
    const unsigned value = generator.below(4);
    std::optional<Slope> slope; // each other time, what memory holds grows or falls
    if (generator.below(2))
      slope = generator.below(2) ? Slope{generator.below(64), -1}
                                 : Slope{-std::int64_t{generator.below(64)}, 1 + generator.below(2)};
    Builder builder(RaceMemory::Shared, true);
    const Program program = builder.build(kernel);
    ASSERT_EQ(verify(program), "") << "seed " << seed;
    const SharedLayout layout = layout_shared(program.shared_arrays, sm_90());
    const Places places{layout.offset[0], layout.offset[1]};
    RaceOptions options;
    options.assume = slope ? AssumedInput{slope->first, 0, slope->slope, value} : AssumedInput{value, 0, 0, value};
    constexpr unsigned kBlocks = 2;
    const Races races = find_races(program, launch_of(kBlocks, threads), sm_90(), options);
    bool special = by_argument(kernel.body), between = false, within = false;
    for (unsigned block = 0; block < kBlocks; ++block) {
      const Execution execution(kernel, places, threads, block, value, slope);
      special |= execution.divergent || execution.short_of || execution.part ||
                 (execution.may_between && !execution.between) || (execution.may_within && !execution.within);
      between |= execution.between;
      within |= execution.within;
      for (const RaceWitness &witness : races.witnesses)
        if (witness.block.x == block) {
          ASSERT_TRUE(execution.races(witness, builder.numbers))
              << "seed " << seed << " block " << block << " value " << value << "\n"
              << to_string(program);
        }
    }
    const bool race = between || within;
    const bool looked_at = !slope || races.reason != "nothing that is assumed of memory decides a branch";
    ASSERT_FALSE(!special && race && races.verdict() == RaceVerdict::Free) << "seed " << seed << " value " << value;
    ASSERT_TRUE(special || race || races.witnesses.empty()) << "seed " << seed << " value " << value;
    missed += !special && race && races.witnesses.empty() && looked_at;
    of_slopes += slope && !races.witnesses.empty() && !races.assumptions.empty();
    assumed += !races.witnesses.empty() && !races.assumptions.empty();
    of_data += !races.witnesses.empty() && std::ranges::any_of(races.assumptions, [](const Assumption &assumption) {
      return assumption.text.starts_with("`data");
    });
  }
  EXPECT_GT(assumed, kernels / 10);
  EXPECT_GT(of_data, kernels / 20);
  EXPECT_GT(of_slopes, kernels / 80);
  EXPECT_LT(missed, 2 + kernels / 1000);
}

/// What is free in every launch is free in those that are tried.
TEST(Race, FreeInEveryLaunchAgreesWithThreadsOneByOne) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS");
  const unsigned kernels = wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 4000;
  unsigned free = 0, complete = 0, races = 0, missed = 0;
  for (unsigned seed = 1; seed <= kernels && !HasFatalFailure(); ++seed) {
    Generator generator(seed, true);
    const Kernel kernel = generator.kernel();
    constexpr unsigned kThreads[] = {64, 40, 33, 96, 32};
    const unsigned threads = kThreads[generator.below(5)];
    Builder builder(RaceMemory::Shared);
    const Program program = builder.build(kernel);
    const SharedLayout layout = layout_shared(program.shared_arrays, sm_90());
    const Places places{layout.offset[0], layout.offset[1]};
    const EveryLaunch every = free_in_every_launch(program, launch_of(1, threads), sm_90());
    bool race = false;
    for (unsigned block = 0; block < 3; ++block)
      for (const unsigned argument : {0u, 1u, 2u, 3u, 5u}) {
        const Execution execution(kernel, places, threads, block, argument);
        const bool wrong = execution.may_between || execution.may_within || (execution.divergent && kernel.accesses);
        race |= wrong;
        ASSERT_FALSE(every.free && wrong) << "seed " << seed << " block " << block << " argument " << argument << "\n"
                                          << to_string(program);
        ASSERT_FALSE(every.complete && execution.reads_unwritten())
            << "seed " << seed << " block " << block << " argument " << argument << "\n"
            << to_string(program);
      }
    ASSERT_TRUE(every.free || !every.complete);
    free += every.free;
    complete += every.complete;
    races += race;
    missed += !race && !every.free && kernel.accesses > 1;
  }
  if (HasFatalFailure())
    return;
  EXPECT_GT(free, kernels / 10);
  EXPECT_GT(complete, kernels / 20);
  EXPECT_GT(races, kernels / 10);
  RecordProperty("free", static_cast<int>(free));
  RecordProperty("complete", static_cast<int>(complete));
  RecordProperty("races", static_cast<int>(races));
  RecordProperty("missed", static_cast<int>(missed));
}

} // namespace
} // namespace smem
