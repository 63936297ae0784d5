// Times every launch of the program that this library was injected into: after the program's own launch has finished, it is
// repeated with the same arguments, many launches back to back between two events. What the arguments point to is put back
// afterwards, so that the program goes on with its own results. One line of JSON a launch.
//
// The time of one launch is that of its sample divided by the launches in it: warm caches, and with the gap between two launches
// of a graph, about a microsecond. A kernel that works in place runs on its own output. Which launches: launch_filter.h.
#pragma once

namespace smem_lint::validate {

// Appends to the file; false if nothing will be timed, which was said then.
bool start_timing(const char *path);

} // namespace smem_lint::validate
