// What accesses rest on where nvcc may do otherwise than the model, in words: the texts of Site::assumption that are in more than one part.
#pragma once

#include <array>
#include <string_view>

namespace smem::assumption_text {

inline constexpr std::string_view place = "nvcc attributes no access of another line to this one";
inline constexpr std::string_view repetition = "nvcc neither eliminates nor repeats this access";
inline constexpr std::string_view unread = "nvcc keeps stores that nothing reads, and the loads for them";

/// These change how often an access is made, or on which line it is counted; what one request costs they leave as it is.
inline constexpr std::array of_counts{place, repetition, unread};

constexpr bool is_of_counts(std::string_view assumption) {
  for (const std::string_view one : of_counts)
    if (assumption == one)
      return true;
  return assumption.empty();
}

} // namespace smem::assumption_text
