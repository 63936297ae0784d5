#include "driver/init.h"

#include "config/config.h"
#include "driver/analyse.h"
#include "driver/conclude.h"
#include "driver/find_files.h"
#include "driver/output.h"
#include "plan/kernel_facts.h"
#include "plan/launch_spec.h"
#include "plan/statable.h"
#include "report/launch_table.h"
#include "support/paths.h"
#include "sinks/escape.h"
#include "sinks/files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace smem {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostShown = 3;    ///< launches of a kernel, in a comment
constexpr std::size_t kMostRecorded = 8; ///< of a kernel, as launches; of more there are the facts that hold for all

constexpr const char *kHead =
    "# Written by `smem-lint init`: what an analysis found of the launches of these kernels.\n"
    "# Fill in what is missing and remove the '#': a value (256, '(32,8)'), a range (32..1024 step 32) or a fact (multiple of 32).\n"
    "# What stands here is stronger than host code. The keys are globs over names; docs/review.md has all of them.\n";

/// Names come from sources, and comments end with their line.
std::string comment(const std::string &text) { return sinks::line(text); }

std::string plain_name(const std::string &kernel) { return kernel.substr(0, kernel.find('<')); }

/// All kernels of one name, instances of a template and copies in several files.
struct Named {
  struct Launched {
    const Program *program;
    const Launch *launch;
  };
  std::vector<Launched> launches;
};

/// "not known from the source", out of what was assumed for a part of the launch.
std::string reason_of(const Launch &launch, const std::string &part) {
  for (const Assumption &assumption : launch.assumptions) {
    const std::size_t colon = assumption.text.find(": ");
    if (assumption.text.starts_with(part + "=") && colon != std::string::npos)
      return assumption.text.substr(colon + 2);
  }
  return "not known from the source";
}

/// What the code says of the argument in all launches; a value that one has is such a fact.
ArgumentFacts facts_of(const Named &kernel, const ArgumentValue &argument) {
  std::optional<ArgumentFacts> all;
  for (const auto &[program, launch] : kernel.launches)
    for (const ArgumentValue &other : launch->arguments) {
      if (other.index != argument.index || other.offset != argument.offset)
        continue;
      const bool known = other.value && other.provenance != Provenance::Assumed;
      const ArgumentFacts facts = known ? ArgumentFacts{1, 0, other.value, other.value} : other.facts;
      all = all ? either(*all, facts) : facts;
    }
  return all.value_or(ArgumentFacts());
}

/// The part is not known, and follows from parameters of the function that launches the kernel: it is these that can be stated.
bool follows(const Launch &launch, std::string_view part) {
  const bool known = part == "block" ? launch.block_known : part == "grid" ? launch.grid_known : launch.dynamic_known;
  return !known && !launch.chosen.empty() && std::ranges::all_of(launch.chosen, [](const ChosenQuantity &one) {
    return one.origin.starts_with("parameter of ");
  }) && std::ranges::none_of(launch.assumptions, [&](const Assumption &one) {
    return one.text.starts_with(std::string(part) + "=");
  });
}

/// A line of the kernel's entry for each part that no launch of it says, and that is not `named` yet.
std::string missing(const Named &kernel, std::set<std::string> &named) {
  std::string lines;
  const auto add = [&](const std::string &part, const std::string &value, const Launch &launch) {
    if (named.insert(part).second)
      lines += "  #  " + sinks::yaml(part) + ": " + value + "  # assumed: " + comment(reason_of(launch, part)) + "\n";
  };
  const auto add_fact = [&](const std::string &part, const ArgumentFacts &facts, SourceLocation where) {
    where.file = seen_from_here(where.file);
    if (named.insert(part).second)
      lines += "  #  " + sinks::yaml(part) + ": " + sinks::yaml(kernel_fact_text(facts)) +
               (where.known() ? "  # " + comment(to_string(where)) : std::string()) + "\n";
  };
  for (const auto &[program, launch] : kernel.launches) {
    if (!launch->block_known && !follows(*launch, "block"))
      add("block", sinks::yaml(to_string(launch->block)), *launch);
    if (!launch->grid_known && !follows(*launch, "grid"))
      add("grid", sinks::yaml(to_string(launch->grid)), *launch);
    if (!launch->dynamic_known && !follows(*launch, "dynamic"))
      add("dynamic", std::to_string(launch->dynamic_shared_bytes), *launch);
    const std::vector<PassedScalar> scalars = passed_scalars(*program);
    for (const ArgumentValue &argument : launch->arguments)
      if (const PassedScalar *scalar = statable_scalar(scalars, argument);
          scalar && argument.value && argument.provenance == Provenance::Assumed) {
        const ArgumentFacts facts = facts_of(kernel, argument);
        if (facts.empty())
          add(scalar->scalar.name, std::to_string(*argument.value), *launch);
        else
          add_fact(scalar->scalar.name, facts, argument.facts_location);
      }
    if (follows(*launch, "block") || follows(*launch, "grid") || follows(*launch, "dynamic"))
      for (const ChosenQuantity &quantity : launch->chosen)
        if (named.insert(quantity.name).second)
          lines += "  #  " + sinks::yaml(quantity.name) + ": " + std::to_string(quantity.value) +
                   "  # assumed: " + comment(quantity.origin) + "\n";
  }
  return lines;
}

/// What holds for all values.
ArgumentFacts facts_of(const std::vector<std::int64_t> &values) {
  ArgumentFacts facts;
  const auto [least, most] = std::ranges::minmax(values);
  facts.least = least;
  facts.most = most;
  std::int64_t step = 0;
  for (const std::int64_t value : values)
    step = std::gcd(step, value - least);
  if (step > 1 && step <= ArgumentFacts::kMostModulus) {
    facts.modulus = step;
    facts.remainder = (least % step + step) % step;
  }
  return facts;
}

/// The entry of a kernel that was recorded with more launches than are listed; what it says is `named` then.
std::string summary(const std::string &name, const Named &kernel, std::set<std::string> &named) {
  std::map<std::string, std::vector<std::int64_t>> values;
  std::set<std::string> blocks, grids;
  std::array<std::vector<std::int64_t>, 3> axes;
  for (const auto &[program, launch] : kernel.launches) {
    blocks.insert(to_string(launch->block));
    grids.insert(to_string(launch->grid));
    axes[0].push_back(launch->block.x);
    axes[1].push_back(launch->block.y);
    axes[2].push_back(launch->block.z);
    for (const auto &[parameter, value] : stated_launch(*program, *launch, true).scalars)
      values[parameter].push_back(value);
  }
  const auto entry = [&](const std::string &key, const std::string &value) {
    named.insert(key);
    return "    " + sinks::yaml(key) + ": " + sinks::yaml(value) + "\n";
  };
  std::string text =
      "  " + sinks::yaml(name) + ":  # " + std::to_string(kernel.launches.size()) + " recorded launches\n";
  text += entry("block", blocks.size() == 1
                             ? *blocks.begin()
                             : kernel_fact_text(BlockFacts{facts_of(axes[0]), facts_of(axes[1]), facts_of(axes[2])}));
  if (grids.size() == 1)
    text += entry("grid", *grids.begin());
  for (const auto &[parameter, all] : values)
    if (all.size() == kernel.launches.size()) // of instances that have it all
      text += entry(parameter, std::ranges::minmax(all).min == std::ranges::minmax(all).max
                                   ? std::to_string(all.front())
                                   : kernel_fact_text(facts_of(all)));
  return text;
}

} // namespace

std::string initial_config(const std::vector<FileAnalysis> &files) {
  std::map<std::pair<SourceLocation, std::string>, Named> kernels; // a header's once
  for (const FileAnalysis &file : files)
    for (const LaunchAnalysis &launch : file.launches) {
      const Program &program = file.programs[launch.program];
      kernels[{program.location, plain_name(program.kernel)}].launches.push_back({&program, &launch.launch});
    }
  if (kernels.empty())
    return {};
  std::string recorded, facts;
  std::set<std::string> listed;
  // Two kernels of one name are one key, which follows the last of them.
  struct Entry {
    std::size_t open = 0; ///< kernels of the name that are still to come
    Named summarised, incomplete;
  };
  std::map<std::string, Entry> entries;
  for (const auto &[where, kernel] : kernels)
    ++entries[where.second].open;
  const auto add = [](Named &all, const Named &more) {
    all.launches.insert(all.launches.end(), more.launches.begin(), more.launches.end());
  };
  const auto close = [&](const std::string &name, Entry &entry) {
    if (--entry.open != 0)
      return;
    std::set<std::string> named;
    const bool summarised = !entry.summarised.launches.empty();
    if (summarised)
      facts += summary(name, entry.summarised, named);
    if (const std::string lines = missing(entry.incomplete, named); !lines.empty())
      facts += (summarised ? std::string() : "  #" + sinks::yaml(name) + ":\n") + lines;
  };
  for (const auto &[where, kernel] : kernels) {
    const auto &[location, name] = where;
    const bool is_recorded = std::ranges::all_of(kernel.launches, [](const Named::Launched &one) {
      return one.launch->shape_provenance == Provenance::Recorded;
    });
    std::string text = "  # " + comment(name + ", " + to_string(location));
    if (is_recorded && kernel.launches.size() <= kMostRecorded) {
      for (const auto &[program, launch] : kernel.launches) {
        LaunchWish wish = stated_launch(*program, *launch, true);
        wish.kernel = program->kernel;
        const std::string words = launch_option_text(wish);
        if (listed.insert(words).second)
          recorded += "  - " + sinks::yaml(words) + "  # " + comment(to_string(launch->location)) + "\n";
      }
      facts += text + ": recorded\n";
      close(name, entries[name]);
      continue;
    }
    if (is_recorded) {
      facts += text + "\n";
      add(entries[name].summarised, kernel);
      close(name, entries[name]);
      continue;
    }
    std::set<std::string> said;
    for (const auto &[program, launch] : kernel.launches)
      if (launch->shape_provenance < Provenance::LaunchBounds || launch->location.known()) {
        const std::string words = launch_option_text(stated_launch(*program, *launch, true));
        said.insert(origin_text(*launch) + (words.empty() ? "" : ": " + words));
      }
    facts += text + (said.empty() ? ": no launch found\n" : "\n");
    std::size_t shown = 0;
    for (const std::string &one : said)
      if (shown++ < kMostShown)
        facts += "  #   " + comment(one) + "\n";
    if (said.size() > kMostShown)
      facts += "  #   and " + std::to_string(said.size() - kMostShown) + " more\n";
    add(entries[name].incomplete, kernel);
    close(name, entries[name]);
  }
  std::string text = kHead;
  if (!recorded.empty())
    text += "Launches:\n" + recorded;
  return text + "Kernels:\n" + facts;
}

int init(const DriverOptions &given) {
  Settings settings(given);
  FoundFiles found = find_files(given, settings);
  const bool incomplete = print_diagnostics(found.diagnostics, given);
  DriverOptions options = given;
  options.files = std::move(found.files);
  options.callers = std::move(found.callers);
  const std::optional<Analysed> analysed = analyse(options, settings);
  if (!analysed)
    return kFailure;
  const bool complained = print_file_diagnostics(analysed->files, options);
  const bool failed = complained || analysed->unmatched || incomplete;
  const std::string text = initial_config(analysed->files);
  if (text.empty()) {
    complain("init: no kernel of these files was analysed: there is nothing to write");
    return kFailure;
  }
  const std::string path = options.output.empty() ? std::string(kConfigName) : options.output;
  if (const ParsedConfig parsed = parse_config(text, path, "."); !parsed.diagnostics.empty()) {
    (void)print_diagnostics(parsed.diagnostics, options);
    complain("init: nothing is written, as it could not be read");
    return kFailure;
  }
  std::error_code none;
  if (!options.force && fs::is_symlink(fs::symlink_status(path, none))) { // one that leads to nothing, too
    complain("init: '" + path + "' is there already; --force replaces it");
    return kFailure;
  }
  const std::optional<std::string> nothing;
  sinks::Writing how;
  if (!options.force)
    how.before = &nothing;
  if (const std::string error = sinks::write_file(path, text, how); !error.empty()) {
    const bool there = error.find(sinks::kHasChanged) != std::string::npos;
    complain("init: " + (there ? "'" + path + "' is there already; --force replaces it" : error));
    return kFailure;
  }
  if (!options.quiet)
    remark("wrote " + path);
  return failed ? kFailure : kClean;
}

} // namespace smem
