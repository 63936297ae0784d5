// Edits written to disk.
#pragma once

#include "fixes/fixes.h"
#include "sinks/files.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace smem {

/// A file that is edited: of one inode under however many names.
struct EditedFile {
  const sinks::Tree *tree = nullptr;
  std::string name;        ///< below the tree
  std::string path;        ///< as the edits call it
  std::vector<Edit> edits; ///< of all translation units
  std::string text;        ///< that they are made for
};

struct FixPlan {
  std::vector<bool> done; ///< parallel to the fixes: all their combined edits are among those of the files
  std::vector<EditedFile> files;
  std::vector<std::string> skipped; ///< one text for each that is left out, and why

  std::size_t edits() const;
};

/// Where a file may be written, or why it may not.
struct WritableFile {
  const sinks::Tree *tree = nullptr; ///< null: it may not
  std::string name;                  ///< below the tree
  std::string refusal;
};

/// What can be written. A file is left alone if `writable` refuses it or if its text is no longer what the edits were
/// made for; everything that belongs together with an edit of such a file is left out. The trees of `writable` must stay.
FixPlan plan_fixes(std::span<const FileFixes> fixes, const std::function<WritableFile(const std::string &)> &writable);

/// All files are written or none, which the error text then says why. Permissions, line ends and encoding stay; a symbolic link stays one: the file of the tree that
/// it leads to is written.
std::string apply_fixes(const FixPlan &plan);

} // namespace smem
