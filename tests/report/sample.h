// A hand-made analysis: a kernel that reads a tile by columns and a matrix by rows, and one instruction nobody can follow.
#pragma once

#include "analysis/analysis.h"

#include <string>

namespace smem::testing {

inline const std::string kSampleFile = "sample.cu";
inline const std::string kSampleSource = R"(// A sample.
__global__ void transpose(float *out, const float *in, const int *order, int n) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x * n + threadIdx.y];
  __syncthreads();
	out[order[threadIdx.x]] = tile[threadIdx.x][threadIdx.y];
}
)";

inline Site make_site(unsigned line, unsigned column, Space space, Operation operation, std::string expression,
                      std::string array) {
  Site site;
  site.location = {kSampleFile, line, column};
  site.access.space = space;
  site.access.operation = operation;
  site.expression = std::move(expression);
  site.array = std::move(array);
  return site;
}

inline Example strided(std::uint64_t stride, RequestCost cost) {
  Example example;
  example.request.active = kFullMask;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    example.request.address[lane] = lane * stride;
  example.cost = cost;
  return example;
}

inline FileAnalysis sample() {
  FileAnalysis file;
  file.file = kSampleFile;
  file.architecture = find_architecture("sm_90");
  file.parsed = true;

  Program program;
  program.kernel = "transpose";
  program.mangled = "_Z9transposePfPKfPKii";
  program.location = {kSampleFile, 2, 17};
  program.parameters = {{"out", "float *", 8, true},
                        {"in", "const float *", 8, true},
                        {"order", "const int *", 8, true},
                        {"n", "int", 4, false}};
  program.shared_arrays = {{"tile", 4096, 4, false, {kSampleFile, 3, 20}, "__shared__ float tile[32][32]"}};
  program.sites = {make_site(6, 28, Space::Shared, Operation::Load, "tile[threadIdx.x][threadIdx.y]", "tile"),
                   make_site(4, 36, Space::Global, Operation::Load, "in[threadIdx.x * n + threadIdx.y]", "in"),
                   make_site(4, 3, Space::Shared, Operation::Store, "tile[threadIdx.y][threadIdx.x]", "tile"),
                   make_site(6, 2, Space::Global, Operation::Store, "out[order[threadIdx.x]]", "out"),
                   make_site(6, 6, Space::Global, Operation::Load, "order[threadIdx.x]", "order")};
  file.programs.push_back(program);

  LaunchAnalysis analysis;
  analysis.launch.mangled = program.mangled;
  analysis.launch.grid = {128, 128, 1};
  analysis.launch.block = {32, 32, 1};
  analysis.launch.location = {kSampleFile, 40, 3};
  analysis.launch.arguments = {{0, 0, 64, true, 0, 256, Provenance::HostCode},
                               {3, 0, 32, false, 4096, 0, Provenance::HostCode}};
  SimulationResult &result = analysis.result;
  result.shared_bytes = 4096;
  result.sites.resize(program.sites.size());
  const std::uint64_t requests = 16384 * 32;
  result.sites[0].counts = {requests, requests * 32, requests, 0, 0, 0, 32};
  result.sites[0].shared_example = strided(128, {32, 1, 32, 0, 0, 0});
  result.sites[1].counts = {requests, 0, 0, requests * 32, requests * 4, requests * 32, 0};
  result.sites[1].global_example = strided(4096 * 4, {0, 0, 0, 32, 4, 32});
  result.sites[2].counts = {requests, requests, requests, 0, 0, 0, 1};
  result.sites[3].verdict = Verdict::Unknown;
  result.sites[3].reason = "depends on order[threadIdx.x], loaded from global memory";
  result.sites[3].reason_location = {kSampleFile, 6, 6};
  result.sites[4].counts = {requests, 0, 0, requests * 4, requests * 4, requests, 0};
  for (SiteResult &site : result.sites)
    site.executed = true;
  file.launches.push_back(std::move(analysis));
  return file;
}

} // namespace smem::testing
