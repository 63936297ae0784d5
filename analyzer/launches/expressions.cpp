#include <clang/Basic/TargetInfo.h>

#include "launches/interpreter.h"
#include "launches/operators.h"

namespace smem {

namespace {

/// A run of host code that takes longer than this is given up; the shipped analysis must stay within a compile's time.
constexpr std::uint64_t kMaxSteps = 400'000;

std::uint32_t field_element(const clang::FieldDecl *field) {
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
  return (record ? record->getNumBases() : 0) + field->getFieldIndex();
}

/// Element numbers of the bases that a cast goes through, outermost first. Empty for virtual bases and the like.
std::vector<std::uint32_t> base_elements(const clang::CastExpr *cast) {
  std::vector<std::uint32_t> elements;
  const clang::QualType from = cast->getSubExpr()->getType();
  const clang::CXXRecordDecl *record =
      (from->isPointerType() ? from->getPointeeType() : from)->getAsCXXRecordDecl();
  for (const clang::CXXBaseSpecifier *step : cast->path()) {
    if (!record || !record->getDefinition())
      return {};
    const clang::CXXRecordDecl *target = step->getType()->getAsCXXRecordDecl();
    std::uint32_t index = 0;
    for (const clang::CXXBaseSpecifier &base : record->getDefinition()->bases()) {
      if (base.getType()->getAsCXXRecordDecl()->getCanonicalDecl() == target->getCanonicalDecl())
        break;
      ++index;
    }
    elements.push_back(index);
    record = target;
  }
  return elements;
}

bool to_base(clang::CastKind kind) { return kind == clang::CK_DerivedToBase || kind == clang::CK_UncheckedDerivedToBase; }

const clang::FunctionDecl *named_function(const clang::Expr *expression) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
}

} // namespace

Value Interpreter::evaluate(const clang::Expr *expression) {
  if (++steps_ > kMaxSteps)
    exhausted_ = true;
  else if (steps_ > abort_at_)
    aborted_ = true;
  if (stopped())
    return unknown("depends on code that was too long to follow");
  expression = expression->IgnoreParens();
  if (const clang::FunctionDecl *function = named_function(expression))
    return function;
  // What refers to a header that is not there has no type.
  if (expression->isTypeDependent() && !llvm::isa<clang::CUDAKernelCallExpr>(expression))
    return unknown("depends on code that does not compile here" + at_line(expression));
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
      unary && unary->getOpcode() == clang::UO_Deref && unary->getType()->isFunctionType())
    return evaluate(unary->getSubExpr()); // (*pointer)(...)
  if (expression->isGLValue()) {
    lost_.clear();
    return load(locate(expression), expression);
  }
  return evaluate_kind(expression);
}

Value Interpreter::load(const std::optional<Place> &place, const clang::Expr *expression) {
  if (place)
    if (const Value *value = store_.find(*place))
      return *value;
  return unknown(lost_.empty() ? "depends on memory that is not followed" + at_line(expression) : lost_);
}

Value Interpreter::fold_constant(const clang::Expr *expression) {
  clang::Expr::EvalResult result;
  if (!expression->isValueDependent() && !expression->containsErrors() &&
      expression->EvaluateAsRValue(result, context_) && !result.HasSideEffects)
    return from_constant(result.Val);
  return unknown("depends on an expression that is not evaluated" + at_line(expression));
}

Value Interpreter::evaluate_kind(const clang::Expr *expression) {
  if (const auto *literal = llvm::dyn_cast<clang::IntegerLiteral>(expression))
    return llvm::APSInt(literal->getValue(), literal->getType()->isUnsignedIntegerType());
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression))
    return evaluate_cast(cast);
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return evaluate_binary(binary);
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return evaluate_unary(unary);
  if (const auto *kernel_call = llvm::dyn_cast<clang::CUDAKernelCallExpr>(expression))
    return evaluate_kernel_call(kernel_call);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression))
    return evaluate_call(call);
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expression))
    return evaluate(full->getSubExpr());
  if (const auto *construct_expression = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
    const Place place =
        temporary(uninitialised(construct_expression->getType(), context_, "depends on an uninitialised object"));
    return construct(construct_expression, place);
  }
  if (const auto *conditional = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression))
    return evaluate_conditional(conditional);
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expression))
    return evaluate_list(list);
  if (const auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expression)) {
    const Value array = evaluate(list->getSubExpr());
    const auto *aggregate = array.as<Aggregate>();
    if (!aggregate)
      return array;
    Container container;
    container.parts.push_back(integer(static_cast<std::int64_t>(aggregate->elements.size()), context_.getSizeType(), context_));
    container.parts.insert(container.parts.end(), aggregate->elements.begin(), aggregate->elements.end());
    return container;
  }
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(expression))
    return evaluate_lambda(lambda);
  if (const auto *statements = llvm::dyn_cast<clang::StmtExpr>(expression))
    return evaluate_statements(statements);
  if (const auto *allocation = llvm::dyn_cast<clang::CXXNewExpr>(expression))
    return evaluate_new(allocation);
  if (const auto *bind = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
    return evaluate(bind->getSubExpr());
  if (const auto *default_argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return evaluate(default_argument->getExpr());
  if (const auto *default_init = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
    return evaluate(default_init->getExpr());
  if (const auto *parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
    return evaluate(parameter->getReplacement());
  if (const auto *opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(expression); opaque && opaque->getSourceExpr())
    return evaluate(opaque->getSourceExpr());
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(expression))
    return zero(expression->getType(), context_);
  if (llvm::isa<clang::CXXThisExpr>(expression)) {
    Frame &current = frame();
    if (current.closure) {
      llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures;
      clang::FieldDecl *captured_this = nullptr;
      current.closure->getCaptureFields(captures, captured_this);
      if (captured_this && current.self) {
        Place place = *current.self;
        place.path.push_back(field_element(captured_this));
        return load(place, expression);
      }
    } else if (current.self) {
      return Address{*current.self};
    }
    return unknown("depends on the object of a member function that is not called here");
  }
  if (llvm::isa<clang::CXXThrowExpr>(expression)) {
    exited_ = true;
    return {};
  }
  if (llvm::isa<clang::CXXDeleteExpr>(expression))
    return {};
  return fold_constant(expression);
}

Value Interpreter::evaluate_cast(const clang::CastExpr *cast) {
  const clang::Expr *operand = cast->getSubExpr();
  switch (cast->getCastKind()) {
  case clang::CK_ArrayToPointerDecay: {
    lost_.clear();
    const Value array = address_of(operand);
    if (const auto *address = array.as<Address>()) {
      Place first = address->place;
      first.path.push_back(0);
      return Address{std::move(first)};
    }
    if (!array.known() && reason_of(array).empty())
      return unknown("depends on an array that is not followed" + at_line(cast));
    return array;
  }
  case clang::CK_NullToPointer:
    return Allocation{0, 0};
  case clang::CK_DerivedToBase:
  case clang::CK_UncheckedDerivedToBase: {
    const Value value = evaluate(operand);
    const std::vector<std::uint32_t> elements = base_elements(cast);
    if (const auto *address = value.as<Address>()) { // a pointer
      Place place = address->place;
      place.path.insert(place.path.end(), elements.begin(), elements.end());
      return Address{std::move(place)};
    }
    const Value *part = &value; // an object
    for (const std::uint32_t element : elements) {
      const auto *aggregate = part->as<Aggregate>();
      if (!aggregate || element >= aggregate->elements.size())
        return unknown("depends on a base class that is not followed");
      part = &aggregate->elements[element];
    }
    return *part;
  }
  case clang::CK_PointerToIntegral: {
    const Value pointer = evaluate(operand);
    if (pointer.as<Allocation>() || !pointer.known())
      return convert(pointer, cast->getType(), context_);
    return unknown("depends on the value of a pointer" + at_line(cast));
  }
  case clang::CK_ToVoid:
    evaluate(operand);
    return {};
  default:
    return convert(evaluate(operand), cast->getType(), context_);
  }
}

Value Interpreter::evaluate_unary(const clang::UnaryOperator *unary) {
  const clang::Expr *operand = unary->getSubExpr();
  if (unary->getOpcode() == clang::UO_AddrOf) {
    if (const clang::FunctionDecl *function = named_function(operand->IgnoreParens()))
      return function;
    lost_.clear();
    Value address = address_of(operand);
    if (!address.known() && reason_of(address).empty())
      return unknown("depends on an address that is not followed" + at_line(unary));
    return address;
  }
  if (unary->isIncrementDecrementOp()) {
    const std::optional<Place> place = locate(operand);
    const Value before = load(place, operand);
    const clang::QualType type = operand->getType();
    const std::optional<clang::QualType> pointee =
        type->isPointerType() ? std::optional(type->getPointeeType()) : std::nullopt;
    const Value one = type->isRealFloatingType() ? convert(integer(1, context_.IntTy, context_), type, context_)
                                                 : integer(1, type->isPointerType() ? context_.IntTy : type, context_);
    const Value after =
        apply_binary(unary->isIncrementOp() ? clang::BO_Add : clang::BO_Sub, before, one, type, pointee, context_);
    if (place)
      store_.assign(*place, after);
    return unary->isPostfix() ? before : after;
  }
  if (unary->getOpcode() == clang::UO_Extension || unary->getOpcode() == clang::UO_Deref)
    return evaluate(operand);
  return apply_unary(unary->getOpcode(), evaluate(operand), unary->getType(), context_);
}

Value Interpreter::evaluate_binary(const clang::BinaryOperator *binary) {
  if (binary->isAssignmentOp())
    return evaluate_assignment(binary);
  if (binary->isLogicalOp()) {
    const bool is_and = binary->getOpcode() == clang::BO_LAnd;
    const Value left = evaluate(binary->getLHS());
    const std::optional<bool> decided = truth(left);
    if (decided && *decided != is_and)
      return convert(left, binary->getType(), context_);
    if (!decided) {
      // The right side may or may not be evaluated: what it assigns is in doubt.
      const std::size_t mark = store_.begin();
      const Value right = evaluate(binary->getRHS());
      const Changes changes = store_.undo(mark);
      exited_ = false;
      store_.join(changes, {}, "depends on an operand that may not be evaluated" + at_line(binary));
      const std::optional<bool> other = truth(right);
      if (other && *other != is_and && !right.assumed)
        return integer(*other, binary->getType(), context_);
      return with_multiple(left, 1);
    }
    Value right = convert(evaluate(binary->getRHS()), binary->getType(), context_);
    right.assumed |= left.assumed;
    return right;
  }
  const Value left = evaluate(binary->getLHS());
  const Value right = evaluate(binary->getRHS());
  std::optional<clang::QualType> pointee;
  for (const clang::Expr *side : {binary->getLHS(), binary->getRHS()})
    if (side->getType()->isPointerType())
      pointee = side->getType()->getPointeeType();
  return apply_binary(binary->getOpcode(), left, right, binary->getType(), pointee, context_);
}

Value Interpreter::evaluate_assignment(const clang::BinaryOperator *binary) {
  Value value = evaluate(binary->getRHS());
  const std::optional<Place> place = locate(binary->getLHS());
  if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(binary)) {
    const clang::QualType type = binary->getLHS()->getType();
    const std::optional<clang::QualType> pointee =
        type->isPointerType() ? std::optional(type->getPointeeType()) : std::nullopt;
    Value before = load(place, binary->getLHS());
    if (!pointee)
      before = convert(before, compound->getComputationLHSType(), context_);
    const auto operation = clang::BinaryOperator::getOpForCompoundAssignment(binary->getOpcode());
    value = apply_binary(operation, before, value, compound->getComputationResultType(), pointee, context_);
    if (!pointee)
      value = convert(value, type, context_);
  }
  if (place)
    store_.assign(*place, value);
  return value;
}

Value Interpreter::evaluate_conditional(const clang::AbstractConditionalOperator *conditional) {
  const Value condition = evaluate(conditional->getCond());
  const std::optional<bool> decided = truth(condition);
  if (decided) {
    Value result = evaluate(*decided ? conditional->getTrueExpr() : conditional->getFalseExpr());
    if (condition.assumed)
      mark_assumed(result, condition.assumed);
    return result;
  }
  const std::string reason = reason_of(condition);
  std::size_t mark = store_.begin();
  const Value if_true = evaluate(conditional->getTrueExpr());
  const bool true_exits = std::exchange(exited_, false);
  const Changes true_changes = store_.undo(mark);
  mark = store_.begin();
  const Value if_false = evaluate(conditional->getFalseExpr());
  const bool false_exits = std::exchange(exited_, false);
  const Changes false_changes = store_.undo(mark);
  if (true_exits && !false_exits) {
    store_.apply(false_changes);
    return if_false;
  }
  if (false_exits && !true_exits) {
    store_.apply(true_changes);
    return if_true;
  }
  exited_ = true_exits && false_exits;
  store_.join(true_changes, false_changes, reason);
  return join(if_true, if_false, reason);
}

Value Interpreter::evaluate_list(const clang::InitListExpr *list) {
  if (list->isSemanticForm() == false && list->getSemanticForm())
    list = list->getSemanticForm();
  const clang::QualType type = list->getType();
  if (!type->isRecordType() && !type->isArrayType())
    return list->getNumInits() == 1 ? evaluate(list->getInit(0)) : zero(type, context_);
  if (list->isTransparent())
    return evaluate(list->getInit(0));
  Value value = zero(type, context_);
  auto *aggregate = value.as<Aggregate>();
  if (!aggregate)
    return value;
  for (unsigned i = 0; i < list->getNumInits() && i < aggregate->elements.size(); ++i)
    if (list->getInit(i))
      aggregate->elements[i] = evaluate(list->getInit(i));
  return value;
}

Value Interpreter::evaluate_lambda(const clang::LambdaExpr *lambda) {
  Aggregate closure{lambda->getLambdaClass(), {}};
  auto init = lambda->capture_init_begin();
  for (const clang::FieldDecl *field : lambda->getLambdaClass()->fields()) {
    const clang::Expr *captured = init != lambda->capture_init_end() ? *init++ : nullptr;
    if (!captured) {
      closure.elements.push_back(unknown("depends on a captured variable"));
    } else if (field->getType()->isReferenceType()) {
      const std::optional<Place> place = locate(captured);
      closure.elements.push_back(place ? Value(Address{*place}) : unknown("depends on a captured reference"));
    } else {
      closure.elements.push_back(evaluate(captured));
    }
  }
  return closure;
}

Value Interpreter::evaluate_new(const clang::CXXNewExpr *expression) {
  const clang::QualType type = expression->getAllocatedType();
  if (expression->isArray() || !type->getAsCXXRecordDecl())
    return new_allocation(context_.toCharUnitsFromBits(context_.getTargetInfo().getNewAlign()).getQuantity());
  const Place place = temporary(uninitialised(type, context_, "depends on an uninitialised object"));
  if (expression->getInitializer())
    initialise(place, type, expression->getInitializer());
  return Address{place};
}

std::optional<Place> Interpreter::pointee(const Value &pointer) const {
  if (const auto *address = pointer.as<Address>())
    return address->place;
  return std::nullopt;
}

/// The address of what an lvalue names, also of a part of memory whose contents are not kept. Unknown with an empty reason
/// where nothing is there to be named.
Value Interpreter::address_of(const clang::Expr *expression) {
  expression = expression->IgnoreParens();
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    const Value pointer = evaluate(subscript->getBase());
    const Value index = evaluate(subscript->getIdx());
    return apply_binary(clang::BO_Add, pointer, index, subscript->getBase()->getType(), subscript->getType(), context_);
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression); unary && unary->getOpcode() == clang::UO_Deref)
    return evaluate(unary->getSubExpr());
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression))
    if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()))
      return address_of_field(member->isArrow() ? evaluate(member->getBase()) : address_of(member->getBase()), field);
  const std::optional<Place> place = locate(expression);
  return place ? Value(Address{*place}) : unknown(lost_);
}

Value Interpreter::address_of_field(const Value &object, const clang::FieldDecl *field) {
  const auto *address = object.as<Address>();
  if (!address) {
    const clang::RecordDecl *record = field->getParent();
    if (field->getType()->isReferenceType() || field->isBitField() || record->isInvalidDecl() || record->isDependentType())
      return unknown("depends on memory that is not followed");
    const std::int64_t offset = context_.toCharUnitsFromBits(static_cast<std::int64_t>(context_.getFieldOffset(field))).getQuantity();
    return apply_binary(clang::BO_Add, object, llvm::APSInt::get(offset), context_.VoidPtrTy, context_.CharTy, context_);
  }
  Place place = address->place;
  place.path.push_back(field_element(field));
  if (!field->getType()->isReferenceType())
    return Address{std::move(place)};
  const Value *target = store_.find(place);
  return target ? *target : unknown("depends on a reference that is not followed");
}

/// A place that is kept, from an expression for its address; `lost_` says why there is none.
std::optional<Place> Interpreter::place_of(const Value &address) {
  std::optional<Place> place = pointee(address);
  if (!place)
    lost_ = reason_of(address);
  return place;
}

Value Interpreter::evaluate_statements(const clang::StmtExpr *expression) {
  const clang::CompoundStmt *body = expression->getSubStmt();
  for (const clang::Stmt *statement : body->body()) {
    const auto *result = llvm::dyn_cast<clang::Expr>(statement);
    if (result && statement == body->body_back())
      return evaluate(result);
    if (execute(statement) != Flow::Next) {
      exited_ = true; // out of the middle of an expression
      return {};
    }
  }
  return {};
}

std::optional<Place> Interpreter::locate(const clang::Expr *expression) {
  expression = expression->IgnoreParens();
  if (!expression->isGLValue())
    return temporary(evaluate(expression));
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable ? locate_variable(variable, reference->refersToEnclosingVariableOrCapture()) : std::nullopt;
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      return locate_variable(variable, false);
    return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) ? place_of(address_of(member)) : std::nullopt;
  }
  if (llvm::isa<clang::ArraySubscriptExpr>(expression))
    return place_of(address_of(expression));
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (unary->getOpcode() == clang::UO_Deref)
      return place_of(address_of(unary));
    evaluate_unary(unary);
    return locate(unary->getSubExpr());
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    evaluate_binary(binary);
    return locate(binary->getOpcode() == clang::BO_Comma ? binary->getRHS() : binary->getLHS());
  }
  if (const auto *temporary_expression = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
    const clang::QualType type = temporary_expression->getType();
    const Place place = temporary(uninitialised(type, context_, "depends on an uninitialised object"));
    initialise(place, type, temporary_expression->getSubExpr());
    return place;
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    std::optional<Place> place = locate(cast->getSubExpr());
    if (place && to_base(cast->getCastKind())) {
      const std::vector<std::uint32_t> elements = base_elements(cast);
      place->path.insert(place->path.end(), elements.begin(), elements.end());
    } else if (place && cast->getCastKind() == clang::CK_BaseToDerived) {
      const std::size_t steps = cast->path_size();
      if (place->path.size() < steps)
        return std::nullopt;
      place->path.resize(place->path.size() - steps);
    }
    return place;
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    return place_of(evaluate_call(call));
  }
  if (const auto *conditional = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression)) {
    const Value condition = evaluate(conditional->getCond());
    if (const std::optional<bool> decided = truth(condition))
      return locate(*decided ? conditional->getTrueExpr() : conditional->getFalseExpr());
    lost_ = reason_of(condition);
    return std::nullopt;
  }
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expression))
    return locate(full->getSubExpr());
  if (const auto *default_argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return locate(default_argument->getExpr());
  if (const auto *default_init = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
    return locate(default_init->getExpr());
  if (const auto *parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
    return locate(parameter->getReplacement());
  if (const auto *opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(expression); opaque && opaque->getSourceExpr())
    return locate(opaque->getSourceExpr());
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expression); list && list->getNumInits() == 1)
    return locate(list->getInit(0));
  if (const auto *literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(expression))
    return temporary(evaluate(literal->getInitializer()));
  return std::nullopt;
}

std::optional<Place> Interpreter::locate_variable(const clang::VarDecl *variable, bool captured) {
  Place place;
  bool found = false;
  Frame &current = frame();
  if (captured && current.closure && current.self) {
    llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures;
    clang::FieldDecl *captured_this = nullptr;
    current.closure->getCaptureFields(captures, captured_this);
    if (const auto field = captures.find(variable); field != captures.end()) {
      place = *current.self;
      place.path.push_back(field_element(field->second));
      if (field->second->getType()->isReferenceType()) {
        const Value *target = store_.find(place);
        return target ? pointee(*target) : std::nullopt;
      }
      found = true;
    }
  }
  if (!found) {
    const auto local = current.variables.find(variable);
    if (local != current.variables.end()) {
      place.object = local->second;
    } else if (variable->hasGlobalStorage() || variable->isUsableInConstantExpressions(context_)) {
      place.object = global(variable);
    } else {
      lost_ = "depends on variable '" + variable->getNameAsString() + "'";
      return std::nullopt;
    }
  }
  if (!variable->getType()->isReferenceType())
    return place;
  const Value *target = store_.find(place);
  if (target && !target->known())
    lost_ = reason_of(*target);
  return target ? pointee(*target) : std::nullopt;
}

ObjectId Interpreter::global(const clang::VarDecl *variable) {
  variable = variable->getCanonicalDecl();
  if (const auto found = globals_.find(variable); found != globals_.end())
    return found->second;
  const std::string reason = "depends on variable '" + variable->getNameAsString() + "'";
  const clang::QualType type = variable->getType();
  const clang::VarDecl *definition = nullptr;
  const clang::Expr *init = variable->getAnyInitializer(definition);
  // Without a `main` anything may have been assigned before.
  const bool fixed = type.isConstQualified() || variable->isConstexpr() || variable->isStaticLocal();
  const bool known = (fixed || globals_known_) && !type->isReferenceType();
  const bool external = !init && !variable->hasDefinition(context_);
  const ObjectId object =
      store_.create(known && !init && !external ? zero(type, context_) : uninitialised(type, context_, reason));
  globals_[variable] = object;
  if (known && init && !init->isValueDependent() && !init->containsErrors()) {
    // In a frame of its own: the initialiser sees no local variables.
    frames_.emplace_back();
    initialise({object, {}}, type, init);
    frames_.pop_back();
    // It has its value from the start, not only on the path that is the first to mention it.
    if (variable->isConstexpr() || variable->hasConstantInitialization())
      store_.settle(object);
  }
  return object;
}

void Interpreter::initialise(const Place &place, clang::QualType type, const clang::Expr *init) {
  while (const auto *full = llvm::dyn_cast<clang::FullExpr>(init))
    init = full->getSubExpr();
  if (const auto *bind = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(init))
    init = bind->getSubExpr();
  // In place, as constructors may keep the address of what they construct.
  if (const auto *construct_expression = llvm::dyn_cast<clang::CXXConstructExpr>(init)) {
    Value value = construct(construct_expression, place);
    store_.assign(place, std::move(value));
    return;
  }
  store_.assign(place, evaluate(init));
}

} // namespace smem
