// What the command line says.
#pragma once

#include "analysis.h"
#include "report/findings.h"

#include <optional>
#include <string>
#include <vector>

namespace smem {

enum class Action { Lint, Help, Version, ListChecks, Explain, Doctor };
enum class Format { Text, Json };
enum class ColorWish { Auto, Always, Never };
enum class FailOn { Note, Warning, Error, Never };

struct DriverOptions {
  Action action = Action::Lint;
  std::vector<std::string> files;            ///< "-" is standard input
  std::string stdin_filename;
  const Architecture *architecture = nullptr; ///< null: as the compiler flags say, else the default
  std::vector<LaunchWish> wishes;
  std::string recorded_launches;             ///< file; empty: none
  Format format = Format::Text;
  std::string output;                        ///< empty: standard output
  unsigned jobs = 0;                         ///< 0: one per core
  FindingOptions findings;
  FailOn fail_on = FailOn::Warning;
  ColorWish color = ColorWish::Auto;
  bool quiet = false, verbose = false;
  std::string explain;                       ///< a rule, or "all"
  bool explain_markdown = false;
  std::string cuda_path;
  std::optional<std::string> build_path;     ///< -p
  std::vector<std::string> flags_before;     ///< --extra-arg-before
  std::vector<std::string> flags_after;      ///< --extra-arg
  std::optional<std::vector<std::string>> fixed_flags; ///< what follows `--`
  std::uint64_t max_steps = SimulationOptions{}.max_steps;
};

struct ParsedOptions {
  DriverOptions options;
  std::string error;  ///< not empty: what is wrong with the command line
};

ParsedOptions parse_options(int argc, const char *const *argv);
std::string help_text();

} // namespace smem
