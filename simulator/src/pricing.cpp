#include "pricing.h"

#include <map>
#include <numeric>

#include "saturating.h"
#include "nest.h"

namespace smem {

/// How many of the executions that an event stands for are shifted by each pair of residues modulo 128.
std::vector<std::pair<Shift, std::uint64_t>> residues(const Event &event) {
  std::vector<std::pair<Shift, std::uint64_t>> histogram{{{}, event.multiplicity}};
  for (const Event::Nest &nest : event.nests) {
    std::map<Shift, std::uint64_t> next;
    for (const auto &[more, times] : residues(nest))
      for (const auto &[shift, weight] : histogram) {
        std::uint64_t &sum = next[{(shift.own + more.own) % kPeriod, (shift.source + more.source) % kPeriod}];
        sum = saturating_add(sum, saturating_multiply(weight, times));
      }
    histogram.assign(next.begin(), next.end());
  }
  for (const auto &[step, count] : event.progressions) {
    const unsigned own = static_cast<unsigned>(static_cast<std::uint64_t>(step.own) % kPeriod),
                   source = static_cast<unsigned>(static_cast<std::uint64_t>(step.source) % kPeriod);
    const unsigned period = kPeriod / std::gcd(std::gcd(own, source), kPeriod);
    if (period == 1) {
      for (auto &entry : histogram)
        entry.second = saturating_multiply(entry.second, count);
      continue;
    }
    std::map<Shift, std::uint64_t> next;
    for (unsigned k = 0; k < period && k < count; ++k) {
      const std::uint64_t times = count / period + (k < count % period);
      for (const auto &[shift, weight] : histogram) {
        std::uint64_t &sum = next[{(shift.own + k * own) % kPeriod, (shift.source + k * source) % kPeriod}];
        sum = saturating_add(sum, saturating_multiply(weight, times));
      }
    }
    histogram.assign(next.begin(), next.end());
  }
  return histogram;
}

Request moved(const Request &request, unsigned shift) {
  Request out = request;
  for (std::uint64_t &address : out.address)
    address += shift;
  return out;
}

Priced price(const Event &event, Shift shift, const Access &access, const Architecture &architecture) {
  if (!event.copy)
    return {evaluate(moved(event.side.request, shift.own), access, architecture), {}};
  const CopyCost copy = evaluate_copy(moved(event.side.request, shift.own), moved(event.source->request, shift.source),
                                      access, architecture);
  return {copy.cost, !copy.shared_unknown.empty() ? copy.shared_unknown : copy.global_unknown};
}

Priced price_whatever_shift(const Event &event, Shift shift, const Access &access, const Architecture &architecture) {
  const Priced priced = price(event, shift, access, architecture);
  bool same = true;
  for (unsigned more = event.side.unknown_shift; same && more && more < kPeriod; more += event.side.unknown_shift)
    same &= price(event, {shift.own + more, shift.source}, access, architecture) == priced;
  const unsigned source_shift = event.source ? event.source->unknown_shift : 0;
  for (unsigned more = source_shift; same && more && more < kPeriod; more += source_shift)
    same &= price(event, {shift.own, shift.source + more}, access, architecture) == priced;
  if (!same || (event.side.unknown_shift && source_shift))
    return {{}, kAlignmentNotKnown};
  return priced;
}

namespace {

/// The side moved by `shift`, and by whole periods to the lowest place for its first lane.
void normalise(const Event::Side &side, unsigned shift, Event::Side &out, std::uint64_t &hash) {
  const Request &request = side.request;
  out.unknown_shift = side.unknown_shift;
  out.request.active = request.active;
  const auto mix = [&](std::uint64_t more) { hash = (hash ^ more ^ (hash >> 29)) * 0x9e3779b97f4a7c15u; };
  mix(request.active);
  mix(side.unknown_shift);
  if (!request.active)
    return;
  const std::uint64_t whole = (request.address[first_lane(request.active)] + shift) / kPeriod * kPeriod;
  for_lanes(request.active, [&](unsigned lane) {
    out.request.address[lane] = request.address[lane] + shift - whole;
    mix(out.request.address[lane]);
  });
}

bool equal(const Event::Side &a, const Event::Side &b) {
  return a.unknown_shift == b.unknown_shift && a.request.active == b.request.active &&
         a.request.address == b.request.address;
}

} // namespace

Priced Prices::of(const Event &event, Shift shift, const Access &access) {
  Known wanted;
  wanted.operation = event.operation;
  wanted.space = event.space;
  wanted.copy = event.copy;
  std::uint64_t hash = event.operation * 8u + static_cast<unsigned>(event.space) * 2u + event.copy;
  normalise(event.side, shift.own, wanted.side, hash);
  if (event.copy)
    normalise(*event.source, shift.source, wanted.source, hash);
  constexpr std::size_t kMost = 4096; // more is slower to look up than to compute
  if (known_.size() > kMost)
    known_.clear();
  Known &known = known_[hash];
  const bool same = known.operation == wanted.operation && known.space == wanted.space && known.copy == wanted.copy &&
                    equal(known.side, wanted.side) && equal(known.source, wanted.source);
  if (same && known.filled)
    return known.priced;
  known = wanted;
  known.filled = true;
  return known.priced = price_whatever_shift(event, shift, access, architecture_);
}

} // namespace smem
