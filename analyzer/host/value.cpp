#include "host/value.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <type_traits>
#include <utility>

#include <clang/AST/APValue.h>
#include <clang/AST/Decl.h>

namespace smem {

namespace {
const Elements::Vector kNoElements;
}

const Elements::Vector &Elements::distinct() const { return elements_ ? *elements_ : kNoElements; }
const Value &Elements::operator[](std::size_t i) const { return (*elements_)[elements_->size() == 1 ? 0 : i]; }

Elements::Vector &Elements::own_distinct() {
  if (!elements_)
    elements_ = std::make_shared<Vector>();
  else if (elements_.use_count() > 1)
    elements_ = std::make_shared<Vector>(*elements_);
  return *elements_;
}

bool Elements::repeated() const { return size_ > 1 && distinct().size() == 1; }

Elements::Vector &Elements::own() {
  if (repeated())
    elements_ = std::make_shared<Vector>(size_, elements_->front());
  return own_distinct();
}

void Elements::push_back(Value value) {
  own().push_back(std::move(value));
  ++size_;
}

void Elements::assign(std::size_t count, Value value) {
  elements_ = std::make_shared<Vector>(std::min<std::size_t>(count, 1), value);
  size_ = count;
}

Value unknown(std::string reason, std::uint64_t multiple, Objects targets) {
  return Unknown{std::make_shared<const std::string>(std::move(reason)), multiple,
                 targets.empty() ? nullptr : std::make_shared<const Objects>(std::move(targets))};
}

Allocation somewhere_in(Allocation allocation, std::uint64_t alignment) {
  allocation.offset.reset();
  allocation.alignment = alignment;
  return allocation;
}

Value as_lost(Value value) {
  if (auto *nothing = value.as<Unknown>())
    nothing->lost = true;
  return value;
}

bool is_lost(const Value &value) {
  const auto *nothing = value.as<Unknown>();
  return nothing && nothing->lost;
}

std::uint64_t multiple_of(const Value &value) {
  // A zero is a multiple of everything; beyond this nothing depends on it.
  static constexpr unsigned kMaxTwos = 20;
  const auto twos = [](unsigned number) { return std::uint64_t{1} << (number < kMaxTwos ? number : kMaxTwos); };
  if (const auto *nothing = value.as<Unknown>())
    return nothing->multiple;
  if (const auto *number = value.as<llvm::APSInt>())
    return twos(number->countr_zero());
  if (const auto *pointer = value.as<Allocation>()) {
    if (pointer->number == 0 || !pointer->offset)
      return pointer->number == 0 ? twos(kMaxTwos) : pointer->alignment;
    return std::min(pointer->alignment, twos(std::countr_zero(static_cast<std::uint64_t>(*pointer->offset))));
  }
  return 1;
}

Value with_multiple(Value value, std::uint64_t multiple) {
  if (auto *nothing = value.as<Unknown>())
    nothing->multiple = multiple;
  return value;
}

namespace {

/// Every value that there is among its parts.
const std::vector<Value> *parts_of(const Value &value) {
  if (const auto *aggregate = value.as<Aggregate>())
    return &aggregate->elements.distinct();
  if (const auto *container = value.as<Container>())
    return &container->parts;
  return nullptr;
}

const Elements *elements_of(const Value &value) {
  const auto *aggregate = value.as<Aggregate>();
  return aggregate ? &aggregate->elements : nullptr;
}

std::size_t parts_count(const Value &value) {
  const Elements *elements = elements_of(value);
  return elements ? elements->size() : parts_of(value)->size();
}

/// Rows of a large array are mostly one and the same.
bool same_elements(const Value &a, const Value &b) {
  const Elements *left = elements_of(a), *right = elements_of(b);
  return left && right && left->same_as(*right) && a.assumed == b.assumed;
}

} // namespace

void change_parts(Value &value, const std::function<void(Value &)> &change) {
  if (auto *container = value.as<Container>()) {
    for (Value &part : container->parts)
      change(part);
    return;
  }
  auto *aggregate = value.as<Aggregate>();
  if (!aggregate)
    return;
  const Elements before = aggregate->elements;
  const Elements::Vector &was = before.distinct();
  Elements::Vector &parts = aggregate->elements.own_distinct();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (i > 0 && same_elements(was[i], was[i - 1]))
      parts[i] = parts[i - 1];
    else
      change(parts[i]);
}

/// Sets are sorted, and most of those that are looked for are a few in one of thousands.
bool includes(const Objects &set, const Objects &few) {
  constexpr std::size_t kFew = 16; // times fewer
  if (set.size() <= few.size())
    return &set == &few || set == few;
  if (few.size() >= set.size() / kFew)
    return std::ranges::includes(set, few);
  return std::ranges::all_of(few, [&](ObjectId object) { return std::ranges::binary_search(set, object); });
}

void add_objects(Objects &objects, const Objects &more) {
  if (objects.empty()) {
    objects = more;
    return;
  }
  if (includes(objects, more))
    return;
  if (more.size() == 1) {
    objects.insert(std::ranges::lower_bound(objects, more.front()), more.front());
    return;
  }
  Objects all;
  std::ranges::set_union(objects, more, std::back_inserter(all));
  objects = std::move(all);
}

void for_each_target(const Value &value, llvm::function_ref<void(const Objects *set, ObjectId single)> visit) {
  if (const auto *nothing = value.as<Unknown>()) {
    if (nothing->targets)
      visit(nothing->targets.get(), 0);
    return;
  }
  if (const auto *address = value.as<Address>()) {
    visit(nullptr, address->place.object);
    return;
  }
  const Value *before = nullptr;
  if (const auto *parts = parts_of(value))
    for (const Value &part : *parts) {
      if (part.as<Address>() || part.as<Unknown>() || (parts_of(part) && !(before && same_elements(*before, part))))
        for_each_target(part, visit);
      before = &part;
    }
}

Objects objects_of(const Value &value) {
  Objects all;
  const Objects *last = nullptr;
  for_each_target(value, [&](const Objects *set, ObjectId single) {
    if (!set)
      add_objects(all, {single});
    else if (set != std::exchange(last, set))
      add_objects(all, *set);
  });
  return all;
}

Value with_targets(Value value, const Objects &targets) {
  auto *nothing = value.as<Unknown>();
  if (!nothing || targets.empty())
    return value;
  if (nothing->targets && includes(*nothing->targets, targets))
    return value; // sharing its set
  Objects all = targets;
  if (nothing->targets)
    add_objects(all, *nothing->targets);
  nothing->targets = std::make_shared<const Objects>(std::move(all));
  return value;
}

Value with_targets_of(Value value, const Value &other) {
  auto *nothing = value.as<Unknown>();
  const auto *source = other.as<Unknown>();
  if (!nothing || !source)
    return nothing ? with_targets(std::move(value), objects_of(other)) : value;
  if (!source->targets || source->targets == nothing->targets)
    return value;
  if (!nothing->targets || includes(*source->targets, *nothing->targets)) {
    nothing->targets = source->targets;
    return value;
  }
  return with_targets(std::move(value), *source->targets);
}

std::uint64_t bytes_of(const Value &value) {
  std::uint64_t bytes = sizeof(Value);
  const Value *before = nullptr;
  if (const auto *parts = parts_of(value))
    for (const Value &part : *parts) {
      bytes += before && same_elements(*before, part) ? sizeof(Value) : bytes_of(part);
      before = &part;
    }
  return bytes;
}

std::string reason_of(const Value &value) {
  if (const auto *nothing = value.as<Unknown>())
    return nothing->reason ? *nothing->reason : "not evaluated";
  if (const auto *parts = parts_of(value))
    for (const Value &part : *parts)
      if (std::string reason = reason_of(part); !reason.empty())
        return reason;
  return {};
}

bool same(const Value &a, const Value &b) {
  if (a.is.index() != b.is.index() || a.assumed != b.assumed)
    return false;
  if (same_elements(a, b))
    return true;
  if (const auto *parts = parts_of(a)) {
    const auto *others = parts_of(b);
    const std::size_t size = parts_count(a);
    if (size != parts_count(b))
      return false;
    const std::size_t once = std::max(parts->size(), others->size());
    for (std::size_t i = 0; i < std::min(size, once); ++i)
      if (!same((*parts)[parts->size() == 1 ? 0 : i], (*others)[others->size() == 1 ? 0 : i]))
        return false;
    return true;
  }
  return std::visit(
      [&b](const auto &left) {
        using T = std::remove_cvref_t<decltype(left)>;
        const T &right = *b.as<T>();
        if constexpr (std::is_same_v<T, llvm::APSInt>)
          return left.getBitWidth() == right.getBitWidth() && left.isUnsigned() == right.isUnsigned() && left == right;
        else if constexpr (std::is_same_v<T, llvm::APFloat>)
          return left.bitwiseIsEqual(right);
        else if constexpr (std::is_same_v<T, Unknown>)
          return left.multiple == right.multiple && left.lost == right.lost && // whatever the reasons
                 (left.targets == right.targets || (left.targets && right.targets && *left.targets == *right.targets));
        else if constexpr (std::is_same_v<T, Aggregate> || std::is_same_v<T, Container>)
          return false;
        else
          return left == right;
      },
      a.is);
}

Value join(const Value &a, const Value &b, const std::string &reason) {
  const Assumptions assumed = a.assumed | b.assumed;
  auto with_assumption = [assumed](Value value) {
    value.assumed |= assumed;
    return value;
  };
  const std::uint64_t multiple = std::min(multiple_of(a), multiple_of(b));
  if (!a.known() || !b.known()) {
    // One of two values, of which one is free: not any value.
    Value either = with_multiple(a.known() || is_lost(b) ? b : a, multiple);
    if (a.known() || b.known())
      either = as_lost(std::move(either));
    return with_assumption(with_targets_of(with_targets_of(std::move(either), a), b));
  }
  const auto *left = parts_of(a);
  const auto *right = parts_of(b);
  if (left && right && a.is.index() == b.is.index() && parts_count(a) == parts_count(b)) {
    Value result = with_assumption(a);
    const Elements *before = elements_of(a), *other = elements_of(b);
    if (before && before->same_as(*other))
      return result;
    auto *aggregate = result.as<Aggregate>();
    const bool repeated = left->size() == 1 && right->size() == 1;
    std::vector<Value> &joined = !aggregate ? result.as<Container>()->parts
                                 : repeated ? aggregate->elements.own_distinct()
                                            : aggregate->elements.own();
    const auto part = [](const std::vector<Value> *parts, std::size_t i) -> const Value & {
      return (*parts)[parts->size() == 1 ? 0 : i];
    };
    const auto alike = [](const Value &x, const Value &y) { return &x == &y || same_elements(x, y); };
    for (std::size_t i = 0; i < joined.size(); ++i)
      if (i > 0 && alike(part(left, i), part(left, i - 1)) && alike(part(right, i), part(right, i - 1)))
        joined[i] = joined[i - 1];
      else if (!same_elements(part(left, i), part(right, i)))
        joined[i] = join(part(left, i), part(right, i), reason);
    return result;
  }
  Value other = b;
  other.assumed = a.assumed;
  if (same(a, other))
    return with_assumption(a);
  // Of a pointer at least its allocation may agree.
  const auto *p = a.as<Allocation>();
  const auto *q = b.as<Allocation>();
  if (p && q && p->number == q->number)
    return Value(somewhere_in(*p, multiple), assumed);
  return with_assumption(as_lost(with_targets_of(unknown(reason, multiple, objects_of(a)), b)));
}

void mark_assumed(Value &value, Assumptions assumptions) {
  value.assumed |= assumptions;
  change_parts(value, [assumptions](Value &part) { mark_assumed(part, assumptions); });
}

Assumptions assumptions_of(const Value &value) {
  Assumptions all = value.assumed;
  const Value *before = nullptr;
  if (const auto *parts = parts_of(value))
    for (const Value &part : *parts) {
      if (!before || !same_elements(*before, part))
        all |= assumptions_of(part);
      before = &part;
    }
  return all;
}

void limit_targets(Value &value, ObjectId end) {
  if (auto *nothing = value.as<Unknown>(); nothing && nothing->targets && nothing->targets->back() >= end) {
    Objects before(nothing->targets->begin(), std::ranges::lower_bound(*nothing->targets, end));
    nothing->targets = before.empty() ? nullptr : std::make_shared<const Objects>(std::move(before));
  }
  // Most values point nowhere: they are not copied for nothing.
  if (const Objects all = parts_of(value) ? objects_of(value) : Objects{}; !all.empty() && all.back() >= end)
    change_parts(value, [end](Value &part) { limit_targets(part, end); });
}

Value narrowed(const Value &value, unsigned bits) {
  const auto *number = value.as<llvm::APSInt>();
  if (!number || bits >= number->getBitWidth())
    return value;
  Value result = value;
  result.term = 0;
  *result.as<llvm::APSInt>() = bits == 0 ? llvm::APSInt(number->getBitWidth(), number->isUnsigned())
                                         : number->trunc(bits).extend(number->getBitWidth());
  return result;
}

std::optional<bool> truth(const Value &value) {
  if (const auto *number = value.as<llvm::APSInt>())
    return !number->isZero();
  if (const auto *real = value.as<llvm::APFloat>())
    return !real->isZero();
  if (value.as<Address>() || value.as<const clang::FunctionDecl *>())
    return true;
  if (const auto *pointer = value.as<Allocation>())
    return pointer->number != 0;
  return std::nullopt;
}

Value from_constant(const clang::APValue &constant) {
  switch (constant.getKind()) {
  case clang::APValue::Int: return constant.getInt();
  case clang::APValue::Float: return constant.getFloat();
  case clang::APValue::Struct: {
    Aggregate aggregate;
    for (unsigned i = 0; i < constant.getStructNumBases(); ++i)
      aggregate.elements.push_back(from_constant(constant.getStructBase(i)));
    for (unsigned i = 0; i < constant.getStructNumFields(); ++i)
      aggregate.elements.push_back(from_constant(constant.getStructField(i)));
    return aggregate;
  }
  case clang::APValue::Array: {
    constexpr unsigned kMaxElements = 4096;
    if (constant.getArraySize() > kMaxElements)
      break;
    Aggregate aggregate;
    for (unsigned i = 0; i < constant.getArraySize(); ++i)
      aggregate.elements.push_back(from_constant(
          i < constant.getArrayInitializedElts() ? constant.getArrayInitializedElt(i) : constant.getArrayFiller()));
    return aggregate;
  }
  case clang::APValue::LValue:
    if (constant.isNullPointer())
      return Allocation{0, 0};
    if (!constant.hasLValuePath() || constant.getLValuePath().empty())
      if (const auto *declaration = constant.getLValueBase().dyn_cast<const clang::ValueDecl *>())
        if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
          return function;
    break;
  default: break;
  }
  return unknown("depends on a constant of a kind that is not evaluated");
}

} // namespace smem
