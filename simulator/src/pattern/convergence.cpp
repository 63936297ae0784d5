#include "convergence.h"

#include <algorithm>

namespace smem::pattern {

Convergence::Convergence(const Program &program, const ControlFlow &flow)
    : program_(program), flow_(flow), dominator_(program.blocks.size(), kNone), parts_(program.blocks.size()),
      apart_(program.blocks.size()), meeting_(program.blocks.size()), cycles_(program.blocks.size()),
      several_(program.blocks.size()), together_(program.blocks.size()) {
  number_post_dominators();
  std::vector<std::uint32_t> number(program.blocks.size());
  std::vector<bool> seen(program.blocks.size());
  std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    const auto &targets = program.blocks[block].terminator.targets;
    if (next < targets.size()) {
      const BlockId to = targets[next++];
      if (!seen[to]) {
        seen[to] = true;
        stack.emplace_back(to, 0);
      }
    } else {
      number[block] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(block);
      stack.pop_back();
    }
  }
  std::reverse(order_.begin(), order_.end());
  dominator_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockId block : order_) {
      if (block == 0)
        continue;
      BlockId best = kNone;
      for (const BlockId p : flow.predecessors[block]) {
        if (!seen[p] || dominator_[p] == kNone)
          continue;
        if (best == kNone) {
          best = p;
          continue;
        }
        BlockId a = p, b = best;
        while (a != b) {
          while (number[a] < number[b])
            a = dominator_[a];
          while (number[b] < number[a])
            b = dominator_[b];
        }
        best = a;
      }
      if (best != dominator_[block]) {
        dominator_[block] = best;
        changed = true;
      }
    }
  }
}

/// Blocks on ways from `from` that do not enter `around`.
Blocks Convergence::reach(BlockId from, BlockId around) const {
  Blocks seen(program_.blocks.size());
  if (from == around)
    return seen;
  std::vector<BlockId> work{from};
  seen[from] = true;
  while (!work.empty()) {
    const BlockId block = work.back();
    work.pop_back();
    for (const BlockId to : program_.blocks[block].terminator.targets)
      if (to != around && !seen[to]) {
        seen[to] = true;
        work.push_back(to);
      }
  }
  return seen;
}

bool Convergence::part_at(BlockId branch) {
  if (parts_[branch])
    return false;
  parts_[branch] = true;
  const std::size_t count = program_.blocks.size();
  const BlockId join = flow_.immediate_post_dominator[branch];
  Parting parting{Blocks(count), Blocks(count), branch};
  std::vector<BlockId> targets = program_.blocks[branch].terminator.targets;
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  Blocks any(count);
  for (const BlockId target : targets) {
    const Blocks reached = reach(target, join);
    for (BlockId b = 0; b < count; ++b) {
      if (reached[b] && any[b])
        parting.several[b] = true;
      any[b] = any[b] || reached[b];
    }
  }
  if (any[branch]) { // what comes back to the branch
    std::vector<BlockId> work{branch};
    parting.cycle[branch] = true;
    while (!work.empty()) {
      const BlockId block = work.back();
      work.pop_back();
      for (const BlockId from : flow_.predecessors[block])
        if (from != join && any[from] && !parting.cycle[from]) {
          parting.cycle[from] = true;
          work.push_back(from);
        }
    }
  }
  const auto number = static_cast<std::uint32_t>(partings_.size());
  for (BlockId b = 0; b < count; ++b) {
    if (parting.cycle[b])
      cycles_[b].push_back(number);
    if (parting.several[b])
      several_[b].push_back(number);
    apart_[b] = apart_[b] || parting.several[b];
  }
  if (join != kNone)
    meeting_[join].push_back(branch);
  partings_.push_back(std::move(parting));
  std::ranges::fill(together_, std::nullopt);
  return true;
}

BlockId Convergence::leaves_step(BlockId from, BlockId at) const {
  for (const std::uint32_t number : cycles_[from])
    if (!partings_[number].cycle[at])
      return partings_[number].branch;
  return kNone;
}

/// Numbers the tree of post-dominators: what a block post-dominates has the numbers between its own and its last one.
void Convergence::number_post_dominators() {
  const std::size_t count = program_.blocks.size();
  std::vector<std::vector<BlockId>> children(count);
  std::vector<std::pair<BlockId, std::size_t>> stack;
  for (BlockId block = 0; block < count; ++block)
    if (const BlockId above = flow_.immediate_post_dominator[block]; above != kNone && above != block)
      children[above].push_back(block);
  post_.resize(count);
  std::uint32_t next = 0;
  for (BlockId root = 0; root < count; ++root) {
    if (const BlockId above = flow_.immediate_post_dominator[root]; above != kNone && above != root)
      continue;
    post_[root].first = next++;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto &[block, child] = stack.back();
      if (child < children[block].size()) {
        const BlockId below = children[block][child++];
        post_[below].first = next++;
        stack.emplace_back(below, 0);
      } else {
        post_[block].second = next;
        stack.pop_back();
      }
    }
  }
}

bool Convergence::post_dominates(BlockId a, BlockId b) const {
  return post_[a].first <= post_[b].first && post_[b].first < post_[a].second;
}

BlockId Convergence::together_with(BlockId block) {
  std::vector<BlockId> alike; // with the same answer, but for the last, which may be the answer
  BlockId at = block;
  while (!together_[at]) {
    alike.push_back(at);
    const Above above = find_together_with(at);
    if (!above.in_all) {
      together_[at] = above.block;
      break;
    }
    at = above.block;
  }
  const BlockId answer = *together_[at] != kNone ? *together_[at] : at;
  for (const BlockId each : alike)
    if (!together_[each])
      together_[each] = answer;
  return *together_[block];
}

/// The uppermost block of those that dominate this one and that it post-dominates; or one of them that is on just the same ways, so that its answer is this one's.
Convergence::Above Convergence::find_together_with(BlockId block) const {
  BlockId found = kNone;
  for (BlockId above = block; above != 0;) {
    above = dominator_[above];
    if (above == kNone || !post_dominates(block, above))
      break;
    if (cycles_[block] == cycles_[above] && several_[block] == several_[above])
      return {above, true};
    const bool inside = std::all_of(cycles_[block].begin(), cycles_[block].end(),
                                    [&](std::uint32_t p) { return bool{partings_[p].cycle[above]}; }) &&
                        std::all_of(several_[block].begin(), several_[block].end(),
                                    [&](std::uint32_t p) { return bool{partings_[p].several[above]}; });
    if (inside)
      found = above;
  }
  return {found, false};
}

} // namespace smem::pattern
