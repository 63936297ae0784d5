// Cases of several instructions that are one to the reader.
#pragma once

#include "figures.h"

namespace smem::pattern {

/// Of either of the instructions that have these cases. What is not a case of both is one of some copies of the access: its other conditions decide
/// for the instruction that it is of, and for no other. Either may be of several instructions already.
Cases of_copies(const Cases &a, const Cases &b);

} // namespace smem::pattern
