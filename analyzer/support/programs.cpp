#include "support/programs.h"

#include <cstdlib>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Program.h>

namespace smem {

std::string find_on_path(const std::string &name) {
  const char *path = std::getenv("PATH");
  llvm::SmallVector<llvm::StringRef, 16> all, folders;
  llvm::StringRef(path ? path : "").split(all, ':');
  for (const llvm::StringRef folder : all)
    if (folder.starts_with("/"))
      folders.push_back(folder);
  if (folders.empty())
    return {}; // LLVM would look in its own places
  const auto found = llvm::sys::findProgramByName(name, folders);
  return found ? *found : std::string();
}

} // namespace smem
