// Intrinsics of LLVM and of NVPTX that compute; those of floating point are in lower_float_intrinsics.cpp.
#include "ir/kernel_lowering.h"

#include <optional>

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "nvcc/facts/special_registers.h"
#include "nvcc/facts/machine.h"
#include "nvcc/source_calls.h"
#include "smem/fence.h"

namespace smem::lower {
namespace {

namespace I = llvm::Intrinsic;

/// Two operands, one instruction.
std::optional<Opcode> binary(I::ID id) {
  switch (id) {
  case I::umin: return Opcode::UMin;
  case I::umax: return Opcode::UMax;
  case I::smin: return Opcode::SMin;
  case I::smax: return Opcode::SMax;
  case I::nvvm_mulhi_i:
  case I::nvvm_mulhi_s:
  case I::nvvm_mulhi_ll: return Opcode::SMulHigh;
  case I::nvvm_mulhi_ui:
  case I::nvvm_mulhi_us:
  case I::nvvm_mulhi_ull: return Opcode::UMulHigh;
  default: return std::nullopt;
  }
}

/// One operand, one instruction.
std::optional<Opcode> unary(I::ID id) {
  switch (id) {
  case I::ctpop: return Opcode::Popcount;
  case I::ctlz: return Opcode::CountLeadingZeros;
  case I::cttz: return Opcode::CountTrailingZeros;
  case I::bitreverse: return Opcode::ReverseBits;
  case I::bswap: return Opcode::ReverseBytes;
  default: return std::nullopt;
  }
}

/// Casts between address spaces that are spelled as intrinsics: what they do to the address.
std::optional<Opcode> space_cast(I::ID id) {
  switch (id) {
  case I::nvvm_ptr_shared_to_gen: return Opcode::SharedToGeneric;
  case I::nvvm_ptr_gen_to_shared: return Opcode::GenericToShared;
  default: return std::nullopt;
  }
}

bool is_plain_pointer_cast(I::ID id) {
  switch (id) {
  case I::nvvm_ptr_gen_to_global:
  case I::nvvm_ptr_gen_to_local:
  case I::nvvm_ptr_gen_to_constant:
  case I::nvvm_ptr_gen_to_param:
  case I::nvvm_ptr_global_to_gen:
  case I::nvvm_ptr_local_to_gen:
  case I::nvvm_ptr_constant_to_gen:
  case I::nvvm_ptr_param_to_gen:
  case I::nvvm_move_ptr:
  case I::nvvm_move_i16:
  case I::nvvm_move_i32:
  case I::nvvm_move_i64:
  case I::nvvm_move_float:
  case I::nvvm_move_double:
  case I::nvvm_bitcast_d2ll:
  case I::nvvm_bitcast_ll2d:
  case I::nvvm_bitcast_f2i:
  case I::nvvm_bitcast_i2f:
  case I::expect:
  case I::expect_with_probability:
  case I::launder_invariant_group:
  case I::strip_invariant_group:
  case I::ssa_copy:
  case I::ptr_annotation:
  case I::annotation: return true;
  default: return false;
  }
}

std::optional<Opcode> reduction(I::ID id) {
  switch (id) {
  case I::nvvm_redux_sync_add: return Opcode::Add;
  case I::nvvm_redux_sync_and: return Opcode::And;
  case I::nvvm_redux_sync_or: return Opcode::Or;
  case I::nvvm_redux_sync_xor: return Opcode::Xor;
  case I::nvvm_redux_sync_min: return Opcode::SMin;
  case I::nvvm_redux_sync_max: return Opcode::SMax;
  case I::nvvm_redux_sync_umin: return Opcode::UMin;
  case I::nvvm_redux_sync_umax: return Opcode::UMax;
  default: return std::nullopt;
  }
}

/// Execution barriers of the whole block.
bool is_barrier(I::ID id) {
  switch (id) {
  case I::nvvm_barrier0:
  case I::nvvm_barrier0_and:
  case I::nvvm_barrier0_or:
  case I::nvvm_barrier0_popc:
  case I::nvvm_barrier:
  case I::nvvm_barrier_n:
  case I::nvvm_barrier_sync:
  case I::nvvm_barrier_sync_cnt:
  case I::nvvm_bar_sync:
  case I::nvvm_barrier_cluster_wait:
  case I::nvvm_barrier_cluster_wait_aligned: return true;
  default: return false;
  }
}

bool is_arrival(I::ID id) {
  switch (id) {
  case I::nvvm_barrier_cluster_arrive:
  case I::nvvm_barrier_cluster_arrive_aligned:
  case I::nvvm_barrier_cluster_arrive_relaxed:
  case I::nvvm_barrier_cluster_arrive_relaxed_aligned: return true;
  default: return false;
  }
}

/// Neither a value nor memory that is counted.
bool is_ignored(I::ID id) {
  switch (id) {
  case I::nvvm_membar_cta:
  case I::nvvm_fence_sc_cluster:
  case I::nvvm_nanosleep:
  case I::nvvm_setmaxnreg_inc_sync_aligned_u32:
  case I::nvvm_setmaxnreg_dec_sync_aligned_u32:
  case I::trap:
  case I::debugtrap:
  case I::ubsantrap:
  case I::prefetch:
  case I::experimental_noalias_scope_decl: return true;
  default: return false;
  }
}

} // namespace

void KernelLowering::lower_intrinsic(const llvm::IntrinsicInst &call) {
  const I::ID id = call.getIntrinsicID();
  if (is_arrival(id)) {
    program_.split_barriers = true;
    const RegisterId cluster = builder_.constant(32, kClusterBarrier);
    return builder_.effect_of(Opcode::BarrierArrive, {cluster, cluster}, place(call));
  }
  if (id == I::assume)
    assumed_.push_back({builder_.current(), scalar(call.getArgOperand(0)), locations_.attributed(call).location});
  if (id == I::trap)
    ending_.push_back(builder_.current());
  if (call.isAssumeLikeIntrinsic() || is_ignored(id)) {
    if (!call.getType()->isVoidTy())
      define_opaque(call, "result of " + call.getCalledFunction()->getName().str());
    return;
  }
  if (const auto special = special_register_of(id))
    return define(call, {builder_.special(*special)});
  if (is_plain_pointer_cast(id))
    return define(call, builder_.recut(value(call.getArgOperand(0)), widths(call.getType())));
  if (const auto opcode = space_cast(id))
    return define(call, {builder_.emit(*opcode, 64, {scalar(call.getArgOperand(0))})});
  if (is_barrier(id)) {
    // A barrier's number, and as many threads.
    const bool counted = id == I::nvvm_barrier || id == I::nvvm_barrier_sync_cnt;
    const bool numbered = counted || id == I::nvvm_barrier_n || id == I::nvvm_barrier_sync || id == I::nvvm_bar_sync;
    barrier(call, numbered ? std::optional(scalar(call.getArgOperand(0))) : std::nullopt,
            counted ? std::optional(scalar(call.getArgOperand(1))) : std::nullopt);
    if (!call.getType()->isVoidTy())
      define(call, {builder_.vote_of_block(32, "vote of the block at a barrier" + at_line(call))});
    return;
  }
  if (id == I::nvvm_membar_gl || id == I::nvvm_membar_sys)
    return builder_.effect(Opcode::Fence, kNone, call.hasMetadata(kGridBarrierMark) ? kGridBarrier : 0);
  if (id == I::nvvm_cp_async_commit_group)
    return builder_.effect(Opcode::CopyCommit);
  if (id == I::nvvm_cp_async_wait_all)
    return builder_.effect(Opcode::CopyWait, kNone, kAllCopies);
  if (id == I::nvvm_cp_async_wait_group)
    return builder_.effect(Opcode::CopyWait, kNone,
                           builder_.constant_value(scalar(call.getArgOperand(0))).value_or(kGroupsNotKnown));
  if (id == I::nvvm_cp_async_bulk_commit_group)
    return builder_.effect(Opcode::BulkCommit);
  if (id == I::nvvm_cp_async_bulk_wait_group || id == I::nvvm_cp_async_bulk_wait_group_read)
    return builder_.effect(Opcode::BulkWait, kNone,
                           builder_.constant_value(scalar(call.getArgOperand(0))).value_or(kGroupsNotKnown));
  if (id == I::nvvm_bar_warp_sync)
    names_lanes(call, scalar(call.getArgOperand(0)), WarpOperation::Barrier);
  if (id == I::nvvm_bar_warp_sync)
    return builder_.effect(Opcode::WarpBarrier, kNone,
                           builder_.constant_value(scalar(call.getArgOperand(0))).value_or(0));
  if (lower_integer_intrinsic(call) || lower_float_intrinsic(call) || lower_warp_intrinsic(call) ||
      lower_cluster_intrinsic(call) || lower_memory_intrinsic(call) || lower_matrix_intrinsic(call))
    return;
  const std::string name = call.getCalledFunction()->getName().str();
  switch (id) {
  case I::nvvm_read_ptx_sreg_clock:
  case I::nvvm_read_ptx_sreg_clock64:
  case I::nvvm_read_ptx_sreg_globaltimer:
    return define(call, {builder_.opaque_event(widths(call.getType())[0], "a clock" + at_line(call),
                                               {builder_.special(SpecialRegister::Lane)})});
  case I::nvvm_read_ptx_sreg_warpid:
  case I::nvvm_read_ptx_sreg_smid:
    return define(call, {builder_.opaque_event(32, "the number of a hardware unit" + at_line(call))});
  default: break;
  }
  // What is left is taken for arithmetic if it touches no memory.
  const bool silent = call.doesNotAccessMemory() || call.onlyAccessesInaccessibleMemory();
  const std::string result = "result of " + name_in_source(*call.getCalledFunction()) + at_line(call);
  if (call.isConvergent()) // what other lanes bring counts, too
    define_event(call, result);
  else if (!call.getType()->isVoidTy())
    define_opaque(call, result);
  if (silent)
    return;
  for (const llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy()) {
      Access access;
      access.operation = call.onlyReadsMemory() ? Operation::Load : Operation::Store;
      access.space = argument->getType()->getPointerAddressSpace() == kShared ? Space::Shared : Space::Global;
      return not_lowered(call, access, "the instruction " + name);
    }
}

bool KernelLowering::lower_integer_intrinsic(const llvm::IntrinsicInst &call) {
  const I::ID id = call.getIntrinsicID();
  const auto per_element = [&](auto make) {
    std::vector<Registers> operands;
    for (const llvm::Value *argument : call.args())
      operands.push_back(value(argument));
    Registers out;
    for (std::size_t i = 0; i < operands[0].size(); ++i)
      out.push_back(make(operands, i));
    define(call, std::move(out));
    return true;
  };
  const bool wide = call.getType()->isIntegerTy() && call.getType()->getIntegerBitWidth() > 64;
  if (wide)
    return false;
  if (const auto opcode = binary(id))
    return per_element([&](const auto &in, std::size_t i) {
      return builder_.emit(*opcode, builder_.width(in[0][i]), {in[0][i], in[1][i]});
    });
  if (const auto opcode = unary(id))
    return per_element(
        [&](const auto &in, std::size_t i) { return builder_.emit(*opcode, builder_.width(in[0][i]), {in[0][i]}); });
  const auto zero = [&](RegisterId like) { return builder_.constant(builder_.width(like), 0); };
  const auto emit = [&](Opcode opcode, RegisterId a, RegisterId b) {
    return builder_.emit(opcode, builder_.width(a), {a, b});
  };
  switch (id) {
  case I::nvvm_sad_i:
  case I::nvvm_sad_ui:
    return per_element([&](const auto &in, std::size_t i) {
      const RegisterId a = in[0][i], b = in[1][i];
      const RegisterId less = builder_.compare(id == I::nvvm_sad_i ? Opcode::SLt : Opcode::ULt, a, b);
      return builder_.add(builder_.select(less, emit(Opcode::Sub, b, a), emit(Opcode::Sub, a, b)), in[2][i]);
    });
  case I::fshl:
  case I::fshr:
    return per_element([&](const auto &in, std::size_t i) {
      return builder_.emit(id == I::fshl ? Opcode::FunnelLeft : Opcode::FunnelRight, builder_.width(in[0][i]),
                           {in[0][i], in[1][i], in[2][i]});
    });
  case I::nvvm_rotate_b32:
  case I::nvvm_rotate_b64:
  case I::nvvm_rotate_right_b64:
    return per_element([&](const auto &in, std::size_t i) {
      const RegisterId x = in[0][i];
      return builder_.emit(id == I::nvvm_rotate_right_b64 ? Opcode::FunnelRight : Opcode::FunnelLeft, builder_.width(x),
                           {x, x, builder_.resize(in[1][i], builder_.width(x), false)});
    });
  case I::abs:
    return per_element([&](const auto &in, std::size_t i) {
      const RegisterId x = in[0][i];
      return builder_.select(builder_.compare(Opcode::SLt, x, zero(x)), emit(Opcode::Sub, zero(x), x), x);
    });
  case I::uadd_sat:
    return per_element([&](const auto &in, std::size_t i) {
      const RegisterId sum = builder_.add(in[0][i], in[1][i]);
      return builder_.select(builder_.compare(Opcode::ULt, sum, in[0][i]), builder_.constant(builder_.width(sum), -1),
                             sum);
    });
  case I::usub_sat:
    return per_element([&](const auto &in, std::size_t i) {
      return builder_.select(builder_.compare(Opcode::ULt, in[0][i], in[1][i]), zero(in[0][i]),
                             emit(Opcode::Sub, in[0][i], in[1][i]));
    });
  case I::scmp:
  case I::ucmp:
    if (widths(call.getType()).size() != 1)
      return false;
    {
      const Opcode less = id == I::scmp ? Opcode::SLt : Opcode::ULt;
      const RegisterId a = scalar(call.getArgOperand(0)), b = scalar(call.getArgOperand(1));
      const std::uint8_t width = widths(call.getType())[0];
      define(call, {builder_.select(builder_.compare(less, a, b), builder_.constant(width, -1),
                                    builder_.resize(builder_.compare(less, b, a), width, false))});
    }
    return true;
  case I::uadd_with_overflow:
  case I::sadd_with_overflow:
  case I::usub_with_overflow:
  case I::ssub_with_overflow:
  case I::umul_with_overflow:
  case I::smul_with_overflow:
    if (component_count(call.getType()) != 2 || builder_.width(value(call.getArgOperand(0))[0]) > 64)
      return false;
    define(call, overflow_result(call));
    return true;
  case I::nvvm_prmt: {
    const auto permuted =
        permute_bytes(scalar(call.getArgOperand(0)), scalar(call.getArgOperand(1)), scalar(call.getArgOperand(2)));
    if (permuted)
      define(call, {*permuted});
    return permuted.has_value();
  }
  default: return false;
  }
}

void KernelLowering::barrier(const llvm::Instruction &instruction, std::optional<RegisterId> number,
                             std::optional<RegisterId> threads) {
  Registers operands;
  if (number)
    operands.push_back(builder_.resize(*number, 32, false));
  if (number && threads)
    operands.push_back(builder_.resize(*threads, 32, false));
  // Votes of the block, and whatever inline PTX has a result.
  const bool votes = !instruction.getType()->isVoidTy();
  builder_.effect_of(Opcode::Barrier, std::move(operands), place(instruction), votes ? kVotes : 0);
  if (!threads)
    return;
  if (const auto known = builder_.constant_value(*threads); known && *known > 0)
    program_.counted_barriers.push_back(static_cast<std::uint32_t>(*known));
  else
    program_.warps_meet_otherwise = true;
}

std::optional<RegisterId> KernelLowering::permute_bytes(RegisterId low, RegisterId high, RegisterId selector) {
  // Four nibbles, each naming one of eight bytes; only constant ones are worth the trouble.
  const auto nibbles = builder_.constant_value(selector);
  if (!nibbles || (*nibbles & 0x8888))
    return std::nullopt;
  const Registers both{low, high};
  const std::vector<std::uint8_t> byte_cuts(8, 8), word{32};
  const Registers bytes = builder_.recut(both, byte_cuts);
  Registers chosen;
  for (unsigned i = 0; i < 4; ++i)
    chosen.push_back(bytes[static_cast<std::size_t>(*nibbles >> (4 * i)) & 7]);
  return builder_.recut(chosen, word).front();
}

Registers KernelLowering::overflow_result(const llvm::IntrinsicInst &call) {
  const RegisterId a = scalar(call.getArgOperand(0)), b = scalar(call.getArgOperand(1));
  const std::uint8_t width = builder_.width(a);
  const auto emit = [&](Opcode opcode, RegisterId x, RegisterId y) { return builder_.emit(opcode, width, {x, y}); };
  const auto negative = [&](RegisterId x) { return builder_.compare(Opcode::SLt, x, builder_.constant(width, 0)); };
  switch (call.getIntrinsicID()) {
  case I::uadd_with_overflow: {
    const RegisterId sum = builder_.add(a, b);
    return {sum, builder_.compare(Opcode::ULt, sum, a)};
  }
  case I::usub_with_overflow: return {emit(Opcode::Sub, a, b), builder_.compare(Opcode::ULt, a, b)};
  case I::sadd_with_overflow: {
    const RegisterId sum = builder_.add(a, b);
    return {sum, negative(emit(Opcode::And, emit(Opcode::Xor, a, sum), emit(Opcode::Xor, b, sum)))};
  }
  case I::ssub_with_overflow: {
    const RegisterId difference = emit(Opcode::Sub, a, b);
    return {difference, negative(emit(Opcode::And, emit(Opcode::Xor, a, b), emit(Opcode::Xor, a, difference)))};
  }
  case I::umul_with_overflow:
    return {emit(Opcode::Mul, a, b),
            builder_.compare(Opcode::Ne, emit(Opcode::UMulHigh, a, b), builder_.constant(width, 0))};
  default: {
    const RegisterId product = emit(Opcode::Mul, a, b);
    const RegisterId sign = emit(Opcode::AShr, product, builder_.constant(width, width - 1));
    return {product, builder_.compare(Opcode::Ne, emit(Opcode::SMulHigh, a, b), sign)};
  }
  }
}

void KernelLowering::names_lanes(const llvm::IntrinsicInst &call, RegisterId members, WarpOperation operation) {
  builder_.effect_of(Opcode::WarpMembers, {members}, place(call), static_cast<std::int64_t>(operation));
}

bool KernelLowering::lower_warp_intrinsic(const llvm::IntrinsicInst &call) {
  const I::ID id = call.getIntrinsicID();
  if (const auto opcode = reduction(id)) {
    // The mask comes first, as in Clang 19's header and ours; its intrinsic has it last (redux.sync d, a, membermask), but nobody calls that.
    names_lanes(call, scalar(call.getArgOperand(0)), WarpOperation::Reduce);
    define(call, {builder_.emit(Opcode::Reduce, 32, {scalar(call.getArgOperand(1)), scalar(call.getArgOperand(0))},
                                kNone, static_cast<std::int64_t>(*opcode))});
    return true;
  }
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.nvvm.");
  if (name.consume_front("shfl.")) {
    const unsigned first = name.consume_front("sync.") ? 1 : 0; // after the mask of members
    if (first)
      names_lanes(call, scalar(call.getArgOperand(0)), WarpOperation::Shuffle);
    const ShuffleMode mode = name.starts_with("idx")    ? ShuffleMode::Index
                             : name.starts_with("up")   ? ShuffleMode::Up
                             : name.starts_with("down") ? ShuffleMode::Down
                                                        : ShuffleMode::Butterfly;
    const RegisterId moved = scalar(call.getArgOperand(first)), lane = scalar(call.getArgOperand(first + 1)),
                     clamp = scalar(call.getArgOperand(first + 2));
    Registers out{builder_.emit(Opcode::Shuffle, 32, {moved, lane, clamp}, kNone, static_cast<std::int64_t>(mode))};
    if (name.ends_with("p"))
      out.push_back(builder_.emit(Opcode::ShuffleOk, 1, {moved, lane, clamp}, kNone, static_cast<std::int64_t>(mode)));
    define(call, std::move(out));
    return true;
  }
  if (name.consume_front("vote.")) {
    const RegisterId predicate = scalar(call.getArgOperand(call.arg_size() - 1));
    const RegisterId members = call.arg_size() == 2 ? scalar(call.getArgOperand(0)) : builder_.constant(32, -1);
    if (call.arg_size() == 2)
      names_lanes(call, members, WarpOperation::Vote);
    const bool ballot = name.starts_with("ballot");
    const Opcode opcode = ballot                    ? Opcode::Ballot
                          : name.starts_with("all") ? Opcode::VoteAll
                          : name.starts_with("any") ? Opcode::VoteAny
                                                    : Opcode::VoteUniform;
    define(call, {builder_.emit(opcode, ballot ? 32 : 1, {predicate, members})});
    return true;
  }
  switch (id) {
  case I::nvvm_match_any_sync_i32:
  case I::nvvm_match_any_sync_i64:
    names_lanes(call, scalar(call.getArgOperand(0)), WarpOperation::Match);
    define(call, {builder_.emit(Opcode::MatchAny, 32, {scalar(call.getArgOperand(1)), scalar(call.getArgOperand(0))})});
    return true;
  case I::nvvm_match_all_sync_i32p:
  case I::nvvm_match_all_sync_i64p: {
    names_lanes(call, scalar(call.getArgOperand(0)), WarpOperation::Match);
    const RegisterId mask =
        builder_.emit(Opcode::MatchAll, 32, {scalar(call.getArgOperand(1)), scalar(call.getArgOperand(0))});
    define(call, {mask, builder_.compare(Opcode::Ne, mask, builder_.constant(32, 0))});
    return true;
  }
  case I::nvvm_activemask: define(call, {builder_.emit(Opcode::ActiveMask, 32, {})}); return true;
  default: return false;
  }
}

} // namespace smem::lower
