// Join, verdicts and likely reasons, on small inputs written by hand.
#include "sample_json.h"

#include "compare/join.h"
#include "compare/kernel_name.h"
#include "compare/opcodes.h"
#include "compare/places.h"
#include "compare/read.h"
#include "compare/render.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

namespace smem::compare {
namespace {

/// A comparison and what it points into.
struct Result {
  std::unique_ptr<Prediction> prediction;
  std::unique_ptr<Measurement> measurement;
  Comparison comparison;
  const Comparison *operator->() const { return &comparison; }
  const Row &row(std::size_t i, std::size_t launch = 0) const { return comparison.launches.at(launch).rows.at(i); }
};

Result run(const std::string &predicted, const std::string &measured) {
  std::istringstream left(predicted), right(measured);
  Result result{std::make_unique<Prediction>(read_prediction(left, "predicted.json")),
                std::make_unique<Measurement>(read_measurement(right, "measured.json")),
                {}};
  result.comparison = compare(*result.prediction, *result.measurement);
  return result;
}

/// With other measurements of the same program.
Result run_again(const std::string &predicted, const std::string &measured, const std::string &again) {
  Result result = run(predicted, measured);
  std::istringstream in(again);
  const Measurement other = read_measurement(in, "again.json");
  CompareOptions options;
  options.again.push_back(&other);
  result.comparison = compare(*result.prediction, *result.measurement, options);
  return result;
}

/// One launch of one kernel on both sides.
Result run_one(const std::vector<std::string> &sites, const std::vector<std::string> &instructions) {
  return run(prediction({predicted_launch("_Z1kv", sites)}), measurement({measured_launch("_Z1kv", instructions)}));
}

constexpr Counts kLoad{8, 64, 8, 0, 0, 0};
constexpr Counts kCopy{8, 32, 32, 128, 128, 32};

TEST(Compare, AgreementIsExact) {
  const Result r = run_one({site("src/k.cu", 5, "shared", "load", 32, kLoad)},
                           {instruction(16, "LDS", 32, "/build/src/k.cu", 5, kLoad)});
  EXPECT_EQ(r->summary.rows, 1u);
  EXPECT_EQ(r->summary.exact, 1u);
  EXPECT_EQ(r.row(0).place.file, "src/k.cu"); // the name that the prediction gives it
}

TEST(Compare, SitesAndInstructionsOfALineAreSummed) {
  const Result r =
      run_one({site("k.cu", 5, "shared", "load", 32, {4, 4, 4}), site("k.cu", 5, "shared", "load", 32, {4, 8, 4})},
              {instruction(16, "LDS", 32, "k.cu", 5, {2, 6, 2}), instruction(32, "LDS", 32, "k.cu", 5, {6, 6, 6})});
  EXPECT_EQ(r->summary.rows, 1u);
  EXPECT_EQ(r->summary.exact, 1u);
}

TEST(Compare, RequestsAreNotCompared) {
  Counts more = kLoad;
  more.requests += 8; // with all lanes off
  const Result r =
      run_one({site("k.cu", 5, "shared", "load", 32, kLoad)}, {instruction(16, "LDS", 32, "k.cu", 5, more)});
  EXPECT_EQ(r->summary.exact, 1u);
}

TEST(Compare, EveryFigureCounts) {
  for (const Column &column : columns) {
    Figures figures{8, 64, 8, 10, 4, 3};
    const Counts predicted{8, 64, 8, 10, 4, 3};
    figures.*column.value += 1;
    const Counts measured{figures.requests, figures.wavefronts,    figures.ideal_wavefronts,
                          figures.sectors,  figures.ideal_sectors, figures.tags};
    const Result r = run_one({site("k.cu", 5, "shared", "async_copy", 32, predicted)},
                             {instruction(16, "LDGSTS", 32, "k.cu", 5, measured)});
    EXPECT_EQ(r->summary.mismatch, 1u) << column.key;
    EXPECT_EQ(r->summary.false_claims, 1u) << column.key;
    EXPECT_EQ(r.row(0).cause, Cause::Model) << column.key;
  }
}

TEST(Compare, AnAssumedSiteIsComparedButMakesNoFalseClaim) {
  const Result r =
      run_one({site("k.cu", 5, "shared", "load", 32, kLoad, "assumed"),
               site("k.cu", 6, "shared", "load", 32, kLoad, "assumed")},
              {instruction(16, "LDS", 32, "k.cu", 5, kLoad), instruction(32, "LDS", 32, "k.cu", 6, {8, 8, 8})});
  EXPECT_EQ(r->summary.exact, 1u);
  EXPECT_EQ(r->summary.mismatch, 1u);
  EXPECT_EQ(r->summary.false_claims, 0u);
}

TEST(Compare, EveryRowCountsAsWhatWasClaimed) {
  const Counts less{8, 8, 8};
  const Result r = run_one(
      {site("k.cu", 1, "shared", "load", 32, kLoad), site("k.cu", 2, "shared", "load", 32, kLoad),
       site("k.cu", 3, "shared", "load", 32, kLoad, "assumed"), site("k.cu", 4, "shared", "load", 32, kLoad, "assumed"),
       site("k.cu", 5, "shared", "load", 32, {}, "unknown")},
      {instruction(16, "LDS", 32, "k.cu", 1, kLoad), instruction(32, "LDS", 32, "k.cu", 2, less),
       instruction(48, "LDS", 32, "k.cu", 3, kLoad), instruction(64, "LDS", 32, "k.cu", 4, less),
       instruction(80, "LDS", 32, "k.cu", 5, less), instruction(96, "LDS", 32, "k.cu", 90, kLoad)});
  const Summary &summary = r->summary;
  EXPECT_EQ(summary.rows, 6u);
  for (const std::size_t count : {summary.exact_right, summary.exact_wrong, summary.assumed_right,
                                  summary.assumed_wrong, summary.unknown, summary.missing})
    EXPECT_EQ(count, 1u);
  EXPECT_EQ(summary.exact_wrong, summary.false_claims);
}

TEST(Compare, UnknownIsNeitherRightNorWrong) {
  const Result r = run_one(
      {site("k.cu", 5, "global", "load", 32, {}, "unknown"), site("k.cu", 5, "global", "load", 32, {1, 0, 0, 4, 4, 1})},
      {instruction(16, "LDG", 32, "k.cu", 5, {1, 0, 0, 32, 4, 32})});
  EXPECT_EQ(r->summary.unknown, 1u);
  EXPECT_EQ(r.row(0).reason, "data");
  // Without any instruction, too: the prediction said so.
  EXPECT_EQ(run_one({site("k.cu", 5, "global", "load", 32, {}, "unknown")}, {})->summary.unknown, 1u);
}

TEST(Compare, WhatIsCountedDifferentlyEachTimeIsSetAsideUnlessItWasClaimedToBeExact) {
  const auto counted = [](const Counts &fifth, const Counts &sixth) {
    return measurement({measured_launch(
        "_Z1kv", {instruction(16, "LDS", 32, "k.cu", 5, fifth), instruction(32, "LDS", 32, "k.cu", 6, sixth)})});
  };
  const Counts other{8, 65, 8, 0, 0, 0}, more{9, 64, 8, 0, 0, 0};
  for (const std::string verdict : {"exact", "assumed", "unknown"}) {
    const std::string predicted =
        prediction({predicted_launch("_Z1kv", {site("k.cu", 5, "shared", "load", 32, kLoad, verdict),
                                               site("k.cu", 6, "shared", "load", 32, kLoad)})});
    const bool exact = verdict == "exact";
    const Result r = run_again(predicted, counted(kLoad, kLoad), counted(other, kLoad));
    EXPECT_EQ(r->summary.unstable, exact ? 0u : 1u) << verdict;
    EXPECT_EQ(r->summary.rows, exact ? 2u : 1u) << verdict;
    EXPECT_EQ(r->summary.exact, 1u) << verdict;
    EXPECT_EQ(r->summary.unknown, 0u) << verdict;
    EXPECT_EQ(r->summary.false_claims, exact ? 1u : 0u) << verdict;
    EXPECT_EQ(r.row(0).verdict, exact ? Verdict::Mismatch : Verdict::Unstable) << verdict;
    // Requests are not compared, and what both count alike stays.
    const Result alike = run_again(predicted, counted(kLoad, kLoad), counted(more, kLoad));
    EXPECT_EQ(alike->summary.unstable, 0u) << verdict;
    EXPECT_EQ(alike->summary.rows, 2u) << verdict;
  }
}

TEST(Compare, RepeatsArePairedInTheOrderOfTheirLaunches) {
  const auto first = measured_launch("_Z1kv", {instruction(16, "LDS", 32, "k.cu", 5, kLoad)});
  const auto second = measured_launch("_Z1kv", {instruction(16, "LDS", 32, "k.cu", 5, {8, 80, 8})});
  const std::string sites = site("k.cu", 5, "shared", "load", 32, kLoad, "unknown");
  const std::string predicted = prediction({predicted_launch("_Z1kv", {sites}), predicted_launch("_Z1kv", {sites})});
  EXPECT_EQ(run_again(predicted, measurement({first, second}), measurement({first, second}))->summary.unstable, 0u);
  EXPECT_EQ(run_again(predicted, measurement({first, second}), measurement({second, first}))->summary.unstable, 2u);
  // A launch that was not measured again is not said to vary.
  EXPECT_EQ(run_again(predicted, measurement({first, second}), measurement({second}))->summary.unstable, 1u);
}

TEST(Compare, AnUnknownSpaceCoversTheOther) {
  const Result r = run_one({site("k.cu", 5, "global", "load", 32, {}, "unknown")},
                           {instruction(16, "LD", 32, "k.cu", 5, {1, 4, 1})});
  EXPECT_EQ(r->summary.mismatch, 0u);
  EXPECT_EQ(r->summary.unknown, 2u);
}

TEST(Compare, TheLoadOfAnUnknownAtomicIsUnknown) {
  const Result r = run_one(
      {site("k.cu", 5, "shared", "atomic", 32, {}, "unknown")},
      {instruction(16, "LDS", 32, "k.cu", 5, {1, 4, 1}), instruction(32, "ATOMS.CAS", 0, "k.cu", 5, {1, 4, 1})});
  EXPECT_EQ(r->summary.unknown, 2u);
  EXPECT_EQ(r->summary.mismatch, 0u);
}

TEST(Compare, CopiesCarryBothSidesInOneRow) {
  const Result r = run_one({site("k.cu", 5, "shared", "async_copy", 128, kCopy)},
                           {instruction(16, "LDGSTS", 128, "k.cu", 5, kCopy)});
  EXPECT_EQ(r->summary.rows, 1u);
  EXPECT_EQ(r->summary.exact, 1u);
}

TEST(Compare, ProductsOfWarpgroupsAreOneRowOfTheLaunchForTheyHaveNoLine) {
  const Counts own{4, 18, 18}, both{8, 36, 36};
  const Result r = run_one(
      {site("k.cu", 5, "shared", "matrix_multiply", 0, own), site("k.cu", 6, "shared", "matrix_multiply", 0, own)},
      {instruction(16, "HGMMA", 0, "k.cu", 9, own), instruction(32, "QGMMA", 0, "k.cu", 3, own)});
  EXPECT_EQ(r->summary.rows, 1u);
  EXPECT_EQ(r->summary.exact, 1u);
  const Result one_less =
      run_one({site("k.cu", 5, "shared", "matrix_multiply", 0, both)}, {instruction(16, "HGMMA", 0, "k.cu", 9, own)});
  EXPECT_EQ(one_less->summary.false_claims, 1u);
  const Result unknown = run_one({site("k.cu", 5, "shared", "matrix_multiply", 0, {}, "unknown")},
                                 {instruction(16, "HGMMA", 0, "k.cu", 9, own)});
  EXPECT_EQ(unknown->summary.unknown, 1u);
  EXPECT_EQ(unknown->summary.mismatch, 0u);
}

TEST(Compare, WhatNoCounterSeesIsPredictedAsNothing) {
  const Result r =
      run_one({site("k.cu", 5, "shared", "bulk_copy", 0, {1, 0, 0}), site("k.cu", 6, "shared", "load", 32, {4, 0, 0})},
              {instruction(16, "UBLKCP", 0, "k.cu", 5, {1, 0, 0}), instruction(32, "LD", 32, "k.cu", 6, {4, 0, 0})});
  EXPECT_EQ(r->summary.rows, 0u);
  const Result counted =
      run_one({site("k.cu", 6, "shared", "load", 32, {4, 0, 0})}, {instruction(32, "LD", 32, "k.cu", 6, {4, 4, 4})});
  EXPECT_EQ(counted->summary.false_claims, 1u);
}

TEST(Compare, InstructionsWithoutActiveLanesAreLeftOut) {
  const Result r =
      run_one({site("k.cu", 5, "shared", "async_copy", 128, kCopy), site("k.cu", 9, "shared", "store", 32, {})},
              {instruction(16, "LDGSTS", 128, "k.cu", 5, kCopy), instruction(32, "LDS", 32, "k.cu", 5, {8, 0, 0})});
  EXPECT_EQ(r->summary.rows, 1u);
  EXPECT_EQ(r->summary.exact, 1u);
  EXPECT_EQ(r->summary.ignored_instructions, 1u);
  EXPECT_EQ(r->summary.ignored_sites, 1u);
}

TEST(Compare, GenericAccessesGoWhereTheirCountersSay) {
  const Result r = run_one(
      {site("k.cu", 5, "shared", "load", 32, {1, 1, 1}), site("k.cu", 6, "global", "load", 32, {1, 0, 0, 4, 4, 1})},
      {instruction(16, "LD", 32, "k.cu", 5, {1, 1, 1}), instruction(32, "LD", 32, "k.cu", 6, {1, 0, 0, 4, 4, 1})});
  EXPECT_EQ(r->summary.exact, 2u);
}

TEST(Compare, ReductionsAreAtomics) {
  const Result r = run_one({site("k.cu", 5, "global", "atomic", 32, {1, 0, 0, 4, 4, 1})},
                           {instruction(16, "RED", 0, "k.cu", 5, {1, 0, 0, 4, 4, 1})});
  EXPECT_EQ(r->summary.exact, 1u);
}

TEST(Compare, TheInnermostLineOutsideTheToolkitCounts) {
  const std::string header = "/usr/local/cuda-13.0/targets/x86_64-linux/include/cuda_pipeline_helpers.h";
  const Result r = run_one(
      {site("analyzer/headers/cuda_pipeline.h", 70, "shared", "async_copy", 128, kCopy, "exact",
            R"({"function":"f","file":"k.cu","line":5,"column":1})")},
      {instruction(
          16, "LDGSTS", 128, header, 80, kCopy,
          R"({"file":"/usr/local/cuda-13.0/include/cuda_pipeline.h","line":9,"callee":"f"},{"file":"k.cu","line":5,"callee":"g"})")});
  EXPECT_EQ(r->summary.exact, 1u);
  EXPECT_EQ(r.row(0).place, (Place{"k.cu", 5}));
}

TEST(Compare, WhatWasNotPredictedIsAMismatch) {
  const Result r =
      run_one({site("k.cu", 5, "shared", "load", 32, kLoad)},
              {instruction(16, "LDS", 32, "k.cu", 5, kLoad), instruction(32, "STS", 32, "k.cu", 50, kLoad)});
  EXPECT_EQ(r->summary.mismatch, 1u);
  EXPECT_EQ(r->summary.false_claims, 0u);
  EXPECT_EQ(r.row(1).cause, Cause::NotPredicted);
}

/// A site of machine code without a line table: named by its instruction.
std::string site_at(unsigned pc, const Counts &counts) {
  std::string text = site("", 0, "shared", "load", 32, counts);
  const std::string nowhere = R"("file":"","line":0,"column":3)";
  return text.replace(text.find(nowhere), nowhere.size(),
                      R"("file":null,"line":null,"column":null,"pcs":[)" + std::to_string(pc) + "]");
}

TEST(Compare, WithoutLinesInstructionsAreJoinedByTheirAddress) {
  const Counts once{4, 4, 4}, eight{4, 32, 4};
  // Whether or not the recording has lines.
  for (const std::string &file : {std::string("src/k.cu"), std::string()}) {
    const unsigned line = file.empty() ? 0 : 7;
    const Result r = run_one({site_at(16, once), site_at(32, eight)}, {instruction(16, "LDS", 32, file, line, once),
                                                                       instruction(32, "LDS", 32, file, line, eight)});
    ASSERT_EQ(r.comparison.launches.size(), 1u);
    const auto &rows = r.comparison.launches.front().rows;
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].place.pc, 16u);
    EXPECT_EQ(rows[0].verdict, Verdict::Exact);
    EXPECT_EQ(rows[1].place.pc, 32u);
    EXPECT_EQ(rows[1].verdict, Verdict::Exact);
  }
}

TEST(Compare, AnInstructionThatNoSiteHasTheAddressOfIsAMismatch) {
  const Counts once{4, 4, 4};
  const Result r =
      run_one({site_at(16, once)}, {instruction(16, "LDS", 32, "", 0, once), instruction(48, "LDS", 32, "", 0, once)});
  ASSERT_EQ(r.comparison.launches.front().rows.size(), 2u);
  EXPECT_EQ(r.comparison.launches.front().rows[1].verdict, Verdict::Mismatch);
}

TEST(Compare, AnUndecodedInstructionWithCountsIsAMismatch) {
  const Result r = run_one({}, {instruction(16, "", 0, "k.cu", 5, kCopy)});
  EXPECT_EQ(r->summary.mismatch, 2u); // its shared side and its global side
  EXPECT_EQ(r.row(0).cause, Cause::Undecoded);
  EXPECT_EQ(run_one({}, {instruction(16, "", 0, "k.cu", 5, {7})})->summary.rows, 0u);
}

TEST(Reasons, MergedAccessesAreWider) {
  const Result r = run_one({site("k.cu", 5, "shared", "load", 32, {32, 32, 32})},
                           {instruction(16, "LDS", 128, "k.cu", 5, {8, 16, 16})});
  EXPECT_EQ(r.row(0).cause, Cause::Merged);
  EXPECT_NE(r.row(0).reason.find("128-bit"), std::string::npos);
}

TEST(Reasons, SplitAccessesAreNarrower) {
  const Result r = run_one({site("k.cu", 5, "global", "load", 128, {8, 0, 0, 16, 16, 4})},
                           {instruction(16, "LDG", 32, "k.cu", 5, {32, 0, 0, 64, 16, 4})});
  EXPECT_EQ(r.row(0).cause, Cause::Split);
}

TEST(Reasons, FewerRequestsOfTheSameCostWereDropped) {
  const Result r = run_one({site("k.cu", 5, "shared", "load", 32, {32, 64, 32})},
                           {instruction(16, "LDS", 32, "k.cu", 5, {8, 16, 8})});
  EXPECT_EQ(r.row(0).cause, Cause::Dropped);
  EXPECT_EQ(run_one({site("k.cu", 5, "shared", "load", 32, kLoad)}, {}).row(0).cause, Cause::Dropped);
}

TEST(Reasons, MoreRequestsOfTheSameCostAreRepeated) {
  const Result r = run_one({site("k.cu", 5, "shared", "load", 32, {8, 16, 8})},
                           {instruction(16, "LDS", 32, "k.cu", 5, {32, 64, 32})});
  EXPECT_EQ(r.row(0).cause, Cause::Repeated);
}

TEST(Reasons, TheSameTotalsOnANeighbouringLine) {
  const Result r =
      run_one({site("k.cu", 5, "shared", "load", 32, {8, 16, 8}), site("k.cu", 6, "shared", "load", 32, {8, 8, 8})},
              {instruction(16, "LDS", 32, "k.cu", 6, {8, 16, 8}), instruction(32, "LDS", 32, "k.cu", 6, {8, 8, 8})});
  EXPECT_EQ(r->summary.mismatch, 2u);
  EXPECT_EQ(r.row(0).cause, Cause::Attribution);
  EXPECT_EQ(r.row(1).cause, Cause::Attribution);
  EXPECT_NE(r.row(0).reason.find("line 6"), std::string::npos);
}

TEST(MovedLines, AreOneRowWhereTheSumsAgree) {
  // Both stores without a line, counted on that of the loop.
  const Result r =
      run_one({line_assumed(site("k.cu", 5, "shared", "store", 32, {8, 16, 8}, "assumed")),
               line_assumed(site("k.cu", 9, "shared", "store", 32, {8, 8, 8}, "assumed"))},
              {instruction(16, "STS", 32, "k.cu", 3, {8, 16, 8}), instruction(32, "STS", 32, "k.cu", 3, {8, 8, 8})});
  ASSERT_EQ(r->launches[0].rows.size(), 1u);
  EXPECT_EQ(r.row(0).verdict, Verdict::Exact);
  EXPECT_EQ(r.row(0).place.line, 5u);
  EXPECT_EQ(r.row(0).reason, "lines 5, 9, counted on line 3: machine code need not keep the line");
  EXPECT_EQ(r->summary.assumed_right, 1u);
  EXPECT_EQ(r->summary.missing, 0u);
}

TEST(MovedLines, StayApartWhereTheSumsDiffer) {
  const Result r = run_one({line_assumed(site("k.cu", 5, "shared", "store", 32, {8, 16, 8}, "assumed"))},
                           {instruction(16, "STS", 32, "k.cu", 3, {8, 8, 8})});
  ASSERT_EQ(r->launches[0].rows.size(), 2u);
  EXPECT_EQ(r->summary.assumed_wrong, 1u);
  EXPECT_EQ(r->summary.missing, 1u);
}

TEST(MovedLines, AreOfOneSpaceAndOperation) {
  const Result r = run_one({line_assumed(site("k.cu", 5, "shared", "store", 32, {8, 16, 8}, "assumed"))},
                           {instruction(16, "LDS", 32, "k.cu", 3, {8, 16, 8})});
  EXPECT_EQ(r->launches[0].rows.size(), 2u);
}

TEST(MovedLines, OfUnknownSitesAreUnknown) {
  const Result r =
      run_one({line_assumed(site("k.cu", 5, "shared", "store", 32, {}, "unknown"))},
              {instruction(16, "STS", 32, "k.cu", 3, {8, 16, 8}), instruction(32, "STS", 32, "k.cu", 5, {8, 16, 8})});
  EXPECT_EQ(r->summary.unknown, 2u);
  EXPECT_EQ(run_one({site("k.cu", 5, "shared", "store", 32, {}, "unknown")},
                    {instruction(16, "STS", 32, "k.cu", 3, {8, 16, 8})})
                ->summary.missing,
            1u);
}

TEST(MovedLines, NoneOfWhatKeepsItsLine) {
  // The exact row is a false claim, although the sums would agree.
  const Result r = run_one({site("k.cu", 3, "shared", "store", 32, {8, 8, 8}),
                            line_assumed(site("k.cu", 5, "shared", "store", 32, {8, 16, 8}, "assumed"))},
                           {instruction(16, "STS", 32, "k.cu", 3, {16, 24, 16})});
  EXPECT_EQ(r->summary.false_claims, 1u);
  EXPECT_EQ(r->summary.assumed_wrong, 1u);
  const Result assumed = run_one({site("k.cu", 5, "shared", "store", 32, {8, 16, 8}, "assumed")},
                                 {instruction(16, "STS", 32, "k.cu", 3, {8, 16, 8})});
  EXPECT_EQ(assumed->summary.assumed_wrong, 1u);
}

TEST(Launches, EqualOnesCountOnce) {
  const std::string predicted = predicted_launch("_Z1kv", {site("k.cu", 5, "shared", "load", 32, kLoad)});
  const std::string measured = measured_launch("_Z1kv", {instruction(16, "LDS", 32, "k.cu", 5, kLoad)});
  for (const auto &[p, m] : {std::pair{1, 5}, {3, 3}, {2, 5}}) {
    const Result r =
        run(prediction(std::vector<std::string>(p, predicted)), measurement(std::vector<std::string>(m, measured)));
    EXPECT_EQ(r->summary.launches, 1u);
    EXPECT_EQ(r->summary.rows, 1u);
    EXPECT_EQ(r->launches[0].measured.size(), static_cast<std::size_t>(m));
  }
}

TEST(Launches, OfOneConfigurationAreMatchedInOrder) {
  const auto predicted = [](Counts c) { return predicted_launch("_Z1kv", {site("k.cu", 5, "shared", "load", 32, c)}); };
  const auto measured = [](Counts c) { return measured_launch("_Z1kv", {instruction(16, "LDS", 32, "k.cu", 5, c)}); };
  const Result r = run(prediction({predicted({1, 1, 1}), predicted({1, 2, 1})}),
                       measurement({measured({1, 1, 1}), measured({1, 1, 1}), measured({1, 2, 1})}));
  EXPECT_EQ(r->summary.launches, 2u);
  EXPECT_EQ(r->summary.exact, 2u);
}

TEST(Launches, OfARecordingAreMatchedByItsLines) {
  const auto predicted = [](Counts c, unsigned line) {
    std::string launch = predicted_launch("_Z1kv", {site("k.cu", 5, "shared", "load", 32, c)});
    launch.insert(launch.find(R"("sites")"),
                  R"("origin":{"kind":"recorded","location":{"file":"m.jsonl","line":)" + std::to_string(line) + "}},");
    return launch;
  };
  const auto measured = [](Counts c) { return measured_launch("_Z1kv", {instruction(16, "LDS", 32, "k.cu", 5, c)}); };
  const Counts a{1, 1, 1}, b{1, 2, 1}, c{1, 3, 1};
  // Lines 2 to 5; the second has the arguments of the first and other data.
  const std::string recording = measurement({measured(a), measured(b), measured(c), measured(a)});
  const Result r = run(prediction({predicted(a, 2), predicted(c, 4), predicted(a, 5)}), recording);
  ASSERT_EQ(r->launches.size(), 2u);
  EXPECT_EQ(r->launches[0].measured.size(), 3u);
  EXPECT_EQ(r.row(0).cause, Cause::Undetermined);
  EXPECT_EQ(r->launches[1].measured[0]->record, 4u);
  EXPECT_EQ(r->summary.exact, 1u);
  // Of another recording: in order.
  EXPECT_EQ(run(prediction({predicted(a, 9), predicted(b, 10), predicted(c, 11), predicted(a, 12)}), recording)
                ->summary.exact,
            3u);
}

TEST(Launches, LookAlikesWithDifferentCountsDisagree) {
  const auto measured = [](Counts c) {
    return measured_launch("_Z1kv",
                           {instruction(16, "LDS", 32, "k.cu", 5, c), instruction(32, "STS", 32, "k.cu", 6, kLoad)});
  };
  const Result r = run(prediction({predicted_launch("_Z1kv", {site("k.cu", 5, "shared", "load", 32, {1, 1, 1}),
                                                              site("k.cu", 6, "shared", "store", 32, kLoad)})}),
                       measurement({measured({1, 1, 1}), measured({1, 2, 1})}));
  EXPECT_EQ(r->summary.exact, 1u);
  EXPECT_EQ(r->summary.mismatch, 1u);
  EXPECT_EQ(r.row(0).cause, Cause::Undetermined);
}

// As CUPTI brought rows of another kernel with one of two launches.
TEST(Launches, LookAlikesMayLackWhatWasNotExecuted) {
  const std::string counted = instruction(16, "LDS", 32, "k.cu", 5, kLoad),
                    nothing = instruction(32, "LDS", 32, "k.cu", 5, {0, 0, 0});
  for (const auto &[first, second] :
       {std::pair{counted + "," + nothing, counted}, {counted, counted + "," + nothing}}) {
    const Result r = run(prediction({predicted_launch("_Z1kv", {site("k.cu", 5, "shared", "load", 32, kLoad)})}),
                         measurement({measured_launch("_Z1kv", {first}), measured_launch("_Z1kv", {second})}));
    EXPECT_EQ(r->summary.exact, 1u);
    EXPECT_EQ(r->summary.mismatch, 0u);
  }
}

TEST(Launches, ThatLackTheSameAreToldOnce) {
  const Result r = run(prediction({}), measurement({measured_launch("_Z1kv", {}), measured_launch("_Z1kv", {}),
                                                    measured_launch("_Z1kv", {}, "[2,1,1]")}));
  const std::vector<std::string> told = remarks(r.comparison);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NE(told[0].find("not predicted (2 launches)"), std::string::npos) << told[0];
  EXPECT_EQ(told[1].find("launches)"), std::string::npos) << told[1];
}

TEST(Launches, NotMeasuredIsNotAgreement) {
  const std::vector<std::string> sites{site("k.cu", 5, "shared", "load", 32, kLoad)};
  const std::vector<std::string> instructions{instruction(16, "LDS", 32, "k.cu", 5, kLoad)};
  const auto rows = [&](const std::string &measured) {
    return run(prediction({predicted_launch("_Z1kv", sites)}), measurement({measured}))->summary.rows;
  };
  EXPECT_EQ(rows(measured_launch("_Z5otherv", instructions)), 0u);
  EXPECT_EQ(rows(measured_launch("_Z1kv", instructions, "[2,1,1]")), 0u);
  EXPECT_EQ(rows(measured_launch("_Z1kv", instructions, "[1,1,1]", "[64,1,1]")), 0u);
  EXPECT_EQ(rows(measured_launch("_Z1kv", instructions, "[1,1,1]", "[32,1,1]",
                                 R"("result":"CUDA_ERROR_ILLEGAL_ADDRESS","line_info":true)")),
            0u);
  EXPECT_EQ(
      rows(measured_launch("_Z1kv", instructions, "[1,1,1]", "[32,1,1]", R"("result":"success","line_info":false)")),
      0u);
  const Result r = run(prediction({predicted_launch("_Z1kv", sites)}),
                       measurement({measured_launch("_Z1kv", instructions, "[2,1,1]")}));
  ASSERT_EQ(r->only_predicted.size(), 1u);
  EXPECT_NE(r->only_predicted[0].reason.find("grid (2, 1, 1)"), std::string::npos);
  EXPECT_EQ(r->only_measured.size(), 1u);
}

TEST(Sources, OfDifferentVersionsAreNamed) {
  const std::string hash = R"(,"sources":[{"file":"src/k.cu","sha256":"aa"}])";
  const auto measured = [](const std::string &sha) {
    return session + R"({"kind":"sources","sources":[{"file":"/build/src/k.cu","sha256":")" + sha + "\"}]}\n" + end;
  };
  EXPECT_EQ(run(prediction({}, hash), measured("bb"))->other_versions, std::vector<std::string>{"src/k.cu"});
  EXPECT_TRUE(run(prediction({}, hash), measured("aa"))->other_versions.empty());
  EXPECT_TRUE(run(prediction({}), measured("aa"))->other_versions.empty());
}

TEST(Input, BadPredictionsAreErrors) {
  for (const char *text :
       {"", "{", "[]", "{}", R"({"tool":{"name":"other"},"launches":[]})",
        R"({"schema_version":"2.0","tool":{"name":"smem-lint"},"launches":[]})",
        R"({"schema_version":"1.0","tool":{"name":"smem-lint"},"launches":[{"kernel":"k"}]})",
        R"({"schema_version":"1.0","tool":{"name":"smem-lint"},"launches":3})",
        // A site without a line.
        R"({"schema_version":"1.0","tool":{"name":"smem-lint"},"launches":[{"kernel":"k","mangled":"k",)"
        R"("grid":[1,1,1],"block":[32,1,1],"dynamic_shared_bytes":0,"sites":[{"space":"shared",)"
        R"("operation":"load","width_bits":32,"verdict":"unknown"}]}]})"}) {
    std::istringstream in(text);
    EXPECT_THROW(read_prediction(in, "p"), InputError) << text;
  }
  std::string cut = prediction({predicted_launch("_Z1kv", {site("k.cu", 5, "shared", "load", 32, kLoad)})});
  std::istringstream in(cut.substr(0, cut.size() / 2));
  EXPECT_THROW(read_prediction(in, "p"), InputError);
}

TEST(Input, BadMeasurementsAreErrors) {
  for (const std::string &text :
       {std::string(), std::string("{}\n"), std::string("[1]\n"), std::string("hello\n"),
        std::string("{\"kind\":\"launch\"}\n"), std::string("{\"kind\":\"session\",\"schema_version\":9}\n"),
        session + "nonsense\n" + end, session + "{\"kind\":\"launch\",\"index\":0}\n"}) {
    std::istringstream in(text);
    EXPECT_THROW(read_measurement(in, "m"), InputError) << text;
  }
}

TEST(Input, ACutOffLineCostsThatLaunchOnly) {
  const std::string launch = measured_launch("_Z1kv", {instruction(16, "LDS", 32, "k.cu", 5, kLoad)});
  std::istringstream in(session + launch + launch.substr(0, launch.size() / 2));
  const Measurement m = read_measurement(in, "m");
  EXPECT_EQ(m.launches.size(), 1u);
  EXPECT_EQ(m.warnings.size(), 1u);
  std::istringstream unfinished(session + launch);
  EXPECT_EQ(read_measurement(unfinished, "m").warnings.size(), 1u);
}

TEST(KernelNames, AgreeAcrossCompilers) {
  const auto same = [](const char *a, const char *b) {
    EXPECT_EQ(normalised_kernel_name(a), normalised_kernel_name(b)) << a << " " << b;
  };
  same("_Z2skPf", "_ZL2skPf");
  same("_ZN33_GLOBAL__N__a7ac0bb9_5_st_cu_main2akEPf", "_ZN12_GLOBAL__N_12akEPf");
  same("_ZN33_GLOBAL__N__a7ac0bb9_5_st_cu_main2tkILi3EEEvPf", "_ZN12_GLOBAL__N_12tkILi3EEEvPf");
  same("_ZN1a2ukINS_33_GLOBAL__N__a7ac0bb9_5_st_cu_main1SEEEvPfT_", "_ZN1a2ukINS_12_GLOBAL__N_11SEEEvPfT_");
  EXPECT_EQ(normalised_kernel_name("_Z4gemmILi128ELi8EEvPKfS1_Pf"), "_Z4gemmILi128ELi8EEvPKfS1_Pf");
  EXPECT_NE(normalised_kernel_name("_Z4gemmILi128EEvPf"), normalised_kernel_name("_Z4gemmILi64EEvPf"));
  for (const char *odd : {"", "L", "L9", "99", "_Z99k", "9_GLOBAL__N_", "kernel", "S", "Li"})
    normalised_kernel_name(odd);
}

TEST(Opcodes, AreKnownWithAndWithoutModifiers) {
  ASSERT_TRUE(classify_opcode("LDS.U.128"));
  EXPECT_EQ(classify_opcode("LDS.U.128")->operation, Operation::Load);
  EXPECT_EQ(classify_opcode("LDSM.16.M88.4")->operation, Operation::MatrixLoad);
  EXPECT_EQ(classify_opcode("ATOMS.CAST.SPIN")->operation, Operation::Atomic);
  EXPECT_EQ(classify_opcode("LDGSTS.E.BYPASS.128")->reach, Reach::Both);
  EXPECT_EQ(classify_opcode("RED.E.ADD")->reach, Reach::Global);
  EXPECT_EQ(classify_opcode("HGMMA")->operation, Operation::MatrixMultiply); // its operands in shared memory
  EXPECT_EQ(classify_opcode("UBLKCP.S.G")->reach, Reach::None);              // counts nothing
  EXPECT_FALSE(classify_opcode("LDX"));
  EXPECT_FALSE(classify_opcode(""));
}

TEST(Places, OfTheToolkitAreRecognised) {
  for (const char *path :
       {"/usr/local/cuda/include/mma.h", "/usr/local/cuda-13.0/targets/x86_64-linux/include/cuda_fp16.hpp",
        "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_intrinsics.h",
        "/x/site-packages/nvidia/cuda_runtime/include/sm_60_atomic_functions.hpp",
        "/opt/share/smem-lint/headers/cuda_pipeline.h", "/usr/include/sm_30_intrinsics.hpp", "<built-in>"})
    EXPECT_TRUE(is_toolkit_header(path)) << path;
  for (const char *path : {"/home/me/cuda/kernel.cu", "kernel.cu", "/srv/include/tile.h", "/usr/include/cutlass/arch.h",
                           "/home/cuda/src/include/x.h"})
    EXPECT_FALSE(is_toolkit_header(path)) << path;
}

TEST(Places, TheLongestCommonTailIsTheSameFile) {
  EXPECT_EQ(same_file("/a/b/src/k.cu", {"other/k.cu", "src/k.cu", "k.cuh"}), "src/k.cu");
  EXPECT_EQ(same_file("/a/b/src/k.cu", {"src/j.cu"}), std::nullopt);
  EXPECT_EQ(common_tail("./src/../src/k.cu", "/x/src/k.cu"), 2u);
}

TEST(Percent, IsNeverRoundedUpToAll) {
  EXPECT_EQ(percent(9999, 10000), "99.9%");
  EXPECT_EQ(percent(10000, 10000), "100%");
  EXPECT_EQ(percent(0, 0), "-");
}

} // namespace
} // namespace smem::compare
