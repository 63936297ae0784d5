#include "lower/shared_lines.h"

#include <algorithm>

namespace smem::lower {

void SharedLines::add(SiteId site, const PlaceInSource &place, Operation operation) {
  if (place.innermost.file == place.location.file && place.innermost.line == place.location.line)
    return;
  Group &group = groups_[{place.innermost.file, place.innermost.line}];
  // Loads move among each other, those of the copies that unrolling made of a call, too. Asynchronous copies keep their order: each is the first of its call.
  unsigned &accesses = group.accesses[{place.location.file, place.location.line, 0}];
  accesses = operation == Operation::AsyncCopy ? std::max(accesses, 1U) : accesses + 1;
  group.sites.insert(site);
  group.stores |= operation == Operation::Store;
}

void SharedLines::mark(Program &program) const {
  for (const auto &[header, group] : groups_) {
    // What a store writes is put together on the store's own line, so that the store is not the first of its call.
    const bool again = group.stores || std::any_of(group.accesses.begin(), group.accesses.end(), [](const auto &line) { return line.second > 1; });
    if (group.accesses.size() < 2 || !again)
      continue;
    const std::size_t slash = header.first.rfind('/');
    for (const SiteId site : group.sites)
      if (std::string &assumption = program.sites[site].assumption; assumption.empty())
        assumption = "the machine code's line table tells the calls of " + header.first.substr(slash == std::string::npos ? 0 : slash + 1) + ":" +
                     std::to_string(header.second) + " apart";
  }
}

} // namespace smem::lower
