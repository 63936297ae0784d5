// One function's machine code -> Program. lower_machine_code.h is the way in.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/counting_program.h"
#include "program/program_builder.h"
#include "sass/lower_machine_code.h"
#include "sass/machine_flow.h"
#include "sass/machine_values.h"
#include "sass/operand.h"

namespace smem::compiled {

constexpr BlockId kFirstBlock = 1; ///< of the Program: the machine code's first; before it is what a launch brings

class MachineLowering {
public:
  MachineLowering(const Listing &listing, const ListedFunction &function, const Program &source,
                  const MachineCodeOptions &options);

  LoweredMachineCode run();

private:
  using Operands = std::vector<MachineOperand>;

  // machine_waits.cpp: where lanes wait for one another
  void assume_waits_behind_loops();
  /// Loops that wait for other threads, of which lanes are let go wherever they stand.
  std::vector<BlockId> blocks_that_yield() const;
  std::vector<bool> reached_from(std::size_t block, std::size_t barred) const;
  bool leaves_loop_for(std::size_t from, std::size_t at) const;
  void lower_block(std::size_t number);
  /// Of a block whose sites are those from `first_site` on, and which has this number in the Program.
  void count_instructions(const MachineBlock &block, BlockId number, SiteId first_site);
  void lower_instruction(const ListedInstruction &instruction);
  void follow_groups(std::string_view base, const ListedInstruction &instruction);
  /// The lanes that are to come here, in a register.
  void name_lanes(const std::string &operand);
  void name_lanes(RegisterId members);
  /// The masks of the groups that the lanes vote in, by lane.
  RegisterId members();
  void end_block(std::size_t number);
  void replace_registers(const std::vector<RegisterId> &became);
  RegisterId branch_condition(const ListedInstruction &instruction);
  /// Whatever the instruction writes is not known.
  void forget_results(const ListedInstruction &instruction, const Operands &operands);
  void forget_everything();
  /// A number that stands for a text: what tells unknown functions of the same operands apart.
  RegisterId name(const std::string &text);

  // machine_operands.cpp: values of operands, results
  RegisterId word(const MachineOperand &operand);  ///< 32 bits
  RegisterId wide(const MachineOperand &operand);  ///< 64 bits: a register and the next
  RegisterId truth(const MachineOperand &operand); ///< of a predicate
  /// A predicate as it stands in an instruction.
  struct Guard {
    RegisterId predicate = kNone;
    bool negated = false;
    bool operator==(const Guard &) const = default;
  };
  RegisterId guard_of(const std::string &guard);
  RegisterId read(const MachineRegister &reg, unsigned offset = 0);
  RegisterId constant_bank(std::uint32_t bank, std::int64_t offset, std::uint8_t bits = 32);
  RegisterId parameter_piece(std::uint32_t offset, std::uint8_t bits);
  RegisterId special(const std::string &name);
  void write(const MachineOperand &to, RegisterId value, unsigned offset = 0);
  void write_wide(const MachineOperand &to, RegisterId value);
  RegisterId unknown(std::uint8_t width, const std::vector<RegisterId> &from);

  // machine_arithmetic.cpp: integers; false: not an instruction that is followed
  bool lower_arithmetic(std::string_view base, const ListedInstruction &instruction, const Operands &operands);
  void lower_add3(const ListedInstruction &instruction, const Operands &operands);
  bool lower_multiply(const ListedInstruction &instruction, const Operands &operands);
  bool lower_address_sum(const ListedInstruction &instruction, const Operands &operands);
  bool lower_compare(const ListedInstruction &instruction, const Operands &operands);
  bool lower_shift(const ListedInstruction &instruction, const Operands &operands);
  bool lower_permute(const Operands &operands);
  bool lower_logic(const ListedInstruction &instruction, const Operands &operands);
  bool lower_predicate_logic(const Operands &operands);
  bool lower_exchange(std::string_view base, const ListedInstruction &instruction, const Operands &operands);
  bool lower_reciprocal(std::string_view base, const ListedInstruction &instruction, const Operands &operands);
  // machine_floats.cpp
  bool lower_floating(std::string_view base, const ListedInstruction &instruction, const Operands &operands);
  bool lower_floating_compare(std::string_view base, const ListedInstruction &instruction, const Operands &operands);
  bool lower_half_widening(const ListedInstruction &instruction, const Operands &operands);
  bool lower_conversion(std::string_view base, const ListedInstruction &instruction, const Operands &operands);
  std::optional<RegisterId> floating_operand(const MachineOperand &operand, std::uint8_t width);
  void write_floating(const MachineOperand &to, RegisterId value);

  RegisterId carry_of(RegisterId sum, const std::vector<std::pair<RegisterId, bool>> &summands);
  RegisterId high_word(RegisterId value) {
    return builder_.resize(builder_.emit(Opcode::LShr, 64, {value, builder_.constant(64, 32)}), 32, false);
  }
  RegisterId negated(RegisterId value) {
    return builder_.emit(Opcode::Sub, builder_.width(value), {builder_.constant(builder_.width(value), 0), value});
  }

  // machine_memory.cpp
  void lower_memory(const ListedInstruction &instruction, const Operands &operands, const MachineAccess &access);
  RegisterId address(const MachineOperand &operand);
  /// `alone`: an access whose counts the instruction does not say, of bulk copies and of tensor cores that read shared memory.
  bool lower_uncounted(std::string_view base, const ListedInstruction &instruction, const Operands &operands);
  /// A word of the compiler's own tables.
  RegisterId table_word(const MachineOperand &operand);

  const Listing &listing_;
  const ListedFunction &function_;
  const Program &source_;
  const MachineCodeOptions &options_;
  MachineFlow flow_;
  Program program_;
  lower::ProgramBuilder builder_;
  std::optional<MachineValues> values_;
  BlockId return_block_ = kNone;
  std::uint32_t table_ = kNone; ///< constant bank 2 among the Program's variables
  std::string error_;
  bool complete_ = true;
  bool exclusive_ = false;                  ///< one group of lanes runs at a time
  RegisterId members_of_exclusive_ = kNone; ///< the masks of these groups
  /// Code of which there is a copy for groups, by addresses, and the masks of these.
  struct CopiedForGroups {
    std::uint64_t begin, end;
    RegisterId members;
  };
  std::vector<CopiedForGroups> copied_;
  std::pair<std::string, RegisterId> named_together_{"", kNone}; ///< a register with the union of masks, and the masks
  bool clusters_ = false;                                        ///< blocks of a cluster wait for one another
  bool breaks_ = false; ///< lanes leave the places where they would wait for one another
  std::set<SiteId> uncertain_lines_, local_;
  KernelArithmetic arithmetic_;
  std::vector<lower::BlockWork> without_access_; ///< blocks of the Program
  std::vector<std::uint64_t> addresses_;         ///< of the instructions, by site
  const ListedInstruction *current_ = nullptr;   ///< being lowered
  RegisterId guard_ = kNone;                     ///< of the instruction that is being lowered; kNone: always
  Guard guard_key_;                              ///< the same

  /// What was written under a guard: of which an instruction under the same guard reads but one side.
  struct Guarded {
    Guard guard;
    RegisterId written, before;
  };
  std::map<RegisterId, Guarded> guarded_;

  /// Steps of the division that the compiler makes of a reciprocal in floating point: values that stand for 1/divisor, and for the
  /// error of such a one.
  enum class Step : std::uint8_t { Float, Reciprocal, Lowered, Quotient, Error };
  struct Division {
    Step step;
    RegisterId divisor;
  };
  std::map<RegisterId, Division> divisions_;
  std::map<std::string, std::int64_t> names_;
  std::set<std::pair<std::uint32_t, std::int64_t>>
      wide_fields_; ///< pieces of 64 bits that the source reads of its parameters: which, byte offset
};

} // namespace smem::compiled
