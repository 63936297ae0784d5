// The variables of host code while it is interpreted, with the means to try a path and take it back.
#pragma once

#include <map>
#include <vector>

#include "launches/value.h"

namespace smem {

/// New values of the objects that a path assigned.
using Changes = std::map<ObjectId, Value>;

class Store {
public:
  ObjectId create(Value value);

  /// Null if the place does not exist (an index out of range, a part of something unknown).
  const Value *find(const Place &place) const;

  /// Assigns a part of an object. A part of something unknown stays unknown.
  void assign(const Place &place, Value value);

  /// From here on assignments can be undone. Calls nest.
  std::size_t begin();
  /// Undoes all assignments since `mark` and says what they had made of the objects that existed then.
  Changes undo(std::size_t mark);
  /// Keeps them.
  void keep();
  /// What was assigned since `mark`, without undoing it.
  Changes changes_since(std::size_t mark) const;

  /// The objects from `first` on are as they were before any path was tried: taking one back leaves them alone.
  void settle(ObjectId first);

  void apply(const Changes &changes);
  /// After two paths that both may have been taken.
  void join(const Changes &a, const Changes &b, const std::string &reason);
  /// Nothing is known any more of the objects in `changes`.
  void forget(const Changes &changes, const std::string &reason);
  /// Nothing is known any more of one place; of an element of an array: of the whole array.
  void forget(const Place &place, const std::string &reason);

private:
  Value *locate(const Place &place);

  std::vector<Value> objects_;
  std::vector<std::pair<ObjectId, Value>> trail_; ///< old values, while trying
  unsigned depth_ = 0;
};

} // namespace smem
