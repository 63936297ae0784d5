#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>

#include "host/interpreter.h"

namespace smem {

namespace {

constexpr std::uint64_t kPartsOfStep = 8; ///< parts of objects that are gone through in about the time of a step

constexpr std::size_t kMaxDepth = 64;

/// Of functions that lead to no launch only results matter, and those that matter are quick to get.
constexpr std::uint64_t kMaxStepsWithoutLaunch = 4000;

/// Members of the standard library that only pass values on.
bool passes_on(const clang::FunctionDecl *function) {
  if (!function->getIdentifier())
    return false;
  const llvm::StringRef name = function->getName();
  return name == "min" || name == "max" || name == "move" || name == "forward" || name == "swap" || name == "get" ||
         name.starts_with("make_") || name == "as_const" || name == "ref" || name == "clamp" || name == "exchange" ||
         name == "invoke" || name == "apply";
}

bool is_closure_call(const clang::CXXMethodDecl *method) {
  return method && method->getParent()->isLambda() && method->getOverloadedOperator() == clang::OO_Call;
}

bool copies(const clang::CXXMethodDecl *method) {
  return method && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) &&
         (method->isTrivial() || (method->isDefaulted() && !method->hasBody()));
}

} // namespace

std::vector<Interpreter::Argument> Interpreter::evaluate_arguments(const clang::FunctionDecl *function,
                                                                   llvm::ArrayRef<const clang::Expr *> expressions) {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const clang::Expr *expression = expressions[i];
    const bool by_reference = i < function->getNumParams()
                                  ? function->getParamDecl(static_cast<unsigned>(i))->getType()->isReferenceType()
                                  : false;
    Argument argument;
    if (!by_reference || expression->getType()->isFunctionType()) {
      argument.value = evaluate(expression);
    } else {
      argument.value = address_of(expression);
      argument.place = pointee(argument.value);
      if (scenario_ && argument.place && in_system_header(function)) // where what it reads has no name of the user's
        if (const Value *value = store_.find(*argument.place); value && !value->known())
          settle(*value, expression, argument.place);
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Value Interpreter::evaluate_call(const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  std::optional<Place> self;
  llvm::ArrayRef<const clang::Expr *> expressions(call->getArgs(), call->getNumArgs());
  std::optional<std::vector<Argument>> first; // arguments that are evaluated before the object
  const auto take_object = [&](const Value &address) {
    self = pointee(address);
    if (!self && !address.known() && !(method && method->isConst()))
      store_.forget(objects_of(address), as_lost(unknown("depends on an object that is not known" + at_line(call))));
  };
  if (const auto *member_call = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    if (const clang::Expr *object = member_call->getImplicitObjectArgument())
      take_object(object->getType()->isPointerType() ? evaluate(object) : address_of(object));
  } else if (const auto *operator_call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
    if (method && method->isImplicitObjectMemberFunction()) {
      const clang::Expr *object = expressions.front();
      expressions = expressions.drop_front();
      if (copies(method) && expressions.size() == 1) {
        Value value = evaluate(expressions.front());
        Value address = address_of(object);
        write(address, object, std::move(value));
        return address;
      }
      if (operator_call->isAssignmentOp()) // the right side comes first
        first = evaluate_arguments(function, expressions);
      take_object(address_of(object));
    }
  }
  if (!function) {
    const Value callee = evaluate(call->getCallee());
    if (const auto *target = callee.as<const clang::FunctionDecl *>())
      function = *target;
  }
  if (!function) {
    std::vector<Argument> arguments;
    for (const clang::Expr *expression : expressions) {
      const Value value = expression->isGLValue() ? address_of(expression) : evaluate(expression);
      arguments.push_back({pointee(value), value});
    }
    const std::string reason = "depends on a call through a pointer that is not known" + at_line(call);
    forget_changeable(nullptr, arguments, self, reason);
    return call->getType()->isRecordType() ? uninitialised(call->getType(), context_, reason) : unknown(reason);
  }
  const auto *named = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  const bool whose = (named && named->hasQualifier()) || resolve_override(function, self); // B::f() is no virtual call
  std::vector<Argument> arguments = first ? std::move(*first) : evaluate_arguments(function, expressions);
  if (stopped())
    return {};
  if (!whose)
    return call_unknown(function->getNameAsString(), nullptr, arguments, self, call, Call::Elsewhere);
  if (method)
    if (std::optional<Value> result = call_container(llvm::cast<clang::CXXMethodDecl>(function), self, arguments, call))
      return std::move(*result);
  if (std::optional<Value> result = call_known(function, arguments, call))
    return std::move(*result);
  return call_function(function, std::move(arguments), self, call);
}

/// The method that a virtual call means, where the object is one of ours.
bool Interpreter::resolve_override(const clang::FunctionDecl *&function, std::optional<Place> &self) const {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (!method || !method->isVirtual() || method->hasAttr<clang::FinalAttr>() ||
      method->getParent()->hasAttr<clang::FinalAttr>())
    return true;
  if (!self)
    return false;
  // From the base that is called up to the whole object.
  Place whole = *self;
  while (!whole.path.empty()) {
    Place parent = whole;
    parent.path.pop_back();
    const Value *outer = store_.find(parent);
    const auto *aggregate = outer ? outer->as<Aggregate>() : nullptr;
    if (!aggregate || !aggregate->record || whole.path.back() >= aggregate->record->getNumBases())
      break;
    whole = std::move(parent);
  }
  if (whole.path.empty() && of_unknown_class_.contains(whole.object))
    return false;
  const Value *object = store_.find(whole);
  const auto *aggregate = object ? object->as<Aggregate>() : nullptr;
  if (!aggregate || !aggregate->record)
    return false;
  const clang::CXXMethodDecl *target = method->getCorrespondingMethodInClass(aggregate->record, /*MayBeBase=*/true);
  if (target && target->getParent()->getCanonicalDecl() == aggregate->record->getCanonicalDecl()) {
    function = target;
    self = std::move(whole);
  }
  return true;
}

bool Interpreter::worth_running(const clang::FunctionDecl *function, const clang::FunctionDecl *definition) const {
  if (!definition || definition->isInvalidDecl() || definition->isDependentContext() ||
      definition->hasAttr<clang::CUDAGlobalAttr>())
    return false;
  return !in_system_header(definition) || function->isConstexpr() || passes_on(function);
}

bool Interpreter::too_deep(const clang::FunctionDecl *definition) const {
  // Recursion whose end is not known goes on under assumptions that do not get any better.
  constexpr std::ptrdiff_t kMaxRecursion = 32;
  return frames_.size() >= kMaxDepth || std::count_if(frames_.begin(), frames_.end(), [&](const Frame &frame) {
                                          return frame.function == definition;
                                        }) >= kMaxRecursion;
}

/// Whether calling it, or what it points to, leads to a launch.
bool Interpreter::leads_to_launch(const Value &value) {
  if (const auto *function = value.as<const clang::FunctionDecl *>())
    return (*function)->hasAttr<clang::CUDAGlobalAttr>() || reach_.reaches(*function);
  const auto *address = value.as<Address>();
  const Value *target = address ? store_.find(address->place) : nullptr;
  return target && target->as<const clang::FunctionDecl *>() && leads_to_launch(*target);
}

Value Interpreter::call_function(const clang::FunctionDecl *function, std::vector<Argument> arguments,
                                 std::optional<Place> self, const clang::Expr *site) {
  const clang::FunctionDecl *definition = nullptr;
  function->hasBody(definition);
  const bool followed = worth_running(function, definition);
  if (!followed || too_deep(definition)) {
    if (function->isNoReturn())
      exited_ = true;
    if (!definition)
      record_call(function, arguments, self, site);
    return call_unknown(function->getNameAsString(), function, arguments, self, site,
                        followed ? Call::GivenUp : Call::Elsewhere);
  }
  visited_.insert(function->getCanonicalDecl());

  // A benchmark's `run(repeats, launcher, ...)` launches what it is given.
  const bool given_launcher = std::any_of(arguments.begin(), arguments.end(),
                                          [this](const Argument &argument) { return leads_to_launch(argument.value); });
  const bool limited = !given_launcher && !reach_.reaches(function) && steps_ + kMaxStepsWithoutLaunch < abort_at_;
  const std::uint64_t outer_limit = abort_at_;
  if (limited)
    abort_at_ = steps_ + kMaxStepsWithoutLaunch;
  const std::size_t mark = store_.begin();

  frames_.emplace_back();
  Frame &callee = frame();
  callee.function = definition;
  callee.self = self;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  if (is_closure_call(method))
    callee.closure = method->getParent();
  for (unsigned i = 0; i < definition->getNumParams(); ++i) {
    Value value = i < arguments.size() ? arguments[i].value : unknown("depends on a missing argument");
    if (given_launcher && leads_to_launch(value))
      callee.launchers.insert(definition->getParamDecl(i));
    const ObjectId object = store_.create(std::move(value));
    callee.variables[definition->getParamDecl(i)] = object;
    keep_alive({object, {}}, definition->getParamDecl(i)->getType());
  }
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition); constructor && self)
    run_initialisers(constructor, *self);
  if (!stopped())
    execute(definition->getBody());
  merge_early(0, Flow::Return, "depends on a condition that is not known" + at_line(definition->getBody()));
  end_lifetimes(0, 0);
  // What is behind a label that only some paths jump to has not been run.
  const bool left_out = (callee.jump || !callee.jumped.empty()) && !stopped();
  Value result = callee.result ? std::move(*callee.result) : Value();
  frames_.pop_back();

  abort_at_ = outer_limit;
  if (limited && aborted_) {
    // Given up as a whole: whatever it had changed by then, and could change, is not known.
    aborted_ = exited_ = false;
    const std::string reason =
        "depends on '" + function->getNameAsString() + "', which was too long to follow" + at_line(site);
    store_.forget(store_.undo(mark), reason);
    return call_unknown(function->getNameAsString(), function, arguments, self, site, Call::GivenUp);
  }
  if (left_out && site) {
    store_.forget(store_.undo(mark), "depends on a goto in '" + function->getNameAsString() + "'" + at_line(site));
    return call_unknown(function->getNameAsString(), function, arguments, self, site, Call::GivenUp);
  }
  store_.keep();
  return result;
}

void Interpreter::run_initialisers(const clang::CXXConstructorDecl *constructor, const Place &place) {
  for (const clang::CXXCtorInitializer *initializer : constructor->inits()) {
    if (stopped())
      return;
    Place part = place;
    if (initializer->isDelegatingInitializer()) {
      initialise(part, context_.getRecordType(constructor->getParent()), initializer->getInit());
      continue;
    }
    if (initializer->isBaseInitializer()) {
      const auto *base =
          llvm::cast<clang::CXXRecordDecl>(initializer->getBaseClass()->getAs<clang::RecordType>()->getDecl());
      std::uint32_t index = 0;
      for (const clang::CXXBaseSpecifier &specifier : constructor->getParent()->bases()) {
        if (specifier.getType()->getAsCXXRecordDecl()->getCanonicalDecl() == base->getCanonicalDecl())
          break;
        ++index;
      }
      part.path.push_back(index);
      initialise(part, context_.getRecordType(base), initializer->getInit());
      continue;
    }
    const clang::FieldDecl *field = initializer->getMember();
    if (!field)
      continue; // a member of an anonymous union
    part.path.push_back(constructor->getParent()->getNumBases() + field->getFieldIndex());
    if (field->getType()->isReferenceType()) {
      store_.assign(part, address_of(initializer->getInit()));
    } else {
      initialise(part, field->getType(), initializer->getInit());
      if (const Value *whole = field->isBitField() ? store_.find(part) : nullptr)
        store_.assign(part, narrowed(*whole, field->getBitWidthValue(context_)));
    }
  }
}

Value Interpreter::construct(const clang::CXXConstructExpr *expression, const Place &place) {
  const clang::CXXConstructorDecl *constructor = expression->getConstructor();
  const clang::QualType type = expression->getType();
  auto current = [&]() -> Value {
    const Value *value = store_.find(place);
    return value ? *value : unknown("depends on memory that is not followed");
  };
  if (std::optional<Value> container = construct_container(expression))
    return std::move(*container);
  const bool trivial = constructor->isTrivial() || (constructor->isDefaulted() && !constructor->hasBody());
  if ((constructor->isCopyOrMoveConstructor() && trivial) || expression->isElidable())
    return evaluate(expression->getArg(0));
  if (expression->requiresZeroInitialization())
    store_.assign(place, zero(type, context_));
  if (constructor->isDefaultConstructor() && constructor->isTrivial())
    return current();
  if (!type->getAsCXXRecordDecl())
    return zero(type, context_); // an array of objects
  const clang::FunctionDecl *definition = nullptr;
  if (!constructor->hasBody(definition) || (in_system_header(definition) && !constructor->isConstexpr())) {
    const std::vector<Argument> arguments =
        evaluate_arguments(constructor, {expression->getArgs(), expression->getNumArgs()});
    return call_unknown(constructor->getParent()->getNameAsString(), constructor, arguments, std::nullopt, expression);
  }
  std::vector<Argument> arguments = evaluate_arguments(constructor, {expression->getArgs(), expression->getNumArgs()});
  if (!stopped())
    call_function(constructor, std::move(arguments), place, expression);
  return current();
}

/// These objects and all that they lead to.
Objects Interpreter::reachable(Objects objects) {
  std::vector<bool> met(store_.end());
  for (const ObjectId object : objects)
    if (object < met.size())
      met[object] = true;
  llvm::SmallPtrSet<const Objects *, 16> sets;     // values that one call lost share theirs
  for (std::size_t i = 0; i < objects.size(); ++i) // which grows
    if (const Value *value = store_.find({objects[i], {}}))
      for_each_target(*value, [&](const Objects *set, ObjectId single) {
        if (set && !sets.insert(set).second)
          return;
        for (const ObjectId target : set ? llvm::ArrayRef<ObjectId>(*set) : llvm::ArrayRef<ObjectId>(single))
          if (target < met.size() && !met[target]) {
            met[target] = true;
            objects.push_back(target);
          }
      });
  steps_ += objects.size() / kPartsOfStep;
  std::ranges::sort(objects);
  return objects;
}

/// Nothing is known any more of what a function that is not followed can change: what its arguments lead to, globals that it or other files
/// can name, and what such functions were given before. `function` is null if it is not known either.
void Interpreter::forget_changeable(const clang::FunctionDecl *function, const std::vector<Argument> &arguments,
                                    const std::optional<Place> &self, const std::string &reason, Call why) {
  Objects targets, changed;
  const auto lead_to = [&](const Value &value, bool reads_only) {
    const Objects direct = objects_of(value);
    const Objects all = reachable(direct);
    add_objects(targets, all);
    if (!reads_only) {
      add_objects(changed, all);
      return;
    }
    for (const ObjectId object : direct)
      if (const Value *held = store_.find({object, {}}))
        add_objects(changed, reachable(objects_of(*held)));
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const clang::QualType type = function && i < function->getNumParams()
                                     ? function->getParamDecl(static_cast<unsigned>(i))->getType()
                                     : clang::QualType();
    lead_to(arguments[i].value,
            !type.isNull() && !type->getPointeeType().isNull() && type->getPointeeType().isConstQualified());
  }
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (self)
    lead_to(Address{*self}, method && method->isConst());
  // Libraries do not know the program's variables.
  if (!function || !in_system_header(function)) {
    const AssignedGlobals::Set *assigned = function ? assigned_globals_.of(function) : nullptr;
    changed_globals_.external |= !assigned || assigned->others;
    changed_globals_.all |= !function;
    if (assigned)
      changed_globals_.named.insert(assigned->variables.begin(), assigned->variables.end());
    if (changed_globals_.by.empty())
      changed_globals_.by = reason;
    Objects variables;
    for (const auto &[variable, object] : globals_) {
      if (variable->getType().isConstQualified() || variable->isConstexpr() || in_system_header(variable))
        continue;
      const bool elsewhere = (!assigned || assigned->others) && (variable->hasExternalFormalLinkage() || !function);
      if (elsewhere || (assigned && assigned->variables.contains(variable)))
        add_objects(variables, {object});
    }
    if (!assigned || assigned->others)
      add_objects(variables, escaped_);
    add_objects(changed, reachable(std::move(variables)));
  }
  add_objects(escaped_, changed);
  // Going through many objects, or large ones, for each such call is work that the budget has to bound, too.
  steps_ += changed.size() / kPartsOfStep;
  for (const ObjectId object : changed)
    if (const Value *value = store_.find({object, {}}))
      steps_ += bytes_of(*value) / (kPartsOfStep * sizeof(Value));
  const Value nothing = unknown(reason, 1, targets);
  store_.forget(changed, why == Call::GivenUp ? as_lost(nothing) : nothing);
}

Value Interpreter::call_unknown(const std::string &name, const clang::FunctionDecl *function,
                                const std::vector<Argument> &arguments, const std::optional<Place> &self,
                                const clang::Expr *site, Call why) {
  std::string reason;
  Objects targets;
  const bool given_up = why == Call::GivenUp;
  for (const Argument &argument : arguments) {
    if (reason.empty() && !given_up && !argument.value.known() && !argument.place)
      reason = reason_of(argument.value);
    add_objects(targets, objects_of(argument.value));
  }
  if (self)
    add_objects(targets, {self->object});
  forget_changeable(function, arguments, self, "depends on what '" + name + "' stores" + at_line(site), why);
  if (!site) // the end of a lifetime calls a destructor: nobody asks for its result
    return {};
  if (reason.empty())
    reason = (given_up ? "depends on '" + name + "', which was too long to follow"
                       : "depends on the result of '" + name + "'") +
             at_line(site);
  const clang::QualType result = site->getType();
  if (result->isRecordType()) {
    Value object = uninitialised(result, context_, reason);
    const Objects all = reachable(targets);
    change_parts(object,
                 [&](Value &part) { part = with_targets(given_up ? as_lost(std::move(part)) : std::move(part), all); });
    return with_targets(given_up ? as_lost(std::move(object)) : std::move(object), reachable(targets));
  }
  const Value nothing =
      site->isGLValue() || result->isPointerType() ? unknown(reason, 1, reachable(targets)) : unknown(reason);
  return given_up ? as_lost(nothing) : nothing;
}

namespace {

/// Where errors keep Clang from it, an integer becomes a dim3 as dim3's constructor says.
Value as_dim(Value value, const clang::ASTContext &context) {
  if (!value.as<llvm::APSInt>())
    return value;
  const clang::QualType type = context.UnsignedIntTy;
  Aggregate dim;
  dim.elements.push_back(convert(value, type, context));
  dim.elements.push_back(integer(1, type, context));
  dim.elements.push_back(integer(1, type, context));
  return dim;
}

} // namespace

Value Interpreter::evaluate_kernel_call(const clang::CUDAKernelCallExpr *call) {
  MetLaunch launch;
  launch.site = call;
  if (const clang::CallExpr *config = call->getConfig()) {
    if (config->getNumArgs() > 0)
      launch.grid = as_dim(evaluate(config->getArg(0)), context_);
    if (config->getNumArgs() > 1)
      launch.block = as_dim(evaluate(config->getArg(1)), context_);
    if (config->getNumArgs() > 2)
      launch.shared = evaluate(config->getArg(2));
  }
  launch.kernel = call->getDirectCallee();
  if (!launch.kernel) {
    const Value callee = evaluate(call->getCallee());
    if (const auto *function = callee.as<const clang::FunctionDecl *>())
      launch.kernel = *function;
  }
  for (const clang::Expr *argument : call->arguments())
    launch.arguments.push_back(evaluate(argument));
  settle_launch(launch);
  if (!stopped())
    recorder_.record(launch);
  return {};
}

} // namespace smem
