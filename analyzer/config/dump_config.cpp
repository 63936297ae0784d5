#include "config/config.h"

#include "config/machine_code_words.h"
#include "plan/kernel_facts.h"
#include "plan/launch_spec.h"
#include "sinks/escape.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <llvm/ADT/StringExtras.h>

namespace smem {
namespace {

std::string number_text(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  for (int digits = 1; digits < 17; ++digits) { // the shortest that reads back as the same
    char shorter[64];
    std::snprintf(shorter, sizeof shorter, "%.*g", digits, value);
    if (std::strtod(shorter, nullptr) == value)
      return shorter;
  }
  return buffer;
}

/// The settings that come before all that hold for some paths only: the others keep their order as entries of PerPath.
template <class T> std::size_t for_all_files(const std::vector<T> &settings) {
  return static_cast<std::size_t>(
      std::find_if(settings.begin(), settings.end(), [](const T &each) { return each.only != nullptr; }) -
      settings.begin());
}

std::string list_of(const std::vector<PlacedText> &globs) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < for_all_files(globs); ++i)
    texts.push_back(globs[i].text);
  return llvm::join(texts, ",");
}

/// Entries of PerPath, each `key` with its value; what follows one and holds for all files does so for the path `/**`.
template <class T> void dump_per_path(std::string &out, const char *key, const std::vector<T> &settings,
                                      const std::function<std::string(const T &)> &value) {
  for (std::size_t i = for_all_files(settings); i < settings.size(); ++i) {
    out += "  - Path:\n";
    if (!settings[i].only)
      out += "      - '/**'\n";
    else
      for (const PathGlob &glob : *settings[i].only)
        out += "      - " + sinks::yaml(glob.text()) + "\n";
    out += std::string("    ") + key + ": " + value(settings[i]) + "\n";
  }
}

std::string severity_text(const SeveritySetting &setting) {
  return "{" + sinks::yaml(setting.rule) + ": " + std::string(to_string(setting.severity)) + "}";
}

void dump_list(std::string &out, const char *key, const std::vector<std::string> &items) {
  out += std::string(key) + ":" + (items.empty() ? " []" : "") + "\n";
  for (const std::string &item : items)
    out += "  - " + sinks::yaml(item) + "\n";
}

} // namespace

std::string dump(const Config &config) {
  const Thresholds defaults;
  std::string out = "---\n";
  out += "Checks: " + sinks::yaml(list_of(config.checks)) + "\n";
  out += "WarningsAsErrors: " + sinks::yaml(list_of(config.warnings_as_errors)) + "\n";
  const std::size_t severities = for_all_files(config.severities);
  out += severities == 0 ? "Severity: {}\n" : "Severity:\n";
  for (std::size_t i = 0; i < severities; ++i)
    if (std::none_of(config.severities.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     config.severities.begin() + static_cast<std::ptrdiff_t>(severities),
                     [&](const SeveritySetting &later) { return later.rule == config.severities[i].rule; }))
      out += "  " + sinks::yaml(config.severities[i].rule) + ": " +
             std::string(to_string(config.severities[i].severity)) + "\n";
  std::string per_path;
  const std::function<std::string(const PlacedText &)> list = [](const PlacedText &each) {
    return sinks::yaml(each.text);
  };
  dump_per_path(per_path, "Checks", config.checks, list);
  dump_per_path(per_path, "WarningsAsErrors", config.warnings_as_errors, list);
  dump_per_path<SeveritySetting>(per_path, "Severity", config.severities, severity_text);
  out += per_path.empty() ? "PerPath: []\n" : "PerPath:\n" + per_path;
  out += "HeaderFilterRegex: " + sinks::yaml(config.header_filter.value_or(".*")) + "\n";
  out += "FailOn: " + std::string(to_string(config.fail_on.value_or(FailOn::Warning))) + "\n";
  out += "MinGain: " + number_text(100 * config.min_gain.value_or(0)) + "%\n";
  if (config.architecture)
    out += "Arch: " + sinks::yaml(*config.architecture) + "\n";
  if (config.cuda_path)
    out += "CudaPath: " + sinks::yaml(*config.cuda_path) + "\n";
  if (config.machine_code)
    out += "AsCompiled: " +
           std::string(std::ranges::find(kMachineCode, *config.machine_code, &MachineCodeWord::from)->word) + "\n";
  dump_list(out, "ExtraArgs", config.extra_args);
  dump_list(out, "ExtraArgsBefore", config.extra_args_before);
  std::vector<std::string> launches;
  std::map<std::string, BlockFacts> blocks; // what the words of a launch cannot say
  for (LaunchWish wish : config.launches) {
    if (wish.block_facts) {
      const auto [known, first] = blocks.emplace(wish.kernel, *wish.block_facts);
      if (!first)
        known->second = combine(known->second, *wish.block_facts).value_or(*wish.block_facts);
      wish.block_facts.reset();
    }
    if (wish.block || wish.grid || wish.grid_open || wish.dynamic_shared_bytes || !wish.scalars.empty() ||
        !wish.facts.empty())
      launches.push_back(launch_option_text(wish));
  }
  dump_list(out, "Launches", launches);
  std::vector<std::string> exclude;
  for (const PathGlob &glob : config.exclude)
    exclude.push_back(glob.text());
  dump_list(out, "Exclude", exclude);
  if (!blocks.empty())
    out += "Kernels:\n";
  for (const auto &[kernel, facts] : blocks)
    out += "  " + sinks::yaml(kernel) + ": {block: " + sinks::yaml(kernel_fact_text(facts)) + "}\n";
  out += "Thresholds:\n";
  out += "  NoteBelowShare: " + number_text(config.note_below_share.value_or(defaults.note_below_share)) + "\n";
  out += "  ErrorAboveShare: " + number_text(config.error_above_share.value_or(defaults.error_above_share)) + "\n";
  out += "  LeastSectorRatio: " + number_text(config.least_sector_ratio.value_or(defaults.least_sector_ratio)) + "\n";
  out += std::string("Budgets:") + (config.budgets.empty() ? " []" : "") + "\n";
  for (const KernelBudget &budget : config.budgets) {
    out += "  - Kernel: " + sinks::yaml(budget.kernel) + "\n";
    const auto limit = [&](const char *key, const std::optional<double> &value) {
      if (value)
        out += std::string("    ") + key + ": " + number_text(*value) + "\n";
    };
    if (budget.file)
      out += "    File: " + sinks::yaml(*budget.file) + "\n";
    limit("Degree", budget.degree);
    limit("WavefrontsPerRequest", budget.wavefronts_per_request);
    limit("SectorsPerRequest", budget.sectors_per_request);
    limit("Wavefronts", budget.wavefronts);
    limit("Sectors", budget.sectors);
    limit("SharedBytes", budget.shared_bytes);
  }
  if (config.baseline)
    out += "Baseline: " + sinks::yaml(*config.baseline) + "\n";
  if (config.cache_dir)
    out += "CacheDir: " + sinks::yaml(*config.cache_dir) + "\n";
  return out + "...\n";
}

} // namespace smem
