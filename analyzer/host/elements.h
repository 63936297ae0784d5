// The parts of a class or an array, shared between copies until one of them changes.
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

  std::size_t size() const;
  const Value &operator[](std::size_t i) const;
  Vector::const_iterator begin() const;
  Vector::const_iterator end() const;
  const Vector &get() const;

  /// The elements to be changed, which are no other copy's from then on.
  Vector &own();
  /// Whether own() would have to copy them.
  bool shared() const { return elements_ && elements_.use_count() > 1; }
  bool same_as(const Elements &other) const { return elements_ == other.elements_; }

  void push_back(Value value);
  void assign(std::size_t count, const Value &value);

private:
  std::shared_ptr<Vector> elements_;
};

} // namespace smem
