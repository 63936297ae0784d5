// Edits written to disk.
#pragma once

#include "fixes/fixes.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace smem {

struct Applied {
  std::vector<bool> done;            ///< parallel to the fixes: all their combined edits were written
  std::vector<std::string> files;    ///< that were written
  std::size_t edits = 0;
  std::vector<std::string> skipped;  ///< one text for each that was left out, and why
  std::string error;                 ///< not empty: nothing was written
};

/// All files are written or none. A file is left alone if `may_edit` refuses it or if its text is no longer what the edits were
/// made for; everything that belongs together with an edit of such a file is left out. Permissions, line ends and encoding stay; a
/// symbolic link stays one.
Applied apply_fixes(std::span<const FileFixes> fixes, const std::function<bool(const std::string &)> &may_edit);

} // namespace smem
