// Where the objects that expressions name lie, and what is read and written there.
#include "host/class_elements.h"
#include "host/interpreter.h"
#include "host/operators.h"

namespace smem {

std::uint32_t field_element(const clang::FieldDecl *field) {
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
  return (record ? record->getNumBases() : 0) + field->getFieldIndex();
}

std::vector<std::uint32_t> base_elements(const clang::CastExpr *cast) {
  std::vector<std::uint32_t> elements;
  const clang::QualType from = cast->getSubExpr()->getType();
  const clang::CXXRecordDecl *record = (from->isPointerType() ? from->getPointeeType() : from)->getAsCXXRecordDecl();
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

namespace {

bool to_base(clang::CastKind kind) {
  return kind == clang::CK_DerivedToBase || kind == clang::CK_UncheckedDerivedToBase;
}

} // namespace

/// What is stored there, whatever type it is read with.
Value Interpreter::load(const std::optional<Place> &place, const clang::Expr *expression) {
  if (place)
    if (const Value *value = store_.find(*place))
      return *value;
  return unknown("depends on memory that is not followed" + at_line(expression));
}

/// Whether an object that holds `value` can be accessed as one of `type`.
bool Interpreter::fits(const Value &value, clang::QualType type) const {
  type = type.getCanonicalType();
  if (type->isDependentType() || !value.known() || value.as<Container>())
    return true;
  if (const auto *number = value.as<llvm::APSInt>())
    return type->isIntegralOrEnumerationType() && context_.getIntWidth(type) == number->getBitWidth();
  if (const auto *real = value.as<llvm::APFloat>())
    return type->isRealFloatingType() && &context_.getFloatTypeSemantics(type) == &real->getSemantics();
  if (const auto *aggregate = value.as<Aggregate>()) {
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (aggregate->record)
      return record && record->getCanonicalDecl() == aggregate->record->getCanonicalDecl();
    return record || type->isArrayType();
  }
  if (value.as<Allocation>() && type->isIntegralOrEnumerationType())
    return context_.getIntWidth(type) == 64; // an address as an integer
  return !type->isIntegralOrEnumerationType() && !type->isRealFloatingType() && !type->isArrayType();
}

/// What the glvalue `expression` holds, whose operands have been evaluated: they came to `address`.
Value Interpreter::read(const Value &address, const clang::Expr *expression) {
  if (address.as<const clang::FunctionDecl *>() || (!address.known() && expression->getType()->isFunctionType()))
    return address;
  if (!address.known())
    return settle(with_targets(address, reachable(objects_of(address))), expression, std::nullopt);
  Value value = load(pointee(address), expression);
  if (!value.known())
    value = settle(std::move(value), expression, pointee(address));
  if (!fits(value, expression->getType()))
    return unknown("depends on memory that is read as another type than it was written" + at_line(expression), 1,
                   objects_of(value));
  if (auto *number = value.as<llvm::APSInt>(); number && expression->getType()->isIntegralOrEnumerationType()) {
    const bool is_unsigned = expression->getType()->isUnsignedIntegerOrEnumerationType();
    if (number->isUnsigned() != is_unsigned)
      value.term = 0;
    number->setIsUnsigned(is_unsigned);
  }
  if (address.assumed)
    mark_assumed(value, address.assumed);
  return value;
}

/// Assigns to the glvalue `expression`, whose operands have been evaluated: they came to `address`. Where that is not known, nothing is
/// known any more of what it may be the address of.
void Interpreter::write(const Value &address, const clang::Expr *expression, Value value) {
  const Value lost = as_lost(unknown("depends on what is assigned to a place that is not known" + at_line(expression)));
  const std::optional<Place> place = pointee(address);
  if (!place) {
    const clang::QualType type = expression->getType().getCanonicalType();
    // A scalar can only be changed as one of its type, or byte by byte.
    Store::Concerns concerns;
    if (!type->isRecordType() && !type->isAnyCharacterType())
      concerns = [this, type](const Value &scalar) { return fits(scalar, type); };
    if (!address.known())
      store_.forget(objects_of(address), lost, concerns);
    return;
  }
  if (const clang::FieldDecl *field = expression->getSourceBitField(); field && value.as<llvm::APSInt>())
    value = narrowed(value, field->getBitWidthValue(context_));
  const Value *before = store_.find(*place);
  if (!before || !fits(*before, expression->getType())) {
    store_.forget({place->object}, lost);
    return;
  }
  if (address.assumed)
    mark_assumed(value, address.assumed);
  store_.assign(*place, std::move(value));
}

std::optional<Place> Interpreter::pointee(const Value &pointer) const {
  if (const auto *address = pointer.as<Address>())
    return address->place;
  return std::nullopt;
}

/// What the glvalue `expression` names, also a part of memory whose contents are not kept; every operand is evaluated once. Unknown where
/// it is not known what is named.
Value Interpreter::address_of(const clang::Expr *expression) {
  expression = expression->IgnoreParens();
  if (!expression->isGLValue())
    return Address{temporary(evaluate(expression))};
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      return address_of_variable(variable, reference->refersToEnclosingVariableOrCapture());
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      return function;
    if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(reference->getDecl());
        binding && binding->getBinding())
      return address_of(binding->getBinding());
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()))
      return address_of_field(member->isArrow() ? evaluate(member->getBase()) : address_of(member->getBase()), field);
    discard(member->getBase());
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      return address_of_variable(variable, false);
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()))
      return function;
  }
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    const bool index_first = subscript->getLHS() != subscript->getBase(); // 2[a]
    Value index;
    if (index_first)
      index = evaluate(subscript->getIdx());
    const Value pointer = evaluate(subscript->getBase());
    if (!index_first)
      index = evaluate(subscript->getIdx());
    return apply_binary(clang::BO_Add, pointer, index, subscript->getBase()->getType(), subscript->getType(), context_);
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (unary->isIncrementDecrementOp())
      return increment(unary).address;
    if (unary->getOpcode() == clang::UO_Deref)
      return evaluate(unary->getSubExpr());
    if (unary->getOpcode() == clang::UO_Extension)
      return address_of(unary->getSubExpr());
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->isAssignmentOp())
      return assign(binary);
    if (binary->getOpcode() == clang::BO_Comma) {
      discard(binary->getLHS());
      return address_of(binary->getRHS());
    }
    if (binary->isPtrMemOp()) {
      const Value object =
          binary->getOpcode() == clang::BO_PtrMemD ? address_of(binary->getLHS()) : evaluate(binary->getLHS());
      evaluate(binary->getRHS());
      return unknown("depends on a pointer to a member" + at_line(binary), 1, objects_of(object));
    }
  }
  if (const auto *temporary_expression = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
    const clang::QualType type = temporary_expression->getType();
    const Place place = temporary(uninitialised(type, context_, "depends on an uninitialised object"));
    initialise(place, type, temporary_expression->getSubExpr());
    if (temporary_expression->getStorageDuration() == clang::SD_FullExpression)
      keep_alive(place, type);
    return Address{place};
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression))
    return address_of_cast(cast);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression))
    return evaluate_call(call);
  if (const auto *conditional = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression))
    return evaluate_conditional(conditional);
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expression))
    return in_scope([&] { return address_of(full->getSubExpr()); });
  if (const auto *default_argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return address_of(default_argument->getExpr());
  if (const auto *default_init = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
    return address_of(default_init->getExpr());
  if (const auto *parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
    return address_of(parameter->getReplacement());
  if (const auto *opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(expression)) {
    if (const auto once = frame().opaque.find(opaque); once != frame().opaque.end())
      return once->second;
    if (opaque->getSourceExpr())
      return address_of(opaque->getSourceExpr());
  }
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expression); list && list->getNumInits() == 1)
    return address_of(list->getInit(0));
  if (const auto *literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(expression))
    return Address{temporary(evaluate(literal->getInitializer()))};
  if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(expression))
    return address_of(rewritten->getSemanticForm());
  return unknown("depends on memory that is not followed" + at_line(expression));
}

Value Interpreter::address_of_cast(const clang::CastExpr *cast) {
  const Value object = address_of(cast->getSubExpr());
  if (to_base(cast->getCastKind()))
    return address_of_base(object, cast);
  if (cast->getCastKind() == clang::CK_BaseToDerived)
    return address_of_derived(object, cast);
  if (cast->getCastKind() == clang::CK_Dynamic)
    return unknown("depends on a dynamic_cast" + at_line(cast), 1, objects_of(object));
  return object;
}

/// From the address of an object to that of its base class.
Value Interpreter::address_of_base(const Value &object, const clang::CastExpr *cast) {
  Value base = object;
  const std::vector<std::uint32_t> elements = base_elements(cast);
  auto *address = base.as<Address>();
  if (!address || elements.empty())
    return object.known()
               ? unknown("depends on a base class that is not followed" + at_line(cast), 1, objects_of(object))
               : object;
  address->place.path.insert(address->place.path.end(), elements.begin(), elements.end());
  return base;
}

/// And back.
Value Interpreter::address_of_derived(const Value &object, const clang::CastExpr *cast) {
  Value derived = object;
  auto *address = derived.as<Address>();
  const clang::QualType type = cast->getType();
  const clang::CXXRecordDecl *record = (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
  if (address && record && address->place.path.size() >= cast->path_size()) {
    address->place.path.resize(address->place.path.size() - cast->path_size());
    const Value *whole = store_.find(address->place);
    const auto *aggregate = whole ? whole->as<Aggregate>() : nullptr;
    if (aggregate && aggregate->record && aggregate->record->getCanonicalDecl() == record->getCanonicalDecl())
      return derived;
  }
  return object.known()
             ? unknown("depends on a derived class that is not followed" + at_line(cast), 1, objects_of(object))
             : object;
}

Value Interpreter::address_of_field(const Value &object, const clang::FieldDecl *field) {
  const auto *address = object.as<Address>();
  if (!address) {
    const clang::RecordDecl *record = field->getParent();
    if (field->getType()->isReferenceType() || field->isBitField() || record->isInvalidDecl() ||
        record->isDependentType())
      return unknown("depends on memory that is not followed");
    const std::int64_t offset =
        context_.toCharUnitsFromBits(static_cast<std::int64_t>(context_.getFieldOffset(field))).getQuantity();
    return apply_binary(clang::BO_Add, object, llvm::APSInt::get(offset), context_.VoidPtrTy, context_.CharTy,
                        context_);
  }
  const Value *whole = store_.find(address->place);
  const auto *aggregate = whole ? whole->as<Aggregate>() : nullptr;
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
  if (!whole || (whole->known() && !aggregate) ||
      (aggregate && aggregate->record &&
       (!record || aggregate->record->getCanonicalDecl() != record->getCanonicalDecl())))
    return unknown("depends on an object that is accessed as one of another type", 1, objects_of(object));
  Place place = address->place;
  place.path.push_back(field_element(field));
  if (!field->getType()->isReferenceType())
    return Value(Address{std::move(place)}, object.assumed);
  const Value *target = store_.find(place);
  return target ? *target : unknown("depends on a reference that is not followed");
}

Value Interpreter::address_of_variable(const clang::VarDecl *variable, bool captured) {
  Place place;
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
        return target ? *target : unknown("depends on a captured reference");
      }
      return Address{std::move(place)}; // a copy, also of what a reference names
    }
  }
  const auto local = current.variables.find(variable);
  if (local != current.variables.end())
    place.object = local->second;
  else if (variable->hasGlobalStorage() || variable->isUsableInConstantExpressions(context_))
    place.object = global(variable);
  else
    return unknown("depends on variable '" + variable->getNameAsString() + "'");
  if (!variable->getType()->isReferenceType())
    return Address{std::move(place)};
  const Value *target = store_.find(place);
  return target ? *target : unknown("depends on variable '" + variable->getNameAsString() + "'");
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
  const bool changed = !fixed && !in_system_header(variable) &&
                       (changed_globals_.all || changed_globals_.named.contains(variable) ||
                        (changed_globals_.external && variable->hasExternalFormalLinkage()));
  const bool known = (fixed || (globals_known_ && !changed)) && !type->isReferenceType();
  const bool external = !init && !variable->hasDefinition(context_);
  const ObjectId object = store_.create(known && !init && !external
                                            ? zero(type, context_)
                                            : uninitialised(type, context_, changed ? changed_globals_.by : reason));
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
  if (known && is_constant(type, context_))
    store_.make_constant(object);
  return object;
}

void Interpreter::initialise(const Place &place, clang::QualType type, const clang::Expr *init) {
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(init)) {
    in_scope([&] {
      initialise(place, type, full->getSubExpr());
      return true;
    });
    return;
  }
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
