// What figures rest on where not everything is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smem {

/// Something that is not known and was supposed all the same.
struct Assumption {
  std::string text;                        ///< e.g. "block=(256,1,1): no launch found"
  std::optional<std::uint32_t> argument{}; ///< position of the parameter whose value it is, if it is one
  std::string id{}; ///< the name that stays the same under which the documentation has it; empty for values of a launch

  bool empty() const { return text.empty(); }
  bool operator==(const Assumption &) const = default;
};

/// Those that the simulator makes itself.
namespace assumption_id {
inline constexpr std::string_view block_order = "assumed-block-order"; ///< blocks come to an atomic one after the other
inline constexpr std::string_view changed_value = "assumed-changed-value"; ///< each compare-and-swap changes the value
} // namespace assumption_id

} // namespace smem
