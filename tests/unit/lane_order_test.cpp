// Barriers of some lanes of a warp: random kernels against vector clocks of all lanes and all pairs of accesses.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "program_builder.h"
#include "smem/race.h"

namespace smem {
namespace {

using test::ProgramBuilder;

constexpr unsigned kElements = 32; ///< of 4 bytes

struct Statement {
  enum class Kind : std::uint8_t { Access, Barrier, Branch, Leave } kind = Kind::Access;
  Operation operation = Operation::Load;
  unsigned factor = 0, offset = 0; ///< element lane * factor + offset, or lane ^ offset where the factor is 0
  unsigned tile = 32;              ///< lanes of each group that a barrier is of
  LaneMask lanes = 0;              ///< that take the branch, or leave
  std::vector<Statement> body;
};

class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}
  std::vector<Statement> kernel() { return statements(2, kFullMask); }

private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::vector<Statement> statements(unsigned depth, LaneMask lanes) {
    std::vector<Statement> all;
    for (unsigned n = 2 + below(5); n > 0; --n)
      all.push_back(statement(depth, lanes));
    return all;
  }
  Statement statement(unsigned depth, LaneMask lanes) {
    Statement s;
    const unsigned what = below(12);
    if (depth && what < 2) {
      s.kind = Statement::Kind::Branch;
      s.lanes = below(2) ? 0xffffu << (below(2) * 16) : 0x0f0f0f0fu;
      s.body = statements(depth - 1, lanes & s.lanes);
    } else if (what == 2 && below(4) == 0) {
      s.kind = Statement::Kind::Leave;
      s.lanes = 1u << below(32) | 1u << below(32);
    } else if (what < 7) {
      s.kind = Statement::Kind::Barrier;
      s.tile = 1u << below(6);
    } else {
      s.operation = below(2) ? Operation::Load : Operation::Store;
      s.factor = below(3);
      s.offset = below(3) ? 1u << below(5) : below(32);
    }
    return s;
  }
  std::mt19937 random_;
};

LaneMask tile_of(unsigned lane, unsigned tile) {
  return tile == 32 ? kFullMask : ((1u << tile) - 1) << (lane / tile * tile);
}

/// All lanes step by step: what each knows of each other, and which accesses nothing orders.
class Execution {
public:
  explicit Execution(const std::vector<Statement> &kernel) {
    alive_ = kFullMask;
    run(kernel, kFullMask);
    for (std::size_t i = 0; i < touches_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Touch &a = touches_[j], &b = touches_[i];
        if (a.lane == b.lane || a.element != b.element || (!a.writes && !b.writes) ||
            b.known[a.lane] > a.known[a.lane] || a.known[b.lane] > b.known[b.lane])
          continue;
        (b.gone >> a.lane & 1 ? may_race : race) = true;
      }
  }
  bool race = false, may_race = false;

private:
  using Clock = std::array<unsigned, kWarpSize>; ///< by lane; its own: barriers it has been at
  struct Touch {
    unsigned lane, element;
    bool writes;
    Clock known;
    LaneMask gone; ///< lanes that have ended before a barrier before it: that may have waited for them
  };
  void run(const std::vector<Statement> &statements, LaneMask lanes) {
    for (const Statement &s : statements) {
      lanes &= alive_;
      if (s.kind == Statement::Kind::Branch)
        run(s.body, lanes & s.lanes);
      else if (s.kind == Statement::Kind::Leave)
        alive_ &= ~(lanes & s.lanes);
      else if (s.kind == Statement::Kind::Barrier)
        meet(s, lanes);
      else
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          if (lanes >> lane & 1)
            touches_.push_back({lane, (s.factor ? lane * s.factor + s.offset : lane ^ s.offset) % kElements,
                                s.operation == Operation::Store, clocks_[lane], gone_});
    }
  }
  void meet(const Statement &s, LaneMask lanes) {
    if (lanes)
      gone_ |= ~alive_;
    for (unsigned first = 0; first < kWarpSize; first += s.tile) {
      const LaneMask group = tile_of(first, s.tile) & lanes;
      Clock all{};
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        for (unsigned other = 0; other < kWarpSize && (group >> lane & 1); ++other)
          all[other] = std::max(all[other], clocks_[lane][other] + (lane == other));
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (group >> lane & 1)
          clocks_[lane] = all;
    }
  }

  LaneMask alive_ = 0, gone_ = 0;
  std::array<Clock, kWarpSize> clocks_{};
  std::vector<Touch> touches_;
};

class Builder {
public:
  Program build(const std::vector<Statement> &kernel) {
    b_.shared_array(kElements * 4);
    lane_ = b_.special(SpecialRegister::ThreadX);
    emit(kernel, kFullMask);
    return b_.program;
  }

private:
  RegisterId among(LaneMask lanes) {
    const RegisterId bit = b_.binary(Opcode::LShr, b_.constant(static_cast<std::int32_t>(lanes)), lane_);
    return b_.compare(Opcode::Ne, b_.binary(Opcode::And, bit, b_.constant(1)), b_.constant(0));
  }
  void emit(const std::vector<Statement> &statements, LaneMask lanes) {
    for (const Statement &s : statements)
      emit(s, lanes);
  }
  void emit(const Statement &s, LaneMask lanes) {
    if (s.kind == Statement::Kind::Branch) {
      b_.branch(among(s.lanes), [&] { emit(s.body, lanes & s.lanes); });
    } else if (s.kind == Statement::Kind::Leave) {
      BlockId last = kNone;
      b_.branch(among(s.lanes), [&] { last = b_.current; });
      b_.program.blocks[last].terminator = {TerminatorKind::Return, kNone, {}, {}, {}};
    } else if (s.kind == Statement::Kind::Barrier) {
      emit_barrier(s, lanes);
    } else {
      RegisterId element = s.factor ? b_.binary(Opcode::Add, b_.scaled(lane_, s.factor), b_.constant(s.offset))
                                    : b_.binary(Opcode::Xor, lane_, b_.constant(s.offset));
      element = b_.binary(Opcode::And, element, b_.constant(kElements - 1));
      const RegisterId address =
          b_.binary(Opcode::Add, b_.shared_address(0), b_.resize(Opcode::ZeroExtend, b_.scaled(element, 4), 64));
      b_.access(AddressSpace::Shared, s.operation, 32, address);
      b_.program.memory_operations.back().shared_array = 0;
    }
  }
  void emit_barrier(const Statement &s, LaneMask lanes) {
    const RegisterId tile = b_.constant(static_cast<std::int32_t>(tile_of(0, s.tile)));
    const RegisterId first = b_.binary(Opcode::And, lane_, b_.constant(~(static_cast<std::int64_t>(s.tile) - 1)));
    Instruction names, barrier;
    names.opcode = Opcode::WarpMembers;
    names.operands = {
        b_.binary(Opcode::And, b_.binary(Opcode::Shl, tile, first), b_.constant(static_cast<std::int32_t>(lanes)))};
    names.immediate = static_cast<std::int64_t>(WarpOperation::Barrier);
    barrier.opcode = Opcode::WarpBarrier;
    b_.block().instructions.push_back(names);
    b_.block().instructions.push_back(barrier);
  }

  ProgramBuilder b_;
  RegisterId lane_ = 0;
};

TEST(LaneOrder, AgreesWithClocksOfAllLanes) {
  constexpr unsigned kKernels = 4000;
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  unsigned races = 0, free = 0;
  for (unsigned seed = 1; seed <= kKernels; ++seed) {
    Generator generator(seed);
    const std::vector<Statement> kernel = generator.kernel();
    const Program program = Builder().build(kernel);
    ASSERT_EQ(verify(program), "") << "seed " << seed;
    const Races found = find_races(program, launch, *find_architecture("sm_90"));
    const Execution execution(kernel);
    const RaceVerdict expected = execution.race       ? RaceVerdict::Race
                                 : execution.may_race ? RaceVerdict::Unknown
                                                      : RaceVerdict::Free;
    ASSERT_EQ(found.within_warp, expected) << "seed " << seed << ": " << found.reason << "\n" << to_string(program);
    races += found.within_warp == RaceVerdict::Race;
    free += found.within_warp == RaceVerdict::Free;
  }
  EXPECT_GT(races, kKernels / 10);
  EXPECT_GT(free, kKernels / 10);
}

} // namespace
} // namespace smem
