#include "host/consistent.h"

#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/Basic/TargetInfo.h>

#include "host/typical_device.h"

namespace smem {

namespace {

constexpr unsigned kMostRuns = 64;       ///< to find values that lead to the launches of one function
constexpr unsigned kMostVariations = 32; ///< for kernels that do not work with the first ones
constexpr std::size_t kMostConsistent = 16;
/// All runs for one file may take about the time that Clang took for it: it reads some 16 bytes, headers and macros included, in the time of a step.
constexpr std::uint64_t kBytesOfStep = 16, kLeastStepsOfFile = 400'000, kMostStepsOfFile = 2'000'000;
constexpr std::uint64_t kShareOfFunction = 4; ///< of those of the file: for one function's launches
/// Eighths of those of the file that may be taken in all: by whole runs, then by functions by themselves, which are short, then by launches in
/// lambdas that neither came to.
constexpr std::uint64_t kWholeRuns = 4, kWithFunctions = 8, kWithLambdas = 12;
constexpr std::int64_t kPlausibleBlock = 256, kPlausibleDynamic = 32 * 1024;
constexpr std::uint32_t kMostThreads = 1024, kMostBlockZ = 64, kMostGridX = 0x7fffffff,
                        kMostGridYz = 65535; ///< CUDA C++ Programming Guide, technical specifications

bool is_possible_grid(const Dim3 &grid) {
  return grid.count() > 0 && grid.x <= kMostGridX && grid.y <= kMostGridYz && grid.z <= kMostGridYz;
}
bool is_possible_block(const Dim3 &block) {
  return block.count() > 0 && block.count() <= kMostThreads && block.z <= kMostBlockZ;
}

bool is_open(const HostLaunch &host) {
  const auto open = [](const ArgumentValue &argument) { return !argument.pointer && !argument.value; };
  return !host.grid_known || !host.block_known || !host.dynamic_known ||
         std::ranges::any_of(host.launch.arguments, open);
}

bool says_anything(const StatedLaunch &stated) {
  return stated.grid || stated.block || stated.dynamic_shared_bytes || !stated.scalars.empty();
}

/// The launches of a kernel that are stated: of one strength each about a shape is a launch of its own, others are about all; what a stronger
/// one says replaces what a weaker one does. Without statements there is one that says nothing.
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
  if (width < 63 && (value >= std::int64_t{1} << (width - type->isSignedIntegerOrEnumerationType()) ||
                     value < -(std::int64_t{1} << (width - 1))))
    return false;
  return value % static_cast<std::int64_t>(quantity.multiple) == 0;
}

bool same_shape(const Launch &a, const Launch &b) {
  return a.grid == b.grid && a.block == b.block && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
         std::ranges::equal(a.arguments, b.arguments, [](const ArgumentValue &x, const ArgumentValue &y) {
           return x.index == y.index && x.offset == y.offset && x.value == y.value;
         });
}

/// Whether the launch is one that host code makes as a whole under the values of `found`.
bool is_complete(const HostLaunch &known, const ConsistentLaunch &found) {
  return found.reached && (known.grid_known || found.grid_known) && (known.block_known || found.block_known) &&
         (known.dynamic_known || found.dynamic_known);
}

using Statements = llvm::SmallPtrSet<const clang::Stmt *, 8>;

/// Moves those of `wanted` that stand in the statement to `found`.
void find_parts(const clang::Stmt *statement, Statements &wanted, Statements &found) {
  if (!statement || wanted.empty())
    return;
  if (wanted.erase(statement))
    found.insert(statement);
  for (const clang::Stmt *child : statement->children())
    find_parts(child, wanted, found);
}

/// Whether host code makes the launch as a whole under values that were found.
bool is_done(const LaunchRecorder::Entry &entry) {
  return std::ranges::any_of(entry.launch.consistent,
                             [&](const ConsistentLaunch &found) { return is_complete(entry.launch, found); });
}

/// The call operators of the lambdas that a launch stands in, and the function that these stand in; null: there is none, or no lambda.
struct Lambdas {
  std::vector<const clang::FunctionDecl *> around;
  const clang::FunctionDecl *function = nullptr;
};
Lambdas lambdas_of(const LaunchRecorder::Entry &entry) {
  Lambdas lambdas;
  const clang::FunctionDecl *function = entry.function;
  for (const clang::CXXMethodDecl *method;
       (method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function)) && method->getParent()->isLambda();
       function = llvm::dyn_cast_or_null<clang::FunctionDecl>(method->getParent()->getParentFunctionOrMethod()))
    lambdas.around.push_back(method);
  if (!lambdas.around.empty())
    lambdas.function = function;
  return lambdas;
}

/// Whether `statement` may give another value to one of `variables` after `begin`: itself, or what it hands one to.
bool assigns_after(const clang::Stmt *statement, const llvm::SmallPtrSetImpl<const clang::ValueDecl *> &variables,
                   clang::SourceLocation begin, const clang::SourceManager &sources) {
  if (!statement)
    return false;
  const auto is_one = [&](const clang::Expr *target) {
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenCasts());
    return named && variables.contains(named->getDecl()) &&
           sources.isBeforeInTranslationUnit(begin, named->getLocation());
  };
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
      binary && binary->isAssignmentOp() && is_one(binary->getLHS()))
    return true;
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
      unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf) &&
      is_one(unary->getSubExpr()))
    return true;
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement)) {
    if (call->isAssignmentOp() && is_one(call->getArg(0)))
      return true;
  } else if (const auto *plain = llvm::dyn_cast<clang::CallExpr>(statement)) {
    const clang::FunctionDecl *callee = plain->getDirectCallee();
    for (unsigned i = 0; callee && i < std::min(plain->getNumArgs(), callee->getNumParams()); ++i) {
      const clang::QualType type = callee->getParamDecl(i)->getType();
      if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified() && is_one(plain->getArg(i)))
        return true;
    }
  }
  return llvm::any_of(statement->children(),
                      [&](const clang::Stmt *child) { return assigns_after(child, variables, begin, sources); });
}

/// Whether what a lambda captures by reference may have changed by the time that it is called.
bool may_change(const clang::CXXRecordDecl *lambda, const clang::FunctionDecl *function,
                const clang::SourceManager &sources) {
  llvm::SmallPtrSet<const clang::ValueDecl *, 8> variables;
  for (const clang::LambdaCapture &capture : lambda->captures())
    if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
      variables.insert(capture.getCapturedVar());
  return !variables.empty() && assigns_after(function->getBody(), variables, lambda->getBeginLoc(), sources);
}

bool is_size(const FreeQuantity &quantity) {
  return quantity.type->isIntegerType() && !quantity.type->isBooleanType() && !quantity.type->isEnumeralType();
}

} // namespace

bool ConsistentLaunches::may_go_on() const {
  const std::uint64_t most_of_file = std::clamp(source_bytes_ / kBytesOfStep, kLeastStepsOfFile, kMostStepsOfFile);
  return steps_ < most_of_file / kShareOfFunction && steps_of_file_ < most_of_file / 8 * allowed_eighths_ &&
         !stop_.stop_requested();
}

/// How far a launch that a scenario has met is the one that is to be completed.
ConsistentLaunches::Fit ConsistentLaunches::fit(const Open &open, const Entry &met, Scenario &scenario,
                                                Faults &faults) const {
  const HostLaunch &known = open.entry->launch, &host = met.launch;
  if (met.site != open.entry->site || host.launch.mangled != known.launch.mangled)
    return Fit::None;
  // Of a whole run, a launch that differs in what is known is another one. Of a function by itself it has to become that one.
  const auto differs = [&](const ArgumentValue &argument, const ArgumentValue *other) {
    return !argument.pointer && argument.value && (!other || other->value != argument.value);
  };
  if (!by_itself_) {
    if ((known.grid_known && host.launch.grid != known.launch.grid) ||
        (known.block_known && host.launch.block != known.launch.block) ||
        (known.dynamic_known && host.launch.dynamic_shared_bytes != known.launch.dynamic_shared_bytes))
      return Fit::None;
    for (const ArgumentValue &argument : known.launch.arguments)
      if (differs(argument, find_argument(host.launch, argument)))
        return Fit::None;
  }
  if (met.contradicts)
    return Fit::Contradicts;
  bool good = true;
  const auto want = [&](Assumptions rests_on, std::int64_t now, std::initializer_list<std::int64_t> targets) {
    good = false;
    faults.quantities |= rests_on & kFreeQuantities;
    for (const std::int64_t target : targets)
      scenario.suggest(rests_on, now, target);
  };
  const Launch &launch = host.launch;
  std::vector<TermCondition> wishes;
  const auto wish = [&](clang::BinaryOperatorKind operation, TermId term, Wide bound) {
    if (const TermId condition = term ? scenario.terms().binary(operation, {term, 0}, {0, bound}, {1, true}) : 0)
      wishes.push_back({condition, true});
  };
  const auto wish_shape = [&](const std::array<TermId, 3> &dims, const Dim3 &now,
                              const std::array<std::uint64_t, 3> &most_of_dim, std::uint64_t most) {
    const std::uint32_t numbers[] = {now.x, now.y, now.z};
    TermOperand product{0, 1};
    for (std::size_t i = 0; i < dims.size(); ++i) {
      wish(clang::BO_GE, dims[i], 1);
      wish(clang::BO_LE, dims[i], most_of_dim[i]);
      const TermOperand next{dims[i], dims[i] ? Wide{0} : Wide{numbers[i]}};
      if (const TermId both = scenario.terms().binary(clang::BO_Mul, product, next, {64, false}))
        product = {both, 0};
      else
        product.number *= next.number;
    }
    wish(clang::BO_LE, product.term, most);
  };
  const auto number = [](std::uint64_t value) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX));
  };
  if (!known.block_known) {
    std::uint64_t most = kMostThreads;
    if (const auto *bounds = met.kernel->getAttr<clang::CUDALaunchBoundsAttr>();
        bounds && !bounds->getMaxThreads()->isValueDependent())
      if (const auto threads = bounds->getMaxThreads()->getIntegerConstantExpr(context_))
        most = std::min<std::uint64_t>(most, threads->getZExtValue());
    wish_shape(met.rests_on.block_terms, launch.block, {most, most, kMostBlockZ}, most);
    if (host.block_known && (launch.block.count() == 0 || launch.block.count() > most || launch.block.z > kMostBlockZ))
      want(met.rests_on.block, number(launch.block.count()), {kPlausibleBlock, 1024, 128, 64, 32});
  }
  if (!known.grid_known)
    wish_shape(met.rests_on.grid_terms, launch.grid, {kMostGridX, kMostGridYz, kMostGridYz}, INT64_MAX);
  if (!known.grid_known && host.grid_known && !is_possible_grid(launch.grid))
    want(met.rests_on.grid, number(launch.grid.count()), {1024, 64, 1});
  const auto most_dynamic =
      static_cast<std::uint64_t>(typical_device(context_.getTargetInfo().getTargetOpts().CPU).shared_per_block_optin);
  if (!known.dynamic_known && most_dynamic)
    wish(clang::BO_LE, met.rests_on.dynamic_term, most_dynamic);
  if (!known.dynamic_known && host.dynamic_known && most_dynamic && launch.dynamic_shared_bytes > most_dynamic)
    want(met.rests_on.dynamic, number(launch.dynamic_shared_bytes), {kPlausibleDynamic, 4096, 1024});
  const auto wish_dims = [&](const std::array<TermId, 3> &dims, const Dim3 &stated) {
    wish(clang::BO_EQ, dims[0], stated.x);
    wish(clang::BO_EQ, dims[1], stated.y);
    wish(clang::BO_EQ, dims[2], stated.z);
  };
  const auto want_grid = [&](const Dim3 &target) {
    wish_dims(met.rests_on.grid_terms, target);
    if (target != launch.grid)
      want(met.rests_on.grid, number(launch.grid.count()), {number(target.count()), target.x, target.y});
  };
  const auto want_block = [&](const Dim3 &target) {
    wish_dims(met.rests_on.block_terms, target);
    if (target != launch.block)
      want(met.rests_on.block, number(launch.block.count()), {number(target.count()), target.x, target.y});
  };
  const auto want_dynamic = [&](std::uint64_t target) {
    wish(clang::BO_EQ, met.rests_on.dynamic_term, target);
    if (target != launch.dynamic_shared_bytes)
      want(met.rests_on.dynamic, number(launch.dynamic_shared_bytes), {number(target)});
  };
  const StatedLaunch &stated = open.stated;
  if (known.block_known ? by_itself_ : stated.block.has_value())
    want_block(known.block_known ? known.launch.block : *stated.block);
  if (known.grid_known ? by_itself_ : stated.grid.has_value())
    want_grid(known.grid_known ? known.launch.grid : *stated.grid);
  if (known.dynamic_known ? by_itself_ : stated.dynamic_shared_bytes.has_value())
    want_dynamic(known.dynamic_known ? known.launch.dynamic_shared_bytes : *stated.dynamic_shared_bytes);
  if (by_itself_)
    for (const ArgumentValue &argument : known.launch.arguments) {
      std::size_t at = 0;
      const ArgumentValue *other = find_argument(launch, argument, &at);
      if (!other && differs(argument, other))
        return Fit::None;
      if (argument.pointer || !argument.value)
        continue;
      wish(clang::BO_EQ, met.rests_on.argument_terms[at], *argument.value);
      if (differs(argument, other))
        want(met.rests_on.arguments[at], other->value.value_or(0), {*argument.value});
    }
  for (const auto &[name, value] : stated.scalars)
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const ArgumentValue &argument = launch.arguments[i];
      if (argument.pointer || !argument.value || met.rests_on.argument_names[i] != name)
        continue;
      wish(clang::BO_EQ, met.rests_on.argument_terms[i], value);
      if (*argument.value == value)
        continue;
      if (const ArgumentValue *said = find_argument(known.launch, argument); said && !said->value)
        want(met.rests_on.arguments[i], *argument.value, {value});
    }
  // What is stated of no parameter of the kernel may be one of the function that launches it.
  for (const auto &[name, value] : stated.scalars) {
    if (std::ranges::any_of(met.kernel->parameters(),
                            [&](const clang::ParmVarDecl *one) { return one->getName() == name; }))
      continue;
    for (std::size_t q = 0; q < scenario.quantities().size(); ++q)
      if (const FreeQuantity &quantity = scenario.quantities()[q];
          quantity.name == name && origin_of(quantity).starts_with("parameter of ")) {
        wish(clang::BO_EQ, scenario.term_of(q), value);
        if (quantity.value != value)
          want(free_quantity(q), quantity.value, {value});
      }
  }
  const bool complete = (host.grid_known || known.grid_known) && (host.block_known || known.block_known) &&
                        (host.dynamic_known || known.dynamic_known);
  if (!good)
    faults.wishes.insert(faults.wishes.end(), wishes.begin(), wishes.end());
  return good && complete && host.lost.empty() ? Fit::Good : Fit::Reached;
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

/// Takes what a run has met; whether that was of use.
bool ConsistentLaunches::harvest(const Run &run, Scenario &scenario, std::vector<Open> &open, Faults &faults) {
  bool better = false;
  for (Open &each : open) {
    const Entry *best = nullptr;
    Fit best_fit = Fit::None;
    for (const Entry &met : run.entries)
      if (const Fit how = fit(each, met, scenario, faults); how > best_fit)
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
      each.fit = Fit::Good;
      continue;
    }
    if (best_fit == Fit::Contradicts && best->decisions > 0)
      faults.turns.push_back(best->decisions - 1);
    if (best_fit > each.fit) {
      each.otherwise = describe(each, *best, run, best_fit);
      better = true;
    }
    each.fit = std::max(each.fit, best_fit);
  }
  return better;
}

ConsistentLaunches::Run ConsistentLaunches::execute(const std::function<void(Interpreter &)> &run,
                                                    const Choices &choices, std::vector<Open> &open) {
  Scenario scenario(context_, choices);
  met_.clear();
  interpreter_.suppose(&scenario);
  run(interpreter_);
  interpreter_.suppose(nullptr);
  steps_ += interpreter_.steps();
  steps_of_file_ += interpreter_.steps();
  ++runs_;
  Run result{choices, scenario.quantities(), scenario.decisive(), scenario.path(), {}, {}, {}, met_.entries()};
  Faults faults;
  news_ = harvest(result, scenario, open, faults);
  for (const auto &decision : scenario.decisions())
    news_ |= decisions_.insert(decision).second;
  result.quantities = scenario.quantities(); // with what was suggested just now
  result.decisive |= faults.quantities;
  result.wishes = std::move(faults.wishes);
  result.turns = std::move(faults.turns);
  result.terms = std::move(scenario.terms());
  return result;
}

/// Choices under which a launch becomes what it has to be, or one of the conditions on the way turns out otherwise while those before it
/// stay: first those behind which a launch would follow, then the last one.
std::vector<Choices> ConsistentLaunches::solved(const Run &run) {
  constexpr std::size_t kMostSolved = 6;
  constexpr std::size_t kMostAttempts = 16;
  constexpr std::uint64_t kTermsOfStep = 32; // evaluated in the time of a step of the interpreter
  std::vector<Choices> result;
  std::vector<std::int64_t> now;
  for (const FreeQuantity &quantity : run.quantities)
    now.push_back(quantity.value);
  const auto admits = [&](std::size_t quantity, std::int64_t value) {
    return fits_type(run.quantities[quantity], value, context_);
  };
  const auto attempt = [&](const std::vector<TermCondition> &conditions) {
    std::uint64_t work = 0;
    const auto values = run.terms.solve(conditions, now, admits, work);
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
  if (!run.wishes.empty())
    with_way_to(run.path.size(), run.wishes);
  std::vector<std::size_t> order;
  const auto add = [&](std::size_t at) {
    if (at < run.path.size() && !is_of_library(run.path[at]) && std::ranges::find(order, at) == order.end())
      order.push_back(at);
  };
  for (const std::size_t turn : run.turns)
    add(turn);
  for (std::size_t i = run.path.size(); i-- > 0;)
    add(i);
  for (std::size_t attempts = 0;
       attempts < std::min(order.size(), kMostAttempts) && result.size() < kMostSolved && may_go_on(); ++attempts)
    with_way_to(order[attempts],
                {{run.path[order[attempts]].condition.term, !run.path[order[attempts]].condition.holds}});
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

void ConsistentLaunches::complete(const std::function<void(Interpreter &)> &run,
                                  std::vector<LaunchRecorder::Entry> &entries, std::size_t first) {
  std::vector<Open> open;
  for (std::size_t i = first; i < entries.size(); ++i)
    if (entries[i].kernel && is_open(entries[i].launch))
      add(entries[i], open);
  by_itself_ = false;
  allowed_eighths_ = kWholeRuns;
  complete(run, open);
}

void ConsistentLaunches::complete_by_itself(const clang::FunctionDecl *function,
                                            std::vector<LaunchRecorder::Entry> &entries) {
  const auto is_wanted = [](const Entry &entry) { return entry.kernel && is_open(entry.launch) && !is_done(entry); };
  Statements wanted, found;
  for (const Entry &entry : entries)
    if (is_wanted(entry))
      wanted.insert(entry.site);
  find_parts(function->getBody(), wanted, found);
  std::vector<Open> open;
  for (Entry &entry : entries)
    if (found.contains(entry.site) && is_wanted(entry))
      add(entry, open);
  by_itself_ = true;
  allowed_eighths_ = kWithFunctions;
  complete([&](Interpreter &each) { each.run_alone(function); }, open);
}

void ConsistentLaunches::complete_in_lambdas(std::vector<LaunchRecorder::Entry> &entries) {
  struct Group {
    const clang::FunctionDecl *function;
    std::vector<const clang::FunctionDecl *> lambdas;
    std::vector<Open> open;
  };
  std::vector<Group> groups; // in the order of the entries
  for (Entry &entry : entries) {
    const Lambdas lambdas = lambdas_of(entry);
    if (!lambdas.function || !entry.kernel || !is_open(entry.launch) || is_done(entry))
      continue;
    if (llvm::any_of(lambdas.around, [&](const clang::FunctionDecl *lambda) {
          const auto *closure = llvm::cast<clang::CXXMethodDecl>(lambda)->getParent();
          const auto *around = llvm::dyn_cast_or_null<clang::FunctionDecl>(closure->getParentFunctionOrMethod());
          return !around || may_change(closure, around, context_.getSourceManager());
        }))
      continue;
    auto group = std::ranges::find(groups, lambdas.function, &Group::function);
    if (group == groups.end())
      group = groups.insert(group, {lambdas.function, {}, {}});
    for (const clang::FunctionDecl *lambda : lambdas.around)
      if (std::ranges::find(group->lambdas, lambda) == group->lambdas.end())
        group->lambdas.push_back(lambda);
    add(entry, group->open);
  }
  by_itself_ = true;
  allowed_eighths_ = kWithLambdas;
  for (Group &group : groups) {
    interpreter_.call_at_once(group.lambdas);
    complete([&](Interpreter &each) { each.run_alone(group.function); }, group.open);
  }
  interpreter_.call_at_once({});
}

void ConsistentLaunches::add(Entry &entry, std::vector<Open> &open) const {
  for (StatedLaunch &stated : stated_of(stated_, entry.launch.launch.mangled)) {
    Open each;
    each.entry = &entry;
    each.stated = std::move(stated);
    open.push_back(std::move(each));
  }
}

void ConsistentLaunches::complete(const std::function<void(Interpreter &)> &run, std::vector<Open> &open) {
  if (open.empty())
    return;
  tried_.clear();
  decisions_.clear();
  steps_ = 0;
  runs_ = 0;
  std::deque<Choices> queue{{}};
  const auto is_missing = [](const Open &each) { return each.found.empty(); };
  while (!queue.empty() && runs_ < kMostRuns && may_go_on() && std::ranges::any_of(open, is_missing)) {
    const Choices choices = std::move(queue.front());
    queue.pop_front();
    if (!tried_.insert(choices).second)
      continue;
    const Run executed = execute(run, choices, open);
    if (!news_)
      continue;
    std::vector<Choices> next = solved(executed);
    std::ranges::move(others(executed), std::back_inserter(next));
    queue.insert(queue.begin(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
  }
  prefer(run, open);
  if (allowed_eighths_ != kWithLambdas) // the other lambdas need what there is
    vary(run, open);
  for (Open &each : open) {
    std::vector<ConsistentLaunch> &result = each.entry->launch.consistent;
    const auto is_possible = [](const ConsistentLaunch &other) {
      return (!other.grid_known || is_possible_grid(other.launch.grid)) &&
             (!other.block_known || is_possible_block(other.launch.block));
    };
    if (each.found.empty() && each.otherwise && is_possible(*each.otherwise))
      each.found.push_back(std::move(*each.otherwise));
    const auto is_whole = [&](const ConsistentLaunch &other) { return is_complete(each.entry->launch, other); };
    if (std::ranges::any_of(each.found, is_whole))
      std::erase_if(result, std::not_fn(is_whole));
    std::move(each.found.begin(), each.found.end(), std::back_inserter(result));
  }
}

} // namespace smem
