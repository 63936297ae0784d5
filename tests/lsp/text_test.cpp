// Positions in UTF-16 code units, and edits by them.
#include "lsp/text.h"

#include <gtest/gtest.h>

#include <climits>

namespace smem::lsp {
namespace {

using protocol::Position;

// Bytes: a 1, ü 2, the emoji 4 (2 units), b 1.
const char *const kText = "a\xc3\xbc\xf0\x9f\x9a\x80"
                          "b\nsecond\r\n\nlast";

TEST(LspText, PositionsAndOffsets) {
  const Text text(kText);
  EXPECT_EQ(text.lines(), 4u);
  EXPECT_EQ(text.line(1), "second");
  EXPECT_EQ(text.line(2), "");
  EXPECT_EQ(text.line(4), "");
  const std::pair<Position, std::size_t> same[] = {{{0, 0}, 0}, {{0, 1}, 1},  {{0, 2}, 3},  {{0, 4}, 7}, {{0, 5}, 8},
                                                   {{1, 0}, 9}, {{1, 6}, 15}, {{2, 0}, 17}, {{3, 4}, 22}};
  for (const auto &[position, offset] : same) {
    EXPECT_EQ(text.offset_of(position), offset) << position.line << ":" << position.character;
    EXPECT_EQ(text.position_of(offset), position) << offset;
  }
  EXPECT_EQ(text.position_of(2, 3), Position(1, 2)); // a line and a column in bytes, from 1
  EXPECT_EQ(text.position_of(1, 4), Position(0, 2));
}

TEST(LspText, PositionsThatAreNot) {
  const Text text(kText);
  EXPECT_EQ(text.offset_of({0, 3}), 3u); // within the surrogate pair
  EXPECT_EQ(text.offset_of({0, 100}), 8u);
  EXPECT_EQ(text.offset_of({1, INT_MAX}), 15u);
  EXPECT_EQ(text.offset_of({INT_MAX, 0}), text.contents().size());
  EXPECT_EQ(text.offset_of({-1, 5}), 0u);
  EXPECT_EQ(text.offset_of({1, -5}), 9u);
  EXPECT_EQ(text.position_of(std::size_t{1} << 40), Position(3, 4));
  EXPECT_EQ(text.position_of(0, 0), Position(0, 0));
  EXPECT_EQ(text.position_of(UINT_MAX, UINT_MAX), Position(3, 4));
  EXPECT_EQ(text.position_of(2, UINT_MAX), Position(1, 6));
  EXPECT_EQ(Text().offset_of({3, 3}), 0u);
  const Text stray("\xff\xff\xc3");
  EXPECT_EQ(stray.offset_of({0, 2}), 2u);
}

Text changed(std::optional<protocol::Range> range, std::string words) {
  Text text(kText);
  text.apply({range, std::nullopt, std::move(words)});
  return text;
}

TEST(LspText, Edits) {
  EXPECT_EQ(changed(protocol::Range({0, 2}, {0, 4}), "x").contents(), "a\xc3\xbcxb\nsecond\r\n\nlast");
  EXPECT_EQ(changed(protocol::Range({0, 5}, {3, 0}), "").contents(), "a\xc3\xbc\xf0\x9f\x9a\x80"
                                                                     "blast");
  EXPECT_EQ(changed(std::nullopt, "new\n").lines(), 2u);
  EXPECT_EQ(changed(protocol::Range({9, 9}, {99, 99}), "!").contents(), std::string(kText) + "!");
  EXPECT_EQ(changed(protocol::Range({3, 0}, {1, 0}), "!").contents(), std::string(kText).insert(18, "!")); // backwards
}

} // namespace
} // namespace smem::lsp
