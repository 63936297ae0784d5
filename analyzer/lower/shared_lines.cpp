#include "lower/shared_lines.h"

#include <algorithm>

namespace smem::lower {

void SharedLines::add(SiteId site, const PlaceInSource &place, Operation operation) {
  if (place.innermost.file == place.location.file && place.innermost.line == place.location.line)
    return;
  Group &group = groups_[{place.innermost.file, place.innermost.line}];
  group.columns[{place.location.file, place.location.line, 0}].insert(place.innermost.column);
  group.sites.insert(site);
  group.stores |= operation == Operation::Store;
}

void SharedLines::mark(Program &program) const {
  for (const auto &[header, group] : groups_) {
    // What a store writes is put together on the store's own line, so that the store is not the first of its call.
    // Copies that unrolling made of a call are calls of their own.
    const bool again = group.stores || std::any_of(group.columns.begin(), group.columns.end(), [](const auto &line) { return line.second.size() > 1; });
    if (group.columns.size() < 2 || !again)
      continue;
    const std::size_t slash = header.first.rfind('/');
    for (const SiteId site : group.sites)
      if (std::string &assumption = program.sites[site].assumption; assumption.empty())
        assumption = "the machine code's line table tells the calls of " + header.first.substr(slash == std::string::npos ? 0 : slash + 1) + ":" +
                     std::to_string(header.second) + " apart";
  }
}

} // namespace smem::lower
