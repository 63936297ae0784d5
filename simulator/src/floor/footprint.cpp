#include "floor/footprint.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <span>

#include "magnitude.h"
#include "sectors.h"

namespace smem {
namespace {

/// More of one group are not looked at: what is left out can only make the bound larger.
constexpr std::size_t kMostPieces = std::size_t{1} << 16;

/// Sorted, without overlaps; adjacent ones are one.
void join(std::vector<Piece> &pieces) {
  std::ranges::sort(pieces);
  std::size_t kept = 0;
  for (const Piece &piece : pieces) {
    if (kept != 0 && piece.start <= pieces[kept - 1].start + pieces[kept - 1].length) {
      Piece &last = pieces[kept - 1];
      last.length = std::max(last.start + last.length, piece.start + piece.length) - last.start;
    } else {
      pieces[kept++] = piece;
    }
  }
  pieces.resize(kept);
}

using Steps = Footprint::Steps;

/// Evenly spaced pieces as one piece and the progressions that it is moved by; nullopt if they are not. Joined before.
std::optional<std::vector<Steps>> progressions_of(const std::vector<Piece> &pieces) {
  std::vector<std::uint64_t> starts;
  for (const Piece &piece : pieces) {
    if (piece.length != pieces.front().length)
      return std::nullopt;
    starts.push_back(piece.start);
  }
  std::vector<Steps> found;
  while (starts.size() > 1) {
    const std::uint64_t gap = starts[1] - starts[0];
    std::size_t run = 2;
    while (run < starts.size() && starts[run] - starts[run - 1] == gap)
      ++run;
    if (starts.size() % run != 0)
      return std::nullopt;
    std::vector<std::uint64_t> firsts;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (i % run == 0)
        firsts.push_back(starts[i]);
      if (starts[i] - firsts.back() != i % run * gap)
        return std::nullopt;
    }
    found.push_back({static_cast<std::int64_t>(gap), run});
    starts = std::move(firsts);
  }
  return found;
}

std::int64_t in_range(Wide value) {
  return static_cast<std::int64_t>(std::clamp<Wide>(value, INT64_MIN / 4, INT64_MAX / 4));
}

std::uint64_t capped(UnsignedWide value) { return value > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(value); }

} // namespace

std::uint64_t least_distinct_bytes(std::vector<Piece> pieces, const std::vector<Steps> &progressions) {
  if (pieces.empty())
    return 0;
  join(pieces);
  std::vector<Steps> all = progressions;
  UnsignedWide bytes = 0, extent = 0;
  if (const auto regular = progressions_of(pieces)) {
    all.insert(all.end(), regular->begin(), regular->end());
    bytes = extent = pieces.front().length;
  } else {
    for (const Piece &piece : pieces)
      bytes += piece.length;
    extent = pieces.back().start + pieces.back().length - pieces.front().start;
  }
  std::ranges::sort(all, {}, [](const Steps &steps) { return magnitude(steps.step); });
  // A set of at least so many bytes within an extent, moved by multiples of a step that are no shorter than the extent, meets itself nowhere.
  for (const Steps &steps : all) {
    const UnsignedWide step = magnitude(steps.step);
    if (step == 0 || steps.count < 2)
      continue;
    const UnsignedWide every = (extent + step - 1) / step;
    bytes = capped(bytes) * UnsignedWide{capped((steps.count + every - 1) / every)};
    extent = capped(extent) + UnsignedWide{capped(step * (steps.count - 1))};
  }
  return capped(bytes);
}

void Footprints::add(const Event &event, std::uint64_t width, bool write, std::uint32_t site, std::uint64_t executions,
                     std::optional<std::size_t> own_moves) {
  const Footprint &footprint = event.footprint;
  if (footprint.base == 0 || width == 0 || event.data || event.representative || !event.gates.empty()) {
    if (write)
      write_anywhere();
    else
      read_anywhere();
    return;
  }
  const Event::Side &side = event.copy ? *event.source : event.side;
  Key key{footprint.base, write, {}};
  auto &moves = std::get<2>(key);
  for (const Steps &steps : footprint.closed)
    moves.emplace_back(magnitude(steps.step), steps.count);
  std::ranges::sort(moves);
  Wide before = 0, after = 0; // how far its moves lead
  for (const Steps &steps : footprint.closed) {
    const Wide way = Wide{steps.step} * (steps.count > 0 ? steps.count - 1 : 0);
    (way < 0 ? before : after) += way;
  }
  Group &group = groups_[key];
  group.of_every_block &= own_moves.has_value() && before == 0;
  if (own_moves && (group.requested == 0 || *own_moves < group.own.size())) {
    const std::span own = std::span(footprint.closed).first(std::min(*own_moves, footprint.closed.size()));
    group.own.assign(own.begin(), own.end());
  }
  if (group.requested == 0)
    group.site = site;
  const auto lanes = static_cast<std::uint64_t>(std::popcount(side.request.active));
  group.requested =
      capped(UnsignedWide{group.requested} + UnsignedWide{capped(UnsignedWide{lanes * width} * executions)});
  const bool sectors_known = side.unknown_shift == 0 || side.unknown_shift % kSectorBytes == 0;
  // Most lanes go on where the one before has ended.
  const auto push = [](std::vector<Piece> &pieces, const Piece &piece) {
    if (!pieces.empty())
      if (Piece &last = pieces.back(); piece.start >= last.start && piece.start <= last.start + last.length) {
        last.length = std::max(last.length, piece.start - last.start + piece.length);
        return;
      }
    pieces.push_back(piece);
  };
  const auto add_at = [&](std::uint64_t way) {
    for_lanes(side.request.active, [&](unsigned lane) {
      // Addresses may lie before the base: what counts is where they lie to each other. Moves are upwards, from the lowest place on.
      const std::uint64_t start =
          side.request.address[lane] + way + static_cast<std::uint64_t>(before) + (std::uint64_t{1} << 62);
      push(group.pieces, {start, width});
      const auto place = static_cast<std::int64_t>(side.request.address[lane] + way);
      group.low = std::min(group.low, in_range(place + before));
      group.high = std::max(group.high, in_range(place + after + static_cast<Wide>(width)));
      if (sectors_known) {
        const std::uint64_t first = start / kSectorBytes * kSectorBytes;
        push(group.sectors, {first, (start + width + kSectorBytes - 1) / kSectorBytes * kSectorBytes - first});
      }
    });
  };
  add_at(0);
  for (const std::int64_t way : footprint.also) {
    if (group.pieces.size() > kMostPieces)
      break;
    add_at(static_cast<std::uint64_t>(way));
  }
  if (group.pieces.size() > kMostPieces) {
    join(group.pieces);
    join(group.sectors);
    // Still too many, in one piece each: the first ones will do.
    group.pieces.resize(std::min(group.pieces.size(), kMostPieces / 2));
    group.sectors.resize(std::min(group.sectors.size(), kMostPieces / 2));
  }
}

namespace {

using Part = Footprints::Part;

/// Whether no byte is in both.
bool apart(const Part &a, const Part &b) {
  if (a.base == b.base)
    return a.high <= b.low || b.high <= a.low;
  if (a.origin.memory == 0 || b.origin.memory == 0)
    return false;
  if (a.origin.memory != b.origin.memory) // a recorded address may be that of a variable
    return a.origin.memory != BaseOrigin::kRecorded && b.origin.memory != BaseOrigin::kRecorded;
  if (!a.origin.place || !b.origin.place)
    return false;
  // Wherever either of the two is the first one: launches that are taken for this one may have them the other way round.
  const Wide between = Wide{*a.origin.place} - *b.origin.place;
  return std::max(Wide{a.high} - b.low, Wide{b.high} - a.low) <= (between < 0 ? -between : between);
}

/// Bytes of parts of which no two have one in common: the larger ones first.
std::uint64_t sum_of_distinct(std::vector<Part> parts, std::uint64_t Part::*what = &Part::bytes) {
  constexpr std::size_t kMostTaken = 64; // more of them take time, and add little
  std::ranges::stable_sort(parts, std::greater(), what);
  std::vector<const Part *> taken;
  std::uint64_t sum = 0;
  for (const Part &part : parts) {
    if (taken.size() == kMostTaken)
      break;
    if (std::ranges::all_of(taken, [&](const Part *other) { return apart(part, *other); })) {
      taken.push_back(&part);
      sum = capped(UnsignedWide{sum} + std::min(part.*what, part.origin.bytes.value_or(UINT64_MAX)));
    }
  }
  return sum;
}

/// Where the parts of each base lie in all.
std::vector<Part> by_base(const std::vector<Part> &parts) {
  std::vector<Part> all;
  for (const Part &part : parts)
    if (const auto known = std::ranges::find(all, part.base, &Part::base); known == all.end()) {
      all.push_back(part);
    } else {
      known->low = std::min(known->low, part.low);
      known->high = std::max(known->high, part.high);
    }
  return all;
}

/// Bytes that pieces, or sectors, and what they are moved to have at least. Of sectors only moves count that keep them sectors.
std::uint64_t least_bytes(const std::vector<Piece> &pieces, const std::vector<Piece> &sectors,
                          const std::vector<Steps> &moves) {
  std::vector<Steps> whole;
  std::ranges::copy_if(moves, std::back_inserter(whole),
                       [](const Steps &steps) { return steps.step % kSectorBytes == 0; });
  return std::max(least_distinct_bytes(pieces, moves), least_distinct_bytes(sectors, whole));
}

std::vector<Steps> steps_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>> &moves) {
  std::vector<Steps> steps;
  for (const auto &[step, count] : moves)
    steps.push_back({static_cast<std::int64_t>(step), count});
  return steps;
}

} // namespace

/// Parts that groups of one base make which move by the same steps: each by itself, or all of them as far as all move, whichever is more. Warps of
/// which the last block has not all move less far than the others.
std::vector<Part> Footprints::parts_of(std::span<const Groups::value_type *const> groups, const BaseOrigin &origin) {
  constexpr std::int64_t kSector = kSectorBytes;
  const auto down = [](std::int64_t place) { return place - (place % kSector + kSector) % kSector; };
  std::vector<Part> single;
  Part together{std::get<0>(groups.front()->first), 0, 0, INT64_MAX, INT64_MIN, origin};
  std::vector<Piece> pieces, sectors;
  std::vector<Steps> common;
  for (const Groups::value_type *const one : groups) {
    const auto &[key, group] = *one;
    const std::vector<Steps> moves = steps_of(std::get<2>(key));
    single.push_back({std::get<0>(key), least_distinct_bytes(group.pieces, moves),
                      least_bytes(group.pieces, group.sectors, moves), down(group.low) - origin.offset,
                      down(group.high + kSector - 1) - origin.offset, origin});
    together.low = std::min(together.low, single.back().low);
    together.high = std::max(together.high, single.back().high);
    if (groups.size() == 1 || pieces.size() > kMostPieces)
      continue;
    pieces.insert(pieces.end(), group.pieces.begin(), group.pieces.end());
    sectors.insert(sectors.end(), group.sectors.begin(), group.sectors.end());
    if (common.empty())
      common = moves;
    for (std::size_t i = 0; i < common.size(); ++i)
      common[i].count = std::min(common[i].count, moves[i].count);
  }
  together.touched = least_distinct_bytes(pieces, common);
  together.bytes = least_bytes(pieces, sectors, common);
  if (together.bytes > sum_of_distinct(single))
    return {together};
  return single;
}

void Footprints::finish(LeastWork &work, const std::function<BaseOrigin(std::uint32_t base)> &origin_of) const {
  std::vector<Part> read, written;
  std::map<std::uint32_t, ArrayReads> reads;
  using Family = std::tuple<std::uint32_t, bool, std::vector<std::uint64_t>>; // base, whether it is written, steps
  std::map<Family, std::vector<const Groups::value_type *>> families;
  for (const Groups::value_type &one : groups_) {
    const auto &[key, group] = one;
    const auto &[base, write, moves] = key;
    Family family{base, write, {}};
    for (const auto &[step, count] : moves)
      std::get<2>(family).push_back(step);
    families[std::move(family)].push_back(&one);
    if (write)
      continue;
    ArrayReads &array = reads.try_emplace(base, ArrayReads{group.site, 0, 0, 0}).first->second;
    array.requested_bytes = capped(UnsignedWide{array.requested_bytes} + group.requested);
    if (group.of_every_block)
      array.block_bytes = std::max(array.block_bytes, least_distinct_bytes(group.pieces, group.own));
  }
  for (const auto &[family, groups] : families) {
    const auto &[base, write, steps] = family;
    for (Part &part : parts_of(groups, origin_of(base)))
      (write ? written : read).push_back(std::move(part));
  }
  for (auto &[base, array] : reads) {
    std::vector<Part> own;
    std::ranges::copy_if(read, std::back_inserter(own), [&](const Part &part) { return part.base == base; });
    array.least_bytes = sum_of_distinct(std::move(own), &Part::touched);
  }
  // Arrays of which it is not known that they are apart may be one. What is written to one is taken not to be read through another, unless their
  // origins say that it is; of the same one, a kernel may find in L2 what it has put there itself.
  const std::vector<Part> arrays_read = by_base(read), arrays_written = by_base(written);
  std::erase_if(read, [&](const Part &part) {
    const Part &array = *std::ranges::find(arrays_read, part.base, &Part::base);
    return std::ranges::any_of(arrays_written, [&](const Part &other) {
      return array.base == other.base ||
             (array.origin.memory != 0 && array.origin.memory == other.origin.memory && !apart(array, other));
    });
  });
  work.read_bytes = sum_of_distinct(std::move(read));
  work.written_bytes = sum_of_distinct(std::move(written));
  if (reads_known_)
    for (const auto &[base, array] : reads)
      work.reads.push_back(array);
  if (!writes_known_) {
    if (work.read_bytes > work.written_bytes)
      work.written_bytes = 0;
    else
      work.read_bytes = 0;
  }
}

} // namespace smem
