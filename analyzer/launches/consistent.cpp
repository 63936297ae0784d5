#include "launches/consistent.h"

#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/Basic/TargetInfo.h>

#include "launches/typical_device.h"

namespace smem {

namespace {

constexpr unsigned kMostRuns = 64;         ///< to find values that lead to the launches of one function
constexpr unsigned kMostVariations = 32;   ///< for kernels that do not work with the first ones
constexpr std::size_t kMostConsistent = 16;
constexpr std::uint64_t kMostSteps = 500'000, kMostStepsOfVariations = 500'000, kMostStepsOfFile = 2'000'000;
constexpr std::int64_t kPlausibleBlock = 256, kPlausibleDynamic = 32 * 1024;

bool is_open(const HostLaunch &host) {
  const auto open = [](const ArgumentValue &argument) { return !argument.pointer && !argument.value; };
  return !host.grid_known || !host.block_known || !host.dynamic_known || std::ranges::any_of(host.launch.arguments, open);
}

const ArgumentValue *find_argument(const Launch &launch, const ArgumentValue &like, std::size_t *at = nullptr) {
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    if (launch.arguments[i].index == like.index && launch.arguments[i].offset == like.offset) {
      if (at)
        *at = i;
      return &launch.arguments[i];
    }
  return nullptr;
}

/// "parameter of encode", "the result of 'rand' (line 12)".
std::string origin_of(const FreeQuantity &quantity) {
  std::string_view reason = quantity.reason;
  constexpr std::string_view kDepends = "depends on ", kParameter = "parameter '";
  if (reason.starts_with(kDepends))
    reason.remove_prefix(kDepends.size());
  if (reason.starts_with(kParameter))
    if (const std::size_t of = reason.find("' of '"); of != std::string_view::npos) {
      const std::string_view parameter = reason.substr(kParameter.size(), of - kParameter.size());
      std::string_view function = reason.substr(of + 6);
      function.remove_suffix(function.ends_with('\'') ? 1 : 0);
      if (parameter == quantity.name)
        return "parameter of " + std::string(function);
      return "parameter " + std::string(parameter) + " of " + std::string(function);
    }
  return std::string(reason);
}

bool only_one(Assumptions bits) { return bits && !(bits & (bits - 1)); }

bool fits_type(const FreeQuantity &quantity, std::int64_t value, const clang::ASTContext &context) {
  const clang::QualType type = quantity.type;
  if (type->isBooleanType())
    return value == 0 || value == 1;
  if (type->isRealFloatingType())
    return true;
  const unsigned width = context.getIntWidth(type);
  if (value < 0 && type->isUnsignedIntegerOrEnumerationType())
    return false;
  if (width < 63 && (value >= std::int64_t{1} << (width - type->isSignedIntegerOrEnumerationType()) || value < -(std::int64_t{1} << (width - 1))))
    return false;
  return value % static_cast<std::int64_t>(quantity.multiple) == 0;
}

bool same_shape(const Launch &a, const Launch &b) {
  return a.grid == b.grid && a.block == b.block && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
         std::ranges::equal(a.arguments, b.arguments, [](const ArgumentValue &x, const ArgumentValue &y) {
           return x.index == y.index && x.offset == y.offset && x.value == y.value;
         });
}

bool is_size(const FreeQuantity &quantity) {
  return quantity.type->isIntegerType() && !quantity.type->isBooleanType() && !quantity.type->isEnumeralType();
}

} // namespace

bool ConsistentLaunches::may_go_on(std::uint64_t most_steps) const { return steps_ < most_steps && steps_of_file_ < kMostStepsOfFile && !stop_.stop_requested(); }

/// How far a launch that a scenario has met is the one that is to be completed. `wrong` gains the quantities that its faults rest on.
ConsistentLaunches::Fit ConsistentLaunches::fit(const Open &open, const Entry &met, Scenario &scenario, Assumptions &wrong) const {
  const HostLaunch &known = open.entry->launch, &host = met.launch;
  if (met.site != open.entry->site || host.launch.mangled != known.launch.mangled)
    return Fit::None;
  if ((known.grid_known && host.launch.grid != known.launch.grid) || (known.block_known && host.launch.block != known.launch.block) ||
      (known.dynamic_known && host.launch.dynamic_shared_bytes != known.launch.dynamic_shared_bytes))
    return Fit::None;
  for (const ArgumentValue &argument : known.launch.arguments)
    if (!argument.pointer && argument.value)
      if (const ArgumentValue *other = find_argument(host.launch, argument); !other || other->value != argument.value)
        return Fit::None;
  if (met.contradicts)
    return Fit::Contradicts;
  bool good = true;
  const auto want = [&](Assumptions rests_on, std::int64_t now, std::initializer_list<std::int64_t> targets) {
    good = false;
    wrong |= rests_on & kFreeQuantities;
    for (const std::int64_t target : targets)
      scenario.suggest(rests_on, now, target);
  };
  const Launch &launch = host.launch;
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)); };
  if (!known.block_known) {
    std::uint64_t most = 1024;
    if (const auto *bounds = met.kernel->getAttr<clang::CUDALaunchBoundsAttr>(); bounds && !bounds->getMaxThreads()->isValueDependent())
      if (const auto threads = bounds->getMaxThreads()->getIntegerConstantExpr(context_))
        most = std::min<std::uint64_t>(most, threads->getZExtValue());
    if (host.block_known && (launch.block.count() == 0 || launch.block.count() > most || launch.block.z > 64))
      want(met.rests_on.block, number(launch.block.count()), {kPlausibleBlock, 1024, 128, 64, 32});
  }
  if (!known.grid_known && host.grid_known &&
      (launch.grid.count() == 0 || launch.grid.x > 0x7fffffffu || launch.grid.y > 65535 || launch.grid.z > 65535))
    want(met.rests_on.grid, number(launch.grid.count()), {1024, 64, 1});
  const auto most_dynamic = static_cast<std::uint64_t>(typical_device(context_.getTargetInfo().getTargetOpts().CPU).shared_per_block_optin);
  if (!known.dynamic_known && host.dynamic_known && most_dynamic && launch.dynamic_shared_bytes > most_dynamic)
    want(met.rests_on.dynamic, number(launch.dynamic_shared_bytes), {kPlausibleDynamic, 4096, 1024});
  for (const StatedLaunch &stated : open.stated) {
    if (stated.block && !known.block_known && *stated.block != launch.block)
      want(met.rests_on.block, number(launch.block.count()), {number(stated.block->count()), stated.block->x, stated.block->y});
    if (stated.grid && !known.grid_known && *stated.grid != launch.grid)
      want(met.rests_on.grid, number(launch.grid.count()), {number(stated.grid->count()), stated.grid->x, stated.grid->y});
    if (stated.dynamic_shared_bytes && !known.dynamic_known && *stated.dynamic_shared_bytes != launch.dynamic_shared_bytes)
      want(met.rests_on.dynamic, number(launch.dynamic_shared_bytes), {number(*stated.dynamic_shared_bytes)});
    for (const auto &[name, value] : stated.scalars)
      for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const ArgumentValue &argument = launch.arguments[i];
        if (argument.offset != 0 || argument.pointer || !argument.value || *argument.value == value || argument.index >= met.kernel->getNumParams() ||
            met.kernel->getParamDecl(argument.index)->getName() != name)
          continue;
        if (const ArgumentValue *said = find_argument(known.launch, argument); said && !said->value)
          want(met.rests_on.arguments[i], *argument.value, {value});
      }
  }
  const bool complete = (host.grid_known || known.grid_known) && (host.block_known || known.block_known) && (host.dynamic_known || known.dynamic_known);
  return good && complete ? Fit::Good : Fit::Reached;
}

ConsistentLaunch ConsistentLaunches::describe(const Open &open, const Entry &met, const Run &run, Fit fit) const {
  const HostLaunch &known = open.entry->launch;
  ConsistentLaunch result;
  result.launch = met.launch.launch;
  result.unknown = met.launch.unknown;
  result.grid_known = met.launch.grid_known;
  result.block_known = met.launch.block_known;
  result.dynamic_known = met.launch.dynamic_known;
  result.reached = fit != Fit::Contradicts;
  Assumptions used = kNothingAssumed;
  const auto rests = [&](bool is_known, Assumptions bits) {
    if (is_known)
      return false;
    used |= bits;
    return (bits & kFreeQuantities) != 0;
  };
  result.grid_chosen = rests(known.grid_known, met.rests_on.grid);
  result.block_chosen = rests(known.block_known, met.rests_on.block);
  result.dynamic_chosen = rests(known.dynamic_known, met.rests_on.dynamic);
  for (std::size_t i = 0; i < result.launch.arguments.size(); ++i) {
    ArgumentValue &argument = result.launch.arguments[i];
    const ArgumentValue *said = find_argument(known.launch, argument);
    if (argument.pointer || !argument.value || (said && said->value))
      continue;
    rests(false, met.rests_on.arguments[i]);
    argument.provenance = Provenance::Assumed;
    // Which quantities decide it goes with it, by their numbers.
    for (std::size_t q = 0; q < run.quantities.size(); ++q)
      if (met.rests_on.arguments[i] & free_quantity(q))
        result.argument_quantities.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(q)});
  }
  std::vector<std::uint32_t> position(run.quantities.size(), UINT32_MAX);
  for (std::size_t q = 0; q < run.quantities.size(); ++q)
    if ((used | run.decisive) & free_quantity(q)) { // what only leads here has to be known, too
      position[q] = static_cast<std::uint32_t>(result.launch.chosen.size());
      result.launch.chosen.push_back({run.quantities[q].name, origin_of(run.quantities[q]), run.quantities[q].value});
      const Assumptions shape = (known.grid_known ? 0 : met.rests_on.grid) | (known.block_known ? 0 : met.rests_on.block) |
                                (known.dynamic_known ? 0 : met.rests_on.dynamic);
      result.decides_shape.push_back((shape & free_quantity(q)) != 0);
      result.is_size.push_back(is_size(run.quantities[q]));
      result.keys.push_back(run.quantities[q].key);
    }
  for (auto &[argument, quantity] : result.argument_quantities)
    quantity = position[quantity];
  const auto only_key = [&](bool chosen, Assumptions bits) {
    bits &= kFreeQuantities;
    for (std::size_t q = 0; chosen && only_one(bits) && open.stated.empty() && q < run.quantities.size(); ++q)
      if (bits == free_quantity(q))
        return run.quantities[q].key;
    return std::string();
  };
  result.block_key = only_key(result.block_chosen, met.rests_on.block);
  result.dynamic_key = only_key(result.dynamic_chosen, met.rests_on.dynamic);
  return result;
}

/// Takes what a run has met; whether that was of use.
bool ConsistentLaunches::harvest(const Run &run, Scenario &scenario, std::vector<Open> &open, Assumptions &wrong) {
  bool better = false;
  for (Open &each : open) {
    const Entry *best = nullptr;
    Fit best_fit = Fit::None;
    for (const Entry &met : run.entries)
      if (const Fit how = fit(each, met, scenario, wrong); how > best_fit)
        best = &met, best_fit = how;
    if (!best)
      continue;
    if (best_fit == Fit::Good) {
      ConsistentLaunch found = describe(each, *best, run, best_fit);
      const auto same = [&](const ConsistentLaunch &other) { return same_shape(other.launch, found.launch); };
      if (each.found.size() < kMostConsistent && std::ranges::none_of(each.found, same)) {
        if (each.found.empty())
          each.base = run.choices;
        each.found.push_back(std::move(found));
        better |= each.fit != Fit::Good;
      }
    } else if (best_fit > each.fit) {
      each.otherwise = describe(each, *best, run, best_fit);
      better = true;
    }
    each.fit = std::max(each.fit, best_fit);
  }
  return better;
}

ConsistentLaunches::Run ConsistentLaunches::execute(const std::function<void(Interpreter &)> &run, const Choices &choices, std::vector<Open> &open) {
  Scenario scenario(context_, choices);
  met_.clear();
  interpreter_.suppose(&scenario);
  run(interpreter_);
  interpreter_.suppose(nullptr);
  steps_ += interpreter_.steps();
  steps_of_file_ += interpreter_.steps();
  ++runs_;
  Run result{choices, scenario.quantities(), scenario.decisive(), met_.entries()};
  Assumptions wrong = kNothingAssumed;
  news_ = harvest(result, scenario, open, wrong);
  for (const auto &decision : scenario.decisions())
    news_ |= decisions_.insert(decision).second;
  result.quantities = scenario.quantities(); // with what was suggested just now
  result.decisive |= wrong;
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

/// A quantity that is the block, or the dynamic shared memory, takes a value that is plausible for those.
void ConsistentLaunches::prefer(const std::function<void(Interpreter &)> &run, std::vector<Open> &open) {
  for (Open &each : open) {
    if (!each.base || each.found.empty())
      continue;
    const ConsistentLaunch &first = each.found.front();
    Choices choices = *each.base;
    const auto direct = [&](const std::string &key, std::uint64_t value, std::int64_t plausible) {
      for (std::size_t q = 0; q < first.keys.size(); ++q) // it is the quantity as it stands
        if (first.keys[q] == key && static_cast<std::uint64_t>(first.launch.chosen[q].value) == value && !choices.contains(key))
          choices[key] = plausible;
    };
    direct(first.block_key, first.launch.block.count(), kPlausibleBlock);
    direct(first.dynamic_key, first.launch.dynamic_shared_bytes, kPlausibleDynamic);
    if (choices == *each.base || !may_go_on(kMostSteps))
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
      if (runs_ < kMostVariations && may_go_on(kMostStepsOfVariations) && tried_.insert(choices).second)
        execute(run, choices, open);
  }
}

void ConsistentLaunches::complete(const std::function<void(Interpreter &)> &run, std::vector<LaunchRecorder::Entry> &entries, std::size_t first) {
  std::vector<Open> open;
  for (std::size_t i = first; i < entries.size(); ++i)
    if (entries[i].kernel && is_open(entries[i].launch)) {
      // Statements about shapes are about one launch each, others about all.
      std::vector<StatedLaunch> launches, values;
      for (const StatedLaunch &stated : stated_)
        if (stated.about(entries[i].launch.launch.mangled))
          (stated.grid || stated.block || stated.dynamic_shared_bytes ? launches : values).push_back(stated);
      for (std::size_t k = 0; k < std::max<std::size_t>(launches.size(), 1); ++k) {
        Open each;
        each.entry = &entries[i];
        each.stated = values;
        if (k < launches.size())
          each.stated.push_back(launches[k]);
        open.push_back(std::move(each));
      }
    }
  if (open.empty())
    return;
  tried_.clear();
  decisions_.clear();
  steps_ = 0;
  runs_ = 0;
  std::deque<Choices> queue{{}};
  const auto is_missing = [](const Open &each) { return each.found.empty(); };
  while (!queue.empty() && runs_ < kMostRuns && may_go_on(kMostSteps) && std::ranges::any_of(open, is_missing)) {
    const Choices choices = std::move(queue.front());
    queue.pop_front();
    if (!tried_.insert(choices).second)
      continue;
    const Run executed = execute(run, choices, open);
    if (!news_)
      continue;
    std::vector<Choices> next = others(executed);
    queue.insert(queue.begin(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
  }
  prefer(run, open);
  vary(run, open);
  for (Open &each : open) {
    std::vector<ConsistentLaunch> &result = each.entry->launch.consistent;
    if (each.found.empty() && each.otherwise)
      each.found.push_back(std::move(*each.otherwise));
    std::move(each.found.begin(), each.found.end(), std::back_inserter(result));
  }
}

} // namespace smem
