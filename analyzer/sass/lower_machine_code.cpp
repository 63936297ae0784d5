#include "nvcc/uncertainties.h"
#include "sass/machine_lowering.h"
#include "sass/machine_pipes.h"

#include <algorithm>

#include "program/lanes_apart.h"
#include "program/slice.h"

namespace smem::compiled {
namespace {

/// Instructions that neither move nor compute anything that is followed.
constexpr std::array<std::string_view, 24> kWithoutResult{
    "NOP",    "BSSY",      "BSYNC",     "BREAK",     "DEPBAR",     "LDGDEPBAR",     "WARPSYNC",  "YIELD",
    "MEMBAR", "ERRBAR",    "CGAERRBAR", "CCTL",      "CCTLL",      "ENDCOLLECTIVE", "NANOSLEEP", "LEPC",
    "FENCE",  "WARPGROUP", "ARRIVES",   "SETMAXREG", "USETMAXREG", "ACQBULK",       "PREEXIT",   "BPT"};

/// What an instruction that is not followed writes.
struct Result {
  unsigned words = 4;
  bool of_operands = false; ///< a function of its operands, the same wherever they are the same
};

Result result_of(std::string_view base, const ListedInstruction &instruction) {
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  constexpr std::array<std::string_view, 24> kOneWord{
      "MUFU", "I2FP", "F2FP", "F2IP", "I2I",   "I2IP", "IDP",   "BMSK",  "SGXT",   "FLO",     "POPC", "PRMT",
      "SHF",  "SEL",  "LOP3", "IMAD", "IADD3", "LEA",  "ISETP", "PLOP3", "VIMNMX", "VIMNMX3", "IABS", "VABSDIFF"};
  if (base == "F2F")
    return {instruction.opcode.starts_with("F2F.F64") ? 2u : 1u, true};
  if (base == "F2I")
    return {has("S64") || has("U64") ? 2u : 1u, true};
  if (base == "I2F")
    return {instruction.opcode.starts_with("I2F.F64") ? 2u : 1u, true};
  if (base == "FRND")
    return {has("F64") ? 2u : 1u, true};
  if (base.ends_with("MMA") && base != "HFMA2")
    return {4, false};
  if (base == "DADD" || base == "DMUL" || base == "DFMA" || base == "DSETP" || base == "DMNMX")
    return {2, true};
  if (base.starts_with("F") || base.starts_with("HADD") || base.starts_with("HMUL") || base.starts_with("HFMA") ||
      base.starts_with("HSET") || base.starts_with("HMNMX") ||
      std::find(kOneWord.begin(), kOneWord.end(), base) != kOneWord.end())
    return {has("WIDE") ? 2u : 1u, true};
  if (base == "LDC" || base == "ULDC" || base == "LDCU")
    return {has("128") ? 4u : has("64") ? 2u : 1u, true};
  if (base == "P2R" || base == "B2R" || base == "REDUX" || base == "CREDUX" || base == "BMOV" || base == "S2R" ||
      base == "S2UR")
    return {1, false};
  return {};
}

/// "LDG.E.64" of "LD.E.64".
ListedInstruction global_form(const ListedInstruction &instruction) {
  ListedInstruction global = instruction;
  global.opcode.insert(base_of(instruction.opcode).size(), "G");
  return global;
}

LoweredMachineCode failed(const ListedFunction &function, std::string why) {
  return {{}, false, {}, {}, std::move(why), false, function.resources};
}

} // namespace

MachineLowering::MachineLowering(const Listing &listing, const ListedFunction &function, const Program &source,
                                 const MachineCodeOptions &options)
    : listing_(listing), function_(function), source_(source), options_(options), flow_(find_flow(function)),
      builder_(program_) {
  program_.kernel = source.kernel;
  program_.mangled = source.mangled;
  program_.location = source.location;
  program_.parameters = source.parameters;
  program_.max_threads = source.max_threads;
  program_.min_blocks = source.min_blocks;
  program_.global_objects = source.global_objects;
  program_.shared_used_elsewhere = source.shared_used_elsewhere && options.alone;
  program_.warps_meet_otherwise = source.warps_meet_otherwise;
  program_.waits_in_memory = source.waits_in_memory;
  program_.counted_barriers = source.counted_barriers;
  program_.is_final = true;
  program_.open = open_choices_of_machine_code();
  clusters_ = std::any_of(function.code.begin(), function.code.end(),
                          [](const ListedInstruction &i) { return base_of(i.opcode).starts_with("UCGABAR"); });
  breaks_ = std::any_of(function.code.begin(), function.code.end(),
                        [](const ListedInstruction &i) { return base_of(i.opcode) == "BREAK"; });
  for (const auto &block : source.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Argument && instruction.width == 64)
        wide_fields_.insert({instruction.index, instruction.immediate});
  wide_fields_.insert(options.wide_fields.begin(), options.wide_fields.end());
}

LoweredMachineCode MachineLowering::run() {
  if (!flow_.error.empty())
    return failed(function_, flow_.error);
  const BlockId entry = builder_.new_block();
  for (std::size_t i = 0; i < flow_.blocks.size(); ++i)
    builder_.new_block();
  program_.blocks[entry].terminator = {TerminatorKind::Jump, kNone, {kFirstBlock}, {}, {}};
  values_.emplace(function_, flow_, program_, builder_, kFirstBlock);
  for (std::size_t i = 0; i < flow_.blocks.size() && error_.empty(); ++i)
    lower_block(i);
  if (!error_.empty())
    return failed(function_, error_);
  builder_.place_leaves();
  assume_waits_behind_loops();
  lower::note_lanes_apart(program_, blocks_that_yield());
  const std::vector<RegisterId> became = values_->finish();
  builder_.place_leaves();
  replace_registers(became);
  arithmetic_.others = lower::count_blocks(program_, without_access_, /*outside_of_loops=*/true);
  lower::slice(program_);
  if (std::string wrong = verify(program_); !wrong.empty())
    return failed(function_, std::move(wrong));
  return {std::move(program_),
          complete_,
          std::move(uncertain_lines_),
          std::move(local_),
          {},
          false,
          function_.resources,
          std::move(addresses_),
          std::move(arithmetic_)};
}

void MachineLowering::lower_block(std::size_t number) {
  builder_.enter(kFirstBlock + static_cast<BlockId>(number));
  values_->enter(number);
  const MachineBlock &block = flow_.blocks[number];
  const auto first_site = static_cast<SiteId>(program_.sites.size());
  for (std::size_t i = block.first; i < block.end && error_.empty(); ++i)
    lower_instruction(function_.code[i]);
  count_instructions(block, kFirstBlock + static_cast<BlockId>(number), first_site);
  if (exclusive_ && error_.empty())
    error_ = "groups of lanes that run one at a time beyond a branch";
  end_block(number);
}

void MachineLowering::count_instructions(const MachineBlock &block, BlockId number, SiteId first_site) {
  BlockArithmetic counted;
  for (SiteId site = first_site; site < program_.sites.size(); ++site)
    if (const Operation operation = program_.sites[site].access.operation;
        operation == Operation::Load || operation == Operation::Store || operation == Operation::MatrixLoad)
      counted.markers.push_back({site, 1});
  for (std::size_t i = block.first; i < block.end; ++i)
    counted.each += work_of(function_.code[i].opcode, /*guarded=*/!function_.code[i].guard.empty());
  if (counted.markers.empty())
    without_access_.emplace_back(number, counted.each);
  else
    arithmetic_.blocks.push_back(std::move(counted));
}

/// Lanes that name different groups run a vote group by group: between WARPSYNC.EXCLUSIVE and BSYNC, or, where they need not, in a copy of
/// the code that BRA.DIV leads to. The copy does what the code behind the branch would do for each group.
void MachineLowering::follow_groups(std::string_view base, const ListedInstruction &instruction) {
  current_ = &instruction;
  guard_ = kNone;
  if (base == "WARPSYNC" && has_modifier(instruction.opcode, "EXCLUSIVE")) {
    const MachineOperand mask =
        instruction.operands.empty() ? MachineOperand{} : parse_operand(instruction.operands.front());
    exclusive_ = true;
    if (mask.kind == MachineOperand::Kind::Register)
      members_of_exclusive_ = read(mask.reg);
    else
      error_ = "`" + instruction.opcode + "` without a register";
  } else if (base == "WARPSYNC") {
    if (has_modifier(instruction.opcode, "ALL"))
      name_lanes(builder_.constant(32, -1));
    else if (!instruction.operands.empty())
      name_lanes(instruction.operands.front());
  } else if (base == "BSYNC") {
    exclusive_ = false;
  } else if (base == "REDUX" && has_modifier(instruction.opcode, "OR") && instruction.operands.size() == 2) {
    named_together_ = {"", kNone};
    if (const MachineOperand mask = parse_operand(instruction.operands[1]); mask.kind == MachineOperand::Kind::Register)
      named_together_ = {instruction.operands[0], read(mask.reg)};
  } else if (base == "BRA" && has_modifier(instruction.opcode, "DIV")) {
    if (instruction.guard.empty() || instruction.operands.size() != 2) {
      // Taken where not all of the lanes that the register names are there.
      if (!instruction.operands.empty())
        name_lanes(instruction.operands.front());
      return;
    }
    // The branch is taken where the lanes' masks differ; the masks are what their union, its operand, was made of.
    const auto copy = function_.labels.find(instruction.operands[1]);
    if (instruction.operands[0] != named_together_.first || named_together_.second == kNone ||
        copy == function_.labels.end()) {
      error_ = "lanes that may name different groups";
      return;
    }
    for (std::size_t i = copy->second; i < function_.code.size(); ++i)
      if (const ListedInstruction &back = function_.code[i];
          base_of(back.opcode) == "BRA" && back.guard.empty() && back.operands.size() == 1)
        if (const auto label = function_.labels.find(back.operands[0]);
            label != function_.labels.end() && label->second < copy->second) {
          copied_.push_back(
              {instruction.address,
               label->second < function_.code.size() ? function_.code[label->second].address : instruction.address,
               named_together_.second});
          return;
        }
    error_ = "lanes that may name different groups";
  }
}

void MachineLowering::name_lanes(const std::string &operand) {
  if (const MachineOperand mask = parse_operand(operand); mask.kind == MachineOperand::Kind::Register)
    name_lanes(read(mask.reg));
}

void MachineLowering::name_lanes(RegisterId members) {
  builder_.effect_of(Opcode::WarpMembers, {members}, kNone, static_cast<std::int64_t>(WarpOperation::Barrier));
}

RegisterId MachineLowering::members() {
  if (exclusive_)
    return members_of_exclusive_;
  const auto region = std::find_if(copied_.rbegin(), copied_.rend(), [&](const CopiedForGroups &each) {
    return each.begin < current_->address && current_->address < each.end;
  });
  return region == copied_.rend() ? builder_.constant(32, -1) : region->members;
}

void MachineLowering::lower_instruction(const ListedInstruction &instruction) {
  const std::string_view base = base_of(instruction.opcode);
  follow_groups(base, instruction);
  if (base == "BRA" || base == "BRX" || base == "BRXU" || base == "EXIT" || base == "RET" ||
      std::find(kWithoutResult.begin(), kWithoutResult.end(), base) != kWithoutResult.end())
    return;
  current_ = &instruction;
  guard_ = kNone; // the guard itself is read without one
  if (!instruction.guard.empty()) {
    const MachineOperand guard = parse_operand(instruction.guard);
    guard_key_ = {read(guard.reg), guard.negated};
    guard_ = truth(guard);
  }
  if (guard_ != kNone)
    if (const auto known = builder_.constant_value(guard_)) {
      if (!*known)
        return;
      guard_ = kNone;
    }
  if (base == "CALL") {
    const bool inside =
        std::any_of(instruction.operands.begin(), instruction.operands.end(), [&](const std::string &text) {
          const MachineOperand operand = parse_operand(text);
          return operand.kind == MachineOperand::Kind::Label && function_.labels.contains(operand.text);
        });
    if (!inside) {
      complete_ &= function_.system_calls.contains(instruction.address); // which count for no line of the kernel
      forget_everything();
    }
    return;
  }
  Operands operands;
  for (const std::string &text : instruction.operands)
    operands.push_back(parse_operand(text));
  if (base == "BAR") {
    program_.places.push_back(options_.place(instruction.places));
    builder_.effect(Opcode::Barrier, static_cast<std::uint32_t>(program_.places.size() - 1));
    return;
  }
  if (lower_uncounted(base, instruction, operands))
    return;
  if (base == "HGMMA" || base == "UTCHMMA" || base == "LDTM") {
    error_ = "`" + instruction.opcode + "`, whose operands are not modelled";
    return;
  }
  const bool as_global = options_.generic_is_global && (base == "LD" || base == "ST" || base == "ATOM");
  if (const auto access = access_of(as_global ? global_form(instruction) : instruction)) {
    if (exclusive_) {
      error_ = "`" + instruction.opcode + "` where one group of lanes runs at a time";
      return;
    }
    lower_memory(instruction, operands, *access);
    return;
  }
  if (base == "R2P" || base == "UR2UP") {
    forget_everything();
    return;
  }
  if (!lower_arithmetic(base, instruction, operands))
    forget_results(instruction, operands);
}

RegisterId MachineLowering::branch_condition(const ListedInstruction &instruction) {
  guard_ = kNone;
  RegisterId condition = instruction.guard.empty() ? kNone : guard_of(instruction.guard);
  for (const std::string &text : instruction.operands)
    if (const MachineOperand operand = parse_operand(text); is_predicate(operand)) {
      const RegisterId further = truth(operand);
      condition = condition == kNone ? further : builder_.emit(Opcode::And, 1, {condition, further});
    }
  return condition == kNone ? builder_.constant(1, 1) : condition;
}

void MachineLowering::end_block(std::size_t number) {
  const MachineBlock &block = flow_.blocks[number];
  Terminator terminator;
  const auto successor = [&](std::size_t i) { return kFirstBlock + static_cast<BlockId>(block.successors[i]); };
  const ListedInstruction &last = function_.code[block.end - 1];
  switch (block.kind) {
  case MachineBlock::End::Falls:
    terminator.kind = TerminatorKind::Jump;
    terminator.targets = {successor(0)};
    break;
  case MachineBlock::End::Branch:
    terminator.kind = TerminatorKind::Branch;
    terminator.condition = branch_condition(last);
    terminator.targets = {successor(0), successor(1)};
    break;
  case MachineBlock::End::MayExit:
    if (return_block_ == kNone)
      return_block_ = builder_.new_block();
    terminator.kind = TerminatorKind::Branch;
    terminator.condition = branch_condition(last);
    terminator.targets = {return_block_, successor(0)};
    break;
  case MachineBlock::End::Switch: {
    const std::string &text = last.operands[0];
    guard_ = kNone;
    terminator.kind = TerminatorKind::Switch;
    terminator.condition = read(*parse_register(std::string_view(text).substr(0, text.find(' '))));
    for (std::size_t i = 0; i < block.successors.size(); ++i) {
      // The first is where any other value would lead; there is none.
      terminator.targets.push_back(successor(i));
      if (i > 0)
        terminator.cases.push_back(
            static_cast<std::int64_t>(function_.code[flow_.blocks[block.successors[i]].first].address));
    }
    break;
  }
  case MachineBlock::End::Exit: terminator.kind = TerminatorKind::Return; break;
  case MachineBlock::End::Trap: terminator.kind = TerminatorKind::Trap; break;
  }
  terminator.location = options_.place(last.places);
  program_.blocks[kFirstBlock + number].terminator = std::move(terminator);
}

void MachineLowering::forget_results(const ListedInstruction &instruction, const Operands &operands) {
  if (operands.empty())
    return;
  std::vector<RegisterId> from;
  std::size_t first_source = 1;
  while (first_source < operands.size() && is_predicate(operands[first_source]) && !operands[first_source].negated &&
         is_predicate(operands[0]))
    ++first_source;
  for (std::size_t i = first_source; i < operands.size(); ++i) {
    const MachineOperand &operand = operands[i];
    if (operand.kind == MachineOperand::Kind::Register)
      from.push_back(is_predicate(operand) ? truth(operand) : read(operand.reg));
    else if (operand.kind == MachineOperand::Kind::Constant)
      from.push_back(word(operand));
    else
      from.push_back(name(operand.text));
    if (operand.kind == MachineOperand::Kind::Other ||
        operand.kind == MachineOperand::Kind::Special) // whatever it is, it may differ between lanes
      from.push_back(builder_.special(SpecialRegister::Lane));
  }
  // The same operation on the same operands is the same value; another one is not.
  from.push_back(name(instruction.opcode));
  const Result result = result_of(base_of(instruction.opcode), instruction);
  const auto value = [&](std::uint8_t width, unsigned number) {
    std::vector<RegisterId> all = from;
    all.push_back(builder_.constant(32, number));
    if (result.of_operands)
      return unknown(width, all);
    all.push_back(builder_.special(SpecialRegister::Lane));
    return builder_.opaque_event(
        width, "the result of `" + instruction.opcode + "` in the machine code is not followed", std::move(all));
  };
  bool number_seen = false;
  for (std::size_t i = 0; i < std::min<std::size_t>(first_source + 1, operands.size()); ++i) {
    const MachineOperand &operand = operands[i];
    if (operand.kind != MachineOperand::Kind::Register || operand.negated || i >= 2)
      break;
    if (is_predicate(operand)) { // behind a number it may be a carry, or only read: nothing is lost but knowledge
      write(operand, value(1, static_cast<unsigned>(16 + i)));
    } else if (number_seen) {
      break;
    } else {
      number_seen = true;
      for (unsigned word = 0; word < result.words && operand.reg.number + word < 255; ++word)
        write(operand, value(32, word), word);
    }
  }
}

void MachineLowering::forget_everything() {
  constexpr std::uint16_t kLastRegister = 254, kStackPointer = 1, kPredicates = 7;
  const auto forget = [&](const MachineRegister &reg, std::uint8_t width) {
    values_->write(variable_of(reg), builder_.opaque_event(width, "what a called function leaves in a register",
                                                           {builder_.special(SpecialRegister::Lane)}));
  };
  for (std::uint16_t r = 0; r <= kLastRegister; ++r)
    if (r != kStackPointer)
      forget({Bank::General, r, false}, 32);
  for (std::uint16_t p = 0; p < kPredicates; ++p)
    forget({Bank::Predicate, p, false}, 1);
}

void MachineLowering::replace_registers(const std::vector<RegisterId> &became) {
  const auto replace = [&](RegisterId &id) {
    if (id != kNone && id < became.size())
      id = became[id];
  };
  for (BasicBlock &block : program_.blocks) {
    for (Phi &phi : block.phis)
      for (Phi::Incoming &in : phi.incoming)
        replace(in.value);
    for (Instruction &instruction : block.instructions)
      for (RegisterId &operand : instruction.operands)
        replace(operand);
    replace(block.terminator.condition);
  }
  for (MemoryOperation &operation : program_.memory_operations) {
    replace(operation.address);
    replace(operation.source);
    replace(operation.operand);
    replace(operation.source_bytes);
    replace(operation.predicate);
    const bool loads = operation.access.operation == Operation::Load ||
                       operation.access.operation == Operation::Atomic ||
                       operation.access.operation == Operation::MatrixLoad;
    if (!loads)
      for (ValuePart &part : operation.parts)
        replace(part.reg);
  }
}

LoweredMachineCode lower_machine_code(const Listing &listing, const ListedFunction &function, const Program &source,
                                      const MachineCodeOptions &options) {
  return MachineLowering(listing, function, source, options).run();
}

} // namespace smem::compiled
