// Counts every launch of the program that this library was injected into: one line of JSON a launch, with the hardware's
// counters of every memory instruction. The line is on disk before the program's launch call returns.
//
// Which launches: launch_filter.h. With SMEM_MEASURE_ALL set there are rows for all instructions, not only for those that access
// memory.
#pragma once

namespace smem_lint::validate {

// Appends to the file; false if nothing will be counted, which was said then.
bool start_counting(const char *path);

} // namespace smem_lint::validate
