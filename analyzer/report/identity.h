// What recognises an access in another version of the source: neither line numbers nor white space.
#pragma once

#include "report/finding.h"
#include "report/site_rows.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// `tile[ y ][x+1]` -> `tile[y][x+1]`: blanks stay only between words, where they separate tokens.
std::string normalise_expression(std::string_view text);

/// `f<(lambda at k.cu:12:3)>` -> `f<(lambda)>`: places that the front end puts into names go.
std::string normalise_kernel(std::string_view name);

/// Accesses of one kernel by what recognises them. Rows of one place and inlining share an ordinal: a compiler that merges
/// accesses into wider ones makes several rows of one access.
class AccessNames {
public:
  AccessNames(const Program &program, const std::vector<SiteRow> &rows);
  Occurrence occurrence(const SiteRow &row) const;

private:
  using Place = std::pair<SourceLocation, std::vector<InlineFrame>>;
  std::string kernel;
  std::map<std::string, std::map<Place, unsigned>> ordinals; ///< by expression
};

} // namespace smem
