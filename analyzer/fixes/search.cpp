#include "fixes/search.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace smem {
namespace {

constexpr std::uint64_t kBankRow = 128; // bytes that the 32 banks serve at once

/// Elements that have to stay together: an access, a word.
std::uint32_t unit_of(const ArrayInstance &instance) {
  return std::max(1u, std::max(instance.traffic.granule, 4u) / instance.traffic.extents.element);
}

void add_pads(std::set<Layout> &all, std::uint32_t unit, std::uint32_t row) {
  for (std::uint32_t pad = unit; pad <= std::max(row, unit); pad += unit) {
    Layout layout;
    layout.pad = pad;
    all.insert(layout);
  }
}

Layout with_terms(Layout::Kind kind, std::uint32_t pad, std::uint32_t period, Layout::Term first,
                  Layout::Term second = {}) {
  Layout layout;
  layout.kind = kind;
  layout.pad = pad;
  layout.period = period;
  layout.terms = {first, second};
  return layout;
}

std::uint32_t power_of_two_below(std::uint64_t value, std::uint32_t most) {
  std::uint32_t power = 1;
  while (power < most && value % (2 * power) == 0)
    power *= 2;
  return power;
}

/// Distances between neighbouring lanes, in elements: what the source's own row pitches show as in a flat array.
std::set<std::uint32_t> pitches(const ArrayInstance &instance) {
  std::set<std::uint32_t> found;
  for (std::size_t i = 0; i < instance.traffic.requests.size() && i < 64; ++i) {
    const Request &request = instance.traffic.requests[i]->request;
    for (unsigned lane = 1; lane < kWarpSize; ++lane) {
      const std::uint64_t distance = request.address[lane] - request.address[lane - 1];
      if ((request.active >> (lane - 1) & 3) == 3 && distance < 4096 && distance > 4 &&
          distance % instance.traffic.extents.element == 0)
        found.insert(static_cast<std::uint32_t>(distance / instance.traffic.extents.element));
    }
    if (found.size() > 8)
      break;
  }
  return found;
}

void add_skews(std::set<Layout> &all, const ArrayInstance &instance, std::uint32_t unit, std::uint32_t row) {
  const std::uint64_t length = instance.traffic.extents.row();
  std::set<std::uint32_t> periods = pitches(instance);
  for (std::uint32_t period = std::max(unit, row / 4); period <= 16 * row; period *= 2)
    periods.insert(period);
  for (const std::uint32_t period : periods)
    for (std::uint32_t step = unit; period < length && step <= row; step += unit)
      all.insert(with_terms(Layout::Kind::Skew, 0, 1, {period, 0, step}));
}

void add_double_skews(std::set<Layout> &all, const ArrayInstance &instance, std::uint32_t unit, std::uint32_t row) {
  const std::uint64_t length = instance.traffic.extents.row();
  std::set<std::uint32_t> periods = pitches(instance);
  periods.insert(row);
  for (const std::uint32_t period : periods)
    for (std::uint32_t more = 2 * period; more < length && more <= 8 * period; more *= 2)
      for (std::uint32_t step = unit; step <= row; step += unit)
        for (std::uint32_t second = unit; second < row; second += unit)
          if (std::uint64_t{row / unit} * (row / unit) <= 256 || second * step % 8 == 0) // of single words only a part
            all.insert(with_terms(Layout::Kind::Skew, 0, 1, {period, 0, step}, {more, 0, second}));
}

void add_row_skews(std::set<Layout> &all, std::uint32_t unit, std::uint32_t row) {
  for (std::uint32_t divisor = 1; divisor <= 16; divisor *= 2)
    for (std::uint32_t modulus = 2; modulus <= 8; modulus *= 2)
      for (std::uint32_t step = unit; step < row; step += unit)
        all.insert(with_terms(Layout::Kind::SkewByRow, 0, 1, {divisor, modulus, step}));
}

/// Several (modulus, factor) are the same exclusive or: the smallest represents them.
void add_swizzles(std::set<Layout> &all, Layout::Kind kind, std::uint32_t pad, std::uint32_t unit, std::uint32_t period,
                  std::uint32_t divisor) {
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint32_t modulus = 2; modulus <= period / unit; modulus *= 2)
    for (std::uint32_t factor = unit; factor < period; factor += unit) {
      std::vector<std::uint32_t> values;
      for (std::uint32_t k = 0; k < 32; ++k)
        values.push_back(k % modulus * factor % period);
      if (seen.insert(std::move(values)).second)
        all.insert(with_terms(kind, pad, period, {divisor, modulus, factor}));
    }
}

/// Two bits of the index, each with a pattern of its own.
void add_double_swizzles(std::set<Layout> &all, std::uint32_t unit, std::uint32_t period) {
  for (std::uint32_t first = unit; first < period; first += unit)
    for (std::uint32_t second = unit; second < period; second += unit)
      all.insert(with_terms(Layout::Kind::Swizzle, 0, period, {period, 2, first}, {2 * period, 2, second}));
}

/// From the simplest edit to the most intricate; a later stage is tried only if the earlier ones found nothing.
constexpr std::size_t kStages = 4;
std::array<std::set<Layout>, kStages> stages(const ArrayInstance &instance, const Freedom &freedom) {
  const Extents &extents = instance.traffic.extents;
  const std::uint32_t unit = unit_of(instance);
  const auto row = static_cast<std::uint32_t>(
      std::max<std::uint64_t>(1, kBankRow / extents.element)); // elements the banks serve at once
  const bool rows = extents.sizes.size() > 1;
  std::array<std::set<Layout>, kStages> all;
  if (rows && freedom.grow)
    add_pads(all[0], unit, row);
  add_swizzles(all[1], Layout::Kind::Swizzle, 0, unit, row, row);
  if (rows)
    for (std::uint32_t divisor = 1; divisor <= 8; divisor *= 2)
      add_swizzles(all[1], Layout::Kind::SwizzleByRow, 0, unit, power_of_two_below(extents.row(), row), divisor);
  if (freedom.grow) {
    add_skews(all[1], instance, unit, row);
    if (rows)
      add_row_skews(all[1], unit, row);
    for (std::uint32_t pad = 1; rows && pad <= row; ++pad)
      if (const std::uint32_t period = power_of_two_below(extents.row() + pad, row); period > unit && period * 2 >= row)
        add_swizzles(all[2], Layout::Kind::SwizzleByRow, pad, unit, period, 1);
    if (const std::uint32_t spread = 4 / std::min(4u, extents.element);
        spread > 1 && !rows && instance.traffic.granule <= extents.element)
      for (std::uint32_t modulus = 1; modulus <= 32; modulus *= 2) {
        Layout layout;
        if (modulus > 1)
          layout = with_terms(Layout::Kind::Swizzle, 0, 32, {32, modulus, 1});
        layout.spread = spread;
        all[2].insert(layout);
      }
    add_double_skews(all[3], instance, unit, row);
  }
  add_double_swizzles(all[3], unit, row);
  return all;
}

unsigned intricacy(const Layout &layout) {
  if (!layout.moves_elements())
    return 0;
  return 1 + (layout.takes_row() && layout.pad != 0) + (layout.terms[1].factor != 0);
}

std::optional<Candidate> assess(const Layout &layout, std::span<const ArrayInstance *const> instances,
                                std::uint64_t most) {
  Candidate candidate{layout};
  for (const ArrayInstance *instance : instances) {
    const Extents &extents = instance->traffic.extents;
    if (!fits(layout, extents))
      return std::nullopt;
    const std::uint64_t added = bytes(layout, extents) - std::min(extents.bytes(), bytes(layout, extents));
    candidate.added_bytes = std::max(candidate.added_bytes, added);
    const Architecture &architecture = *instance->traffic.architecture;
    if (instance->shared_bytes + added > architecture.capacity.shared_default)
      return std::nullopt; // would need an opt-in that the host code does not make
    const std::uint32_t before = blocks_per_sm(architecture, instance->threads, instance->shared_bytes);
    const std::uint32_t after = blocks_per_sm(architecture, instance->threads, instance->shared_bytes + added);
    candidate.blocks_lost = std::max(candidate.blocks_lost, before - std::min(before, after));
  }
  for (const ArrayInstance *instance : instances) {
    const std::optional<Price> cost = price(instance->traffic, layout, most);
    if (!cost)
      return std::nullopt;
    candidate.excess += cost->excess;
    candidate.wavefronts += cost->wavefronts;
  }
  return candidate;
}

void sort_by_cost(std::vector<Candidate> &candidates) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
    const auto key = [](const Candidate &c) {
      return std::tuple{c.blocks_lost, intricacy(c.layout), c.wavefronts, c.added_bytes,
                        c.layout.terms[0].divisor + c.layout.terms[0].factor + c.layout.terms[0].modulus +
                            c.layout.terms[1].factor};
    };
    return key(a) < key(b);
  });
}

} // namespace

std::vector<Candidate> conflict_free(std::span<const ArrayInstance *const> instances, const Freedom &freedom) {
  std::vector<Candidate> found;
  for (std::size_t stage = 0; stage < kStages && (found.empty() || found.front().blocks_lost > 0); ++stage) {
    std::set<Layout> layouts;
    for (const ArrayInstance *instance : instances)
      layouts.merge(stages(*instance, freedom)[stage]);
    for (const Layout &layout : layouts)
      if (std::optional<Candidate> candidate = assess(layout, instances, 0))
        found.push_back(std::move(*candidate));
    sort_by_cost(found);
  }
  return found;
}

std::vector<Candidate> aligned_rows(std::span<const ArrayInstance *const> instances) {
  std::vector<Candidate> found;
  const Extents &extents = instances.front()->traffic.extents;
  if (extents.sizes.size() < 2 || extents.element >= 16)
    return found;
  const std::uint64_t per_word = 16 / extents.element;
  const auto missing = static_cast<std::uint32_t>((per_word - extents.row() % per_word) % per_word);
  for (std::uint32_t pad = missing ? missing : static_cast<std::uint32_t>(per_word), tries = 0; tries < 2;
       pad += static_cast<std::uint32_t>(per_word), ++tries) {
    Candidate candidate;
    candidate.layout.pad = pad;
    for (const ArrayInstance *instance : instances)
      candidate.added_bytes = std::max(candidate.added_bytes, bytes(candidate.layout, instance->traffic.extents) -
                                                                  instance->traffic.extents.bytes());
    found.push_back(candidate);
  }
  return found;
}

} // namespace smem
