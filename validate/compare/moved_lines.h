// Accesses that machine code counts on other lines than their own.
#pragma once

#include "model.h"

#include <vector>

namespace smem::compare {

/// An access that the compiler has left without a line is counted on that of whatever stands before it in machine code. Where the prediction says that of an access (it is
/// assumed then), and its row disagrees alone, all such rows of one space and operation become one, with what was measured where nothing was predicted: it is right if the sums
/// of all agree. Rows that keep their lines are not touched, and where the sums differ none is.
void join_moved_lines(std::vector<Row> &rows);

} // namespace smem::compare
