// One report in every format: each figure is the same in all of them, and what is not known is a number in none.
#include "report/figures.h"
#include "report/html_data.h"
#include "report/machine_text.h"
#include "report/report.h"
#include "sample.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>
#include <set>
#include <sstream>

namespace smem {
namespace {

using nlohmann::json;
using testing::make_site;

constexpr std::uint64_t kRequests = 16384 * 32;

/// Exact, assumed, unknown, partly known and data-dependent rows; findings of every kind, some about no memory instruction.
std::vector<FileAnalysis> everything() {
  FileAnalysis all = testing::sample();
  all.sources = {{testing::kSampleFile, std::string(64, '0')}};
  Program &program = all.programs[0];
  LaunchAnalysis &launch = all.launches[0];
  const auto add = [&](Site site, SiteResult result) {
    result.executed = true;
    program.sites.push_back(std::move(site));
    launch.result.sites.push_back(std::move(result));
  };
  SiteResult assumed;
  assumed.verdict = Verdict::Assumed;
  assumed.reason = "n=1024: not known from the source";
  assumed.counts = {kRequests, 2 * kRequests, kRequests, 0, 0, 0, 2};
  assumed.shared_example = testing::strided(8, {2, 1, 2, 0, 0, 0});
  add(make_site(5, 3, Space::Shared, Operation::Load, "tile[0][2 * threadIdx.x]", "tile"), assumed);
  SiteResult data;
  data.verdict = Verdict::Unknown;
  data.reason = "`data[i]` is loaded from memory at line 6";
  data.data = DataDependence{kRequests, {1, 32}, {1, 32}, {}, 3.5, 3.5, std::nullopt, "0 to 255"};
  add(make_site(6, 40, Space::Shared, Operation::Atomic, "atomicAdd(&tile[0][data[i]], 1)", "tile"), data);
  SiteResult partly; // some of its requests are known
  partly.verdict = Verdict::Unknown;
  partly.reason = "the budget ran out";
  partly.counts = {100, 800, 100, 0, 0, 0, 8};
  partly.shared_example = testing::strided(32, {8, 1, 8, 0, 0, 0});
  add(make_site(7, 3, Space::Shared, Operation::Store, "tile[threadIdx.x][8]", "tile"), partly);
  partly.counts = {100, 0, 0, 3200, 400, 3200, 0};
  partly.shared_example.reset();
  partly.global_example = testing::strided(4096, {0, 0, 0, 32, 4, 32});
  add(make_site(7, 20, Space::Global, Operation::Load, "in[threadIdx.x * n]", "in"), partly);
  launch.result.problems = {
      {Problem::Kind::OutOfBounds, "tile is 4096 bytes; byte 4096 is behind its end", SiteId{2}, {}},
      {Problem::Kind::LaunchLimit, "1,025 threads a block", std::nullopt, {}},
      {Problem::Kind::Budget, "stopped after 100 steps", std::nullopt, {testing::kSampleFile, 2, 17}}};
  launch.result.shared_bytes = 60'000;
  launch.launch.dynamic_shared_bytes = 55'904;

  FileAnalysis other = testing::sample();
  other.file = "other.cu";
  other.architecture = find_architecture("sm_80");
  other.programs[0].kernel = "transpose<double>";
  for (Site &site : other.programs[0].sites)
    site.location.file = other.file;
  other.programs[0].location.file = other.file;
  other.launches[0].launch.location.file = other.file;
  other.launches[0].launch.assumptions = {{"n=4096: not known from the source"}};
  other.diagnostics = {
      {Diagnostic::Severity::Warning, {"other.cu", 30, 1}, "kernel template 'lost' has no instantiation", true}};
  return {all, other};
}

class OneReport : public ::testing::Test {
protected:
  OneReport() : files(everything()), findings(find_all(files)), report{files, findings, "1.2.3"} {
    sources.add(testing::kSampleFile, testing::kSampleSource);
    sources.add("other.cu", testing::kSampleSource);
  }

  struct Row {
    const FileAnalysis *file;
    const LaunchAnalysis *launch;
    SiteRow row;
  };
  std::vector<Row> rows() const {
    std::vector<Row> all;
    for (const FileAnalysis &file : files)
      for (const LaunchAnalysis &launch : file.launches)
        for (SiteRow &row : site_rows(file.programs[launch.program], launch.result))
          all.push_back({&file, &launch, std::move(row)});
    return all;
  }

  json html_data(const std::string &id = "data") {
    const std::string page = html_report(report, sources),
                      open = "<script id=\"" + id + "\" type=\"application/json\">";
    const std::size_t begin = page.find(open) + open.size();
    return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  std::vector<FileAnalysis> files;
  std::vector<Finding> findings;
  Report report;
  SourceLines sources;
};

json number_or_null(const std::optional<std::uint64_t> &value) { return value ? json(*value) : json(nullptr); }

TEST_F(OneReport, HasEveryKindOfRowAndFinding) {
  std::set<std::string> rules, verdicts;
  bool without_site = false, bound = false;
  for (const Finding &finding : findings) {
    rules.emplace(finding.rule->id);
    without_site |= !finding.site;
    bound |= finding.traffic && finding.traffic->at_least;
  }
  for (const Row &each : rows())
    verdicts.emplace(to_string(each.row.verdict));
  EXPECT_EQ(verdicts.size(), 3u);
  EXPECT_TRUE(without_site && bound);
  for (const std::string_view rule : {rule::bank_conflict, rule::uncoalesced, rule::out_of_bounds, rule::launch_limit,
                                      rule::launch_unknown, rule::analysis_budget, rule::capacity})
    EXPECT_TRUE(rules.count(std::string(rule))) << rule;
}

TEST_F(OneReport, RowsInJson) {
  const json all = json::parse(json_report(report));
  std::vector<json> sites;
  for (const json &launch : all["launches"])
    for (const json &site : launch["sites"])
      sites.push_back(site);
  const std::vector<Row> expected = rows();
  ASSERT_EQ(sites.size(), expected.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Figures truth = figures(expected[i].row);
    const bool unknown = expected[i].row.verdict == Verdict::Unknown;
    for (const auto &[name, member] : kFigures) {
      EXPECT_EQ(sites[i][name].is_null(), unknown) << name;
      EXPECT_EQ(sites[i][name], number_or_null((truth.*member).known())) << name;
      if (!sites[i]["at_least"].is_null()) {
        EXPECT_EQ(sites[i]["at_least"][name], number_or_null((truth.*member).value)) << name;
      }
    }
    EXPECT_EQ(!sites[i]["at_least"].is_null(), unknown && expected[i].row.counts.requests != 0);
  }
  EXPECT_TRUE(all["arch"].is_null());
  EXPECT_EQ(all["launches"][0]["arch"], "sm_90");
  EXPECT_EQ(all["launches"][1]["arch"], "sm_80");
}

TEST_F(OneReport, RowsInHtml) {
  const json entries = html_data(), launches = html_data("launches");
  for (const Row &each : rows()) {
    const SiteRow &row = each.row;
    const std::string place = to_string(SourceLocation{row.site->location.file, row.site->location.line, 0});
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const json &e) {
      return e["p"] == place && e["x"] == row.site->expression && e.contains("f");
    });
    ASSERT_NE(entry, entries.end()) << row.site->expression;
    const Figures truth = figures(row);
    std::size_t i = 0;
    for (const auto &[name, member] : kFigures) {
      EXPECT_EQ((*entry)["f"][i], number_or_null((truth.*member).known())) << name;
      if (entry->contains("b")) {
        EXPECT_EQ((*entry)["b"][i], number_or_null((truth.*member).value)) << name;
      }
      ++i;
    }
    const std::string launch = launches.at((*entry)["h"].get<std::size_t>());
    EXPECT_NE(launch.find(each.file->architecture->name), std::string::npos);
    const std::string text = (*entry)["t"].dump();
    if (row.moves_shared) {
      EXPECT_NE(text.find("wavefronts: " + to_string(truth.wavefronts) +
                          ", ideal: " + to_string(truth.ideal_wavefronts) + ", requests: " + to_string(truth.requests)),
                std::string::npos)
          << text;
    }
    if (row.moves_global) {
      EXPECT_NE(text.find("sectors: " + to_string(truth.sectors) + ", ideal: " + to_string(truth.ideal_sectors) +
                          ", requests: " + to_string(truth.requests)),
                std::string::npos)
          << text;
    }
    if (row.verdict == Verdict::Unknown) {
      EXPECT_FALSE(std::regex_search(text, std::regex(R"((wavefronts|sectors|ideal|requests): 0\b)"))) << text;
    }
    if (row.data) {
      EXPECT_EQ((*entry)["d"][0],
                json::array({row.data->wavefronts.least, row.data->wavefronts.most, *row.data->expected_wavefronts}));
      EXPECT_NE(text.find("best 1, worst 32, mean of uniform data 3.50"), std::string::npos) << text;
    }
  }
}

TEST_F(OneReport, RowsAndTotalsInText) {
  std::istringstream lines(text_report(report, sources, {.full = true}));
  std::vector<std::string> tables;
  for (std::string line; std::getline(lines, line);)
    tables.push_back(std::regex_replace(line, std::regex(" +"), " "));
  const auto has = [&](const std::string &start, const std::string &figures) {
    return std::any_of(tables.begin(), tables.end(), [&](const std::string &line) {
      return line.starts_with(start) && line.find(figures) != std::string::npos;
    });
  };
  for (const Row &each : rows()) {
    const SiteRow &row = each.row;
    const Figures truth = figures(row);
    const std::string start =
        " " + std::to_string(row.site->location.line) + ":" + std::to_string(row.site->location.column) + " ";
    if (row.moves_shared) {
      EXPECT_TRUE(has(start, " " + to_string(truth.requests) + " " + to_string(truth.wavefronts) + " " +
                                 to_string(truth.ideal_wavefronts) + " "))
          << row.site->expression;
    }
    if (row.moves_global) {
      EXPECT_TRUE(has(start, " " + to_string(truth.requests) + " " + to_string(truth.sectors) + " " +
                                 to_string(truth.ideal_sectors) + " " + to_string(truth.tags) + " " +
                                 ratio(truth.sectors, truth.ideal_sectors)))
          << row.site->expression;
    }
    if (row.data) {
      EXPECT_TRUE(has(start, " 0 to 255 1 32 3.50 wavefronts"));
    }
  }
  // A sum in which something is missing is a lower bound, and has no ratio.
  const std::vector<SiteRow> first = site_rows(files[0].programs[0], files[0].launches[0].result);
  for (const Space space : {Space::Shared, Space::Global}) {
    const Figures sum = total_figures(first, space);
    const Figure actual = space == Space::Shared ? sum.wavefronts : sum.sectors;
    EXPECT_TRUE(actual.at_least);
    EXPECT_TRUE(has(" total ", " " + to_string(sum.requests) + " " + to_string(actual) + " "));
  }
  EXPECT_FALSE(has(" total >=", "x"));
}

/// `text` without what Markdown and GitHub's commands escape.
std::string plain(std::string text) {
  text = std::regex_replace(text, std::regex(R"(\\([\\|*_\[\]~]))"), "$1");
  text = std::regex_replace(text, std::regex("&lt;"), "<");
  return std::regex_replace(text, std::regex("%25"), "%");
}

TEST_F(OneReport, FindingsInAllFormats) {
  const json all = json::parse(json_report(report)), sarif = json::parse(sarif_report(report, sources)),
             gitlab = json::parse(gitlab_report(report)), entries = html_data();
  const json &results = sarif["runs"][0]["results"];
  const std::string text = text_report(report, sources, {.full = true}), github = plain(github_report(report)),
                    markdown = plain(markdown_report(report));
  ASSERT_EQ(all["findings"].size(), findings.size());
  // Code scanning makes an alert of each result: what is about the analysis is a notification.
  const auto notes = static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), is_about_the_analysis));
  ASSERT_NE(notes, 0u);
  ASSERT_EQ(results.size(), findings.size() - notes);
  std::size_t result = 0;
  const std::vector<Diagnostic> missing = incomplete(report);
  ASSERT_EQ(gitlab.size(), findings.size() + missing.size());
  const std::vector<std::size_t> order = worst_first(findings);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding &finding = findings[i];
    const std::string name = std::string(finding.rule->id) + ": " + finding.message;
    const std::string architecture(files[finding.file].architecture->name);
    EXPECT_NE(finding.cost.find("on " + architecture), std::string::npos) << name;
    EXPECT_EQ(all["findings"][i]["arch"], architecture) << name;
    EXPECT_EQ(all["findings"][i]["cost"], finding.cost) << name;
    EXPECT_NE(text.find("cost:  " + finding.cost + "\n"), std::string::npos) << name;
    EXPECT_NE(
        gitlab[i + missing.size()]["description"].get<std::string>().find(headline(finding) + "\n" + finding.cost),
        std::string::npos)
        << name;
    EXPECT_NE(markdown.find(finding.cost), std::string::npos) << name;
    const std::size_t annotation =
        static_cast<std::size_t>(std::find(order.begin(), order.end(), i) - order.begin()) + missing.size();
    EXPECT_EQ(github.find(headline(finding) + "%0A" + finding.cost) != std::string::npos, annotation < 10) << name;

    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const json &e) {
      return std::find(e["n"].begin(), e["n"].end(), i) != e["n"].end();
    });
    ASSERT_NE(entry, entries.end()) << name;
    EXPECT_NE((*entry)["t"].dump().find(json(finding.cost).dump()), std::string::npos) << name << (*entry)["t"];

    const json &traffic = all["findings"][i]["traffic"];
    EXPECT_EQ(traffic.is_null(), !finding.traffic) << name;
    const std::string said = headline(finding) + "\n" + finding.cost;
    if (is_about_the_analysis(finding)) {
      const json &notifications = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
      EXPECT_TRUE(std::any_of(notifications.begin(), notifications.end(), [&](const json &each) {
        return each["message"]["text"].get<std::string>().find(said) != std::string::npos;
      })) << name;
      continue;
    }
    const json &properties = results[result]["properties"];
    EXPECT_EQ(properties["arch"], architecture) << name;
    EXPECT_NE(results[result++]["message"]["text"].get<std::string>().find(said), std::string::npos) << name;
    EXPECT_EQ(properties.contains("actual"), finding.traffic.has_value()) << name;
    if (!finding.traffic)
      continue;
    const Traffic &truth = *finding.traffic;
    for (const json &format : {traffic, properties}) {
      EXPECT_EQ(format["requests"], truth.requests);
      EXPECT_EQ(format["actual"], truth.actual);
      EXPECT_EQ(format["ideal"], truth.ideal);
    }
    EXPECT_EQ(traffic["kernel"], truth.kernel);
    EXPECT_EQ(properties["kernelTotal"], truth.kernel);
    EXPECT_DOUBLE_EQ(traffic["share_of_kernel"], static_cast<double>(truth.actual) / static_cast<double>(truth.kernel));
    EXPECT_DOUBLE_EQ(properties["shareOfKernel"], traffic["share_of_kernel"]);
    EXPECT_DOUBLE_EQ(traffic["avoidable_share_of_kernel"],
                     static_cast<double>(truth.actual - truth.ideal) / static_cast<double>(truth.kernel));
    EXPECT_DOUBLE_EQ(properties["avoidableShareOfKernel"], traffic["avoidable_share_of_kernel"]);
    EXPECT_EQ(finding.cost.rfind(traffic_text(truth) + "; " +
                                     share_text(truth, files[finding.file].programs[finding.program].kernel),
                                 0),
              0u)
        << finding.cost;
    EXPECT_EQ(finding.cost.find("known") != std::string::npos, truth.kernel_at_least || truth.at_least) << finding.cost;
  }
}

TEST_F(OneReport, WhatIsMissingIsSaidInAllFormats) {
  const std::string message = "kernel template 'lost' has no instantiation";
  EXPECT_NE(json_report(report).find("\"incomplete\": true"), std::string::npos);
  EXPECT_NE(sarif_report(report, sources).find("\"incomplete\": true"), std::string::npos);
  for (const std::string &text : {json_report(report), sarif_report(report, sources), gitlab_report(report),
                                  github_report(report), html_report(report, sources), plain(markdown_report(report))})
    EXPECT_TRUE(text.find(message) != std::string::npos ||
                text.find("kernel template &apos;lost&apos;") != std::string::npos ||
                text.find("kernel template &#39;lost") != std::string::npos)
        << text.substr(0, 2000);
  EXPECT_NE(text_report(report, sources, {.full = true}).find("1 file analysed in part only"), std::string::npos);
}

} // namespace
} // namespace smem
