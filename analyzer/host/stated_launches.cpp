#include "host/stated_launches.h"

#include <algorithm>
#include <map>
#include <utility>

namespace smem {

bool says_anything(const StatedLaunch &stated) {
  return stated.grid || stated.block || stated.dynamic_shared_bytes || !stated.scalars.empty();
}

std::vector<StatedLaunch> stated_of(const std::vector<StatedLaunch> &all, const std::string &mangled) {
  std::map<Provenance, std::pair<std::vector<StatedLaunch>, std::vector<StatedLaunch>>, std::greater<>>
      levels; // from the weakest
  for (const StatedLaunch &stated : all)
    if (stated.about(mangled)) {
      auto &[launches, values] = levels[stated.provenance];
      (stated.grid || stated.block || stated.dynamic_shared_bytes ? launches : values).push_back(stated);
    }
  const auto add = [](StatedLaunch &to, const StatedLaunch &stronger) {
    if (stronger.grid)
      to.grid = stronger.grid;
    if (stronger.block)
      to.block = stronger.block;
    if (stronger.dynamic_shared_bytes)
      to.dynamic_shared_bytes = stronger.dynamic_shared_bytes;
    for (const auto &[name, value] : stronger.scalars) {
      std::erase_if(to.scalars, [&](const auto &one) { return one.first == name; });
      to.scalars.push_back({name, value});
    }
  };
  std::vector<StatedLaunch> result(1);
  for (const auto &[provenance, level] : levels) {
    const auto &[launches, values] = level;
    std::vector<StatedLaunch> product;
    for (const StatedLaunch &weaker : result)
      for (std::size_t i = 0; i < std::max<std::size_t>(launches.size(), 1); ++i) {
        product.push_back(weaker);
        if (i < launches.size())
          add(product.back(), launches[i]);
        for (const StatedLaunch &value : values)
          add(product.back(), value);
      }
    result = std::move(product);
  }
  return result;
}

} // namespace smem
