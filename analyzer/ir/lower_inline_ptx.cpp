// Inline PTX: its memory instructions become sites like any others, its integer arithmetic registers, the rest values that
// nobody knows. What could touch counted memory and is not understood becomes a site that says so.
#include "ir/ptx_lowering.h"

#include <algorithm>
#include <array>
#include <utility>

#include "smem/fence.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

/// Neither a value nor memory that is counted.
constexpr std::array<std::string_view, 13> kIgnored{
    "fence",   "membar",        "nanosleep", "setmaxnreg", "griddepcontrol", "prefetch", "prefetchu",
    "discard", "applypriority", "pmevent",   "brkpt",      "trap",           "exit"};

/// Through the texture unit.
constexpr std::array<std::string_view, 8> kTextures{"tex", "tld4", "txq", "suq", "suld", "sust", "sured", "istypep"};

bool touches_memory(const ptx::Instruction &instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(), [](const ptx::Operand &operand) {
    return operand.kind == Kind::Address || operand.kind == Kind::Other;
  });
}

/// Groups of copies and of matrix products: no memory of their own.
bool is_bookkeeping(const ptx::Instruction &instruction) {
  const std::string &head = instruction.opcode[0];
  if (head != "cp" && head != "wgmma" && head != "cpasync")
    return false;
  return instruction.has("commit_group") || instruction.has("wait_group") || instruction.has("wait_all") ||
         instruction.has("fence") || instruction.has("prefetch");
}

} // namespace

PtxLowering::PtxLowering(KernelLowering &lowering, const llvm::CallBase &call, const llvm::InlineAsm &assembly)
    : lowering_(lowering), builder_(lowering.builder_), call_(call), statement_(ptx::parse(assembly.getAsmString())) {
  read_constraints(assembly);
  for (const ptx::Register &each : statement_.registers) {
    Registers row;
    for (unsigned done = 0; done < each.width; done += 64)
      row.push_back(builder_.undefined(static_cast<std::uint8_t>(std::min(64, each.width - static_cast<int>(done)))));
    names_[each.name] = std::move(row);
  }
}

void PtxLowering::run() {
  const std::string &text = statement_.not_understood;
  if (!text.empty())
    not_lowered("inline PTX that is not understood: `" + text + "`", Operation::Load,
                text.find("shared") != std::string::npos);
  for (at_ = 0; at_ < statement_.instructions.size(); ++at_)
    lower(statement_.instructions[at_]);
  Registers result;
  for (Slot &slot : slots_) {
    if (!slot.output)
      continue;
    // What a branch skips is not known.
    if (statement_.branches || !text.empty())
      for (RegisterId &each : slot.row)
        each = builder_.opaque_event(builder_.width(each), "result of inline PTX" + lowering_.at_line(call_),
                                     {builder_.special(SpecialRegister::Lane)});
    result.insert(result.end(), slot.row.begin(), slot.row.end());
  }
  lowering_.define(call_, std::move(result));
}

void PtxLowering::read_constraints(const llvm::InlineAsm &assembly) {
  llvm::SmallVector<llvm::Type *> outputs;
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(call_.getType()))
    outputs.assign(structure->element_begin(), structure->element_end());
  else if (!call_.getType()->isVoidTy())
    outputs.push_back(call_.getType());
  unsigned output = 0, argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isClobber)
      continue;
    Slot &slot = slots_.emplace_back();
    if (constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect) {
      slot.output = true;
      for (std::uint8_t width : lowering_.widths(outputs[output]))
        slot.row.push_back(builder_.undefined(width));
      slot.used = is_used(output++, outputs.size() > 1 || call_.getType()->isStructTy());
      continue;
    }
    slot.value = call_.getArgOperand(argument++);
    slot.row = lowering_.value(slot.value);
    unsigned tied = 0;
    if (!constraint.Codes.empty() && !llvm::StringRef(constraint.Codes[0]).getAsInteger(10, tied) &&
        tied + 1 < slots_.size() && slots_[tied].row.size() == slot.row.size()) {
      slots_[tied].row = slot.row;
      slots_[tied].value = slot.value;
    }
  }
}

bool PtxLowering::is_used(unsigned output, bool in_struct) const {
  if (!in_struct)
    return !call_.use_empty();
  return std::any_of(call_.user_begin(), call_.user_end(), [&](const llvm::User *user) {
    const auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    return !extract || (extract->getIndices()[0] == output && !extract->use_empty());
  });
}

void PtxLowering::not_lowered(const std::string &construct, Operation operation, bool shared, unsigned width) {
  Access access;
  access.operation = operation;
  access.space = shared ? Space::Shared : Space::Global;
  access.width_bits = static_cast<std::uint16_t>(std::clamp(width, 8u, 128u));
  lowering_.not_lowered(call_, access, construct);
}

void PtxLowering::not_lowered(const ptx::Instruction &instruction) {
  const std::string &head = instruction.opcode[0];
  const bool shared = std::any_of(instruction.opcode.begin(), instruction.opcode.end(),
                                  [](const std::string &part) { return part.starts_with("shared"); });
  const Operation operation = head == "wgmma"                                      ? Operation::MatrixMultiply
                              : head == "cp" && instruction.has("bulk")            ? Operation::BulkCopy
                              : head == "atom" || head == "red"                    ? Operation::Atomic
                              : head.starts_with("st") || instruction.has("store") ? Operation::Store
                                                                                   : Operation::Load;
  not_lowered("the PTX instruction " + instruction.name(), operation, shared || head == "wgmma" || head == "cp");
}

void PtxLowering::opaque(const ptx::Instruction &instruction) {
  if (instruction.operands.empty())
    return;
  Registers operands;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    const Registers row = read_row(instruction.operands[i]);
    operands.insert(operands.end(), row.begin(), row.end());
  }
  unknown_result(instruction, operands, operands.empty());
}

void PtxLowering::unknown_result(const ptx::Instruction &instruction, const Registers &operands, bool event) {
  const std::string reason = "result of " + instruction.name() + lowering_.at_line(call_);
  std::int64_t component = 0;
  const auto set = [&](const ptx::Operand &target, auto &&self) -> void {
    if (target.kind == Kind::Vector || target.kind == Kind::Pair) {
      for (const ptx::Operand &part : target.parts)
        self(part, self);
      return;
    }
    Registers row;
    for (std::uint8_t width : widths_of(target)) {
      Registers all = operands;
      all.push_back(builder_.constant(32, component++));
      row.push_back(event ? builder_.opaque_event(width, reason, all) : builder_.opaque(width, reason, all));
    }
    if (!row.empty())
      write(target, row);
  };
  if (!instruction.operands.empty())
    set(instruction.operands[0], set);
}

void PtxLowering::lower(const ptx::Instruction &instruction) {
  const std::string &head = instruction.opcode[0];
  if (instruction.guard && (head == "exit" || head == "ret" || head == "trap") && !statement_.branches)
    return not_lowered("the conditional " + head + " of inline PTX", Operation::Load, false);
  if (head == "fence" && instruction.has("proxy") && instruction.has("async") && !instruction.has("global"))
    return builder_.effect(Opcode::Fence, kNone, kProxyFence);
  if (((head == "fence" || head == "membar") && !instruction.has("cta")) || head == "griddepcontrol")
    return builder_.effect(Opcode::Fence);
  if (std::find(kIgnored.begin(), kIgnored.end(), head) != kIgnored.end())
    return;
  if (head == "bar" || head == "barrier")
    return lower_barrier(instruction);
  if (is_bookkeeping(instruction))
    return lower_copy_groups(instruction);
  // Textures have a unit of their own; so have the barriers in shared memory, whose instructions (init, arrive, test_wait,
  // try_wait, and the arrival of cp.async, measured on sm_90) count no wavefronts.
  if (head == "cp" && instruction.has("mbarrier") && instruction.has("arrive"))
    return lower_mbarrier(instruction);
  if (instruction.has("try_wait") || instruction.has("test_wait")) {
    const SourceLocation place = lowering_.locations_.attributed(call_).location;
    lowering_.waits_.insert({place.file, place.line});
    lowering_.program_.warps_meet_otherwise = true;
  }
  if (head == "mbarrier")
    return lower_mbarrier(instruction);
  if (std::find(kTextures.begin(), kTextures.end(), head) != kTextures.end())
    return unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
  if (touches_memory(instruction) || head == "wgmma" || head == "tcgen05")
    return lower_memory(instruction);
  if (!lower_computation(instruction)) {
    // Of the warp: what other lanes bring counts too. Of a carry, which is no operand: each lane has its own.
    if (instruction.has("sync") || head == "addc" || head == "subc" || head == "madc")
      unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
    else
      opaque(instruction);
  }
  follow_origin(instruction);
}

void PtxLowering::lower_copy_groups(const ptx::Instruction &instruction) {
  if (instruction.opcode[0] != "cp")
    return;
  const bool bulk = instruction.has("bulk");
  if (instruction.has("commit_group"))
    builder_.effect(bulk ? Opcode::BulkCommit : Opcode::CopyCommit);
  if (instruction.has("wait_all"))
    builder_.effect(Opcode::CopyWait, kNone, kAllCopies);
  if (instruction.has("wait_group") && !instruction.operands.empty())
    builder_.effect(bulk ? Opcode::BulkWait : Opcode::CopyWait, kNone,
                    builder_.constant_value(read(instruction.operands[0], 32)).value_or(kGroupsNotKnown));
}

void PtxLowering::lower_barrier(const ptx::Instruction &instruction) {
  if (instruction.has("warp")) {
    if (instruction.guard || instruction.operands.empty())
      return builder_.effect(Opcode::WarpBarrier);
    const RegisterId members = read(instruction.operands[0], 32);
    builder_.effect_of(Opcode::WarpMembers, {members}, kNone, static_cast<std::int64_t>(WarpOperation::Barrier));
    return builder_.effect(Opcode::WarpBarrier, kNone, builder_.constant_value(members).value_or(0));
  }
  if (instruction.has("arrive")) {
    lowering_.program_.split_barriers = true;
    const bool counted = !instruction.has("cluster") && instruction.operands.size() > 1;
    const RegisterId cluster = builder_.constant(32, kClusterBarrier);
    builder_.effect_of(Opcode::BarrierArrive,
                       counted ? Registers{read(instruction.operands[0], 32), read(instruction.operands[1], 32)}
                               : Registers{cluster, cluster},
                       lowering_.place(call_));
  } else {
    // After the barrier's number, the number of threads; `.red` has its result in front and a predicate behind, `.cluster` neither.
    const std::size_t at = instruction.has("red") ? 2 : 1, last = instruction.has("red") ? 1 : 0;
    const bool counted = !instruction.has("cluster") && instruction.operands.size() > at + last;
    const bool numbered = !instruction.has("cluster") && instruction.operands.size() >= at;
    lowering_.barrier(call_, numbered ? std::optional(read(instruction.operands[at - 1], 32)) : std::nullopt,
                      counted ? std::optional(read(instruction.operands[at], 32)) : std::nullopt);
  }
  if (instruction.has("red"))
    unknown_result(instruction, {}, true);
}

void PtxLowering::follow_origin(const ptx::Instruction &instruction) {
  static constexpr std::array<std::string_view, 6> kCarrying{"mov", "cvt", "cvta", "add", "sub", "mad"};
  if (instruction.operands.size() < 2 || instruction.operands[0].kind != Kind::Name ||
      std::find(kCarrying.begin(), kCarrying.end(), instruction.opcode[0]) == kCarrying.end())
    return;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i)
    if (const llvm::Value *from = origin(instruction.operands[i]); from && underlying_variable(from)) {
      origins_[instruction.operands[0].name] = from;
      return;
    }
}
void KernelLowering::lower_inline_ptx(const llvm::CallBase &call, const llvm::InlineAsm &assembly) {
  PtxLowering(*this, call, assembly).run();
}

} // namespace smem::lower
