#include "smem/architecture.h"

#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>

namespace smem {
namespace {

TEST(Architecture, EveryDocumentedSpellingNamesTheSameTable) {
  for (const char *name : {"sm_90", "sm_90a", "compute_90", "compute_90a", "90", "90a", "9.0"}) {
    const Architecture *architecture = find_architecture(name);
    ASSERT_NE(architecture, nullptr) << name;
    EXPECT_EQ(architecture->name, "sm_90") << name;
  }
  for (const char *name : {"sm_120", "sm_120a", "sm_120f", "compute_120", "120", "12.0"})
    EXPECT_EQ(find_architecture(name), find_architecture("sm_120")) << name;
  for (const Architecture &architecture : architectures()) {
    const std::string digits = std::to_string(architecture.compute);
    const std::string dotted = digits.substr(0, digits.size() - 1) + "." + digits.back();
    EXPECT_EQ(find_architecture(architecture.name), &architecture);
    EXPECT_EQ(find_architecture("compute_" + digits), &architecture);
    EXPECT_EQ(find_architecture(digits), &architecture);
    EXPECT_EQ(find_architecture(dotted), &architecture);
  }
}

TEST(Architecture, TargetsKeepTheirSuffix) {
  EXPECT_EQ(target_of("sm_90"), "sm_90");
  EXPECT_EQ(target_of("compute_90a"), "sm_90a");
  EXPECT_EQ(target_of("9.0"), "sm_90");
  EXPECT_EQ(target_of("120f"), "sm_120f");
  EXPECT_EQ(target_of("sm_90b"), "");
  EXPECT_EQ(target_of(""), "");
}

TEST(Architecture, NothingElseIsAccepted) {
  for (const char *name :
       {"",         "sm_", "sm_91", "sm90",  "SM_90", "sm_90b", "sm_90aa", "sm_090", " sm_90",        "sm_90 ",
        "compute_", "a",   ".",     "9.",    ".0",    "9.00",   "09.0",    "-90",    "sm_compute_90", "compute_sm_90",
        "90.0",     "9,0", "sm_60", "hopper"})
    EXPECT_EQ(find_architecture(name), nullptr) << name;
}

struct Row {
  const char *name;
  std::uint32_t combined_kib, per_sm_kib, per_block_kib, threads_per_sm, blocks_per_sm;
};
/// Else the test's name has the bytes, pointers among them.
void PrintTo(const Row &row, std::ostream *out) { *out << row.name; }

class ArchitectureTable : public testing::TestWithParam<Row> {};

TEST_P(ArchitectureTable, HasTheDocumentedFigures) {
  const Row &row = GetParam();
  const Architecture *architecture = find_architecture(row.name);
  ASSERT_NE(architecture, nullptr);
  EXPECT_EQ(architecture->capacity.combined_bytes, row.combined_kib * 1024);
  EXPECT_EQ(architecture->capacity.shared_per_sm, row.per_sm_kib * 1024);
  EXPECT_EQ(architecture->capacity.shared_per_block, row.per_block_kib * 1024);
  EXPECT_EQ(architecture->capacity.shared_default, 48u * 1024);
  EXPECT_EQ(architecture->capacity.reserved_per_block, architecture->compute >= 80 ? 1024u : 0u);
  EXPECT_EQ(architecture->max_threads_per_sm, row.threads_per_sm);
  EXPECT_EQ(architecture->max_blocks_per_sm, row.blocks_per_sm);
  EXPECT_EQ(architecture->max_threads_per_block, 1024u);
  EXPECT_EQ(architecture->banks, 32);
  EXPECT_EQ(architecture->bank_bytes, 4);
  EXPECT_EQ(architecture->sector_bytes, 32);
  EXPECT_EQ(architecture->line_bytes, 128);
  EXPECT_FALSE(architecture->evidence.empty());
}

INSTANTIATE_TEST_SUITE_P(All, ArchitectureTable,
                         testing::Values(Row{"sm_70", 128, 96, 96, 2048, 32}, Row{"sm_75", 96, 64, 64, 1024, 16},
                                         Row{"sm_80", 192, 164, 163, 2048, 32}, Row{"sm_86", 128, 100, 99, 1536, 16},
                                         Row{"sm_89", 128, 100, 99, 1536, 24}, Row{"sm_90", 256, 228, 227, 2048, 32},
                                         Row{"sm_100", 256, 228, 227, 2048, 32}, Row{"sm_120", 128, 100, 99, 1536, 24}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Architecture, TablesAreConsistent) {
  std::set<std::string_view> names;
  for (const Architecture &architecture : architectures()) {
    EXPECT_TRUE(names.insert(architecture.name).second);
    EXPECT_LE(architecture.capacity.shared_per_block + architecture.capacity.reserved_per_block,
              architecture.capacity.shared_per_sm);
    EXPECT_LE(architecture.capacity.shared_per_sm, architecture.capacity.combined_bytes);
    EXPECT_LE(architecture.max_threads_per_block, architecture.max_threads_per_sm);
  }
  EXPECT_EQ(names.size(), 8u);
}

TEST(Architecture, OnlyTheMeasuredChipClaimsMeasurement) {
  for (const Architecture &architecture : architectures())
    EXPECT_EQ(architecture.wavefront_evidence == Evidence::Measured, architecture.name == "sm_90") << architecture.name;
}

} // namespace
} // namespace smem
