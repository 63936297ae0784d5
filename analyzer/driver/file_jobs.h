// What is analysed of each file, and how: flags, architecture, wishes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile_database.h"
#include "driver/run.h"

namespace smem {

/// What is done with a file.
enum class FileRole {
  Analysed,
  Read,        ///< for the launches and calls that others want
  ReadIfNamed, ///< the same if its text has the name of a kernel or a function that others want to know of
};

/// One file with the flags that it is compiled with.
struct FileJob {
  FileRole role = FileRole::Analysed;
  AnalysisOptions options;
  std::string header; ///< not empty: of the file, only what lies in this header is wanted
  std::vector<Diagnostic> diagnostics;
};

/// Makes the job of each file.
class JobPlanner {
public:
  JobPlanner(const DriverOptions &options, const AnalysisInputs &inputs) : options(options), inputs(inputs) {}

  /// `includer`: not empty, the source that is compiled for it, of which only what lies in the file is wanted.
  FileJob job(const std::string &file, std::string includer = {});

private:
  /// What the command line says, or else the configuration, which what compares or edits sources leaves aside.
  compiled::MachineCodeWish machine_code(const Config &config) const;
  /// Flags for Clang, and for nvcc where it is run: of those that the user did not write, what can do no harm.
  void set_flags(const Config &config, FileJob &job);
  /// The file that a copy is one of: compilation databases know the original.
  std::string original_of(const std::string &file) const;
  /// A flag with the folders of the original tree replaced by those of the copy, where the copy has them.
  std::string relocated(const std::string &flag) const;
  /// The database for a file; null if there is none or it cannot be read.
  const CompileDatabase *database(const std::string &file, std::vector<Diagnostic> &diagnostics);
  /// For a header that is not compiled by itself: a file of the database that includes it.
  std::string includer_of(const std::string &file, std::vector<Diagnostic> &diagnostics);
  std::optional<CompileDatabase::Entry> database_entry(const std::string &file, std::vector<Diagnostic> &diagnostics);
  /// What is modelled, "sm_90", with the suffix that it or the flags have.
  std::string target(const FrontendOptions &frontend, const Config &config, std::vector<Diagnostic> &diagnostics);

  const DriverOptions &options;
  const AnalysisInputs &inputs;
  std::map<std::string, std::optional<CompileDatabase>> databases;
};

} // namespace smem
