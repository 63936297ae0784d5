#include "driver/what_if.h"

#include "driver/analyse.h"
#include "driver/conclude.h"
#include "driver/find_files.h"
#include "driver/output.h"
#include "driver/variations.h"
#include "driver/version.h"
#include "report/findings.h"
#include "report/format.h"
#include "report/launch_floor.h"
#include "report/machine_text.h"
#include "report/site_rows.h"
#include "sinks/escape.h"
#include "sinks/files.h"
#include "support/paths.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unistd.h>

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;

/// One launch of a variant.
struct Row {
  std::string file, kernel;
  Dim3 grid, block;
  std::uint64_t shared_bytes = 0;
  Counts counts;
  bool at_least = false; ///< some access is not known
  bool assumed = false;  ///< something of the launch is
  std::optional<LaunchFloor> floor;
  std::uint64_t touched_bytes = 0; ///< of global memory, different ones: the more of what is read and what is written
};

struct Result {
  std::string text;               ///< of the variant
  std::string error;              ///< why it could not be analysed; else rows are there
  std::vector<std::string> wrong; ///< what is wrong with it that is not with the sources as they are
  std::vector<Row> rows;
  std::size_t warnings = 0; ///< findings that are more than notes

  bool good() const { return error.empty() && wrong.empty(); }
  /// Of all launches; nullopt: one has none, or it is a lower bound of that or assumed.
  std::optional<std::uint64_t> floor_ns() const {
    std::uint64_t sum = 0;
    for (const Row &row : rows) {
      if (!row.floor || row.at_least || row.floor->floor.at_least)
        return std::nullopt;
      sum += row.floor->floor.ns;
    }
    return rows.empty() ? std::nullopt : std::optional(sum);
  }
  /// What of global memory the launches touch, which variants of the same work have in common.
  std::uint64_t touched_bytes() const {
    std::uint64_t sum = 0;
    for (const Row &row : rows)
      sum += row.touched_bytes;
    return sum;
  }
  std::uint64_t wavefronts() const {
    std::uint64_t sum = 0;
    for (const Row &row : rows)
      sum += row.counts.wavefronts;
    return sum;
  }
};

/// Findings about what must not be, whatever it costs.
bool is_wrong(const Finding &finding) {
  const std::string_view id = finding.rule->id;
  return id == rule::capacity ? finding.severity == Severity::Error
                              : id == rule::launch_limit || id == rule::out_of_bounds || id == rule::misaligned ||
                                    id == rule::race || id == rule::barrier_divergence || id == rule::division_by_zero;
}

Row row_of(const FileAnalysis &file, const LaunchAnalysis &launch, const Gpu *gpu) {
  const Program &program = file.programs[launch.program];
  Row row{file.file,
          program.kernel,
          launch.launch.grid,
          launch.launch.block,
          launch.result.shared_bytes,
          {},
          false,
          !launch.launch.assumptions.empty() || !launch.launch.not_known.empty(),
          launch_floor(file, launch, gpu),
          std::max(launch.result.least.read_bytes, launch.result.least.written_bytes)};
  for (const SiteRow &site : site_rows(program, launch.result)) {
    row.counts += site.counts;
    row.at_least |= site.verdict == Verdict::Unknown;
  }
  return row;
}

std::string first_error(const std::vector<FileAnalysis> &files) {
  for (const FileAnalysis &file : files) {
    for (const Diagnostic &diagnostic : file.diagnostics)
      if (diagnostic.severity == Severity::Error)
        return (diagnostic.location.known() ? to_string(diagnostic.location) + ": " : "") + diagnostic.message;
    if (!file.parsed)
      return file.file + ": cannot be analysed";
  }
  return {};
}

/// What is wrong, as texts that are compared with those of the sources as they are: without numbers of threads and bytes.
std::map<std::string, std::string> what_is_wrong(std::span<const Finding> findings) {
  std::map<std::string, std::string> all;
  for (const Finding &finding : findings)
    if (is_wrong(finding))
      all.emplace(std::string(finding.rule->id) + "|" + finding.location.file + "|" + finding.subject,
                  finding.message + " [" + std::string(finding.rule->id) + "]");
  return all;
}

class Comparison {
public:
  Comparison(const DriverOptions &options, std::map<std::string, std::string> texts)
      : options_(options), gpu_(options.gpu ? &*options.gpu : nullptr), texts_(std::move(texts)) {}

  Result analyse_variant(const SourceVariant &variant) {
    Result result;
    result.text = variant.text;
    DriverOptions options = options_for(variant, options_, texts_, result.error);
    if (!result.error.empty())
      return result;
    options.quiet = true;
    Settings settings(options);
    const std::optional<Analysed> analysed = analyse(options, settings);
    if (!analysed || analysed->unmatched) {
      result.error = "nothing that is analysed has it"; // said in full already
      return result;
    }
    if (result.error = first_error(analysed->files); !result.error.empty())
      return result;
    const std::vector<Finding> findings = find_all(analysed->files, [&](std::size_t i) -> const FindingOptions & {
      return settings.of(analysed->files[i].file).findings;
    });
    result.warnings = static_cast<std::size_t>(
        std::ranges::count_if(findings, [](const Finding &finding) { return finding.severity != Severity::Note; }));
    std::map<std::string, std::string> wrong = what_is_wrong(findings);
    if (variant.values.empty())
      base_ = wrong;
    for (const auto &[key, text] : wrong)
      if (variant.values.empty() || !base_.contains(key))
        result.wrong.push_back(text);
    for (const FileAnalysis &file : analysed->files)
      for (const LaunchAnalysis &launch : file.launches)
        result.rows.push_back(row_of(file, launch, gpu_));
    if (result.rows.empty())
      result.error = "no kernel is launched";
    return result;
  }

private:
  const DriverOptions &options_;
  const Gpu *const gpu_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::string> base_; ///< what is wrong with the sources as they are
};

/// Does more or less than the sources as they are: other sizes, not another way to do the same. Where that is not known, it is taken to do the same.
bool does_other_work(const Result &result, const Result &base) {
  constexpr double kSame = 1.05; // edges of tiles
  const auto now = static_cast<double>(result.touched_bytes()), then = static_cast<double>(base.touched_bytes());
  return now > 0 && then > 0 && (now > kSame * then || then > kSame * now);
}

/// Of variants that can be compared: the lowest floor, of equal ones the fewest wavefronts, then the first.
std::optional<std::size_t> best_of(const std::vector<Result> &results) {
  std::optional<std::size_t> best;
  const auto key = [&](std::size_t i) { return std::pair(*results[i].floor_ns(), results[i].wavefronts()); };
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].good() && results[i].floor_ns() && !does_other_work(results[i], results.front()) &&
        (!best || key(i) < key(*best)))
      best = i;
  return best;
}

/// Kernels of which some variant has other figures; all, if none has.
std::set<std::string> changed_kernels(const std::vector<Result> &results) {
  std::map<std::string, std::set<std::string>> figures;
  for (const Result &result : results) {
    std::map<std::string, std::string> of_kernel;
    for (const Row &row : result.rows)
      of_kernel[row.kernel] += to_string(row.grid) + to_string(row.block) + std::to_string(row.counts.wavefronts) +
                               "," + std::to_string(row.counts.sectors) + "," + std::to_string(row.shared_bytes) + "," +
                               std::to_string(row.floor ? row.floor->floor.ns : 0) + ";";
    if (result.error.empty())
      for (const auto &[kernel, text] : of_kernel)
        figures[kernel].insert(text);
  }
  std::set<std::string> changed, all;
  for (const auto &[kernel, texts] : figures) {
    all.insert(kernel);
    if (texts.size() > 1)
      changed.insert(kernel);
  }
  return changed.empty() ? all : changed;
}

std::string name_of(const Result &result) { return result.text.empty() ? "as it is" : result.text; }

std::string figure(std::uint64_t value, bool at_least) {
  return to_string(Figure{at_least && value == 0 ? std::nullopt : std::optional(value), at_least});
}

std::string floor_cell(const Row &row) {
  if (!row.floor)
    return "-";
  return (row.floor->floor.at_least ? ">=" : "") + duration_text(row.floor->floor.ns);
}

std::string occupancy_cell(const Row &row) {
  if (!row.floor)
    return "-";
  const Occupancy &occupancy = row.floor->residency.occupancy;
  return occupancy.blocks_per_sm == 0
             ? "none fits"
             : std::to_string(occupancy.blocks_per_sm) + " x " + std::to_string(occupancy.warps_per_block) + " (" +
                   std::string(to_string(occupancy.limit)) + ")";
}

std::string gain_cell(const Result &result, const Result &base) {
  const auto now = result.floor_ns(), then = base.floor_ns();
  if (!now || !then || &result == &base || !result.good())
    return "";
  if (does_other_work(result, base)) {
    const std::uint64_t bytes = result.touched_bytes(), before = base.touched_bytes();
    const double each = static_cast<double>(*now) / static_cast<double>(bytes),
                 each_before = static_cast<double>(*then) / static_cast<double>(before);
    const auto per_byte = [](double more, double less) {
      constexpr double kDigits = 1e6;
      return ratio(static_cast<std::uint64_t>(more / less * kDigits), static_cast<std::uint64_t>(kDigits));
    };
    return "other work (" +
           (bytes > before ? ratio(bytes, before) + " the data" : ratio(before, bytes) + " less data") + "), " +
           (each < each_before ? per_byte(each_before, each) + " lower" : per_byte(each, each_before) + " higher") +
           " a byte";
  }
  return *now == *then ? "the same" : *now < *then ? ratio(*then, *now) + " lower" : ratio(*now, *then) + " higher";
}

std::string text(const std::vector<Result> &results, std::optional<std::size_t> best, bool color) {
  using Align = Table::Align;
  const std::set<std::string> shown = changed_kernels(results);
  Table table({Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left,
               Align::Right, Align::Left, Align::Left});
  table.row({{"variant", Style::Dim},
             {"kernel", Style::Dim},
             {"grid, block", Style::Dim},
             {"shared B", Style::Dim},
             {"wavefronts", Style::Dim},
             {"sectors", Style::Dim},
             {"blocks x warps an SM", Style::Dim},
             {"floor", Style::Dim},
             {"bound by", Style::Dim},
             {"floors", Style::Dim}});
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result &result = results[i];
    bool first = true;
    for (const Row &row : result.rows) {
      if (!shown.contains(row.kernel))
        continue;
      const std::string bound = !row.floor                           ? ""
                                : !row.floor->bound().value_or(true) ? "not by throughput"
                                : row.floor->floor.at_least          ? "not known"
                                                                     : std::string(to_string(row.floor->floor.binding));
      table.row({{first ? name_of(result) : "", best == i ? Style::Bold : Style::Plain},
                 {short_kernel(row.kernel, 40)},
                 {short_dim(row.grid) + " " + short_dim(row.block) + (row.assumed ? " assumed" : "")},
                 {thousands(row.shared_bytes)},
                 {figure(row.counts.wavefronts, row.at_least)},
                 {figure(row.counts.sectors, row.at_least)},
                 {occupancy_cell(row)},
                 {floor_cell(row)},
                 {bound},
                 {first ? gain_cell(result, results.front()) : "", Style::Bold}});
      first = false;
    }
    if (!result.error.empty())
      table.row({{name_of(result), Style::Red}, {"-"}, {}, {}, {}, {}, {}, {}, {}, {}});
  }
  std::string out = table.print("", color);
  for (const Result &result : results) {
    if (!result.error.empty())
      out += styled(name_of(result), Style::Bold, color) + ": cannot be analysed: " + sinks::line(result.error) + "\n";
    for (const std::string &wrong : result.wrong)
      out += styled(name_of(result), Style::Bold, color) + ": " + sinks::line(wrong) + "\n";
  }
  if (!best)
    return out + "best: not known, as no variant has a floor that can be compared\n";
  const Result &winner = results[*best];
  const std::string gain = gain_cell(winner, results.front());
  return out + "best: " + styled(name_of(winner), Style::Bold, color) +
         (gain.empty()         ? ""
          : gain == "the same" ? ", with the same floor"
                               : ": its floor is " + gain) +
         "\n";
}

std::string json(const std::vector<Result> &results, std::optional<std::size_t> best) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  llvm::json::OStream json(stream, 2);
  json.object([&] {
    json.attribute("schema_version", "1.1");
    json.attribute("kind", "smem-lint-what-if");
    json.attributeObject("tool", [&] {
      json.attribute("name", "smem-lint");
      json.attribute("version", SMEM_LINT_VERSION);
    });
    json.attribute("best", best ? llvm::json::Value(static_cast<std::int64_t>(*best)) : llvm::json::Value(nullptr));
    json.attributeArray("variants", [&] {
      for (const Result &result : results)
        json.object([&] {
          json.attribute("variant", utf8(result.text));
          json.attribute("error",
                         result.error.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(utf8(result.error)));
          json.attributeArray("wrong", [&] {
            for (const std::string &text : result.wrong)
              json.value(utf8(text));
          });
          const auto ns = result.error.empty() ? result.floor_ns() : std::nullopt;
          json.attribute("floor_ns",
                         ns ? llvm::json::Value(static_cast<std::int64_t>(*ns)) : llvm::json::Value(nullptr));
          json.attribute("same_work", result.error.empty()
                                          ? llvm::json::Value(!does_other_work(result, results.front()))
                                          : llvm::json::Value(nullptr));
          json.attribute("warnings", static_cast<std::int64_t>(result.warnings));
          json.attributeArray("launches", [&] {
            for (const Row &row : result.rows)
              json.object([&] {
                json.attribute("file", utf8(row.file));
                json.attribute("kernel", utf8(row.kernel));
                json.attribute("grid", llvm::json::Array{row.grid.x, row.grid.y, row.grid.z});
                json.attribute("block", llvm::json::Array{row.block.x, row.block.y, row.block.z});
                json.attribute("shared_bytes", row.shared_bytes);
                json.attribute("assumed", row.assumed);
                json.attribute("at_least", row.at_least);
                json.attribute("wavefronts", row.counts.wavefronts);
                json.attribute("ideal_wavefronts", row.counts.ideal_wavefronts);
                json.attribute("sectors", row.counts.sectors);
                json.attribute("ideal_sectors", row.counts.ideal_sectors);
                if (!row.floor)
                  return json.attribute("floor", nullptr);
                json.attributeObject("floor", [&] {
                  json.attribute("gpu", utf8(row.floor->gpu->name));
                  json.attribute("ns", row.floor->floor.ns);
                  json.attribute("binding", std::string(metric_name(row.floor->floor.binding)));
                  json.attribute("blocks_per_sm", row.floor->residency.occupancy.blocks_per_sm);
                  json.attribute("warps_per_sm", row.floor->residency.warps_at_once);
                });
              });
          });
        });
    });
  });
  stream << '\n';
  return sinks::json(out);
}

} // namespace

int what_if(const DriverOptions &given) {
  std::vector<Variation> variations;
  for (const std::string &text : given.what_if) {
    std::string error;
    variations.push_back(parse_variation(text, error));
    if (!error.empty()) {
      complain("--what-if '" + text + "': " + error);
      return kFailure;
    }
  }
  std::string error;
  const std::vector<SourceVariant> variants = variants_of(variations, error);
  if (!error.empty()) {
    complain("--what-if: " + error);
    return kFailure;
  }
  Settings settings(given);
  FoundFiles found = find_files(given, settings);
  DriverOptions options = given;
  options.files = std::move(found.files);
  options.callers = std::move(found.callers);
  options.fail_on = FailOn::Never; // it compares, and judges nothing
  std::map<std::string, std::string> texts;
  for (const std::string &file : options.files) {
    if (file == "-") {
      complain("--what-if is for files, not for standard input");
      return kFailure;
    }
    std::string wrong;
    if (const auto contents = sinks::read_file(file, wrong))
      texts.emplace(normalise_path(file), *contents);
  }
  if (print_diagnostics(found.diagnostics, options) || print_diagnostics(settings.take_diagnostics(), options))
    return kFailure;
  Comparison comparison(options, texts);
  std::vector<Result> results;
  for (const SourceVariant &variant : variants) {
    results.push_back(comparison.analyse_variant(variant));
    if (variant.values.empty() && !results.front().error.empty()) {
      complain("--what-if: the sources as they are: " + results.front().error);
      return kFailure;
    }
  }
  const std::optional<std::size_t> best = best_of(results);
  const bool color = options.output.empty() && wants_color(options.color, STDOUT_FILENO);
  const std::string report =
      options.format == Format::Json ? json(results, best) : sinks::terminal(text(results, best, color), color);
  if (const std::string wrong = deliver(report, options.output); !wrong.empty()) {
    complain(wrong);
    return kFailure;
  }
  const bool none =
      std::all_of(results.begin() + 1, results.end(), [](const Result &result) { return !result.error.empty(); });
  return none ? kFailure : kClean;
}

} // namespace smem
