// One kernel's IR -> Program, everything of it; slice.h throws away what no count depends on.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "ir/block_addresses.h"
#include "ir/float_lowering.h"
#include "ir/lower.h"
#include "ir/site_key.h"
#include "ir/types.h"
#include "nvcc/lines/header_lines.h"
#include "nvcc/lines/locations.h"
#include "program/parameter_facts.h"
#include "program/program_builder.h"
#include "smem/program.h"

namespace smem::lower {

using Registers = std::vector<RegisterId>;

/// As the source has it: powf(), not llvm.pow.f32 or __nv_powf. Of others their own name, between quotation marks.
std::string name_in_source(const llvm::Function &function);

class KernelLowering {
public:
  KernelLowering(llvm::Function &kernel, const SourceIndex &index, Locations &locations, const CompilerRules &rules);

  Program run();

  /// After run(), of what it has returned: of the blocks that loads or stores of their own tell apart, and of those
  /// without any that loops repeat.
  KernelArithmetic arithmetic(const Program &program) const;

private:
  friend class PtxLowering;

  // kernel_lowering.cpp: the frame
  void describe_kernel();
  void describe_shared_arrays();
  void note_missing_bodies();
  void lower_block(const llvm::BasicBlock &block);
  void lower_terminator(const llvm::Instruction &terminator);
  void lower_phis(const llvm::BasicBlock &block);
  void complete_phis(const llvm::BasicBlock &block);

  // values.cpp
  Registers value(const llvm::Value *value);
  RegisterId scalar(const llvm::Value *value);
  /// A pointer as a 64-bit address.
  RegisterId address(const llvm::Value *pointer) { return scalar(pointer); }
  Registers constant(const llvm::Constant &constant);
  RegisterId global_address(const llvm::GlobalVariable &variable);
  std::uint32_t global_object(const llvm::GlobalVariable &variable);
  void define(const llvm::Value &value, Registers registers);
  /// Every component unknown, depending on `operands`.
  Registers opaque(llvm::Type *type, const std::string &reason, const Registers &operands);
  void define_opaque(const llvm::Instruction &instruction, const std::string &reason);
  /// What each lane gets each time is something else, and not known.
  void define_event(const llvm::Instruction &instruction, const std::string &reason);
  std::vector<std::uint8_t> widths(llvm::Type *type) const;
  /// Index of the instruction's place in the source, for messages.
  std::uint32_t place(const llvm::Instruction &instruction);
  /// ` (line 12)`, for reasons.
  std::string at_line(const llvm::Instruction &instruction);

  // lower_instruction.cpp
  void lower_instruction(const llvm::Instruction &instruction);
  Registers lower_operation(const llvm::User &user, unsigned opcode);
  Registers lower_binary(const llvm::User &user, unsigned opcode);
  Registers lower_float_binary(const llvm::User &user, unsigned opcode);
  RegisterId not_computed(unsigned opcode, RegisterId a, RegisterId b);
  Registers lower_wide_binary(const llvm::User &user, unsigned opcode);
  Registers lower_compare(const llvm::User &user, llvm::CmpInst::Predicate predicate);
  RegisterId compare(llvm::CmpInst::Predicate predicate, RegisterId a, RegisterId b);
  Registers lower_cast(const llvm::User &user, unsigned opcode);
  Registers lower_gep(const llvm::GEPOperator &gep);
  Registers lower_select(const llvm::User &user);
  Registers lower_extract_element(const llvm::User &user);
  Registers lower_insert_element(const llvm::User &user);
  Registers lower_shuffle_vector(const llvm::User &user, llvm::ArrayRef<int> mask);
  Registers lower_extract_value(const llvm::ExtractValueInst &extract);
  Registers lower_insert_value(const llvm::InsertValueInst &insert);
  void lower_alloca(const llvm::AllocaInst &alloca);

  // lower_memory.cpp
  struct Pointer {
    AddressSpace space = AddressSpace::Generic;
    RegisterId address = kNone;
    const llvm::Value *base = nullptr;  ///< underlying variable, parameter or local array, where there is one
    const llvm::Value *value = nullptr; ///< what the address is in IR, for its formula
    std::int64_t offset = 0;            ///< that is added to it
    bool elsewhere = false; ///< the address is generic in machine code, but leads to global memory (BlockAddresses)
  };
  Pointer pointer(const llvm::Value *pointer);
  void lower_load(const llvm::LoadInst &load);
  void lower_store(const llvm::StoreInst &store);
  void lower_atomic(const llvm::AtomicRMWInst &atomic);
  void lower_compare_exchange(const llvm::AtomicCmpXchgInst &exchange);
  Registers lower_parameter_load(const llvm::Argument &parameter, const llvm::Value *pointer, llvm::Type *type);
  /// The loads that fetch a value of `type`; its components.
  Registers load_pieces(const llvm::Instruction &instruction, const llvm::Value *pointer, llvm::Type *type,
                        llvm::Align alignment);
  void store_pieces(const llvm::Instruction &instruction, const llvm::Value *pointer, const llvm::Value *value,
                    llvm::Align alignment);
  /// What adding `addend`, where it is known, is for the machine.
  static AtomicKind add_kind(std::optional<std::int64_t> addend);
  /// `operand`: of a sum, or atomicInc's limit; nullptr for any other.
  Registers atomic(const llvm::Instruction &instruction, const llvm::Value *pointer, AtomicKind kind, llvm::Type *type,
                   const llvm::Value *operand = nullptr);
  /// Appends a memory operation with its site (none for local and constant memory). Returns it to be completed.
  MemoryOperation &memory(const llvm::Instruction &instruction, const Pointer &pointer, const Access &access);
  SiteId site(const llvm::Instruction &instruction, const Pointer &pointer, const Access &access,
              const std::string &not_lowered = {});
  /// A site whose addresses nobody knows, and why.
  void not_lowered(const llvm::Instruction &instruction, const Access &access, const std::string &construct);
  /// The same of code that is not seen, or goes through a pointer to any memory: variables of the thread and of its block have other values behind it.
  void not_lowered_anywhere(const llvm::Instruction &instruction, const Access &access, const std::string &construct);

  // lower_call.cpp, lower_intrinsics.cpp, lower_float_intrinsics.cpp
  void lower_call(const llvm::CallBase &call);
  /// Of a function that has a unit of its own (uncounted.h).
  void lower_unit_call(const llvm::CallBase &call, const std::string &what);
  void lower_intrinsic(const llvm::IntrinsicInst &call);
  void lower_unknown_call(const llvm::CallBase &call);
  /// libdevice's functions that give the same whatever computes them.
  bool lower_library_function(const llvm::CallBase &call, llvm::StringRef name);
  bool lower_integer_intrinsic(const llvm::IntrinsicInst &call);
  bool lower_float_intrinsic(const llvm::IntrinsicInst &call);
  /// For races: the lanes that have to come to the call.
  void names_lanes(const llvm::IntrinsicInst &call, RegisterId members, WarpOperation operation);
  bool lower_warp_intrinsic(const llvm::IntrinsicInst &call);
  bool lower_memory_intrinsic(const llvm::IntrinsicInst &call);
  Registers overflow_result(const llvm::IntrinsicInst &call);
  /// A barrier of the block; `threads`: of so many, as the code has it.
  /// Without `number` it is the one of __syncthreads(), without `threads` one of the whole block.
  void barrier(const llvm::Instruction &instruction, std::optional<RegisterId> number = std::nullopt,
               std::optional<RegisterId> threads = std::nullopt);
  /// prmt with a constant selector without signs.
  std::optional<RegisterId> permute_bytes(RegisterId low, RegisterId high, RegisterId selector);

  // lower_cluster.cpp
  /// `cluster_ctarank`, `cluster_ctaid.x`, …: PTX's special registers without their `%`. kNone if it is none of them.
  RegisterId cluster_register(llvm::StringRef name);
  /// The place of a shared address, generic or not, in the block of that rank.
  RegisterId map_to_block(RegisterId address, RegisterId rank);
  bool lower_cluster_intrinsic(const llvm::IntrinsicInst &call);

  // lower_matrix.cpp
  bool lower_matrix_intrinsic(const llvm::IntrinsicInst &call);

  // lower_inline_ptx.cpp
  void lower_inline_ptx(const llvm::CallBase &call, const llvm::InlineAsm &assembly);

  llvm::Function &kernel_;
  std::optional<BlockAddresses> block_addresses_; ///< once they were asked for
  const llvm::DataLayout &layout_;
  const SourceIndex &index_;
  Locations &locations_;
  const CompilerRules &rules_;
  Program program_;
  ProgramBuilder builder_;
  FloatLowering floats_;
  llvm::DenseMap<const llvm::Value *, Registers> values_;
  llvm::DenseMap<const llvm::BasicBlock *, BlockId> blocks_;
  llvm::DenseMap<const llvm::GlobalVariable *, std::uint32_t> shared_, globals_;
  std::map<SiteKey, SiteId> sites_;
  std::map<SiteId, std::map<const llvm::BasicBlock *, std::uint32_t>>
      marked_; ///< loads and stores: in how many instructions of which blocks
  std::vector<AssumedCondition> assumed_;
  std::vector<BlockId> ending_; ///< blocks at whose end no thread goes on: an assertion has failed
  SharedLines shared_lines_;
  std::set<std::pair<std::string, std::uint32_t>>
      waits_;                        ///< file and line of what waits for a barrier in shared memory
  std::string not_followed_;         ///< a call into this file's code that is not looked into
  std::string left_out_, elsewhere_; ///< a function called whose body was left out, and one of another file
  std::map<SourceLocation, std::uint32_t> places_;
};

/// The variable, parameter or local array that an address, integer or pointer, was made from; null if there is none or
/// more than one.
const llvm::Value *underlying_variable(const llvm::Value *address);

} // namespace smem::lower
