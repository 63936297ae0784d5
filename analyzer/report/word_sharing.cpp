#include "report/word_sharing.h"

#include "report/format.h"
#include "report/lanes.h"

#include <bit>
#include <map>

namespace smem {

WordSharing shared_words(const Request &request, const Access &access) {
  // Narrower atomics exchange the word around them.
  const std::uint64_t bytes = access.width_bits > 32 ? access.width_bits / 8u : 4;
  std::map<std::uint64_t, LaneMask> lanes;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (request.active >> lane & 1)
      lanes[request.address[lane] / bytes * bytes] |= LaneMask{1} << lane;
  WordSharing sharing;
  sharing.words = static_cast<unsigned>(lanes.size());
  for (const auto &[word, mask] : lanes)
    if (std::popcount(mask) > std::popcount(sharing.lanes)) {
      sharing.lanes = mask;
      sharing.word = word;
    }
  return sharing;
}

std::string serial_cause(const Request &request, const Access &access) {
  const WordSharing sharing = shared_words(request, access);
  const auto active = static_cast<unsigned>(std::popcount(request.active));
  if (sharing.words == 1)
    return describe_lanes(sharing.lanes) + " all update the word at byte " + thousands(sharing.word) +
           ", one after the other";
  return describe_lanes(sharing.lanes) + " update the word at byte " + thousands(sharing.word) +
         ", one after the other; " + plural(active, "lane") + " update " + plural(sharing.words, "word");
}

namespace {

/// What combines the values of a warp's lanes: there are instructions for integers of 32 bits.
std::string warp_reduction(const Access &access) {
  const auto instruction = [&]() -> std::string_view {
    switch (access.atomic) {
    case AtomicKind::Add:
    case AtomicKind::Increment: return "add";
    case AtomicKind::Min: return "min";
    case AtomicKind::Max: return "max";
    case AtomicKind::And: return "and";
    case AtomicKind::Or: return "or";
    case AtomicKind::Xor: return "xor";
    default: return "";
    }
  }();
  return access.width_bits == 32 && !instruction.empty()
             ? "__reduce_" + std::string(instruction) + "_sync, __shfl_xor_sync"
             : "__shfl_xor_sync";
}

} // namespace

std::string serial_hint(const Request &request, const Access &access) {
  if (access.atomic == AtomicKind::Increment && access.result_used)
    return "without its result, an atomicAdd of the constant 1 counts all lanes of a word at once; or let one lane of each word add "
           "__popc(__match_any_sync(...))";
  if (access.atomic == AtomicKind::Exchange || access.atomic == AtomicKind::CompareAndSwap)
    return {};
  if (shared_words(request, access).words == 1)
    return "combine the lanes' values first (" + warp_reduction(access) + "), and let one lane update the word";
  return "give each group of lanes a copy of its own and add the copies up at the end, or combine the lanes of a word first (__match_any_sync)";
}

} // namespace smem
