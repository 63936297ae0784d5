// Lines of a kernel that code of another file has the number of.
#pragma once

#include "smem/program.h"
#include "syntax/source_index.h"

namespace llvm {
class Function;
}

namespace smem::lower {

class Locations;

/// ptxas begins a row of its line table where the line's number changes, or where code of another function begins than of the one that was inlined last. That
/// the file changes is not looked at: what a kernel accesses on its line 107 is attributed to a call of atomicAdd(), whose body is line 107 of a header, or what that
/// call accesses to line 107 of the kernel, if nothing of another line stands between the two in machine code. Accesses of both lines are marked.
void mark_equal_line_numbers(Program &program, const llvm::Function &kernel, Locations &locations,
                             const SourceIndex &index);

} // namespace smem::lower
