#include "either.h"

#include <algorithm>

#include "case_conditions.h"
#include "smem/pattern.h"

namespace smem {

using namespace pattern;

bool is_joint(const PatternCondition &condition) {
  return condition.kind == PatternCondition::Kind::Quantity && condition.values.empty() && condition.remainders.empty();
}

bool is_of_some_copies(const PatternCondition &condition) { return is_joint(condition) && !condition.name.empty(); }

namespace pattern {

Cases of_copies(const Cases &a, const Cases &b) {
  if (a == b)
    return a;
  const auto marked = [](PatternCase c) {
    if (std::ranges::none_of(c.when, is_of_some_copies)) {
      c.when.push_back(joint_condition());
      c.when.back().name = "in some copies of the access";
    }
    return c;
  };
  const auto has = [](const Cases &cases, const PatternCase &c) { return std::ranges::find(cases, c) != cases.end(); };
  Cases out;
  const auto add = [&](const Cases &own, const Cases &other) {
    for (const PatternCase &c : own)
      if (PatternCase one = has(other, c) ? c : marked(c); !has(out, one))
        out.push_back(std::move(one));
  };
  add(a, b);
  add(b, a);
  return out;
}

} // namespace pattern

namespace {

PatternInputs either(const PatternInputs &a, const PatternInputs &b) {
  PatternInputs out = a;
  const auto add = [](std::vector<PatternInputs::Piece> &to, const std::vector<PatternInputs::Piece> &from) {
    for (const PatternInputs::Piece &piece : from)
      if (std::find(to.begin(), to.end(), piece) == to.end())
        to.push_back(piece);
  };
  add(out.address, b.address);
  add(out.guards, b.guards);
  std::erase_if(out.guards, [&](const PatternInputs::Piece &piece) {
    return std::find(out.address.begin(), out.address.end(), piece) != out.address.end();
  });
  out.grid_in_address |= b.grid_in_address;
  out.grid_in_guards |= b.grid_in_guards;
  out.block_in_guards |= b.block_in_guards;
  return out;
}

/// Bit BlockShape: those of which the pattern is known, if only by no lane coming there.
std::uint8_t known_shapes(const Pattern &pattern) {
  if (pattern.reason.empty())
    return kAllShapes;
  std::uint8_t known = 0;
  for (const PatternCase &c : pattern.cases)
    known |= shapes_of(c);
  return known;
}

/// The cases of blocks of these shapes.
Cases of_shapes(Cases cases, std::uint8_t shapes) {
  if (shapes == kAllShapes)
    return cases;
  std::erase_if(cases, [&](const PatternCase &c) { return !(shapes_of(c) & shapes); });
  for (PatternCase &c : cases) {
    PatternCondition shape;
    shape.kind = PatternCondition::Kind::Shape;
    shape.shapes = shapes_of(c) & shapes;
    std::erase_if(c.when, [](const PatternCondition &w) { return w.kind == PatternCondition::Kind::Shape; });
    c.when.insert(c.when.begin(), shape);
  }
  return cases;
}

} // namespace

std::uint8_t shapes_of(const PatternCase &one) {
  std::uint8_t shapes = kAllShapes;
  for (const PatternCondition &condition : one.when)
    if (condition.kind == PatternCondition::Kind::Shape)
      shapes &= condition.shapes;
  return shapes;
}

Pattern either(const Pattern &a, const Pattern &b) {
  if (!a.reached)
    return b;
  if (!b.reached)
    return a;
  const auto is_open = [](const Pattern &p) {
    return p.verdict == PatternVerdict::Data || p.verdict == PatternVerdict::Unknown;
  };
  Pattern out = is_open(b) && a.verdict != PatternVerdict::Data ? b : a;
  out.inputs = either(a.inputs, b.inputs);
  if (is_open(a) || is_open(b))
    return out;
  const std::uint8_t known = known_shapes(a) & known_shapes(b);
  out.cases = of_copies(of_shapes(a.cases, known), of_shapes(b.cases, known));
  if (out.reason.empty()) {
    out.reason = b.reason;
    out.reason_location = b.reason_location;
  }
  if (out.cases.empty()) { // no shape of which both are known
    out.verdict = PatternVerdict::Unknown;
    return out;
  }
  if (out.cases.size() > kMostCasesOfSite && out.reason.empty())
    out.cases = {upper_bound(out.cases)};
  out.verdict = out.cases.size() == 1 && out.cases[0].when.empty() && !out.cases[0].at_most ? PatternVerdict::Always
                                                                                            : PatternVerdict::Cases;
  return out;
}

} // namespace smem
