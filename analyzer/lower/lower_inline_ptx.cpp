// Inline PTX: its memory instructions become sites like any others, its integer arithmetic registers, the rest values that
// nobody knows. What could touch counted memory and is not understood becomes a site that says so.
#include "lower/kernel_lowering.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <llvm/IR/InlineAsm.h>

#include "lower/ptx_parser.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

template <typename Value, std::size_t Size>
const Value *find(const std::array<std::pair<std::string_view, Value>, Size> &table, std::string_view key) {
  const auto it = std::find_if(table.begin(), table.end(), [&](const auto &entry) { return entry.first == key; });
  return it == table.end() ? nullptr : &it->second;
}

constexpr std::array<std::pair<std::string_view, SpecialRegister>, 23> kSpecialRegisters{{
    {"%tid.x", SpecialRegister::ThreadX}, {"%tid.y", SpecialRegister::ThreadY}, {"%tid.z", SpecialRegister::ThreadZ},
    {"%ctaid.x", SpecialRegister::BlockX}, {"%ctaid.y", SpecialRegister::BlockY}, {"%ctaid.z", SpecialRegister::BlockZ},
    {"%ntid.x", SpecialRegister::BlockDimX}, {"%ntid.y", SpecialRegister::BlockDimY}, {"%ntid.z", SpecialRegister::BlockDimZ},
    {"%nctaid.x", SpecialRegister::GridDimX}, {"%nctaid.y", SpecialRegister::GridDimY}, {"%nctaid.z", SpecialRegister::GridDimZ},
    {"%laneid", SpecialRegister::Lane}, {"WARP_SZ", SpecialRegister::WarpSize}, {"%lanemask_lt", SpecialRegister::LaneMaskLt},
    {"%lanemask_le", SpecialRegister::LaneMaskLe}, {"%lanemask_eq", SpecialRegister::LaneMaskEq},
    {"%lanemask_ge", SpecialRegister::LaneMaskGe}, {"%lanemask_gt", SpecialRegister::LaneMaskGt},
    {"%dynamic_smem_size", SpecialRegister::DynamicSharedSize}, {"%total_smem_size", SpecialRegister::TotalSharedSize},
    {"%laneid.x", SpecialRegister::Lane}, {"%warpsize", SpecialRegister::WarpSize},
}};

constexpr std::array<std::pair<std::string_view, AtomicKind>, 11> kAtomics{{
    {"add", AtomicKind::Add}, {"and", AtomicKind::And}, {"or", AtomicKind::Or}, {"xor", AtomicKind::Xor},
    {"exch", AtomicKind::Exchange}, {"cas", AtomicKind::CompareAndSwap}, {"inc", AtomicKind::IncrementWrap},
    {"dec", AtomicKind::DecrementWrap}, {"min", AtomicKind::Min}, {"max", AtomicKind::Max}, {"sub", AtomicKind::Add},
}};

/// Neither a value nor memory that is counted.
constexpr std::array<std::string_view, 13> kIgnored{"fence", "membar", "nanosleep", "setmaxnreg", "griddepcontrol", "prefetch", "prefetchu",
                                                    "discard", "applypriority", "pmevent", "brkpt", "trap", "exit"};

/// Through the texture unit.
constexpr std::array<std::string_view, 8> kTextures{"tex", "tld4", "txq", "suq", "suld", "sust", "sured", "istypep"};

/// One source, one operation.
constexpr std::array<std::pair<std::string_view, Opcode>, 3> kUnary{{
    {"popc", Opcode::Popcount}, {"clz", Opcode::CountLeadingZeros}, {"brev", Opcode::ReverseBits},
}};

struct BinaryOpcodes {
  Opcode of_unsigned, of_signed;
  std::optional<Opcode> of_float;
};

constexpr std::array<std::pair<std::string_view, BinaryOpcodes>, 9> kBinary{{
    {"add", {Opcode::Add, Opcode::Add, Opcode::FAdd}}, {"sub", {Opcode::Sub, Opcode::Sub, Opcode::FSub}},
    {"div", {Opcode::UDiv, Opcode::SDiv, Opcode::FDiv}}, {"rem", {Opcode::URem, Opcode::SRem, std::nullopt}},
    {"min", {Opcode::UMin, Opcode::SMin, std::nullopt}}, {"max", {Opcode::UMax, Opcode::SMax, std::nullopt}},
    {"and", {Opcode::And, Opcode::And, std::nullopt}}, {"or", {Opcode::Or, Opcode::Or, std::nullopt}},
    {"xor", {Opcode::Xor, Opcode::Xor, std::nullopt}},
}};

constexpr std::array<std::pair<std::string_view, Opcode>, 5> kReductions{{
    {"add", Opcode::Add}, {"and", Opcode::And}, {"or", Opcode::Or}, {"xor", Opcode::Xor}, {"min", Opcode::SMin},
}};

bool is_float(std::string_view type) { return type.starts_with("f") || type.starts_with("bf") || type.starts_with("tf"); }
bool is_signed(std::string_view type) { return type.starts_with("s"); }

/// Modifiers of `instruction` that name a type, in order.
std::vector<std::string_view> types_of(const ptx::Instruction &instruction) {
  std::vector<std::string_view> types;
  for (std::size_t i = 1; i < instruction.opcode.size(); ++i)
    if (ptx::type_width(instruction.opcode[i]))
      types.push_back(instruction.opcode[i]);
  return types;
}

bool touches_memory(const ptx::Instruction &instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const ptx::Operand &operand) { return operand.kind == Kind::Address || operand.kind == Kind::Other; });
}

AddressSpace space_of(const ptx::Instruction &instruction) {
  for (const std::string &part : instruction.opcode) {
    if (part == "shared" || part == "shared::cta")
      return AddressSpace::Shared;
    if (part == "global")
      return AddressSpace::Global;
    if (part == "local")
      return AddressSpace::Local;
    if (part == "const" || part.starts_with("param"))
      return AddressSpace::Constant;
  }
  return AddressSpace::Generic;
}

} // namespace

/// One asm statement.
class PtxLowering {
public:
  PtxLowering(KernelLowering &lowering, const llvm::CallBase &call, const llvm::InlineAsm &assembly)
      : lowering_(lowering), builder_(lowering.builder_), call_(call), statement_(ptx::parse(assembly.getAsmString())) {
    read_constraints(assembly);
    for (const ptx::Register &each : statement_.registers) {
      Registers row;
      for (unsigned done = 0; done < each.width; done += 64)
        row.push_back(builder_.undefined(static_cast<std::uint8_t>(std::min(64, each.width - static_cast<int>(done)))));
      names_[each.name] = std::move(row);
    }
  }

  void run() {
    const std::string &text = statement_.not_understood;
    if (!text.empty())
      not_lowered("inline PTX that is not understood: `" + text + "`", Operation::Load, text.find("shared") != std::string::npos);
    for (at_ = 0; at_ < statement_.instructions.size(); ++at_)
      lower(statement_.instructions[at_]);
    Registers result;
    for (Slot &slot : slots_) {
      if (!slot.output)
        continue;
      // What a branch skips is not known.
      if (statement_.branches || !text.empty())
        for (RegisterId &each : slot.row)
          each = builder_.opaque_event(builder_.width(each), "result of inline PTX" + lowering_.at_line(call_), {builder_.special(SpecialRegister::Lane)});
      result.insert(result.end(), slot.row.begin(), slot.row.end());
    }
    lowering_.define(call_, std::move(result));
  }

private:
  /// An operand of the asm statement.
  struct Slot {
    Registers row; ///< least significant first
    const llvm::Value *value = nullptr; ///< of an input
    bool output = false;
    bool used = true; ///< of an output
  };

  void read_constraints(const llvm::InlineAsm &assembly) {
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
      if (!constraint.Codes.empty() && !llvm::StringRef(constraint.Codes[0]).getAsInteger(10, tied) && tied + 1 < slots_.size() &&
          slots_[tied].row.size() == slot.row.size()) {
        slots_[tied].row = slot.row;
        slots_[tied].value = slot.value;
      }
    }
  }

  bool is_used(unsigned output, bool in_struct) const {
    if (!in_struct)
      return !call_.use_empty();
    return std::any_of(call_.user_begin(), call_.user_end(), [&](const llvm::User *user) {
      const auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      return !extract || (extract->getIndices()[0] == output && !extract->use_empty());
    });
  }

  // --- operands

  const Registers *row_of(const ptx::Operand &operand) const {
    if (operand.kind == Kind::Placeholder)
      return operand.number < slots_.size() ? &slots_[operand.number].row : nullptr;
    const auto found = names_.find(operand.name);
    return operand.kind == Kind::Name && found != names_.end() ? &found->second : nullptr;
  }

  std::vector<std::uint8_t> widths_of(const ptx::Operand &operand) const {
    std::vector<std::uint8_t> widths;
    if (operand.kind == Kind::Vector)
      for (const ptx::Operand &part : operand.parts)
        for (std::uint8_t width : widths_of(part))
          widths.push_back(width);
    else if (const Registers *row = row_of(operand))
      for (RegisterId each : *row)
        widths.push_back(builder_.width(each));
    return widths;
  }

  RegisterId special(const std::string &name) {
    if (const SpecialRegister *known = find(kSpecialRegisters, name))
      return builder_.special(*known);
    const std::uint8_t width = name == "%clock64" || name == "%globaltimer" || name == "%gridid" ? 64 : 32;
    return builder_.opaque_event(width, "the value of " + name + lowering_.at_line(call_));
  }

  Registers read_row(const ptx::Operand &operand) {
    if (const Registers *row = row_of(operand))
      return *row;
    Registers all;
    if (operand.kind == Kind::Immediate)
      return {builder_.constant(64, operand.immediate)};
    for (const ptx::Operand &part : operand.parts) {
      const Registers row = read_row(part);
      all.insert(all.end(), row.begin(), row.end());
    }
    if (operand.kind == Kind::Name)
      all.push_back(special(operand.name));
    return all;
  }

  RegisterId read(const ptx::Operand &operand, std::uint8_t width, bool sign = false) {
    if (operand.kind == Kind::Immediate)
      return builder_.constant(width, operand.immediate);
    const Registers row = read_row(operand);
    RegisterId value = row.empty() ? builder_.undefined(width) : row.front();
    if (row.size() > 1)
      value = builder_.recut(row, std::vector<std::uint8_t>{width}).front();
    value = builder_.resize(value, width, sign);
    return operand.negated && width == 1 ? builder_.logical_not(value) : value;
  }

  RegisterId predicate(const ptx::Operand &operand) {
    if (operand.kind == Kind::Immediate)
      return builder_.constant(1, operand.immediate != 0 ? -1 : 0);
    return read(operand, 1);
  }

  /// kNone where the instruction runs unconditionally.
  RegisterId guard(const ptx::Instruction &instruction) { return instruction.guard ? predicate(*instruction.guard) : kNone; }

  void write(const ptx::Operand &target, Registers row, bool sign = false) {
    const ptx::Instruction &instruction = statement_.instructions[at_];
    if (target.kind == Kind::Vector) {
      row = builder_.recut(row, widths_of(target));
      std::size_t next = 0;
      for (const ptx::Operand &part : target.parts) {
        const std::size_t count = widths_of(part).size();
        if (count && next + count <= row.size())
          write(part, {row.begin() + static_cast<std::ptrdiff_t>(next), row.begin() + static_cast<std::ptrdiff_t>(next + count)});
        next += count;
      }
      return;
    }
    auto *to = const_cast<Registers *>(row_of(target));
    if (!to || (target.kind == Kind::Placeholder && !slots_[target.number].output))
      return;
    const std::vector<std::uint8_t> widths = widths_of(target);
    if (row.size() == 1 && widths.size() == 1)
      row = {builder_.resize(row[0], widths[0], sign)};
    else
      row = builder_.recut(row, widths);
    if (const RegisterId condition = guard(instruction); condition != kNone)
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = builder_.select(condition, row[i], (*to)[i]);
    *to = std::move(row);
  }

  void write(const ptx::Operand &target, RegisterId value, bool sign = false) { write(target, Registers{value}, sign); }

  // --- addresses

  /// The IR value that an operand's address was made from, where that can be told.
  const llvm::Value *origin(const ptx::Operand &operand) const {
    if (operand.kind == Kind::Placeholder)
      return operand.number < slots_.size() ? slots_[operand.number].value : nullptr;
    const auto found = origins_.find(operand.name);
    return found == origins_.end() ? nullptr : found->second;
  }

  KernelLowering::Pointer pointer(const ptx::Operand &operand, AddressSpace space) {
    KernelLowering::Pointer result;
    result.space = space;
    const ptx::Operand &first = operand.parts.front();
    const Registers *row = row_of(first);
    const std::uint8_t width = row && !row->empty() ? builder_.width(row->front()) : std::uint8_t{64};
    RegisterId sum = read(first, width);
    for (std::size_t i = 1; i < operand.parts.size(); ++i) {
      const ptx::Operand &part = operand.parts[i];
      const RegisterId addend = read(part, width, true);
      if (const auto offset = builder_.constant_value(addend))
        result.offset += part.negated ? -*offset : *offset;
      sum = builder_.emit(part.negated ? Opcode::Sub : Opcode::Add, width, {sum, addend});
    }
    result.address = builder_.resize(sum, 64, false);
    result.value = origin(first);
    if (result.value)
      result.base = underlying_variable(result.value);
    return result;
  }

  // --- instructions

  void not_lowered(const std::string &construct, Operation operation, bool shared, unsigned width = 32) {
    Access access;
    access.operation = operation;
    access.space = shared ? Space::Shared : Space::Global;
    access.width_bits = static_cast<std::uint16_t>(std::clamp(width, 8u, 128u));
    lowering_.not_lowered(call_, access, construct);
  }

  void not_lowered(const ptx::Instruction &instruction) {
    const std::string &head = instruction.opcode[0];
    const bool shared = std::any_of(instruction.opcode.begin(), instruction.opcode.end(), [](const std::string &part) { return part.starts_with("shared"); });
    const Operation operation = head == "atom" || head == "red"                     ? Operation::Atomic
                                : head.starts_with("st") || instruction.has("store") ? Operation::Store
                                                                                     : Operation::Load;
    not_lowered("the PTX instruction " + instruction.name(), operation, shared || head == "wgmma" || head == "cp");
  }

  void opaque(const ptx::Instruction &instruction) {
    if (instruction.operands.empty())
      return;
    Registers operands;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      const Registers row = read_row(instruction.operands[i]);
      operands.insert(operands.end(), row.begin(), row.end());
    }
    unknown_result(instruction, operands, operands.empty());
  }

  /// Of an unknown instruction, or of one whose result depends on more than its operands: an event.
  void unknown_result(const ptx::Instruction &instruction, const Registers &operands, bool event) {
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

  void lower(const ptx::Instruction &instruction) {
    const std::string &head = instruction.opcode[0];
    if (instruction.guard && (head == "exit" || head == "ret" || head == "trap") && !statement_.branches)
      return not_lowered("the conditional " + head + " of inline PTX", Operation::Load, false);
    if (std::find(kIgnored.begin(), kIgnored.end(), head) != kIgnored.end())
      return;
    if (head == "bar" || head == "barrier")
      return lower_barrier(instruction);
    if (is_bookkeeping(instruction))
      return;
    // Textures have a unit of their own; so have the barriers in shared memory, whose instructions (init, arrive, test_wait,
    // try_wait measured on sm_90) count no wavefronts.
    if (head == "mbarrier" || std::find(kTextures.begin(), kTextures.end(), head) != kTextures.end())
      return unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
    if (touches_memory(instruction) || head == "wgmma" || head == "tcgen05")
      return lower_memory(instruction);
    if (!lower_computation(instruction)) {
      if (instruction.has("sync")) // of the warp: what other lanes bring counts too
        unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
      else
        opaque(instruction);
    }
    follow_origin(instruction);
  }

  /// Groups of copies and of matrix products: no memory of their own.
  static bool is_bookkeeping(const ptx::Instruction &instruction) {
    const std::string &head = instruction.opcode[0];
    if (head != "cp" && head != "wgmma" && head != "cpasync")
      return false;
    return instruction.has("commit_group") || instruction.has("wait_group") || instruction.has("wait_all") || instruction.has("fence") ||
           instruction.has("prefetch");
  }

  void lower_barrier(const ptx::Instruction &instruction) {
    if (instruction.has("warp"))
      return builder_.effect(Opcode::WarpBarrier);
    if (!instruction.has("arrive"))
      lowering_.barrier(call_);
    if (instruction.has("red"))
      unknown_result(instruction, {}, true);
  }

  void lower_memory(const ptx::Instruction &instruction) {
    const std::string &head = instruction.opcode[0];
    bool done = false;
    // Where branches skip instructions nobody knows which lanes execute one.
    if (!statement_.branches && statement_.not_understood.empty()) {
      if (head == "ld" || head == "ldu")
        done = lower_load(instruction);
      else if (head == "st")
        done = lower_store(instruction);
      else if (head == "ldmatrix" || head == "stmatrix")
        done = lower_matrix(instruction);
      else if (head == "cp")
        done = lower_async_copy(instruction);
      else if (head == "atom" || head == "red")
        done = lower_atomic(instruction);
    }
    if (done)
      return;
    if (space_of(instruction) != AddressSpace::Constant && space_of(instruction) != AddressSpace::Local)
      not_lowered(instruction);
    if (instruction.operands.size() > 1)
      unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
  }

  /// Modifiers that change what a plain load, store or atomic does or where.
  static bool is_unusual(const ptx::Instruction &instruction) {
    return instruction.has("shared::cluster") || instruction.has("async") || instruction.has("bulk") || instruction.has("multimem") ||
           instruction.has("mmio");
  }

  static unsigned elements_of(const ptx::Instruction &instruction) {
    return instruction.has("v2") ? 2 : instruction.has("v4") ? 4 : instruction.has("v8") ? 8 : 1;
  }

  struct Type {
    std::string_view name;
    unsigned width = 0; ///< bits of an element
    unsigned elements = 1;
    unsigned bits() const { return width * elements; }
  };

  static std::optional<Type> memory_type(const ptx::Instruction &instruction) {
    const auto types = types_of(instruction);
    if (types.empty())
      return std::nullopt;
    Type type{types.back(), ptx::type_width(types.back()), elements_of(instruction)};
    return type.width >= 8 && type.bits() <= 128 ? std::optional(type) : std::nullopt;
  }

  /// Registers that a vector of `type` fills: 64 bits at most each.
  static std::vector<ValuePart> parts_of(const Type &type) {
    std::vector<ValuePart> parts;
    const unsigned piece = std::min(type.width, 64u);
    for (unsigned done = 0; done < type.bits(); done += piece)
      parts.push_back({static_cast<std::uint16_t>(done / 8), static_cast<std::uint8_t>(piece), kNone});
    return parts;
  }

  MemoryOperation &memory(const ptx::Instruction &instruction, const KernelLowering::Pointer &to, const Access &access) {
    MemoryOperation &operation = lowering_.memory(call_, to, access);
    operation.predicate = guard(instruction);
    return operation;
  }

  bool lower_load(const ptx::Instruction &instruction) {
    const auto type = memory_type(instruction);
    if (!type || is_unusual(instruction) || instruction.operands.size() < 2 || instruction.operands[1].kind != Kind::Address)
      return false;
    Access access;
    access.width_bits = static_cast<std::uint16_t>(type->bits());
    std::vector<ValuePart> parts = parts_of(*type);
    Registers row;
    for (ValuePart &part : parts)
      row.push_back(part.reg = builder_.new_register(part.width));
    memory(instruction, pointer(instruction.operands[1], space_of(instruction)), access).parts = parts;
    write_elements(instruction.operands[0], row, type->elements, is_signed(type->name));
    return true;
  }

  void write_elements(const ptx::Operand &target, const Registers &row, unsigned elements, bool sign) {
    if (target.kind != Kind::Vector)
      return write(target, row, sign);
    const std::size_t each = row.size() / elements;
    for (std::size_t i = 0; i < target.parts.size() && i < elements; ++i)
      write(target.parts[i], {row.begin() + static_cast<std::ptrdiff_t>(i * each), row.begin() + static_cast<std::ptrdiff_t>((i + 1) * each)}, sign);
  }

  bool lower_store(const ptx::Instruction &instruction) {
    const auto type = memory_type(instruction);
    if (!type || is_unusual(instruction) || instruction.operands.size() < 2 || instruction.operands[0].kind != Kind::Address)
      return false;
    Access access;
    access.operation = Operation::Store;
    access.width_bits = static_cast<std::uint16_t>(type->bits());
    const ptx::Operand &stored = instruction.operands[1];
    std::vector<ValuePart> parts = parts_of(*type);
    const std::size_t each = parts.size() / type->elements;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const ptx::Operand &element = stored.kind == Kind::Vector ? stored.parts[std::min(i / each, stored.parts.size() - 1)] : stored;
      if (each == 1) {
        parts[i].reg = read(element, parts[i].width);
      } else {
        const Registers halves = builder_.recut(read_row(element), std::vector<std::uint8_t>(each, 64));
        parts[i].reg = halves[i % each];
      }
    }
    memory(instruction, pointer(instruction.operands[0], space_of(instruction)), access).parts = std::move(parts);
    return true;
  }

  bool lower_matrix(const ptx::Instruction &instruction) {
    const bool load = instruction.opcode[0] == "ldmatrix";
    const std::size_t address_at = load ? 1 : 0;
    // Other shapes move narrower elements.
    if (!instruction.has("m8n8") || !instruction.has("b16") || is_unusual(instruction) || instruction.operands.size() < 2 ||
        instruction.operands[address_at].kind != Kind::Address)
      return false;
    Access access;
    access.operation = load ? Operation::MatrixLoad : Operation::MatrixStore;
    access.width_bits = 128;
    access.matrices = instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : 1;
    access.transposed = instruction.has("trans");
    // Without a space the address is generic and must be shared memory.
    KernelLowering::Pointer at = pointer(instruction.operands[address_at], AddressSpace::Shared);
    if (space_of(instruction) == AddressSpace::Generic)
      at.address = builder_.emit(Opcode::GenericToShared, 64, {at.address});
    memory(instruction, at, access);
    if (load)
      unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
    return true;
  }

  bool lower_async_copy(const ptx::Instruction &instruction) {
    const auto &operands = instruction.operands;
    if (!instruction.has("async") || is_unusual_copy(instruction) || operands.size() < 3 || operands[0].kind != Kind::Address || operands[1].kind != Kind::Address)
      return false;
    const auto size = builder_.constant_value(read(operands[2], 32));
    if (!size || (*size != 4 && *size != 8 && *size != 16))
      return false;
    Access access;
    access.operation = Operation::AsyncCopy;
    access.bypass_l1 = instruction.has("cg");
    access.width_bits = static_cast<std::uint16_t>(*size * 8);
    const bool policy = instruction.has("L2::cache_hint");
    const std::size_t given = operands.size() - (policy ? 1 : 0);
    RegisterId source_bytes = kNone;
    if (given > 3) {
      const Registers row = read_row(operands[3]);
      const bool ignored = row.size() == 1 && builder_.width(row[0]) == 1; // the predicate form: copies zeros
      source_bytes = ignored ? builder_.select(predicate(operands[3]), builder_.constant(32, 0), builder_.constant(32, *size)) : read(operands[3], 32);
    }
    const KernelLowering::Pointer from = pointer(operands[1], AddressSpace::Global);
    MemoryOperation &operation = memory(instruction, pointer(operands[0], AddressSpace::Shared), access);
    operation.source = from.address;
    operation.source_bytes = source_bytes;
    return true;
  }

  static bool is_unusual_copy(const ptx::Instruction &instruction) {
    return instruction.has("bulk") || instruction.has("mbarrier") || instruction.has("shared::cluster") || instruction.has("reduce") ||
           !(instruction.has("ca") || instruction.has("cg"));
  }

  bool lower_atomic(const ptx::Instruction &instruction) {
    const bool returns = instruction.opcode[0] == "atom";
    const std::size_t address_at = returns ? 1 : 0;
    const auto type = memory_type(instruction);
    if (!type || is_unusual(instruction) || instruction.operands.size() < address_at + 2 || instruction.operands[address_at].kind != Kind::Address)
      return false;
    const AtomicKind *kind = nullptr;
    for (const std::string &part : instruction.opcode)
      if (!kind && (kind = find(kAtomics, part)))
        break;
    if (!kind)
      return false;
    Access access;
    access.operation = Operation::Atomic;
    access.width_bits = static_cast<std::uint16_t>(type->bits());
    access.atomic = *kind;
    access.result_used = returns && result_is_used(instruction.operands[0]);
    if (is_float(type->name) && (*kind == AtomicKind::Add || *kind == AtomicKind::Min || *kind == AtomicKind::Max))
      access.atomic = *kind == AtomicKind::Add ? AtomicKind::FloatAdd : AtomicKind::FloatMinMax;
    else if (*kind == AtomicKind::Add && instruction.has("add"))
      access.atomic = KernelLowering::add_kind(builder_.constant_value(read(instruction.operands[address_at + 1], 64)));
    std::vector<ValuePart> parts = parts_of(*type);
    Registers row;
    for (ValuePart &part : parts)
      row.push_back(part.reg = builder_.new_register(part.width));
    memory(instruction, pointer(instruction.operands[address_at], space_of(instruction)), access).parts = parts;
    if (returns)
      write_elements(instruction.operands[0], row, type->elements, is_signed(type->name));
    return true;
  }

  bool result_is_used(const ptx::Operand &target) const {
    if (target.kind == Kind::Vector)
      return std::any_of(target.parts.begin(), target.parts.end(), [&](const ptx::Operand &part) { return result_is_used(part); });
    if (target.kind == Kind::Placeholder)
      return target.number < slots_.size() && slots_[target.number].used;
    if (target.name == "_")
      return false;
    const auto reads = [&](const ptx::Operand &operand, auto &&self) -> bool {
      return (operand.kind == Kind::Name && operand.name == target.name) ||
             std::any_of(operand.parts.begin(), operand.parts.end(), [&](const ptx::Operand &part) { return self(part, self); });
    };
    for (std::size_t i = at_ + 1; i < statement_.instructions.size(); ++i)
      for (const ptx::Operand &operand : statement_.instructions[i].operands)
        if (reads(operand, reads))
          return true;
    return false;
  }

  // --- computation

  bool lower_computation(const ptx::Instruction &instruction) {
    const std::string &head = instruction.opcode[0];
    const auto &operands = instruction.operands;
    if (operands.empty())
      return true;
    const auto types = types_of(instruction);
    const std::string_view type = types.empty() ? std::string_view("b32") : types.back();
    const auto width = static_cast<std::uint8_t>(ptx::type_width(type));
    if (head == "mov")
      return operands.size() == 2 && (write(operands[0], move_source(operands[1], width)), true);
    if (width > 64)
      return false;
    if (head == "activemask")
      return write(operands[0], builder_.emit(Opcode::ActiveMask, 32, {})), true;
    if (head == "shfl" || head == "vote" || head == "match" || head == "redux")
      return lower_exchange(instruction);
    if (operands.size() < 2)
      return false;
    if (head == "cvt")
      return lower_conversion(instruction, types);
    if (head == "cvta")
      return lower_space_conversion(instruction);
    if (instruction.has("sat") || instruction.has("cc") || head == "addc" || head == "subc" || head == "madc" ||
        (is_float(type) && head != "selp" && width != 32 && width != 64))
      return false;
    return lower_arithmetic(instruction, type, width);
  }

  Registers move_source(const ptx::Operand &source, std::uint8_t width) {
    if (source.kind == Kind::Immediate)
      return {read(source, width ? width : 32)};
    Registers row = read_row(source);
    if (source.kind == Kind::Name && source.negated)
      row = {read(source, 1)};
    return row;
  }

  bool lower_arithmetic(const ptx::Instruction &instruction, std::string_view type, std::uint8_t width) {
    const std::string &head = instruction.opcode[0];
    const auto &operands = instruction.operands;
    const bool sign = is_signed(type), real = is_float(type);
    const auto in = [&](std::size_t i) { return read(operands[i], width, sign); };
    const auto out = [&](RegisterId value) { return write(operands[0], value, sign), true; };
    const auto emit = [&](Opcode opcode, RegisterId a, RegisterId b) { return builder_.emit(opcode, builder_.width(a), {a, b}); };
    const std::size_t sources = operands.size() - 1;

    if (head == "setp" && sources >= 2)
      return lower_comparison(instruction, type, width);
    if (head == "selp" && sources == 3)
      return out(builder_.select(predicate(operands[3]), in(1), in(2)));
    if (const Opcode *unary = find(kUnary, head); unary && sources == 1)
      return out(builder_.emit(*unary, width, {in(1)}));
    if (head == "not" && sources == 1)
      return out(emit(Opcode::Xor, in(1), builder_.constant(width, -1)));
    if (head == "neg" && sources == 1 && !real)
      return out(emit(Opcode::Sub, builder_.constant(width, 0), in(1)));
    if (head == "abs" && sources == 1 && !real) {
      const RegisterId x = in(1), zero = builder_.constant(width, 0);
      return out(builder_.select(builder_.compare(Opcode::SLt, x, zero), emit(Opcode::Sub, zero, x), x));
    }
    if (const BinaryOpcodes *binary = find(kBinary, head); binary && sources == 2) {
      const std::optional<Opcode> opcode = real ? binary->of_float : sign ? binary->of_signed : binary->of_unsigned;
      if (!opcode)
        return false;
      const std::uint32_t place = head == "div" || head == "rem" ? lowering_.place(call_) : kNone;
      return out(builder_.emit(*opcode, width, {in(1), in(2)}, place));
    }
    if ((head == "mul" && sources == 2) || ((head == "mad" || head == "mul24" || head == "mad24") && sources == 3)) {
      if (real)
        return head == "mul" && out(emit(Opcode::FMul, in(1), in(2)));
      RegisterId product;
      if (instruction.has("wide")) {
        const auto twice = static_cast<std::uint8_t>(2 * width);
        if (twice > 64)
          return false;
        product = emit(Opcode::Mul, builder_.resize(in(1), twice, sign), builder_.resize(in(2), twice, sign));
        if (head == "mad")
          product = builder_.add(product, read(operands[3], twice, sign));
        return out(product);
      }
      if (head == "mul24" || head == "mad24")
        return false;
      product = emit(!instruction.has("hi") ? Opcode::Mul : sign ? Opcode::SMulHigh : Opcode::UMulHigh, in(1), in(2));
      return out(head == "mad" ? builder_.add(product, in(3)) : product);
    }
    if ((head == "shl" || head == "shr") && sources == 2) {
      const RegisterId x = in(1), amount = read(operands[2], 32);
      // Amounts beyond the width act like the width.
      const RegisterId last = builder_.constant(32, width - 1);
      const RegisterId small = builder_.compare(Opcode::ULe, amount, last);
      const Opcode opcode = head == "shl" ? Opcode::Shl : sign ? Opcode::AShr : Opcode::LShr;
      const auto known = builder_.constant_value(amount);
      const auto shifted = [&](RegisterId by) { return emit(opcode, x, builder_.resize(by, width, false)); };
      const RegisterId beyond = opcode == Opcode::AShr ? shifted(last) : builder_.constant(width, 0);
      if (known)
        return out(*known >= 0 && *known < width ? shifted(amount) : beyond);
      return out(builder_.select(small, shifted(builder_.bit_and(amount, width - 1)), beyond));
    }
    if (head == "shf" && sources == 3 && width == 32) {
      const RegisterId amount = read(operands[3], 32);
      const auto known = builder_.constant_value(amount);
      if (!instruction.has("wrap") && (!known || *known < 0 || *known > 31))
        return false;
      return out(builder_.emit(instruction.has("l") ? Opcode::FunnelLeft : Opcode::FunnelRight, 32, {in(2), in(1), builder_.bit_and(amount, 31)}));
    }
    if (head == "lop3" && sources >= 4)
      return lower_logic(instruction);
    if (head == "bfe" && sources == 3) {
      const auto from = builder_.constant_value(read(operands[2], 32)), count = builder_.constant_value(read(operands[3], 32));
      if (!from || !count || *from < 0 || *count <= 0 || *from + *count > width)
        return false;
      const RegisterId up = emit(Opcode::Shl, in(1), builder_.constant(width, width - *from - *count));
      return out(emit(sign ? Opcode::AShr : Opcode::LShr, up, builder_.constant(width, width - *count)));
    }
    if (head == "bfi" && sources == 4) {
      const auto from = builder_.constant_value(read(operands[3], 32)), count = builder_.constant_value(read(operands[4], 32));
      if (!from || !count || *from < 0 || *count <= 0 || *from + *count > width || *count > 63)
        return false;
      const std::int64_t mask = static_cast<std::int64_t>(((std::uint64_t{1} << *count) - 1) << *from);
      const RegisterId field = emit(Opcode::Shl, in(1), builder_.constant(width, *from));
      return out(emit(Opcode::Or, builder_.bit_and(field, mask), builder_.bit_and(in(2), ~mask)));
    }
    if (head == "prmt" && sources == 3 && instruction.opcode.size() == 2)
      if (const auto permuted = lowering_.permute_bytes(in(1), in(2), read(operands[3], 32)))
        return out(*permuted);
    return false;
  }

  /// A sum of the products that the table of the operation selects.
  bool lower_logic(const ptx::Instruction &instruction) {
    const auto table = builder_.constant_value(read(instruction.operands[4], 32));
    if (!table || instruction.operands.size() != 5)
      return false;
    const std::array<RegisterId, 3> in{read(instruction.operands[1], 32), read(instruction.operands[2], 32), read(instruction.operands[3], 32)};
    RegisterId result = builder_.constant(32, 0);
    for (unsigned row = 0; row < 8; ++row) {
      if (!(*table >> row & 1))
        continue;
      RegisterId product = builder_.constant(32, -1);
      for (unsigned i = 0; i < 3; ++i) {
        const bool plain = row >> (2 - i) & 1;
        product = builder_.emit(Opcode::And, 32, {plain ? in[i] : builder_.emit(Opcode::Xor, 32, {in[i], builder_.constant(32, -1)}), product});
      }
      result = builder_.emit(Opcode::Or, 32, {product, result});
    }
    write(instruction.operands[0], result);
    return true;
  }

  bool lower_comparison(const ptx::Instruction &instruction, std::string_view type, std::uint8_t width) {
    const auto &operands = instruction.operands;
    const bool real = is_float(type), sign = is_signed(type);
    const std::string &how = instruction.opcode.size() > 1 ? instruction.opcode[1] : instruction.opcode[0];
    const RegisterId a = read(operands[1], width, sign), b = read(operands[2], width, sign);
    const Opcode equal = real ? Opcode::FEq : Opcode::Eq, differ = real ? Opcode::FNe : Opcode::Ne,
                 less = real ? Opcode::FLt : sign ? Opcode::SLt : Opcode::ULt, at_most = real ? Opcode::FLe : sign ? Opcode::SLe : Opcode::ULe;
    RegisterId result;
    if (how == "eq")
      result = builder_.compare(equal, a, b);
    else if (how == "ne")
      result = builder_.compare(differ, a, b);
    else if (how == "lt" || how == "lo")
      result = builder_.compare(how == "lo" ? Opcode::ULt : less, a, b);
    else if (how == "le" || how == "ls")
      result = builder_.compare(how == "ls" ? Opcode::ULe : at_most, a, b);
    else if (how == "gt" || how == "hi")
      result = builder_.compare(how == "hi" ? Opcode::ULt : less, b, a);
    else if (how == "ge" || how == "hs")
      result = builder_.compare(how == "hs" ? Opcode::ULe : at_most, b, a);
    else
      return false;
    RegisterId opposite = builder_.logical_not(result);
    if (operands.size() > 3) {
      const RegisterId other = predicate(operands[3]);
      const Opcode join = instruction.has("and") ? Opcode::And : instruction.has("or") ? Opcode::Or : Opcode::Xor;
      result = builder_.emit(join, 1, {result, other});
      opposite = builder_.emit(join, 1, {opposite, other});
    }
    if (operands[0].kind == Kind::Pair) {
      write(operands[0].parts[0], result);
      write(operands[0].parts[1], opposite);
    } else {
      write(operands[0], result);
    }
    return true;
  }

  bool lower_conversion(const ptx::Instruction &instruction, const std::vector<std::string_view> &types) {
    if (types.size() != 2 || instruction.operands.size() != 2 || instruction.has("sat") || instruction.has("pack"))
      return false;
    const std::string_view to = types[0], from = types[1];
    const auto to_width = static_cast<std::uint8_t>(ptx::type_width(to)), from_width = static_cast<std::uint8_t>(ptx::type_width(from));
    const RegisterId source = read(instruction.operands[1], from_width, is_signed(from));
    const auto fits = [](std::string_view type) { return type == "f32" || type == "f64"; };
    if (!is_float(to) && !is_float(from)) {
      write(instruction.operands[0], builder_.resize(source, to_width, is_signed(from)), is_signed(to));
      return true;
    }
    if ((is_float(to) && !fits(to)) || (is_float(from) && !fits(from)))
      return false;
    if (!is_float(to)) {
      if (!instruction.has("rzi"))
        return false;
      write(instruction.operands[0], builder_.emit(is_signed(to) ? Opcode::FToS : Opcode::FToU, to_width, {source}), is_signed(to));
      return true;
    }
    const Opcode opcode = is_float(from) ? Opcode::FResize : is_signed(from) ? Opcode::SToF : Opcode::UToF;
    if (opcode == Opcode::FResize && to_width == from_width)
      return false; // rounds to an integer
    write(instruction.operands[0], builder_.emit(opcode, to_width, {source}));
    return true;
  }

  bool lower_space_conversion(const ptx::Instruction &instruction) {
    const auto types = types_of(instruction);
    const std::uint8_t width = types.empty() ? std::uint8_t{64} : static_cast<std::uint8_t>(ptx::type_width(types.back()));
    RegisterId value = builder_.resize(read(instruction.operands[1], width), 64, false);
    if (space_of(instruction) == AddressSpace::Shared)
      value = builder_.emit(instruction.has("to") ? Opcode::GenericToShared : Opcode::SharedToGeneric, 64, {value});
    else if (instruction.has("shared::cluster"))
      return false;
    write(instruction.operands[0], value);
    return true;
  }

  bool lower_exchange(const ptx::Instruction &instruction) {
    const std::string &head = instruction.opcode[0];
    const auto &operands = instruction.operands;
    if (operands.size() < 2)
      return false;
    if (head == "vote") {
      const RegisterId asked = predicate(operands[1]);
      const bool ballot = instruction.has("ballot");
      write(operands[0], builder_.emit(ballot                    ? Opcode::Ballot
                                       : instruction.has("all") ? Opcode::VoteAll
                                       : instruction.has("any") ? Opcode::VoteAny
                                                                : Opcode::VoteUniform,
                                       ballot ? 32 : 1, {asked}));
      return true;
    }
    const bool pair = operands[0].kind == Kind::Pair;
    const ptx::Operand &target = pair ? operands[0].parts[0] : operands[0];
    if (head == "match") {
      const RegisterId value = read(operands[1], instruction.has("b64") ? 64 : 32);
      const RegisterId mask = builder_.emit(instruction.has("any") ? Opcode::MatchAny : Opcode::MatchAll, 32, {value});
      write(target, mask);
      if (pair)
        write(operands[0].parts[1], builder_.compare(Opcode::Ne, mask, builder_.constant(32, 0)));
      return true;
    }
    if (head == "redux") {
      const Opcode *operation = nullptr;
      for (const std::string &part : instruction.opcode)
        if (!operation)
          operation = find(kReductions, part);
      const auto types = types_of(instruction);
      const bool sign = !types.empty() && is_signed(types.back());
      if (types.empty() || is_float(types.back()) || (!operation && !instruction.has("max")))
        return false;
      const Opcode opcode = instruction.has("max")   ? sign ? Opcode::SMax : Opcode::UMax
                            : instruction.has("min") ? sign ? Opcode::SMin : Opcode::UMin
                                                     : *operation;
      write(target, lowering_.reduce_warp(opcode, read(operands[1], 32)));
      return true;
    }
    if (operands.size() < 4)
      return false;
    const ShuffleMode mode = instruction.has("idx")  ? ShuffleMode::Index
                             : instruction.has("up") ? ShuffleMode::Up
                             : instruction.has("down") ? ShuffleMode::Down
                                                       : ShuffleMode::Butterfly;
    const Registers in{read(operands[1], 32), read(operands[2], 32), read(operands[3], 32)};
    const RegisterId moved = builder_.emit(Opcode::Shuffle, 32, in, kNone, static_cast<std::int64_t>(mode));
    if (pair)
      write(operands[0].parts[1], builder_.emit(Opcode::ShuffleOk, 1, in, kNone, static_cast<std::int64_t>(mode)));
    write(target, moved);
    return true;
  }

  /// Registers that hold an address keep the name of what it was made from.
  void follow_origin(const ptx::Instruction &instruction) {
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

  KernelLowering &lowering_;
  ProgramBuilder &builder_;
  const llvm::CallBase &call_;
  const ptx::Statement statement_;
  std::vector<Slot> slots_;
  std::map<std::string, Registers> names_;
  std::map<std::string, const llvm::Value *> origins_;
  std::size_t at_ = 0; ///< the instruction that is being lowered
};

void KernelLowering::lower_inline_ptx(const llvm::CallBase &call, const llvm::InlineAsm &assembly) {
  PtxLowering(*this, call, assembly).run();
}

} // namespace smem::lower
