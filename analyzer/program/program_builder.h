// Appends instructions to a Program: numbers registers, folds constants, shares common leaves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "smem/program.h"

namespace smem::lower {

class ProgramBuilder {
public:
  explicit ProgramBuilder(Program &program) : program_(program) {}

  BlockId new_block();
  /// Instructions are appended to `block` from now on.
  void enter(BlockId block);
  BlockId current() const { return block_; }

  RegisterId new_register(std::uint8_t width);
  std::uint8_t width(RegisterId id) const { return program_.register_width[id]; }

  /// Leaves live in the entry block, one of each.
  RegisterId constant(std::uint8_t width, std::int64_t value);
  RegisterId special(SpecialRegister which, std::uint8_t width = 32);
  RegisterId leaf(Opcode opcode, std::uint8_t width, std::uint32_t index, std::int64_t immediate = 0);
  /// Leaves come first in the entry block: they dominate every use, whenever it is met. Those that are new since the last time are put there at once, as each by
  /// itself would move all that the block has.
  void place_leaves();
  RegisterId undefined(std::uint8_t width) { return leaf(Opcode::Undefined, width, kNone); }

  RegisterId emit(Opcode opcode, std::uint8_t width, std::vector<RegisterId> operands, std::uint32_t index = kNone,
                  std::int64_t immediate = 0);
  RegisterId add(RegisterId a, RegisterId b) { return emit(Opcode::Add, width(a), {a, b}); }
  RegisterId add(RegisterId a, std::int64_t b) { return add(a, constant(width(a), b)); }
  RegisterId mul(RegisterId a, std::int64_t b) { return emit(Opcode::Mul, width(a), {a, constant(width(a), b)}); }
  RegisterId bit_and(RegisterId a, std::int64_t b) { return emit(Opcode::And, width(a), {a, constant(width(a), b)}); }
  RegisterId logical_not(RegisterId a) { return emit(Opcode::Xor, 1, {a, constant(1, -1)}); }
  RegisterId compare(Opcode opcode, RegisterId a, RegisterId b) { return emit(opcode, 1, {a, b}); }
  RegisterId select(RegisterId condition, RegisterId yes, RegisterId no) {
    return emit(Opcode::Select, width(yes), {condition, yes, no});
  }
  /// Truncates or extends to `width`; the register itself where it fits already.
  RegisterId resize(RegisterId value, std::uint8_t width, bool is_signed);

  /// A value that cannot be computed: what it depends on and why.
  RegisterId opaque(std::uint8_t width, const std::string &reason, std::vector<RegisterId> operands);
  /// One of these values, all of one width.
  RegisterId agree(const std::string &reason, const std::vector<RegisterId> &values);
  /// One that may differ between lanes whatever its operands.
  RegisterId opaque_per_lane(std::uint8_t width, const std::string &reason, std::vector<RegisterId> operands = {});

  /// One that is new each time this is called: two of them are never the same value.
  RegisterId opaque_event(std::uint8_t width, const std::string &reason, std::vector<RegisterId> operands = {});
  /// What a barrier of the block that has just been gives all its threads.
  RegisterId vote_of_block(std::uint8_t width, const std::string &reason);

  /// Of a barrier in shared memory. Operands as Opcode::Mbarrier has them; `text` is the reason of its result where races are not looked for.
  RegisterId mbarrier(std::uint8_t width, MbarrierCall call, std::vector<RegisterId> operands, const std::string &text,
                      std::uint32_t place);

  void effect(Opcode opcode, std::uint32_t index = kNone, std::int64_t immediate = 0);
  void effect_of(Opcode opcode, std::vector<RegisterId> operands, std::uint32_t index = kNone,
                 std::int64_t immediate = 0);

  /// The same bits cut into registers of other widths; both lists start at the least significant bit. Missing high bits
  /// are undefined.
  std::vector<RegisterId> recut(std::span<const RegisterId> from, std::span<const std::uint8_t> widths);

  std::optional<std::int64_t> constant_value(RegisterId id) const;

private:
  using Key = std::tuple<Opcode, std::uint8_t, std::uint32_t, std::int64_t, std::vector<RegisterId>>;

  std::optional<RegisterId> fold(Opcode opcode, std::uint8_t width, const std::vector<RegisterId> &operands);
  std::uint32_t reason(const std::string &text);

  Program &program_;
  BlockId block_ = kNone;
  std::vector<Instruction> leaves_to_place_;
  std::size_t leaf_count_ = 0; ///< placed
  std::int64_t events_ = 0;
  std::map<Key, RegisterId> leaves_;
  std::map<Key, RegisterId> local_; ///< of the current block, since it was entered
  std::map<RegisterId, std::int64_t> constants_;
  std::map<std::string, std::uint32_t> reasons_;
};

} // namespace smem::lower
