// Which values of what host code leaves free are tried, so that a launch follows or the kernel works.
#include "host/consistent.h"

#include <algorithm>

#include <clang/Basic/SourceManager.h>

#include "host/plausible_launch.h"

namespace smem {
namespace {

constexpr unsigned kMostVariations = 32; ///< for kernels that do not work with the first values

bool fits_type(const FreeQuantity &quantity, std::int64_t value, const clang::ASTContext &context) {
  const clang::QualType type = quantity.type;
  if (type->isBooleanType())
    return value == 0 || value == 1;
  if (type->isRealFloatingType())
    return true;
  const unsigned width = context.getIntWidth(type);
  if (value < 0 && type->isUnsignedIntegerOrEnumerationType())
    return false;
  if (width < 63 && (value >= std::int64_t{1} << (width - type->isSignedIntegerOrEnumerationType()) ||
                     value < -(std::int64_t{1} << (width - 1))))
    return false;
  return value % static_cast<std::int64_t>(quantity.multiple) == 0;
}

} // namespace

/// A quantity that is the block, or the dynamic shared memory, takes a value that is plausible for those.
void ConsistentLaunches::prefer(const std::function<void(Interpreter &)> &run, std::vector<Open> &open) {
  for (Open &each : open) {
    if (!each.base || each.found.empty())
      continue;
    const ConsistentLaunch &first = each.found.front();
    Choices choices = *each.base;
    const auto direct = [&](const std::string &key, std::uint64_t value, std::int64_t plausible) {
      for (std::size_t q = 0; q < first.keys.size(); ++q) // it is the quantity as it stands
        if (first.keys[q] == key && static_cast<std::uint64_t>(first.launch.chosen[q].value) == value &&
            !choices.contains(key))
          choices[key] = plausible;
    };
    direct(first.block_key, first.launch.block.count(), kPlausibleBlock);
    direct(first.dynamic_key, first.launch.dynamic_shared_bytes, kPlausibleDynamic);
    if (choices == *each.base || !may_go_on())
      continue;
    const std::size_t before = each.found.size();
    if (tried_.insert(choices).second)
      execute(run, choices, open);
    if (each.found.size() > before) {
      std::rotate(each.found.begin(), each.found.begin() + static_cast<std::ptrdiff_t>(before), each.found.end());
      each.base = choices;
    }
  }
}

/// Other values for the same launches, should the kernels not work with the first ones.
void ConsistentLaunches::vary(const std::function<void(Interpreter &)> &run, std::vector<Open> &open) {
  steps_ = 0;
  runs_ = 0;
  std::set<Choices> bases;
  for (const Open &each : open)
    if (each.base)
      bases.insert(*each.base);
  for (const Choices &base : bases) {
    std::vector<std::string> sizes, flags;
    std::map<std::string, std::int64_t> values;
    for (const Open &each : open)
      if (each.base == base)
        for (std::size_t q = 0; q < each.found.front().keys.size(); ++q) {
          auto &keys = each.found.front().is_size[q] ? sizes : flags;
          if (std::ranges::find(keys, each.found.front().keys[q]) == keys.end())
            keys.push_back(each.found.front().keys[q]);
          values[each.found.front().keys[q]] = each.found.front().launch.chosen[q].value;
        }
    std::vector<Choices> variations;
    for (const std::int64_t value : {256, 128, 64, 32, 16, 8, 4, 1}) {
      Choices choices = base;
      for (const std::string &key : sizes)
        if (!base.contains(key))
          choices[key] = value;
      variations.push_back(std::move(choices));
    }
    for (const std::int64_t value : {32, 128, 1, 8, 16})
      for (const std::string &key : sizes) {
        Choices choices = base;
        choices[key] = value;
        variations.push_back(std::move(choices));
      }
    for (const std::string &key : flags) {
      Choices choices = base;
      choices[key] = !values[key];
      variations.push_back(std::move(choices));
    }
    for (const Choices &choices : variations)
      if (runs_ < kMostVariations && may_go_on() && tried_.insert(choices).second)
        execute(run, choices, open);
  }
}

/// Choices under which a launch becomes what it has to be, or one of the conditions on the way turns out otherwise while those before it
/// stay: first those behind which a launch would follow, then the last one.
std::vector<Choices> ConsistentLaunches::solved(const Run &run) {
  constexpr std::size_t kMostSolved = 6;
  constexpr std::size_t kMostAttempts = 16;
  constexpr std::int64_t kMostUsual = std::int64_t{1} << 20;
  constexpr std::uint64_t kTermsOfStep = 32; // evaluated in the time of a step of the interpreter
  std::vector<Choices> result;
  std::vector<std::int64_t> now;
  for (const FreeQuantity &quantity : run.quantities)
    now.push_back(quantity.value);
  const auto admits = [&](std::size_t quantity, std::int64_t value) {
    return fits_type(run.quantities[quantity], value, context_);
  };
  const auto admits_usual = [&](std::size_t quantity, std::int64_t value) { // of a size some elements
    return admits(quantity, value) &&
           (!is_size(run.quantities[quantity]) || (value >= 1 && value <= kMostUsual) || value == now[quantity]);
  };
  bool usual = true;
  const auto attempt = [&](const std::vector<TermCondition> &conditions) {
    std::uint64_t work = 0;
    const auto values =
        usual ? run.terms.solve(conditions, now, admits_usual, work) : run.terms.solve(conditions, now, admits, work);
    steps_ += work / kTermsOfStep;
    steps_of_file_ += work / kTermsOfStep;
    if (!values)
      return false;
    Choices choices = run.choices;
    for (std::size_t i = 0; i < now.size(); ++i)
      if ((*values)[i] != now[i])
        choices[run.quantities[i].key] = (*values)[i];
    if (!tried_.contains(choices) && std::ranges::find(result, choices) == result.end())
      result.push_back(std::move(choices));
    return true;
  };
  // What the standard library asks on its way is no check of the program's: building the message of an exception asks dozens of things, std::max which
  // of its operands it is.
  const clang::SourceManager &sources = context_.getSourceManager();
  const auto is_of_library = [&](const Scenario::Decision &decision) {
    return sources.isInSystemHeader(sources.getExpansionLoc(decision.where));
  };
  // Where everything is as now, where the library may answer otherwise, and where loops may run otherwise.
  const auto with_way_to = [&](std::size_t end, const std::vector<TermCondition> &wanted) {
    std::vector<TermCondition> all = wanted, own = wanted, once = wanted;
    for (std::size_t i = 0; i < end; ++i) {
      all.push_back(run.path[i].condition);
      if (is_of_library(run.path[i]))
        continue;
      own.push_back(run.path[i].condition);
      const auto same_place = [&](const Scenario::Decision &other) { return other.where == run.path[i].where; };
      if (std::ranges::count_if(run.path, same_place) == 1)
        once.push_back(run.path[i].condition);
    }
    if (!attempt(all) && (own.size() == all.size() || !attempt(own)) && once.size() < own.size())
      attempt(once);
  };
  std::vector<std::size_t> order;
  const auto add = [&](std::size_t at) {
    if (at < run.path.size() && !is_of_library(run.path[at]) && std::ranges::find(order, at) == order.end())
      order.push_back(at);
  };
  for (const std::size_t turn : run.turns)
    add(turn);
  for (std::size_t i = run.path.size(); i-- > 0;)
    add(i);
  for (; result.empty(); usual = false) {
    if (!run.wishes.empty())
      with_way_to(run.path.size(), run.wishes);
    for (std::size_t attempts = 0;
         attempts < std::min(order.size(), kMostAttempts) && result.size() < kMostSolved && may_go_on(); ++attempts)
      with_way_to(order[attempts],
                  {{run.path[order[attempts]].condition.term, !run.path[order[attempts]].condition.holds}});
    if (!usual)
      break;
  }
  return result;
}

/// The same choices but for one quantity each, which decided something: the last one first.
std::vector<Choices> ConsistentLaunches::others(const Run &run) const {
  std::vector<Choices> result;
  for (std::size_t i = run.quantities.size(); i-- > 0;) {
    const FreeQuantity &quantity = run.quantities[i];
    if (!(run.decisive & free_quantity(i)))
      continue;
    std::vector<std::int64_t> values = quantity.suggested;
    if (is_size(quantity))
      values.insert(values.end(), {256, 128, 64, 32, 1, 0, 2, 16, 512, 4096});
    for (const std::int64_t value : values) {
      if (value == quantity.value || !fits_type(quantity, value, context_))
        continue;
      Choices choices = run.choices;
      choices[quantity.key] = value;
      if (!tried_.contains(choices))
        result.push_back(std::move(choices));
    }
  }
  return result;
}

} // namespace smem
