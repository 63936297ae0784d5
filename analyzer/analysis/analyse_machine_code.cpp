// Machine code that is analysed by itself: cubins, what holds them, PTX, listings.
#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include "analysis/analysis.h"
#include "analysis/calibrate.h"
#include "analysis/compiled_sources.h"
#include "analysis/count_launches.h"
#include "analysis/sample_requests.h"
#include "analysis/simulate_launches.h"
#include "analysis/steps.h"
#include "ir/lower.h"
#include "plan/kernel_names.h"
#include "plan/launch_file.h"
#include "plan/launch_plan.h"
#include "plan/launch_spec.h"
#include "plan/recorded_launches.h"
#include "smem/floor.h"
#include "sass/machine_input.h"
#include "sass/machine_kernels.h"
#include "sass/triton_metadata.h"
#include "sinks/files.h"
#include "support/paths.h"

namespace smem {
namespace {

using compiled::MachineKernel;
using Severity = Diagnostic::Severity;

LowerOptions toolkit_files(const AnalysisOptions &options) {
  LowerOptions lowering;
  const Toolkit &toolkit = options.frontend.toolkit;
  lowering.is_toolkit_file = [root = toolkit.shipped ? std::string() : normalise_path(toolkit.root)](
                                 std::string_view path) { return lies_in(path, root); };
  lowering.stop = options.frontend.stop;
  return lowering;
}

class Analyser {
public:
  explicit Analyser(const AnalysisOptions &given) : options_(given) {}

  FileAnalysis run() {
    analysis_.file = options_.frontend.file;
    analysis_.toolkit = options_.frontend.toolkit;
    analysis_.architecture = options_.frontend.architecture;
    if (options_.progress)
      options_.progress({AnalysisProgress::Phase::FrontEnd, {}, 0, 0});
    compiled::ObtainedCode code = obtain();
    analysis_.parsed = !code.listings.empty() || !code.passed_over.empty();
    analysis_.machine_code = code.from;
    if (const Architecture *architecture = find_architecture(code.architecture))
      options_.frontend.architecture = analysis_.architecture = architecture;
    if (!analysis_.architecture)
      analysis_.architecture = find_architecture("sm_90"); // of nothing
    if (ended() || code.listings.empty())
      return std::move(analysis_);
    if (options_.progress)
      options_.progress({AnalysisProgress::Phase::Lowering, {}, 0, 0});
    read_metadata();
    find_kernels(code.listings);
    if (ended())
      return std::move(analysis_);
    find_patterns_of(analysis_, options_);
    simulate();
    note_end(analysis_, options_);
    leave_local_accesses();
    sample_requests(analysis_);
    return std::move(analysis_);
  }

private:
  void say(Severity severity, const SourceLocation &where, std::string message, bool incomplete = false) {
    Diagnostic one{severity, where.known() ? where : SourceLocation{analysis_.file, 0, 0}, std::move(message),
                   incomplete};
    if (std::ranges::none_of(analysis_.diagnostics, [&](const Diagnostic &said) {
          return said.location == one.location && said.message == one.message;
        }))
      analysis_.diagnostics.push_back(std::move(one));
  }

  bool ended() {
    if (!options_.frontend.stop.stop_requested())
      return false;
    say(Severity::Error, {}, "not analysed: " + options_.stop_reason + "; --kernel chooses some of its kernels", true);
    analysis_.stopped = true;
    return true;
  }

  bool is_wanted(const std::string &mangled) const {
    if (options_.kernels.empty())
      return true;
    Program program;
    program.mangled = mangled;
    program.kernel = kernel_display_name(mangled);
    return std::ranges::any_of(options_.kernels,
                               [&](const std::string &glob) { return kernel_matches(glob, program); });
  }

  compiled::ObtainedCode obtain() {
    compiled::MachineInputWish wish;
    wish.path = options_.frontend.file;
    wish.kind = options_.input;
    wish.architecture = options_.frontend.architecture ? options_.frontend.architecture->name : "";
    wish.toolkit = options_.tools;
    wish.models = [](const std::string &name) { return find_architecture(name) != nullptr; };
    wish.wanted = [this](const std::string &mangled) { return is_wanted(mangled); };
    wish.stop = options_.frontend.stop;
    compiled::ObtainedCode code = compiled::obtain_code(wish);
    for (const std::string &note : code.notes)
      say(Severity::Note, {}, note);
    for (const std::string &error : code.errors)
      say(Severity::Error, {}, error);
    for (const std::string &mangled : code.passed_over)
      analysis_.left_out.push_back(kernel_display_name(mangled));
    return code;
  }

  /// What stands in a JSON file beside it: Triton's metadata, or launches.
  void read_metadata() {
    constexpr std::size_t kLargest = std::size_t{64} << 20;
    const std::string &file = analysis_.file;
    const std::string stem = file.substr(0, file.rfind('.'));
    std::string wrong;
    const std::optional<std::string> json = sinks::read_file(stem + ".json", wrong, kLargest);
    if (!json || stem.size() <= file.rfind('/') + 1)
      return;
    triton_ = compiled::read_triton_metadata(*json, wrong);
    if (!triton_ && wrong.empty())
      beside_ = read_launch_file(*json, stem + ".json", wrong);
    if (!triton_) {
      if (!wrong.empty())
        say(Severity::Warning, {stem + ".json", 0, 0}, "this metadata is damaged: " + wrong, /*incomplete=*/true);
      return;
    }
    if (const std::optional<std::string> ir = sinks::read_file(stem + ".ttir", wrong, kLargest))
      triton_arguments_ = compiled::read_triton_arguments(*ir, triton_->name);
    triton_wish_.kernel.clear();
    triton_wish_.provenance = Provenance::Config;
    triton_wish_.location = {stem + ".json", 1, 0};
    triton_wish_.block = Dim3{32 * triton_->warps, 1, 1};
    if (triton_->shared)
      triton_wish_.dynamic_shared_bytes = *triton_->shared;
  }

  bool is_tritons(const Program &program) const { return triton_ && triton_->name == program.mangled; }

  /// Names, and the configuration as if it were arguments of a template: kernels of one name are told apart, and counted as one.
  void describe_as_tritons(Program &program) {
    const auto part = [](const char *name, std::uint32_t value) {
      return std::string(name) + "=" + std::to_string(value);
    };
    program.kernel += "<" + part("num_warps", triton_->warps);
    if (triton_->stages)
      program.kernel += ", " + part("num_stages", *triton_->stages);
    if (triton_->blocks_of_a_cluster > 1)
      program.kernel += ", " + part("num_ctas", triton_->blocks_of_a_cluster);
    if (!triton_->hash.empty())
      program.kernel += ", " + triton_->hash.substr(0, 8);
    program.kernel += ">";
    for (std::size_t i = 0; i < std::min(triton_arguments_.size(), program.parameters.size()); ++i) {
      const compiled::TritonArgument &argument = triton_arguments_[i];
      Parameter &parameter = program.parameters[i];
      parameter.name = argument.name;
      if (argument.pointer && parameter.size == 8) {
        parameter.pointer = true;
        parameter.type = "void *";
      } else if (!argument.pointer && argument.divisibility > 1) {
        ArgumentFacts facts;
        facts.modulus = argument.divisibility;
        triton_wish_.facts.emplace_back(argument.name, facts);
      }
    }
  }

  /// Of several cubins that have a kernel, as libraries have instantiations of one template in each of their files, the first.
  void find_kernels(const std::vector<compiled::Listing> &listings) {
    CompiledSources sources(listings, analysis_.file, toolkit_files(options_));
    const compiled::SourcePlaces places{[&](const auto &chain) { return sources.place(chain); },
                                        [&](const SourceLocation &location) { return sources.text(location); },
                                        [&](std::string_view path) { return sources.is_toolkit(path); }};
    std::set<std::string> known;
    std::vector<MachineKernel> kernels;
    std::size_t without_lines = 0, again = 0;
    for (const compiled::Listing &listing : listings)
      for (const compiled::ListedFunction &function : listing.functions) {
        if (!function.kernel)
          continue;
        if (!known.insert(function.name).second) {
          ++again;
          continue;
        }
        const std::string display = kernel_display_name(function.name);
        if (!is_wanted(function.name)) {
          analysis_.left_out.push_back(display);
          continue;
        }
        if (ended())
          return;
        MachineKernel kernel = compiled::machine_kernel(listing, function, display, places);
        const SourceLocation where = kernel.program.location;
        if (!kernel.error.empty()) {
          say(Severity::Warning, where, display + " is not analysed: " + kernel.error, /*incomplete=*/true);
          continue;
        }
        if (const std::string wrong = verify(kernel.program); !wrong.empty()) {
          say(Severity::Error, where, "internal error: the program of " + display + " is malformed: " + wrong);
          continue;
        }
        if (!kernel.complete)
          say(Severity::Warning, where, display + " calls functions that were not inlined: their accesses are missing",
              /*incomplete=*/true);
        without_lines += !where.known();
        if (is_tritons(kernel.program))
          describe_as_tritons(kernel.program);
        kernels.push_back(std::move(kernel));
      }
    if (known.empty())
      say(Severity::Error, {}, "it has no kernels: the listing names no function STO_CUDA_ENTRY");
    if (again != 0)
      say(Severity::Note, {},
          std::to_string(again) + (again == 1 ? " kernel has" : " kernels have") +
              " the name of one in another of its cubins; the first of each name is analysed");
    if (without_lines != 0 && !kernels.empty())
      say(Severity::Note, {},
          (without_lines == kernels.size() ? std::string("it has")
                                           : std::to_string(without_lines) + " of its kernels have") +
              " no line information: accesses are named by their instructions (nvcc and ptxas: -lineinfo)");
    for (const std::string &changed : sources.changed())
      say(Severity::Note, {},
          seen_from_here(changed) + " is not as it was compiled: lines are those that the machine code names");
    std::ranges::stable_sort(kernels, {}, [](const MachineKernel &kernel) {
      return std::tie(kernel.program.location, kernel.program.kernel);
    });
    std::set<std::string> files;
    for (MachineKernel &kernel : kernels) {
      const compiled::ListedResources &taken = kernel.resources;
      analysis_.compiled.kernels[kernel.program.mangled] = {taken.registers, taken.stack_bytes, taken.shared_bytes,
                                                            taken.local_loads, taken.local_stores};
      if (kernel.program.location.known())
        files.insert(kernel.program.location.file);
      for (const Site &site : kernel.program.sites)
        if (site.location.known())
          files.insert(site.location.file);
      // What has no line lies in the machine code itself.
      const SourceLocation itself{normalise_path(analysis_.file), 0, 0};
      if (!kernel.program.location.known())
        kernel.program.location = itself;
      for (Site &site : kernel.program.sites)
        if (!site.location.known())
          site.location = itself;
      local_.push_back(std::move(kernel.local));
      required_.push_back(kernel.required_block);
      addresses_.push_back(std::move(kernel.addresses));
      arithmetic_.push_back(std::move(kernel.arithmetic));
      analysis_.programs.push_back(std::move(kernel.program));
    }
    add_sources(files, sources);
  }

  void add_sources(const std::set<std::string> &files, const CompiledSources &sources) {
    const std::vector<std::string> changed = sources.changed();
    for (const std::string &file : files) {
      std::string wrong;
      const std::optional<std::string> text =
          std::ranges::find(changed, file) == changed.end() ? sinks::read_file(file, wrong) : std::nullopt;
      if (text)
        analysis_.sources.push_back(
            {file, llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(*text)), /*LowerCase=*/true),
             sources.is_toolkit(file)});
    }
  }

  std::vector<PlannedLaunch> plan(std::size_t index) {
    const Program &program = analysis_.programs[index];
    std::vector<PlacedWish> wishes;
    LaunchWish required;
    if (const auto &block = required_[index]) {
      required.block = Dim3{(*block)[0], std::max((*block)[1], 1u), std::max((*block)[2], 1u)};
      required.provenance = Provenance::LaunchBounds;
      required.location = program.location;
      if (block->front() != 0)
        wishes.push_back({&required, program.location});
    }
    if (is_tritons(program))
      wishes.push_back({&triton_wish_, triton_wish_.location});
    std::vector<LaunchWish> beside;
    for (const LaunchWish &wish : beside_)
      if (wish_matches(wish, program))
        beside.push_back(wish);
    for (LaunchWish &wish : beside) { // one name of each argument is that of a parameter
      std::erase_if(wish.scalars, [&](const auto &scalar) {
        return std::ranges::none_of(passed_scalars(program),
                                    [&](const PassedScalar &passed) { return passed.scalar.name == scalar.first; });
      });
      wishes.push_back({&wish, wish.location});
    }
    for (const LaunchWish &wish : options_.wishes)
      if (wish_matches(wish, program))
        wishes.push_back({&wish, {}});
    std::span<const RecordedLaunch> recorded;
    if (options_.recorded)
      recorded = options_.recorded->of(program.mangled);
    std::vector<PlannedLaunch> planned =
        plan_launches(program, {{}, recorded, wishes, UINT64_MAX}, *options_.frontend.architecture);
    for (const PlannedLaunch &one : planned) {
      for (const Diagnostic &contradiction : one.contradictions)
        say(contradiction.severity, contradiction.location, contradiction.message);
      if (!one.impossible.empty())
        say(Severity::Error, program.location, "no launch of " + program.kernel + ": " + one.impossible);
    }
    std::erase_if(planned, [](const PlannedLaunch &one) { return !one.impossible.empty(); });
    return planned;
  }

  void simulate() {
    std::vector<std::vector<PlannedLaunch>> plans(analysis_.programs.size());
    std::vector<SimulationJob> work;
    std::uint64_t instructions = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      try {
        plans[i] = plan(i);
      } catch (const std::exception &error) {
        say(Severity::Error, analysis_.programs[i].location,
            "internal error: the launches of " + analysis_.programs[i].kernel + " cannot be told: " + error.what());
      }
      for (const PlannedLaunch &launch : plans[i])
        work.push_back({i, &launch});
      for (const BasicBlock &block : analysis_.programs[i].blocks)
        instructions += block.instructions.size();
    }
    constexpr std::uint64_t kBytesOfInstruction = 4096; // of source with its headers, for each that is left of it
    SimulatedLaunches simulated =
        simulate_launches(analysis_.programs, work, options_, instructions * kBytesOfInstruction);
    std::vector<Late> late(analysis_.programs.size());
    for (std::size_t i = 0; i < work.size(); ++i) {
      SimulatedLaunch &launch = simulated.launches[i];
      const Program &program = analysis_.programs[work[i].program];
      ++late[work[i].program].launches;
      if (launch.analysis)
        analysis_.launches.push_back(std::move(*launch.analysis));
      else if (launch.error.empty())
        ++late[work[i].program].late;
      else
        say(Severity::Error, program.location,
            "internal error: the simulation of " + program.kernel + " failed: " + launch.error);
    }
    note_late(analysis_, late, options_.stop_reason);
    std::vector<CountingJob> counting;
    for (const LaunchAnalysis &launch : analysis_.launches)
      counting.push_back({&analysis_.programs[launch.program], &launch.launch, &arithmetic_[launch.program]});
    const CountedLaunches counted = count_launches(counting, options_);
    if (!counted.error.empty())
      say(Severity::Error, {}, "internal error: the count of instructions of " + counted.error);
    for (std::size_t i = 0; i < analysis_.launches.size(); ++i) {
      LaunchAnalysis &launch = analysis_.launches[i];
      calibrate(launch.result);
      launch.arithmetic = arithmetic_of(launch.result, arithmetic_[launch.program].blocks);
      launch.arithmetic += counted.work[i];
      assume_rules(launch.result, *options_.frontend.architecture);
      // Of arrays machine code has addresses: an access outside of one is none outside of all.
      std::erase_if(launch.result.problems,
                    [](const Problem &problem) { return problem.kind == Problem::Kind::OutOfBounds; });
    }
  }

  /// Requests to local memory are part of what ptxas made of the kernel, and no rows.
  void leave_local_accesses() {
    for (LaunchAnalysis &launch : analysis_.launches) {
      LocalTraffic traffic;
      for (const SiteId id : local_[launch.program]) {
        const SiteResult &site = launch.result.sites[id];
        traffic.exact &= site.verdict == Verdict::Exact;
        (analysis_.programs[launch.program].sites[id].access.operation == Operation::Load ? traffic.load_requests
                                                                                          : traffic.store_requests) +=
            site.counts.requests;
      }
      launch.local = traffic;
      drop(launch.result.sites, local_[launch.program]);
      for (Problem &problem : launch.result.problems)
        if (problem.site)
          problem.site = renumbered(*problem.site, local_[launch.program]);
    }
    for (std::size_t i = 0; i < analysis_.programs.size(); ++i) {
      Program &program = analysis_.programs[i];
      drop(program.sites, local_[i]);
      if (i < analysis_.patterns.size() && !analysis_.patterns[i].empty())
        drop(analysis_.patterns[i], local_[i]);
      drop(addresses_[i], local_[i]);
      for (MemoryOperation &operation : program.memory_operations)
        if (operation.site != kNone)
          operation.site = renumbered(operation.site, local_[i]).value_or(kNone);
      analysis_.addresses[program.mangled] = std::move(addresses_[i]);
    }
  }

  template <typename T> static void drop(std::vector<T> &from, const std::vector<SiteId> &ids) {
    for (auto id = ids.rbegin(); id != ids.rend(); ++id)
      if (*id < from.size())
        from.erase(from.begin() + *id);
  }

  static std::optional<SiteId> renumbered(SiteId id, const std::vector<SiteId> &dropped) {
    const auto at = std::ranges::lower_bound(dropped, id);
    if (at != dropped.end() && *at == id)
      return std::nullopt;
    return id - static_cast<SiteId>(at - dropped.begin());
  }

  AnalysisOptions options_;
  FileAnalysis analysis_;
  std::optional<compiled::TritonMetadata> triton_;
  std::vector<compiled::TritonArgument> triton_arguments_;
  LaunchWish triton_wish_;
  std::vector<LaunchWish> beside_; ///< of a JSON file of the same name
  // By program.
  std::vector<std::vector<SiteId>> local_; ///< sites, ascending
  std::vector<std::optional<std::array<std::uint32_t, 3>>> required_;
  std::vector<std::vector<std::vector<std::uint64_t>>> addresses_;
  std::vector<KernelArithmetic> arithmetic_;
};

} // namespace

FileAnalysis analyse_machine_code(const AnalysisOptions &options) { return Analyser(options).run(); }

} // namespace smem
