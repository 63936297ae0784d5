#include "conditional_operations.h"

#include <algorithm>
#include <map>
#include <optional>

namespace smem {
namespace {

/// By block: does every way from `start` to an end lead through it, but for branches to a block that returns and does nothing else?
std::vector<bool> behind_exits(const Program &program, BlockId start) {
  const auto is_exit = [&](BlockId b) {
    return program.blocks[b].terminator.kind == TerminatorKind::Return && program.blocks[b].instructions.empty();
  };
  const auto for_each_next = [&](BlockId b, auto &&visit) {
    const std::vector<BlockId> &targets = program.blocks[b].terminator.targets;
    for (const BlockId target : targets)
      if (!(targets.size() > 1 && is_exit(target)))
        visit(target);
  };
  const auto ends = [&](BlockId b) { return program.blocks[b].terminator.targets.empty(); };
  // One way to an end.
  std::vector<BlockId> before(program.blocks.size(), kNone), found{start};
  before[start] = start;
  std::size_t next = 0;
  while (next < found.size() && !ends(found[next]))
    for_each_next(found[next++], [&](BlockId target) {
      if (before[target] == kNone) {
        before[target] = found[next - 1];
        found.push_back(target);
      }
    });
  if (next == found.size()) // no way ends
    return std::vector<bool>(program.blocks.size(), true);
  std::vector<BlockId> way{found[next]};
  while (way.back() != start)
    way.push_back(before[way.back()]);
  std::ranges::reverse(way);
  // All ways lead through what no detour passes by: the farthest that one from an earlier block has come to.
  std::vector<std::size_t> place(program.blocks.size(), way.size() + 1); // on it
  for (std::size_t i = 0; i < way.size(); ++i)
    place[way[i]] = i;
  std::vector<bool> result(program.blocks.size()), seen(program.blocks.size());
  std::size_t farthest = 0;
  for (std::size_t i = 0; i < way.size(); ++i) {
    result[way[i]] = farthest <= i;
    std::vector<BlockId> work{way[i]};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (ends(b))
        farthest = way.size();
      for_each_next(b, [&](BlockId target) {
        if (place[target] < way.size()) {
          farthest = std::max(farthest, place[target]);
        } else if (!seen[target]) {
          seen[target] = true;
          work.push_back(target);
        }
      });
    }
  }
  return result;
}

} // namespace

/// Certain is what post-dominates the start of its loop's body. A branch of the source may become predicates, one of the machine code is one;
/// where one way merely ends the kernel, it becomes an exit.
ConditionalOperations find_conditional_operations(const Program &program, const ControlFlow &flow) {
  ConditionalOperations out;
  out.conditional.resize(program.memory_operations.size());
  out.behind_exit.resize(program.memory_operations.size());
  std::map<BlockId, std::vector<bool>> known; // by start
  const auto is_behind = [&](BlockId start, BlockId block) {
    const auto [at, fresh] = known.try_emplace(start);
    if (fresh)
      at->second = behind_exits(program, start);
    return at->second[block];
  };
  for (BlockId b = 0; b < program.blocks.size(); ++b) {
    const std::uint32_t loop = flow.innermost_loop[b];
    const BlockId start = loop == kNone ? 0 : flow.loops[loop].header;
    BlockId certain = start;
    while (certain != b && certain != kNone)
      certain = flow.immediate_post_dominator[certain];
    std::optional<bool> exits;
    for (const Instruction &instruction : program.blocks[b].instructions) {
      if (instruction.opcode != Opcode::Memory)
        continue;
      const MemoryOperation &operation = program.memory_operations[instruction.index];
      if (!exits)
        exits = certain == kNone && !program.is_final && is_behind(start, b);
      out.conditional[instruction.index] =
          (certain == kNone && !program.is_final && !*exits) || operation.predicate != kNone;
      out.behind_exit[instruction.index] = *exits && operation.access.operation == Operation::AsyncCopy;
    }
  }
  return out;
}

bool is_plain_copy(const MemoryOperation &operation, bool conditional) {
  return operation.access.operation == Operation::AsyncCopy && !conditional && operation.source_bytes == kNone;
}

} // namespace smem
