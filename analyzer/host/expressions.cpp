#include <clang/Basic/TargetInfo.h>

#include "host/class_elements.h"
#include "host/interpreter.h"
#include "host/operators.h"

namespace smem {

namespace {

const clang::FunctionDecl *named_function(const clang::Expr *expression) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
}

} // namespace

Value Interpreter::evaluate(const clang::Expr *expression) {
  if (++steps_ > most_steps_ || store_.bytes() > kHostBytes || stop_.stop_requested())
    exhausted_ = true;
  else if (steps_ > abort_at_)
    aborted_ = true;
  if (stopped())
    return as_lost(unknown("depends on code that was too long to follow"));
  expression = expression->IgnoreParens();
  if (const clang::FunctionDecl *function = named_function(expression))
    return function;
  // What refers to a header that is not there has no type.
  if (expression->isTypeDependent() && !llvm::isa<clang::CUDAKernelCallExpr>(expression))
    return unknown("depends on code that does not compile here" + at_line(expression));
  return expression->isGLValue() ? read(address_of(expression), expression)
                                 : settle_result(evaluate_kind(expression), expression);
}

/// For its effects.
void Interpreter::discard(const clang::Expr *expression) {
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expression)) {
    in_scope([&] {
      discard(full->getSubExpr());
      return true;
    });
    return;
  }
  if (const auto *object = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression->IgnoreParenCasts())) {
    const Place place = temporary(uninitialised(object->getType(), context_, "depends on an uninitialised object"));
    initialise(place, object->getType(), object);
    keep_alive(place, object->getType());
    return;
  }
  if (expression->isGLValue() && !expression->getType()->isFunctionType())
    address_of(expression);
  else
    evaluate(expression);
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
    return in_scope([&] { return evaluate(full->getSubExpr()); });
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
    container.parts.push_back(
        integer(static_cast<std::int64_t>(aggregate->elements.size()), context_.getSizeType(), context_));
    for (std::size_t i = 0; i < aggregate->elements.size(); ++i)
      container.parts.push_back(aggregate->elements[i]);
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
  if (const auto *opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(expression)) {
    if (const auto once = frame().opaque.find(opaque); once != frame().opaque.end())
      return once->second;
    if (opaque->getSourceExpr())
      return evaluate(opaque->getSourceExpr());
  }
  if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(expression))
    return evaluate(rewritten->getSemanticForm());
  if (const auto *copied = llvm::dyn_cast<clang::ArrayInitLoopExpr>(expression)) {
    const clang::Expr *source = copied->getCommonExpr()->getSourceExpr();
    const clang::QualType element = context_.getBaseElementType(copied->getType());
    if (source && element.isTriviallyCopyableType(context_))
      return evaluate(source);
    if (source)
      discard(source);
    return uninitialised(copied->getType(), context_, "depends on a copied array" + at_line(copied));
  }
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
        return captured_this->getType()->isPointerType() ? load(place, expression)
                                                         : Value(Address{std::move(place)}); // [*this]
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
  if (const auto *deletion = llvm::dyn_cast<clang::CXXDeleteExpr>(expression)) {
    const Value pointer = evaluate(deletion->getArgument());
    const clang::CXXRecordDecl *record =
        deletion->getDestroyedType().isNull() ? nullptr : deletion->getDestroyedType()->getAsCXXRecordDecl();
    std::optional<Place> place = pointee(pointer);
    if (const clang::FunctionDecl *destructor = record && place ? record->getDestructor() : nullptr) {
      resolve_override(destructor, place);
      destroy(*place, context_.getRecordType(llvm::cast<clang::CXXMethodDecl>(destructor)->getParent()));
    }
    return {};
  }
  return fold_constant(expression);
}

Value Interpreter::evaluate_cast(const clang::CastExpr *cast) {
  const clang::Expr *operand = cast->getSubExpr();
  switch (cast->getCastKind()) {
  case clang::CK_ArrayToPointerDecay: {
    Value array = address_of(operand);
    if (auto *address = array.as<Address>())
      address->place.path.push_back(0);
    return array;
  }
  case clang::CK_NullToPointer: return Allocation{0, 0};
  case clang::CK_DerivedToBase:
  case clang::CK_UncheckedDerivedToBase: {
    const Value value = evaluate(operand);
    if (cast->getType()->isPointerType())
      return address_of_base(value, cast);
    const std::vector<std::uint32_t> elements = base_elements(cast);
    const Value *part = &value; // an object
    for (const std::uint32_t element : elements) {
      const auto *aggregate = part->as<Aggregate>();
      if (!aggregate || element >= aggregate->elements.size())
        return unknown("depends on a base class that is not followed" + at_line(cast), 1, objects_of(value));
      part = &aggregate->elements[element];
    }
    return *part;
  }
  case clang::CK_BaseToDerived: return address_of_derived(evaluate(operand), cast);
  case clang::CK_Dynamic: {
    const Value value = evaluate(operand);
    return unknown("depends on a dynamic_cast" + at_line(cast), 1, objects_of(value));
  }
  case clang::CK_PointerToIntegral: {
    const Value pointer = evaluate(operand);
    if (pointer.as<Allocation>() || !pointer.known())
      return convert(pointer, cast->getType(), context_);
    return unknown("depends on the value of a pointer" + at_line(cast), 1, objects_of(pointer));
  }
  case clang::CK_ToVoid: discard(operand); return {};
  default: return converted(evaluate(operand), cast->getType());
  }
}

Value Interpreter::evaluate_unary(const clang::UnaryOperator *unary) {
  const clang::Expr *operand = unary->getSubExpr();
  if (unary->getOpcode() == clang::UO_AddrOf) {
    if (unary->getType()->isMemberPointerType())
      return unknown("depends on a pointer to a member" + at_line(unary));
    return address_of(operand);
  }
  if (unary->isIncrementDecrementOp()) {
    Incremented done = increment(unary);
    return unary->isPostfix() ? std::move(done.before) : read(done.address, operand);
  }
  if (unary->getOpcode() == clang::UO_Extension)
    return evaluate(operand);
  const Value value = evaluate(operand);
  Value result = apply_unary(unary->getOpcode(), value, unary->getType(), context_);
  if (!scenario_)
    return result;
  const Value zero_of_type =
      integer(unary->getOpcode() == clang::UO_Not ? -1 : 0,
              operand->getType()->isIntegralOrEnumerationType() ? operand->getType() : context_.IntTy, context_);
  switch (unary->getOpcode()) { // 0 - x, -1 - x, x == 0
  case clang::UO_Minus:
  case clang::UO_Not: return scenario_->combined(clang::BO_Sub, zero_of_type, value, std::move(result));
  case clang::UO_LNot: return scenario_->combined(clang::BO_EQ, value, zero_of_type, std::move(result));
  default: return result;
  }
}

Value Interpreter::combine(clang::BinaryOperatorKind operation, const Value &left, const Value &right,
                           clang::QualType type, std::optional<clang::QualType> pointee) {
  Value result = apply_binary(operation, left, right, type, pointee, context_);
  return scenario_ ? scenario_->combined(operation, left, right, std::move(result)) : result;
}

Value Interpreter::converted(const Value &value, clang::QualType type) {
  Value result = convert(value, type, context_);
  return scenario_ ? scenario_->converted(value, std::move(result), type) : result;
}

Interpreter::Incremented Interpreter::increment(const clang::UnaryOperator *unary) {
  const clang::Expr *operand = unary->getSubExpr();
  Incremented done;
  done.address = address_of(operand);
  done.before = read(done.address, operand);
  const clang::QualType type = operand->getType();
  const std::optional<clang::QualType> pointee_type =
      type->isPointerType() ? std::optional(type->getPointeeType()) : std::nullopt;
  // Small integers are promoted first; of a bool there is only the increment, to true.
  const clang::QualType computed =
      type->isPointerType() || !context_.isPromotableIntegerType(type) ? type : context_.IntTy;
  const Value one = type->isRealFloatingType()
                        ? convert(integer(1, context_.IntTy, context_), type, context_)
                        : integer(1, type->isPointerType() ? context_.IntTy : computed, context_);
  Value after = combine(unary->isIncrementOp() ? clang::BO_Add : clang::BO_Sub,
                        pointee_type ? done.before : converted(done.before, computed), one, computed, pointee_type);
  write(done.address, operand, pointee_type ? std::move(after) : converted(after, type));
  return done;
}

Value Interpreter::evaluate_binary(const clang::BinaryOperator *binary) {
  if (binary->isAssignmentOp())
    return read(assign(binary), binary->getLHS());
  if (binary->getOpcode() == clang::BO_Comma) {
    discard(binary->getLHS());
    return evaluate(binary->getRHS());
  }
  if (binary->isLogicalOp()) {
    const bool is_and = binary->getOpcode() == clang::BO_LAnd;
    const Value left = evaluate(binary->getLHS());
    const std::optional<bool> decided = truth(left);
    if (decided && *decided != is_and)
      return converted(left, binary->getType());
    if (!decided) {
      // The right side may or may not be evaluated: what it assigns is not certain.
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
    Value right = converted(evaluate(binary->getRHS()), binary->getType());
    right.assumed |= left.assumed;
    return right;
  }
  const Value left = evaluate(binary->getLHS());
  const Value right = evaluate(binary->getRHS());
  std::optional<clang::QualType> pointee;
  for (const clang::Expr *side : {binary->getLHS(), binary->getRHS()})
    if (side->getType()->isPointerType())
      pointee = side->getType()->getPointeeType();
  if (scenario_)
    scenario_->compared(binary->getOpcode(), left, right);
  return combine(binary->getOpcode(), left, right, binary->getType(), pointee);
}

/// The address of what is assigned to. The right side comes first.
Value Interpreter::assign(const clang::BinaryOperator *binary) {
  Value value = evaluate(binary->getRHS());
  Value address = address_of(binary->getLHS());
  if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(binary)) {
    const clang::QualType type = binary->getLHS()->getType();
    const std::optional<clang::QualType> pointee_type =
        type->isPointerType() ? std::optional(type->getPointeeType()) : std::nullopt;
    Value before = read(address, binary->getLHS());
    if (!pointee_type)
      before = converted(before, compound->getComputationLHSType());
    const auto operation = clang::BinaryOperator::getOpForCompoundAssignment(binary->getOpcode());
    if (scenario_)
      scenario_->compared(operation, before, value);
    value = combine(operation, before, value, compound->getComputationResultType(), pointee_type);
    if (!pointee_type)
      value = converted(value, type);
  }
  write(address, binary->getLHS(), std::move(value));
  return address;
}

/// Of a glvalue the address, otherwise the value.
Value Interpreter::evaluate_conditional(const clang::AbstractConditionalOperator *conditional) {
  const bool glvalue = conditional->isGLValue();
  const auto side = [&](const clang::Expr *expression) {
    return glvalue ? address_of(expression) : evaluate(expression);
  };
  if (const auto *binary = llvm::dyn_cast<clang::BinaryConditionalOperator>(conditional)) { // a ?: b
    const clang::Expr *common = binary->getCommon();
    Value once = common->isGLValue() ? address_of(common) : evaluate(common);
    frame().opaque[binary->getOpaqueValue()] = std::move(once);
  }
  const Value condition = evaluate(conditional->getCond());
  const std::optional<bool> decided = truth(condition);
  if (decided) {
    Value result = side(*decided ? conditional->getTrueExpr() : conditional->getFalseExpr());
    if (condition.assumed)
      mark_assumed(result, condition.assumed);
    return result;
  }
  const std::string reason = reason_of(condition);
  std::size_t mark = store_.begin();
  const Value if_true = side(conditional->getTrueExpr());
  const bool true_exits = std::exchange(exited_, false);
  const Changes true_changes = store_.undo(mark);
  mark = store_.begin();
  const Value if_false = side(conditional->getFalseExpr());
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
  if (const clang::CXXRecordDecl *record = aggregate->record) {
    unsigned next = 0;
    const auto init = [&]() -> const clang::Expr * {
      return next < list->getNumInits() ? list->getInit(next++) : nullptr;
    };
    for (unsigned base = 0; base < record->getNumBases(); ++base)
      if (const clang::Expr *expression = init())
        aggregate->elements.own()[base] = evaluate(expression);
    for (const clang::FieldDecl *field : record->fields()) {
      const clang::Expr *expression = field->isUnnamedBitField() ? nullptr : init();
      if (!expression)
        continue;
      Value part = field->getType()->isReferenceType() ? address_of(expression) : evaluate(expression);
      if (field->isBitField())
        part = narrowed(part, field->getBitWidthValue(context_));
      aggregate->elements.own()[field_element(field)] = std::move(part);
    }
    return value;
  }
  for (unsigned i = 0; i < list->getNumInits() && i < aggregate->elements.size(); ++i)
    if (list->getInit(i))
      aggregate->elements.own()[i] = evaluate(list->getInit(i));
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
      closure.elements.push_back(address_of(captured));
    } else {
      closure.elements.push_back(evaluate(captured));
    }
  }
  for (const clang::FunctionDecl *function : called_at_once_)
    if (llvm::cast<clang::CXXMethodDecl>(function)->getParent() == lambda->getLambdaClass())
      call_function(function, unknown_arguments(function), temporary(closure), lambda);
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

} // namespace smem
