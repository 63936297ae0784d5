// The parts of a class or an array, shared between copies until one of them changes. Most large arrays hold one value everywhere, which is kept once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace smem {

inline namespace host {
struct Value;
}

class Elements {
public:
  using Vector = std::vector<Value>;

  std::size_t size() const { return size_; }
  const Value &operator[](std::size_t i) const;

  /// Every value that there is among the elements: one, where all are the same one.
  const Vector &distinct() const;
  bool repeated() const;

  /// The elements to be changed, one by one, which are no other copy's from then on.
  Vector &own();
  /// The same of `distinct`: a change of the one that is repeated is one of all.
  Vector &own_distinct();
  /// Whether own() would have to copy or repeat them.
  bool copied_by_own() const { return repeated() || (elements_ && elements_.use_count() > 1); }
  bool same_as(const Elements &other) const { return elements_ == other.elements_ && size_ == other.size_; }

  void push_back(Value value);
  void assign(std::size_t count, Value value);

private:
  std::shared_ptr<Vector> elements_; ///< one that is repeated, or `size_`
  std::size_t size_ = 0;
};

} // namespace smem
