#include "driver/options.h"

#include "plan/launch_spec.h"
#include "report/nearest.h"

#include <boost/program_options.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace smem {
namespace po = boost::program_options;
namespace {

using Texts = std::vector<std::string>;

struct Descriptions {
  po::options_description input{"Input"}, launches{"Launches"}, output{"Output"}, rules{"Rules"}, about{"About"}, hidden;
  po::options_description visible, all;

  Descriptions() {
    const auto text = [](const char *name) { return po::value<std::string>()->value_name(name); };
    const auto texts = [](const char *name) { return po::value<Texts>()->composing()->value_name(name); };
    input.add_options()
        (",p", text("DIR"), "take the compiler flags from DIR/compile_commands.json (default: the nearest one above each file)")
        ("extra-arg", texts("FLAG"), "a compiler flag to append")
        ("extra-arg-before", texts("FLAG"), "a compiler flag to prepend")
        ("cuda-path", text("DIR"), "the CUDA toolkit whose headers are used; `none` for smem-lint's own (default: $CUDA_PATH, $CUDA_HOME, nvcc, /usr/local/cuda, else its own)")
        ("stdin-filename", text("NAME"), "the name that standard input (`-`) goes by");
    launches.add_options()
        ("arch", text("ARCH"), "the architecture to model, e.g. sm_90 (default: as the compiler flags say, else sm_90)")
        ("launch", texts("SPEC"), "analyse this launch, e.g. 'kernel:block=(32,8) grid=(128,128) dynamic=0 N=4096'; several make several launches")
        ("launches", text("FILE"), "take the launches from a recording of `smem-validate measure`; arguments stay as host code has them")
        ("set", texts("NAME=VALUE"), "the value of a kernel parameter")
        ("max-steps", text("N"), "instructions to execute for one launch before what is left is declared unknown");
    output.add_options()
        ("format", text("FORMAT"), "text (default) or json")
        ("output,o", text("FILE"), "write the report to FILE instead of standard output")
        ("quiet,q", "findings only: no tables, no summary, no notes on standard error")
        ("verbose,v", "with every finding its lanes, banks, address and inlining")
        ("color", text("WHEN"), "auto (default), always or never; NO_COLOR and CLICOLOR_FORCE are heeded")
        ("jobs,j", text("N"), "files to analyse at the same time (default: one per core)");
    rules.add_options()
        ("checks", texts("GLOBS"), "the rules to apply, e.g. '-*,smem-*'; the last match wins")
        ("warnings-as-errors", texts("GLOBS"), "the rules whose warnings are errors")
        ("fail-on", text("LEVEL"), "exit with 1 from this severity on: note, warning (default), error or never")
        ("list-checks", "list the rules that are enabled")
        ("explain", text("RULE"), "explain a rule, or `all` of them: cause, picture, examples, limits (--format=markdown for documentation)");
    about.add_options()
        ("doctor", "say what smem-lint found on this machine and whether it works")
        ("version", "print the version")
        ("help,h", "print this");
    hidden.add_options()("file", po::value<Texts>());
    visible.add(input).add(launches).add(output).add(rules).add(about);
    all.add(visible).add(hidden);
  }

  Texts names() const {
    Texts out;
    for (const auto &option : visible.options())
      out.push_back(option->long_name().empty() ? "-" + option->canonical_display_name(po::command_line_style::allow_dash_for_short).substr(1)
                                                : "--" + option->long_name());
    return out;
  }
};

/// A word out of a fixed set.
template <class T>
std::string choose(const po::variables_map &given, const char *name, const std::vector<std::pair<std::string, T>> &choices, T &out) {
  if (!given.count(name))
    return {};
  const std::string &word = given[name].as<std::string>();
  Texts words;
  for (const auto &[text, value] : choices) {
    if (text == word) {
      out = value;
      return {};
    }
    words.push_back(text);
  }
  std::string known;
  for (const std::string &text : words)
    known += (known.empty() ? "" : ", ") + text;
  const std::string nearest = did_you_mean(word, words);
  return "--" + std::string(name) + "=" + word + ": " + (nearest.empty() ? "known are " + known : nearest.substr(2));
}

template <class T> std::string number(const po::variables_map &given, const char *name, std::int64_t least, T &out) {
  if (!given.count(name))
    return {};
  const std::string &text = given[name].as<std::string>();
  const auto value = parse_integer(text);
  if (!value || *value < least || *value > std::int64_t{1} << 60)
    return "--" + std::string(name) + "=" + text + ": an integer of at least " + std::to_string(least) + " is needed";
  out = static_cast<T>(*value);
  return {};
}

std::string string_of(const po::variables_map &given, const char *name) {
  return given.count(name) ? given[name].as<std::string>() : std::string();
}

Texts texts_of(const po::variables_map &given, const char *name) {
  return given.count(name) ? given[name].as<Texts>() : Texts();
}

std::string read_architecture(const po::variables_map &given, DriverOptions &options) {
  if (!given.count("arch"))
    return {};
  const std::string name = string_of(given, "arch");
  options.architecture = find_architecture(name);
  if (options.architecture)
    return {};
  Texts names;
  std::string known;
  for (const Architecture &architecture : architectures()) {
    names.emplace_back(architecture.name);
    known += (known.empty() ? "" : ", ") + names.back();
  }
  return "unknown architecture '" + name + "'" + did_you_mean(name, names) + " (known: " + known + ")";
}

std::string read_wishes(const po::variables_map &given, DriverOptions &options) {
  for (const std::string &text : texts_of(given, "launch")) {
    ParsedWish parsed = parse_launch_option(text);
    if (!parsed.error.empty())
      return "--launch '" + text + "': " + parsed.error;
    options.wishes.push_back(std::move(parsed.wish));
  }
  for (const std::string &text : texts_of(given, "set")) {
    ParsedWish parsed = parse_set_option(text);
    if (!parsed.error.empty())
      return "--set '" + text + "': " + parsed.error;
    options.wishes.push_back(std::move(parsed.wish));
  }
  return {};
}

std::string read_rules(const po::variables_map &given, DriverOptions &options) {
  for (const std::string &globs : texts_of(given, "checks"))
    if (const std::string error = options.findings.checks.add(globs); !error.empty())
      return "--checks: " + error;
  for (const std::string &globs : texts_of(given, "warnings-as-errors"))
    if (const std::string error = options.findings.warnings_as_errors.add(globs); !error.empty())
      return "--warnings-as-errors: " + error;
  options.explain = string_of(given, "explain");
  if (!options.explain.empty() && options.explain != "all" && !find_rule(options.explain))
    return "no rule '" + options.explain + "'" + did_you_mean(options.explain, rule_ids()) + " (--list-checks lists them)";
  return {};
}

std::string interpret(const po::variables_map &given, DriverOptions &options) {
  const std::pair<const char *, Action> actions[] = {{"help", Action::Help},       {"version", Action::Version},
                                                     {"list-checks", Action::ListChecks}, {"doctor", Action::Doctor},
                                                     {"explain", Action::Explain}};
  for (const auto &[name, action] : actions)
    if (given.count(name)) {
      options.action = action;
      break;
    }

  // Documentation is the one thing that has a format of its own.
  if (options.action == Action::Explain) {
    if (const std::string error = choose<bool>(given, "format", {{"text", false}, {"markdown", true}}, options.explain_markdown); !error.empty())
      return error;
  } else if (const std::string error = choose<Format>(given, "format", {{"text", Format::Text}, {"json", Format::Json}}, options.format);
             !error.empty()) {
    return error;
  }
  for (const std::string &error :
       {choose<ColorWish>(given, "color", {{"auto", ColorWish::Auto}, {"always", ColorWish::Always}, {"never", ColorWish::Never}}, options.color),
        choose<FailOn>(given, "fail-on", {{"note", FailOn::Note}, {"warning", FailOn::Warning}, {"error", FailOn::Error}, {"never", FailOn::Never}}, options.fail_on),
        number(given, "jobs", 0, options.jobs), number(given, "max-steps", 1, options.max_steps),
        read_architecture(given, options), read_wishes(given, options), read_rules(given, options)})
    if (!error.empty())
      return error;

  options.files = texts_of(given, "file");
  options.stdin_filename = string_of(given, "stdin-filename");
  options.recorded_launches = string_of(given, "launches");
  options.output = string_of(given, "output");
  options.cuda_path = string_of(given, "cuda-path");
  options.quiet = given.count("quiet") != 0;
  options.verbose = given.count("verbose") != 0;
  options.flags_after = texts_of(given, "extra-arg");
  options.flags_before = texts_of(given, "extra-arg-before");
  if (given.count("-p"))
    options.build_path = given["-p"].as<std::string>();
  if (options.quiet && options.verbose)
    return "--quiet and --verbose exclude one another";
  if (options.action == Action::Lint && options.files.empty())
    return "no file is named; `smem-lint kernel.cu` analyses one, `smem-lint --help` lists the options";
  if (std::count(options.files.begin(), options.files.end(), "-") > 1)
    return "standard input (`-`) can be read only once";
  return {};
}

} // namespace

ParsedOptions parse_options(int argc, const char *const *argv) {
  ParsedOptions parsed;
  Texts own;
  int i = 1;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
    own.emplace_back(argv[i]);
  if (i < argc)
    parsed.options.fixed_flags.emplace(argv + i + 1, argv + argc);

  const Descriptions descriptions;
  try {
    po::positional_options_description positional;
    positional.add("file", -1);
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::variables_map given;
    po::store(po::command_line_parser(own).options(descriptions.all).positional(positional).style(style).run(), given);
    po::notify(given);
    parsed.error = interpret(given, parsed.options);
  } catch (const po::unknown_option &error) {
    const std::string name = error.get_option_name().substr(0, error.get_option_name().find('='));
    parsed.error = "unknown option '" + name + "'" + did_you_mean(name, descriptions.names());
  } catch (const po::error &error) {
    parsed.error = error.what();
  }
  return parsed;
}

std::string help_text() {
  std::ostringstream out;
  out << "usage: smem-lint [options] FILE... [-- compiler flags]\n\n"
         "Predicts from CUDA source, without a GPU, what every shared and global memory instruction of a kernel costs:\n"
         "bank conflicts (wavefronts) and coalescing (sectors) over a whole launch.\n"
      << Descriptions().visible
      << "\nExit code: 0 clean, 1 findings that gate (--fail-on), 2 a usage, front-end or internal failure.\n";
  return out.str();
}

} // namespace smem
