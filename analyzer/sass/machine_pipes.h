// Which pipe of an SM executes an instruction, for floors under times.
#pragma once

#include <string_view>

#include "smem/arithmetic_work.h"

namespace smem::compiled {

/// One execution by a warp. Of what is not known to have one pipe only, just that it is issued; likewise of what has a guard, which a pipe does not
/// get where the guard lets no lane do it.
ArithmeticWork work_of(std::string_view opcode, bool guarded = false);

} // namespace smem::compiled
