#include "floor/footprint.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

namespace smem {
namespace {

constexpr std::uint64_t kSectorBytes = 32;
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

std::uint64_t magnitude(std::int64_t step) {
  return step < 0 ? -static_cast<std::uint64_t>(step) : static_cast<std::uint64_t>(step);
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
  Group &group = groups_[key];
  group.of_every_block &= own_moves.has_value();
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
  const auto add_at = [&](std::uint64_t way) {
    for_lanes(side.request.active, [&](unsigned lane) {
      // Addresses may lie before the base: what counts is where they lie to each other.
      const std::uint64_t start = side.request.address[lane] + way + (std::uint64_t{1} << 62);
      group.pieces.push_back({start, width});
      if (sectors_known) {
        const std::uint64_t first = start / kSectorBytes * kSectorBytes;
        group.sectors.push_back({first, (start + width + kSectorBytes - 1) / kSectorBytes * kSectorBytes - first});
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

void Footprints::finish(LeastWork &work) const {
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> of_base; // read, written
  std::map<std::uint32_t, ArrayReads> reads;
  for (const auto &[key, group] : groups_) {
    const auto &[base, write, moves] = key;
    std::vector<Steps> progressions, whole;
    for (const auto &[step, count] : moves) {
      progressions.push_back({static_cast<std::int64_t>(step), count});
      if (step % kSectorBytes == 0) // those that keep sectors sectors; the others stay where they begin
        whole.push_back(progressions.back());
    }
    const std::uint64_t bytes =
        std::max(least_distinct_bytes(group.pieces, progressions), least_distinct_bytes(group.sectors, whole));
    auto &[read, written] = of_base[base];
    (write ? written : read) = std::max(write ? written : read, bytes);
    if (write)
      continue;
    ArrayReads &array = reads.try_emplace(base, ArrayReads{group.site, 0, 0, 0}).first->second;
    array.requested_bytes = capped(UnsignedWide{array.requested_bytes} + group.requested);
    array.least_bytes = std::max(array.least_bytes, least_distinct_bytes(group.pieces, progressions));
    if (group.of_every_block)
      array.block_bytes = std::max(array.block_bytes, least_distinct_bytes(group.pieces, group.own));
  }
  // Arrays with different bases may overlap where they are read. What is written to one is taken not to be read through another; of the same
  // one, a kernel may find in L2 what it has put there itself.
  for (const auto &[base, bytes] : of_base) {
    if (bytes.second == 0)
      work.read_bytes = std::max(work.read_bytes, bytes.first);
    work.written_bytes = std::max(work.written_bytes, bytes.second);
  }
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
