// Counts every launch of the program that this library was injected into: one line of JSON a launch, with the hardware's
// counters of every memory instruction. The line is on disk before the program's launch call returns.
//
// Settings from the environment: SMEM_MEASURE_KERNEL (regular expression on the kernel's name, mangled or not),
// SMEM_MEASURE_SKIP and SMEM_MEASURE_COUNT (launches of matching kernels), SMEM_MEASURE_ALL (rows for all instructions, not
// only those that access memory).
#pragma once

namespace smem_lint::validate {

// Appends to the file; false if nothing will be counted, which was said then.
bool start_counting(const char* path);

}  // namespace smem_lint::validate
