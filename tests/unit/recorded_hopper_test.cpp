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
  std::ifstream in(SMEM_LINT_SOURCE_DIR "/validate/recorded/hopper.jsonl");
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    const Json record = Json::parse(line);
    if (record.at("kind") != "launch")
      continue;
    std::string kernel = record.at("demangled");
    kernel = kernel.substr(0, kernel.find('(', 1)); // behind that of "(anonymous namespace)"
    kernel = kernel.substr(kernel.rfind(':') + 1);
    for (const Json &i : record.at("instructions"))
      rows.push_back({kernel,
                      i.value("opcode", ""),
                      record.at("scalars"),
                      i.value("width", 0u),
                      i.at("executed"),
                      i.at("threads"),
                      {.wavefronts = i.at("wavefronts"),
                       .ideal_wavefronts = i.at("wavefronts_ideal"),
                       .sectors = i.at("sectors"),
                       .ideal_sectors = i.at("sectors_ideal"),
                       .tags = i.at("tags")}});
  }
  return rows;
}

RequestCost times(RequestCost cost, std::uint64_t requests) {
  cost.wavefronts *= static_cast<std::uint32_t>(requests);
  cost.ideal_wavefronts *= static_cast<std::uint32_t>(requests);
  cost.conflict_degree = 0; // no counter
  return cost;
}

TEST(RecordedHopper, WhatEnginesMoveCountsNothing) {
  const Architecture &sm90 = *find_architecture("sm_90");
  std::map<std::string, unsigned> seen;
  for (const Row &row : recorded_rows())
    if (row.opcode.starts_with("UBLK") || row.opcode.starts_with("UTMA") || row.opcode == "STAS") {
      Access access{.operation = Operation::BulkCopy};
      if (row.opcode == "STAS")
        access = {.operation = Operation::Store, .uncounted = true};
      EXPECT_EQ(unsupported_reason(access, sm90), "");
      EXPECT_EQ(row.cost, evaluate({.active = kFullMask}, access, sm90)) << row.kernel << " " << row.opcode;
      EXPECT_GT(row.executed, 0u) << row.kernel << " " << row.opcode;
      ++seen[row.opcode];
    }
  for (const char *opcode : {"UBLKCP", "UBLKRED", "UBLKPF", "UTMALDG", "UTMASTG", "UTMAREDG", "UTMAPF", "STAS"})
    EXPECT_GT(seen[opcode], 0u) << opcode;
}

TEST(RecordedHopper, MatrixProductsCountTheBytesOfTheirOperandsWhateverTheLayout) {
  const Architecture &sm90 = *find_architecture("sm_90");
  // Bytes of a row of A and of a column of B: 32, whatever the type; 64 of a column of B that a sparse A is multiplied with.
  const auto bytes = [](const std::string &kernel) -> std::uint32_t {
    const unsigned columns = kernel == "wgmma_16_columns"    ? 16
                             : kernel == "wgmma_64_columns"  ? 64
                             : kernel == "wgmma_256_columns" ? 256
                                                             : 8;
    const unsigned a = kernel.ends_with("register_operand") ? 0 : 64 * 32;
    return a + columns * (kernel == "wgmma_sparse" ? 64 : 32);
  };
  std::map<std::string, unsigned> seen;
  for (const Row &row : recorded_rows())
    if (row.opcode.ends_with("GMMA")) {
      ASSERT_EQ(row.executed % 4, 0u); // by the four warps of a group
      const Access access{.operation = Operation::MatrixMultiply, .operand_bytes = bytes(row.kernel)};
      EXPECT_EQ(row.cost, times(evaluate({.active = kFullMask}, access, sm90), row.executed / 4)) << row.kernel;
      ++seen[row.opcode];
    }
  for (const char *opcode : {"HGMMA", "IGMMA", "BGMMA", "QGMMA"})
    EXPECT_GT(seen[opcode], 1u) << opcode;
}

TEST(RecordedHopper, OfProductsWithTheSameOperandsSomeAreLeftOut) {
  constexpr std::uint64_t kRounds = 8, kWarps = 4;
  std::uint64_t repeated = 0;
  for (const Row &row : recorded_rows()) {
    if (row.opcode == "HGMMA" && row.kernel == "wgmma_repeated")
      repeated += row.executed;
  }
  EXPECT_LT(repeated, kRounds * kWarps);
  EXPECT_GT(repeated, 0u);
}

TEST(RecordedHopper, TheOwnBlockCountsLikeSharedMemoryAndOtherBlocksNothing) {
  const Architecture &sm90 = *find_architecture("sm_90");
  struct Kind {
    std::string kernel, opcode;
    Access access;
  };
  const Access word{.width_bits = 32};
  Access wide = word, store = word, wide_store = word, add = word, swap = word;
  wide.width_bits = wide_store.width_bits = 128;
  store.operation = wide_store.operation = Operation::Store;
  add.operation = swap.operation = Operation::Atomic;
  add.atomic = AtomicKind::Add; // of 1 as well: generic instructions merge nothing
  swap.atomic = AtomicKind::CompareAndSwap;
  swap.result_used = true;
  const Kind kinds[] = {
      {"cluster_load", "LD", word},     {"cluster_load_128", "LD", wide},   {"cluster_store", "ST", store},
      {"cluster_atomic", "ATOM", add},  {"cluster_more", "ST", wide_store}, {"cluster_more", "LD", word},
      {"cluster_more", "ATOM", add},    {"cluster_more", "ATOM.CAS", swap}, {"cluster_generic", "LD", word},
      {"cluster_generic", "ST", store}, {"cluster_generic", "ATOM", add}};
  std::map<std::pair<std::string, bool>, unsigned> seen;
  for (const Row &row : recorded_rows())
    for (const Kind &kind : kinds) {
      if (row.kernel != kind.kernel || row.opcode != kind.opcode)
        continue;
      const unsigned stride = row.scalars.at(0), distance = row.scalars.at(1);
      Request request{.active = kFullMask};
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        request.address[lane] = 4 * stride * lane;
      const RequestCost own = distance == 0 ? times(evaluate(request, kind.access, sm90), row.executed) : RequestCost{};
      EXPECT_EQ(row.cost, own) << row.kernel << " " << row.opcode << " stride " << stride << " distance " << distance;
      ++seen[{kind.kernel + kind.opcode, distance == 0}];
    }
  for (const Kind &kind : kinds) {
    EXPECT_GE((seen[{kind.kernel + kind.opcode, true}]), 3u) << kind.kernel << " " << kind.opcode;
    if (kind.opcode != "ATOM.CAS") // whose rows without counts were not recorded
      EXPECT_GE((seen[{kind.kernel + kind.opcode, false}]), 3u) << kind.kernel << " " << kind.opcode;
  }
}

TEST(RecordedHopper, LanesInTheOwnBlockCountAsIfTheOthersWereInactive) {
  const Architecture &sm90 = *find_architecture("sm_90");
  unsigned seen = 0;
  for (const Row &row : recorded_rows()) {
    if (row.kernel != "cluster_both" || row.opcode != "LD")
      continue;
    const unsigned stride = row.scalars.at(0);
    RequestCost both;
    for (const LaneMask half : {0x0000ffffu, 0xffff0000u}) { // in either block of the cluster
      Request request{.active = half};
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        request.address[lane] = 4 * stride * lane;
      const RequestCost cost = evaluate(request, {.width_bits = 32}, sm90);
      both.wavefronts += cost.wavefronts;
      both.ideal_wavefronts += cost.ideal_wavefronts;
    }
    EXPECT_EQ(row.cost, both) << "stride " << stride;
    ++seen;
  }
  EXPECT_GE(seen, 6u);
}

TEST(RecordedHopper, OtherArchitecturesLackWhatTheyLack) {
  const auto reason = [](Operation operation, const char *name) {
    return unsupported_reason({.operation = operation}, *find_architecture(name));
  };
  EXPECT_NE(reason(Operation::BulkCopy, "sm_89"), "");
  EXPECT_EQ(reason(Operation::BulkCopy, "sm_100"), "");
  EXPECT_NE(reason(Operation::MatrixMultiply, "sm_80"), "");
  EXPECT_NE(reason(Operation::MatrixMultiply, "sm_100"), "");
  EXPECT_EQ(reason(Operation::MatrixMultiply, "sm_90"), "");
}

} // namespace
} // namespace smem
