// The analysis of one file: what the reports print.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "plan/launch_wish.h"
#include "sass/listing_cache.h"
#include "sass/machine_code_wish.h"
#include "sass/machine_input_kind.h"
#include "smem/arithmetic_work.h"
#include "smem/pattern.h"
#include "smem/program.h"
#include "smem/race.h"
#include "smem/simulate.h"
#include "support/diagnostic.h"

namespace smem {

/// Something that nobody knows of a launch and that its formulas are in.
struct LaunchSymbol {
  std::string name;                  ///< of a parameter, or "gridDim.x"
  std::string facts;                 ///< what is known of it: "n % 32 == 0, n >= 1"; empty: nothing
  std::optional<std::uint64_t> most; ///< the formulas hold up to this value
};

/// Requests to local memory, as the machine code has them: spilled registers, and arrays that are indexed at run time.
struct LocalTraffic {
  std::uint64_t load_requests = 0, store_requests = 0;
  bool exact = true; ///< false: at least so many
};

/// A request to shared memory that the first block makes.
struct SampledRequest {
  SiteId site = 0;
  Request request;
};

struct LaunchAnalysis {
  std::size_t program = 0; ///< index into FileAnalysis::programs
  Launch launch;
  SimulationResult result;
  std::vector<LaunchSymbol> symbols; ///< empty: everything is known, and no site has formulas
  std::optional<Races> races;        ///< in shared memory; only with AnalysisOptions::races
  std::optional<Races> global_races; ///< in global memory; only with AnalysisOptions::global_races
  std::optional<LocalTraffic> local; ///< where the machine code was executed
  ArithmeticWork
      arithmetic; ///< beside its memory instructions, at least; the larger bound where machine code was executed as well
  std::vector<SampledRequest>
      samples; ///< of a launch with bank conflicts, what hints are tried on: see sample_requests()
};

/// The version of a source file that predictions are about.
struct SourceVersion {
  std::string file;
  std::string sha256;  ///< of its bytes, 64 hexadecimal digits
  bool system = false; ///< a header of the toolkit or of the system, not the user's own
};

/// What ptxas has made of a kernel.
struct CompiledKernel {
  std::optional<std::uint32_t> registers;          ///< of a thread
  std::optional<std::uint32_t> stack_bytes;        ///< of a thread, in local memory
  std::optional<std::uint32_t> shared_bytes;       ///< of a block, as declared
  std::uint32_t local_loads = 0, local_stores = 0; ///< instructions
};

/// The machine code that a file's rows were settled with.
struct CompiledUse {
  std::string from;        ///< file and tools: "k.sass", "nvcc 13.0.88, nvdisasm 13.0.85"; empty: none was looked at
  std::string unavailable; ///< why there is none, where it was wanted only if it can be had
  std::map<std::string, CompiledKernel> kernels; ///< by mangled name
  std::size_t confirmed = 0, corrected = 0, absent = 0,
              open = 0; ///< rows (place, space, operation) of kernels; see sass/settle.h
};

struct FileAnalysis {
  std::string file;
  const Architecture *architecture = nullptr;
  Toolkit toolkit;
  std::vector<Program> programs;              ///< one per kernel (instantiation), in source order
  std::vector<std::vector<Pattern>> patterns; ///< by program, then by site; empty where there was no time for them
  std::vector<LaunchAnalysis> launches;       ///< several per program where host code launches it several times
  std::vector<SourceVersion> sources;         ///< the file, and every other that a kernel or one of its sites lies in
  SourceDependencies dependencies;            ///< what the analysis was made of; empty when it failed
  std::vector<Diagnostic> diagnostics;
  ArrayUses arrays;            ///< how the source indexes shared arrays
  UnitInterface unit;          ///< for the analysis of other files
  std::string assumed_headers; ///< FrontendResult::assumed_headers: nothing of the file is exact
  bool doubts_headers = false; ///< one is not there, or has another of its name beside it: no cost is claimed either
  std::string host_digest;     ///< AnalysisOptions::host_digest of what host code launches
  bool parsed = false;
  CompiledUse compiled;
  std::string
      machine_code; ///< not empty: the file is machine code, and what was run to read it: "k.cubin, nvdisasm 13.0.85"
  /// Of machine code, by mangled name and site: the byte offsets of the instructions in their function.
  std::map<std::string, std::vector<std::vector<std::uint64_t>>> addresses;
  std::vector<std::string> left_out; ///< kernels that AnalysisOptions::kernels does not name
  bool stopped = false; ///< ended by FrontendOptions::stop: diagnostics name what is missing. Not to be kept
};

class RecordedLaunches;

/// What an analysis is about to do.
struct AnalysisProgress {
  enum class Phase { FrontEnd, Lowering, Simulation };
  Phase phase = Phase::FrontEnd;
  std::string kernel; ///< of Simulation
  std::size_t number = 0,
              total = 0; ///< of Simulation: of its launches, those with the same results counted once; from 1
};

struct AnalysisOptions {
  FrontendOptions frontend;         ///< its `stop` holds for the whole analysis
  std::vector<std::string> kernels; ///< globs over display names; others are left out. Empty: all
  std::vector<LaunchWish> wishes;
  const RecordedLaunches *recorded = nullptr; ///< launches of kernels that are in it are those and no others
  SimulationOptions simulation;
  bool races = false;        ///< look for races in shared memory: LaunchAnalysis::races
  bool global_races = false; ///< and in global memory: LaunchAnalysis::global_races
  /// What the file is, if it is no source; `frontend.architecture` is then none where that of the file is taken.
  compiled::MachineInput input = compiled::MachineInput::None;
  compiled::MachineCodeWish machine_code; ///< to settle rows with
  std::string
      tools; ///< of machine_code: the toolkit whose programs are run; empty: wherever the user's environment has them
  std::vector<std::string> nvcc_flags;        ///< of machine_code
  compiled::ListingCache *listings = nullptr; ///< of machine_code, if there is one
  /// Where two analyses of a file differ in FrontendOptions::foreign alone and this says the same of both, they differ in FileAnalysis::unit alone.
  /// Empty: nobody asks.
  std::function<std::string(const HostLaunches &)> host_digest;
  /// Why `stop` ends an analysis, for messages.
  std::string stop_reason = "stopped";
  /// Called with what comes next, perhaps by several threads at the same time. Empty: nobody asks.
  std::function<void(const AnalysisProgress &)> progress;
  /// Calls body(0) ... body(count - 1), perhaps several at the same time, and returns when all have returned.
  std::function<void(std::size_t count, const std::function<void(std::size_t)> &body)> parallel_for =
      [](std::size_t count, const auto &body) {
        for (std::size_t i = 0; i < count; ++i)
          body(i);
      };
};

FileAnalysis analyze_file(const AnalysisOptions &options);
/// The same of AnalysisOptions::input.
FileAnalysis analyse_machine_code(const AnalysisOptions &options);

/// Drops the kernels that are not to be kept, and their launches. Where each of all programs is then; SIZE_MAX: gone.
std::vector<std::size_t> keep_programs(FileAnalysis &analysis, const std::function<bool(const Program &)> &keep);

} // namespace smem
