// Edits written to disk.
#pragma once

#include "fixes/fixes.h"
#include "sinks/files.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace smem {

struct Applied {
  std::vector<bool> done;         ///< parallel to the fixes: all their combined edits were written
  std::vector<std::string> files; ///< that were written
  std::size_t edits = 0;
  std::vector<std::string> skipped; ///< one text for each that was left out, and why
  std::string error;                ///< not empty: nothing was written
};

/// Where a file may be written, or why it may not.
struct WritableFile {
  const sinks::Tree *tree = nullptr; ///< null: it may not
  std::string name;                  ///< below the tree
  std::string refusal;
};

/// All files are written or none. A file is left alone if `writable` refuses it or if its text is no longer what the edits were
/// made for; everything that belongs together with an edit of such a file is left out. Permissions, line ends and encoding stay; a
/// symbolic link stays one: the file of the tree that it leads to is written.
Applied apply_fixes(std::span<const FileFixes> fixes, const std::function<WritableFile(const std::string &)> &writable);

} // namespace smem
