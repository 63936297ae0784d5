// Where the lanes of a warp wait for one another, and where they do not.
#include "sass/machine_lowering.h"

#include <algorithm>
#include <ranges>

#include "nvcc/uncertainties.h"

namespace smem::compiled {

/// Lanes that leave a loop at different iterations wait at a BSYNC for those that end the kernel in it or come later, which post-dominators do not tell. `BSSY B0, `(.L)` names what follows the BSYNC.
void MachineLowering::assume_waits_behind_loops() {
  const auto block_of = [&](std::size_t index) {
    return static_cast<std::size_t>(
        std::find_if(flow_.blocks.begin(), flow_.blocks.end(),
                     [index](const MachineBlock &each) { return each.first <= index && index < each.end; }) -
        flow_.blocks.begin());
  };
  for (std::size_t i = 0; i < function_.code.size(); ++i) {
    const ListedInstruction &begin = function_.code[i];
    if (base_of(begin.opcode) != "BSSY" || begin.operands.size() != 2)
      continue;
    const auto label = function_.labels.find(parse_operand(begin.operands[1]).text);
    if (label == function_.labels.end() || label->second == 0 ||
        base_of(function_.code[label->second - 1].opcode) != "BSYNC")
      continue;
    const std::size_t from = block_of(i), at = block_of(label->second - 1);
    if (from >= flow_.blocks.size() || at >= flow_.blocks.size() || from == at || !leaves_loop_for(from, at))
      continue;
    const std::vector<bool> behind = reached_from(at, flow_.blocks.size());
    for (std::size_t block = 0; block < flow_.blocks.size(); ++block)
      if (behind[block] || block == at)
        for (Instruction &instruction : program_.blocks[kFirstBlock + block].instructions)
          if (instruction.opcode == Opcode::Memory)
            if (const SiteId site = program_.memory_operations[instruction.index].site;
                site != kNone && program_.sites[site].assumption.empty())
              program_.sites[site].assumption =
                  assumption(Uncertainty::Reconvergence, "lanes that leave a loop in its middle reconverge after it");
  }
}

std::vector<BlockId> MachineLowering::blocks_that_yield() const {
  const std::size_t count = flow_.blocks.size();
  const auto has = [&](std::size_t block, auto &&is) {
    return std::ranges::any_of(std::views::iota(flow_.blocks[block].first, flow_.blocks[block].end),
                               [&](std::size_t index) { return is(base_of(function_.code[index].opcode)); });
  };
  const auto yields = [](std::string_view base) { return base == "YIELD"; };
  const auto sleeps = [](std::string_view base) { return base == "NANOSLEEP"; };
  const auto waits_together = [](std::string_view base) {
    return base == "SYNCS";
  }; // for a phase, which is one for all lanes
  std::vector<BlockId> yielding;
  for (std::size_t block = 0; block < count; ++block) {
    const bool sleeping = !has(block, yields) && has(block, sleeps);
    if (!sleeping && !has(block, yields))
      continue;
    const std::vector<bool> behind = reached_from(block, count);
    bool together = false;
    for (std::size_t other = 0; sleeping && other < count && !together; ++other)
      together = behind[other] && has(other, waits_together) && reached_from(other, count)[block];
    if (behind[block] && !together)
      yielding.push_back(kFirstBlock + static_cast<BlockId>(block));
  }
  return yielding;
}

/// What is reached from `block` without passing `barred`.
std::vector<bool> MachineLowering::reached_from(std::size_t block, std::size_t barred) const {
  std::vector<bool> reached(flow_.blocks.size());
  std::vector<std::size_t> work(flow_.blocks[block].successors);
  while (!work.empty()) {
    const std::size_t next = work.back();
    work.pop_back();
    if (next == barred || reached[next])
      continue;
    reached[next] = true;
    work.insert(work.end(), flow_.blocks[next].successors.begin(), flow_.blocks[next].successors.end());
  }
  return reached;
}

/// Is there a loop between `from` and `at`, and do lanes end there?
bool MachineLowering::leaves_loop_for(std::size_t from, std::size_t at) const {
  const std::vector<bool> inside = reached_from(from, at);
  bool ends = false, repeats = false;
  for (std::size_t block = 0; block < inside.size(); ++block)
    ends |= inside[block] && (flow_.blocks[block].kind == MachineBlock::End::Exit ||
                              flow_.blocks[block].kind == MachineBlock::End::MayExit);
  for (std::size_t block = 0; block < inside.size() && ends && !repeats; ++block)
    repeats = inside[block] && reached_from(block, at)[block];
  return ends && repeats;
}

} // namespace smem::compiled
