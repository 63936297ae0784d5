#include "activity.h"

namespace smem::pattern {

int Conditions::joint(int a, int b) {
  return joint_.try_emplace({a, b}, kFirstJoint + 2 * static_cast<int>(joint_.size() + rivals_.size())).first->second;
}

Activity Conditions::where(const Activity &from, const Value &condition, bool wanted,
                           const std::optional<Rivals> &rivals) {
  Activity out = from;
  for_lanes(from.possible, [&](unsigned lane) {
    int &when = out.when[lane];
    if (condition.unknown >> lane & 1) {
      if (!rivals || rivals->satisfied != wanted) {
        when = Activity::kMaybe;
        return;
      }
      if (rivals->group[lane] == Rivals::kNever) {
        out.possible &= ~(1u << lane);
        return;
      }
      const int number = rivals_
                             .try_emplace({condition.reason, rivals->group[lane]},
                                          kFirstJoint + 2 * static_cast<int>(joint_.size() + rivals_.size()))
                             .first->second;
      if (when != Activity::kMaybe)
        when = when == Activity::kOn ? number : joint(when, number);
      if (out.rival[lane] == 0)
        out.rival[lane] = number;
      return;
    }
    const Term *only = nullptr;
    bool several = false;
    for (const Term &t : condition.terms)
      if (t.at(lane) & 1) {
        several |= only != nullptr;
        only = &t;
      }
    const bool base = condition.at(lane) & 1;
    if (several || when == Activity::kMaybe) {
      if (!only && base != wanted)
        out.possible &= ~(1u << lane);
      when = Activity::kMaybe;
      return;
    }
    if (!only) {
      if (base != wanted)
        out.possible &= ~(1u << lane);
      return;
    }
    const int number = static_cast<int>(only->dimension << 1) |
                       (base != wanted); // the symbol has to be 1 where the base is not what is wanted
    if (when == Activity::kOn || when == number)
      when = number;
    else if (opposite(when, number))
      out.possible &= ~(1u << lane);
    else
      when = joint(when, number);
  });
  return out;
}

Activity join(const Activity &a, const Activity &b) {
  Activity out = a;
  out.possible |= b.possible;
  for_lanes(out.possible, [&](unsigned lane) {
    const bool in_a = a.possible >> lane & 1, in_b = b.possible >> lane & 1;
    if (!in_a || !in_b || a.when[lane] != b.when[lane])
      out.when[lane] = Activity::kMaybe;
    if (!in_a || !in_b || a.rival[lane] != b.rival[lane])
      out.rival[lane] = 0;
  });
  return out;
}

} // namespace smem::pattern
