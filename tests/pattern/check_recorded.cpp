// smem-check-recorded [--least N] SOURCE RECORDING [SOURCE RECORDING]...: claims about all launches against counters of `smem-validate measure`.
//
// A claim is of single requests; counters are sums over a launch. Where each request is one of the cases that this launch's block, arguments and
// lanes leave, the sums are a mixture of them: wavefronts between the least and the largest multiple of the ideal ones that a case has, and no
// more for each instruction than the largest case. Instructions that nvcc made wider or narrower than the claim's access are counted apart, and so
// are those that no claim is about. Exit code 1 where a claim is contradicted, or where fewer than N were held against counters.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/analysis.h"
#include "smem/pattern.h"

namespace {

using namespace smem;
using nlohmann::json;

/// What nvcc made of one line: kernel, file name, line, space, operation, bits of a lane.
using Row = std::tuple<std::string, std::string, std::uint32_t, std::string, std::string, unsigned>;

struct Sums {
  std::uint64_t executed = 0, threads = 0, cost = 0, ideal = 0; ///< wavefronts in shared memory, sectors in global
};

struct Tally {
  unsigned claims = 0, contradicted = 0, none = 0, other_width = 0;
};

/// The innermost place outside the toolkit's headers.
std::pair<std::string, std::uint32_t> place_of(const json &instruction) {
  const auto name = [](const json &at) {
    return std::pair(std::filesystem::path(at["file"].get<std::string>()).filename().string(),
                     at["line"].get<std::uint32_t>());
  };
  const auto of_toolkit = [](const json &at) { return at["file"].get<std::string>().starts_with("/usr/local/cuda"); };
  if (!of_toolkit(instruction))
    return name(instruction);
  for (const json &at : instruction.value("inlined_at", json::array()))
    if (!of_toolkit(at))
      return name(at);
  return name(instruction);
}

std::map<Row, Sums> rows_of(const json &launch) {
  std::map<Row, Sums> rows;
  for (const json &i : launch["instructions"]) {
    const std::string space = i.value("space", "");
    if ((space != "shared" && space != "global") || !i.contains("width") || !i.contains("line"))
      continue;
    const auto [file, line] = place_of(i);
    Sums &sums = rows[{launch["kernel"], file, line, space, i["operation"], i["width"].get<unsigned>()}];
    sums.executed += i["executed"].get<std::uint64_t>();
    sums.threads += i["threads"].get<std::uint64_t>();
    sums.cost += i[space == "shared" ? "wavefronts" : "sectors"].get<std::uint64_t>();
    sums.ideal += i[space == "shared" ? "wavefronts_ideal" : "sectors_ideal"].get<std::uint64_t>();
  }
  return rows;
}

struct Measured {
  Dim3 grid, block;
  const Launch *known = nullptr; ///< the one of the source that it is
  bool all_lanes = false;        ///< each request had all lanes active
};

bool possible(const PatternCondition &c, const Measured &launch) {
  switch (c.kind) {
  case PatternCondition::Kind::Shape:
    return c.shapes >> static_cast<unsigned>(shape_of(launch.block.x, launch.block.y, launch.block.z)) & 1;
  case PatternCondition::Kind::Lanes: return !launch.all_lanes || c.lanes == kFullMask;
  case PatternCondition::Kind::FewerLanes: return !launch.all_lanes;
  case PatternCondition::Kind::Argument:
    for (const ArgumentValue &v : launch.known ? launch.known->arguments : std::vector<ArgumentValue>()) {
      if (v.index != c.argument || v.offset != c.offset || !v.value || v.pointer)
        continue;
      const std::int64_t value = *v.value / c.divisor + c.plus, modulus = c.modulus;
      const auto rest = static_cast<std::uint32_t>((value % modulus + modulus) % modulus);
      const bool in = std::ranges::find(c.values, value) != c.values.end() ||
                      (std::abs(value) >= c.near && std::ranges::find(c.remainders, rest) != c.remainders.end());
      return in != c.none;
    }
    return true;
  default: return true; // nothing shows which it is
  }
}

/// What of the sums no mixture of the cases is; empty if one is.
std::string contradiction(const std::vector<PatternCase> &cases, const Sums &sums, bool shared) {
  if (cases.empty())
    return "no case that this launch can have";
  std::uint64_t most = 0;
  bool bounds = false;
  std::pair<std::uint64_t, std::uint64_t> low{UINT64_MAX, 1}, high{0, 1};
  for (const PatternCase &c : cases) {
    const std::uint64_t cost = shared ? c.wavefronts : c.sectors, ideal = shared ? c.ideal_wavefronts : c.ideal_sectors;
    most = std::max(most, cost);
    bounds |= c.at_most;
    if (low.first == UINT64_MAX || cost * low.second < low.first * ideal)
      low = {cost, ideal};
    if (cost * high.second > high.first * ideal)
      high = {cost, ideal};
  }
  if (sums.cost > most * sums.executed)
    return std::to_string(sums.cost) + " in " + std::to_string(sums.executed) + " instructions, claimed at most " +
           std::to_string(most) + " each";
  if (!bounds && (sums.cost * low.second < low.first * sums.ideal || sums.cost * high.second > high.first * sums.ideal))
    return std::to_string(sums.cost) + " where " + std::to_string(sums.ideal) + " are ideal, claimed " +
           std::to_string(low.first) + " of " + std::to_string(low.second) + " to " + std::to_string(high.first) +
           " of " + std::to_string(high.second);
  return {};
}

/// The claims of all sites of a row; nullopt where one of them has none.
std::map<Row, std::optional<std::vector<PatternCase>>> claims_of(const FileAnalysis &analysis) {
  std::map<Row, std::optional<std::vector<PatternCase>>> claims;
  for (std::size_t p = 0; p < analysis.programs.size(); ++p) {
    const Program &program = analysis.programs[p];
    for (std::size_t s = 0; s < analysis.patterns[p].size(); ++s) {
      const Site &site = program.sites[s];
      const Pattern &pattern = analysis.patterns[p][s];
      const Row row{program.mangled,
                    std::filesystem::path(site.location.file).filename().string(),
                    site.location.line,
                    std::string(to_string(site.access.space)),
                    std::string(to_string(site.access.operation)),
                    site.access.width_bits};
      auto &cases = claims.emplace(row, std::vector<PatternCase>()).first->second;
      if (!covers_all_launches(pattern))
        cases.reset();
      else if (cases)
        cases->insert(cases->end(), pattern.cases.begin(), pattern.cases.end());
    }
  }
  return claims;
}

void check(const std::string &source, const std::string &recording, Tally &tally) {
  AnalysisOptions options;
  options.frontend.file = source;
  options.frontend.architecture = find_architecture("sm_90");
  options.frontend.toolkit = find_toolkit("none");
  const FileAnalysis analysis = analyze_file(options);
  const auto claims = claims_of(analysis);
  std::ifstream in(recording);
  for (std::string line; std::getline(in, line);) {
    const json record = json::parse(line);
    if (record["kind"] != "launch")
      continue;
    const auto dim = [&](const char *key) { return Dim3{record[key][0], record[key][1], record[key][2]}; };
    Measured measured{dim("grid"), dim("block")};
    unsigned alike = 0;
    for (const LaunchAnalysis &one : analysis.launches)
      if (one.launch.mangled == record["kernel"].get<std::string>() && one.launch.grid == measured.grid &&
          one.launch.block == measured.block && ++alike)
        measured.known = &one.launch;
    if (alike != 1) // which of them it is does not show
      measured.known = nullptr;
    for (const auto &[row, sums] : rows_of(record)) {
      if (!sums.ideal)
        continue;
      const auto claim = claims.find(row);
      if (claim == claims.end() || !claim->second) {
        ++(claim == claims.end() ? tally.other_width : tally.none);
        continue;
      }
      measured.all_lanes = sums.threads == sums.executed * kWarpSize;
      std::vector<PatternCase> cases;
      for (const PatternCase &c : *claim->second)
        if (std::ranges::all_of(c.when, [&](const PatternCondition &w) { return possible(w, measured); }))
          cases.push_back(c);
      ++tally.claims;
      const std::string wrong = contradiction(cases, sums, std::get<3>(row) == "shared");
      if (wrong.empty())
        continue;
      ++tally.contradicted;
      std::printf("%s:%u: %s %s of %u bits in launch %llu of %s: measured %s\n", std::get<1>(row).c_str(),
                  std::get<2>(row), std::get<3>(row).c_str(), std::get<4>(row).c_str(), std::get<5>(row),
                  static_cast<unsigned long long>(record.value("index", std::uint64_t{0})), std::get<0>(row).c_str(),
                  wrong.c_str());
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  unsigned least = 1;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--least") && i + 1 < argc)
      least = static_cast<unsigned>(std::stoul(argv[++i]));
    else
      files.emplace_back(argv[i]);
  }
  Tally tally;
  for (std::size_t i = 0; i + 1 < files.size(); i += 2)
    check(files[i], files[i + 1], tally);
  std::printf("%u rows with a claim, %u contradicted; %u without one, %u that nvcc made of another width\n",
              tally.claims, tally.contradicted, tally.none, tally.other_width);
  return tally.contradicted != 0 || tally.claims < least;
}
