// Random stores, losses and trials, against a list of what was stored.
#include "cell_memory.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

struct Piece {
  std::uint64_t address;
  unsigned width;
  std::int64_t value;
};
using Pieces = std::vector<Piece>;

std::uint64_t end_of(const Piece &piece) { return piece.address + (piece.width + 7) / 8; }

bool forget(Pieces &pieces, std::uint64_t address, std::uint64_t bytes) {
  return std::erase_if(pieces, [&](const Piece &piece) {
           return piece.address < address + bytes && end_of(piece) > address;
         }) != 0;
}

std::optional<std::int64_t> assemble(const Pieces &pieces, std::uint64_t address, unsigned width) {
  std::uint64_t bits = 0;
  for (std::uint64_t byte = 0; byte < width / 8; ++byte) {
    const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const Piece &one) {
      return one.address <= address + byte && address + byte < one.address + one.width / 8;
    });
    if (piece == pieces.end())
      return std::nullopt;
    bits |= (static_cast<std::uint64_t>(piece->value) >> (8 * (address + byte - piece->address)) & 0xff) << (8 * byte);
  }
  return canonical(static_cast<std::int64_t>(bits), width);
}

class CellMemories : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(CellMemories, HoldWhatWasStored) {
  std::mt19937_64 random(GetParam());
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const std::uint64_t homes[] = {0, std::uint64_t{1} << 40, (std::uint64_t{1} << 40) + 4000};
  const auto address = [&] { return homes[below(3)] + 200 + below(130); }; // across the border of a page
  constexpr unsigned kWidths[] = {1, 8, 16, 32, 64};
  CellMemory memory;
  Pieces pieces;
  const auto act = [&] {
    const std::uint64_t at = address();
    if (const std::uint64_t what = below(20); what < 16) {
      const unsigned width = kWidths[below(5)];
      const std::int64_t value = canonical(static_cast<std::int64_t>(random()), width);
      forget(pieces, at, (width + 7) / 8);
      pieces.push_back({at, width, value});
      memory.store(at, width, make_uniform(value, width, 1), 1);
    } else if (what < 19) {
      const unsigned bytes = static_cast<unsigned>(below(what == 18 ? 5000 : 12));
      EXPECT_EQ(memory.forget(at, bytes), forget(pieces, at, bytes));
    } else if (below(10) == 0) {
      memory.forget_all();
      pieces.clear();
    }
  };
  const auto agree = [&] {
    EXPECT_EQ(memory.empty(), pieces.empty());
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t at = pieces.empty() || below(2) ? address() : pieces[below(pieces.size())].address;
      const unsigned width = kWidths[below(5)];
      const auto piece = std::find_if(pieces.begin(), pieces.end(),
                                      [&](const Piece &one) { return one.address == at && one.width == width; });
      const Value *cell = memory.load(at, width);
      ASSERT_EQ(cell != nullptr, piece != pieces.end());
      if (cell)
        EXPECT_EQ(cell->at(0), piece->value);
      if (width >= 8)
        EXPECT_EQ(memory.assemble(at, width, 0), assemble(pieces, at, width));
    }
  };
  const std::function<void(int)> run = [&](int depth) {
    for (int i = 0; i < 40; ++i) {
      act();
      agree();
      if (depth < 3 && below(12) == 0) {
        CellMemory::Trial trial(&memory);
        const Pieces before = pieces;
        run(depth + 1);
        if (below(3)) {
          trial.undo();
          pieces = before;
          agree();
        }
      }
    }
  };
  run(0);
  CellMemory copy = memory;
  memory.forget_all();
  memory = copy;
  agree();
}

INSTANTIATE_TEST_SUITE_P(Seeds, CellMemories, ::testing::Range<std::uint64_t>(1, 41));

// What lies before an array has addresses near the last one.
TEST(CellMemory, EndsAtTheLastAddress) {
  CellMemory memory;
  memory.store(64, 32, make_uniform(1, 32, ~0u), ~0u);
  for (const std::uint64_t address : {UINT64_MAX, UINT64_MAX - 3, UINT64_MAX - 4, UINT64_MAX - 4096})
    EXPECT_FALSE(memory.forget(address, 4));
  EXPECT_TRUE(memory.load(64, 32));
}

TEST(CellMemory, KeepsTheOtherLanes) {
  CellMemory memory;
  memory.store(8, 32, make_uniform(1, 32, 1), 1);
  memory.store(8, 32, make_uniform(2, 32, 2), 2);
  const Value *cell = memory.load(8, 32);
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->defined, 3u);
  EXPECT_EQ(cell->at(0), 1);
  EXPECT_EQ(cell->at(1), 2);
}

} // namespace
} // namespace smem
