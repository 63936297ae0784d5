#include "command.h"

#include "measured_program.h"
#include "smem/architecture.h"

#include <boost/program_options.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>

namespace smem_lint::validate {
namespace {

namespace options = boost::program_options;

constexpr int kNothingMeasured = 2;

std::ostream &say() { return std::cerr << "smem-validate: "; }

std::string plural(unsigned long n, std::string what) {
  if (n != 1)
    what += what.ends_with("h") ? "es" : "s";
  return std::to_string(n) + " " + what;
}

int report(const MeasureRequest &request, const MeasureOutcome &outcome) {
  const MeasuredSummary &summary = outcome.summary;
  if (summary.launches)
    say() << plural(summary.launches, "launch") << " of " << plural(summary.kernels.size(), "kernel") << ", "
          << plural(summary.rows, "row") << " in " << request.out << '\n';
  if (summary.failed_launches)
    say() << "warning: " << plural(summary.failed_launches, "launch") << " failed and were not measured\n";
  if (summary.without_lines)
    say() << "warning: " << plural(summary.without_lines, "launch")
          << " without line information, measured by instruction only; build with -lineinfo to see source lines\n";
  if (summary.other_contexts)
    say() << "warning: " << plural(summary.other_contexts, "launch")
          << " on another GPU or in another context than the first were not measured\n";
  if (!summary.ended && summary.launches)
    say() << "warning: the program did not end normally; everything up to its last launch was kept\n";
  if (!summary.compute_capability.empty() && !smem::find_architecture(summary.compute_capability))
    say() << "warning: smem-lint has no table for compute capability " << summary.compute_capability
          << "; the counters are kept, predictions for this chip do not exist\n";
  for (const auto &file : outcome.changed_sources)
    say() << "warning: " << file
          << " is newer than the program; build again, or its lines may not be those that were measured\n";
  if (outcome.timed_ending) {
    say() << plural(summary.timed, "launch") << " timed\n";
    if (summary.not_timed)
      say() << "warning: " << plural(summary.not_timed, "launch") << " could not be timed; the records say why\n";
    if (outcome.timed_ending->code != outcome.ending.code)
      say() << "warning: when it was timed, the program exited with " << outcome.timed_ending->code << '\n';
  }
  int code = 0;
  if (const std::string reason = why_not_measured(request, outcome); !reason.empty()) {
    say() << "error: nothing measured: " << reason << '\n';
    code = kNothingMeasured;
  } else if (!summary.error.empty()) {
    say() << "error: the measurement ended early: " << summary.error << (summary.hint.empty() ? "" : "; ")
          << summary.hint << '\n';
    code = kNothingMeasured;
  }
  if (outcome.ending.signal)
    say() << "error: " << request.program[0] << " was killed by signal " << outcome.ending.signal << '\n';
  else if (outcome.ending.started && outcome.ending.code)
    say() << "error: " << request.program[0] << " exited with " << outcome.ending.code << '\n';
  return outcome.ending.started && outcome.ending.code ? outcome.ending.code : code;
}

} // namespace

int measure(const std::vector<std::string> &arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  MeasureRequest request;
  if (separator != arguments.end())
    request.program.assign(separator + 1, arguments.end());
  options::options_description description("smem-validate measure [options] -- PROGRAM [arguments]\n\nOptions");
  unsigned long count = 0, each = 0;
  description.add_options()("help,h", "show this text")("output,o",
                                                        options::value(&request.out)->default_value("measured.jsonl"),
                                                        "where to write, one line of JSON a launch")(
      "kernel,k", options::value(&request.kernel), "only kernels whose name matches this regular expression")(
      "launch-skip", options::value(&request.skip), "leave out the first N matching launches")(
      "launch-count", options::value(&count), "measure at most N matching launches")(
      "launch-each", options::value(&each),
      "of these, at most N of each kernel with the same grid, block and dynamic shared memory")(
      "all-instructions", options::bool_switch(&request.all_instructions),
      "rows for every instruction, not only memory accesses")(
      "time", options::bool_switch(&request.time),
      "run the program once more and time its launches (median of many repeats, warm)")(
      "library", options::value(&request.library), "path of libsmem_measure_inject.so");
  options::variables_map values;
  try {
    namespace style = options::command_line_style;
    options::store(options::command_line_parser({arguments.begin(), separator})
                       .options(description)
                       .style(style::default_style & ~style::allow_guessing)
                       .positional({})
                       .run(),
                   values);
    options::notify(values);
    std::regex{request.kernel};
  } catch (const options::error &error) {
    say() << error.what() << "\n" << description;
    return kNothingMeasured;
  } catch (const std::regex_error &) {
    say() << "--kernel '" << request.kernel << "' is not a regular expression\n";
    return kNothingMeasured;
  }
  if (values.count("help")) {
    std::cout << description;
    return 0;
  }
  if (values.count("launch-count"))
    request.count = count;
  if (values.count("launch-each"))
    request.each = each;
  if (request.program.empty()) {
    say() << "no program to measure; give it after --\n" << description;
    return kNothingMeasured;
  }
  const auto library = find_library(request.library);
  if (!library) {
    say() << "libsmem_measure_inject.so not found; it is built where CUDA and CUPTI are, or give --library\n";
    return kNothingMeasured;
  }
  request.library = *library;
  if (!std::ofstream(request.out, std::ios::trunc)) {
    say() << "cannot write " << request.out << '\n';
    return kNothingMeasured;
  }
  request.out = std::filesystem::absolute(request.out).string();
  const auto outcome = measure_program(request);
  if (!outcome) {
    say() << "cannot start a process: " << std::strerror(errno) << '\n';
    return kNothingMeasured;
  }
  return report(request, *outcome);
}

} // namespace smem_lint::validate
