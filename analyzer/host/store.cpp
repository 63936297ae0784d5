#include "host/store.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace smem {

ObjectId Store::create(Value value) {
  bytes_ += bytes_of(value);
  objects_.push_back(std::move(value));
  return static_cast<ObjectId>(objects_.size() - 1);
}

namespace {
bool holds_container(const Value &value) {
  const auto *aggregate = value.as<Aggregate>();
  return value.as<Container>() || (aggregate && std::ranges::any_of(aggregate->elements.distinct(), holds_container));
}
} // namespace

void Store::make_constant(ObjectId object) {
  if (holds_container(objects_[object]))
    return;
  if (constant_.size() <= object)
    constant_.resize(object + 1);
  constant_[object] = true;
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

/// For a place that exists: what it shares with copies of the object becomes its own.
Value *Store::locate(const Place &place) {
  if (place.object < forgotten_.size())
    forgotten_[place.object] = {};
  Value *value = &objects_[place.object];
  for (const std::uint32_t index : place.path) {
    if (auto *container = value->as<Container>()) {
      value = &container->parts[index + 1];
    } else if (auto *aggregate = value->as<Aggregate>()) {
      if (aggregate->elements.copied_by_own())
        bytes_ += aggregate->elements.size() * sizeof(Value);
      value = &aggregate->elements.own()[index];
    }
  }
  return value;
}

void Store::assign(const Place &place, Value value) {
  if (place.object >= objects_.size())
    return;
  const Value *target = find(place);
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
  Value *own = locate(place);
  if (depth_ > 0) {
    bytes_ += sizeof(trail_.front()) + place.path.size() * sizeof(std::uint32_t);
    trail_.emplace_back(place, std::move(*own));
  }
  bytes_ += value.as<Aggregate>() ? 0 : sizeof(Value);
  *own = std::move(value);
}

std::size_t Store::begin() {
  ++depth_;
  return trail_.size();
}

Changes Store::changes_since(std::size_t mark) const {
  Changes changes;
  for (std::size_t i = mark; i < trail_.size(); ++i)
    changes.try_emplace(trail_[i].first.object, objects_[trail_[i].first.object]);
  return changes;
}

Changes Store::undo(std::size_t mark) {
  Changes changes = changes_since(mark);
  while (trail_.size() > mark) {
    *locate(trail_.back().first) = std::move(trail_.back().second);
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
  std::erase_if(trail_, [first](const auto &assigned) { return assigned.first.object >= first; });
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
/// What becomes of values that are lost: unknown, and perhaps pointing to where they point now. Many of them share one set of targets.
class Loss {
public:
  explicit Loss(Value nothing) : nothing_(std::move(nothing)) {}

  Value of(const Value &value) {
    const auto *before = value.as<Unknown>();
    if (!before)
      return with_targets(nothing_, objects_of(value));
    if (!before->targets)
      return nothing_;
    const auto [known, fresh] = united_.try_emplace(before->targets.get());
    if (fresh)
      known->second = {before->targets, with_targets(nothing_, *before->targets)};
    return known->second.second;
  }

private:
  Value nothing_;
  std::map<const Objects *, std::pair<std::shared_ptr<const Objects>, Value>>
      united_; ///< which keeps the sets that are its keys alive
};

/// Keeps the shape of classes, so that their fields can be assigned anew. The elements of an array become one and the same.
void forget_parts(Value &value, Loss &loss, const Store::Concerns &concerns = {}) {
  if (auto *aggregate = value.as<Aggregate>(); aggregate && (aggregate->record || aggregate->elements.size() < 2)) {
    change_parts(value, [&](Value &part) { forget_parts(part, loss, concerns); });
    return;
  }
  if (concerns) {
    const Value *scalar = &value;
    while (scalar->as<Aggregate>() && !scalar->as<Aggregate>()->record && scalar->as<Aggregate>()->elements.size() > 0)
      scalar = &scalar->as<Aggregate>()->elements[0];
    if (!scalar->as<Aggregate>() && !concerns(*scalar)) // an array's scalars are of one type
      return;
    if (scalar->as<Aggregate>() && value.as<Aggregate>()) { // of classes
      change_parts(value, [&](Value &part) { forget_parts(part, loss, concerns); });
      return;
    }
  }
  const Assumptions assumed = assumptions_of(value);
  Value lost = loss.of(value);
  if (auto *array = value.as<Aggregate>()) {
    Loss of_elements(std::move(lost));
    Value first = array->elements[0];
    forget_parts(first, of_elements);
    mark_assumed(first, assumed);
    array->elements.assign(array->elements.size(), first);
    return;
  }
  value = std::move(lost);
  value.assumed = assumed;
}
} // namespace

void Store::forget(const Changes &changes, const std::string &reason) {
  const Value nothing = as_lost(unknown(reason));
  for (const auto &[object, changed] : changes) {
    Value value = with_targets_of(objects_[object], changed);
    Loss loss(with_targets_of(nothing, changed));
    forget_parts(value, loss);
    assign({object, {}}, std::move(value));
  }
}

void Store::note_forgotten(ObjectId object, const Unknown &nothing) {
  if (forgotten_.size() <= object)
    forgotten_.resize(objects_.size());
  forgotten_[object] = {nothing.targets, true, nothing.lost};
}

void Store::forget(const Objects &objects, const Value &nothing, const Concerns &concerns) {
  Loss loss(nothing);
  const auto &how = *nothing.as<Unknown>();
  std::map<const Objects *, bool> wider; // sets that objects were forgotten with: whether they have these targets
  // Most calls of a loop forget what the one before has forgotten.
  const auto is_forgotten = [&](const Forgotten &before) {
    if (!before.forgotten || before.lost != how.lost || !how.targets || before.targets == how.targets)
      return before.forgotten && before.lost == how.lost;
    const auto [known, fresh] = wider.try_emplace(before.targets.get());
    if (fresh)
      known->second = before.targets && includes(*before.targets, *how.targets);
    return known->second;
  };
  for (const ObjectId object : objects) {
    if (object >= objects_.size() || (object < constant_.size() && constant_[object]) ||
        (object < forgotten_.size() && is_forgotten(forgotten_[object])))
      continue;
    Value value = objects_[object];
    forget_parts(value, loss, concerns);
    assign({object, {}}, std::move(value));
    if (!concerns)
      note_forgotten(object, how);
  }
}

} // namespace smem
