#include "kernel_name.h"

#include <algorithm>
#include <cctype>

namespace smem::compare {

std::string normalised_kernel_name(std::string_view mangled) {
  constexpr std::string_view unnamed = "_GLOBAL__N_";
  const auto is = [&](std::size_t i, auto &&predicate) {
    return i < mangled.size() && predicate(static_cast<unsigned char>(mangled[i])) != 0;
  };
  const auto digit = [&](std::size_t i) { return is(i, [](int c) { return std::isdigit(c); }); };
  std::string out;
  for (std::size_t i = 0; i < mangled.size();) {
    // L<length><name>: internal linkage.
    if (mangled[i] == 'L' && digit(i + 1)) {
      ++i;
      continue;
    }
    // Literals (Li32E) and substitutions (S1_, T0_) have digits that are no lengths.
    if (mangled[i] == 'L' && is(i + 1, [](int c) { return std::islower(c); })) {
      const std::size_t end = std::min(mangled.find('E', i), mangled.size());
      out += mangled.substr(i, end - i);
      i = end;
      continue;
    }
    if ((mangled[i] == 'S' || mangled[i] == 'T') && digit(i + 1)) {
      const std::size_t end = std::min(mangled.find('_', i), mangled.size());
      out += mangled.substr(i, end - i);
      i = end;
      continue;
    }
    if (!digit(i)) {
      out += mangled[i++];
      continue;
    }
    std::size_t end = i, length = 0;
    for (; digit(end); ++end)
      if (length < mangled.size())
        length = length * 10 + static_cast<std::size_t>(mangled[end] - '0');
    if (length <= mangled.size() - end && mangled.substr(end).substr(0, unnamed.size()) == unnamed) {
      out += "12_GLOBAL__N_1";
      i = end + length;
    } else {
      out += mangled.substr(i, end - i);
      i = end;
      // The name itself is not looked into.
      if (is(i, [](int c) { return std::isalpha(c) || c == '_'; }) && length <= mangled.size() - i) {
        out += mangled.substr(i, length);
        i += length;
      }
    }
  }
  return out;
}

} // namespace smem::compare
