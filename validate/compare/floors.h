// Floors under times beside what Nsight Compute measured: time, and how busy the busiest units were.
#pragma once

#include "model.h"

#include <istream>
#include <string>
#include <vector>

namespace smem::compare {

/// A launch as `ncu --csv --page raw` has it.
struct ProfiledLaunch {
  std::string kernel; ///< without its parameters: "gemm<32>"
  Dim3 grid, block;
  double ns = 0; ///< gpu__time_duration.sum
  std::vector<std::pair<std::string, double>>
      units; ///< metrics in percent of the peak over the launch, the highest first
};

/// A launch as `smem-lint --format=json` has it.
struct FlooredLaunch {
  std::string kernel;
  Dim3 grid, block;
  double ns = 0; ///< the floor
  std::string gpu, binding;
  bool bound_by_throughput = true;
};

struct FloorRow {
  FlooredLaunch predicted;
  ProfiledLaunch measured; ///< the fastest of those that have this kernel, grid and block
  double share() const { return predicted.ns / measured.ns; }
};

/// Both throw InputError with a message for a person.
std::vector<ProfiledLaunch> read_profile(std::istream &in, const std::string &name);
std::vector<FlooredLaunch> read_floors(std::istream &in, const std::string &name);

/// The lowest share first. Of launches with one kernel, grid and block, which may have other arguments, the lowest floor is compared.
std::vector<FloorRow> compare_floors(const std::vector<FlooredLaunch> &predicted,
                                     const std::vector<ProfiledLaunch> &measured);

/// A table; those above the measured time are named below it.
std::string floors_text(const std::vector<FloorRow> &rows);
std::string floors_json(const std::vector<FloorRow> &rows);

} // namespace smem::compare
