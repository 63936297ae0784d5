#include <algorithm>

#include "figures.h"
#include "smem/pattern.h"

namespace smem {

using namespace pattern;

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
  return out;
}

} // namespace

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
  for (const PatternCase &c : b.cases)
    if (std::find(out.cases.begin(), out.cases.end(), c) == out.cases.end())
      out.cases.push_back(c);
  if (out.reason.empty()) {
    out.reason = b.reason;
    out.reason_location = b.reason_location;
  }
  if (out.cases.size() > kMostCasesOfSite && out.reason.empty())
    out.cases = {upper_bound(out.cases)};
  out.verdict = out.cases.size() == 1 && out.cases[0].when.empty() && !out.cases[0].at_most ? PatternVerdict::Always
                                                                                            : PatternVerdict::Cases;
  return out;
}

} // namespace smem
