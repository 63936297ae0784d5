// cp.async.cg: data moves by 32-byte sectors from L2 into shared memory.
#include "sector_moves.h"

#include <algorithm>
#include <array>
#include <bit>

#include "shared_request.h"

namespace smem {
namespace {

constexpr unsigned kPieceBytes = 16, kSectorBytes = 32, kLineBytes = 128;

/// The halves of a sector that go from one source sector to one destination sector in one go. `swapped`: each half goes to the
/// other one's place.
struct Move {
  std::uint64_t source, destination; ///< numbers of sectors
  bool swapped;
  std::uint8_t halves; ///< bits: which halves of the destination are filled

  bool same_sectors(const Move &other) const {
    return source == other.source && destination == other.destination && swapped == other.swapped;
  }

  /// Moves that share wavefronts if their sectors differ.
  bool same_group(const Move &other) const {
    constexpr unsigned kSectorsOfLine = kLineBytes / kSectorBytes;
    return source / kSectorsOfLine == other.source / kSectorsOfLine && destination / kSectorsOfLine == other.destination / kSectorsOfLine &&
           swapped == other.swapped && halves == other.halves && ((source ^ destination) & 1) == ((other.source ^ other.destination) & 1);
  }
};

class Moves {
public:
  void add(std::uint64_t from, std::uint64_t to) {
    constexpr unsigned kPiecesOfSector = kSectorBytes / kPieceBytes;
    const std::uint64_t source = from / kPieceBytes, target = to / kPieceBytes;
    const Move move{source / kPiecesOfSector, target / kPiecesOfSector, ((source ^ target) & 1) != 0,
                    static_cast<std::uint8_t>(1u << (target & 1))};
    for (unsigned i = 0; i < size_; ++i)
      if (moves_[i].same_sectors(move)) {
        moves_[i].halves |= move.halves;
        return;
      }
    moves_[size_++] = move;
  }

  unsigned size() const { return size_; }

  /// In each group, a wavefront serves every source sector and every destination sector once.
  void count_wavefronts(RequestCost &cost) const {
    std::uint32_t counted = 0;
    for (unsigned first = 0; first < size_; ++first) {
      if ((counted >> first & 1) != 0)
        continue;
      std::array<unsigned, kWarpSize> group;
      unsigned members = 0;
      for (unsigned i = first; i < size_; ++i)
        if (moves_[i].same_group(moves_[first])) {
          counted |= 1u << i;
          group[members++] = i;
        }
      unsigned most = 0;
      for (unsigned i = 0; i < members; ++i) {
        unsigned same_source = 0, same_destination = 0;
        for (unsigned j = 0; j < members; ++j) {
          same_source += moves_[group[i]].source == moves_[group[j]].source;
          same_destination += moves_[group[i]].destination == moves_[group[j]].destination;
        }
        most = std::max({most, same_source, same_destination});
      }
      cost.wavefronts += most;
      cost.conflict_degree = std::max(cost.conflict_degree, most);
    }
  }

private:
  std::array<Move, kWarpSize> moves_;
  unsigned size_ = 0;
};

/// Lanes whose piece nobody else of `lanes` with a lower number has.
LaneMask first_of_each_piece(const Request &request, LaneMask lanes) {
  LaneMask result = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    LaneMask before = result;
    while (before != 0 && request.address[std::countr_zero(before)] / kPieceBytes != request.address[lane] / kPieceBytes)
      before &= before - 1;
    if (before == 0)
      result |= 1u << lane;
  }
  return result;
}

} // namespace

SectorMoves count_sector_moves(const Request &destination, const Request &source) {
  // Of the lanes that write one place, the lowest does; the others cost nothing.
  const LaneMask writers = first_of_each_piece(destination, destination.active);
  Moves moves;
  for (LaneMask rest = writers; rest != 0; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    moves.add(source.address[lane], destination.address[lane]);
  }
  SectorMoves result;
  const unsigned bytes = kPieceBytes * std::popcount(writers);
  result.cost.sectors = moves.size();
  result.cost.ideal_sectors = std::min(moves.size(), (bytes + kSectorBytes - 1) / kSectorBytes);
  moves.count_wavefronts(result.cost);
  result.cost.ideal_wavefronts = packed_wavefronts(writers, kPieceBytes);
  result.wavefronts_known = first_of_each_piece(source, writers) == writers;
  return result;
}

} // namespace smem
