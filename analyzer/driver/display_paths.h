// Paths as people typed them: inside, every path is absolute, so that syntax tree and debug info agree.
#pragma once

#include "analysis/analysis.h"

#include <map>
#include <string>

namespace smem {

class DisplayPaths {
public:
  explicit DisplayPaths(const std::vector<std::string> &typed);

  /// A file of the command line as it was typed; another one relative to the working directory if it lies in there.
  std::string show(const std::string &path) const;
  /// Every place of an analysis.
  void apply(FileAnalysis &analysis) const;

private:
  void apply(SourceLocation &location) const;
  void apply(Races &races) const;
  std::map<std::string, std::string> typed; ///< by absolute path
  std::string directory;                    ///< the working directory, with a slash behind it
};

} // namespace smem
