// The launches of a file with the machine code of its kernels: what differs from what the source says is settled.
#pragma once

#include <optional>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/simulate_launches.h"
#include "program/lower_options.h"
#include "sass/obtain.h"

namespace smem {

/// Where the machine code of one file comes from; a compiler starts when this is made, unless no kernel is looked at.
class MachineCodeSource {
public:
  explicit MachineCodeSource(const AnalysisOptions &options);

  bool wanted() const { return request_.has_value(); }
  compiled::ObtainedListings take(const FileAnalysis &analysis);

private:
  std::optional<compiled::MachineCodeRequest> request_;
};

/// `work`: the launches that were planned, by program; `complete`: whether all of a program's were simulated. What cannot be had or followed is among
/// the diagnostics.
void settle_launches(MachineCodeSource &source, const std::vector<SimulationJob> &work,
                     const std::vector<bool> &complete, const LowerOptions &lowering, const AnalysisOptions &options,
                     FileAnalysis &analysis);

} // namespace smem
