// Shared arrays in the launches of a file: what they cost, and what the first block does to them.
#pragma once

#include "analysis/analysis.h"
#include "fixes/search.h"
#include "fixes/traffic.h"
#include "smem/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace smem {

/// An array in one launch.
struct LaunchedArray {
  std::size_t launch = 0;   ///< index into FileAnalysis::launches
  std::uint32_t array = 0;  ///< index into Program::shared_arrays
  std::size_t variable = 0; ///< index into ArrayUses::variables
  ArrayCounts counts;
  ArrayInstance instance;
};

/// Of all launches of a file.
struct LaunchedArrays {
  std::vector<Trace> traces; ///< by launch; the arrays' traffic is of them
  std::vector<LaunchedArray> arrays;
};

/// By launch and array.
std::vector<std::vector<ArrayCounts>> counts_by_launch(const FileAnalysis &analysis);

/// Executes the first block of every launch with shared memory. Arrays that the source does not declare, or not with a size, are left out.
LaunchedArrays trace_launches(const FileAnalysis &analysis, const std::vector<std::vector<ArrayCounts>> &counts);

/// Variables that address the same memory, as indices: one layout serves all of a group.
std::vector<std::vector<std::size_t>> variable_groups(const ArrayUses &uses);

/// The program that is launched.
inline const Program &program_of(const FileAnalysis &analysis, const LaunchedArray &array) {
  return analysis.programs[analysis.launches[array.launch].program];
}

} // namespace smem
