#include "support/any_value.h"

namespace smem {

bool has_any_value(std::string_view name) {
  const std::size_t open = name.rfind('[');
  return open != std::string_view::npos && name.substr(0, open).ends_with(".strides_");
}

} // namespace smem
