// Programs as text, for tests and debugging.
#include "smem/program.h"

#include <array>
#include <sstream>
#include <string_view>

#include "opcode_info.h"

namespace smem {
namespace {

constexpr std::array<std::string_view, 4> kShuffleNames{"idx", "up", "down", "bfly"};
constexpr std::array<std::string_view, 5> kSpaceNames{"generic", "shared", "global", "constant", "local"};
constexpr std::array<std::string_view, 8> kOperationNames{
    "load", "store", "atomic", "async_copy", "matrix_load", "matrix_store", "matrix_multiply", "bulk_copy"};
constexpr std::array<std::string_view, 14> kAtomicNames{"none", "add",  "increment", "min", "max", "and",  "or",
                                                        "xor",  "exch", "cas",       "inc", "dec", "fadd", "fminmax"};

std::string place(const SourceLocation &location) {
  if (!location.known())
    return "<unknown>";
  return location.file + ":" + std::to_string(location.line) + ":" + std::to_string(location.column);
}
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
    if (program_.shared_used_elsewhere)
      out_ << "  shared memory is used from elsewhere, too\n";
    if (program_.warps_meet_otherwise)
      out_ << "  warps wait for each other by more than barriers of the block\n";
    for (const std::uint32_t threads : program_.counted_barriers)
      out_ << "  a barrier of " << threads << " threads\n";
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
    if (access.operand_bytes)
      out_ << ' ' << access.operand_bytes << " bytes";
    if (access.uncounted)
      out_ << " uncounted";
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
    case Opcode::Special: out_ << ' ' << name_of_special(instruction.immediate); break;
    case Opcode::Argument:
      out_ << ' ' << program_.parameters[instruction.index].name;
      if (instruction.immediate)
        out_ << '+' << instruction.immediate;
      break;
    case Opcode::SharedAddress: out_ << ' ' << program_.shared_arrays[instruction.index].name; break;
    case Opcode::LocalAddress: out_ << ' ' << instruction.index; break;
    case Opcode::GlobalAddress: out_ << ' ' << program_.global_objects[instruction.index].name; break;
    case Opcode::Reduce:
      if (const OpcodeInfo *joining = find_info(instruction.immediate))
        out_ << '.' << joining->name;
      break;
    case Opcode::Shuffle:
    case Opcode::ShuffleOk: out_ << '.' << kShuffleNames[static_cast<std::size_t>(instruction.immediate) & 3]; break;
    default:
      if (is_floating(instruction.opcode))
        mode(FloatMode::unpack(instruction.immediate));
      break;
    }
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      out_ << (i ? ", " : " ");
      operand(instruction.operands[i]);
    }
    if (instruction.opcode == Opcode::Opaque || instruction.opcode == Opcode::Agree)
      out_ << " \"" << program_.reasons[instruction.index] << '"';
    out_ << '\n';
  }

  void mode(FloatMode mode) {
    constexpr std::array<std::string_view, 5> names{"", ".zero", ".down", ".up", ".away"};
    out_ << names[static_cast<std::size_t>(mode.rounding)] << (mode.flushes ? ".flush" : "");
  }

  void memory(std::uint32_t index) {
    const MemoryOperation &operation = program_.memory_operations[index];
    const bool loads = operation.access.operation != Operation::Store &&
                       operation.access.operation != Operation::MatrixStore &&
                       operation.access.operation != Operation::AsyncCopy;
    if (operation.predicate != kNone)
      out_ << "@%" << operation.predicate << ' ';
    if (operation.apart != kNone)
      out_ << "apart ";
    if (operation.aggregation != Aggregation::None)
      out_ << (operation.aggregation == Aggregation::Always ? "aggregated " : "aggregated of all lanes ");
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
    if (operation.operand != kNone) {
      out_ << ", ";
      operand(operation.operand);
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

std::string to_string(const Program &program) { return Printer(program).run(); }

} // namespace smem
