#include "command.h"

#include "floors.h"
#include "join.h"
#include "read.h"
#include "render.h"
#include "sinks/escape.h"
#include "sinks/files.h"

#include <boost/program_options.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>
#include <unistd.h>

namespace smem::compare {
namespace {

namespace po = boost::program_options;

constexpr int kAgree = 0, kMismatch = 1, kNothing = 2;

struct Settings {
  std::string predicted, measured, units, format = "text", output, kernel, source_root, color = "auto";
  std::vector<std::string> again;
  bool verbose = false, quiet = false, require_all = false, help = false;
};

po::options_description visible_options(Settings &settings) {
  po::options_description options("Options");
  options.add_options()("format", po::value(&settings.format)->value_name("FORMAT"),
                        "text (default), json, markdown or html")(
      "output,o", po::value(&settings.output)->value_name("FILE"),
      "write the report to FILE instead of standard output")("kernel", po::value(&settings.kernel)->value_name("REGEX"),
                                                             "only kernels whose name, mangled or not, matches")(
      "source-root", po::value(&settings.source_root)->value_name("DIR"),
      "where the relative paths of the prediction start (html; default: the working directory)")(
      "again", po::value(&settings.again)->value_name("FILE"),
      "another measurement of the same program: places that are counted differently there are set aside as unstable; may be given several times")(
      "units", po::value(&settings.units)->value_name("FILE"),
      "instead of counts, floors under times beside what Nsight Compute measured: FILE is what `ncu --csv --page raw --print-units base` wrote, with gpu__time_duration.sum and throughputs in percent of the peak (text or json; no MEASURED)")(
      "require-all", po::bool_switch(&settings.require_all), "a launch that only one side knows is a mismatch, too")(
      "verbose,v", po::bool_switch(&settings.verbose),
      "text: the rows that agree, too")("quiet,q", po::bool_switch(&settings.quiet), "no notes on standard error")(
      "color", po::value(&settings.color)->value_name("WHEN"),
      "auto (default), always or never; NO_COLOR and CLICOLOR_FORCE are heeded")(
      "help,h", po::bool_switch(&settings.help), "print this");
  return options;
}

Settings parse(const std::vector<std::string> &arguments, Settings &settings, const po::options_description &visible) {
  po::options_description all;
  all.add(visible).add_options()("predicted", po::value(&settings.predicted), "")("measured",
                                                                                  po::value(&settings.measured), "");
  po::positional_options_description positional;
  positional.add("predicted", 1).add("measured", 1);
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::variables_map map;
  po::store(po::command_line_parser(arguments).options(all).positional(positional).style(style).run(), map);
  po::notify(map);
  if (settings.help)
    return settings;
  if (!settings.units.empty() &&
      (!settings.measured.empty() || (settings.format != "text" && settings.format != "json")))
    throw po::error("--units takes a prediction and no other measurement, and writes text or json");
  if (settings.predicted.empty() || (settings.measured.empty() && settings.units.empty()))
    throw po::error("two files are needed: the prediction and the measurement");
  if (settings.format != "text" && settings.format != "json" && settings.format != "markdown" &&
      settings.format != "html")
    throw po::error("unknown format '" + settings.format + "': text, json, markdown or html");
  if (settings.color != "auto" && settings.color != "always" && settings.color != "never")
    throw po::error("--color is auto, always or never");
  return settings;
}

bool wants_color(const Settings &settings) {
  if (settings.color != "auto")
    return settings.color == "always";
  const auto set = [](const char *name) {
    const char *value = std::getenv(name);
    return value && *value;
  };
  if (set("NO_COLOR"))
    return false;
  if (set("CLICOLOR_FORCE") && std::string(std::getenv("CLICOLOR_FORCE")) != "0")
    return true;
  return settings.output.empty() && isatty(STDOUT_FILENO);
}

template <typename Result>
Result read_file(const std::string &name, Result (*read)(std::istream &, const std::string &)) {
  std::ifstream in(name, std::ios::binary);
  if (!in)
    throw InputError(name + ": cannot be read");
  return read(in, name);
}

std::string render(const Comparison &comparison, const Provenance &provenance, const Settings &settings) {
  if (settings.format == "json")
    return render_json(comparison, provenance);
  if (settings.format == "markdown")
    return render_markdown(comparison, provenance);
  if (settings.format == "html")
    return render_html(comparison, provenance, settings.source_root);
  return render_text(comparison, provenance, {settings.verbose, wants_color(settings)});
}

/// Floors beside times. Exit code 1: one is above the time.
int compare_units(const Settings &settings, std::ostream &out, std::ostream &errors) {
  std::vector<ProfiledLaunch> measured = read_file(settings.units, read_profile);
  std::vector<FlooredLaunch> predicted = read_file(settings.predicted, read_floors);
  if (!settings.kernel.empty()) {
    const std::regex pattern(settings.kernel);
    std::erase_if(predicted, [&](const FlooredLaunch &launch) { return !std::regex_search(launch.kernel, pattern); });
  }
  const std::vector<FloorRow> rows = compare_floors(predicted, measured);
  const std::string report =
      settings.format == "json" ? floors_json(rows) : sinks::terminal(floors_text(rows), wants_color(settings));
  if (settings.output.empty())
    out << report;
  else if (const std::string wrong = sinks::write_file(settings.output, report); !wrong.empty())
    throw InputError(wrong);
  if (rows.empty()) {
    errors
        << "smem-validate: error: no launch has both a floor and a time: kernel, grid and block have to be the same\n";
    return kNothing;
  }
  return std::ranges::any_of(rows, [](const FloorRow &row) { return row.share() > 1; }) ? kMismatch : kAgree;
}

int compare_files(const Settings &settings, std::ostream &out, std::ostream &errors) {
  CompareOptions options;
  if (!settings.kernel.empty()) {
    const std::regex pattern(settings.kernel);
    options.wants_kernel = [pattern](const std::string &kernel) { return std::regex_search(kernel, pattern); };
  }
  const Prediction prediction = read_file(settings.predicted, read_prediction);
  const Measurement measurement = read_file(settings.measured, read_measurement);
  std::vector<Measurement> again;
  for (const std::string &name : settings.again)
    again.push_back(read_file(name, read_measurement));
  for (const Measurement &other : again)
    options.again.push_back(&other);
  const Comparison comparison = compare(prediction, measurement, options);
  const Provenance provenance{settings.predicted, settings.measured, prediction.arch, measurement.gpu,
                              measurement.date};

  const std::string report = render(comparison, provenance, settings);
  if (settings.output.empty()) {
    out << report;
  } else {
    if (const std::string wrong = sinks::write_file(settings.output, report); !wrong.empty())
      throw InputError(wrong);
  }
  // The text report has them already.
  if (!settings.quiet && (settings.format != "text" || !settings.output.empty())) {
    for (const std::string &remark : remarks(comparison))
      errors << "smem-validate: note: " << sinks::line(remark) << "\n";
    errors << "smem-validate: " << headline(comparison.summary) << "\n";
  }

  if (!comparison.other_versions.empty()) {
    errors
        << "smem-validate: error: predicted and measured are of different versions of the source; predict or measure again\n";
    return kNothing;
  }
  if (comparison.summary.rows + comparison.summary.unstable == 0) {
    errors << "smem-validate: error: nothing could be compared\n";
    return kNothing;
  }
  const bool one_sided = !comparison.only_predicted.empty() || !comparison.only_measured.empty();
  return comparison.summary.mismatch || (settings.require_all && one_sided) ? kMismatch : kAgree;
}

} // namespace

int run_command(const std::vector<std::string> &arguments, std::ostream &out, std::ostream &errors) {
  Settings settings;
  const po::options_description visible = visible_options(settings);
  try {
    parse(arguments, settings, visible);
    if (settings.help) {
      out << "usage: smem-validate compare PREDICTED.json MEASURED.json [options]\n"
             "       smem-validate compare PREDICTED.json --units FILE.csv [options]\n\n"
             "Compares, integer by integer, what smem-lint --format=json predicted with what smem-validate measure wrote.\n"
             "Exit code: 0 all rows exact or unknown, 1 mismatches, 2 nothing could be compared.\n\n"
          << visible;
      return kAgree;
    }
    return settings.units.empty() ? compare_files(settings, out, errors) : compare_units(settings, out, errors);
  } catch (const po::error &error) {
    errors << "smem-validate: error: " << sinks::line(error.what()) << "\n";
  } catch (const std::regex_error &) {
    errors << "smem-validate: error: --kernel '" << sinks::line(settings.kernel) << "' is not a regular expression\n";
  } catch (const InputError &error) {
    errors << "smem-validate: error: " << sinks::line(error.what()) << "\n";
  }
  return kNothing;
}

} // namespace smem::compare
