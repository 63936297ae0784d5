#include "config/config.h"

#include "config/machine_code_words.h"
#include "config/yaml_reader.h"

#include "flags/translate_flags.h"
#include "plan/kernel_facts.h"
#include "plan/launch_spec.h"
#include "support/nearest.h"
#include "support/paths.h"

#include "support/regular_expression.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/YAMLParser.h>

namespace smem {
namespace {

namespace yaml = llvm::yaml;

/// Whether `path`, links followed, is below `folder` and not in git's own folder there.
bool lies_within(const std::string &path, const std::string &folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path walked;
  for (const fs::path &part : fs::path(path)) {
    walked /= part;
    if (fs::is_symlink(fs::symlink_status(walked, error)) && !fs::exists(walked, error))
      return false; // whatever is made through it lies where it points
  }
  const fs::path target = fs::weakly_canonical(path, error);
  if (error)
    return false;
  const fs::path root = fs::weakly_canonical(folder, error);
  const fs::path below = target.lexically_relative(root);
  return !error && !below.empty() && *below.begin() != ".." && *below.begin() != "." && *below.begin() != ".git";
}

template <class T> void append(std::vector<T> &to, const std::vector<T> &from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// One pass over one document. Errors are collected with their places; reading goes on, so that all of them are seen.
class Reader : YamlReader {
public:
  Reader(std::string name, std::string directory, std::string confined_to, ParsedConfig &out)
      : YamlReader(std::move(name), out.diagnostics), directory(std::move(directory)),
        confined_to(std::move(confined_to)), config(out.config) {}

  void read(std::string_view text) {
    if (document(text, [this](yaml::Node *root) { top_level(root); }))
      check_launches();
  }

private:
  Handler text(const std::string &key, std::optional<std::string> &into) {
    return [this, key, &into](yaml::Node *node) {
      if (auto value = scalar(node, key))
        into = std::move(value);
    };
  }

  Handler path(const std::string &key, std::optional<std::string> &into) {
    return [this, key, &into](yaml::Node *node) {
      if (const auto value = scalar(node, key))
        into = normalise_path(*value, directory);
    };
  }

  /// A file or folder that is written.
  Handler written_path(const std::string &key, std::optional<std::string> &into) {
    return [this, key, &into](yaml::Node *node) {
      path(key, into)(node);
      if (into && !confined_to.empty() && !lies_within(*into, confined_to))
        complain(node, key + ": '" + *into + "' is not a place in '" + confined_to +
                           "'; a configuration that was found has nothing written elsewhere unless --trust is given");
    };
  }

  /// Compiler flags. Those that have no part in an analysis are errors: whoever wrote them expects something of them.
  Handler flags(const std::string &key, std::vector<std::string> &into) {
    return [this, key, &into](yaml::Node *node) {
      std::vector<SourceLocation> places;
      sequence(node, key, [&](yaml::Node *item) {
        if (auto value = scalar(item, key)) {
          into.push_back(std::move(*value));
          places.push_back(place(item));
        }
      });
      for (const UnusedOption &option : translate_flags(into).unused)
        fail(places[option.from], key + ": " + message_of(option));
    };
  }

  static std::string message_of(const UnusedOption &option) {
    switch (option.reason) {
    case UnusedOption::Reason::NotAllowed:
      return "'" + option.text + "' is not allowed; flags may be about " + std::string(what_is_allowed());
    case UnusedOption::Reason::Unknown: return "unknown argument: '" + option.text + "'";
    case UnusedOption::Reason::NoValue: return "argument to '" + option.text + "' is missing";
    }
    return {};
  }

  /// A string of globs, or a list of such; tried on a filter at once, so that a wrong name is reported where it stands.
  Handler globs(const std::string &key, std::vector<PlacedText> &into) {
    return [this, key, &into](yaml::Node *node) {
      const auto one = [&](yaml::Node *item) {
        const auto value = scalar(item, key);
        if (!value)
          return;
        if (const std::string error = CheckFilter().add(*value); !error.empty())
          complain(item, key + ": " + error);
        else
          into.push_back({*value, place(item), nullptr});
      };
      if (llvm::isa<yaml::SequenceNode>(node))
        sequence(node, key, one);
      else
        one(node);
    };
  }

  /// A pattern for files and folders, or a list of such.
  Handler paths(const std::string &key, PathGlobs &into) {
    return [this, key, &into](yaml::Node *node) {
      const auto one = [&](yaml::Node *item) {
        const auto value = scalar(item, key);
        if (!value)
          return;
        std::string error;
        if (std::optional<PathGlob> glob = PathGlob::parse(*value, directory, error))
          into.push_back(std::move(*glob));
        else
          complain(item, key + ": " + error);
      };
      if (llvm::isa<yaml::SequenceNode>(node))
        sequence(node, key, one);
      else
        one(node);
    };
  }

  Handler number(const std::string &key, std::optional<double> &into, double most) {
    return [this, key, most, &into](yaml::Node *node) {
      const auto value = scalar(node, key);
      if (!value)
        return;
      double parsed = 0;
      if (value->empty() || llvm::StringRef(*value).getAsDouble(parsed) || !(parsed >= 0) || parsed > most)
        complain(node, key + ": '" + *value + "' is no number" + (most <= 1 ? " between 0 and 1" : " of at least 0"));
      else
        into = parsed;
    };
  }

  /// `rule: severity` lines.
  Handler severities(std::vector<SeveritySetting> &into) {
    return [this, &into](yaml::Node *node) {
      auto *map = llvm::dyn_cast<yaml::MappingNode>(node);
      if (!map) {
        complain(node, "Severity must be a mapping (`rule: note`, `rule: warning` or `rule: error`)");
        node->skip();
        return;
      }
      std::set<std::string> seen;
      entries(*map, [&](const std::string &rule, const SourceLocation &at, yaml::Node *value) {
        const std::optional<std::string> word = value ? scalar(value, "Severity") : std::nullopt;
        const std::optional<Diagnostic::Severity> severity = word ? parse_severity(*word) : std::nullopt;
        if (word && !severity)
          fail(at,
               "Severity: '" + *word + "' is none of note, warning, error; `Checks: '-" + rule + "'` turns a rule off");
        if (const std::string error = SeveritySettings().add(rule, Diagnostic::Severity::Note); !error.empty())
          fail(at, "Severity: " + error);
        else if (!seen.insert(rule).second)
          fail(at, "the key '" + rule + "' stands here for the second time");
        else if (severity)
          into.push_back({rule, *severity, nullptr});
      });
    };
  }

  /// What holds for the findings in some files.
  void per_path(yaml::Node *node, Config &into) {
    const SourceLocation at = place(node);
    PathGlobs globs_of_paths;
    Config own;
    mapping(node, "an entry of PerPath",
            {{"Path", paths("Path", globs_of_paths)},
             {"Checks", globs("Checks", own.checks)},
             {"WarningsAsErrors", globs("WarningsAsErrors", own.warnings_as_errors)},
             {"Severity", severities(own.severities)}});
    if (globs_of_paths.empty())
      fail(at, "an entry of PerPath needs `Path`, a pattern for files or a list of such");
    const auto only = std::make_shared<const PathGlobs>(std::move(globs_of_paths));
    const auto take = [&](auto &from, auto &to) {
      for (auto &each : from) {
        each.only = only;
        to.push_back(std::move(each));
      }
    };
    take(own.checks, into.checks);
    take(own.warnings_as_errors, into.warnings_as_errors);
    take(own.severities, into.severities);
  }

  void top_level(yaml::Node *root) {
    Config for_paths; // stronger than what holds for all files, wherever it stands
    mapping(root, "a configuration",
            {{"InheritParentConfig",
              [this](yaml::Node *node) {
                const auto value = scalar(node, "InheritParentConfig");
                if (value && *value != "true" && *value != "false")
                  complain(node, "InheritParentConfig: '" + *value + "' is neither true nor false");
                config.inherit_parent = value == "true";
              }},
             {"Checks", globs("Checks", config.checks)},
             {"WarningsAsErrors", globs("WarningsAsErrors", config.warnings_as_errors)},
             {"Severity", severities(config.severities)},
             {"PerPath",
              [this, &for_paths](yaml::Node *node) {
                sequence(node, "PerPath", [this, &for_paths](yaml::Node *item) { per_path(item, for_paths); });
              }},
             {"HeaderFilterRegex",
              [this](yaml::Node *node) {
                const auto value = scalar(node, "HeaderFilterRegex");
                if (const std::string wrong = value ? wrong_with_regular_expression(*value) : std::string();
                    !wrong.empty())
                  complain(node, "HeaderFilterRegex: " + wrong);
                config.header_filter = value;
              }},
             {"FailOn",
              [this](yaml::Node *node) {
                const auto value = scalar(node, "FailOn");
                if (!value)
                  return;
                config.fail_on = parse_fail_on(*value);
                if (!config.fail_on)
                  complain(node, "FailOn: '" + *value + "' is none of note, warning, error, regression, never");
              }},
             {"MinGain",
              [this](yaml::Node *node) {
                const auto value = scalar(node, "MinGain");
                if (!value)
                  return;
                config.min_gain = parse_percent(*value);
                if (!config.min_gain)
                  complain(node, "MinGain: '" + *value + "' is no percentage such as 5%");
              }},
             {"Arch",
              [this](yaml::Node *node) {
                const auto value = scalar(node, "Arch");
                if (value && !find_architecture(*value))
                  complain(node, "Arch: unknown architecture '" + *value + "'");
                config.architecture = value;
              }},
             {"CudaPath", text("CudaPath", config.cuda_path)},
             {"AsCompiled",
              [this](yaml::Node *node) {
                const auto value = scalar(node, "AsCompiled");
                if (!value)
                  return;
                const auto known = std::ranges::find(kMachineCode, *value, &MachineCodeWord::word);
                if (known == kMachineCode.end())
                  complain(node, "AsCompiled: '" + *value + "' is none of auto, nvcc, off");
                else
                  config.machine_code = known->from;
              }},
             {"ExtraArgs", flags("ExtraArgs", config.extra_args)},
             {"ExtraArgsBefore", flags("ExtraArgsBefore", config.extra_args_before)},
             {"Launches",
              [this](yaml::Node *node) {
                sequence(node, "Launches", [this](yaml::Node *item) {
                  const auto value = scalar(item, "Launches");
                  if (!value)
                    return;
                  ParsedWish parsed = parse_launch_option(*value);
                  parsed.wish.provenance = Provenance::Config;
                  parsed.wish.location = place(item);
                  if (!parsed.error.empty())
                    complain(item, "Launches: '" + *value + "': " + parsed.error);
                  else
                    config.launches.push_back(std::move(parsed.wish));
                });
              }},
             {"Exclude", paths("Exclude", config.exclude)},
             {"Kernels", [this](yaml::Node *node) { kernels(node); }},
             {"Thresholds",
              [this](yaml::Node *node) {
                mapping(node, "Thresholds",
                        {{"NoteBelowShare", number("NoteBelowShare", config.note_below_share, 1)},
                         {"ErrorAboveShare", number("ErrorAboveShare", config.error_above_share, 1)},
                         {"LeastSectorRatio", number("LeastSectorRatio", config.least_sector_ratio, 32)}});
              }},
             {"Budgets",
              [this](yaml::Node *node) { sequence(node, "Budgets", [this](yaml::Node *item) { budget(item); }); }},
             {"Baseline", written_path("Baseline", config.baseline)},
             {"CacheDir", written_path("CacheDir", config.cache_dir)}});
    append(config.checks, for_paths.checks);
    append(config.warnings_as_errors, for_paths.warnings_as_errors);
    append(config.severities, for_paths.severities);
  }

  /// `'soft_max*': {block: [32..1024 step 32], p.ncols: multiple of 32}`: several blocks are several launches.
  void kernels(yaml::Node *node) {
    named(node, "Kernels", [this](const std::string &kernel, const SourceLocation &, yaml::Node *facts) {
      LaunchWish all;
      all.kernel = kernel;
      all.provenance = Provenance::Config;
      all.all = true;
      std::vector<Dim3> blocks;
      named(facts, "Kernels: '" + kernel + "'",
            [&](const std::string &name, const SourceLocation &at, yaml::Node *value) {
              if (!all.location.known())
                all.location = at;
              std::vector<std::string> texts;
              const std::string key = "Kernels: '" + kernel + "': " + name;
              if (llvm::isa<yaml::SequenceNode>(value))
                sequence(value, key, [&](yaml::Node *item) {
                  if (auto text = scalar(item, key))
                    texts.push_back(std::move(*text));
                });
              else if (auto text = scalar(value, key))
                texts.push_back(std::move(*text));
              if (texts.size() > 1 && name != "block")
                return fail(at, key + " has one value or one range");
              for (const std::string &text : texts) {
                LaunchWish one;
                if (const std::string error = add_kernel_fact(one, name, text); !error.empty())
                  return fail(at, key + ": " + error);
                if (one.block_facts && texts.size() > 1)
                  return fail(at, key + ": several blocks, or one range");
                if (one.block)
                  blocks.push_back(*one.block);
                if (one.block_facts)
                  all.block_facts = one.block_facts;
                if (one.grid)
                  all.grid = one.grid;
                all.grid_open |= one.grid_open;
                if (one.dynamic_shared_bytes)
                  all.dynamic_shared_bytes = one.dynamic_shared_bytes;
                append(all.scalars, one.scalars);
                append(all.facts, one.facts);
              }
            });
      if (!all.location.known())
        return; // nothing is said
      for (const Dim3 &block : blocks) {
        all.block = block;
        config.launches.push_back(all);
      }
      if (blocks.empty())
        config.launches.push_back(std::move(all));
    });
  }

  /// What is said of one name of the same kernels must be possible at once; both places are named.
  void check_launches() {
    struct Said {
      const LaunchWish *wish;
      std::string name;
      ArgumentFacts facts;
    };
    std::vector<Said> all;
    const auto single = [](std::int64_t value) {
      ArgumentFacts facts;
      facts.least = facts.most = value;
      return facts;
    };
    for (const LaunchWish &wish : config.launches) {
      for (const auto &[parameter, facts] : wish.facts)
        all.push_back({&wish, parameter, facts});
      for (const auto &[parameter, value] : wish.scalars)
        all.push_back({&wish, parameter, single(value)});
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Said &late = all[i], &early = all[j];
        const auto is_value = [](const ArgumentFacts &facts) { return facts.least && facts.least == facts.most; };
        const bool values = is_value(late.facts) && is_value(early.facts); // two launches
        if (late.name != early.name || late.wish->kernel != early.wish->kernel || values)
          continue;
        if (const auto both = combine(late.facts, early.facts); !both || !both->nearest(0))
          fail(late.wish->location, "'" + late.name + ": " + kernel_fact_text(late.facts) + "' contradicts '" +
                                        kernel_fact_text(early.facts) + "' at line " +
                                        std::to_string(early.wish->location.line));
      }
    for (const LaunchWish &facts : config.launches)
      for (const LaunchWish &block : config.launches)
        if (facts.block_facts && block.block && facts.kernel == block.kernel &&
            !admits(*facts.block_facts, *block.block)) {
          const auto [early, late] = std::minmax(facts.location, block.location);
          fail(late, "'block: " + to_string(*block.block) + "' contradicts 'block: " +
                         kernel_fact_text(*facts.block_facts) + "' at line " + std::to_string(early.line));
        }
  }

  void budget(yaml::Node *node) {
    KernelBudget budget;
    budget.location = place(node);
    std::optional<std::string> kernel;
    constexpr double kAny = 1e300;
    mapping(node, "a budget",
            {{"Kernel", text("Kernel", kernel)},
             {"File", path("File", budget.file)},
             {"Degree", number("Degree", budget.degree, kAny)},
             {"WavefrontsPerRequest", number("WavefrontsPerRequest", budget.wavefronts_per_request, kAny)},
             {"SectorsPerRequest", number("SectorsPerRequest", budget.sectors_per_request, kAny)},
             {"Wavefronts", number("Wavefronts", budget.wavefronts, kAny)},
             {"Sectors", number("Sectors", budget.sectors, kAny)},
             {"SharedBytes", number("SharedBytes", budget.shared_bytes, kAny)}});
    if (!kernel || kernel->empty()) {
      complain(node, "a budget needs `Kernel`, a glob over kernels' names");
      return;
    }
    budget.kernel = *kernel;
    config.budgets.push_back(std::move(budget));
  }

  std::string directory, confined_to;
  Config &config;
};

} // namespace

ParsedConfig parse_config(std::string_view text, const std::string &name, const std::string &directory,
                          const std::string &confined_to) {
  ParsedConfig parsed;
  Reader(name, directory, confined_to, parsed).read(text);
  return parsed;
}

} // namespace smem
