// Runs a program with the injected library: once to count, and once more to time if asked.
#pragma once

#include "support/process.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace smem_lint::validate {

struct MeasureRequest {
  std::vector<std::string> program; // and its arguments
  std::string out;                  // file to write, emptied first
  std::string kernel;               // regular expression; empty: all
  std::string library;              // path of libsmem_measure_inject.so
  std::string program_output;       // file for what the program prints; empty: to the caller's own output
  unsigned long skip = 0;
  std::optional<unsigned long> count, each;
  bool all_instructions = false, time = false;
};

// What the file has in the end.
struct MeasuredSummary {
  unsigned launches = 0, rows = 0, failed_launches = 0, without_lines = 0, other_contexts = 0, timed = 0, not_timed = 0;
  bool session = false, ended = false;
  std::string error, hint;        // what ended the measurement
  std::string compute_capability; // "9.0"
  std::string program;            // the file that ran
  std::set<std::string> kernels, files;
};

struct MeasureOutcome {
  Ending ending;                      // of the counted run
  std::optional<Ending> timed_ending; // of the second run
  MeasuredSummary summary;
  std::vector<std::string> changed_sources;

  // Whether the counters of at least one launch were read.
  bool measured() const { return summary.launches > summary.failed_launches; }
};

// The library beside this program or where it is installed; `given` if not empty. Nothing if it is not there.
std::optional<std::string> find_library(const std::string &given);

MeasuredSummary summarise(const std::string &path);

// Nothing if no process could be made.
std::optional<MeasureOutcome> measure_program(const MeasureRequest &request);

// Why nothing was measured, for a person; empty if something was.
std::string why_not_measured(const MeasureRequest &request, const MeasureOutcome &outcome);

} // namespace smem_lint::validate
