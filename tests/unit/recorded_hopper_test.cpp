// What an H200 counted of bulk copies, wgmma and distributed shared memory, against what validate/RULES.md says.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "smem/architecture.h"
#include "smem/memory_model.h"

namespace smem {
namespace {

using Json = nlohmann::json;

struct Row {
  std::string kernel, opcode;
  std::vector<unsigned> scalars; ///< arguments of the launch
  unsigned width = 0;            ///< bits, 0 where the encoding does not tell
  std::uint64_t executed = 0, threads = 0;
  RequestCost cost;
};

std::vector<Row> recorded_rows() {
  std::ifstream in(SMEM_LINT_SOURCE_DIR "/validate/recorded/hopper-sm_90.jsonl");
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    const Json record = Json::parse(line);
    if (record.at("kind") != "launch")
      continue;
    std::string kernel = record.at("demangled");
    kernel = kernel.substr(0, kernel.find('(', 1)); // behind that of "(anonymous namespace)"
    kernel = kernel.substr(kernel.rfind(':') + 1);
    for (const Json &i : record.at("instructions"))
      rows.push_back({kernel, i.value("opcode", ""), record.at("scalars"), i.value("width", 0u), i.at("executed"), i.at("threads"),
                      {.wavefronts = i.at("wavefronts"),
                       .ideal_wavefronts = i.at("wavefronts_ideal"),
                       .sectors = i.at("sectors"),
                       .ideal_sectors = i.at("sectors_ideal"),
                       .tags = i.at("tags")}});
  }
  return rows;
}

TEST(RecordedHopper, BulkCopiesAndStoresToOtherBlocksCountNothing) {
  std::map<std::string, unsigned> seen;
  for (const Row &row : recorded_rows())
    if (row.opcode.starts_with("UBLK") || row.opcode.starts_with("UTMA") || row.opcode == "STAS") {
      EXPECT_EQ(row.cost, RequestCost{}) << row.kernel << " " << row.opcode;
      EXPECT_GT(row.executed, 0u) << row.kernel << " " << row.opcode;
      ++seen[row.opcode];
    }
  for (const char *opcode : {"UBLKCP", "UBLKRED", "UBLKPF", "UTMALDG", "UTMASTG", "STAS"})
    EXPECT_GT(seen[opcode], 0u) << opcode;
}

TEST(RecordedHopper, MatrixProductsCountTheBytesOfTheirOperandsWhateverTheLayout) {
  // Wavefronts of a warpgroup's instruction, which four warps execute: 128 bytes each.
  const auto expected = [](const std::string &kernel) -> std::uint32_t {
    const unsigned a = 64 * 16 * 2 / 128; // 64 rows of 16 halves, or of 8 32-bit numbers
    const auto b = [](unsigned columns) { return columns * 16 * 2 / 128; };
    if (kernel == "wgmma_register_operand")
      return b(8);
    return a + b(kernel == "wgmma_16_columns" ? 16 : kernel == "wgmma_64_columns" ? 64 : 8);
  };
  unsigned seen = 0;
  for (const Row &row : recorded_rows())
    if (row.opcode == "HGMMA") {
      ASSERT_EQ(row.executed % 4, 0u);
      const auto products = static_cast<std::uint32_t>(row.executed / 4);
      EXPECT_EQ(row.cost, (RequestCost{.wavefronts = products * expected(row.kernel), .ideal_wavefronts = products * expected(row.kernel)})) << row.kernel;
      ++seen;
    }
  EXPECT_EQ(seen, 15u);
}

TEST(RecordedHopper, TheOwnBlockCountsLikeSharedMemoryAndOtherBlocksNothing) {
  const Architecture &sm90 = *find_architecture("sm_90");
  unsigned own = 0, remote = 0;
  for (const Row &row : recorded_rows()) {
    const bool load = row.kernel == "cluster_load" && row.opcode == "LD", wide = row.kernel == "cluster_load_128" && row.opcode == "LD";
    const bool store = row.kernel == "cluster_store" && row.opcode == "ST", atomic = row.kernel == "cluster_atomic" && row.opcode == "ATOM";
    if (!load && !wide && !store && !atomic)
      continue;
    const unsigned stride = row.scalars.at(0), distance = row.scalars.at(1);
    if (distance != 0) {
      EXPECT_EQ(row.cost, RequestCost{}) << row.kernel << " stride " << stride;
      ++remote;
      continue;
    }
    Access access{.width_bits = static_cast<std::uint16_t>(wide ? 128 : 32)};
    access.operation = store ? Operation::Store : atomic ? Operation::Atomic : Operation::Load;
    if (atomic)
      access.atomic = AtomicKind::Add, access.result_used = true;
    Request request{.active = kFullMask};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      request.address[lane] = 4 * stride * lane;
    RequestCost cost = evaluate(request, access, sm90);
    const auto requests = static_cast<std::uint32_t>(row.executed);
    cost.wavefronts *= requests;
    cost.ideal_wavefronts *= requests;
    cost.conflict_degree = 0; // no counter
    EXPECT_EQ(row.cost, cost) << row.kernel << " stride " << stride;
    ++own;
  }
  EXPECT_GE(own, 20u);
  EXPECT_GE(remote, 20u);
}

} // namespace
} // namespace smem
