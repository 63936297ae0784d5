#include "sass/machine_values.h"

#include <algorithm>

namespace smem::compiled {
namespace {

constexpr Variable kUniform = 256, kPredicate = 512, kUniformPredicate = 528;

/// What an instruction may write, rather more than less: it is one of the first operands, or follows one of them.
void add_written(const ListedInstruction &instruction, std::set<Variable> &written) {
  constexpr std::size_t kMostResults = 3, kLongestResult = 4;
  for (std::size_t i = 0; i < std::min(kMostResults, instruction.operands.size()); ++i) {
    const MachineOperand operand = parse_operand(instruction.operands[i]);
    if (operand.kind != MachineOperand::Kind::Register || operand.reg.constant)
      continue;
    const Variable first = variable_of(operand.reg);
    const bool numbers = width_of(first) == 32;
    for (Variable v = first; v < first + (numbers ? kLongestResult : 1); ++v)
      written.insert(v);
  }
}

} // namespace

Variable variable_of(const MachineRegister &reg) {
  switch (reg.bank) {
  case Bank::General: return reg.number;
  case Bank::Uniform: return static_cast<Variable>(kUniform + reg.number);
  case Bank::Predicate: return static_cast<Variable>(kPredicate + reg.number % 16);
  case Bank::UniformPredicate: return static_cast<Variable>(kUniformPredicate + reg.number % 16);
  }
  return 0;
}

std::uint8_t width_of(Variable variable) { return variable >= kPredicate ? 1 : 32; }

MachineValues::MachineValues(const ListedFunction &function, const MachineFlow &flow, Program &program,
                             lower::ProgramBuilder &builder, BlockId first_block)
    : function_(function), flow_(flow), program_(program), builder_(builder), first_block_(first_block),
      begins_(flow.blocks.size()), ends_(flow.blocks.size()) {}

RegisterId MachineValues::read_at_end(std::size_t block, Variable variable) {
  const auto known = ends_[block].find(variable);
  return known != ends_[block].end() ? known->second : read_at_begin(block, variable);
}

RegisterId MachineValues::new_phi(std::size_t block, Variable variable) {
  BasicBlock &target = program_.blocks[first_block_ + block];
  Phi phi;
  phi.width = width_of(variable);
  phi.result = builder_.new_register(phi.width);
  target.phis.push_back(phi);
  open_.push_back({block, target.phis.size() - 1, variable, phi.result});
  return phi.result;
}

RegisterId MachineValues::read_at_begin(std::size_t block, Variable variable) {
  if (const auto known = begins_[block].find(variable); known != begins_[block].end())
    return known->second;
  const auto &predecessors = flow_.blocks[block].predecessors;
  RegisterId value = kNone;
  if (block == 0 && predecessors.empty()) {
    value = builder_.undefined(width_of(variable));
  } else if (predecessors.size() == 1 && block != 0) {
    // Chains of blocks may be long; their depth is bounded by the number of blocks.
    value = read_at_end(predecessors[0], variable);
  } else {
    const bool loop = std::any_of(predecessors.begin(), predecessors.end(), [&](std::size_t p) { return p >= block; });
    if (loop ? may_change(block, variable) : block == 0) {
      value = new_phi(block, variable);
    } else {
      // The same on all ways that are known: no phi. A loop that does not write it brings the same back.
      std::vector<RegisterId> values;
      for (const std::size_t p : predecessors)
        if (p < block)
          values.push_back(read_at_end(p, variable));
      const bool same = std::all_of(values.begin(), values.end(), [&](RegisterId v) { return v == values.front(); });
      value = same && !values.empty() ? values.front() : new_phi(block, variable);
    }
  }
  begins_[block][variable] = value;
  return value;
}

bool MachineValues::may_change(std::size_t block, Variable variable) {
  auto known = changed_.find(block);
  if (known == changed_.end()) {
    // What comes back to the block: all that reach one of its later predecessors without passing it.
    std::set<std::size_t> inside{block};
    std::vector<std::size_t> work;
    for (const std::size_t p : flow_.blocks[block].predecessors)
      if (p >= block)
        work.push_back(p);
    while (!work.empty()) {
      const std::size_t at = work.back();
      work.pop_back();
      if (!inside.insert(at).second)
        continue;
      if (at < block)
        entered_sideways_.insert(block); // an earlier block is none of the loop's: the header does not dominate it
      for (const std::size_t p : flow_.blocks[at].predecessors)
        work.push_back(p);
    }
    std::set<Variable> written;
    for (const std::size_t at : inside)
      for (std::size_t i = flow_.blocks[at].first; i < flow_.blocks[at].end; ++i) {
        const std::string_view base = base_of(function_.code[i].opcode);
        if (base == "CALL" || base == "R2P")
          entered_sideways_.insert(block); // may write anything
        add_written(function_.code[i], written);
      }
    known = changed_.emplace(block, std::move(written)).first;
  }
  return entered_sideways_.contains(block) || block == 0 || known->second.contains(variable);
}

std::vector<RegisterId> MachineValues::finish() {
  // Reading what comes in on a way may open further phis.
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const OpenPhi open = open_[i];
    std::vector<Phi::Incoming> incoming;
    for (const std::size_t p : flow_.blocks[open.block].predecessors) {
      const BlockId from = first_block_ + static_cast<BlockId>(p);
      if (std::none_of(incoming.begin(), incoming.end(), [&](const Phi::Incoming &in) { return in.from == from; }))
        incoming.push_back({from, read_at_end(p, open.variable)});
    }
    if (open.block == 0)
      incoming.push_back({0, builder_.undefined(width_of(open.variable))});
    program_.blocks[first_block_ + open.block].phis[open.phi].incoming = std::move(incoming);
  }
  std::vector<RegisterId> became(program_.register_count);
  for (RegisterId r = 0; r < became.size(); ++r)
    became[r] = r;
  const auto now = [&](RegisterId r) {
    while (became[r] != r)
      r = became[r] = became[became[r]];
    return r;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &block : program_.blocks)
      for (const Phi &phi : block.phis) {
        if (now(phi.result) != phi.result)
          continue;
        RegisterId only = kNone;
        bool several = false;
        for (const Phi::Incoming &in : phi.incoming) {
          const RegisterId value = now(in.value);
          if (value == phi.result || value == only)
            continue;
          several |= only != kNone;
          only = value;
        }
        if (!several && only != kNone) {
          became[phi.result] = only;
          changed = true;
        }
      }
  }
  for (RegisterId r = 0; r < became.size(); ++r)
    became[r] = now(r);
  for (BasicBlock &block : program_.blocks)
    std::erase_if(block.phis, [&](const Phi &phi) { return became[phi.result] != phi.result; });
  return became;
}

} // namespace smem::compiled
