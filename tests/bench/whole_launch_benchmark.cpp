// Time of counting a whole launch: the GEMMs of the catalogue by problem size, and every file of the catalogue as it is.
//
// The programs are what the front end makes of kernels/*.cu, once at the start; only simulate() is measured, in CPU time.
// The cost should not depend on the grid or on trip counts: counter `vs_512` is the time over that of M=N=K=512, the two
// taken in turns so that a busy machine slows both.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "smem/simulate.h"

namespace {

using namespace smem;

const Architecture &architecture() { return *find_architecture("sm_90"); }

FileAnalysis analyze(const std::filesystem::path &file) {
  AnalysisOptions options;
  options.frontend.file = file.string();
  options.frontend.architecture = &architecture();
  FileAnalysis analysis = analyze_file(options);
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      std::fprintf(stderr, "%s: %s\n", file.c_str(), diagnostic.message.c_str());
  return analysis;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// A GEMM of the catalogue, whose parameters m, n and k are the problem's size and whose blocks each make `tile` x `tile`
/// elements of the result.
struct Gemm {
  const char *name;
  std::uint32_t tile;
  Program program;
  Launch launch;
};

Launch of_size(const Gemm &gemm, std::uint32_t size) {
  Launch launch = gemm.launch;
  const std::uint32_t blocks = (size + gemm.tile - 1) / gemm.tile;
  launch.grid = {blocks, blocks, 1};
  for (ArgumentValue &argument : launch.arguments) {
    const std::string &name = gemm.program.parameters[argument.index].name;
    if (name == "m" || name == "n" || name == "k")
      argument.value = size;
  }
  return launch;
}

double measure(const Gemm &gemm, const Launch &launch, SimulationResult &result) {
  const double start = cpu_seconds();
  result = simulate(gemm.program, launch, architecture());
  return cpu_seconds() - start;
}

void whole_launch(benchmark::State &state, const Gemm &gemm, std::uint32_t size) {
  const Launch launch = of_size(gemm, size), small = of_size(gemm, 512);
  SimulationResult result, reference;
  double own = 0, other = 0;
  for (auto _ : state) {
    const double seconds = measure(gemm, launch, result);
    other += measure(gemm, small, reference);
    own += seconds;
    state.SetIterationTime(seconds);
  }
  state.counters["vs_512"] = own / other;
  state.counters["steps"] = static_cast<double>(result.steps);
  state.counters["classes"] = static_cast<double>(result.block_classes);
  if (!std::all_of(result.sites.begin(), result.sites.end(),
                   [](const SiteResult &site) { return site.verdict == Verdict::Exact; }))
    state.SkipWithError("not every site is exact");
}

void whole_file(benchmark::State &state, const FileAnalysis &file) {
  double steps = 0;
  for (auto _ : state) {
    steps = 0;
    const double start = cpu_seconds();
    for (const LaunchAnalysis &launch : file.launches)
      steps += static_cast<double>(simulate(file.programs[launch.program], launch.launch, architecture()).steps);
    state.SetIterationTime(cpu_seconds() - start);
  }
  state.counters["launches"] = static_cast<double>(file.launches.size());
  state.counters["steps"] = steps;
}

void register_gemm(const std::filesystem::path &kernels, const char *name, std::uint32_t tile) {
  const FileAnalysis file = analyze(kernels / (std::string(name) + ".cu"));
  if (file.launches.empty()) {
    std::fprintf(stderr, "%s: nothing to measure\n", name);
    return;
  }
  static std::vector<std::unique_ptr<Gemm>> all;
  const LaunchAnalysis &first = file.launches.front();
  all.push_back(std::make_unique<Gemm>(Gemm{name, tile, file.programs[first.program], first.launch}));
  const Gemm &gemm = *all.back();
  for (const std::uint32_t size : {512u, 4096u, 16384u, 1000u, 4097u, 16383u})
    benchmark::RegisterBenchmark(("whole_launch/" + std::string(name) + "/" + std::to_string(size)).c_str(),
                                 [&gemm, size](benchmark::State &state) { whole_launch(state, gemm, size); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

void register_all(const std::filesystem::path &kernels) {
  register_gemm(kernels, "gemm_tiled", 32);
  register_gemm(kernels, "gemm_swizzled", 32);
  register_gemm(kernels, "gemm_register_tiled", 64);
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(kernels))
    if (entry.path().extension() == ".cu")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path &path : paths)
    benchmark::RegisterBenchmark(("catalogue/" + path.stem().string()).c_str(),
                                 [path](benchmark::State &state) { whole_file(state, analyze(path)); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  register_all(SMEM_LINT_KERNELS);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
