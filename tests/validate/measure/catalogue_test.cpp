// Rates and repeats, from records written by hand.
#include "catalogue/repeats.h"
#include "catalogue/throughput.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace smem_lint::validate {
namespace {

std::string row(const std::string &opcode, unsigned width, unsigned threads, unsigned sectors,
                unsigned wavefronts = 0) {
  return R"({"pc":16,"file":"src/k.cu","line":7,"opcode":")" + opcode + R"(","width":)" + std::to_string(width) +
         R"(,"threads":)" + std::to_string(threads) + R"(,"sectors":)" + std::to_string(sectors) + R"(,"wavefronts":)" +
         std::to_string(wavefronts) + R"(,"wavefronts_ideal":1})";
}

std::string launch(const std::string &rows, const std::string &more = "", unsigned index = 0) {
  return R"({"kind":"launch","index":)" + std::to_string(index) +
         R"-(,"demangled":"k(float*)","grid":[2,1,1],"block":[32,1,1],"result":"success")-" + more +
         R"(,"instructions":[)" + rows + "]}\n";
}

std::string timed(const std::string &what, const std::string &kernel = "k(float*)") {
  return R"({"kind":"time","index":0,"demangled":")" + kernel + R"(",)" + what + "}\n";
}

std::vector<LaunchRates> rates(const std::string &record) {
  std::istringstream in(record);
  return read_rates(in);
}

TEST(Rates, BytesOfActiveLanesAndOfSectors) {
  const auto found =
      rates(launch(row("LDG", 32, 64, 16) + "," + row("LDS", 128, 64, 0, 8) + "," + row("ATOMG", 0, 64, 4)) +
            timed(R"("median_ns":100,"fastest_ns":90,"slowest_ns":120)"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].requested_bytes, 64u * 4); // neither shared memory nor atomics, whose width is not known
  EXPECT_EQ(found[0].sector_bytes, (16u + 4) * 32);
  EXPECT_EQ(found[0].wavefronts, 8u);
  EXPECT_DOUBLE_EQ(*found[0].requested_gbs(), 2.56);
  EXPECT_DOUBLE_EQ(*found[0].sector_gbs(), 6.4);
  EXPECT_FALSE(found[0].gflops());
}

TEST(Rates, WithoutATimeThereAreNone) {
  EXPECT_FALSE(rates(launch(row("LDG", 32, 64, 16)))[0].requested_gbs());
  const auto refused = rates(launch(row("LDG", 32, 64, 16)) + timed(R"("not_timed":"too little memory")"));
  EXPECT_FALSE(refused[0].sector_gbs());
  EXPECT_EQ(refused[0].not_timed, "too little memory");
  // A time of another kernel, as of a program that does not do the same twice.
  EXPECT_FALSE(
      rates(launch(row("LDG", 32, 64, 16)) + timed(R"("median_ns":1,"fastest_ns":1,"slowest_ns":1)", "other()"))[0]
          .median_ns);
}

TEST(Rates, OfFailedLaunchesAndCutOffLinesAreLeftOut) {
  EXPECT_TRUE(
      rates(
          R"({"kind":"launch","demangled":"k","grid":[1,1,1],"block":[1,1,1],"result":"CUDA_ERROR","instructions":[]})"
          "\n{\"kind\":\"lau")
          .empty());
}

TEST(WorkTable, ProductsOfNumbersAndMacros) {
  const Work work =
      Work::parse(R"({"defaults":{"N":8},"flop":{"gemm":[2,"N","N","N"],"gemm/edge":[2,10],"none":[]}})", "work.json");
  EXPECT_EQ(work.flop("gemm", "gemm(float*)", {}), 2.0 * 8 * 8 * 8);
  EXPECT_EQ(work.flop("gemm", "void gemm<4>(float*)", {{"N", "16"}}), 2.0 * 16 * 16 * 16);
  EXPECT_EQ(work.flop("gemm", "edge(float*)", {}), 20.0);
  EXPECT_EQ(work.flop("gemm", "void edge<(int)3>(float*)", {}), 20.0);
  EXPECT_EQ(work.flop("none", "k()", {}), std::nullopt);
  EXPECT_EQ(work.flop("other", "k()", {}), std::nullopt);
  EXPECT_EQ(work.flop("gemm", "gemm(float*)", {{"N", "(8+8)"}}), std::nullopt); // not a number: no guess
}

TEST(WorkTable, ErrorsNameTheEntry) {
  const auto message = [](const std::string &text) -> std::string {
    try {
      Work::parse(text, "work.json");
    } catch (const std::runtime_error &error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("{").find("work.json"), std::string::npos);
  EXPECT_NE(message("[]").find("not a table of work"), std::string::npos);
  EXPECT_NE(message(R"({"flop":{"k":["M"]}})").find("\"M\" is neither a number nor a macro"), std::string::npos);
  EXPECT_NE(message(R"({"flop":{"k":3}})").find("k is not a list"), std::string::npos);
  EXPECT_NE(message(R"({"defaults":{"N":"x"},"flop":{}})").find("default of N"), std::string::npos);
}

std::set<std::string> differing(const std::string &a, const std::string &b) {
  std::istringstream first(a), second(b);
  return differing_places(first, second);
}

TEST(Repeats, AddressesMayDiffer) {
  EXPECT_TRUE(differing(launch(row("LDG", 32, 64, 16), R"(,"arguments":[{"bytes":"00"}])"),
                        launch(row("LDG", 32, 64, 16), R"(,"arguments":[{"bytes":"10"}])"))
                  .empty());
}

TEST(Repeats, CountersMayNot) {
  const auto places = differing(launch(row("LDS", 32, 64, 0, 5) + "," + row("LDG", 32, 64, 16)),
                                launch(row("LDS", 32, 64, 0, 6) + "," + row("LDG", 32, 64, 16)));
  EXPECT_EQ(places, std::set<std::string>{"k(float*): LDS at k.cu:7"});
}

TEST(Repeats, NorTheLaunches) {
  EXPECT_EQ(differing(launch(""), "").size(), 1u);
  EXPECT_EQ(differing(launch(row("LDS", 32, 64, 0, 5)), launch("")).size(), 1u);
  EXPECT_EQ(differing(launch("", R"(,"registers":8)"), launch("", R"(,"registers":9)")).size(), 1u);
}

} // namespace
} // namespace smem_lint::validate
