// A bound on the memory of a process.
#pragma once

#include <cstdint>
#include <string>

namespace smem {

/// Exit codes of a process that bound_process() ends.
inline constexpr int kOutOfMemory = 71, kOutOfTime = 72;

/// Bounds this process, from which nothing but a result is wanted: data, stacks and heap together take `mib` MiB at most beside what it has by now (0: any number). Where more is asked
/// for the process ends with kOutOfMemory, whoever asked: LLVM goes on after no failed allocation. What LLVM and the C++ runtime print before they abort is
/// not printed: it would not be escaped. Programs that are started inherit the bound. Where can_bound_memory() is false there is none.
void bound_process(std::uint64_t mib);

/// Ends such a process as one that has asked for more: for what is no allocation, as a thread's stack.
[[noreturn]] void end_for_memory();

/// False in builds with a sanitizer: its own tables take terabytes of addresses, so that every bound would end the process at once.
bool can_bound_memory();

/// "not analysed: ..." of a file whose process took too much.
std::string needs_more_memory(std::uint64_t mib);

} // namespace smem
