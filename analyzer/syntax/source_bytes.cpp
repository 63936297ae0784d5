#include "syntax/source_bytes.h"

#include <clang/Basic/SourceManager.h>

namespace smem {

std::uint64_t source_bytes(const clang::SourceManager &sources) {
  std::uint64_t bytes = sources.getNextLocalOffset();
  const unsigned count = sources.local_sloc_entry_size();
  for (unsigned i = 0; i < count; ++i) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile())
      continue;
    const std::optional<llvm::MemoryBufferRef> buffer = entry.getFile().getContentCache().getBufferIfLoaded();
    if (buffer && buffer->getBufferIdentifier() == "<scratch space>")
      bytes -= (i + 1 < count ? sources.getLocalSLocEntry(i + 1).getOffset() : sources.getNextLocalOffset()) -
               entry.getOffset();
  }
  return bytes;
}

} // namespace smem
