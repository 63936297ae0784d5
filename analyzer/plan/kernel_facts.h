// What a configuration's `Kernels` says of a block, a grid or a parameter: `256`, `(32,8)`, `32..1024 step 32`, `multiple of 32`, `>= 64`.
#pragma once

#include "plan/launch_wish.h"

#include <string>
#include <string_view>

namespace smem {

/// Adds it to the wish; empty text on success. `name` is `block`, `grid`, `dynamic` or a parameter's (`n`, `p.ncols`). Several facts that hold at the same
/// time have commas between them. A block's are those of blockDim.x, as a number is; `(32, 1..32)` has one for each axis, and those left out are 1.
std::string add_kernel_fact(LaunchWish &wish, std::string_view name, std::string_view text);

/// "n % 32 == 0 (host.cu:12)": with the place of the code that says it.
std::string said_by_code(const ArgumentValue &argument, const std::string &name);

/// The text that is read as these facts: "32..1024 step 32", "multiple of 32", ">= 64".
std::string kernel_fact_text(const ArgumentFacts &facts);
std::string kernel_fact_text(const BlockFacts &facts);
/// For a reader: "block=(32,8)"; of a block of one row whose length is not known, that it is one.
std::string block_words(const BlockFacts &facts);

} // namespace smem
