#include "program/slice.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "program/control_flow.h"
#include "program/order.h"

namespace smem::lower {
namespace {

bool is_load(const MemoryOperation &operation) {
  return operation.access.operation == Operation::Load || operation.access.operation == Operation::Atomic ||
         operation.access.operation == Operation::MatrixLoad;
}

bool tells_threads_apart(const Instruction &special) {
  const auto which = static_cast<SpecialRegister>(special.immediate);
  return which < SpecialRegister::BlockX ||
         (which > SpecialRegister::GridDimZ && which < SpecialRegister::DynamicSharedSize);
}

/// The arrays that an address can point into; `any` where that is not known.
struct Objects {
  bool any = false;
  std::set<std::pair<Opcode, std::uint32_t>> known;

  bool meets(const Objects &other) const {
    if (any || other.any)
      return true;
    return std::any_of(known.begin(), known.end(), [&](const auto &each) { return other.known.contains(each); });
  }
};

class Slicer {
public:
  Slicer(Program &program, Keep keep) : program_(program), flow_(program), keep_(keep) {}

  void run() {
    if (keep_ == Keep::Counts)
      drop_order(program_);
    find_definitions();
    name_shared_arrays();
    live_register_.assign(program_.register_count, false);
    live_branch_.assign(program_.blocks.size(), false);
    live_block_.assign(program_.blocks.size(), false);
    live_operation_.assign(program_.memory_operations.size(), false);
    live_values_.assign(program_.memory_operations.size(), false);
    for (BlockId block = 0; block < program_.blocks.size(); ++block)
      for (const Instruction &instruction : program_.blocks[block].instructions) {
        if (instruction.opcode == Opcode::Barrier || instruction.opcode == Opcode::WarpMembers ||
            (keep_ == Keep::Order && orders(instruction.opcode))) {
          mark_block(block);
          mark(instruction.result);
          for (const RegisterId operand : instruction.operands)
            mark(operand);
        }
        if (instruction.opcode == Opcode::Memory && program_.memory_operations[instruction.index].site != kNone)
          mark_operation(instruction.index);
      }
    propagate();
    if (keep_ == Keep::Order) {
      keep_simple_values();
      propagate();
    }
    rewrite();
  }

private:
  enum class Kind : std::uint8_t { Instruction, Phi, Memory };
  struct Definition {
    Kind kind = Kind::Instruction;
    BlockId block = kNone;
    std::uint32_t index = 0; ///< of the instruction or phi in its block, or of the memory operation
  };

  void find_definitions() {
    definition_.resize(program_.register_count);
    operation_block_.assign(program_.memory_operations.size(), kNone);
    for (BlockId id = 0; id < program_.blocks.size(); ++id) {
      const BasicBlock &block = program_.blocks[id];
      for (std::uint32_t i = 0; i < block.phis.size(); ++i)
        definition_[block.phis[i].result] = {Kind::Phi, id, i};
      for (std::uint32_t i = 0; i < block.instructions.size(); ++i) {
        const Instruction &instruction = block.instructions[i];
        if (instruction.result != kNone)
          definition_[instruction.result] = {Kind::Instruction, id, i};
        if (instruction.opcode != Opcode::Memory)
          continue;
        operation_block_[instruction.index] = id;
        const MemoryOperation &operation = program_.memory_operations[instruction.index];
        if (is_load(operation))
          for (const ValuePart &part : operation.parts)
            definition_[part.reg] = {Kind::Memory, id, instruction.index};
      }
    }
  }

  /// The one shared array that an address is made from. Sums, casts and selections of it keep it; two arrays, or one and a
  /// pointer from elsewhere, have none.
  struct Origin {
    enum class Kind : std::uint8_t { Number, Array, Mixed } kind = Kind::Number;
    std::uint32_t array = kNone;
    bool operator==(const Origin &) const = default;
  };

  static Origin joined(const Origin &a, const Origin &b, bool alternatives) {
    if (a == b)
      return a;
    if (!alternatives && a.kind == Origin::Kind::Number)
      return b;
    if (!alternatives && b.kind == Origin::Kind::Number)
      return a;
    return {Origin::Kind::Mixed, kNone};
  }

  /// By iteration to a fixed point over all registers: an address may go round in a loop.
  void name_shared_arrays() {
    std::vector<std::optional<Origin>> origin(program_.register_count);
    const auto set = [&](RegisterId id, const Origin &now, bool &changed) {
      if (origin[id] && *origin[id] == now)
        return;
      const Origin next = origin[id] ? joined(*origin[id], now, /*alternatives=*/true) : now;
      changed |= !origin[id] || !(*origin[id] == next);
      origin[id] = next;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const BasicBlock &block : program_.blocks) {
        for (const Phi &phi : block.phis)
          for (const Phi::Incoming &incoming : phi.incoming)
            if (origin[incoming.value])
              set(phi.result, *origin[incoming.value], changed);
        for (const Instruction &instruction : block.instructions) {
          if (instruction.opcode == Opcode::Memory && is_load(program_.memory_operations[instruction.index]))
            for (const ValuePart &part : program_.memory_operations[instruction.index].parts)
              set(part.reg, {part.width == 64 ? Origin::Kind::Mixed : Origin::Kind::Number, kNone}, changed);
          if (instruction.result == kNone)
            continue;
          Origin now;
          bool known = true;
          const auto include = [&](std::size_t first, bool alternatives) {
            std::optional<Origin> sum;
            for (std::size_t i = first; i < instruction.operands.size(); ++i) {
              const auto &each = origin[instruction.operands[i]];
              known &= each.has_value();
              if (each)
                sum = sum ? joined(*sum, *each, alternatives) : *each;
            }
            now = sum.value_or(Origin{});
          };
          switch (instruction.opcode) {
          case Opcode::SharedAddress: now = {Origin::Kind::Array, instruction.index}; break;
          case Opcode::LocalAddress:
          case Opcode::GlobalAddress: now = {Origin::Kind::Mixed, kNone}; break;
          case Opcode::Argument:
            now = {instruction.width == 64 ? Origin::Kind::Mixed : Origin::Kind::Number, kNone};
            break;
          case Opcode::Select: include(1, true); break;
          case Opcode::Add:
          case Opcode::Sub:
          case Opcode::And:
          case Opcode::Or:
          case Opcode::Xor:
          case Opcode::Truncate:
          case Opcode::ZeroExtend:
          case Opcode::SignExtend:
          case Opcode::SharedToGeneric:
          case Opcode::GenericToShared: include(0, false); break;
          default: break;
          }
          if (known)
            set(instruction.result, now, changed);
        }
      }
    }
    for (MemoryOperation &operation : program_.memory_operations) {
      const auto &from = origin[operation.address];
      const bool one = operation.shared_array != kSeveralArrays && from && from->kind == Origin::Kind::Array;
      operation.shared_array = one ? from->array : kNone;
    }
  }

  void mark(RegisterId id) {
    if (id == kNone || live_register_[id])
      return;
    live_register_[id] = true;
    work_.push_back(id);
  }

  void mark_block(BlockId block) {
    if (live_block_[block])
      return;
    live_block_[block] = true;
    for (BlockId branch : flow_.control_dependence(block))
      mark_branch(branch);
  }

  void mark_branch(BlockId block) {
    if (live_branch_[block])
      return;
    live_branch_[block] = true;
    mark(program_.blocks[block].terminator.condition);
    mark_block(block);
  }

  void mark_operation(std::uint32_t index) {
    if (live_operation_[index])
      return;
    live_operation_[index] = true;
    const MemoryOperation &operation = program_.memory_operations[index];
    mark(operation.address);
    mark(operation.source);
    mark(operation.source_bytes);
    mark(operation.predicate);
    mark_block(operation_block_[index]);
  }

  void propagate() {
    while (!work_.empty()) {
      const RegisterId id = work_.back();
      work_.pop_back();
      const Definition &definition = definition_[id];
      mark_block(definition.block);
      const BasicBlock &block = program_.blocks[definition.block];
      switch (definition.kind) {
      case Kind::Instruction:
        for (RegisterId operand : block.instructions[definition.index].operands)
          mark(operand);
        break;
      case Kind::Phi:
        for (const Phi::Incoming &incoming : block.phis[definition.index].incoming) {
          mark(incoming.value);
          mark_block(incoming.from);
        }
        break;
      case Kind::Memory:
        mark_operation(definition.index);
        mark_values(definition.index);
        break;
      }
    }
  }

  /// Values that take few instructions of which none is executed for another reason: whether two stores leave the same.
  void keep_simple_values() {
    for (std::uint32_t i = 0; i < program_.memory_operations.size(); ++i) {
      MemoryOperation &operation = program_.memory_operations[i];
      if (!live_operation_[i] || operation.access.operation != Operation::Store)
        continue;
      int rest = kSimple;
      if (!operation.parts.empty() && std::ranges::all_of(operation.parts, [&](const ValuePart &part) {
            return part.reg != kNone && is_simple(part.reg, rest);
          }))
        for (const ValuePart &part : operation.parts) {
          operation.stored.push_back(part.reg);
          mark(part.reg);
        }
    }
  }

  /// Made of constants, arguments and indices, of what all threads of a block load alike and of what the lanes of a warp are told alike, in as many instructions as are left.
  bool is_simple(RegisterId id, int &rest) const {
    if (live_register_[id])
      return true;
    const Definition &definition = definition_[id];
    if (definition.kind != Kind::Instruction || --rest < 0)
      return definition.kind == Kind::Memory && is_loaded_alike(definition.index, int{kAddress});
    const Instruction &instruction = program_.blocks[definition.block].instructions[definition.index];
    if (is_told_alike(instruction.opcode))
      return live_block_[definition.block] && is_simple(instruction.operands[1], rest);
    // What is undefined is another value each time.
    return instruction.opcode < Opcode::Shuffle && instruction.opcode != Opcode::Undefined &&
           live_block_[definition.block] &&
           std::ranges::all_of(instruction.operands, [&](RegisterId operand) { return is_simple(operand, rest); });
  }

  /// One value for all lanes that take part, whatever their own are. The second operand says which do.
  static bool is_told_alike(Opcode opcode) {
    return opcode == Opcode::Ballot || opcode == Opcode::VoteAll || opcode == Opcode::VoteAny ||
           opcode == Opcode::Reduce;
  }

  /// A load that nothing but its address decides, which is one for all threads of a block.
  bool is_loaded_alike(std::uint32_t index, int &&rest) const {
    const MemoryOperation &load = program_.memory_operations[index];
    return load.access.operation == Operation::Load && load.strength == Strength::Weak && !load.access.bypass_l1 &&
           load.space == AddressSpace::Global && live_operation_[index] && is_alike(load.address, rest);
  }
  bool is_alike(RegisterId id, int &rest) const {
    const Definition &definition = definition_[id];
    if (definition.kind != Kind::Instruction || --rest < 0)
      return definition.kind == Kind::Memory && is_loaded_alike(definition.index, std::move(rest));
    const Instruction &instruction = program_.blocks[definition.block].instructions[definition.index];
    return instruction.opcode < Opcode::Shuffle && instruction.opcode != Opcode::Undefined &&
           !(instruction.opcode == Opcode::Special && tells_threads_apart(instruction)) &&
           std::ranges::all_of(instruction.operands, [&](RegisterId operand) { return is_alike(operand, rest); });
  }

  /// What operation `index` reads is needed: so are the values that others write there.
  void mark_values(std::uint32_t index) {
    if (live_values_[index])
      return;
    live_values_[index] = true;
    const MemoryOperation &reader = program_.memory_operations[index];
    mark(reader.operand);
    if (reader.space == AddressSpace::Global || reader.space == AddressSpace::Constant)
      return; // unknown, or a table that nothing writes
    const Objects &read = objects_of(reader.address);
    for (std::uint32_t i = 0; i < program_.memory_operations.size(); ++i) {
      const MemoryOperation &writer = program_.memory_operations[i];
      if (live_values_[i] || writer.access.operation == Operation::Load ||
          writer.access.operation == Operation::MatrixLoad)
        continue;
      const bool spaces_meet = writer.space == reader.space || writer.space == AddressSpace::Generic ||
                               reader.space == AddressSpace::Generic || writer.access.operation == Operation::AsyncCopy;
      if (!spaces_meet || !objects_of(writer.address).meets(read))
        continue;
      mark_operation(i);
      if (is_load(writer)) { // an atomic: what it writes is made of its operand and of what it reads
        mark_values(i);
        continue;
      }
      live_values_[i] = true;
      for (const ValuePart &part : writer.parts)
        mark(part.reg);
    }
  }

  /// Follows the address through its arithmetic to the variables it starts from.
  const Objects &objects_of(RegisterId address) {
    const auto [it, inserted] = objects_.try_emplace(address);
    if (!inserted)
      return it->second;
    std::set<RegisterId> seen;
    std::vector<RegisterId> work{address};
    while (!work.empty()) {
      const RegisterId id = work.back();
      work.pop_back();
      if (!seen.insert(id).second)
        continue;
      const Definition &definition = definition_[id];
      const BasicBlock &block = program_.blocks[definition.block];
      if (definition.kind == Kind::Phi) {
        for (const Phi::Incoming &incoming : block.phis[definition.index].incoming)
          work.push_back(incoming.value);
      } else if (definition.kind == Kind::Instruction) {
        const Instruction &instruction = block.instructions[definition.index];
        if (instruction.opcode == Opcode::SharedAddress || instruction.opcode == Opcode::LocalAddress ||
            instruction.opcode == Opcode::GlobalAddress)
          it->second.known.insert({instruction.opcode, instruction.index});
        if (program_.register_width[id] == 64 || instruction.opcode == Opcode::ZeroExtend ||
            program_.register_width[id] == 32)
          work.insert(work.end(), instruction.operands.begin(), instruction.operands.end());
      }
    }
    // An address without a variable in it came from memory or from nowhere.
    it->second.any = it->second.known.empty();
    return it->second;
  }

  void rewrite() {
    cut_branches();
    flow_.compact(live_register_);
    drop_dead();
  }

  void cut_branches() {
    for (BlockId id = 0; id < program_.blocks.size(); ++id) {
      Terminator &terminator = program_.blocks[id].terminator;
      if (live_branch_[id] || (terminator.kind != TerminatorKind::Branch && terminator.kind != TerminatorKind::Switch))
        continue;
      const BlockId meeting = flow_.post_dominator(id);
      terminator = {};
      if (meeting != kNone) {
        terminator.kind = TerminatorKind::Jump;
        terminator.targets = {meeting};
      }
    }
  }

  void drop_dead() {
    std::vector<std::uint32_t> new_operation(program_.memory_operations.size(), kNone);
    std::vector<MemoryOperation> operations;
    std::vector<RegisterId> new_register(program_.register_count, kNone);
    std::vector<std::uint8_t> register_width;
    const auto renumber = [&](RegisterId &id) {
      if (id == kNone)
        return;
      if (new_register[id] == kNone) {
        new_register[id] = static_cast<RegisterId>(register_width.size());
        register_width.push_back(program_.register_width[id]);
      }
      id = new_register[id];
    };
    for (BasicBlock &block : program_.blocks) {
      std::erase_if(block.phis, [&](const Phi &phi) { return !live_register_[phi.result]; });
      std::erase_if(block.instructions, [&](const Instruction &instruction) {
        if (instruction.opcode == Opcode::Memory)
          return !live_operation_[instruction.index];
        return instruction.result != kNone && !live_register_[instruction.result];
      });
      for (Phi &phi : block.phis)
        renumber(phi.result);
      for (Instruction &instruction : block.instructions) {
        renumber(instruction.result);
        for (RegisterId &operand : instruction.operands)
          renumber(operand);
        if (instruction.opcode != Opcode::Memory)
          continue;
        const std::uint32_t old = instruction.index;
        MemoryOperation operation = std::move(program_.memory_operations[old]);
        if (is_load(operation))
          std::erase_if(operation.parts, [&](const ValuePart &part) { return !live_register_[part.reg]; });
        else if (!live_values_[old])
          operation.parts.clear();
        if (!live_values_[old])
          operation.operand = kNone;
        renumber(operation.address);
        renumber(operation.source);
        renumber(operation.operand);
        renumber(operation.source_bytes);
        renumber(operation.predicate);
        for (RegisterId &stored : operation.stored)
          renumber(stored);
        for (ValuePart &part : operation.parts)
          renumber(part.reg);
        instruction.index = new_operation[old] = static_cast<std::uint32_t>(operations.size());
        operations.push_back(std::move(operation));
      }
      renumber(block.terminator.condition);
    }
    for (BasicBlock &block : program_.blocks)
      for (Phi &phi : block.phis)
        for (Phi::Incoming &incoming : phi.incoming)
          renumber(incoming.value);
    for (BasicBlock &block : program_.blocks)
      for (Instruction &instruction : block.instructions)
        if (instruction.opcode == Opcode::BulkCopy)
          instruction.index = new_operation[instruction.index];
    program_.memory_operations = std::move(operations);
    program_.register_count = static_cast<std::uint32_t>(register_width.size());
    program_.register_width = std::move(register_width);
  }

  static constexpr int kSimple = 8, kAddress = 32; ///< instructions

  Program &program_;
  ControlFlow flow_;
  Keep keep_;
  std::vector<Definition> definition_;
  std::vector<BlockId> operation_block_;
  std::vector<RegisterId> work_;
  std::vector<bool> live_register_, live_branch_, live_block_, live_operation_;
  std::vector<bool> live_values_; ///< of memory operations: the values they move are needed
  std::map<RegisterId, Objects> objects_;
};

} // namespace

void slice(Program &program, Keep keep) { Slicer(program, keep).run(); }

} // namespace smem::lower
