// cp.async.cg: data moves by 32-byte sectors from L2 into shared memory.
#include "sector_moves.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sectors.h"
#include "shared_request.h"

namespace smem {
namespace {

constexpr unsigned kPieceBytes = 16;

/// The halves of a sector that go from one source sector to one destination sector in one pass. `swapped`: each half goes to the
/// other one's place.
struct Move {
  std::uint64_t source, destination; ///< numbers of sectors
  bool swapped;
  unsigned pass;
  std::uint8_t halves = 0; ///< bits: which halves of the destination are filled

  bool same_sectors(const Move &other) const {
    return source == other.source && destination == other.destination && swapped == other.swapped;
  }
  bool same_pass(const Move &other) const { return same_sectors(other) && pass == other.pass; }

  /// Moves that share a wavefront. No two of them have a sector in common.
  bool same_wavefront(const Move &other) const {
    return pass == other.pass && source / kSectorsOfLine == other.source / kSectorsOfLine &&
           destination / kSectorsOfLine == other.destination / kSectorsOfLine && swapped == other.swapped &&
           halves == other.halves && ((source ^ destination) & 1) == ((other.source ^ other.destination) & 1);
  }
};

/// A 16-byte piece on its way. A pass takes it once for each destination line, swapped or not.
struct MovedPart {
  std::uint64_t from, line;
  bool swapped;

  bool operator==(const MovedPart &) const = default;
};

class Moves {
public:
  /// To be called for the highest lane first: of the lanes that copy the same piece into one line, it goes in the first pass.
  void add(std::uint64_t source, std::uint64_t destination) {
    constexpr unsigned kPiecesOfSector = kSectorBytes / kPieceBytes;
    const std::uint64_t from = source / kPieceBytes, to = destination / kPieceBytes;
    const bool swapped = ((from ^ to) & 1) != 0;
    const MovedPart piece{from, destination / kLineBytes, swapped};
    const auto pass = static_cast<unsigned>(std::count(pieces_.begin(), pieces_.begin() + lanes_, piece));
    pieces_[lanes_++] = piece;
    const Move move{from / kPiecesOfSector, to / kPiecesOfSector, swapped, pass};
    Move *const end = moves_.data() + size_;
    Move *const found = std::find_if(moves_.data(), end, [&](const Move &other) { return other.same_pass(move); });
    if (found == end)
      moves_[size_++] = move;
    found->halves |= static_cast<std::uint8_t>(1u << (to & 1));
  }

  /// Moves of one sector in different passes count as one.
  unsigned sectors() const {
    return count_first([](const Move &a, const Move &b) { return a.same_sectors(b); });
  }

  unsigned passes() const {
    unsigned most = 0;
    for (unsigned i = 0; i < size_; ++i)
      most = std::max(most, moves_[i].pass + 1);
    return most;
  }

  unsigned wavefronts() const {
    return count_first([](const Move &a, const Move &b) { return a.same_wavefront(b); });
  }

private:
  /// Moves that are not the same as one before.
  template <class Same> unsigned count_first(Same same) const {
    unsigned count = 0;
    for (unsigned i = 0; i < size_; ++i)
      count +=
          std::none_of(moves_.begin(), moves_.begin() + i, [&](const Move &before) { return same(before, moves_[i]); });
    return count;
  }

  std::array<Move, kWarpSize> moves_;
  std::array<MovedPart, kWarpSize> pieces_;
  unsigned size_ = 0, lanes_ = 0;
};

/// Lanes whose piece nobody else of `lanes` with a lower number has.
LaneMask first_of_each_piece(const Request &request, LaneMask lanes) {
  LaneMask result = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    LaneMask before = result;
    while (before != 0 &&
           request.address[std::countr_zero(before)] / kPieceBytes != request.address[lane] / kPieceBytes)
      before &= before - 1;
    if (before == 0)
      result |= 1u << lane;
  }
  return result;
}

} // namespace

RequestCost sector_moves_cost(const Request &destination, const Request &source) {
  // Of the lanes that write one place, the lowest does; the others cost nothing.
  const LaneMask writers = first_of_each_piece(destination, destination.active);
  Moves moves;
  for (LaneMask rest = writers; rest != 0;) {
    const unsigned lane = std::bit_width(rest) - 1;
    rest ^= LaneMask{1} << lane;
    moves.add(source.address[lane], destination.address[lane]);
  }
  RequestCost cost;
  const unsigned bytes = kPieceBytes * std::popcount(writers);
  cost.sectors = moves.sectors();
  cost.ideal_sectors = std::min<unsigned>(cost.sectors, (bytes + kSectorBytes - 1) / kSectorBytes);
  cost.wavefronts = moves.wavefronts();
  cost.conflict_degree = moves.passes();
  cost.ideal_wavefronts = packed_wavefronts(writers, kPieceBytes);
  return cost;
}

} // namespace smem
