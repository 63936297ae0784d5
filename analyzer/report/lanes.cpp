#include "report/lanes.h"

#include "report/format.h"

#include <bit>
#include <cstdio>
#include <set>

namespace smem {
namespace {

unsigned lanes_per_phase(const Access &access) {
  if (access.operation == Operation::MatrixLoad || access.operation == Operation::MatrixStore)
    return 8;
  return access.width_bits >= 128 ? 8 : access.width_bits == 64 ? 16 : 32;
}

unsigned bytes_of(const Access &access) { return access.width_bits < 8 ? 1u : access.width_bits / 8u; }

std::vector<unsigned> list(LaneMask mask) {
  std::vector<unsigned> lanes;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (mask >> lane & 1)
      lanes.push_back(lane);
  return lanes;
}

/// Of the groups of `together` neighbouring lanes those that have an active one.
unsigned phases_with_lanes(LaneMask active, unsigned together) {
  unsigned phases = 0;
  for (unsigned first = 0; first < kWarpSize; first += together)
    phases += (active >> first & (~LaneMask{0} >> (kWarpSize - together))) != 0;
  return phases;
}

std::string bytes(std::uint64_t count) { return thousands(count) + (count == 1 ? " byte" : " bytes"); }

} // namespace

std::string describe_lanes(LaneMask mask) {
  const std::vector<unsigned> lanes = list(mask);
  if (lanes.empty())
    return "no lane";
  if (lanes.size() == 1)
    return "lane " + std::to_string(lanes[0]);

  // An arithmetic progression with gaps reads best as its first two members and its last.
  const unsigned step = lanes[1] - lanes[0];
  bool progression = step > 1 && lanes.size() > 3;
  for (std::size_t i = 1; i < lanes.size(); ++i)
    progression &= lanes[i] - lanes[i - 1] == step;
  if (progression)
    return "lanes " + std::to_string(lanes[0]) + "," + std::to_string(lanes[1]) + ",...," +
           std::to_string(lanes.back());

  std::string out = "lanes ";
  constexpr unsigned kMostRuns = 4;
  unsigned runs = 0;
  for (std::size_t i = 0; i < lanes.size();) {
    std::size_t last = i;
    while (last + 1 < lanes.size() && lanes[last + 1] == lanes[last] + 1)
      ++last;
    if (runs++ == kMostRuns)
      return out + ",...";
    if (i != 0)
      out += ",";
    out += std::to_string(lanes[i]);
    if (last != i)
      out += "-" + std::to_string(lanes[last]);
    i = last + 1;
  }
  return out;
}

std::optional<std::int64_t> lane_stride(const Request &request) {
  const std::vector<unsigned> lanes = list(request.active);
  if (lanes.size() < 2)
    return std::nullopt;
  const auto distance = [&](std::size_t i) {
    return static_cast<std::int64_t>(request.address[lanes[i]] - request.address[lanes[i - 1]]);
  };
  for (std::size_t i = 1; i < lanes.size(); ++i)
    if (lanes[i] != lanes[i - 1] + 1 || distance(i) != distance(1))
      return std::nullopt;
  return distance(1);
}

Pileup worst_pileup(const Request &request, const Access &access, const Architecture &architecture) {
  Pileup worst;
  const unsigned group = lanes_per_phase(access);
  for (unsigned first = 0; first < kWarpSize; first += group) {
    std::vector<std::set<std::uint64_t>> words(architecture.banks);
    std::vector<LaneMask> lanes(architecture.banks);
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (!(request.active >> lane & 1))
        continue;
      const std::uint64_t address = request.address[lane];
      for (std::uint64_t word = address / architecture.bank_bytes;
           word <= (address + bytes_of(access) - 1) / architecture.bank_bytes; ++word) {
        words[word % architecture.banks].insert(word);
        lanes[word % architecture.banks] |= LaneMask{1} << lane;
      }
    }
    for (unsigned bank = 0; bank < architecture.banks; ++bank)
      if (words[bank].size() > worst.words) {
        const LaneMask phase = group == 32 ? kFullMask : ((LaneMask{1} << group) - 1) << first;
        worst = {bank, static_cast<unsigned>(words[bank].size()), lanes[bank], phase};
      }
  }
  return worst;
}

std::string shared_cause(const Request &request, const Access &access, const Architecture &architecture) {
  const Pileup pileup = worst_pileup(request, access, architecture);
  const std::string bank = "bank " + std::to_string(pileup.bank);
  if (pileup.words <= 1) {
    const unsigned together = lanes_per_phase(access);
    return "no two lanes meet in a bank; " + bytes(bytes_of(access)) + " a lane are moved for " +
           std::to_string(together) + " lanes at a time, and the " + std::to_string(std::popcount(request.active)) +
           " active ones are in " + plural(phases_with_lanes(request.active, together), "such group");
  }
  std::string out;
  const auto stride = lane_stride(request);
  if (stride && *stride != 0 && pileup.lanes == (request.active & pileup.phase)) {
    const auto apart = static_cast<std::uint64_t>(*stride < 0 ? -*stride : *stride);
    out = describe_lanes(pileup.lanes) + ", each " + bytes(apart) + " from the next, all meet in " + bank;
  } else {
    out = describe_lanes(pileup.lanes) + " want " + std::to_string(pileup.words) + " different words of " + bank;
    if (stride && *stride != 0) {
      const auto apart = static_cast<std::uint64_t>(*stride < 0 ? -*stride : *stride);
      out += " (lanes are " + bytes(apart) + " apart)";
    }
  }
  return out;
}

std::string global_cause(const Request &request, const Access &access, const RequestCost &cost,
                         const Architecture &architecture) {
  const auto active = static_cast<unsigned>(std::popcount(request.active));
  std::string out;
  const auto stride = lane_stride(request);
  if (stride && *stride != 0) {
    const auto apart = static_cast<std::uint64_t>(*stride < 0 ? -*stride : *stride);
    out = "neighbouring lanes are " + bytes(apart) + " apart: ";
  }
  if (cost.sectors >= active && active > 1 && bytes_of(access) <= architecture.sector_bytes)
    out += "each lane moves a " + std::to_string(architecture.sector_bytes) + "-byte sector of its own for " +
           bytes(bytes_of(access));
  else
    out += std::to_string(active) + (active == 1 ? " lane touches " : " lanes touch ") +
           plural(cost.sectors, "sector") + ", their " + bytes(std::uint64_t{active} * bytes_of(access)) +
           " would fit into " + std::to_string(cost.ideal_sectors);
  return out;
}

unsigned distinct_lines(const Request &request, const Architecture &architecture) {
  std::set<std::uint64_t> lines;
  for (const unsigned lane : list(request.active))
    lines.insert(request.address[lane] / architecture.line_bytes);
  return static_cast<unsigned>(lines.size());
}

std::string lane_map(const Request &request, const Access &access, const Architecture &architecture) {
  std::string out = "lane  byte offset  banks\n";
  for (const unsigned lane : list(request.active)) {
    const std::uint64_t address = request.address[lane];
    const auto first = address / architecture.bank_bytes % architecture.banks;
    const auto last = (address + bytes_of(access) - 1) / architecture.bank_bytes % architecture.banks;
    char line[96];
    std::snprintf(line, sizeof line, "%4u  %11s  ", lane, thousands(address).c_str());
    out += line + std::to_string(first) + (last == first ? "" : "-" + std::to_string(last)) + "\n";
  }
  return out;
}

} // namespace smem
