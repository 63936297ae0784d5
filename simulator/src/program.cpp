// Well-formedness and listing of Programs.
#include "smem/program.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace smem {
namespace {

/// How an opcode's operands relate to its result; what verify() checks.
enum class Shape : std::uint8_t {
  Leaf,       ///< no operands
  Same,       ///< every operand has the result's width
  Compare,    ///< two operands of one width, 1-bit result
  Narrow,     ///< one wider operand
  Widen,      ///< one narrower operand
  Convert,    ///< one operand of any width
  SelectOf,   ///< 1-bit condition, two operands of the result's width
  Shift3,     ///< funnel shift: three operands of the result's width
  Exchange,   ///< shuffle: value of the result's width, two 32-bit words
  ExchangeOk, ///< shuffle predicate: any value, two 32-bit words, 1-bit result
  Vote,       ///< 1-bit operand
  Free,       ///< anything
  Effect,     ///< no result
};

struct OpcodeInfo {
  std::string_view name;
  Shape shape;
  std::uint8_t operands; ///< kAny: any number
};

constexpr std::uint8_t kAny = 255;

/// Indexed by Opcode, in its order.
constexpr std::array kOpcodes{
    OpcodeInfo{"constant", Shape::Leaf, 0},
    OpcodeInfo{"special", Shape::Leaf, 0},
    OpcodeInfo{"argument", Shape::Leaf, 0},
    OpcodeInfo{"shared_address", Shape::Leaf, 0},
    OpcodeInfo{"local_address", Shape::Leaf, 0},
    OpcodeInfo{"global_address", Shape::Leaf, 0},
    OpcodeInfo{"undefined", Shape::Leaf, 0},
    OpcodeInfo{"add", Shape::Same, 2},
    OpcodeInfo{"sub", Shape::Same, 2},
    OpcodeInfo{"mul", Shape::Same, 2},
    OpcodeInfo{"udiv", Shape::Same, 2},
    OpcodeInfo{"sdiv", Shape::Same, 2},
    OpcodeInfo{"urem", Shape::Same, 2},
    OpcodeInfo{"srem", Shape::Same, 2},
    OpcodeInfo{"shl", Shape::Same, 2},
    OpcodeInfo{"lshr", Shape::Same, 2},
    OpcodeInfo{"ashr", Shape::Same, 2},
    OpcodeInfo{"and", Shape::Same, 2},
    OpcodeInfo{"or", Shape::Same, 2},
    OpcodeInfo{"xor", Shape::Same, 2},
    OpcodeInfo{"umin", Shape::Same, 2},
    OpcodeInfo{"umax", Shape::Same, 2},
    OpcodeInfo{"smin", Shape::Same, 2},
    OpcodeInfo{"smax", Shape::Same, 2},
    OpcodeInfo{"umulhigh", Shape::Same, 2},
    OpcodeInfo{"smulhigh", Shape::Same, 2},
    OpcodeInfo{"popcount", Shape::Same, 1},
    OpcodeInfo{"clz", Shape::Same, 1},
    OpcodeInfo{"ctz", Shape::Same, 1},
    OpcodeInfo{"reverse_bits", Shape::Same, 1},
    OpcodeInfo{"reverse_bytes", Shape::Same, 1},
    OpcodeInfo{"funnel_left", Shape::Shift3, 3},
    OpcodeInfo{"funnel_right", Shape::Shift3, 3},
    OpcodeInfo{"trunc", Shape::Narrow, 1},
    OpcodeInfo{"zext", Shape::Widen, 1},
    OpcodeInfo{"sext", Shape::Widen, 1},
    OpcodeInfo{"eq", Shape::Compare, 2},
    OpcodeInfo{"ne", Shape::Compare, 2},
    OpcodeInfo{"ult", Shape::Compare, 2},
    OpcodeInfo{"ule", Shape::Compare, 2},
    OpcodeInfo{"slt", Shape::Compare, 2},
    OpcodeInfo{"sle", Shape::Compare, 2},
    OpcodeInfo{"select", Shape::SelectOf, 3},
    OpcodeInfo{"shared_to_generic", Shape::Same, 1},
    OpcodeInfo{"generic_to_shared", Shape::Same, 1},
    OpcodeInfo{"fadd", Shape::Same, 2},
    OpcodeInfo{"fsub", Shape::Same, 2},
    OpcodeInfo{"fmul", Shape::Same, 2},
    OpcodeInfo{"fdiv", Shape::Same, 2},
    OpcodeInfo{"feq", Shape::Compare, 2},
    OpcodeInfo{"fne", Shape::Compare, 2},
    OpcodeInfo{"flt", Shape::Compare, 2},
    OpcodeInfo{"fle", Shape::Compare, 2},
    OpcodeInfo{"ftos", Shape::Convert, 1},
    OpcodeInfo{"ftou", Shape::Convert, 1},
    OpcodeInfo{"stof", Shape::Convert, 1},
    OpcodeInfo{"utof", Shape::Convert, 1},
    OpcodeInfo{"fresize", Shape::Convert, 1},
    OpcodeInfo{"shuffle", Shape::Exchange, 3},
    OpcodeInfo{"shuffle_ok", Shape::ExchangeOk, 3},
    OpcodeInfo{"ballot", Shape::Vote, 1},
    OpcodeInfo{"vote_all", Shape::Vote, 1},
    OpcodeInfo{"vote_any", Shape::Vote, 1},
    OpcodeInfo{"vote_uniform", Shape::Vote, 1},
    OpcodeInfo{"match_any", Shape::Free, 1},
    OpcodeInfo{"match_all", Shape::Free, 1},
    OpcodeInfo{"active_mask", Shape::Leaf, 0},
    OpcodeInfo{"opaque", Shape::Free, kAny},
    OpcodeInfo{"memory", Shape::Effect, 0},
    OpcodeInfo{"barrier", Shape::Effect, 0},
    OpcodeInfo{"warp_barrier", Shape::Effect, 0},
};
static_assert(kOpcodes.size() == static_cast<std::size_t>(Opcode::WarpBarrier) + 1);

constexpr std::array<std::string_view, 22> kSpecialNames{
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y",  "blockIdx.z",  "blockDim.x",  "blockDim.y",
    "blockDim.z",  "gridDim.x",   "gridDim.y",   "gridDim.z",  "laneid",      "warpid",      "warpSize",    "lanemask_lt",
    "lanemask_le", "lanemask_eq", "lanemask_ge", "lanemask_gt", "dynamic_smem_size", "total_smem_size"};
static_assert(kSpecialNames.size() == static_cast<std::size_t>(SpecialRegister::TotalSharedSize) + 1);

constexpr std::array<std::string_view, 4> kShuffleNames{"idx", "up", "down", "bfly"};
constexpr std::array<std::string_view, 5> kSpaceNames{"generic", "shared", "global", "constant", "local"};
constexpr std::array<std::string_view, 6> kOperationNames{"load",       "store",       "atomic",
                                                          "async_copy", "matrix_load", "matrix_store"};
constexpr std::array<std::string_view, 14> kAtomicNames{"none", "add",  "increment", "min", "max",      "and",      "or",
                                                        "xor",  "exch", "cas",       "inc", "dec",      "fadd",     "fminmax"};

const OpcodeInfo &info(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)]; }

std::string place(const SourceLocation &location) {
  if (!location.known())
    return "<unknown>";
  return location.file + ":" + std::to_string(location.line) + ":" + std::to_string(location.column);
}

/// Predecessors without duplicates, by block.
std::vector<std::vector<BlockId>> predecessors(const Program &program) {
  std::vector<std::vector<BlockId>> result(program.blocks.size());
  for (BlockId from = 0; from < program.blocks.size(); ++from)
    for (BlockId to : program.blocks[from].terminator.targets)
      if (std::find(result[to].begin(), result[to].end(), from) == result[to].end())
        result[to].push_back(from);
  return result;
}

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
  static std::string reg(RegisterId id) { return "%" + std::to_string(id); }
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
        return fail(block_name(id) + ": terminator has " + std::to_string(terminator.targets.size()) + " targets, not " +
                    std::to_string(expected));
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

  bool check_shape(const Instruction &instruction, const std::string &where) {
    const OpcodeInfo &opcode = info(instruction.opcode);
    const auto &operands = instruction.operands;
    if (opcode.operands != kAny && operands.size() != opcode.operands)
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
    case Shape::Vote: fine = width(operands[0]) == 1; break;
    case Shape::Leaf:
    case Shape::Convert:
    case Shape::Free:
    case Shape::Effect: break;
    }
    if (!fine)
      return fail(where + ": widths of operands do not fit");
    const auto index_in = [&](std::size_t size) {
      return instruction.index < size || fail(where + ": index " + std::to_string(instruction.index));
    };
    switch (instruction.opcode) {
    case Opcode::SharedAddress: return index_in(program_.shared_arrays.size());
    case Opcode::LocalAddress: return index_in(program_.local_objects.size());
    case Opcode::GlobalAddress: return index_in(program_.global_objects.size());
    case Opcode::Argument: return index_in(program_.parameters.size());
    case Opcode::Opaque: return index_in(program_.reasons.size());
    case Opcode::Special:
      return static_cast<std::uint64_t>(instruction.immediate) < kSpecialNames.size() || fail(where + ": no such register");
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
        if (instruction.opcode == Opcode::Memory && !check_memory(program_.memory_operations[instruction.index], id, i + 1, where))
          return false;
      }
      const Terminator &terminator = block.terminator;
      if (terminator.kind == TerminatorKind::Branch || terminator.kind == TerminatorKind::Switch) {
        if (!use(terminator.condition, id, block.instructions.size() + 1, block_name(id) + ": terminator"))
          return false;
        if (terminator.kind == TerminatorKind::Branch && width(terminator.condition) != 1)
          return fail(block_name(id) + ": condition is not 1 bit");
      }
    }
    return true;
  }

  bool check_memory(const MemoryOperation &operation, BlockId block, std::size_t position, const std::string &where) {
    const auto use_as = [&](RegisterId id, std::uint8_t bits) {
      return id == kNone || (use(id, block, position, where) && (bits == 0 || width(id) == bits || fail(where + ": width of " + reg(id))));
    };
    if (!use_as(operation.address, 64) || !use_as(operation.source, 64) || !use_as(operation.source_bytes, 0) ||
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
            return fail(block_name(id) + ": phi " + reg(phi.result) + " and " + reg(incoming.value) + " differ in width");
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

/// Writes a Program as text.
class Printer {
public:
  explicit Printer(const Program &program) : program_(program) {}

  std::string run() {
    out_ << "kernel " << program_.kernel << " (" << program_.mangled << ") at " << place(program_.location) << '\n';
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
      const Parameter &parameter = program_.parameters[i];
      out_ << "  param " << i << ": " << parameter.type << ' ' << parameter.name << ", " << parameter.size << " bytes"
           << (parameter.pointer ? ", pointer" : "") << '\n';
    }
    if (program_.max_threads)
      out_ << "  max_threads " << *program_.max_threads << '\n';
    if (program_.min_blocks)
      out_ << "  min_blocks " << *program_.min_blocks << '\n';
    tables();
    for (std::size_t i = 0; i < program_.sites.size(); ++i)
      site(i);
    for (BlockId id = 0; id < program_.blocks.size(); ++id)
      block(id);
    return out_.str();
  }

private:
  void tables() {
    for (std::size_t i = 0; i < program_.shared_arrays.size(); ++i) {
      const SharedArray &array = program_.shared_arrays[i];
      out_ << "  shared " << i << ": " << array.name << ", ";
      if (array.dynamic)
        out_ << "dynamic";
      else
        out_ << array.size << " bytes";
      out_ << ", align " << array.alignment;
      if (!array.declaration.empty())
        out_ << ", `" << array.declaration << "` at " << place(array.location);
      out_ << '\n';
    }
    for (std::size_t i = 0; i < program_.local_objects.size(); ++i)
      out_ << "  local " << i << ": " << program_.local_objects[i].size << " bytes, align "
           << program_.local_objects[i].alignment << '\n';
    for (std::size_t i = 0; i < program_.global_objects.size(); ++i) {
      const GlobalObject &object = program_.global_objects[i];
      out_ << "  global " << i << ": " << object.name << ", " << object.size << " bytes, align " << object.alignment
           << (object.constant_space ? ", constant" : "") << (object.initializer ? ", initialised" : "") << '\n';
    }
  }

  void access(const Access &access) {
    out_ << kOperationNames[static_cast<std::size_t>(access.operation)] << " b" << access.width_bits;
    if (access.atomic != AtomicKind::None)
      out_ << ' ' << kAtomicNames[static_cast<std::size_t>(access.atomic)] << (access.result_used ? " returning" : "");
    if (access.matrices)
      out_ << " x" << unsigned{access.matrices} << (access.transposed ? " trans" : "");
    if (access.bypass_l1)
      out_ << " bypass_l1";
  }

  void site(std::size_t i) {
    const Site &site = program_.sites[i];
    out_ << "  site " << i << ": " << (site.generic ? "generic" : to_string_space(site.access.space)) << ' ';
    access(site.access);
    out_ << " at " << place(site.location);
    if (!site.expression.empty())
      out_ << " `" << site.expression << '`';
    if (!site.array.empty())
      out_ << " of " << site.array;
    if (!site.address.empty())
      out_ << " [" << site.address << ']';
    out_ << '\n';
    for (const InlineFrame &frame : site.inlined_at)
      out_ << "    inlined into " << frame.function << " at " << place(frame.call) << '\n';
    if (!site.not_lowered.empty())
      out_ << "    not lowered: " << site.not_lowered << '\n';
  }

  static std::string_view to_string_space(Space space) { return space == Space::Shared ? "shared" : "global"; }

  void operand(RegisterId id) {
    if (id == kNone)
      out_ << '?';
    else
      out_ << '%' << id;
  }

  void instruction(const Instruction &instruction) {
    out_ << "  ";
    if (instruction.opcode == Opcode::Memory) {
      memory(instruction.index);
      return;
    }
    if (instruction.result != kNone)
      out_ << '%' << instruction.result << ":i" << unsigned{instruction.width} << " = ";
    out_ << info(instruction.opcode).name;
    switch (instruction.opcode) {
    case Opcode::Constant: out_ << ' ' << instruction.immediate; break;
    case Opcode::Special: out_ << ' ' << kSpecialNames[static_cast<std::size_t>(instruction.immediate)]; break;
    case Opcode::Argument:
      out_ << ' ' << program_.parameters[instruction.index].name;
      if (instruction.immediate)
        out_ << '+' << instruction.immediate;
      break;
    case Opcode::SharedAddress: out_ << ' ' << program_.shared_arrays[instruction.index].name; break;
    case Opcode::LocalAddress: out_ << ' ' << instruction.index; break;
    case Opcode::GlobalAddress: out_ << ' ' << program_.global_objects[instruction.index].name; break;
    case Opcode::Shuffle:
    case Opcode::ShuffleOk: out_ << '.' << kShuffleNames[static_cast<std::size_t>(instruction.immediate) & 3]; break;
    default: break;
    }
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      out_ << (i ? ", " : " ");
      operand(instruction.operands[i]);
    }
    if (instruction.opcode == Opcode::Opaque)
      out_ << " \"" << program_.reasons[instruction.index] << '"';
    out_ << '\n';
  }

  void memory(std::uint32_t index) {
    const MemoryOperation &operation = program_.memory_operations[index];
    const bool loads = operation.access.operation != Operation::Store && operation.access.operation != Operation::MatrixStore &&
                       operation.access.operation != Operation::AsyncCopy;
    if (operation.predicate != kNone)
      out_ << "@%" << operation.predicate << ' ';
    if (loads && !operation.parts.empty()) {
      parts(operation);
      out_ << " = ";
    }
    out_ << kSpaceNames[static_cast<std::size_t>(operation.space)] << ' ';
    access(operation.access);
    out_ << " [";
    operand(operation.address);
    out_ << ']';
    if (operation.source != kNone) {
      out_ << ", [";
      operand(operation.source);
      out_ << ']';
    }
    if (operation.source_bytes != kNone) {
      out_ << ", bytes ";
      operand(operation.source_bytes);
    }
    if (!loads && !operation.parts.empty()) {
      out_ << ", ";
      parts(operation);
    }
    if (operation.site != kNone)
      out_ << " ; site " << operation.site;
    out_ << '\n';
  }

  void parts(const MemoryOperation &operation) {
    out_ << '{';
    for (std::size_t i = 0; i < operation.parts.size(); ++i) {
      const ValuePart &part = operation.parts[i];
      out_ << (i ? ", " : "");
      operand(part.reg);
      out_ << ":i" << unsigned{part.width} << '@' << part.byte_offset;
    }
    out_ << '}';
  }

  void block(BlockId id) {
    const BasicBlock &block = program_.blocks[id];
    out_ << "block " << id << ":\n";
    for (const Phi &phi : block.phis) {
      out_ << "  %" << phi.result << ":i" << unsigned{phi.width} << " = phi";
      for (std::size_t i = 0; i < phi.incoming.size(); ++i) {
        out_ << (i ? ", [" : " [");
        operand(phi.incoming[i].value);
        out_ << " from " << phi.incoming[i].from << ']';
      }
      out_ << '\n';
    }
    for (const Instruction &each : block.instructions)
      instruction(each);
    const Terminator &terminator = block.terminator;
    switch (terminator.kind) {
    case TerminatorKind::Jump: out_ << "  jump " << terminator.targets[0]; break;
    case TerminatorKind::Branch:
      out_ << "  branch %" << terminator.condition << ", " << terminator.targets[0] << ", " << terminator.targets[1];
      break;
    case TerminatorKind::Switch:
      out_ << "  switch %" << terminator.condition << ", default " << terminator.targets[0];
      for (std::size_t i = 0; i < terminator.cases.size(); ++i)
        out_ << ", " << terminator.cases[i] << ": " << terminator.targets[i + 1];
      break;
    case TerminatorKind::Return: out_ << "  return"; break;
    case TerminatorKind::Trap: out_ << "  trap"; break;
    }
    if (terminator.location.known())
      out_ << " ; " << place(terminator.location);
    out_ << '\n';
  }

  const Program &program_;
  std::ostringstream out_;
};

} // namespace

std::string verify(const Program &program) { return Verifier(program).run(); }

std::string to_string(const Program &program) { return Printer(program).run(); }

} // namespace smem
