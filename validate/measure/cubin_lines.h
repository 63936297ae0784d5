// The line table of a cubin.
#pragma once

#include "line_table/line_table.h"

#include <string_view>

namespace smem_lint::validate {

// A cubin without .debug_line, or one that cannot be read, gives an empty table.
smem::LineTable read_line_table(std::string_view cubin);

} // namespace smem_lint::validate
