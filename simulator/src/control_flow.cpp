#include "smem/control_flow.h"

#include <algorithm>

namespace smem {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

/// Immediate dominators by the iterative algorithm of Cooper, Harvey and Kennedy. Unreachable nodes get kNone.
std::vector<std::uint32_t> dominators(const Graph &successors, const Graph &predecessors, std::uint32_t root) {
  std::vector<std::uint32_t> order, number(successors.size(), kNone), dominator(successors.size(), kNone);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{root, 0}};
  std::vector<bool> seen(successors.size());
  seen[root] = true;
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    if (next < successors[node].size()) {
      const std::uint32_t to = successors[node][next++];
      if (!seen[to]) {
        seen[to] = true;
        stack.emplace_back(to, 0);
      }
    } else {
      number[node] = static_cast<std::uint32_t>(order.size());
      order.push_back(node);
      stack.pop_back();
    }
  }
  dominator[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      if (*node == root)
        continue;
      std::uint32_t best = kNone;
      for (const std::uint32_t p : predecessors[*node]) {
        if (dominator[p] == kNone)
          continue;
        if (best == kNone) {
          best = p;
          continue;
        }
        std::uint32_t a = p, b = best;
        while (a != b) {
          while (number[a] < number[b])
            a = dominator[a];
          while (number[b] < number[a])
            b = dominator[b];
        }
        best = a;
      }
      if (best != kNone && dominator[*node] != best) {
        dominator[*node] = best;
        changed = true;
      }
    }
  }
  return dominator;
}

bool dominates(const std::vector<std::uint32_t> &dominator, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    if (a == b)
      return true;
    if (b == kNone || dominator[b] == b)
      return false;
    b = dominator[b];
  }
}

struct DefinedAt {
  BlockId block = kNone;
  const Instruction *instruction = nullptr;
};

/// Whether a register that the loop computes is the same in each iteration: out of what is from outside, by arithmetic alone.
bool is_steady(RegisterId reg, const Loop &loop, const std::vector<DefinedAt> &definitions, unsigned depth = 0) {
  constexpr unsigned kDeepest = 16;
  const DefinedAt &definition = definitions[reg];
  if (definition.block == kNone || !loop.contains[definition.block])
    return true;
  if (!definition.instruction || depth > kDeepest)
    return false;
  const Opcode opcode = definition.instruction->opcode;
  const bool computes = opcode == Opcode::Constant || opcode == Opcode::Special || opcode == Opcode::Argument ||
                        (opcode >= Opcode::Add && opcode <= Opcode::Select);
  return computes && std::ranges::all_of(definition.instruction->operands, [&](RegisterId operand) {
           return is_steady(operand, loop, definitions, depth + 1);
         });
}

/// `computed`: operands may be what the loop itself computes, alike in each iteration.
Induction find_induction(const Phi &phi, const Loop &loop, const std::vector<DefinedAt> &definitions,
                         bool computed = false) {
  Induction result;
  RegisterId next = kNone;
  for (const Phi::Incoming &in : phi.incoming) {
    if (!loop.contains[in.from])
      continue;
    if (next != kNone && next != in.value)
      return result;
    next = in.value;
  }
  auto invariant = [&](RegisterId r) {
    return computed ? is_steady(r, loop, definitions)
                    : definitions[r].block == kNone || !loop.contains[definitions[r].block];
  };
  result.fits = true;
  for (unsigned links = 0; links < 64; ++links) {
    if (next == phi.result) {
      result.known = true;
      return result;
    }
    if (next == kNone || invariant(next))
      return result;
    const Instruction *step = definitions[next].instruction;
    if (!step)
      return result;
    result.fits &= step->opcode == Opcode::Add && step->immediate == kNoSignedWrap;
    if (step->opcode == Opcode::Add && invariant(step->operands[1])) {
      result.added.push_back(step->operands[1]);
      next = step->operands[0];
    } else if (step->opcode == Opcode::Add && invariant(step->operands[0])) {
      result.added.push_back(step->operands[0]);
      next = step->operands[1];
    } else if (step->opcode == Opcode::Sub && invariant(step->operands[1])) {
      result.subtracted.push_back(step->operands[1]);
      next = step->operands[0];
    } else {
      return result;
    }
  }
  return result;
}

/// Needs post-dominators and loops.
void find_meetings(ControlFlow &flow, const Program &program, const std::vector<std::uint32_t> &dominator) {
  const std::size_t count = flow.predecessors.size();
  flow.meeting_behind.assign(count, kNone);
  for (BlockId at = 0; at < count; ++at) {
    const BlockId from = dominator[at];
    if (flow.predecessors[at].size() < 2 || from == kNone || from == at || flow.loop_of_header[at] != kNone ||
        flow.innermost_loop[from] != flow.innermost_loop[at])
      continue;
    const BasicBlock &place = program.blocks[at];
    const bool works = std::any_of(place.instructions.begin(), place.instructions.end(),
                                   [](const Instruction &i) { return i.opcode == Opcode::Memory; });
    if (place.terminator.targets.empty() && !works)
      continue; // nobody waits to leave
    BlockId certain = from;
    while (certain != kNone && certain != at)
      certain = flow.immediate_post_dominator[certain];
    if (certain == at)
      continue;
    Meeting meeting{from, at, std::vector<bool>(count)};
    std::vector<BlockId> work(flow.predecessors[at]);
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (b == from || b == at || dominator[b] == kNone || meeting.inside[b])
        continue;
      meeting.inside[b] = true;
      work.insert(work.end(), flow.predecessors[b].begin(), flow.predecessors[b].end());
    }
    std::uint32_t &known = flow.meeting_behind[from];
    if (known == kNone) {
      known = static_cast<std::uint32_t>(flow.meetings.size());
      flow.meetings.push_back(std::move(meeting));
    } else if (meeting.inside[flow.meetings[known].at]) {
      flow.meetings[known] = std::move(meeting);
    }
  }
  flow.meeting_around.assign(count, kNone);
  std::vector<std::ptrdiff_t> size;
  for (const Meeting &meeting : flow.meetings)
    size.push_back(std::count(meeting.inside.begin(), meeting.inside.end(), true));
  for (std::uint32_t m = 0; m < flow.meetings.size(); ++m)
    for (BlockId b = 0; b < count; ++b)
      if (flow.meetings[m].inside[b] && (flow.meeting_around[b] == kNone || size[m] < size[flow.meeting_around[b]]))
        flow.meeting_around[b] = m;
}

} // namespace

ControlFlow analyze_control_flow(const Program &program) {
  const std::size_t count = program.blocks.size();
  ControlFlow flow;
  flow.predecessors.resize(count);
  Graph successors(count);
  for (BlockId b = 0; b < count; ++b)
    for (const BlockId to : program.blocks[b].terminator.targets) {
      if (std::find(successors[b].begin(), successors[b].end(), to) != successors[b].end())
        continue;
      successors[b].push_back(to);
      flow.predecessors[to].push_back(b);
    }
  const auto dominator = dominators(successors, flow.predecessors, 0);
  flow.immediate_dominator = dominator;

  // Post-dominators: the reversed graph with one exit node. Traps do not count as exits: lanes that trap end the kernel.
  Graph back(count + 1), forth(count + 1);
  for (BlockId b = 0; b < count; ++b)
    for (const BlockId to : successors[b]) {
      back[to].push_back(b);
      forth[b].push_back(to);
    }
  const auto exit = static_cast<std::uint32_t>(count);
  for (BlockId b = 0; b < count; ++b)
    if (successors[b].empty() && program.blocks[b].terminator.kind != TerminatorKind::Trap) {
      back[exit].push_back(b);
      forth[b].push_back(exit);
    }
  const auto post = dominators(back, forth, exit);
  flow.immediate_post_dominator.resize(count, kNone);
  for (BlockId b = 0; b < count; ++b)
    if (post[b] != kNone && post[b] != exit)
      flow.immediate_post_dominator[b] = post[b];

  std::vector<DefinedAt> definitions(program.register_count);
  for (BlockId b = 0; b < count; ++b) {
    for (const Phi &phi : program.blocks[b].phis)
      definitions[phi.result] = {b, nullptr};
    for (const Instruction &i : program.blocks[b].instructions) {
      if (i.result != kNone)
        definitions[i.result] = {b, &i};
      if (i.opcode == Opcode::Memory)
        for (const ValuePart &part : program.memory_operations[i.index].parts)
          if (part.reg != kNone && definitions[part.reg].block == kNone &&
              program.memory_operations[i.index].access.operation != Operation::Store)
            definitions[part.reg] = {b, nullptr};
    }
  }

  flow.loop_of_header.assign(count, kNone);
  flow.innermost_loop.assign(count, kNone);
  for (BlockId header = 0; header < count; ++header) {
    std::vector<BlockId> work;
    for (const BlockId latch : flow.predecessors[header])
      if (dominator[latch] != kNone && dominates(dominator, header, latch))
        work.push_back(latch);
    if (work.empty())
      continue;
    Loop loop;
    loop.header = header;
    loop.contains.assign(count, false);
    loop.contains[header] = true;
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (loop.contains[b])
        continue;
      loop.contains[b] = true;
      for (const BlockId p : flow.predecessors[b])
        work.push_back(p);
    }
    for (BlockId b = 0; b < count; ++b) {
      if (!loop.contains[b])
        continue;
      for (const Phi &phi : program.blocks[b].phis)
        loop.defined.push_back(phi.result);
      for (const Instruction &i : program.blocks[b].instructions) {
        if (i.result != kNone)
          loop.defined.push_back(i.result);
        if (i.opcode == Opcode::Memory && program.memory_operations[i.index].access.operation != Operation::Store)
          for (const ValuePart &part : program.memory_operations[i.index].parts)
            if (part.reg != kNone)
              loop.defined.push_back(part.reg);
      }
    }
    loop.all_inductive = true;
    for (const Phi &phi : program.blocks[header].phis) {
      loop.inductions.push_back(find_induction(phi, loop, definitions));
      loop.all_inductive &= loop.inductions.back().known;
      loop.steady.push_back(find_induction(phi, loop, definitions, true));
    }
    flow.loop_of_header[header] = static_cast<std::uint32_t>(flow.loops.size());
    flow.loops.push_back(std::move(loop));
  }
  auto size = [](const Loop &l) { return std::count(l.contains.begin(), l.contains.end(), true); };
  for (std::uint32_t i = 0; i < flow.loops.size(); ++i) {
    for (BlockId b = 0; b < count; ++b)
      if (flow.loops[i].contains[b] &&
          (flow.innermost_loop[b] == kNone || size(flow.loops[i]) < size(flow.loops[flow.innermost_loop[b]])))
        flow.innermost_loop[b] = i;
    for (std::uint32_t j = 0; j < flow.loops.size(); ++j)
      if (j != i && flow.loops[j].contains[flow.loops[i].header] &&
          (flow.loops[i].parent == kNone || size(flow.loops[j]) < size(flow.loops[flow.loops[i].parent])))
        flow.loops[i].parent = j;
  }
  find_meetings(flow, program, dominator);
  return flow;
}

} // namespace smem
