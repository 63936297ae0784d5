// Machine registers, which are written many times, as registers of a Program, which are written once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "sass/machine_flow.h"
#include "sass/operand.h"
#include "program/program_builder.h"

namespace smem::compiled {

/// One machine register: its bank and number.
using Variable = std::uint16_t;
Variable variable_of(const MachineRegister &reg);
std::uint8_t width_of(Variable variable); ///< bits: 32, or 1 for predicates

class MachineValues {
public:
  /// `first_block`: the Program's block of flow.blocks[0]; the others follow it. Block 0 of the Program is an entry of its own.
  MachineValues(const ListedFunction &function, const MachineFlow &flow, Program &program,
                lower::ProgramBuilder &builder, BlockId first_block);

  /// Blocks are filled one after the other, in the order of the flow: all but those of loops come after their predecessors.
  void enter(std::size_t block) { current_ = block; }
  RegisterId read(Variable variable) { return read_at_end(current_, variable); }
  void write(Variable variable, RegisterId value) { ends_[current_][variable] = value; }

  /// When all blocks are filled: completes the phis of loops, then takes out those that stand for one value. Returns what
  /// each register of the Program has become.
  std::vector<RegisterId> finish();

private:
  RegisterId read_at_end(std::size_t block, Variable variable);
  RegisterId read_at_begin(std::size_t block, Variable variable);
  RegisterId new_phi(std::size_t block, Variable variable);
  /// Whether something in the loop that begins with `block` may write the variable.
  bool may_change(std::size_t block, Variable variable);

  struct OpenPhi {
    std::size_t block, phi;
    Variable variable;
    RegisterId result;
  };

  const ListedFunction &function_;
  const MachineFlow &flow_;
  Program &program_;
  lower::ProgramBuilder &builder_;
  BlockId first_block_;
  std::size_t current_ = 0;
  std::vector<std::map<Variable, RegisterId>> begins_, ends_;
  std::map<std::size_t, std::set<Variable>> changed_; ///< by loop header
  std::set<std::size_t> entered_sideways_;            ///< loops with other ways in than their header
  std::vector<OpenPhi> open_;
};

} // namespace smem::compiled
