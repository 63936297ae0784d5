// The variables of host code while it is interpreted, with the means to try a path and take it back.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "host/value.h"

namespace smem {

/// New values of the objects that a path assigned.
using Changes = std::map<ObjectId, Value>;

class Store {
public:
  ObjectId create(Value value);
  /// What has been made so far: objects, copies of parts that changed, values to return to.
  std::uint64_t bytes() const { return bytes_; }

  /// No path changes it from here on, as a complete object that is declared const may not be: forgetting it leaves it alone.
  /// Not so the elements of a container, which are objects of their own.
  void make_constant(ObjectId object);

  /// The next one to be created.
  ObjectId end() const { return static_cast<ObjectId>(objects_.size()); }

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
  /// Nothing is known any more of the objects in `changes`: they are lost.
  void forget(const Changes &changes, const std::string &reason);
  /// The same of these but constants, which become `nothing`; of scalars that are not concerned everything is still known.
  using Concerns = std::function<bool(const Value &)>;
  void forget(const Objects &objects, const Value &nothing, const Concerns &concerns = {});

private:
  /// What an object was forgotten with, while nothing was assigned to it since.
  struct Forgotten {
    std::shared_ptr<const Objects> targets;
    bool forgotten = false, lost = false;
  };
  Value *locate(const Place &place);
  void note_forgotten(ObjectId object, const Unknown &nothing);

  std::vector<Value> objects_;
  std::vector<Forgotten> forgotten_;           ///< by object; those beyond its end are not
  std::vector<bool> constant_;                 ///< by object; those beyond its end are not
  std::vector<std::pair<Place, Value>> trail_; ///< old values of what was assigned, while trying
  unsigned depth_ = 0;
  std::uint64_t bytes_ = 0;
};

} // namespace smem
