// What orders accesses, and decides no count.
#pragma once

#include "smem/program.h"

namespace smem::lower {

/// Barriers of lanes, fences, what waits for copies and the like.
bool orders(Opcode opcode);

/// Takes it out of `program`: what a barrier in shared memory tells is not known where its phases are not followed.
void drop_order(Program &program);

} // namespace smem::lower
