#include "support/nearest.h"

#include <algorithm>
#include <numeric>

namespace smem {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string did_you_mean(std::string_view word, const std::vector<std::string> &candidates) {
  const std::string *best = nullptr;
  // Beyond a third of the word a suggestion is more of a riddle than a help.
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string &candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = &candidate;
    }
  }
  return best ? "; did you mean '" + *best + "'?" : std::string();
}

std::string did_you_mean_or(std::string_view word, const std::vector<std::string> &candidates, std::string_view what) {
  constexpr std::size_t kMost = 8;
  if (std::string near = did_you_mean(word, candidates); !near.empty() || candidates.empty())
    return near;
  std::vector<std::string> each; // once, in their order
  for (const std::string &candidate : candidates)
    if (std::find(each.begin(), each.end(), candidate) == each.end())
      each.push_back(candidate);
  std::string text = "; " + std::string(what);
  for (std::size_t i = 0; i < each.size() && i < kMost; ++i)
    text += (i == 0 ? " " : ", ") + each[i];
  return text + (each.size() > kMost ? ", ..." : "");
}

} // namespace smem
