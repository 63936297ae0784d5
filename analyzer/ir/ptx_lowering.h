// One inline PTX statement -> operations of the kernel's Program. A part of KernelLowering: one file for each kind of instruction.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/IR/InlineAsm.h>

#include "ir/kernel_lowering.h"
#include "ptx/ptx_parser.h"

namespace smem::lower {

/// One asm statement.
class PtxLowering {
public:
  PtxLowering(KernelLowering &lowering, const llvm::CallBase &call, const llvm::InlineAsm &assembly);
  void run();

private:
  /// An operand of the asm statement.
  struct Slot {
    Registers row;                      ///< least significant first
    const llvm::Value *value = nullptr; ///< of an input
    bool output = false;
    bool used = true; ///< of an output
  };

  // lower_inline_ptx.cpp
  void read_constraints(const llvm::InlineAsm &assembly);
  bool is_used(unsigned output, bool in_struct) const;
  void not_lowered(const std::string &construct, Operation operation, bool shared, unsigned width = 32);
  void not_lowered(const ptx::Instruction &instruction);
  void opaque(const ptx::Instruction &instruction);
  /// Of an unknown instruction, or of one whose result depends on more than its operands: an event.
  void unknown_result(const ptx::Instruction &instruction, const Registers &operands, bool event);
  void lower(const ptx::Instruction &instruction);
  void lower_copy_groups(const ptx::Instruction &instruction);
  void lower_barrier(const ptx::Instruction &instruction);
  /// Registers that hold an address keep the name of what it was made from.
  void follow_origin(const ptx::Instruction &instruction);

  // lower_ptx_operands.cpp
  const Registers *row_of(const ptx::Operand &operand) const;
  std::vector<std::uint8_t> widths_of(const ptx::Operand &operand) const;
  RegisterId special(const std::string &name);
  Registers read_row(const ptx::Operand &operand);
  RegisterId read(const ptx::Operand &operand, std::uint8_t width, bool sign = false);
  RegisterId predicate(const ptx::Operand &operand);
  /// kNone where the instruction runs unconditionally.
  RegisterId guard(const ptx::Instruction &instruction);
  void write(const ptx::Operand &target, Registers row, bool sign = false);
  void write(const ptx::Operand &target, RegisterId value, bool sign = false);
  /// The IR value that an operand's address was made from, where that can be told.
  const llvm::Value *origin(const ptx::Operand &operand) const;
  KernelLowering::Pointer pointer(const ptx::Operand &operand, AddressSpace space);

  // lower_ptx_memory.cpp
  void lower_memory(const ptx::Instruction &instruction);
  MemoryOperation &memory(const ptx::Instruction &instruction, const KernelLowering::Pointer &to, const Access &access);
  bool lower_load(const ptx::Instruction &instruction);
  void write_elements(const ptx::Operand &target, const Registers &row, unsigned elements, bool sign);
  bool lower_store(const ptx::Instruction &instruction);
  bool lower_matrix(const ptx::Instruction &instruction);
  bool lower_async_copy(const ptx::Instruction &instruction);
  bool lower_atomic(const ptx::Instruction &instruction);
  bool result_is_used(const ptx::Operand &target) const;

  // lower_ptx_hopper.cpp
  bool lower_bulk_copy(const ptx::Instruction &instruction);
  bool lower_async_store(const ptx::Instruction &instruction);
  bool lower_matrix_multiply(const ptx::Instruction &instruction);
  /// An access whose cost depends on no address; `condition`, unless kNone, says which lanes count.
  void without_addresses(const ptx::Instruction &instruction, const Access &access, RegisterId condition = kNone);

  // lower_ptx_mbarrier.cpp
  void lower_mbarrier(const ptx::Instruction &instruction);
  /// The wait that is being lowered goes round in the statement until it succeeds, and nothing else happens there.
  bool spins_here() const;
  /// An address in shared memory, also where the instruction takes a generic one.
  RegisterId shared_address(const ptx::Instruction &instruction, const ptx::Operand &operand);
  /// Its guard as a bit.
  RegisterId lanes_of(const ptx::Instruction &instruction);
  /// Tells races of a bulk copy, whose site is the latest one.
  void time_bulk_copy(const ptx::Instruction &instruction);
  void untimed(const std::string &what);

  // lower_ptx_arithmetic.cpp
  bool lower_computation(const ptx::Instruction &instruction);
  Registers move_source(const ptx::Operand &source, std::uint8_t width);
  bool lower_real(const ptx::Instruction &instruction, std::uint8_t width);
  bool lower_arithmetic(const ptx::Instruction &instruction, std::string_view type, std::uint8_t width);
  /// A sum of the products that the table of the operation selects.
  bool lower_logic(const ptx::Instruction &instruction);
  bool lower_comparison(const ptx::Instruction &instruction, std::string_view type, std::uint8_t width);
  bool lower_conversion(const ptx::Instruction &instruction, const std::vector<std::string_view> &types);
  bool lower_space_conversion(const ptx::Instruction &instruction);

  // lower_ptx_exchange.cpp
  bool lower_exchange(const ptx::Instruction &instruction);

  KernelLowering &lowering_;
  ProgramBuilder &builder_;
  const llvm::CallBase &call_;
  const ptx::Statement statement_;
  std::vector<Slot> slots_;
  std::map<std::string, Registers> names_;
  std::map<std::string, const llvm::Value *> origins_;
  std::size_t at_ = 0; ///< the instruction that is being lowered
};

} // namespace smem::lower
