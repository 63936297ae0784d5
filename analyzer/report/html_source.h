// The source in the HTML report, with the figures of each line.
#pragma once

#include "report/html_data.h"

#include <set>
#include <string>

namespace smem {

/// Ids of lines on the page; short, as every site names one.
class HtmlAnchors {
public:
  explicit HtmlAnchors(const std::vector<HtmlSite> &sites);
  std::string operator()(const SourceLocation &place) const; ///< "f0l83"; empty for a place that is not known

private:
  std::set<std::string> files_;
};

/// Excerpts of all files with sites, in markup.
std::string source_tables(const std::vector<HtmlSite> &sites, const HtmlAnchors &anchor, SourceLines &sources);

} // namespace smem
