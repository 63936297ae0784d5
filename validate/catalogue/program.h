// One program of the catalogue: built, measured, timed.
#pragma once

#include "throughput.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace smem_lint::validate {

enum class Outcome {
  Measured,
  NotBuilt,    // nvcc refused it
  NotMeasured, // no GPU, no permission, no launch
  Failed,      // measured, but the program itself ended with an error: its own check of the results, or a crash
  Unstable     // repeats had other integers
};
const char *to_string(Outcome outcome);

struct Program {
  std::string name, source;
  std::string binary, record; // files
  Outcome outcome = Outcome::Measured;
  std::string reason;             // why it is not Measured
  double seconds = 0;             // wall clock of one measurement, start of the process included
  unsigned repeats = 0;           // measurements that were compared
  std::set<std::string> unstable; // places with other integers in some of them
  std::vector<LaunchRates> launches;
};

using Defines = std::map<std::string, std::string>;

struct BuildSettings {
  std::string nvcc, arch, folder;
  Defines defines;
  unsigned jobs = 1;
};

// Compiles all of them, several at a time; those that fail get their outcome and the compiler's first error.
void build(std::vector<Program> &programs, const BuildSettings &settings);

struct MeasureSettings {
  std::string library;
  Defines defines;
  bool time = true;
  unsigned repeat = 1;
  unsigned jobs = 1; // programs at a time; counters are those of one process whatever runs beside it, times are not
};

// Measures one that was built.
void measure(Program &program, const MeasureSettings &settings, const Work &work);

// Measures all that were built. Times are taken one program at a time.
void measure(std::vector<Program> &programs, const MeasureSettings &settings, const Work &work);

} // namespace smem_lint::validate
