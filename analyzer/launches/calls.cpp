#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>

#include "launches/interpreter.h"

namespace smem {

namespace {

constexpr std::size_t kMaxDepth = 64;

/// Of functions that lead to no launch only results matter, and those that matter are quick to get.
constexpr std::uint64_t kMaxStepsWithoutLaunch = 4000;

/// Members of the standard library that only pass values on.
bool passes_on(const clang::FunctionDecl *function) {
  if (!function->getIdentifier())
    return false;
  const llvm::StringRef name = function->getName();
  return name == "min" || name == "max" || name == "move" || name == "forward" || name == "swap" || name == "get" ||
         name.starts_with("make_") || name == "as_const" || name == "ref" || name == "clamp" || name == "exchange" || name == "invoke" || name == "apply";
}

bool is_closure_call(const clang::CXXMethodDecl *method) {
  return method && method->getParent()->isLambda() && method->getOverloadedOperator() == clang::OO_Call;
}

bool copies(const clang::CXXMethodDecl *method) {
  return method && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) &&
         (method->isTrivial() || method->isDefaulted());
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
      lost_.clear();
      argument.place = locate(expression);
      argument.value = argument.place ? Value(Address{*argument.place})
                                      : unknown(lost_.empty() ? "depends on memory that is not followed" : lost_);
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Value Interpreter::evaluate_call(const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  std::optional<Place> self;
  llvm::ArrayRef<const clang::Expr *> expressions(call->getArgs(), call->getNumArgs());
  if (const auto *member_call = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    const clang::Expr *object = member_call->getImplicitObjectArgument();
    if (object && object->getType()->isPointerType())
      self = pointee(evaluate(object));
    else if (object)
      self = locate(object);
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(call)) {
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    if (method && method->isImplicitObjectMemberFunction()) {
      self = locate(expressions.front());
      expressions = expressions.drop_front();
      if (copies(method) && expressions.size() == 1) {
        Value value = evaluate(expressions.front());
        if (self)
          store_.assign(*self, std::move(value));
        return self ? Value(Address{*self}) : unknown("depends on memory that is not followed");
      }
    }
  }
  if (!function) {
    const Value callee = evaluate(call->getCallee());
    if (const auto *target = callee.as<const clang::FunctionDecl *>())
      function = *target;
  }
  if (!function) {
    for (const clang::Expr *expression : expressions)
      evaluate(expression);
    return unknown("depends on a call through a pointer that is not known" + at_line(call));
  }
  resolve_override(function, self);
  std::vector<Argument> arguments = evaluate_arguments(function, expressions);
  if (stopped())
    return {};
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function))
    if (std::optional<Value> result = call_container(method, self, arguments, call))
      return std::move(*result);
  if (std::optional<Value> result = call_known(function, arguments, call))
    return std::move(*result);
  return call_function(function, std::move(arguments), self, call);
}

/// The method that a virtual call means, where the object is one of ours.
void Interpreter::resolve_override(const clang::FunctionDecl *&function, std::optional<Place> &self) const {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (!method || !method->isVirtual() || !self)
    return;
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
  const Value *object = store_.find(whole);
  const auto *aggregate = object ? object->as<Aggregate>() : nullptr;
  if (!aggregate || !aggregate->record)
    return;
  const clang::CXXMethodDecl *target = method->getCorrespondingMethodInClass(aggregate->record, /*MayBeBase=*/true);
  if (target && target->getParent()->getCanonicalDecl() == aggregate->record->getCanonicalDecl()) {
    function = target;
    self = std::move(whole);
  }
}

bool Interpreter::worth_running(const clang::FunctionDecl *function, const clang::FunctionDecl *definition) const {
  if (!definition || definition->isInvalidDecl() || definition->isDependentContext() || frames_.size() >= kMaxDepth ||
      definition->hasAttr<clang::CUDAGlobalAttr>())
    return false;
  // Recursion whose end is not known goes on under assumptions that do not get any better.
  constexpr std::ptrdiff_t kMaxRecursion = 32;
  if (std::count_if(frames_.begin(), frames_.end(), [&](const Frame &frame) { return frame.function == definition; }) >= kMaxRecursion)
    return false;
  return !in_system_header(definition) || function->isConstexpr() || passes_on(function);
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
  if (!worth_running(function, definition)) {
    if (function->isNoReturn())
      exited_ = true;
    if (self)
      if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function); method && !method->isConst())
        store_.forget(*self, "depends on an object that '" + function->getNameAsString() + "' may change" + at_line(site));
    return call_unknown(function->getNameAsString(), function, arguments, site);
  }
  visited_.insert(function->getCanonicalDecl());

  // A benchmark's `run(repeats, launcher, ...)` launches what it is given.
  const bool given_launcher = std::any_of(arguments.begin(), arguments.end(), [this](const Argument &argument) { return leads_to_launch(argument.value); });
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
    callee.variables[definition->getParamDecl(i)] = store_.create(std::move(value));
  }
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition); constructor && self)
    run_initialisers(constructor, *self);
  if (!stopped())
    execute(definition->getBody());
  merge_early(0, Flow::Return, "depends on a condition that is not known" + at_line(definition->getBody()));
  Value result = callee.result ? std::move(*callee.result) : Value();
  frames_.pop_back();

  abort_at_ = outer_limit;
  if (limited && aborted_) {
    // Given up as a whole: whatever it had changed by then, and could change, is not known.
    aborted_ = exited_ = false;
    const std::string reason =
        "depends on '" + function->getNameAsString() + "', which was too long to follow" + at_line(site);
    store_.forget(store_.undo(mark), reason);
    return call_unknown(function->getNameAsString(), function, arguments, site);
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
      const auto *base = llvm::cast<clang::CXXRecordDecl>(initializer->getBaseClass()->getAs<clang::RecordType>()->getDecl());
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
      const std::optional<Place> target = locate(initializer->getInit());
      store_.assign(part, target ? Value(Address{*target}) : unknown("depends on a reference that is not followed"));
    } else {
      initialise(part, field->getType(), initializer->getInit());
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
  const bool trivial = constructor->isTrivial() || constructor->isDefaulted();
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
    return call_unknown(constructor->getParent()->getNameAsString(), constructor, arguments, expression);
  }
  std::vector<Argument> arguments =
      evaluate_arguments(constructor, {expression->getArgs(), expression->getNumArgs()});
  if (!stopped())
    call_function(constructor, std::move(arguments), place, expression);
  return current();
}

Value Interpreter::call_unknown(const std::string &name, const clang::FunctionDecl *function,
                                const std::vector<Argument> &arguments, const clang::Expr *site) {
  const std::string changed = "depends on what '" + name + "' stores" + at_line(site);
  std::string reason;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto *address = arguments[i].value.as<Address>();
    if (!address) {
      if (reason.empty() && !arguments[i].value.known())
        reason = reason_of(arguments[i].value);
      continue;
    }
    const clang::QualType type = i < function->getNumParams()
                                     ? function->getParamDecl(static_cast<unsigned>(i))->getType()
                                     : clang::QualType();
    const bool reads_only = !type.isNull() && !type->getPointeeType().isNull() && type->getPointeeType().isConstQualified();
    if (!reads_only)
      store_.forget(address->place, changed);
  }
  if (reason.empty())
    reason = "depends on the result of '" + name + "'" + at_line(site);
  const clang::QualType result = site->getType();
  return result->isRecordType() ? uninitialised(result, context_, reason) : unknown(reason);
}

Value Interpreter::evaluate_kernel_call(const clang::CUDAKernelCallExpr *call) {
  MetLaunch launch;
  launch.site = call;
  if (const clang::CallExpr *config = call->getConfig()) {
    if (config->getNumArgs() > 0)
      launch.grid = evaluate(config->getArg(0));
    if (config->getNumArgs() > 1)
      launch.block = evaluate(config->getArg(1));
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
  if (!stopped())
    recorder_.record(launch);
  return {};
}

} // namespace smem
