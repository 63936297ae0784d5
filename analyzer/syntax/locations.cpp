#include "syntax/locations.h"

#include <string>

#include <clang/Basic/SourceManager.h>

#include "support/paths.h"

namespace smem {

SourceLocation to_location(clang::SourceLocation location, const clang::SourceManager &sources) {
  if (location.isInvalid())
    return {};
  const clang::PresumedLoc place = sources.getPresumedLoc(location);
  if (place.isInvalid())
    return {};
  // Neighbouring places lie in one file, and the directory does not change while it is analysed.
  thread_local std::string name, path;
  if (name != place.getFilename()) {
    name = place.getFilename();
    path = normalise_path(name);
  }
  return {path, place.getLine(), place.getColumn()};
}

} // namespace smem
