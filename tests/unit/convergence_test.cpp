// Which block the lanes of another were together in: what Convergence finds by its short ways, against the definition, on random graphs.
#include "pattern/convergence.h"

#include <gtest/gtest.h>

#include <random>

namespace smem {
namespace {

using pattern::Blocks;
using pattern::Convergence;

using Random = std::mt19937;

unsigned below(Random &random, std::size_t count) { return static_cast<unsigned>(random() % count); }

/// Blocks of which each leads to the next, and some anywhere else, back included.
Program random_graph(Random &random, std::size_t count) {
  Program program;
  program.blocks.resize(count);
  for (BlockId block = 0; block + 1 < count; ++block) {
    Terminator &end = program.blocks[block].terminator;
    end.kind = TerminatorKind::Jump;
    end.targets = {block + 1};
    if (below(random, 3) == 0)
      continue;
    end.kind = TerminatorKind::Branch;
    const bool back = below(random, 6) == 0;
    end.targets.push_back(back ? below(random, block + 1)
                               : static_cast<BlockId>(std::min<std::size_t>(count - 1, block + 1 + below(random, 4))));
  }
  return program;
}

/// As Convergence is defined, by walks alone.
class Defined {
public:
  Defined(const Program &program, const ControlFlow &flow) : program_(program), flow_(flow) {}

  void part_at(BlockId branch) {
    const std::size_t count = program_.blocks.size();
    const BlockId join = flow_.immediate_post_dominator[branch];
    Parting parting{Blocks(count), Blocks(count)};
    Blocks any(count);
    for (const BlockId target : program_.blocks[branch].terminator.targets) {
      const Blocks reached = reach(target, join);
      for (BlockId b = 0; b < count; ++b) {
        parting.several[b] = parting.several[b] || (reached[b] && any[b]);
        any[b] = any[b] || reached[b];
      }
    }
    for (BlockId b = 0; b < count; ++b)
      parting.cycle[b] = any[branch] && (b == branch || (any[b] && reach(b, join)[branch]));
    partings_.push_back(std::move(parting));
  }

  BlockId together_with(const Convergence &convergence, BlockId block) const {
    BlockId found = kNone;
    for (BlockId above = block; above != 0;) {
      above = convergence.dominator(above);
      if (above == kNone || !post_dominates(block, above))
        break;
      if (std::ranges::all_of(partings_, [&](const Parting &p) {
            return (!p.cycle[block] || p.cycle[above]) && (!p.several[block] || p.several[above]);
          }))
        found = above;
    }
    return found;
  }

private:
  struct Parting {
    Blocks cycle, several;
  };

  Blocks reach(BlockId from, BlockId around) const {
    Blocks seen(program_.blocks.size());
    std::vector<BlockId> work;
    const auto enter = [&](BlockId block) {
      if (block == around || seen[block])
        return;
      seen[block] = true;
      work.push_back(block);
    };
    enter(from);
    while (!work.empty()) {
      const BlockId block = work.back();
      work.pop_back();
      for (const BlockId to : program_.blocks[block].terminator.targets)
        enter(to);
    }
    return seen;
  }

  bool post_dominates(BlockId a, BlockId b) const {
    while (b != kNone && b != a)
      b = flow_.immediate_post_dominator[b];
    return b == a;
  }

  const Program &program_;
  const ControlFlow &flow_;
  std::vector<Parting> partings_;
};

TEST(Convergence, FindsWhatTheDefinitionSays) {
  constexpr unsigned kGraphs = 300;
  Random random(4);
  std::size_t found = 0, far = 0;
  for (unsigned graph = 0; graph < kGraphs; ++graph) {
    const Program program = random_graph(random, 3 + below(random, 30));
    const ControlFlow flow = analyze_control_flow(program);
    Convergence convergence(program, flow);
    Defined defined(program, flow);
    for (unsigned step = 0; step < 12; ++step) {
      if (step % 2) {
        const BlockId branch = below(random, program.blocks.size());
        if (program.blocks[branch].terminator.kind == TerminatorKind::Branch && convergence.part_at(branch))
          defined.part_at(branch);
      }
      // In any order: what is known of one block answers for others.
      for (unsigned ask = 0; ask < program.blocks.size(); ++ask) {
        const BlockId block = below(random, program.blocks.size());
        const BlockId expected = defined.together_with(convergence, block);
        ASSERT_EQ(convergence.together_with(block), expected) << "graph " << graph << ", block " << block;
        found += expected != kNone;
        far += expected != kNone && expected != convergence.dominator(block);
      }
    }
  }
  EXPECT_GT(found, 1000u); // it is not the same for all
  EXPECT_GT(far, 1000u);
}

} // namespace
} // namespace smem
