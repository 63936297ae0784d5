#include "race/assumed_values.h"

#include <algorithm>
#include <bit>

#include "race/number_type.h"

namespace smem::race {
namespace {

/// The bits of a number that the type has; nullopt: it has none.
std::optional<std::int64_t> bits_of(const NumberType &type, std::int64_t number) {
  if (type.floating)
    return type.width == 32 ? std::int64_t{std::bit_cast<std::int32_t>(static_cast<float>(number))}
                            : std::bit_cast<std::int64_t>(static_cast<double>(number));
  if (number < 0 && !type.is_signed)
    return std::nullopt;
  const unsigned bits = type.is_bool ? 1 : type.width - type.is_signed;
  if (bits < 63 && (number >> bits) != (number < 0 ? -1 : 0))
    return std::nullopt;
  return canonical(number, type.width);
}

std::string apart_of(const ReadOnlyArray &array) {
  return array.taken_apart ? " and is not written by another pointer" : "";
}

/// first + slope * i, as a reader writes it.
std::string index_expression(std::int64_t first, std::int64_t slope) {
  return (slope == 1 ? std::string("i") : std::to_string(slope) + " * i") + (first > 0 ? " + " + std::to_string(first)
                                                                             : first < 0
                                                                                 ? " - " + std::to_string(-first)
                                                                                 : std::string());
}

} // namespace

AssumedValues::AssumedValues(Machine &machine, const AssumedInput &input) : machine_(machine) {
  if (input.scalars)
    assume_scalars(*input.scalars);
  assume_memory(input);
  follow();
}

void AssumedValues::assume_scalars(std::int64_t wanted) {
  const std::vector<ParameterFact> facts = facts_of_all_sites(machine_.program);
  for (const PassedScalar &passed : passed_scalars(machine_.program)) {
    const ParameterMember &scalar = passed.scalar;
    const auto told = std::ranges::find_if(machine_.launch.arguments, [&](const ArgumentValue &argument) {
      return argument.index == passed.index && argument.offset == scalar.offset;
    });
    const bool known = told != machine_.launch.arguments.end();
    const std::optional<NumberType> type = number_type(scalar.type);
    if (scalar.pointer || !scalar.enumerators.empty() || !type || type->width != scalar.size * 8 ||
        (known && (told->pointer || told->value || !told->facts.admits(wanted))))
      continue;
    const bool admitted = std::ranges::all_of(facts, [&](const ParameterFact &fact) {
      return fact.index != passed.index || fact.offset != scalar.offset || fact.facts.admits(wanted);
    });
    const auto bits = bits_of(*type, wanted);
    if (!admitted || !bits)
      continue;
    scalars_[{passed.index, static_cast<std::int64_t>(scalar.offset)}] = {static_cast<std::uint32_t>(names_.size()),
                                                                          *bits, type->width};
    names_.push_back("`" + scalar.name + "` is " + std::to_string(wanted));
  }
}

void AssumedValues::assume_memory(const AssumedInput &input) {
  const bool zeros = input.first == 0 && input.step == 0 && input.slope == 0;
  std::vector<ReadOnlyArray> all = read_only_arrays(machine_, /*taken_apart=*/true);
  std::erase_if(all, [&](const ReadOnlyArray &array) { return !array.pointer.type && !zeros; });
  std::int64_t number = input.first;
  while (!all.empty()) {
    const std::vector<ReadOnlyArray> array = take_array(all);
    if (input.slope ? assume_slope(array, number, input.slope) : assume_array(array, number))
      number += input.step;
  }
}

std::vector<ReadOnlyArray> AssumedValues::take_array(std::vector<ReadOnlyArray> &all) {
  std::vector<ReadOnlyArray> array{std::move(all.front())};
  all.erase(all.begin());
  for (std::size_t i = 0; i < array.size(); ++i)
    for (std::size_t k = 0; k < all.size();)
      if (may_be_one(array[i].pointer, all[k].pointer)) {
        array.push_back(std::move(all[k]));
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
  return array;
}

bool AssumedValues::assume_array(const std::vector<ReadOnlyArray> &array, std::int64_t number) {
  const auto alike = [&](const ReadOnlyArray &one) {
    const NumberType &first = *array.front().pointer.type, &type = *one.pointer.type;
    return type.width == first.width && type.floating == first.floating;
  };
  if (number != 0 && !std::ranges::all_of(array, alike)) // no bytes are that number in all these types
    return false;
  bool any = false;
  for (const ReadOnlyArray &one : array) {
    const std::optional<NumberType> &type = one.pointer.type;
    const auto bits = number ? bits_of(*type, number) : std::optional<std::int64_t>(0);
    if (!bits)
      continue;
    const Assumed assumed{static_cast<std::uint32_t>(names_.size()), *bits, number ? type->width : 0};
    names_.push_back("`" + one.pointer.name + "` holds " + std::to_string(number) + " everywhere" + apart_of(one));
    for (const std::uint32_t load : one.loads)
      loads_[load] = assumed;
    any = true;
  }
  return any;
}

bool AssumedValues::assume_slope(const std::vector<ReadOnlyArray> &array, std::int64_t first, std::int64_t slope) {
  // Another pointer may lead to a later element, and would count from there.
  const ReadOnlyArray &one = array.front();
  if (array.size() > 1 || one.pointer.type->floating || one.pointer.type->is_bool)
    return false;
  const Assumed assumed{static_cast<std::uint32_t>(names_.size()), first, one.pointer.type->width, slope, one.symbol};
  names_.push_back("`" + one.pointer.name + "[i]` is " + index_expression(first, slope) + apart_of(one));
  for (const std::uint32_t load : one.loads)
    loads_[load] = assumed;
  return true;
}

void AssumedValues::follow() {
  const Program &program = machine_.program;
  made_of_.resize(program.register_count);
  Names stored;
  bool more = true;
  const auto add = [&](Names &to, const Names &names) {
    const std::size_t before = to.size();
    to.insert(names.begin(), names.end());
    more |= to.size() != before;
  };
  const auto of = [&](RegisterId reg) -> const Names & {
    static const Names kNothing;
    return reg == kNone ? kNothing : made_of_[reg];
  };
  const auto memory = [&](std::uint32_t index) {
    const MemoryOperation &operation = program.memory_operations[index];
    const bool reads = operation.access.operation == Operation::Load || operation.access.operation == Operation::Atomic;
    for (const ValuePart &part : operation.parts) {
      if (part.reg == kNone)
        continue;
      if (!reads) {
        add(stored, of(part.reg));
        add(stored, of(operation.address));
        continue;
      }
      add(made_of_[part.reg], of(operation.address));
      add(made_of_[part.reg], {kLoaded});
      if (operation.space != AddressSpace::Global)
        add(made_of_[part.reg], stored);
      if (const auto assumed = loads_.find(index); assumed != loads_.end())
        add(made_of_[part.reg], {assumed->second.name});
    }
  };
  while (std::exchange(more, false))
    for (const BasicBlock &block : program.blocks) {
      for (const Phi &phi : block.phis)
        for (const Phi::Incoming &incoming : phi.incoming)
          add(made_of_[phi.result], of(incoming.value));
      for (const Instruction &instruction : block.instructions) {
        if (instruction.opcode == Opcode::Memory)
          memory(instruction.index);
        if (instruction.result == kNone)
          continue;
        for (const RegisterId operand : instruction.operands)
          add(made_of_[instruction.result], of(operand));
        if (instruction.opcode == Opcode::Argument)
          if (const auto scalar = scalars_.find({instruction.index, instruction.immediate}); scalar != scalars_.end())
            add(made_of_[instruction.result], {scalar->second.name});
      }
    }
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.result == kNone || instruction.opcode == Opcode::Mbarrier)
        in_orders_ |= std::ranges::any_of(instruction.operands, [&](RegisterId reg) { return !of(reg).empty(); });
  // Whoever executes them: it decides which lanes access memory.
  for (const MemoryOperation &operation : program.memory_operations) {
    add(decided_, of(operation.predicate));
    add(decided_, of(operation.source_bytes));
  }
}

std::optional<Value> AssumedValues::loaded(std::uint32_t operation, const ValuePart &part, const Value &address,
                                           LaneMask mask) const {
  const auto known = loads_.find(operation);
  if (known == loads_.end() || (known->second.width && known->second.width != part.width))
    return std::nullopt;
  const Assumed &assumed = known->second;
  if (!assumed.slope)
    return make_uniform(assumed.bits, part.width, mask);
  // Which element it is, whatever the block's index is.
  const std::int64_t bytes = part.width / 8;
  Value element = address;
  const auto pointer = std::ranges::find(element.terms, assumed.pointer, &Term::dimension);
  if (bytes == 0 || (address.unknown & mask) || pointer == element.terms.end() || !uniform_over(*pointer, mask) ||
      pointer->at(first_lane(mask)) != 1)
    return std::nullopt;
  element.terms.erase(pointer);
  if (!std::ranges::all_of(element.terms, [](const Term &term) { return is_digit(term.dimension); }))
    return std::nullopt;
  bool whole = true;
  const auto number = [&](std::int64_t offset) { // of these bytes
    whole &= offset % bytes == 0;
    return canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(offset / bytes) *
                                               static_cast<std::uint64_t>(assumed.slope)),
                     part.width);
  };
  Value value = make_uniform(0, part.width, mask);
  spread(value);
  for_lanes(mask, [&](unsigned lane) {
    value.base[lane] = canonical(number(element.at(lane) + part.byte_offset) + assumed.bits, part.width);
  });
  for (const Term &term : element.terms) {
    auto lanes = std::make_shared<Lanes>();
    lanes->fill(0);
    bool moves = false;
    for_lanes(mask, [&](unsigned lane) { moves |= ((*lanes)[lane] = number(term.at(lane))) != 0; });
    if (moves)
      value.terms.push_back({term.dimension, 0, std::move(lanes)});
  }
  if (!whole)
    return std::nullopt;
  compact(value, mask);
  return value;
}

bool AssumedValues::may_decide() const {
  const auto of_memory = [&](RegisterId reg) {
    return reg != kNone &&
           std::ranges::any_of(loads_, [&](const auto &load) { return made_of_[reg].contains(load.second.name); });
  };
  return std::ranges::any_of(machine_.program.blocks,
                             [&](const BasicBlock &block) { return of_memory(block.terminator.condition); }) ||
         std::ranges::any_of(machine_.program.memory_operations,
                             [&](const MemoryOperation &operation) { return of_memory(operation.predicate); });
}

std::optional<std::int64_t> AssumedValues::argument(const Instruction &instruction) const {
  const auto known = scalars_.find({instruction.index, instruction.immediate});
  if (known == scalars_.end() || known->second.width != instruction.width)
    return std::nullopt;
  return known->second.bits;
}

void AssumedValues::decide(const Terminator &branch) {
  const Names &names = made_of_[branch.condition];
  decided_.insert(names.begin(), names.end());
  if (branch.location.known() && std::ranges::any_of(names, [](std::uint32_t name) { return name != kLoaded; }))
    branches_.insert(branch.location);
}

void AssumedValues::decide_place(std::uint32_t index) {
  if (const RegisterId address = machine_.program.memory_operations[index].address; address != kNone)
    decided_.insert(made_of_[address].begin(), made_of_[address].end());
}

bool AssumedValues::in_address(std::uint32_t index) const {
  const MemoryOperation &operation = machine_.program.memory_operations[index];
  const auto made = [&](RegisterId reg) { return reg != kNone && !made_of_[reg].empty(); };
  // Threads are to meet at an atomic, whatever the places are that data choose.
  const bool may_meet = operation.access.operation == Operation::Atomic && operation.space == AddressSpace::Shared;
  return in_orders_ || operation.access.operation == Operation::BulkCopy || (made(operation.address) && !may_meet) ||
         made(operation.source);
}

std::vector<Assumption> AssumedValues::assumptions() const {
  std::vector<Assumption> all;
  for (const std::uint32_t name : decided_)
    if (name != kLoaded)
      all.push_back({names_[name]});
  if (all.empty() || branches_.empty())
    return all;
  constexpr std::size_t kNamed = 3;
  std::set<unsigned> lines;
  for (const SourceLocation &branch : branches_)
    lines.insert(branch.line);
  std::string text;
  for (const unsigned line : lines)
    if (lines.size() <= kNamed)
      text += (text.empty() ? "" : line == *lines.rbegin() ? " and " : ", ") + std::to_string(line);
  const std::string decides = all.size() > 1 ? ", which decide " : ", which decides ";
  all.back().text += lines.size() > kNamed ? decides + std::to_string(lines.size()) + " branches"
                     : lines.size() == 1   ? decides + "the branch at line " + text
                                           : decides + "the branches at lines " + text;
  return all;
}

} // namespace smem::race
