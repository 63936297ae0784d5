#include "smem/integer_division.h"
#include "saturating.h"
#include "nest.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace smem {
namespace {

constexpr double kMostPoints = 1e18;     ///< of a nest; what has more is not counted
constexpr double kMostClasses = 1 << 24; ///< of residues of all levels
constexpr double kMostVisits = 1 << 20;

unsigned residue(std::int64_t step) { return static_cast<unsigned>(static_cast<std::uint64_t>(step) % kPeriod); }

/// Points by classes of residues: level k takes r, r + modulus, r + 2 * modulus, ... Moduli are such that the points of a class are
/// as many at each level as something affine says of the levels around it, so that their sums are polynomials.
class Points {
public:
  explicit Points(const Event::Nest &nest)
      : nest_(nest), modulus_(nest.size(), 1), rest_(nest.size()), at_(nest.size()), counts_(nest.size()) {
    for (std::size_t k = 0; k < nest.size(); ++k) {
      modulus_[k] = kPeriod / std::gcd(std::gcd(residue(nest[k].step.own), residue(nest[k].step.source)), kPeriod);
      for (std::size_t inner = 0; inner < k; ++inner) {
        const auto slope = static_cast<unsigned>(static_cast<std::uint64_t>(factor(inner, k)) % kPeriod);
        modulus_[k] = std::max(modulus_[k], modulus_[inner] / std::gcd(slope, modulus_[inner])); // powers of two
      }
    }
    std::vector<double> most(nest.size());
    for (std::size_t k = nest.size(); k-- > 0;) {
      most[k] = static_cast<double>(nest[k].count.constant);
      for (std::size_t l = k + 1; l < nest.size(); ++l)
        most[k] += std::max(0.0, static_cast<double>(factor(k, l))) * std::max(0.0, most[l] - 1);
      points_ *= std::max(1.0, most[k]);
      classes_ *= std::max(1.0, std::min(most[k], static_cast<double>(modulus_[k])));
      highest_.push_back(most[k]);
    }
    std::reverse(highest_.begin(), highest_.end());
  }

  bool too_many() const { return points_ > kMostPoints || classes_ > kMostClasses; }

  std::map<Shift, std::uint64_t> by_shift() {
    visit(nest_.size(), {});
    return std::move(sums_);
  }

private:
  /// Of the count of `level` in what `outer` has come to.
  Wide factor(std::size_t level, std::size_t outer) const {
    for (const auto &[dimension, coefficient] : nest_[level].count.terms)
      if (dimension == kFirstLevel + outer)
        return coefficient;
    return 0;
  }

  /// Chooses the classes of the levels below `level`.
  void visit(std::size_t level, Shift shift) {
    if (level == 0) {
      if (const Wide points = count(nest_.size() - 1); points > 0) {
        std::uint64_t &sum = sums_[shift];
        sum = saturating_add(sum, static_cast<std::uint64_t>(points));
      }
      return;
    }
    const std::size_t k = level - 1;
    const Event::Step step = nest_[k].step;
    for (unsigned r = 0; r < modulus_[k] && r < highest_[k]; ++r) {
      rest_[k] = r;
      Wide constant = nest_[k].count.constant - r;
      for (std::size_t l = k + 1; l < nest_.size(); ++l)
        constant += factor(k, l) * rest_[l];
      counts_[k] = ceil_div(constant, modulus_[k]);
      visit(k, {(shift.own + r * residue(step.own)) % kPeriod, (shift.source + r * residue(step.source)) % kPeriod});
    }
  }

  /// Points of the class at the levels up to `level`, where those around it stand still.
  Wide count(std::size_t level) {
    Wide steps = counts_[level];
    for (std::size_t l = level + 1; l < nest_.size(); ++l)
      steps += factor(level, l) * modulus_[l] / modulus_[level] * at_[l];
    if (level == 0 || steps <= 0)
      return std::max<Wide>(steps, 0);
    // A polynomial of at most this degree in what the level has come to: from its first values by their differences.
    std::vector<Wide> values;
    for (at_[level] = 0; at_[level] < steps && at_[level] <= static_cast<Wide>(level); ++at_[level])
      values.push_back(count(level - 1));
    Wide sum = 0, choose = 1;
    for (std::size_t q = 0; q < values.size(); ++q) {
      choose = choose * (steps - static_cast<Wide>(q)) / static_cast<Wide>(q + 1); // steps over q + 1
      sum += values[0] * choose;
      for (std::size_t i = 0; i + q + 1 < values.size(); ++i)
        values[i] = values[i + 1] - values[i];
    }
    return sum;
  }

  const Event::Nest &nest_;
  std::vector<unsigned> modulus_, rest_;
  std::vector<Wide> at_, counts_;
  std::vector<double> highest_;
  double points_ = 1, classes_ = 1;
  std::map<Shift, std::uint64_t> sums_;
};

struct Reach {
  const Event::Nest &nest;
  bool ends_only = false;
  std::vector<Wide> at{};
  std::optional<std::pair<Wide, Wide>> found{};

  void visit(std::size_t level, Wide way) {
    Wide steps = nest[level].count.constant;
    for (const auto &[dimension, coefficient] : nest[level].count.terms)
      steps += coefficient * at[dimension - kFirstLevel];
    if (steps <= 0)
      return;
    const Wide step = nest[level].step.own;
    const Wide every = ends_only || level == 0 ? std::max<Wide>(steps - 1, 1) : 1;
    for (at[level] = 0; at[level] < steps; at[level] += every) {
      const Wide here = way + step * at[level];
      if (level > 0)
        visit(level - 1, here);
      else
        found = found ? std::pair{std::min(found->first, here), std::max(found->second, here)} : std::pair{here, here};
    }
  }
};

} // namespace

std::vector<std::pair<Shift, std::uint64_t>> residues(const Event::Nest &nest) {
  Points points(nest);
  if (points.too_many())
    return {{{}, UINT64_MAX}};
  const auto sums = points.by_shift();
  return {sums.begin(), sums.end()};
}

std::pair<Wide, Wide> reach(const Event::Nest &nest) {
  Reach reach{nest};
  reach.at.resize(nest.size());
  // Where a level has no steps at all the ends of those around it say nothing.
  std::vector<double> most(nest.size());
  double visits = 1;
  for (std::size_t k = nest.size(); k-- > 1;) {
    most[k] = static_cast<double>(nest[k].count.constant);
    for (const auto &[dimension, coefficient] : nest[k].count.terms)
      most[k] += std::max(0.0, static_cast<double>(coefficient)) * std::max(0.0, most[dimension - kFirstLevel] - 1);
    visits *= std::max(1.0, most[k]);
  }
  reach.ends_only = visits > kMostVisits;
  reach.visit(nest.size() - 1, 0);
  return reach.found.value_or(std::pair<Wide, Wide>{0, 0});
}

} // namespace smem
