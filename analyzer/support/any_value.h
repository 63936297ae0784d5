// Members of structures that nothing is chosen for where nothing says them.
#pragma once

#include <string_view>

namespace smem {

/// Whether a scalar, by its full name (`p.strides_[1]`), has the stride of a tensor as PyTorch's accessors have it. One is as good as another, a
/// transposed tensor's as a contiguous one's: it stays a symbol.
bool has_any_value(std::string_view name);

} // namespace smem
