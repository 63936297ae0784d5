// Layouts keep elements apart, formulas say what the functions compute, and conditions tell variants apart.
#include "fixes/cases.h"
#include "fixes/edits.h"
#include "fixes/layout.h"

#include <gtest/gtest.h>

#include <set>

namespace smem {
namespace {

using Kind = Layout::Kind;

Layout layout_of(Kind kind, std::uint32_t pad, std::uint32_t period, Layout::Term first, Layout::Term second = {}) {
  Layout layout;
  layout.kind = kind;
  layout.pad = pad;
  layout.period = period;
  layout.terms = {first, second};
  return layout;
}

std::vector<Layout> examples() {
  return {{},
          layout_of(Kind::Rows, 3, 1, {}),
          layout_of(Kind::Skew, 0, 1, {32, 0, 1}),
          layout_of(Kind::Skew, 2, 1, {24, 0, 24}, {96, 0, 8}),
          layout_of(Kind::SkewByRow, 0, 1, {4, 4, 8}),
          layout_of(Kind::Swizzle, 0, 32, {32, 2, 31}),
          layout_of(Kind::Swizzle, 0, 32, {32, 2, 5}, {64, 2, 26}),
          layout_of(Kind::SwizzleByRow, 0, 32, {1, 32, 3}),
          layout_of(Kind::SwizzleByRow, 32, 32, {2, 8, 4})};
}

TEST(Layout, NoTwoElementsShareAPlaceAndNoneIsOutside) {
  for (const Extents &extents : {Extents{4, {16, 128}}, Extents{4, {2048}}, Extents{2, {3, 8, 64}}, Extents{16, {256}}})
    for (const Layout &layout : examples()) {
      if (!fits(layout, extents) || (layout.takes_row() && extents.sizes.size() < 2))
        continue;
      std::set<std::uint64_t> places;
      for (std::uint64_t offset = 0; offset < extents.bytes(); ++offset) {
        const std::uint64_t to = place(layout, extents, offset);
        EXPECT_LT(to, bytes(layout, extents));
        EXPECT_EQ(to % extents.element, offset % extents.element);
        EXPECT_TRUE(places.insert(to).second);
      }
    }
}

TEST(Layout, PaddingIsARowsLongerPitch) {
  const Layout padded = layout_of(Kind::Rows, 1, 1, {});
  const Extents tile{4, {32, 32}};
  EXPECT_EQ(bytes(padded, tile), 32u * 33 * 4);
  EXPECT_EQ(place(padded, tile, (5 * 32 + 7) * 4), (5u * 33 + 7) * 4);
  EXPECT_EQ(place(padded, tile, tile.bytes() + 8), bytes(padded, tile) + 8) << "beyond the end stays beyond the end";
}

TEST(Layout, FormulasCountInTheUnitOfTheIndex) {
  const Layout skew = layout_of(Kind::Skew, 0, 1, {32, 0, 1});
  EXPECT_EQ(expression(skew, 4, 4), "i + i / 32");
  EXPECT_EQ(expression(skew, 4, 1), "i + i / 128 * 4");
  EXPECT_EQ(expression(layout_of(Kind::Swizzle, 0, 32, {32, 2, 31}), 4, 4), "i ^ (i / 32 % 2 * 31)");
  EXPECT_EQ(expression(layout_of(Kind::SwizzleByRow, 0, 32, {1, 32, 3}), 4, 4), "i ^ (row % 32 * 3 % 32)");
  Layout spread;
  spread.spread = 4;
  EXPECT_EQ(expression(spread, 1, 1), "i * 4");
}

TEST(Layout, ASwizzleNeedsWholePeriods) {
  const Layout swizzle = layout_of(Kind::Swizzle, 0, 32, {32, 2, 1});
  EXPECT_TRUE(fits(swizzle, {4, {96}}));
  EXPECT_FALSE(fits(swizzle, {4, {97}}));
}

TEST(Edits, ExtentsAreWrittenAsAPersonWould) {
  const auto uniform = [](const Layout &layout) { return LayoutCases{{{{}, layout}}, {}, {}}; };
  const Layout padded = layout_of(Kind::Rows, 1, 1, {});
  EXPECT_EQ(edited_extent("32", uniform(padded)), "33");
  EXPECT_EQ(edited_extent("TILE", uniform(padded)), "TILE + 1");
  EXPECT_EQ(edited_extent("A ? B : C", uniform(padded)), "(A ? B : C) + 1");
  EXPECT_EQ(edited_extent("N", {{{"T == 1", padded}, {{}, Layout{}}}, {}, {}}), "N + (T == 1 ? 1 : 0)");
  EXPECT_EQ(edited_declaration("__shared__ float tile[N][idx[2]]", uniform(padded)), "float tile[N][idx[2] + 1]");
}

Variant variant(const char *name, int value, std::vector<Layout> layouts) {
  return {{{name, std::to_string(value), false}}, std::move(layouts)};
}

TEST(Cases, OneLayoutForAllNeedsNoCondition) {
  const Layout padded = layout_of(Kind::Rows, 1, 1, {});
  std::vector<Layout> chosen;
  const LayoutCases cases = distinguish({variant("N", 1, {{}, padded}), variant("N", 2, {padded})}, chosen);
  ASSERT_EQ(cases.cases.size(), 1u);
  EXPECT_EQ(cases.cases[0].layout, padded);
  EXPECT_EQ(chosen, std::vector<Layout>(2, padded));
}

TEST(Cases, VariantsAreToldApartByAnArgument) {
  const Layout padded = layout_of(Kind::Rows, 8, 1, {});
  std::vector<Layout> chosen;
  const LayoutCases cases =
      distinguish({variant("PITCH", 32, {padded}), variant("PITCH", 40, {{}}), variant("PITCH", 48, {{}})}, chosen);
  ASSERT_EQ(cases.cases.size(), 2u);
  EXPECT_EQ(cases.cases[0].condition, "PITCH == 32");
  EXPECT_EQ(cases.cases[0].layout, padded);
  EXPECT_TRUE(cases.cases[1].condition.empty());
  EXPECT_EQ(chosen[0], padded);
}

TEST(Cases, NothingIsOfferedWhereNothingTellsThemApart) {
  const Layout padded = layout_of(Kind::Rows, 8, 1, {});
  std::vector<Layout> chosen;
  EXPECT_TRUE(distinguish({variant("N", 1, {padded}), variant("N", 1, {{}})}, chosen).cases.empty());
  EXPECT_TRUE(distinguish({variant("N", 1, {padded}), variant("N", 2, {})}, chosen).cases.empty());
}

} // namespace
} // namespace smem
