// Accesses that machine code counts on other lines than their own.
#pragma once

#include "model.h"

#include <vector>

namespace smem::compare {

/// An access that the compiler has left without a line is counted on that of whatever stands before it in machine code. Where the prediction says that of an access, which is
/// assumed then, it is looked for there: rows of one file, space and operation of which the access is missing, that nothing was predicted for, or that have more than their own become one
/// row, which is right if the sums of all agree. Rows that are claimed exact, or that have less than was predicted, are not touched, and where the sums differ none is.
void join_moved_lines(std::vector<Row> &rows);

} // namespace smem::compare
