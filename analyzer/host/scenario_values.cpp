// What a scenario adds to the interpreter: whatever would be unknown is chosen where it is first looked at.
#include <algorithm>
#include <functional>

#include "host/interpreter.h"
#include "support/any_value.h"
#include "syntax/texts.h"

namespace smem {

namespace {

std::string name_of(const clang::Expr *expression, const clang::ASTContext &context) {
  constexpr std::size_t kMostCharacters = 80;
  std::string text = spelled_text(expression->IgnoreParenImpCasts()->getSourceRange(), context);
  if (text.starts_with("this->"))
    text.erase(0, 6);
  if (text.size() > kMostCharacters)
    text = text.substr(0, kMostCharacters - 3) + "...";
  return text;
}

/// Whether settling it may need its name.
bool has_open_part(const Value &value) {
  if (const auto *aggregate = value.as<Aggregate>())
    return std::ranges::any_of(aggregate->elements.distinct(), has_open_part);
  return value.as<Unknown>();
}

bool can_be_made(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  return record && !record->isInvalidDecl() && !record->isDependentType() && !record->isUnion() &&
         record->getNumVBases() == 0;
}

} // namespace

/// A value that was read from `place` (if it has one), which keeps what is chosen.
Value Interpreter::settle(Value value, const clang::Expr *expression, const std::optional<Place> &place) {
  const auto *nothing = value.as<Unknown>();
  if (!scenario_ || !nothing || !nothing->reason || nothing->lost || stopped())
    return value;
  // Inside the standard library a free quantity has no name: that is what its caller gets.
  if (frame().function && in_system_header(frame().function))
    return value;
  const std::string reason = *nothing->reason;
  const clang::QualType type = expression->getType();
  Value chosen;
  if (type->isPointerType() && objects_of(value).empty() && can_be_made(type->getPointeeType()))
    chosen = Address{of_unknown_class(uninitialised(type->getPointeeType(), context_, reason))};
  else if (Scenario::can_choose(type, context_))
    chosen = scenario_->choose(name_of(expression, context_), reason, type, nothing->multiple);
  else
    return value;
  if (place)
    store_.assign(*place, chosen);
  return chosen;
}

/// The results of calls that are not followed, and the answers to questions for pointers.
Value Interpreter::settle_result(Value value, const clang::Expr *expression) {
  if (!scenario_)
    return value;
  if (!value.known()) {
    if (llvm::isa<clang::CallExpr>(expression) && !llvm::isa<clang::CUDAKernelCallExpr>(expression)) {
      value = settle(std::move(value), expression, std::nullopt);
    } else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression);
               cast && cast->getCastKind() == clang::CK_PointerToBoolean) {
      value = settle(std::move(value), expression, std::nullopt);
    } else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
               binary && binary->isComparisonOp() && binary->getLHS()->getType()->isPointerType()) {
      // A pointer is not null unless that leads nowhere.
      const auto *nothing = value.as<Unknown>();
      if (nothing && nothing->reason && !nothing->lost && !(frame().function && in_system_header(frame().function)))
        value = scenario_->choose(name_of(expression, context_), *nothing->reason, expression->getType(), 1,
                                  binary->getOpcode() != clang::BO_EQ);
    }
  }
  if (expression->getType()->isBooleanType())
    scenario_->decided(expression->getExprLoc(), value, store_.end());
  return value;
}

/// Every scalar of an object that goes into a launch. `otherwise` replaces the default of the type.
Value Interpreter::settle_parts(Value value, const std::string &name, clang::QualType type,
                                std::optional<std::int64_t> otherwise) {
  if (const auto *nothing = value.as<Unknown>()) {
    if (nothing->reason && !nothing->lost && Scenario::can_choose(type, context_) && !has_any_value(name))
      return scenario_->choose(name, *nothing->reason, type, nothing->multiple, otherwise);
    return value;
  }
  auto *aggregate = value.as<Aggregate>();
  if (!aggregate)
    return value;
  constexpr std::size_t kMostElements = 64;
  if (aggregate->elements.size() > kMostElements)
    return value;
  const clang::CXXRecordDecl *record = aggregate->record;
  const auto *array = context_.getAsConstantArrayType(type);
  if (!array && !record)
    return value;
  Elements::Vector &elements = aggregate->elements.own();
  std::size_t i = 0;
  const auto settle_next = [&](const std::string &part, clang::QualType part_type,
                               std::optional<std::int64_t> part_otherwise = std::nullopt) {
    if (i < elements.size())
      elements[i] = settle_parts(std::move(elements[i]), part, part_type, part_otherwise);
    ++i;
  };
  // Its constructor's own default: hardly anybody has more than one dimension without saying so.
  const bool is_dim = record && record->getIdentifier() && record->getName() == "dim3";
  if (array) {
    while (i < elements.size())
      settle_next(name + "[" + std::to_string(i) + "]", array->getElementType());
    return value;
  }
  for (const clang::CXXBaseSpecifier &base : record->bases())
    settle_next(name, base.getType());
  for (const clang::FieldDecl *field : record->fields())
    settle_next(name + "." + field->getNameAsString(), field->getType(),
                is_dim && i > 0 ? std::optional<std::int64_t>(1) : std::nullopt);
  return value;
}

/// Of a launch as evaluated: the parts of objects that nothing has looked at yet, and how the source writes what names nothing
/// but chosen quantities.
void Interpreter::settle_launch(MetLaunch &launch) {
  launch.function = frame().function;
  if (!scenario_)
    return;
  launch.contradicts = scenario_->contradicts();
  launch.decisions = scenario_->path().size();
  launch.decided = scenario_->decisive() & kFreeQuantities;
  const auto *call = llvm::dyn_cast<clang::CUDAKernelCallExpr>(launch.site);
  const clang::CallExpr *configuration = call ? call->getConfig() : nullptr;
  const auto expression_of = [&](unsigned i) -> const clang::Expr * {
    return configuration && i < configuration->getNumArgs() ? configuration->getArg(i) : nullptr;
  };
  const auto text = [&](const clang::Expr *expression) {
    return expression ? name_of(expression, context_) : std::string();
  };
  const auto settle_dim = [&](Value &dim, const clang::Expr *expression, const char *otherwise) {
    const auto *aggregate = dim.as<Aggregate>();
    if (!aggregate || !aggregate->record || !has_open_part(dim))
      return;
    const std::string name = text(expression);
    dim = settle_parts(std::move(dim), name.empty() ? otherwise : name, context_.getRecordType(aggregate->record));
  };
  settle_dim(launch.grid, expression_of(0), "grid");
  settle_dim(launch.block, expression_of(1), "block");
  if (launch.kernel)
    for (unsigned i = 0; i < launch.arguments.size() && i < launch.kernel->getNumParams(); ++i) {
      if (!has_open_part(launch.arguments[i]))
        continue;
      const clang::Expr *argument = call && i < call->getNumArgs() ? call->getArg(i) : nullptr;
      const std::string name = text(argument);
      launch.arguments[i] = settle_parts(std::move(launch.arguments[i]),
                                         name.empty() ? launch.kernel->getParamDecl(i)->getNameAsString() : name,
                                         launch.kernel->getParamDecl(i)->getType().getNonReferenceType());
    }
  if (!call)
    return;
  // Conditions that were met before the variables of an argument were made have not changed these.
  const auto oldest = [&](const clang::Expr *expression) {
    ObjectId first = store_.end();
    const std::function<void(const clang::Stmt *)> look = [&](const clang::Stmt *statement) {
      if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
          const auto local = frame().variables.find(variable);
          const bool own = local != frame().variables.end() && !llvm::isa<clang::ParmVarDecl>(variable) &&
                           !variable->getType()->isReferenceType();
          first = std::min(first, own ? local->second : 0);
        }
      for (const clang::Stmt *child : statement->children())
        if (child)
          look(child);
    };
    look(expression);
    return first;
  };
  for (unsigned i = 0; i < call->getNumArgs(); ++i)
    launch.arguments_decided.push_back(scenario_->decided_since(oldest(call->getArg(i))));
  // An expression is for checking: each name in it must mean a quantity, with the value that was chosen.
  const std::function<bool(const clang::Stmt *)> names_quantities = [&](const clang::Stmt *statement) -> bool {
    if (!statement)
      return true;
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!variable)
        return false;
      const std::optional<Place> place =
          pointee(address_of_variable(variable, reference->refersToEnclosingVariableOrCapture()));
      const Value *value = place ? store_.find(*place) : nullptr;
      const auto *number = value ? value->as<llvm::APSInt>() : nullptr;
      for (std::size_t i = 0; number && i < scenario_->quantities().size(); ++i) {
        const FreeQuantity &quantity = scenario_->quantities()[i];
        if (value->assumed == free_quantity(i) && number->getSExtValue() == quantity.value &&
            variable->getIdentifier() && quantity.name == variable->getName())
          return true;
      }
      return false;
    }
    if (llvm::isa<clang::MemberExpr, clang::CallExpr, clang::LambdaExpr>(statement))
      return false;
    return llvm::all_of(statement->children(), names_quantities);
  };
  const auto note = [&](std::string part, const clang::Expr *expression) {
    if (expression && names_quantities(expression))
      launch.expressions.push_back(
          {std::move(part), source_text(expression->IgnoreParenImpCasts()->getSourceRange(), context_)});
  };
  note("grid", expression_of(0));
  note("block", expression_of(1));
  if (const clang::Expr *dynamic = expression_of(2); dynamic && !llvm::isa<clang::CXXDefaultArgExpr>(dynamic))
    note("dynamic", dynamic);
  if (launch.kernel)
    for (unsigned i = 0; i < call->getNumArgs() && i < launch.kernel->getNumParams(); ++i)
      if (const llvm::StringRef name = launch.kernel->getParamDecl(i)->getName();
          launch.kernel->getParamDecl(i)->getType()->isIntegralOrEnumerationType() && name != "grid" &&
          name != "block" && name != "dynamic")
        note(launch.kernel->getParamDecl(i)->getNameAsString(), call->getArg(i));
}

} // namespace smem
