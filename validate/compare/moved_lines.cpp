#include "moved_lines.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace smem::compare {
namespace {

bool may_have_moved(const Row &row) {
  return std::any_of(row.sites.begin(), row.sites.end(), [](const PredictedSite *site) { return site->line_assumed; });
}

bool has_at_least(const Figures &measured, const Figures &predicted) {
  return std::all_of(columns.begin(), columns.end(),
                     [&](const Column &column) { return measured.*column.value >= predicted.*column.value; });
}

/// Rows that what leaves its line can make: one that has nothing, one that nothing was predicted for, and one that has its own and more.
bool is_candidate(const Row &row) {
  if (row.verdict != Verdict::Mismatch || row.cause != Cause::None)
    return false;
  if (!row.predicted)
    return true;
  return row.claim == Claim::Assumed && may_have_moved(row) &&
         (!row.measured || has_at_least(*row.measured, *row.predicted));
}

std::string lines_of(const std::set<std::uint32_t> &lines) {
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (const std::uint32_t line : lines)
    text += (line == *lines.begin() ? "" : ", ") + std::to_string(line);
  return text;
}

void add(std::optional<Figures> &sum, const std::optional<Figures> &figures) {
  if (figures)
    sum = sum.value_or(Figures{}) += *figures;
}

/// Of rows of one file, space and operation; nothing where they do not agree.
std::optional<Row> joined(const std::vector<const Row *> &rows) {
  Row all = *rows.front();
  all.predicted.reset();
  all.measured.reset();
  all.sites.clear();
  all.instructions.clear();
  std::set<std::uint32_t> predicted, measured;
  bool begun = false;
  for (const Row *row : rows) {
    add(all.predicted, row->predicted);
    add(all.measured, row->measured);
    all.sites.insert(all.sites.end(), row->sites.begin(), row->sites.end());
    all.instructions.insert(all.instructions.end(), row->instructions.begin(), row->instructions.end());
    if (row->predicted) {
      predicted.insert(row->place.line);
      all.claim = begun ? std::max(all.claim, row->claim) : row->claim;
      if (!std::exchange(begun, true))
        all.place = row->place;
    }
    if (row->measured)
      measured.insert(row->place.line);
  }
  if (!all.predicted || !all.measured || !all.predicted->agrees_with(*all.measured))
    return std::nullopt;
  all.verdict = Verdict::Exact;
  all.reason = lines_of(predicted) + ", counted on " + lines_of(measured) + ": machine code need not keep the line";
  return all;
}

} // namespace

void join_moved_lines(std::vector<Row> &rows) {
  std::map<std::tuple<std::string, Space, Operation>, std::vector<const Row *>> groups;
  for (const Row &row : rows)
    if (is_candidate(row))
      groups[{row.place.file, row.space, row.operation}].push_back(&row);
  std::set<const Row *> gone;
  std::vector<Row> made;
  for (const auto &[what, group] : groups)
    if (std::optional<Row> row = group.size() > 1 ? joined(group) : std::nullopt) {
      made.push_back(std::move(*row));
      gone.insert(group.begin(), group.end());
    }
  if (made.empty())
    return;
  std::vector<Row> kept;
  for (Row &row : rows)
    if (!gone.contains(&row))
      kept.push_back(std::move(row));
  std::move(made.begin(), made.end(), std::back_inserter(kept));
  std::stable_sort(kept.begin(), kept.end(), [](const Row &a, const Row &b) {
    return std::tie(a.place, a.space, a.operation) < std::tie(b.place, b.space, b.operation);
  });
  rows = std::move(kept);
}

} // namespace smem::compare
