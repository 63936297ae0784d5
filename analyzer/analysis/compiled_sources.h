// The sources that line tables of machine code name, as far as they are on this machine.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/lower_options.h"
#include "sass/listing.h"
#include "smem/source.h"

namespace smem {

/// A line table is whatever the file has there. Only regular files whose names are those of sources are read, so that no report shows a line of
/// anything else.
class CompiledSources {
public:
  /// `listings`: the versions of files that were compiled. `file`: the machine code; sources are looked for below its folder and the working directory.
  CompiledSources(const std::vector<compiled::Listing> &listings, const std::string &file, LowerOptions options);

  /// The innermost place of a chain outside the toolkit's headers; not known: none of it is of a source.
  SourceLocation place(const std::vector<compiled::ListedPlace> &chain);
  /// The line, without blanks around it; empty where the file is not here or was another one when it was compiled.
  std::string text(const SourceLocation &location);
  bool is_toolkit(std::string_view path) const { return is_toolkit_file(options_, path); }

  /// Files that are here, but not as they were compiled.
  std::vector<std::string> changed() const;

private:
  struct File {
    std::string here;               ///< its path on this machine; as listed, where there is none
    std::vector<std::string> lines; ///< read when first asked for
    bool present = false, changed = false, read = false;
  };
  File &file(const std::string &listed);

  LowerOptions options_;
  std::string folder_;
  std::map<std::string, std::uint64_t> bytes_; ///< of listed files, when they were compiled
  std::map<std::string, File> files_;          ///< by listed path
  std::map<std::string, std::string> listed_;  ///< by the path here
};

} // namespace smem
