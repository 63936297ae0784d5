#include "launches/store.h"

namespace smem {

ObjectId Store::create(Value value) {
  objects_.push_back(std::move(value));
  return static_cast<ObjectId>(objects_.size() - 1);
}

const Value *Store::find(const Place &place) const {
  if (place.object >= objects_.size())
    return nullptr;
  const Value *value = &objects_[place.object];
  for (const std::uint32_t index : place.path) {
    const auto *aggregate = value->as<Aggregate>();
    if (const auto *container = value->as<Container>()) {
      if (index + 1 >= container->parts.size())
        return nullptr;
      value = &container->parts[index + 1];
      continue;
    }
    if (!value->known())
      return value; // a part of something unknown is unknown for the same reason
    if (!aggregate) {
      // A pointer to a single object is an array of one.
      if (index == 0)
        continue;
      return nullptr;
    }
    if (index >= aggregate->elements.size())
      return nullptr;
    value = &aggregate->elements[index];
  }
  return value;
}

Value *Store::locate(const Place &place) {
  const Value *value = find(place);
  return const_cast<Value *>(value);
}

void Store::assign(const Place &place, Value value) {
  if (place.object >= objects_.size())
    return;
  Value *target = locate(place);
  if (!target)
    return;
  // Through a path that ends early in an unknown, the whole of it would be overwritten.
  const bool whole = place.path.empty();
  if (!whole && !target->known()) {
    Place parent = place;
    parent.path.pop_back();
    const Value *outer = find(parent);
    if (outer && !outer->known())
      return;
  }
  if (depth_ > 0)
    trail_.emplace_back(place.object, objects_[place.object]);
  *target = std::move(value);
}

std::size_t Store::begin() {
  ++depth_;
  return trail_.size();
}

Changes Store::changes_since(std::size_t mark) const {
  Changes changes;
  for (std::size_t i = mark; i < trail_.size(); ++i)
    changes.try_emplace(trail_[i].first, objects_[trail_[i].first]);
  return changes;
}

Changes Store::undo(std::size_t mark) {
  Changes changes = changes_since(mark);
  while (trail_.size() > mark) {
    objects_[trail_.back().first] = std::move(trail_.back().second);
    trail_.pop_back();
  }
  --depth_;
  return changes;
}

void Store::keep() {
  if (--depth_ == 0)
    trail_.clear();
}

void Store::settle(ObjectId first) {
  std::erase_if(trail_, [first](const auto &assigned) { return assigned.first >= first; });
}

void Store::apply(const Changes &changes) {
  for (const auto &[object, value] : changes)
    assign({object, {}}, value);
}

void Store::join(const Changes &a, const Changes &b, const std::string &reason) {
  Changes joined;
  for (const auto &[object, value] : a) {
    const auto other = b.find(object);
    joined.emplace(object, smem::join(value, other == b.end() ? objects_[object] : other->second, reason));
  }
  for (const auto &[object, value] : b)
    if (!a.contains(object))
      joined.emplace(object, smem::join(value, objects_[object], reason));
  apply(joined);
}

namespace {
/// Keeps the shape of classes, so that their fields can be assigned anew.
void forget_parts(Value &value, const Value &nothing) {
  if (auto *aggregate = value.as<Aggregate>()) {
    for (Value &element : aggregate->elements)
      forget_parts(element, nothing);
    return;
  }
  const Assumptions assumed = value.assumed;
  value = nothing;
  value.assumed = assumed;
}
} // namespace

void Store::forget(const Changes &changes, const std::string &reason) {
  const Value nothing = unknown(reason);
  for (const auto &[object, ignored] : changes) {
    Value value = objects_[object];
    forget_parts(value, nothing);
    assign({object, {}}, std::move(value));
  }
}

void Store::forget(const Place &place, const std::string &reason) {
  Place whole = place;
  while (!whole.path.empty()) {
    Place parent = whole;
    parent.path.pop_back();
    const Value *outer = find(parent);
    const auto *aggregate = outer ? outer->as<Aggregate>() : nullptr;
    if (!aggregate || aggregate->record)
      break;
    whole = std::move(parent);
  }
  const Value *value = find(whole);
  if (!value)
    return;
  Value forgotten = *value;
  forget_parts(forgotten, unknown(reason));
  assign(whole, std::move(forgotten));
}

} // namespace smem
