// Well-formedness of Programs: tables, definitions before uses, widths, edges.
#include "smem/program.h"

#include <algorithm>

#include "opcode_info.h"

namespace smem {
namespace {

/// Predecessors without duplicates, by block.
std::vector<std::vector<BlockId>> predecessors(const Program &program) {
  std::vector<std::vector<BlockId>> result(program.blocks.size());
  for (BlockId from = 0; from < program.blocks.size(); ++from)
    for (BlockId to : program.blocks[from].terminator.targets)
      if (std::find(result[to].begin(), result[to].end(), from) == result[to].end())
        result[to].push_back(from);
  return result;
}
constexpr std::size_t kMbarrierOperands = 4, kBulkCopyOperands = 4; ///< Warp reads as many

class Verifier {
public:
  explicit Verifier(const Program &program) : program_(program) {}

  std::string run() {
    if (!check_tables() || !check_targets() || !check_definitions() || !check_uses() || !check_phis())
      return message_;
    return {};
  }

private:
  bool fail(const std::string &what) {
    message_ = program_.mangled + ": " + what;
    return false;
  }
  static std::string reg(RegisterId id) { return std::string("%") + std::to_string(id); } // not "%" + …: GCC 12 warns
  static std::string block_name(BlockId id) { return "block " + std::to_string(id); }

  bool check_tables() {
    if (program_.blocks.empty())
      return fail("no blocks");
    if (program_.register_width.size() != program_.register_count)
      return fail("register_width has " + std::to_string(program_.register_width.size()) + " entries for " +
                  std::to_string(program_.register_count) + " registers");
    for (std::size_t i = 0; i < program_.memory_operations.size(); ++i) {
      const MemoryOperation &operation = program_.memory_operations[i];
      const std::string name = "memory operation " + std::to_string(i);
      if (operation.site != kNone && operation.site >= program_.sites.size())
        return fail(name + " names a site that does not exist");
      if (operation.address == kNone)
        return fail(name + " has no address");
      if (operation.access.operation == Operation::AsyncCopy && operation.source == kNone)
        return fail(name + " is an async copy without a source");
    }
    return true;
  }

  bool check_targets() {
    for (BlockId id = 0; id < program_.blocks.size(); ++id) {
      const Terminator &terminator = program_.blocks[id].terminator;
      std::size_t expected = 0;
      switch (terminator.kind) {
      case TerminatorKind::Jump: expected = 1; break;
      case TerminatorKind::Branch: expected = 2; break;
      case TerminatorKind::Switch: expected = terminator.cases.size() + 1; break;
      case TerminatorKind::Return:
      case TerminatorKind::Trap: break;
      }
      if (terminator.targets.size() != expected)
        return fail(block_name(id) + ": terminator has " + std::to_string(terminator.targets.size()) +
                    " targets, not " + std::to_string(expected));
      for (BlockId target : terminator.targets)
        if (target >= program_.blocks.size() || target == 0)
          return fail(block_name(id) + ": terminator targets " + block_name(target));
    }
    std::vector<bool> seen(program_.blocks.size());
    std::vector<BlockId> work{0};
    seen[0] = true;
    while (!work.empty()) {
      const BlockId id = work.back();
      work.pop_back();
      for (BlockId target : program_.blocks[id].terminator.targets)
        if (!seen[target]) {
          seen[target] = true;
          work.push_back(target);
        }
    }
    for (BlockId id = 0; id < program_.blocks.size(); ++id)
      if (!seen[id])
        return fail(block_name(id) + " is not reachable");
    return true;
  }

  bool define(RegisterId id, std::uint8_t width, BlockId block, std::size_t position, const std::string &where) {
    if (id >= program_.register_count)
      return fail(where + " defines a register that does not exist");
    if (width < 1 || width > 64)
      return fail(where + ": width " + std::to_string(width) + " of " + reg(id));
    if (program_.register_width[id] != width)
      return fail(where + ": " + reg(id) + " is " + std::to_string(width) + " bits here and " +
                  std::to_string(program_.register_width[id]) + " in the table");
    if (definition_[id].block != kNone)
      return fail(where + ": " + reg(id) + " is defined twice");
    definition_[id] = {block, position};
    return true;
  }

  bool check_definitions() {
    definition_.assign(program_.register_count, {});
    std::vector<bool> operation_used(program_.memory_operations.size());
    for (BlockId id = 0; id < program_.blocks.size(); ++id) {
      const BasicBlock &block = program_.blocks[id];
      for (const Phi &phi : block.phis)
        if (!define(phi.result, phi.width, id, 0, block_name(id) + ": phi"))
          return false;
      for (std::size_t i = 0; i < block.instructions.size(); ++i) {
        const Instruction &instruction = block.instructions[i];
        const std::string where = block_name(id) + ": " + std::string(info(instruction.opcode).name);
        if (info(instruction.opcode).shape == Shape::Effect) {
          if (instruction.result != kNone)
            return fail(where + " has a result");
          if (instruction.opcode != Opcode::Memory)
            continue;
          if (instruction.index >= program_.memory_operations.size())
            return fail(where + " names an operation that does not exist");
          if (operation_used[instruction.index])
            return fail(where + ": operation " + std::to_string(instruction.index) + " occurs twice");
          operation_used[instruction.index] = true;
          const MemoryOperation &operation = program_.memory_operations[instruction.index];
          if (operation.access.operation == Operation::Load || operation.access.operation == Operation::Atomic ||
              operation.access.operation == Operation::MatrixLoad)
            for (const ValuePart &part : operation.parts)
              if (!define(part.reg, part.width, id, i + 1, where))
                return false;
        } else if (!define(instruction.result, instruction.width, id, i + 1, where)) {
          return false;
        }
      }
    }
    for (RegisterId id = 0; id < program_.register_count; ++id)
      if (definition_[id].block == kNone)
        return fail(reg(id) + " is never defined");
    for (std::size_t i = 0; i < operation_used.size(); ++i)
      if (!operation_used[i])
        return fail("memory operation " + std::to_string(i) + " is in no block");
    compute_dominators();
    return true;
  }

  bool use(RegisterId id, BlockId block, std::size_t position, const std::string &where) {
    if (id >= program_.register_count)
      return fail(where + " uses a register that does not exist");
    const Definition &definition = definition_[id];
    const bool fine = definition.block == block ? definition.position < position : dominates(definition.block, block);
    return fine || fail(where + " uses " + reg(id) + " before its definition");
  }

  std::uint8_t width(RegisterId id) const { return program_.register_width[id]; }

  /// Numbers have 32 or 64 bits, and halves go away from zero in FRound alone.
  bool check_floating(const Instruction &instruction) const {
    const auto is_number = [](std::uint8_t bits) { return bits == 32 || bits == 64; };
    const Opcode opcode = instruction.opcode;
    const bool from_number = opcode != Opcode::SToF && opcode != Opcode::UToF;
    const bool to_number = opcode != Opcode::FToS && opcode != Opcode::FToU && info(opcode).shape != Shape::Compare;
    const Rounding rounding = FloatMode::unpack(instruction.immediate).rounding;
    return instruction.immediate >= 0 && instruction.immediate < 16 &&
           (!from_number || is_number(width(instruction.operands[0])) ||
            (opcode == Opcode::FResize && width(instruction.operands[0]) == 16)) &&
           (!to_number || is_number(instruction.width)) &&
           (rounding < Rounding::NearestAway || (rounding == Rounding::NearestAway && opcode == Opcode::FRound));
  }

  bool check_shape(const Instruction &instruction, const std::string &where) {
    const OpcodeInfo &opcode = info(instruction.opcode);
    const auto &operands = instruction.operands;
    if (opcode.operands != kAnyNumber && operands.size() != opcode.operands)
      return fail(where + " has " + std::to_string(operands.size()) + " operands");
    const auto all = [&](std::size_t first, std::uint8_t bits) {
      return std::all_of(operands.begin() + static_cast<std::ptrdiff_t>(first), operands.end(),
                         [&](RegisterId id) { return width(id) == bits; });
    };
    bool fine = true;
    switch (opcode.shape) {
    case Shape::Same:
    case Shape::Shift3: fine = all(0, instruction.width); break;
    case Shape::Compare: fine = instruction.width == 1 && width(operands[0]) == width(operands[1]); break;
    case Shape::Narrow: fine = width(operands[0]) > instruction.width; break;
    case Shape::Widen: fine = width(operands[0]) < instruction.width; break;
    case Shape::SelectOf: fine = width(operands[0]) == 1 && all(1, instruction.width); break;
    case Shape::Exchange: fine = width(operands[0]) == instruction.width && all(1, 32); break;
    case Shape::ExchangeOk: fine = instruction.width == 1 && all(1, 32); break;
    case Shape::Vote: fine = width(operands[0]) == 1 && width(operands[1]) == 32; break;
    case Shape::Match: fine = width(operands[1]) == 32; break;
    case Shape::Place: fine = width(operands[0]) == instruction.width && width(operands[1]) == 1; break;
    case Shape::Leaf:
    case Shape::Convert:
    case Shape::Free:
    case Shape::Effect: break;
    }
    if (!fine)
      return fail(where + ": widths of operands do not fit");
    if (is_floating(instruction.opcode) && !check_floating(instruction))
      return fail(where + ": no such floating-point operation");
    if (instruction.opcode == Opcode::Agree && operands.empty())
      return fail(where + " has no operands");
    const auto index_in = [&](std::size_t size) {
      return instruction.index < size || fail(where + ": index " + std::to_string(instruction.index));
    };
    switch (instruction.opcode) {
    case Opcode::SharedAddress: return index_in(program_.shared_arrays.size());
    case Opcode::LocalAddress: return index_in(program_.local_objects.size());
    case Opcode::GlobalAddress: return index_in(program_.global_objects.size());
    case Opcode::Argument: return index_in(program_.parameters.size());
    case Opcode::BulkCopy:
      return index_in(program_.memory_operations.size()) &&
             (operands.size() == kBulkCopyOperands || fail(where + ": not four operands"));
    case Opcode::Mbarrier: return operands.size() >= kMbarrierOperands || fail(where + ": fewer than four operands");
    case Opcode::Agree:
    case Opcode::Opaque: return index_in(program_.reasons.size());
    case Opcode::Special: return !name_of_special(instruction.immediate).empty() || fail(where + ": no such register");
    case Opcode::Reduce: {
      const OpcodeInfo *joining = find_info(instruction.immediate);
      const bool joins = joining && joining->shape == Shape::Same && joining->operands == 2 &&
                         !is_floating(static_cast<Opcode>(instruction.immediate));
      return joins || fail(where + ": joins values by no operation");
    }
    default: return true;
    }
  }

  bool check_uses() {
    for (BlockId id = 0; id < program_.blocks.size(); ++id) {
      const BasicBlock &block = program_.blocks[id];
      for (std::size_t i = 0; i < block.instructions.size(); ++i) {
        const Instruction &instruction = block.instructions[i];
        const std::string where = block_name(id) + ": " + std::string(info(instruction.opcode).name);
        for (RegisterId operand : instruction.operands)
          if (!use(operand, id, i + 1, where))
            return false;
        if (!check_shape(instruction, where))
          return false;
        if (instruction.opcode == Opcode::Memory &&
            !check_memory(program_.memory_operations[instruction.index], id, i + 1, where))
          return false;
      }
      const Terminator &terminator = block.terminator;
      if (terminator.kind == TerminatorKind::Branch || terminator.kind == TerminatorKind::Switch) {
        if (!use(terminator.condition, id, block.instructions.size() + 1, block_name(id) + ": terminator"))
          return false;
        if (terminator.kind == TerminatorKind::Branch && width(terminator.condition) != 1)
          return fail(block_name(id) + ": condition is not 1 bit");
      } else if (terminator.condition != kNone && terminator.condition >= program_.register_count) {
        return fail(block_name(id) + ": terminator names a register that does not exist");
      }
    }
    return true;
  }

  bool check_memory(const MemoryOperation &operation, BlockId block, std::size_t position, const std::string &where) {
    if (operation.loop_load != kNone && (operation.site == kNone || operation.loop_load >= program_.sites.size()))
      return fail(where + ": no such site of a loop's loads");
    if (operation.apart != kNone && operation.apart >= program_.reasons.size())
      return fail(where + ": no such reason why lanes are apart");
    if (operation.aggregation != Aggregation::None && operation.access.operation != Operation::Atomic)
      return fail(where + ": aggregated, and no atomic");
    const auto use_as = [&](RegisterId id, std::uint8_t bits) {
      return id == kNone || (use(id, block, position, where) &&
                             (bits == 0 || width(id) == bits || fail(where + ": width of " + reg(id))));
    };
    if (!use_as(operation.address, 64) || !use_as(operation.source, 64) || !use_as(operation.operand, 0) ||
        !use_as(operation.source_bytes, 0) ||
        !std::ranges::all_of(operation.stored, [&](RegisterId id) { return use_as(id, 0); }) ||
        !use_as(operation.predicate, 1))
      return false;
    if (operation.access.operation == Operation::Store || operation.access.operation == Operation::MatrixStore)
      for (const ValuePart &part : operation.parts)
        if (!use_as(part.reg, part.width))
          return false;
    return true;
  }

  bool check_phis() {
    const auto preds = predecessors(program_);
    for (BlockId id = 0; id < program_.blocks.size(); ++id)
      for (const Phi &phi : program_.blocks[id].phis) {
        std::vector<BlockId> from;
        for (const Phi::Incoming &incoming : phi.incoming) {
          from.push_back(incoming.from);
          if (incoming.from >= program_.blocks.size() ||
              !use(incoming.value, incoming.from, static_cast<std::size_t>(-1), block_name(id) + ": phi"))
            return message_.empty() ? fail(block_name(id) + ": phi from a block that does not exist") : false;
          if (width(incoming.value) != phi.width)
            return fail(block_name(id) + ": phi " + reg(phi.result) + " and " + reg(incoming.value) +
                        " differ in width");
        }
        std::vector<BlockId> expected = preds[id];
        std::sort(from.begin(), from.end());
        std::sort(expected.begin(), expected.end());
        if (from != expected)
          return fail(block_name(id) + ": incoming edges of phi " + reg(phi.result) + " are not its predecessors");
      }
    return true;
  }

  /// Immediate dominators by the usual iteration over reverse post-order.
  void compute_dominators() {
    const auto count = program_.blocks.size();
    std::vector<BlockId> order;
    std::vector<std::uint8_t> state(count);
    std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
    state[0] = 1;
    while (!stack.empty()) {
      auto &[id, next] = stack.back();
      const auto &targets = program_.blocks[id].terminator.targets;
      if (next < targets.size()) {
        const BlockId target = targets[next++];
        if (!state[target]) {
          state[target] = 1;
          stack.emplace_back(target, 0);
        }
      } else {
        order.push_back(id);
        stack.pop_back();
      }
    }
    rank_.assign(count, 0);
    for (std::size_t i = 0; i < order.size(); ++i)
      rank_[order[i]] = static_cast<std::uint32_t>(i);
    std::reverse(order.begin(), order.end());
    idom_.assign(count, kNone);
    idom_[0] = 0;
    const auto preds = predecessors(program_);
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId id : order) {
        if (id == 0)
          continue;
        BlockId best = kNone;
        for (BlockId pred : preds[id]) {
          if (idom_[pred] == kNone)
            continue;
          best = best == kNone ? pred : intersect(pred, best);
        }
        if (idom_[id] != best) {
          idom_[id] = best;
          changed = true;
        }
      }
    }
  }

  BlockId intersect(BlockId a, BlockId b) const {
    while (a != b)
      if (rank_[a] < rank_[b])
        a = idom_[a];
      else
        b = idom_[b];
    return a;
  }

  bool dominates(BlockId a, BlockId b) const {
    while (b != 0 && b != a)
      b = idom_[b];
    return a == b;
  }

  struct Definition {
    BlockId block = kNone;
    std::size_t position = 0;
  };

  const Program &program_;
  std::string message_;
  std::vector<Definition> definition_;
  std::vector<std::uint32_t> rank_;
  std::vector<BlockId> idom_;
};

} // namespace

std::string verify(const Program &program) { return Verifier(program).run(); }

} // namespace smem
