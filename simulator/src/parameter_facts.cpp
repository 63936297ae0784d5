#include <algorithm>

#include "smem/program.h"

namespace smem {

std::vector<ParameterFact> facts_of_all_sites(const Program &program) {
  std::vector<ParameterFact> all;
  bool first = true;
  for (const MemoryOperation &operation : program.memory_operations) {
    if (operation.site == kNone)
      continue;
    if (first) {
      for (const std::uint32_t number : operation.facts)
        all.push_back(program.parameter_facts[number]);
      first = false;
      continue;
    }
    std::erase_if(all, [&](ParameterFact &fact) {
      for (const std::uint32_t number : operation.facts) {
        const ParameterFact &other = program.parameter_facts[number];
        if (other.index != fact.index || other.offset != fact.offset || other.width != fact.width)
          continue;
        fact.facts = either(fact.facts, other.facts);
        return fact.facts.empty();
      }
      return true;
    });
  }
  return all;
}

} // namespace smem
