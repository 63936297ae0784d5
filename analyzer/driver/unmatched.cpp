#include "driver/unmatched.h"

#include "plan/kernel_names.h"
#include "plan/launch_spec.h"
#include "plan/recorded_launches.h"
#include "support/nearest.h"
#include "support/paths.h"

#include <algorithm>
#include <iterator>

namespace smem {

std::string unmatched_recording(const RecordedLaunches &recorded, const std::vector<FileAnalysis> &files) {
  constexpr std::size_t kMostNamed = 3;
  for (const FileAnalysis &file : files)
    for (const Program &program : file.programs)
      if (!recorded.of(program.mangled).empty())
        return {};
  const std::vector<std::string> kernels = recorded.kernels();
  std::string names;
  for (std::size_t i = 0; i < std::min(kernels.size(), kMostNamed); ++i)
    names += (i ? ", '" : "'") + kernels[i] + "'";
  return "--launches: no kernel of these files was recorded; the recording has " + names +
         (kernels.size() > kMostNamed ? ", ..." : "");
}

namespace {

/// What options, or what configurations, say of one parameter must be possible at once.
void append_contradictions(const std::vector<LaunchWish> &wishes, std::vector<std::string> &messages) {
  struct Said {
    const LaunchWish *wish;
    std::string name;
    ArgumentFacts facts;
  };
  std::vector<Said> all;
  for (const LaunchWish &wish : wishes)
    for (const auto &[name, facts] : said_of_parameters(wish))
      all.push_back({&wish, name, facts});
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Said &a = all[i], &b = all[j];
      const bool values = a.facts.least && a.facts.least == a.facts.most && b.facts.least &&
                          b.facts.least == b.facts.most; // the last word counts
      if (a.name == b.name && a.wish->kernel == b.wish->kernel && a.wish->provenance == b.wish->provenance && !values &&
          !combine(a.facts, b.facts))
        messages.push_back("'" + launch_option_text(*a.wish) + "' and '" + launch_option_text(*b.wish) +
                           "' contradict each other");
    }
}

/// What is said of parameters that no kernel has.
std::vector<std::string> unknown_names(const LaunchWish &wish, const std::vector<std::string> &parameters) {
  std::vector<std::string> unknown;
  const auto look_at = [&](const auto &said) {
    for (const auto &[name, what] : said)
      if (std::ranges::find(parameters, name) == parameters.end())
        unknown.push_back(name);
  };
  look_at(wish.scalars);
  look_at(wish.facts);
  return unknown;
}

/// Those of the functions that launch the kernels, where something of a launch rests on them.
void append_of_launchers(const LaunchWish &wish, const FileAnalysis &file, std::vector<std::string> &parameters) {
  for (const LaunchAnalysis &launch : file.launches)
    if (wish_matches(wish, file.programs[launch.program]))
      for (const ChosenQuantity &quantity : launch.launch.chosen)
        if (quantity.origin.starts_with("parameter of ") &&
            std::ranges::find(parameters, quantity.name) == parameters.end())
          parameters.push_back(quantity.name);
}

std::vector<std::string> parameters_of(const Program &program) {
  std::vector<std::string> names;
  for (PassedScalar &passed : passed_scalars(program))
    names.push_back(std::move(passed.scalar.name));
  return names;
}

} // namespace

std::vector<Diagnostic> unmatched_names(const std::vector<LaunchWish> &configured, const FileAnalysis &file) {
  std::vector<Diagnostic> messages;
  for (const LaunchWish &wish : configured) {
    std::vector<std::string> parameters;
    bool matched = false;
    for (const Program &program : file.programs) {
      if (!wish_matches(wish, program))
        continue;
      matched = true;
      std::ranges::move(parameters_of(program), std::back_inserter(parameters));
    }
    append_of_launchers(wish, file, parameters);
    if (!matched)
      continue;
    std::vector<std::string> words = parameters;
    words.insert(words.end(), {"block", "grid", "dynamic"});
    for (const std::string &name : unknown_names(wish, parameters))
      messages.push_back({Diagnostic::Severity::Warning, wish.location,
                          "'" + name + "' is no parameter of a kernel of " + seen_from_here(file.file) +
                              (wish.kernel.empty() ? "" : " that '" + wish.kernel + "' names") +
                              did_you_mean_or(name, words, "what can be stated:")});
  }
  return messages;
}

std::vector<Diagnostic> unmatched_globs(const std::vector<LaunchWish> &configured,
                                        const std::vector<FileAnalysis> &files) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> left_out, plain;
  const auto add = [&](const std::string &kernel) {
    plain.push_back(kernel.substr(0, kernel.find('<')));
    if (const std::size_t scope = plain.back().rfind("::"); scope != std::string::npos)
      plain.push_back(plain.back().substr(scope + 2));
  };
  for (const FileAnalysis &file : files) {
    if (!file.parsed || std::ranges::any_of(file.diagnostics, &Diagnostic::incomplete))
      return {}; // it may have the kernel
    for (const Program &program : file.programs)
      add(program.kernel);
    for (const std::string &kernel : file.left_out)
      add(kernel), left_out.push_back(kernel);
  }
  std::vector<Diagnostic> messages;
  std::vector<const LaunchWish *> elsewhere;
  for (const LaunchWish &wish : configured) {
    const bool told =
        std::ranges::any_of(messages, [&](const Diagnostic &one) { return one.location == wish.location; }) ||
        std::ranges::any_of(elsewhere, [&](const LaunchWish *one) { return one->kernel == wish.kernel; });
    const bool matched = std::ranges::any_of(files, [&](const FileAnalysis &file) {
      return std::ranges::any_of(file.programs, [&](const Program &program) { return wish_matches(wish, program); });
    });
    if (wish.kernel.empty() || told || matched || std::ranges::any_of(left_out, [&](const std::string &kernel) {
          Program program;
          program.kernel = kernel;
          return wish_matches(wish, program);
        }))
      continue;
    if (const std::string meant = did_you_mean(wish.kernel, plain); !meant.empty())
      messages.push_back({Diagnostic::Severity::Warning, wish.location,
                          "no kernel of these files matches '" + wish.kernel + "'" + meant});
    else
      elsewhere.push_back(&wish);
  }
  std::string globs;
  for (std::size_t i = 0; i < std::min(elsewhere.size(), kMostNamed); ++i)
    globs += (i ? ", '" : "'") + elsewhere[i]->kernel + "'";
  if (elsewhere.size() > kMostNamed)
    globs += " and " + std::to_string(elsewhere.size() - kMostNamed) + " more";
  if (!elsewhere.empty())
    messages.push_back(
        {Diagnostic::Severity::Note, elsewhere.front()->location, "no kernel of these files matches " + globs});
  return messages;
}

std::vector<std::string> unmatched_kernels(const std::vector<std::string> &globs,
                                           const std::vector<FileAnalysis> &files) {
  std::vector<std::string> messages, names;
  for (const FileAnalysis &file : files) {
    for (const Program &program : file.programs)
      names.push_back(program.kernel);
    names.insert(names.end(), file.left_out.begin(), file.left_out.end());
  }
  for (std::size_t i = 0, full = names.size(); i < full; ++i)
    names.push_back(names[i].substr(0, names[i].find('<')));
  for (const std::string &glob : globs)
    if (std::none_of(files.begin(), files.end(), [&](const FileAnalysis &file) {
          return std::any_of(file.programs.begin(), file.programs.end(),
                             [&](const Program &program) { return kernel_matches(glob, program); });
        }))
      messages.push_back("--kernel: no kernel matches '" + glob + "'" + did_you_mean(glob, names));
  return messages;
}

std::vector<std::string> unmatched_wishes(const std::vector<LaunchWish> &wishes,
                                          const std::vector<FileAnalysis> &files) {
  std::vector<std::string> messages;
  for (const LaunchWish &wish : wishes) {
    std::vector<std::string> kernels, parameters;
    std::vector<const Program *> matched;
    for (const FileAnalysis &file : files) {
      append_of_launchers(wish, file, parameters);
      for (const Program &program : file.programs) {
        kernels.push_back(program.kernel);
        kernels.push_back(program.kernel.substr(0, program.kernel.find('<')));
        if (!wish_matches(wish, program))
          continue;
        matched.push_back(&program);
        for (PassedScalar &passed : passed_scalars(program))
          parameters.push_back(std::move(passed.scalar.name));
      }
    }
    if (matched.empty()) {
      if (!wish.kernel.empty())
        messages.push_back("--launch: no kernel matches '" + wish.kernel + "'" + did_you_mean(wish.kernel, kernels));
      continue;
    }
    for (const std::string &name : unknown_names(wish, parameters)) {
      std::vector<std::string> words = parameters;
      words.insert(words.end(), {"block", "grid", "dynamic"});
      messages.push_back("'" + name + "' is no parameter of " +
                         (matched.size() == 1 ? matched[0]->kernel : std::string("any kernel")) +
                         did_you_mean_or(name, words, "what can be stated:"));
    }
  }
  append_contradictions(wishes, messages);
  return messages;
}

} // namespace smem
