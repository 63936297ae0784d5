#include "sector_use.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>

#include "classes.h"
#include "machine.h"
#include "sectors.h"

namespace smem {
namespace {

/// A sector of a request, and its bytes that the lanes access.
struct TouchedSector {
  std::uint64_t sector = 0;
  std::uint32_t bytes = 0;
};

} // namespace

bool lie_far_apart(const Request &request) {
  std::array<std::uint64_t, kWarpSize> lines{};
  std::size_t count = 0;
  for_lanes(request.active, [&](unsigned lane) { lines[count++] = request.address[lane] / kLineBytes; });
  std::sort(lines.begin(), lines.begin() + count);
  const auto distinct = static_cast<std::size_t>(std::unique(lines.begin(), lines.begin() + count) - lines.begin());
  return distinct > (count + kSectorsOfLine - 1) / kSectorsOfLine + 1;
}

void SectorStays::leave(Line &line, std::vector<SectorUse> &use) {
  for (auto *stays : {&line.loads, &line.stores})
    for (Stay &stay : *stays) {
      for (const Visit &visit : stay.visits) {
        SectorUse &sum = use[visit.site];
        sum.sectors += visit.requests;
        sum.own_bytes += visit.own_bytes;
        sum.bytes += std::uint64_t{visit.requests} * static_cast<unsigned>(std::popcount(stay.used));
      }
      stay.visits.clear();
      stay.used = 0;
    }
}

SectorStays::Line &SectorStays::line(std::uint32_t base, std::uint64_t number, std::vector<SectorUse> &use) {
  const auto [place, fresh] = places_.try_emplace(Name{base, number});
  if (!fresh) {
    lines_.splice(lines_.end(), lines_, place->second);
    return lines_.back();
  }
  if (lines_.size() >= most_lines_) {
    leave(lines_.front(), use);
    places_.erase(lines_.front().name);
    lines_.splice(lines_.end(), lines_, lines_.begin());
  } else {
    lines_.emplace_back();
  }
  lines_.back().name = {base, number};
  place->second = std::prev(lines_.end());
  return lines_.back();
}

void SectorStays::touch(const Touch &touch, std::vector<SectorUse> &use) {
  const Request &request = *touch.request;
  std::array<TouchedSector, kWarpSize> pieces;
  std::size_t count = 0;
  for_lanes(request.active, [&](unsigned lane) {
    const std::uint64_t address = request.address[lane], sector = address / kSectorBytes;
    const std::uint32_t bytes =
        static_cast<std::uint32_t>(((std::uint64_t{1} << touch.bytes) - 1) << address % kSectorBytes);
    const auto known = std::find_if(pieces.begin(), pieces.begin() + count,
                                    [&](const TouchedSector &piece) { return piece.sector == sector; });
    if (known == pieces.begin() + count)
      pieces[count++] = {sector, bytes};
    else
      known->bytes |= bytes;
  });
  const bool apart = !touch.alone && lie_far_apart(request);
  if (touch.alone || apart) {
    SectorUse &sum = use[touch.site];
    for (std::size_t i = 0; i < count; ++i) {
      ++sum.sectors;
      sum.own_bytes += static_cast<unsigned>(std::popcount(pieces[i].bytes));
      sum.bytes += static_cast<unsigned>(std::popcount(pieces[i].bytes));
    }
    if (touch.alone)
      return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    Line &home = line(touch.base, pieces[i].sector / kSectorsOfLine, use);
    if (apart)
      continue; // it pushes others out, no more
    Stay &stay = (touch.store ? home.stores : home.loads)[pieces[i].sector % kSectorsOfLine];
    stay.used |= pieces[i].bytes;
    auto visit = std::find_if(stay.visits.begin(), stay.visits.end(),
                              [&](const Visit &each) { return each.site == touch.site; });
    if (visit == stay.visits.end())
      visit = stay.visits.insert(visit, {touch.site, 0, 0});
    ++visit->requests;
    visit->own_bytes += static_cast<unsigned>(std::popcount(pieces[i].bytes));
  }
}

void SectorStays::end(bool finished, std::vector<SectorUse> &use) {
  if (finished)
    for (Line &each : lines_)
      leave(each, use);
  lines_.clear();
  places_.clear();
}

std::uint32_t lines_of_a_warp(const Launch &launch, std::uint64_t shared_bytes, const Architecture &architecture) {
  const std::uint64_t warps = (launch.block.count() + kWarpSize - 1) / kWarpSize;
  const Capacity &capacity = architecture.capacity;
  std::uint64_t blocks =
      std::min<std::uint64_t>(architecture.max_blocks_per_sm, architecture.max_threads_per_sm / (warps * kWarpSize));
  const std::uint64_t taken = shared_bytes ? shared_bytes + capacity.reserved_per_block : 0;
  if (taken)
    blocks = std::min(blocks, capacity.shared_per_sm / taken);
  blocks = std::max<std::uint64_t>(blocks, 1);
  const std::uint64_t left = capacity.combined_bytes - std::min<std::uint64_t>(blocks * taken, capacity.shared_per_sm);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(left / kLineBytes / (blocks * warps), 1));
}

SectorWatch::SectorWatch(Machine &machine, std::uint32_t lines)
    : machine_(machine), lines_(lines), use_(machine.program.sites.size()), unknown_(machine.program.sites.size()) {}

void SectorWatch::touch(std::uint32_t warp, std::uint32_t index, const Value &address, LaneMask mask) {
  const MemoryOperation &operation = machine_.program.memory_operations[index];
  if (operation.site == kNone || !mask)
    return;
  std::vector<std::pair<std::uint32_t, std::int64_t>> base;
  std::uint64_t alignment = kSectorBytes; // of all that is not known of the address
  bool together = true;
  for (const Term &term : address.terms) {
    if (!is_symbol(term.dimension))
      continue; // blocks: this one is at 0
    together &= uniform_over(term, mask);
    const std::int64_t factor = term.at(first_lane(mask));
    if (factor == 0)
      continue;
    base.emplace_back(term.dimension, factor);
    const unsigned zeros = std::min(std::countr_zero(static_cast<std::uint64_t>(factor)), 5);
    alignment = std::min<std::uint64_t>(
        alignment, std::min<std::uint64_t>(machine_.symbols[term.dimension].alignment, kSectorBytes) << zeros);
  }
  if (!together || alignment < kSectorBytes) {
    unknown_[operation.site] = true;
    return;
  }
  Request request;
  request.active = mask;
  for_lanes(mask, [&](unsigned lane) { request.address[lane] = static_cast<std::uint64_t>(address.at(lane)); });
  const Access &access = operation.access;
  SectorStays::Touch touch;
  touch.site = operation.site;
  touch.base = bases_.try_emplace(std::move(base), static_cast<std::uint32_t>(bases_.size())).first->second;
  touch.request = &request;
  touch.bytes = std::min<std::uint32_t>(std::max(access.width_bits / 8u, 1u), kSectorBytes);
  touch.store = access.operation == Operation::Store;
  touch.alone = access.bypass_l1 || access.operation == Operation::Atomic;
  warps_.try_emplace(warp, lines_).first->second.touch(touch, use_);
}

void SectorWatch::lose(std::uint32_t index) {
  if (const SiteId site = machine_.program.memory_operations[index].site; site != kNone)
    unknown_[site] = true;
}

void SectorWatch::end_warp(std::uint32_t warp, bool finished) {
  if (const auto stays = warps_.find(warp); stays != warps_.end()) {
    stays->second.end(finished, use_);
    warps_.erase(stays);
  }
}

std::vector<SectorUse> SectorWatch::take() {
  for (SiteId site = 0; site < use_.size(); ++site)
    if (unknown_[site])
      use_[site] = {};
  return std::move(use_);
}

std::uint64_t count_sector_use(const Program &program, const Launch &launch, const Architecture &architecture,
                               const SimulationOptions &options, SimulationResult &result) {
  SimulationOptions one_by_one = options;
  one_by_one.classes = false;
  Machine machine(program, launch, architecture, one_by_one);
  const std::vector<Problem> problems = check_launch(machine);
  if (std::any_of(problems.begin(), problems.end(), fatal))
    return 0;
  SectorWatch watch(machine, lines_of_a_warp(launch, machine.shared_bytes, architecture));
  machine.sector_watch = &watch;
  const Dim3 &at = result.typical_block;
  const Box block{{{0, 1, at.x, 1}, {1, 1, at.y, 1}, {2, 1, at.z, 1}}};
  const auto warps = static_cast<std::uint32_t>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  const std::uint32_t together = machine.values_in_shared ? warps : 1;
  const std::uint64_t share = options.max_steps / (warps / together);
  for (std::uint32_t first = 0; first < warps; first += together) {
    machine.step_limit = machine.steps + share;
    machine.events = 0;
    Scopes scopes(block);
    const bool finished = execute_block(machine, scopes, first, first + together) == Warp::Status::Finished;
    for (std::uint32_t warp = first; warp < first + together; ++warp)
      watch.end_warp(warp, finished);
  }
  const std::vector<SectorUse> use = watch.take();
  for (SiteId site = 0; site < result.sites.size() && site < use.size(); ++site)
    if (use[site].sectors)
      result.sites[site].sector_use = use[site];
  return machine.steps;
}

} // namespace smem
