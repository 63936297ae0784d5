// Values that depend on data: not known, but of a known form.
#pragma once

#include <memory>
#include <optional>

#include "smem/program.h"
#include "value.h"

namespace smem {

/// Any integer of a register of `width` bits; null where that is too much to be of use.
std::shared_ptr<const Choice> any_value(unsigned width);

/// What an operation makes of a value that depends on data and one that is known; null if nothing of that form. `known` has no terms.
std::shared_ptr<const Choice> choice_of(Opcode opcode, const Choice &choice, const Value &known, bool choice_first,
                                        unsigned width, LaneMask mask);

/// The same for changes of width, from `from` bits to `to`.
std::shared_ptr<const Choice> resized(Opcode opcode, const Choice &choice, unsigned from, unsigned to, LaneMask mask);

/// One of two known values in each lane; null if they are not equally far apart in all lanes.
std::shared_ptr<const Choice> one_of(const Value &a, const Value &b, LaneMask mask);

} // namespace smem
