// Whether a launch that was met is the one that is to be completed, and what it is then.
#include "host/consistent.h"

#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/Basic/TargetInfo.h>

#include "host/plausible_launch.h"
#include "host/stated_launches.h"
#include "host/typical_device.h"

namespace smem {
namespace {

const ArgumentValue *find_argument(const Launch &launch, const ArgumentValue &like, std::size_t *at = nullptr) {
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    if (launch.arguments[i].index == like.index && launch.arguments[i].offset == like.offset) {
      if (at)
        *at = i;
      return &launch.arguments[i];
    }
  return nullptr;
}

bool only_one(Assumptions bits) { return bits && !(bits & (bits - 1)); }

} // namespace

/// Compares a launch that a scenario has met with the one that is to be completed. What it would have to be otherwise goes to the scenario, as values
/// that are suggested, and to the faults, as conditions to be solved.
class ConsistentLaunches::Fitter {
public:
  Fitter(const clang::ASTContext &context, bool by_itself, const Open &open, const Entry &met, Scenario &scenario,
         Faults &faults)
      : context_(context), by_itself_(by_itself), known_(open.entry->launch), stated_(open.stated), met_(met),
        host_(met.launch), launch_(met.launch.launch), scenario_(scenario), faults_(faults) {}

  Fit run() {
    if (is_another_launch())
      return Fit::None;
    if (met_.contradicts)
      return Fit::Contradicts;
    want_possible_block();
    want_possible_grid();
    want_possible_dynamic();
    want_shape();
    if (by_itself_ && !want_known_arguments())
      return Fit::None;
    want_stated_arguments();
    want_stated_parameters();
    if (!good_)
      faults_.wishes.insert(faults_.wishes.end(), wishes_.begin(), wishes_.end());
    const bool complete = (host_.grid_known || known_.grid_known) && (host_.block_known || known_.block_known) &&
                          (host_.dynamic_known || known_.dynamic_known);
    return good_ && complete && host_.lost.empty() ? Fit::Good : Fit::Reached;
  }

private:
  static bool differs(const ArgumentValue &argument, const ArgumentValue *other) {
    return !argument.pointer && argument.value && (!other || other->value != argument.value);
  }
  static std::int64_t number(std::uint64_t value) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX));
  }

  /// Of a whole run, a launch that differs in what is known is another one. Of a function by itself it has to become that one.
  bool is_another_launch() const {
    if (by_itself_)
      return false;
    return (known_.grid_known && launch_.grid != known_.launch.grid) ||
           (known_.block_known && launch_.block != known_.launch.block) ||
           (known_.dynamic_known && launch_.dynamic_shared_bytes != known_.launch.dynamic_shared_bytes) ||
           std::ranges::any_of(known_.launch.arguments, [&](const ArgumentValue &argument) {
             return differs(argument, find_argument(launch_, argument));
           });
  }

  /// Something that rests on these quantities and is `now` would have to be one of `targets`.
  void want(Assumptions rests_on, std::int64_t now, std::initializer_list<std::int64_t> targets) {
    good_ = false;
    faults_.quantities |= rests_on & kFreeQuantities;
    for (const std::int64_t target : targets)
      scenario_.suggest(rests_on, now, target);
  }

  void wish(clang::BinaryOperatorKind operation, TermId term, Wide bound) {
    if (const TermId condition = term ? scenario_.terms().binary(operation, {term, 0}, {0, bound}, {1, true}) : 0)
      wishes_.push_back({condition, true});
  }

  /// Extents from 1 to the most of each, whose product is `most` at most.
  void wish_extents(const std::array<TermId, 3> &dims, const Dim3 &now, const std::array<std::uint64_t, 3> &most_of_dim,
                    std::uint64_t most) {
    const std::uint32_t numbers[] = {now.x, now.y, now.z};
    TermOperand product{0, 1};
    for (std::size_t i = 0; i < dims.size(); ++i) {
      wish(clang::BO_GE, dims[i], 1);
      wish(clang::BO_LE, dims[i], most_of_dim[i]);
      const TermOperand next{dims[i], dims[i] ? Wide{0} : Wide{numbers[i]}};
      if (const TermId both = scenario_.terms().binary(clang::BO_Mul, product, next, {64, false}))
        product = {both, 0};
      else
        product.number *= next.number;
    }
    wish(clang::BO_LE, product.term, most);
  }

  void want_possible_block() {
    if (known_.block_known)
      return;
    std::uint64_t most = kMostThreads;
    if (const auto *bounds = met_.kernel->getAttr<clang::CUDALaunchBoundsAttr>();
        bounds && !bounds->getMaxThreads()->isValueDependent())
      if (const auto threads = bounds->getMaxThreads()->getIntegerConstantExpr(context_))
        most = std::min<std::uint64_t>(most, threads->getZExtValue());
    wish_extents(met_.rests_on.block_terms, launch_.block, {most, most, kMostBlockZ}, most);
    if (host_.block_known &&
        (launch_.block.count() == 0 || launch_.block.count() > most || launch_.block.z > kMostBlockZ))
      want(met_.rests_on.block, number(launch_.block.count()), {kPlausibleBlock, 1024, 128, 64, 32});
  }

  void want_possible_grid() {
    if (known_.grid_known)
      return;
    wish_extents(met_.rests_on.grid_terms, launch_.grid, {kMostGridX, kMostGridYz, kMostGridYz}, INT64_MAX);
    if (host_.grid_known && !is_possible_grid(launch_.grid))
      want(met_.rests_on.grid, number(launch_.grid.count()), {1024, 64, 1});
  }

  void want_possible_dynamic() {
    const auto most =
        static_cast<std::uint64_t>(typical_device(context_.getTargetInfo().getTargetOpts().CPU).shared_per_block_optin);
    if (known_.dynamic_known || !most)
      return;
    wish(clang::BO_LE, met_.rests_on.dynamic_term, most);
    if (host_.dynamic_known && launch_.dynamic_shared_bytes > most)
      want(met_.rests_on.dynamic, number(launch_.dynamic_shared_bytes), {kPlausibleDynamic, 4096, 1024});
  }

  void want_extents(const std::array<TermId, 3> &dims, Assumptions rests_on, const Dim3 &now, const Dim3 &target) {
    wish(clang::BO_EQ, dims[0], target.x);
    wish(clang::BO_EQ, dims[1], target.y);
    wish(clang::BO_EQ, dims[2], target.z);
    if (target != now)
      want(rests_on, number(now.count()), {number(target.count()), target.x, target.y});
  }

  /// What is stated of a whole run's launch, or known of the one that a function by itself has to make.
  void want_shape() {
    const auto &rests = met_.rests_on;
    if (known_.block_known ? by_itself_ : stated_.block.has_value())
      want_extents(rests.block_terms, rests.block, launch_.block,
                   known_.block_known ? known_.launch.block : *stated_.block);
    if (known_.grid_known ? by_itself_ : stated_.grid.has_value())
      want_extents(rests.grid_terms, rests.grid, launch_.grid, known_.grid_known ? known_.launch.grid : *stated_.grid);
    if (known_.dynamic_known ? !by_itself_ : !stated_.dynamic_shared_bytes)
      return;
    const std::uint64_t target =
        known_.dynamic_known ? known_.launch.dynamic_shared_bytes : *stated_.dynamic_shared_bytes;
    wish(clang::BO_EQ, rests.dynamic_term, target);
    if (target != launch_.dynamic_shared_bytes)
      want(rests.dynamic, number(launch_.dynamic_shared_bytes), {number(target)});
  }

  /// Of a function by itself. False: the launch lacks one.
  bool want_known_arguments() {
    for (const ArgumentValue &argument : known_.launch.arguments) {
      std::size_t at = 0;
      const ArgumentValue *other = find_argument(launch_, argument, &at);
      if (!other && differs(argument, other))
        return false;
      if (argument.pointer || !argument.value)
        continue;
      wish(clang::BO_EQ, met_.rests_on.argument_terms[at], *argument.value);
      if (differs(argument, other))
        want(met_.rests_on.arguments[at], other->value.value_or(0), {*argument.value});
    }
    return true;
  }

  void want_stated_arguments() {
    for (const auto &[name, value] : stated_.scalars)
      for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
        const ArgumentValue &argument = launch_.arguments[i];
        if (argument.pointer || !argument.value || met_.rests_on.argument_names[i] != name)
          continue;
        wish(clang::BO_EQ, met_.rests_on.argument_terms[i], value);
        if (*argument.value == value)
          continue;
        if (const ArgumentValue *said = find_argument(known_.launch, argument); said && !said->value)
          want(met_.rests_on.arguments[i], *argument.value, {value});
      }
  }

  /// What is stated of no parameter of the kernel may be one of the function that launches it.
  void want_stated_parameters() {
    for (const auto &[name, value] : stated_.scalars) {
      if (std::ranges::any_of(met_.kernel->parameters(),
                              [&](const clang::ParmVarDecl *one) { return one->getName() == name; }))
        continue;
      for (std::size_t q = 0; q < scenario_.quantities().size(); ++q)
        if (const FreeQuantity &quantity = scenario_.quantities()[q];
            quantity.name == name && origin_of(quantity).starts_with("parameter of ")) {
          wish(clang::BO_EQ, scenario_.term_of(q), value);
          if (quantity.value != value)
            want(free_quantity(q), quantity.value, {value});
        }
    }
  }

  const clang::ASTContext &context_;
  bool by_itself_; ///< a function is run, not what calls it
  const HostLaunch &known_;
  const StatedLaunch &stated_;
  const Entry &met_;
  const HostLaunch &host_;
  const Launch &launch_;
  Scenario &scenario_;
  Faults &faults_;
  bool good_ = true;
  std::vector<TermCondition> wishes_;
};

ConsistentLaunches::Fit ConsistentLaunches::fit(const Open &open, const Entry &met, Scenario &scenario,
                                                Faults &faults) const {
  if (met.site != open.entry->site || met.launch.launch.mangled != open.entry->launch.launch.mangled)
    return Fit::None;
  return Fitter(context_, by_itself_, open, met, scenario, faults).run();
}

ConsistentLaunch ConsistentLaunches::describe(const Open &open, const Entry &met, const Run &run, Fit fit) const {
  const HostLaunch &known = open.entry->launch;
  ConsistentLaunch result;
  result.launch = met.launch.launch;
  result.unknown = met.launch.unknown;
  result.lost = met.launch.lost;
  result.grid_known = met.launch.grid_known;
  result.block_known = met.launch.block_known;
  result.dynamic_known = met.launch.dynamic_known;
  result.reached = fit != Fit::Contradicts;
  // What no chosen value went into may still depend on the way that the program took: on all that has decided it.
  const auto basis = [&](Assumptions bits, Assumptions narrower = kNothingAssumed) {
    return bits & kFreeQuantities ? bits : bits | (narrower ? narrower : met.decided);
  };
  Assumptions used = kNothingAssumed, shape = kNothingAssumed;
  const auto rests = [&](bool is_known, bool follows, Assumptions bits) {
    if (is_known || !follows)
      return false;
    shape |= basis(bits);
    return (basis(bits) & kFreeQuantities) != 0;
  };
  result.grid_chosen = rests(known.grid_known, met.launch.grid_known, met.rests_on.grid);
  result.block_chosen = rests(known.block_known, met.launch.block_known, met.rests_on.block);
  result.dynamic_chosen = rests(known.dynamic_known, met.launch.dynamic_known, met.rests_on.dynamic);
  used |= shape;
  for (std::size_t i = 0; i < result.launch.arguments.size(); ++i) {
    ArgumentValue &argument = result.launch.arguments[i];
    const ArgumentValue *said = find_argument(known.launch, argument);
    if (argument.pointer || !argument.value || (said && said->value))
      continue;
    const Assumptions bits =
        basis(met.rests_on.arguments[i],
              argument.index < met.arguments_decided.size() ? met.arguments_decided[argument.index] : kNothingAssumed);
    used |= bits;
    argument.provenance = Provenance::Assumed;
    // Which quantities decide it goes with it, by their numbers.
    for (std::size_t q = 0; q < run.quantities.size(); ++q)
      if (bits & free_quantity(q))
        result.argument_quantities.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(q)});
  }
  std::vector<std::uint32_t> position(run.quantities.size(), UINT32_MAX);
  for (std::size_t q = 0; q < run.quantities.size(); ++q)
    if ((used | run.decisive) & free_quantity(q)) { // what only leads here has to be known, too
      position[q] = static_cast<std::uint32_t>(result.launch.chosen.size());
      result.launch.chosen.push_back({run.quantities[q].name, origin_of(run.quantities[q]), run.quantities[q].value});
      result.decides_shape.push_back((shape & free_quantity(q)) != 0);
      result.is_size.push_back(is_size(run.quantities[q]));
      result.decisive.push_back((run.decisive & free_quantity(q)) != 0);
      result.keys.push_back(run.quantities[q].key);
    }
  for (auto &[argument, quantity] : result.argument_quantities)
    quantity = position[quantity];
  const auto only_key = [&](bool chosen, Assumptions bits) {
    bits &= kFreeQuantities;
    for (std::size_t q = 0; chosen && only_one(bits) && !says_anything(open.stated) && q < run.quantities.size(); ++q)
      if (bits == free_quantity(q))
        return run.quantities[q].key;
    return std::string();
  };
  result.block_key = only_key(result.block_chosen, met.rests_on.block);
  result.dynamic_key = only_key(result.dynamic_chosen, met.rests_on.dynamic);
  return result;
}

} // namespace smem
