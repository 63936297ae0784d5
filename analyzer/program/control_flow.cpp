#include "program/control_flow.h"

#include <algorithm>

namespace smem::lower {
namespace {

using Edges = std::vector<std::vector<BlockId>>;

/// Blocks from which `from` can be reached along `edges`, `from` included.
void reach(BlockId from, const Edges &edges, std::vector<bool> &seen) {
  std::vector<BlockId> work{from};
  seen[from] = true;
  while (!work.empty()) {
    const BlockId id = work.back();
    work.pop_back();
    for (BlockId next : edges[id])
      if (!seen[next]) {
        seen[next] = true;
        work.push_back(next);
      }
  }
}

std::vector<BlockId> post_order(BlockId root, const Edges &edges) {
  std::vector<BlockId> order;
  std::vector<bool> seen(edges.size());
  std::vector<std::pair<BlockId, std::size_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    const BlockId id = stack.back().first;
    if (stack.back().second < edges[id].size()) {
      const BlockId next = edges[id][stack.back().second++];
      if (!seen[next]) {
        seen[next] = true;
        stack.emplace_back(next, 0);
      }
    } else {
      order.push_back(id);
      stack.pop_back();
    }
  }
  return order;
}

} // namespace

ControlFlow::ControlFlow(Program &program) : program_(program) {
  compute_post_dominators();
  compute_dependence();
}

void ControlFlow::compute_post_dominators() {
  // One virtual exit behind all returns. Endless loops get an edge to it as well, or nothing would post-dominate them.
  const auto count = static_cast<BlockId>(program_.blocks.size());
  const BlockId exit = count;
  Edges successors(count + 1), predecessors(count + 1);
  const auto connect = [&](BlockId from, BlockId to) {
    successors[from].push_back(to);
    predecessors[to].push_back(from);
  };
  for (BlockId id = 0; id < count; ++id) {
    for (BlockId target : program_.blocks[id].terminator.targets)
      connect(id, target);
    if (program_.blocks[id].terminator.targets.empty())
      connect(id, exit);
  }
  std::vector<bool> ends(count + 1);
  reach(exit, predecessors, ends);
  for (BlockId id = count; id-- > 0;)
    if (!ends[id]) {
      connect(id, exit);
      reach(id, predecessors, ends);
    }

  std::vector<BlockId> order = post_order(exit, predecessors);
  std::vector<std::uint32_t> rank(count + 1);
  for (std::size_t i = 0; i < order.size(); ++i)
    rank[order[i]] = static_cast<std::uint32_t>(i);
  std::reverse(order.begin(), order.end());
  std::vector<BlockId> immediate(count + 1, kNone);
  immediate[exit] = exit;
  const auto meet = [&](BlockId a, BlockId b) {
    while (a != b) {
      while (rank[a] < rank[b])
        a = immediate[a];
      while (rank[b] < rank[a])
        b = immediate[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockId id : order) {
      if (id == exit)
        continue;
      BlockId best = kNone;
      for (BlockId next : successors[id])
        if (immediate[next] != kNone)
          best = best == kNone ? next : meet(best, next);
      if (immediate[id] != best) {
        immediate[id] = best;
        changed = true;
      }
    }
  }
  post_dominator_.assign(immediate.begin(), immediate.begin() + count);
  for (BlockId &id : post_dominator_)
    if (id == exit)
      id = kNone;
}

void ControlFlow::compute_dependence() {
  dependence_.assign(program_.blocks.size(), {});
  for (BlockId from = 0; from < program_.blocks.size(); ++from) {
    const auto &targets = program_.blocks[from].terminator.targets;
    if (targets.size() < 2)
      continue;
    for (BlockId target : targets)
      for (BlockId id = target; id != kNone && id != post_dominator_[from]; id = post_dominator_[id])
        if (std::find(dependence_[id].begin(), dependence_[id].end(), from) == dependence_[id].end())
          dependence_[id].push_back(from);
  }
}

void ControlFlow::compact(const std::vector<bool> &needed) {
  auto &blocks = program_.blocks;
  Edges successors(blocks.size()), predecessors(blocks.size());
  for (BlockId id = 0; id < blocks.size(); ++id)
    successors[id] = blocks[id].terminator.targets;
  std::vector<bool> reachable(blocks.size());
  reach(0, successors, reachable);
  for (BlockId id = 0; id < blocks.size(); ++id)
    if (reachable[id])
      for (BlockId target : successors[id])
        if (std::find(predecessors[target].begin(), predecessors[target].end(), id) == predecessors[target].end())
          predecessors[target].push_back(id);
  for (BlockId id = 0; id < blocks.size(); ++id) {
    std::erase_if(blocks[id].phis, [&](const Phi &phi) { return !needed[phi.result]; });
    for (Phi &phi : blocks[id].phis)
      std::erase_if(phi.incoming, [&](const Phi::Incoming &incoming) {
        return std::find(predecessors[id].begin(), predecessors[id].end(), incoming.from) == predecessors[id].end();
      });
  }

  // Join a block to its only predecessor if that goes nowhere else.
  std::vector<BlockId> joined_to(blocks.size());
  for (BlockId id = 0; id < blocks.size(); ++id)
    joined_to[id] = id;
  for (BlockId id = 0; id < blocks.size(); ++id) {
    if (!reachable[id] || joined_to[id] != id)
      continue;
    while (blocks[id].terminator.kind == TerminatorKind::Jump) {
      const BlockId next = blocks[id].terminator.targets[0];
      if (next == id || next == 0 || predecessors[next].size() != 1 || !blocks[next].phis.empty())
        break;
      blocks[id].instructions.insert(blocks[id].instructions.end(),
                                     std::make_move_iterator(blocks[next].instructions.begin()),
                                     std::make_move_iterator(blocks[next].instructions.end()));
      blocks[id].terminator = std::move(blocks[next].terminator);
      blocks[next] = {};
      joined_to[next] = id;
      for (BlockId &root : joined_to)
        if (root == next)
          root = id;
      reachable[next] = false;
    }
  }

  std::vector<BlockId> number(blocks.size(), kNone);
  std::vector<BasicBlock> kept;
  for (BlockId id = 0; id < blocks.size(); ++id)
    if (reachable[id]) {
      number[id] = static_cast<BlockId>(kept.size());
      kept.push_back(std::move(blocks[id]));
    }
  for (BasicBlock &block : kept) {
    for (BlockId &target : block.terminator.targets)
      target = number[target];
    for (Phi &phi : block.phis)
      for (Phi::Incoming &incoming : phi.incoming)
        incoming.from = number[joined_to[incoming.from]];
  }
  blocks = std::move(kept);
}

} // namespace smem::lower
