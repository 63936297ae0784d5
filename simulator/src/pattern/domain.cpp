// Quantities, and what is known of values in them.
#include "domain_parts.h"

namespace smem::pattern {

unsigned grain_of(const Value &value, LaneMask mask) {
  std::int64_t grain = 63;
  for (const Term &t : value.terms) {
    if (!t.lanes)
      grain = std::min(grain, magnitude_grain(t.uniform));
    else
      for_lanes(mask, [&](unsigned lane) { grain = std::min(grain, magnitude_grain((*t.lanes)[lane])); });
  }
  return static_cast<unsigned>(grain);
}

std::vector<Alternative> values_between(std::int64_t least, std::int64_t most) {
  std::vector<Alternative> all;
  for (std::int64_t value = least; value <= most; ++value)
    all.push_back({0, value});
  return all;
}

std::vector<Alternative> remainders_of(std::int64_t modulus) {
  std::vector<Alternative> all;
  for (std::int64_t remainder = 0; remainder < modulus; ++remainder)
    all.push_back({modulus, remainder});
  return all;
}

std::vector<Alternative> powers_below(unsigned bits) {
  std::vector<Alternative> all;
  for (unsigned i = 0; i < bits; ++i)
    all.push_back({0, std::int64_t{1} << i});
  all.push_back({std::int64_t{1} << bits, 0});
  return all;
}

Value Domain::symbol(Quantity q, unsigned width, LaneMask mask) {
  std::int64_t offset = 0, scale = 1;
  for (auto supposed = supposed_.find(q.key); supposed != supposed_.end(); supposed = supposed_.find(q.key)) {
    if (supposed->second.modulus == 0)
      return make_uniform(canonical(offset + scale * supposed->second.remainder, width), width, mask);
    const std::int64_t m = supposed->second.modulus, r = supposed->second.remainder;
    offset += scale * r;
    scale *= m;
    q.key += "/" + std::to_string(m);
    if (q.least)
      q.least = floor_of(*q.least - r + m - 1, m);
    if (q.most)
      q.most = floor_of(*q.most - r, m);
    q.argument = kNone;
    if (q.name.empty())
      continue;
    // A multiple of m times what it was one of; else no multiple of anything.
    if (r == 0 && q.scale <= kMostScale / m) {
      if (q.scale == 1)
        q.piece = q.name;
      q.scale *= m;
    } else {
      q.scale = 1;
      q.piece.clear();
    }
    q.name += " / " + std::to_string(m);
  }
  const auto [entry, fresh] = known_.try_emplace(q.key, kFirstSymbol + static_cast<DimensionId>(quantities_.size()));
  if (fresh)
    quantities_.push_back(std::move(q));
  Value out = make_uniform(offset, width, mask);
  if (const std::int64_t coefficient = canonical(scale, width))
    out.terms.push_back({entry->second, coefficient, nullptr});
  return out;
}

Value Domain::fresh(const std::string &key, std::vector<BlockId> owners, unsigned grain, unsigned width, LaneMask mask,
                    std::string name, std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  grain = std::min(grain, 62u);
  if (grain >= width)
    return make_uniform(0, width, mask);
  Quantity q;
  q.key = key;
  if (grain)
    q.key += "*" + std::to_string(power(grain));
  std::string whole = name;
  if (grain && !name.empty())
    name = in_parentheses(name) + " / " + std::to_string(power(grain));
  if (grain && !whole.empty() && power(grain) <= kMostScale) {
    q.scale = power(grain);
    q.piece = std::move(whole);
  }
  q.name = std::move(name);
  q.owners = std::move(owners);
  if (width == 1)
    q.width = 1;
  if (least)
    q.least = floor_of(*least, power(grain));
  if (most)
    q.most = floor_of(*most, power(grain));
  const Value out = symbol(std::move(q), 64, mask);
  const auto shifted = [&](std::int64_t v) {
    return canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(v) << grain), width);
  };
  Value scaled = make_uniform(shifted(out.base[0]), width, mask);
  for (Term t : out.terms) {
    t.uniform = shifted(t.uniform);
    if (t.uniform)
      scaled.terms.push_back(t);
  }
  return scaled;
}

Value Domain::unknown(unsigned width, LaneMask mask, Why why) {
  for (std::uint32_t i = 1; i < whys_.size(); ++i) {
    const Why &known = whys_[i];
    if (known.kind == why.kind && known.text == why.text && known.location == why.location && known.key == why.key &&
        known.ways == why.ways)
      return make_unknown(width, mask, i);
  }
  whys_.push_back(std::move(why));
  return make_unknown(width, mask, static_cast<std::uint32_t>(whys_.size() - 1));
}

std::vector<BlockId> Domain::owners(const Value &value) const {
  std::vector<BlockId> all;
  for (const Term &t : value.terms)
    merge_owners(all, quantity(t.dimension).owners);
  return all;
}

std::string Domain::identity(const Value &value, LaneMask mask) const {
  std::string text = std::to_string(value.at(first_lane(mask)));
  for (const Term &t : value.terms)
    text += "+" + std::to_string(t.at(first_lane(mask))) + "*" + quantity(t.dimension).key;
  return text;
}

std::string Domain::identity_by_lane(const Value &value, LaneMask mask) const {
  std::string text;
  for_lanes(mask, [&](unsigned lane) { text += (text.empty() ? "" : ",") + std::to_string(value.at(lane)); });
  for (const Term &t : value.terms) {
    text += "+" + quantity(t.dimension).key + "*";
    if (uniform_over(t, mask))
      text += std::to_string(t.at(first_lane(mask)));
    else
      for_lanes(mask, [&](unsigned lane) { text += std::to_string(t.at(lane)) + ","; });
  }
  return text;
}

std::string Domain::name_of(const Value &value, LaneMask mask) const {
  constexpr std::size_t kMostParts = 3, kLongest = 48;
  if ((value.unknown & mask) || !warp_uniform(value, mask))
    return {};
  if (const auto given = names_.find(identity(value, mask)); given != names_.end())
    return given->second;
  if (value.terms.size() > kMostParts)
    return {};
  const std::int64_t base = value.at(first_lane(mask));
  std::string text;
  for (const bool negative : {false, true}) // what is subtracted comes last
    for (const Term &t : value.terms) {
      std::int64_t c = t.at(first_lane(mask));
      const Quantity &q = quantity(t.dimension);
      std::string name = q.name;
      if (q.scale != 1 && !q.piece.empty() && c % q.scale == 0) {
        c /= q.scale;
        name = q.piece;
      }
      if (name.empty() || c == 0 || c == INT64_MIN)
        return {};
      if ((c < 0) != negative)
        continue;
      if (negative && text.empty())
        return {};
      if ((c != 1 && name.find(' ') != std::string::npos))
        name = "(" + name + ")";
      text += (text.empty() ? ""
               : negative   ? " - "
                            : " + ") +
              (std::abs(c) == 1 ? name : std::to_string(std::abs(c)) + " * " + name);
    }
  if (base != 0 || text.empty())
    text += text.empty() ? std::to_string(base) : (base < 0 ? " - " : " + ") + std::to_string(std::abs(base));
  return text.size() > kLongest ? std::string() : text;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Domain::range(const Value &value, unsigned lane) const {
  Wide least = value.width == 1 ? value.at(lane) & 1 : value.at(lane), most = least;
  for (const Term &t : value.terms) {
    const std::int64_t c = t.at(lane);
    if (c == 0)
      continue;
    const Quantity &q = quantity(t.dimension);
    if (!q.least || !q.most) {
      if (!(c > 0 ? q.least : q.most))
        return std::nullopt;
      return std::nullopt;
    }
    least += Wide{c} * (c > 0 ? *q.least : *q.most);
    most += Wide{c} * (c > 0 ? *q.most : *q.least);
  }
  const Wide limit = value.width >= 64 ? Wide{INT64_MAX} : (Wide{1} << (value.width - 1)) - 1;
  if (value.width > 1 && (least < -limit - 1 || most > limit))
    return std::nullopt;
  return std::pair{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)};
}

bool Domain::not_negative(const Value &a, LaneMask mask) const {
  bool all = true;
  for_lanes(mask, [&](unsigned lane) {
    if (const auto bounds = range(a, lane)) {
      all &= bounds->first >= 0;
      return;
    }
    // Presumed of what looks like an index, and not like a hash: it does not wrap around.
    all &= a.at(lane) >= 0 && (a.terms.empty() || a.at(lane) < kNearBy);
    for (const Term &t : a.terms) {
      const Quantity &q = quantity(t.dimension);
      const std::int64_t c = t.at(lane);
      all &= c == 0 || (c > 0 && c < kNearBy && q.least && *q.least >= 0);
    }
  });
  return all;
}

std::optional<Value> Domain::unknown_of(const Value &a, const Value &b, unsigned width, LaneMask mask) {
  const LaneMask lost = (a.unknown | b.unknown) & mask;
  if (!lost)
    return std::nullopt;
  // Data before what may still be split: nothing mends it.
  const bool first = (a.unknown & mask) && (!(b.unknown & mask) || whys_[a.reason].kind == Why::Kind::Data ||
                                            whys_[b.reason].kind != Why::Kind::Data);
  return make_unknown(width, mask, first ? a.reason : b.reason);
}

std::pair<std::string, std::vector<Term>> Domain::unaligned(const Value &a, unsigned grain, unsigned &least) const {
  std::pair<std::string, std::vector<Term>> out;
  least = grain;
  std::vector<std::string> parts;
  for (const Term &t : a.terms) {
    const auto has = static_cast<unsigned>(magnitude_grain(t.uniform));
    if (t.lanes || has >= grain)
      continue;
    least = std::min(least, has);
    out.second.push_back(t);
    parts.push_back(std::to_string(t.uniform) + "*" + quantity(t.dimension).key);
  }
  std::sort(parts.begin(), parts.end());
  for (const std::string &part : parts)
    out.first += "+" + part;
  return out;
}

std::optional<Value> Domain::realigned(const Value &a, unsigned grain, LaneMask mask) {
  unsigned least = 0;
  const auto [key, terms] = unaligned(a, grain, least);
  if (terms.size() < 2 || !supposed_.contains(key))
    return std::nullopt;
  Quantity q;
  q.key = key;
  for (const Term &t : terms)
    merge_owners(q.owners, quantity(t.dimension).owners);
  const Value sum = resize(Opcode::Truncate, symbol(std::move(q), 64, mask), a.width, {}, mask);
  Value out = a;
  std::erase_if(out.terms, [&](const Term &t) { return !t.lanes && magnitude_grain(t.uniform) < grain; });
  return add(out, multiply(sum, make_uniform(power(least), a.width, mask), mask), 1, mask);
}

Value Domain::want_grain(const Value &a, unsigned grain, unsigned width, LaneMask mask, const std::string &what) {
  Why why;
  why.text = what;
  if (auto split = split_small(a, width, mask))
    return *split;
  if (std::any_of(a.terms.begin(), a.terms.end(), [&](const Term &t) { return t.lanes && !uniform_over(t, mask); }))
    return unknown(width, mask, why);
  unsigned least = 0;
  const auto [key, terms] = unaligned(a, grain, least);
  if (terms.empty())
    return unknown(width, mask, why);
  const std::int64_t modulus = power(grain - least);
  if (modulus <= 128) {
    why.kind = Why::Kind::Split;
    why.ways = remainders_of(modulus);
    why.key = key;
  }
  if (terms.size() == 1) {
    const Quantity &q = quantity(terms[0].dimension);
    if (why.kind == Why::Kind::Split) {
      why.key = q.key;
      if (q.power)
        why.ways = powers_below(grain - least);
    }
    if (q.has_at_most(std::min<std::int64_t>(modulus, 128))) {
      why.kind = Why::Kind::Split;
      why.key = q.key;
      why.ways = values_between(*q.least, *q.most);
    }
  }
  return unknown(width, mask, std::move(why));
}

bool Domain::same_memory(const Value &a, const Value &b) const {
  const auto memories = [&](const Value &v) {
    unsigned all = 0;
    const auto add = [&](DimensionId d) { all |= 1u << static_cast<unsigned>(quantity(d).memory); };
    for (const Term &t : v.terms) {
      add(t.dimension);
      for (const DimensionId d : quantity(t.dimension).factors)
        add(d);
    }
    return all & ~(1u << static_cast<unsigned>(Quantity::Memory::None));
  };
  return memories(a) == memories(b);
}

Value Domain::aligned_only(const Value &lost, LaneMask mask) {
  Why why = whys_[lost.reason];
  if (why.kind != Why::Kind::Split || !why.complete || why.ways.empty() || why.ways[0].modulus < 4)
    return lost;
  why.complete = false;
  why.ways.resize(1);
  return unknown(lost.width, mask, std::move(why));
}

std::optional<Value> Domain::split_small(const Value &a, unsigned width, LaneMask mask) {
  for (const Term &t : a.terms) {
    const Quantity &q = quantity(t.dimension);
    if (uniform_over(t, mask) || !q.has_at_most(4))
      continue;
    Why why;
    why.kind = Why::Kind::Split;
    why.text = "a choice that lanes make differently";
    why.key = q.key;
    why.ways = values_between(*q.least, *q.most);
    return unknown(width, mask, std::move(why));
  }
  return std::nullopt;
}

} // namespace smem::pattern
