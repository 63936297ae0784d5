// Random kernels of accesses, barriers, loops and branches, in which races are looked for, and the programs that they are.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "program_builder.h"
#include "smem/race.h"

namespace smem::test::races {

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

inline constexpr std::uint64_t kArrayBytes[] = {64, 256};
inline constexpr unsigned kNextBlock =
    5; ///< elements of `data` further on that it is for the next block, for some conditions

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

} // namespace smem::test::races
