#include "sass/machine_kernels.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include "sass/machine_flow.h"
#include "sass/operand.h"
#include "smem/architecture.h"

namespace smem::compiled {
namespace {

constexpr std::uint32_t kWord = 4, kPointer = 8;

/// "0x01a0 LDS.128 R4, [R6+0x10]"
std::string instruction_text(const ListedInstruction &instruction) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::format_hex(instruction.address, 6) << ' ' << instruction.opcode;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    out << (i ? ", " : " ") << instruction.operands[i];
  return text;
}

/// Parameters as the kernel's table has them: names and types are in no cubin.
std::vector<Parameter> parameters_of(const ListedFunction &function) {
  std::vector<Parameter> parameters;
  for (const ListedParameter &listed : function.parameters) {
    constexpr std::uint32_t kMost = 4096; // the space for parameters has 32,764 bytes
    if (listed.index >= kMost)
      continue;
    if (listed.index >= parameters.size())
      parameters.resize(listed.index + 1);
    Parameter &parameter = parameters[listed.index];
    parameter.size = listed.size;
    parameter.type = listed.size == kWord ? "int" : listed.size == kPointer ? "long" : "struct";
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    parameters[i].name = "arg" + std::to_string(i);
  return parameters;
}

/// Fields of 64 bits in structures that are passed by value: what one instruction, or two of one sum, read as such.
std::set<std::pair<std::uint32_t, std::int64_t>> wide_fields(const ListedFunction &function) {
  std::set<std::int64_t> wide; // offsets in constant bank 0
  for (const ListedInstruction &instruction : function.code) {
    const std::string_view base = base_of(instruction.opcode);
    const bool loads = base == "LDC" || base == "ULDC" || base == "LDCU";
    const bool wide_load = loads && (has_modifier(instruction.opcode, "64") || has_modifier(instruction.opcode, "128"));
    const bool wide_sum = has_modifier(instruction.opcode, "WIDE");
    const bool upper = has_modifier(instruction.opcode, "X");
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const MachineOperand operand = parse_operand(instruction.operands[i]);
      if (operand.kind != MachineOperand::Kind::Constant || operand.bank != 0 || operand.indexed)
        continue;
      if (wide_load || (wide_sum && i == 3))
        wide.insert(operand.value);
      if (wide_load && has_modifier(instruction.opcode, "128"))
        wide.insert(operand.value + kPointer);
      if (upper)
        wide.insert(operand.value - kWord);
    }
  }
  std::set<std::pair<std::uint32_t, std::int64_t>> fields;
  if (!function.parameter_base)
    return fields;
  for (const std::int64_t at : wide)
    for (const ListedParameter &parameter : function.parameters)
      if (const std::int64_t byte = at - *function.parameter_base - parameter.offset;
          byte >= 0 && byte + kPointer <= parameter.size && byte % kPointer == 0)
        fields.insert({parameter.index, byte});
  return fields;
}

/// Which pieces of arguments are pointers to global memory: those that an access's address is made of by sums alone. Where two are summed, either
/// may be the distance, so neither is taken for one.
class Pointers {
public:
  using Piece = std::pair<std::uint32_t, std::int64_t>; ///< parameter, byte offset

  /// `fields`: of structures, what may be one although it is read in two pieces.
  Pointers(const Program &program, const std::set<Piece> &fields) : program_(program), fields_(fields) {
    for (const BasicBlock &block : program.blocks) {
      for (const Instruction &instruction : block.instructions)
        if (instruction.result != kNone)
          definitions_.emplace(instruction.result, &instruction);
      for (const Phi &phi : block.phis)
        phis_.emplace(phi.result, &phi);
    }
    for (const MemoryOperation &operation : program.memory_operations) {
      if (operation.space == AddressSpace::Global)
        add(operation.address);
      if (operation.access.operation == Operation::AsyncCopy && operation.source != kNone)
        add(operation.source);
    }
    for (const Piece &piece : ambiguous_)
      found_.erase(piece);
  }

  const std::set<Piece> &found() const { return found_; }

private:
  static constexpr unsigned kDeepest = 2000; // of a recursion

  void add(RegisterId address) {
    const std::set<Piece> pieces = of(address, 0);
    found_.insert(pieces.begin(), pieces.end());
  }

  std::set<Piece> of(RegisterId id, unsigned depth) {
    const auto [known, fresh] = known_.try_emplace(id);
    if (!fresh || depth > kDeepest)
      return known->second;
    std::set<Piece> pieces;
    const auto join = [&](RegisterId other) {
      const std::set<Piece> more = of(other, depth + 1);
      pieces.insert(more.begin(), more.end());
    };
    if (const auto phi = phis_.find(id); phi != phis_.end()) {
      for (const Phi::Incoming &incoming : phi->second->incoming)
        join(incoming.value);
    } else if (const auto found = definitions_.find(id); found != definitions_.end()) {
      const Instruction &definition = *found->second;
      switch (definition.opcode) {
      case Opcode::Argument:
        // Of a whole pointer its lower word may be read by itself.
        if (definition.width == 64 ||
            (definition.immediate == 0 && program_.parameters[definition.index].size == kPointer) ||
            fields_.contains({definition.index, definition.immediate}))
          pieces.insert({definition.index, definition.immediate});
        break;
      case Opcode::Add: {
        const std::set<Piece> left = of(definition.operands[0], depth + 1),
                              right = of(definition.operands[1], depth + 1);
        pieces = left;
        pieces.insert(right.begin(), right.end());
        if (!left.empty() && !right.empty())
          ambiguous_.insert(pieces.begin(), pieces.end());
        break;
      }
      case Opcode::Sub:
      case Opcode::Truncate:
      case Opcode::ZeroExtend:
      case Opcode::SignExtend: join(definition.operands[0]); break;
      case Opcode::Or: // the two words of a register pair
        join(definition.operands[0]);
        join(definition.operands[1]);
        break;
      case Opcode::Select:
        join(definition.operands[1]);
        join(definition.operands[2]);
        break;
      default: break;
      }
    }
    known_[id] = pieces;
    return pieces;
  }

  const Program &program_;
  const std::set<Piece> &fields_;
  std::map<RegisterId, const Instruction *> definitions_;
  std::map<RegisterId, const Phi *> phis_;
  std::map<RegisterId, std::set<Piece>> known_;
  std::set<Piece> found_, ambiguous_;
};

/// What is read of parameters: pointers, and scalars in structures.
void name_parameters(Program &program) {
  const std::set<Pointers::Piece> none;
  const Pointers pointers(program, none);
  for (const auto &[index, offset] : pointers.found())
    if (Parameter &parameter = program.parameters[index]; offset == 0 && parameter.size == kPointer) {
      parameter.pointer = true;
      parameter.type = "void *";
    }
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint8_t> read;
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Argument) {
        std::uint8_t &width = read[{instruction.index, instruction.immediate}];
        width = std::max(width, instruction.width);
      }
  for (const auto &[piece, width] : read) {
    const auto &[index, offset] = piece;
    Parameter &parameter = program.parameters[index];
    if (parameter.size <= kPointer)
      continue;
    const bool pointer = pointers.found().contains(piece);
    parameter.members.push_back({parameter.name + ".at_" + std::to_string(offset),
                                 pointer       ? "void *"
                                 : width == 64 ? "long"
                                               : "int",
                                 static_cast<std::uint64_t>(offset),
                                 width / 8u,
                                 pointer,
                                 {}});
  }
}

/// Machine code has one piece of shared memory that is declared, whatever arrays it was made of, and perhaps one behind it that the launch brings.
void declare_shared(const ListedResources &resources, Program &program) {
  const bool used = std::ranges::any_of(program.memory_operations, [](const MemoryOperation &operation) {
    return operation.space == AddressSpace::Shared;
  });
  const std::uint32_t bytes = resources.shared_bytes.value_or(0);
  constexpr std::uint64_t kAlignment = 16;
  if (bytes != 0)
    program.shared_arrays.push_back({"shared memory", bytes, kAlignment, false, {}, {}, 0, 0});
  else if (used)
    program.shared_arrays.push_back({"shared memory", 0, kAlignment, true, {}, {}, 0, 0});
}

/// Whether generic addresses of shared or local memory may come up: they are made of where the windows of these lie, which machine code reads from
/// special registers or from words of constant bank 0 below the parameters (0x18 and 0x20 up to sm_89), or get from another function or block.
/// Whatever is not known to be something else may be that.
bool makes_generic_addresses(const Listing &listing, const ListedFunction &function) {
  constexpr std::array<std::string_view, 9> kHarmless{
      "SR_TID.", "SR_CTAID.", "SR_NTID.", "SR_NCTAID.", "SR_LANEID", "SR_CLOCKLO", "SR_CLOCKHI", "SR_CgaCtaId", "SRZ"};
  const bool blackwell = listing.architecture.size() > std::string_view("sm_90").size();
  for (const ListedInstruction &instruction : function.code) {
    const std::string_view base = base_of(instruction.opcode);
    if (base == "QSPC" || base == "MAPA" || base.starts_with("UCGABAR"))
      return true;
    for (const std::string &text : instruction.operands) {
      const std::string_view operand = text;
      if (operand.starts_with("SR") &&
          std::ranges::none_of(kHarmless, [&](std::string_view name) { return operand.starts_with(name); }) &&
          !operand.ends_with("MASK"))
        return true;
      const std::size_t at = operand.find("c[0x0][");
      if (at == std::string_view::npos)
        continue;
      const MachineOperand parsed = parse_operand(operand.substr(at, operand.find(']', at + 7) + 1 - at));
      if (parsed.kind != MachineOperand::Kind::Constant || parsed.indexed || !function.parameter_base)
        return true;
      const std::int64_t offset = parsed.value;
      const bool of_launch = offset < 0x18 || offset == 0x28; // block, grid, stack
      const bool descriptor = (offset & ~7) == (blackwell ? 0x358 : 0x118) || (offset & ~7) == 0x208; // of memory
      const bool of_blackwell = blackwell && offset >= 0x360;
      if (offset < *function.parameter_base && !of_launch && !descriptor && !of_blackwell)
        return true;
    }
  }
  return false;
}

/// How warps and blocks wait for each other, which decides what is known of shared memory that others write.
void describe_waiting(const ListedFunction &function, bool generic_is_global, Program &program) {
  for (const ListedInstruction &instruction : function.code) {
    const std::string_view base = base_of(instruction.opcode);
    const auto begins = [&](std::string_view with) { return base.starts_with(with); };
    if (begins("SYNCS") || begins("ARRIVES")) // barriers in shared memory
      program.waits_in_memory = program.warps_meet_otherwise = true;
    if (base == "BAR" && (has_modifier(instruction.opcode, "ARV") || instruction.operands.size() > 1))
      program.warps_meet_otherwise = true; // of some warps
    // Bulk copies and tensor cores; other blocks of a cluster; whatever a generic address leads to.
    if (begins("UTMA") || begins("UBLK") || begins("HGMMA") || begins("IGMMA") || begins("QGMMA") || begins("BGMMA") ||
        begins("UTC") || begins("UCGABAR") || base == "MAPA" || base == "STAS" || base == "REDAS" ||
        (!generic_is_global && (base == "ST" || base == "ATOM")))
      program.shared_used_elsewhere = true;
  }
}

} // namespace

MachineKernel machine_kernel(const Listing &listing, const ListedFunction &function, const std::string &display,
                             const SourcePlaces &places) {
  Program about;
  about.kernel = display;
  about.mangled = function.name;
  about.parameters = parameters_of(function);
  about.max_threads = function.max_threads;
  for (const ListedInstruction &instruction : function.code)
    if (about.location = places.place(instruction.places); about.location.known())
      break;
  const bool generic_is_global = !makes_generic_addresses(listing, function);
  describe_waiting(function, generic_is_global, about);

  MachineCodeOptions options;
  const auto has_uncertain_line = [&](const ListedInstruction &instruction) {
    return instruction.places_carried && !instruction.places.empty() &&
           places.is_toolkit_file(instruction.places.front().file);
  };
  options.has_uncertain_line = has_uncertain_line;
  options.place = places.place;
  options.alone = true;
  options.generic_is_global = generic_is_global;
  if (const Architecture *architecture = find_architecture(listing.architecture);
      architecture && listing.reserves_shared)
    options.reserved_shared = architecture->capacity.reserved_per_block;
  LoweredMachineCode lowered = lower_machine_code(listing, function, about, options);
  if (!lowered.complete && options.generic_is_global) { // which may hand one back
    options.generic_is_global = false;
    lowered = lower_machine_code(listing, function, about, options);
  }
  // Pointers in structures are known by what they are used for.
  if (const std::set<Pointers::Piece> fields = wide_fields(function); lowered.error.empty() && !fields.empty()) {
    const Pointers pointers(lowered.program, fields);
    std::ranges::set_intersection(pointers.found(), fields,
                                  std::inserter(options.wide_fields, options.wide_fields.end()));
    if (!options.wide_fields.empty())
      lowered = lower_machine_code(listing, function, about, options);
  }

  MachineKernel kernel;
  kernel.resources = function.resources;
  kernel.required_block = function.required_block;
  kernel.complete = lowered.complete;
  kernel.error = lowered.error;
  if (!lowered.error.empty()) {
    kernel.program = std::move(about);
    return kernel;
  }
  kernel.program = std::move(lowered.program);
  kernel.arithmetic = std::move(lowered.arithmetic);
  kernel.program.shared_used_elsewhere |= !lowered.complete; // by a function that is not followed
  name_parameters(kernel.program);
  declare_shared(function.resources, kernel.program);

  std::map<std::uint64_t, const ListedInstruction *> by_address;
  for (const ListedInstruction &instruction : function.code)
    by_address.emplace(instruction.address, &instruction);
  // Of instructions of one line and kind that is not here to be read, the first stands for all.
  std::map<std::tuple<SourceLocation, Space, Operation, std::uint16_t>, std::string> first;
  for (SiteId id = 0; id < kernel.program.sites.size(); ++id) {
    Site &site = kernel.program.sites[id];
    kernel.addresses.push_back({lowered.addresses[id]});
    if (lowered.local.contains(id)) {
      kernel.local.push_back(id);
      continue;
    }
    if (!lowered.complete && site.assumption.empty())
      site.assumption = {"the functions that it calls, which are not followed, access nothing here"};
    const ListedInstruction &instruction = *by_address.at(lowered.addresses[id]);
    if (has_uncertain_line(instruction))
      site.location = {};
    if (!site.location.known()) {
      site.location = {};
      site.expression = instruction_text(instruction);
      continue;
    }
    site.expression = places.text(site.location);
    if (site.expression.empty())
      site.expression =
          first
              .try_emplace({site.location, site.access.space, site.access.operation, site.access.width_bits},
                           instruction_text(instruction))
              .first->second;
  }
  return kernel;
}

} // namespace smem::compiled
