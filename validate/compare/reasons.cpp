#include "reasons.h"

#include <algorithm>
#include <cstdio>

namespace smem::compare {
namespace {

/// Lines within which a compiler may book an instruction on another line of the same statement or block.
constexpr std::uint32_t kNeighbourhood = 12;

Figures predicted_of(const Row &row) { return row.predicted.value_or(Figures{}); }
Figures measured_of(const Row &row) { return row.measured.value_or(Figures{}); }

unsigned widest_predicted(const Row &row) {
  unsigned width = 0;
  for (const PredictedSite *site : row.sites)
    width = std::max(width, site->width);
  return width;
}

/// Widest and narrowest known width of the machine instructions that moved something.
std::pair<unsigned, unsigned> measured_widths(const Row &row) {
  unsigned widest = 0, narrowest = 0;
  for (const Instruction *instruction : row.instructions)
    if (instruction->width && !instruction->figures.nothing()) {
      widest = std::max(widest, instruction->width);
      narrowest = narrowest ? std::min(narrowest, instruction->width) : instruction->width;
    }
  return {widest, narrowest};
}

std::string bits(unsigned width) { return std::to_string(width).append("-bit"); }

/// Both figures per request the same, though the number of requests is not.
bool same_per_request(const Figures &a, const Figures &b) {
  return std::all_of(columns.begin(), columns.end(), [&](const Column &column) {
    return static_cast<long double>(a.*column.value) * static_cast<long double>(b.requests) ==
           static_cast<long double>(b.*column.value) * static_cast<long double>(a.requests);
  });
}

void set(Row &row, Cause cause, std::string reason) {
  row.cause = cause;
  row.reason = std::move(reason);
}

/// Pairs of rows that disagree alone and agree together.
void find_attribution(std::vector<Row> &rows) {
  for (Row &row : rows) {
    if (row.verdict != Verdict::Mismatch || row.cause != Cause::None)
      continue;
    for (Row &other : rows) {
      if (&other == &row || other.verdict != Verdict::Mismatch || other.cause != Cause::None ||
          other.space != row.space || other.operation != row.operation || other.place.file != row.place.file)
        continue;
      const auto [low, high] = std::minmax(row.place.line, other.place.line);
      if (high - low > kNeighbourhood)
        continue;
      Figures predicted = predicted_of(row), measured = measured_of(row);
      predicted += predicted_of(other);
      measured += measured_of(other);
      if (!predicted.agrees_with(measured))
        continue;
      set(row, Cause::Attribution,
          "the totals of this line and line " + std::to_string(other.place.line) +
              " together agree: the compiler attributes the access to the other line");
      set(other, Cause::Attribution,
          "the totals of this line and line " + std::to_string(row.place.line) +
              " together agree: the compiler attributes the access to the other line");
      break;
    }
  }
}

void explain(Row &row, bool spills) {
  const Figures predicted = predicted_of(row), measured = measured_of(row);
  const unsigned expected = widest_predicted(row);
  const auto [widest, narrowest] = measured_widths(row);
  if (row.cause == Cause::Undetermined)
    return set(row, row.cause,
               "launches of the same configuration were measured with different counts: arguments or data decide");
  if (row.operation == Operation::Undecoded)
    return set(row, Cause::Undecoded, "counts of a machine instruction that the table of opcodes does not know");
  if (!row.predicted)
    return set(row, Cause::NotPredicted, "no access of this kind was predicted on this line");
  if (!row.measured || row.instructions.empty())
    return set(
        row, Cause::Dropped,
        "the machine code has no such access on this line: dropped, hoisted, or merged into one of another line");
  if (expected && widest > expected)
    return set(row, Cause::Merged,
               "adjacent accesses were merged into " + bits(widest) + " ones; " + bits(expected) + " was predicted");
  if (expected && widest && narrowest < expected && widest < expected)
    return set(row, Cause::Split, "split into " + bits(widest) + " accesses; " + bits(expected) + " was predicted");
  const bool scaled = predicted.requests && measured.requests && same_per_request(predicted, measured);
  const std::string counts =
      std::to_string(measured.requests) + " requests against " + std::to_string(predicted.requests) + " predicted";
  if (measured.requests < predicted.requests && (scaled || row.claim != Claim::Exact || expected == widest))
    return set(row, Cause::Dropped,
               counts + (scaled ? ", the same cost each" : "") +
                   ": some are dropped, hoisted out of a loop, or kept in registers");
  if (measured.requests > predicted.requests && scaled)
    return set(row, Cause::Repeated, counts + ", the same cost each: repeated by unrolling, or executed more often");
  std::string text = measured.requests == predicted.requests
                         ? "the same requests and width, other counts: model or address error"
                         : counts + ": model or control-flow error";
  if (spills)
    text += " (the kernel spills registers)";
  set(row, Cause::Model, text);
}

} // namespace

void explain_mismatches(LaunchComparison &launch) {
  find_attribution(launch.rows);
  for (Row &row : launch.rows)
    if (row.verdict == Verdict::Mismatch && (row.cause == Cause::None || row.cause == Cause::Undetermined))
      explain(row, launch.spills);
}

std::string describe(const std::vector<const Instruction *> &instructions) {
  constexpr std::size_t most_addresses = 6;
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> groups;
  for (const Instruction *instruction : instructions) {
    std::string name = instruction->opcode.empty() ? "undecoded" : instruction->opcode;
    if (instruction->width)
      name += "." + std::to_string(instruction->width);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto &known) { return known.first == name; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {name, {}});
    group->second.push_back(instruction->pc);
  }
  std::string text;
  for (const auto &[name, addresses] : groups) {
    text += (text.empty() ? "" : "; ") + name;
    if (addresses.size() > 1)
      text += " \u00d7" + std::to_string(addresses.size());
    text += " at ";
    for (std::size_t i = 0; i < std::min(addresses.size(), most_addresses); ++i) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%s0x%llx", i ? ", " : "", static_cast<unsigned long long>(addresses[i]));
      text += digits;
    }
    if (addresses.size() > most_addresses)
      text += ", \u2026";
  }
  return text;
}

} // namespace smem::compare
