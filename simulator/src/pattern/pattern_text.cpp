#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "smem/pattern.h"

namespace smem {
namespace {

std::string lanes_text(LaneMask lanes) {
  if (lanes == kFullMask)
    return "all lanes";
  std::string text;
  unsigned count = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    unsigned last = lane;
    while (last + 1 < kWarpSize && (lanes >> (last + 1) & 1))
      ++last;
    if (++count > 4)
      return std::to_string(std::popcount(lanes)) + " of the lanes";
    if (!text.empty())
      text += ", ";
    text += std::to_string(lane);
    if (last > lane)
      text.append("-").append(std::to_string(last));
    lane = last;
  }
  return (text.find_first_of("-,") == std::string::npos ? "lane " : "lanes ") + text;
}

/// "2, 4, …, 30": of many that are as far apart only the first and the last.
template <typename T> std::string comma_list(const std::vector<T> &values) {
  constexpr std::size_t kMost = 8;
  bool even = values.size() > kMost;
  for (std::size_t i = 2; even && i < values.size(); ++i)
    even = values[i] - values[i - 1] == values[1] - values[0];
  if (even)
    return std::to_string(values[0]) + ", " + std::to_string(values[1]) + ", …, " + std::to_string(values.back());
  std::string text;
  std::size_t shown = 0;
  for (const T &v : values) {
    if (++shown > kMost)
      return text + ", …";
    text += (text.empty() ? "" : ", ") + std::to_string(v);
  }
  return text;
}

template <typename T> std::string list(const std::vector<T> &values) {
  return (values.size() > 1 ? "one of " : "") + comma_list(values);
}

/// Remainders of a number in words.
class RemaindersText {
public:
  RemaindersText(const std::string &name, std::uint32_t modulus, const std::vector<std::uint32_t> &remainders)
      : name_(name), modulus_(modulus), remainders_(remainders), wanted_(modulus), said_(modulus) {
    for (const std::uint32_t r : remainders_)
      wanted_[r] = true;
    reduce();
  }

  std::string text() {
    if (remainders_.empty() || remainders_.size() == modulus_)
      return "";
    // Of the multiples of a number all but one.
    std::uint32_t step = modulus_;
    for (const std::uint32_t r : remainders_)
      step = std::gcd(step, r);
    if (remainders_.size() > 1 && remainders_.size() == modulus_ / step - 1) {
      std::uint32_t missing = 0;
      for (const std::uint32_t r : remainders_)
        missing += r == missing ? step : 0;
      return (step == 1 ? "" : of(step) + " == 0 and ") + of(modulus_) + " != " + std::to_string(missing);
    }
    constexpr std::size_t kFew = 8;
    if (remainders_.size() <= kFew)
      return of(modulus_) + (remainders_.size() > 1 ? " is " : " == ") + list(remainders_);
    return as_classes();
  }

private:
  std::string of(std::uint32_t modulus) const { return name_ + " % " + std::to_string(modulus); }

  /// To the smallest modulus that says the same.
  void reduce() {
    for (std::uint32_t smaller = 1; smaller < modulus_; ++smaller) {
      bool same = modulus_ % smaller == 0;
      for (std::uint32_t r = smaller; same && r < modulus_; ++r)
        same = wanted_[r] == wanted_[r - smaller];
      if (!same)
        continue;
      std::erase_if(remainders_, [&](std::uint32_t r) { return r >= smaller; });
      modulus_ = smaller;
      return;
    }
  }

  /// "n % 2 == 1 or n % 32 == 0": as classes of smaller moduli, the largest first.
  std::string as_classes() {
    std::string text;
    const auto add = [&](const std::string &more) { text += (text.empty() ? "" : " or ") + more; };
    for (std::uint32_t smaller = 3; smaller < modulus_ && text.empty(); ++smaller)
      if (const auto classes = news(smaller); classes.size() + 1 == smaller) {
        const auto missing = smaller * (smaller - 1) / 2 - std::accumulate(classes.begin(), classes.end(), 0u);
        add(of(smaller) + " != " + std::to_string(missing));
        say(smaller, classes);
      }
    for (std::uint32_t smaller = 2; smaller <= modulus_; ++smaller)
      if (const auto classes = news(smaller); !classes.empty()) {
        add(of(smaller) + (classes.size() > 1 ? " is " : " == ") + list(classes));
        say(smaller, classes);
      }
    return text;
  }

  /// The classes of a smaller modulus that are wanted, and not said yet.
  std::vector<std::uint32_t> news(std::uint32_t smaller) const {
    std::vector<std::uint32_t> classes;
    for (std::uint32_t first = 0; modulus_ % smaller == 0 && first < smaller; ++first) {
      bool whole = true, new_ones = false;
      for (std::uint32_t r = first; r < modulus_; r += smaller) {
        whole &= wanted_[r];
        new_ones |= !said_[r];
      }
      if (whole && new_ones)
        classes.push_back(first);
    }
    return classes;
  }

  void say(std::uint32_t smaller, const std::vector<std::uint32_t> &classes) {
    for (const std::uint32_t first : classes)
      for (std::uint32_t r = first; r < modulus_; r += smaller)
        said_[r] = true;
  }

  const std::string &name_;
  std::uint32_t modulus_;
  std::vector<std::uint32_t> remainders_;
  std::vector<bool> wanted_, said_;
};

/// "n % 4 == 2"; empty where any will do.
std::string remainders_text(const std::string &name, std::uint32_t modulus,
                            const std::vector<std::uint32_t> &remainders) {
  return RemaindersText(name, modulus, remainders).text();
}

std::string shapes_text(std::uint8_t shapes) {
  static constexpr const char *kTexts[kBlockShapes] = {
      "blockDim.x % 32 == 0",          "the block is one row of another length", "blockDim.x == 16 in full warps",
      "blockDim.x == 8 in full warps", "blockDim.x == 4 in full warps",          "any other block shape"};
  constexpr std::uint8_t kWhole = 1, kWholeOrLine = 3, kNarrow = 0b11100, kUnnamed = 1U << 5;
  if (shapes == (kWholeOrLine | kNarrow))
    return "the block is one row, or whole rows fill its warps";
  if (shapes == (kAllShapes & ~kWhole))
    return "blockDim.x % 32 != 0";
  // What has no name is said by what is left out.
  constexpr std::uint8_t kAllButNarrow = kWholeOrLine | kUnnamed;
  if ((shapes & kAllButNarrow) == kAllButNarrow && (shapes & kNarrow) != kNarrow)
    return "not (" + shapes_text(static_cast<std::uint8_t>(~shapes & kNarrow)) + ")";
  std::vector<std::string> parts;
  if ((shapes & kWholeOrLine) == kWholeOrLine)
    parts = {kTexts[0], "the block is one row"};
  else if (shapes & kWholeOrLine)
    parts = {kTexts[shapes & 1 ? 0 : 1]};
  std::vector<std::uint32_t> widths;
  for (unsigned s = 4; s >= 2; --s)
    if (shapes >> s & 1)
      widths.push_back(64u >> s); // 4, 8, 16
  if (!widths.empty())
    parts.push_back("blockDim.x " + std::string(widths.size() > 1 ? "is " : "== ") + list(widths) + " in full warps");
  if (shapes >> 5 & 1)
    parts.push_back(kTexts[5]);
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : " or ") + part;
  return text;
}

/// An `or` outside of parentheses.
bool has_bare_or(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && text.substr(i).starts_with(" or "))
      return true;
  }
  return false;
}

/// "n is none of 1, 2 and n % 4 != 0".
std::string none_text(const std::string &name, const PatternCondition &c) {
  std::string out;
  for (const std::uint32_t r : c.remainders)
    out += (out.empty() ? "" : " and ") + name + " % " + std::to_string(c.modulus) + " != " + std::to_string(r);
  if (c.values.size() == 1)
    return name + " != " + std::to_string(c.values[0]) + (out.empty() ? "" : " and " + out);
  if (!c.values.empty())
    return name + " is none of " + comma_list(c.values) + (out.empty() ? "" : " and " + out);
  return out;
}

/// Some value that is nearer to 0 leaves one of the remainders, too.
bool nearer_ones(const PatternCondition &c) {
  const std::int64_t modulus = c.modulus;
  for (std::int64_t value = 1 - c.near; value < c.near; ++value)
    if (std::ranges::find(c.remainders, static_cast<std::uint32_t>((value % modulus + modulus) % modulus)) !=
        c.remainders.end())
      return true;
  return false;
}

std::string text(const PatternCondition &c) {
  const bool is_condition = c.width == 1 && c.remainders.empty() && c.values.size() == 1;
  if (is_condition && c.name.empty())
    return (c.values[0] != 0) != c.none ? "a condition holds" : "a condition does not hold";
  const std::string name = c.name.empty()                          ? "a quantity that is not named"
                           : c.name.find(' ') == std::string::npos ? c.name
                                                                   : "(" + c.name + ")";
  switch (c.kind) {
  case PatternCondition::Kind::Shape: return shapes_text(c.shapes);
  case PatternCondition::Kind::Lanes:
    return (c.lanes == kFullMask ? "all lanes are active" : "the active lanes are " + lanes_text(c.lanes));
  case PatternCondition::Kind::FewerLanes:
    return c.lanes == kFullMask ? "some lanes are not active" : "not all of " + lanes_text(c.lanes) + " are active";
  case PatternCondition::Kind::Address: return remainders_text("address", c.modulus, c.remainders);
  case PatternCondition::Kind::Source: return remainders_text("source address", c.modulus, c.remainders);
  case PatternCondition::Kind::Argument:
  case PatternCondition::Kind::Quantity: {
    if (is_joint(c))
      return c.name.empty() ? "depending on quantities that are not named" : c.name;
    if (is_condition)
      return (c.values[0] != 0) != c.none ? c.name : c.name.starts_with("all lanes") ? "not " + c.name : "!" + name;
    if (c.none)
      return none_text(name, c);
    std::string out;
    if (!c.remainders.empty()) {
      out = remainders_text(name, c.modulus, c.remainders);
      if (nearer_ones(c)) {
        const std::string far = c.near == 1 ? name + " != 0" : "|" + name + "| >= " + std::to_string(c.near);
        if (has_bare_or(out))
          out = "(" + out + ")";
        out += (out.empty() ? "" : " and ") + far;
      }
    }
    const bool all_near = c.values.size() > 3 && c.values.front() == -c.values.back() &&
                          static_cast<std::int64_t>(c.values.size()) == 2 * c.values.back() + 1;
    if (all_near)
      out += (out.empty() ? "" : " or ") + ("|" + name + "| <= " + std::to_string(c.values.back()));
    else if (!c.values.empty())
      out += (out.empty() ? "" : " or ") + name + (c.values.size() > 1 ? " is " : " == ") + list(c.values);
    return out;
  }
  }
  return {};
}

} // namespace

std::string_view to_string(PatternVerdict verdict) {
  switch (verdict) {
  case PatternVerdict::Always: return "always";
  case PatternVerdict::Cases: return "cases";
  case PatternVerdict::Data: return "data";
  case PatternVerdict::Unknown: break;
  }
  return "unknown";
}

std::string to_string(const std::vector<PatternCondition> &when) {
  std::string all;
  for (const PatternCondition &c : when)
    if (std::string one = text(c); !one.empty()) {
      if (when.size() > 1 && has_bare_or(one))
        one = "(" + one + ")";
      all += (all.empty() ? "" : " and ") + one;
    }
  return all;
}

} // namespace smem
