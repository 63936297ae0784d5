// Values that a loop of unknown length moves by equal steps, where races are looked for: a counter is not known, but it is one of those that lie whole
// steps apart. So threads that begin at different places and go on by the same step never meet.
#pragma once

#include <memory>

#include "smem/program.h"
#include "symbols.h"
#include "value.h"

namespace smem::race {

/// What is `start` now and moves by a multiple of `step`. `fits`: it never wraps around, as a signed number. Null: nothing is known of it. All lanes of
/// `mask` are known in `start`, or all are on a line.
std::shared_ptr<const Choice> line_from(const Value &start, std::int64_t step, bool fits, LaneMask mask);

/// What an atomic sum returns that counts by `step`, with nothing else in between: another multiple of it each time.
std::shared_ptr<const Choice> ticket_of(std::uint32_t number, std::int64_t step, LaneMask mask);

/// What is left of `value` without what each block, or each iteration, has its own number of: those terms move it by multiples of the scale. Null:
/// it has no such term. `fits`: the sum does not wrap around.
std::shared_ptr<const Choice> line_beside(const Symbols &symbols, const Value &value, bool fits, LaneMask mask);

/// A sum with numbers that are not known, which may wrap around: it is a multiple of 2^width away from what it would be if it did not. So threads
/// whose sums differ by less never meet.
std::shared_ptr<const Choice> line_of_wrapping(const Value &sum, LaneMask mask);

/// What an operation of two values makes of lines; null if there is none, or nothing of that form.
std::shared_ptr<const Choice> line_of(const Instruction &instruction, const Value &a, const Value &b, LaneMask mask);

/// The same for changes of width.
std::shared_ptr<const Choice> line_resized(Opcode opcode, const Value &value, unsigned width, LaneMask mask);

/// What is known of a value: the line, if there is one; else bounds may be known.
inline void keep_line(Value &value, std::shared_ptr<const Choice> line) {
  if (line || (value.choice && value.choice->line))
    value.choice = std::move(line);
}

/// The line that all lanes of `mask` are on, each with its own base; null: none.
const Choice *line_in(const Value &value, LaneMask mask);

} // namespace smem::race
