#include "analysis/analysis.h"

#include "frontend/headers.h"
#include "flags/nvcc_options.h"
#include "flags/translate_flags.h"
#include "ir/lower.h"
#include "ir/uncounted.h"
#include "plan/kernel_names.h"
#include "plan/launch_comments.h"
#include "plan/launch_plan.h"
#include "plan/launch_spec.h"
#include "plan/recorded_launches.h"
#include "analysis/array_widths.h"
#include "analysis/calibrate.h"
#include "analysis/count_launches.h"
#include "analysis/launch_races.h"
#include "analysis/sample_requests.h"
#include "analysis/settle_launches.h"
#include "analysis/simulate_launches.h"
#include "analysis/steps.h"
#include "smem/floor.h"
#include "sinks/files.h"
#include "syntax/kernel_definitions.h"
#include "support/paths.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace smem {
namespace {

std::string text_of(const std::string &path, const FrontendOptions &options) {
  if (options.contents && path == normalise_path(options.file))
    return *options.contents;
  if (const auto overlay = options.overlays.find(path); overlay != options.overlays.end())
    return overlay->second;
  std::string wrong;
  return sinks::read_file(path, wrong).value_or("");
}

std::string sha256_of(const std::string &text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

/// The versions of the files that the predictions of `programs` have places in, sorted by path.
std::vector<SourceVersion> source_versions(const FrontendOptions &options, const std::vector<Program> &programs,
                                           const LowerOptions &headers) {
  const std::string main = normalise_path(options.file);
  std::set<std::string> files{main};
  const auto add = [&](const SourceLocation &location) {
    if (location.known())
      files.insert(location.file);
  };
  for (const Program &program : programs) {
    add(program.location);
    for (const Site &site : program.sites) {
      add(site.location);
      for (const InlineFrame &frame : site.inlined_at)
        add(frame.call);
    }
  }
  std::vector<SourceVersion> versions;
  for (const std::string &file : files)
    versions.push_back({file, sha256_of(text_of(file, options)), file != main && is_toolkit_file(headers, file)});
  return versions;
}

/// The launch comments of every file that defines a kernel, and of the analysed file itself.
LaunchComments read_comments(const FrontendOptions &options, const std::vector<Program> &programs) {
  std::set<std::string> files{normalise_path(options.file)};
  for (const Program &program : programs)
    if (program.location.known())
      files.insert(program.location.file);
  LaunchComments all;
  for (const std::string &file : files) {
    LaunchComments found = find_launch_comments(file, text_of(file, options), programs);
    std::move(found.comments.begin(), found.comments.end(), std::back_inserter(all.comments));
    std::move(found.diagnostics.begin(), found.diagnostics.end(), std::back_inserter(all.diagnostics));
  }
  return all;
}

/// What is said of launches, with which the values of what host code leaves free have to agree: in options, in the configuration, in comments.
std::vector<StatedLaunch> stated_launches(const AnalysisOptions &options, const SourceIndex &index) {
  std::vector<StatedLaunch> stated;
  const auto add = [&](const LaunchWish &wish, std::function<bool(const std::string &)> about) {
    stated.push_back(
        {wish.provenance, std::move(about), wish.grid, wish.block, wish.dynamic_shared_bytes, wish.scalars});
  };
  for (const LaunchWish &wish : options.wishes)
    add(wish, [kernel = wish.kernel](const std::string &mangled) {
      Program program;
      program.mangled = mangled;
      program.kernel = kernel_display_name(mangled);
      return kernel_matches(kernel, program);
    });
  std::vector<Program> programs;
  for (const auto &[mangled, kernel] : index.kernels) {
    Program &program = programs.emplace_back();
    program.mangled = mangled;
    program.kernel = kernel.display;
    program.location = kernel.location;
    program.parameters = kernel.parameters;
  }
  for (const LaunchComment &comment : read_comments(options.frontend, programs).comments) {
    std::set<std::string> kernels;
    for (const std::size_t i : comment.programs)
      kernels.insert(programs[i].mangled);
    add(comment.wish, [kernels](const std::string &mangled) { return kernels.contains(mangled); });
  }
  return stated;
}

/// Launches in other files of kernels that this one does not launch.
void add_foreign(const ForeignCode &foreign, HostLaunches &host) {
  std::set<std::string> launched;
  for (const HostLaunch &launch : host.launches)
    launched.insert(launch.launch.mangled);
  for (const HostLaunch &launch : foreign.launches)
    if (!launched.contains(launch.launch.mangled))
      host.launches.push_back(launch);
  for (const auto &[kernel, bytes] : foreign.opted_in) {
    std::uint64_t &most = host.opted_in[kernel];
    most = std::max(most, bytes);
  }
}

/// What host code lets a kernel have; one call for a kernel that is not known may be for each.
std::uint64_t opted_in_bytes(const HostLaunches &host, const Program &program) {
  if (host.opted_in.contains(""))
    return UINT64_MAX;
  const auto own = host.opted_in.find(program.mangled);
  return own == host.opted_in.end() ? 0 : own->second;
}

/// Device headers, whichever are in use, are not the user's own files.
LowerOptions lower_options(const Toolkit &toolkit) {
  LowerOptions options;
  options.is_toolkit_file = [root = toolkit.shipped ? std::string() : normalise_path(toolkit.root),
                             headers = normalise_path(find_shipped_headers())](std::string_view path) {
    return lies_in(path, root) || lies_in(path, headers);
  };
  return options;
}

/// One note for each unit beside the counted ones that the kernels of a file use.
void note_uncounted(const std::vector<Uncounted> &accesses, std::vector<Diagnostic> &diagnostics) {
  constexpr std::pair<Uncounted::Unit, const char *> kUnits[] = {
      {Uncounted::Unit::Texture, "texture fetches have a unit of their own and are not counted"},
      {Uncounted::Unit::Surface, "accesses to surfaces have a unit of their own and are not counted"},
      {Uncounted::Unit::Heap, "what malloc and free of device code do with their memory is not counted"}};
  constexpr std::size_t kMostLines = 8;
  for (const auto &[unit, message] : kUnits) {
    const auto first = std::find_if(accesses.begin(), accesses.end(),
                                    [wanted = unit](const Uncounted &access) { return access.unit == wanted; });
    if (first == accesses.end())
      continue;
    std::set<std::uint32_t> lines;
    for (auto access = first; access != accesses.end() && access->unit == unit; ++access)
      if (access->location.file == first->location.file)
        lines.insert(access->location.line);
    std::string list;
    for (std::size_t i = 0; const std::uint32_t line : lines)
      if (i++ < kMostLines)
        list += (list.empty() ? "" : ", ") + std::to_string(line);
    if (lines.size() > kMostLines)
      list += " and " + std::to_string(lines.size() - kMostLines) + " more";
    diagnostics.push_back({Diagnostic::Severity::Note, first->location,
                           std::string(message) + (lines.size() > 1 ? ": lines " : ": line ") + list});
  }
}

/// A file that defines kernels of which none was analysed is not clean, whatever hid them. Whoever knows says so first.
void note_overlooked(const FrontendOptions &options, FileAnalysis &analysis) {
  const bool said = std::any_of(analysis.diagnostics.begin(), analysis.diagnostics.end(), [](const Diagnostic &each) {
    return each.incomplete || each.severity == Diagnostic::Severity::Error;
  });
  if (said || !analysis.programs.empty() || !analysis.left_out.empty())
    return;
  const std::string path = normalise_path(options.file);
  if (const unsigned line = first_kernel_definition(text_of(path, options)))
    analysis.diagnostics.push_back(
        {Diagnostic::Severity::Warning,
         {path, line, 0},
         "no kernel of this file was analysed: the preprocessor excludes those that it defines, or nothing instantiates their templates",
         true});
}

/// A wish for `scale<float, 32>` wants that to be instantiated.
FrontendOptions with_wanted_kernels(const AnalysisOptions &options) {
  FrontendOptions frontend = options.frontend;
  for (const LaunchWish &wish : options.wishes)
    if (wish.kernel.find('<') != std::string::npos && wish.kernel.find_first_of("*?[;\"") == std::string::npos)
      frontend.wanted_kernels.push_back(wish.kernel);
  return frontend;
}

/// What is assumed of a kernel is assumed of all its launches.
void assume_kernel(const SourceIndex &index, const Program &program, std::vector<PlannedLaunch> &plans) {
  const auto source = index.kernels.find(program.mangled);
  if (source == index.kernels.end() || source->second.assumed.empty())
    return;
  for (PlannedLaunch &plan : plans)
    for (Launch &launch : plan.candidates) {
      launch.assumptions.insert(launch.assumptions.begin(), Assumption{source->second.assumed});
      launch.template_arguments = source->second.assumed_arguments;
      if (source->second.made_up && launch.shape_provenance >= Provenance::HostCode)
        launch.grid_known = launch.block_known = false;
    }
}

/// Kernels of the toolkit's headers that are there because these are included: those that are no templates, and the empty ones that it asks the
/// runtime about. Whatever is launched, or named in an option, is the user's business.
void leave_to_library(const AnalysisOptions &options, const FrontendResult &parsed, std::vector<Program> &programs) {
  const LowerOptions headers = lower_options(options.frontend.toolkit);
  const std::string main = normalise_path(options.frontend.file);
  std::erase_if(programs, [&](const Program &program) {
    const bool accesses = std::ranges::any_of(program.memory_operations,
                                              [](const MemoryOperation &operation) { return operation.site != kNone; });
    return (program.kernel.find('<') == std::string::npos || !accesses) && program.location.file != main &&
           is_toolkit_file(headers, program.location.file) &&
           std::ranges::none_of(parsed.launches.launches,
                                [&](const HostLaunch &host) { return host.launch.mangled == program.mangled; }) &&
           std::ranges::none_of(options.kernels,
                                [&](const std::string &glob) { return kernel_matches(glob, program); });
  });
}

void add_internal_error(FileAnalysis &analysis, const SourceLocation &location, const std::string &what) {
  analysis.diagnostics.push_back({Diagnostic::Severity::Error, location, "internal error: " + what});
}

bool wanted_by(const AnalysisOptions &options, const Program &program) {
  return options.kernels.empty() ||
         std::ranges::any_of(options.kernels, [&](const std::string &glob) { return kernel_matches(glob, program); });
}

/// What options and comments wish of the kernel's launches.
std::vector<PlacedWish> wishes_of(const AnalysisOptions &options, const std::vector<LaunchComment> &comments,
                                  std::size_t index, const Program &program) {
  std::vector<PlacedWish> wishes;
  for (const LaunchWish &wish : options.wishes)
    if (wish_matches(wish, program))
      wishes.push_back({&wish, {}});
  for (const LaunchComment &comment : comments)
    if (std::find(comment.programs.begin(), comment.programs.end(), index) != comment.programs.end())
      wishes.push_back({&comment.wish, comment.location});
  return wishes;
}

/// Contradictions are said once; plans that are impossible are said and dropped.
void report_plans(const Program &program, std::vector<PlannedLaunch> &plans, FileAnalysis &analysis) {
  for (const PlannedLaunch &planned : plans)
    for (const Diagnostic &one : planned.contradictions)
      if (std::ranges::none_of(analysis.diagnostics, [&](const Diagnostic &said) {
            return said.location == one.location && said.message == one.message;
          }))
        analysis.diagnostics.push_back(one);
  std::erase_if(plans, [&](const PlannedLaunch &planned) {
    if (!planned.impossible.empty())
      analysis.diagnostics.push_back(
          {Diagnostic::Severity::Error,
           planned.candidates.front().location.known() ? planned.candidates.front().location : program.location,
           "no launch of " + program.kernel + ": " + planned.impossible});
    return !planned.impossible.empty();
  });
}

/// The launches of analysis.programs[index].
std::vector<PlannedLaunch> plan_kernel(const AnalysisOptions &options, const FrontendResult &parsed,
                                       const std::vector<LaunchComment> &comments, std::size_t index,
                                       FileAnalysis &analysis) {
  const Program &program = analysis.programs[index];
  if (const std::string wrong = verify(program); !wrong.empty()) {
    add_internal_error(analysis, program.location, "the program of " + program.kernel + " is malformed: " + wrong);
    return {};
  }
  const std::vector<PlacedWish> wishes = wishes_of(options, comments, index, program);
  std::span<const RecordedLaunch> recorded;
  if (options.recorded)
    recorded = options.recorded->of(program.mangled);
  std::vector<PlannedLaunch> plans;
  try {
    plans =
        plan_launches(program, {parsed.launches.launches, recorded, wishes, opted_in_bytes(parsed.launches, program)},
                      *options.frontend.architecture);
    assume_kernel(parsed.index, program, plans);
    report_plans(program, plans, analysis);
  } catch (const std::exception &error) {
    add_internal_error(analysis, program.location,
                       "the launches of " + program.kernel + " cannot be told: " + error.what());
  }
  return plans;
}

/// Takes what has been simulated. By program: whether all its launches are there.
std::vector<bool> take_launches(const std::vector<SimulationJob> &work, SimulatedLaunches &simulated,
                                const AnalysisOptions &options, FileAnalysis &analysis) {
  std::vector<Late> late(analysis.programs.size());
  std::vector<bool> complete(analysis.programs.size(), true);
  for (std::size_t i = 0, last = SIZE_MAX; i < work.size(); ++i) {
    SimulatedLaunch &launch = simulated.launches[i];
    const Program &program = analysis.programs[work[i].program];
    ++late[work[i].program].launches;
    if (!launch.analysis)
      complete[work[i].program] = false;
    if (launch.analysis)
      analysis.launches.push_back(std::move(*launch.analysis));
    else if (launch.error.empty())
      ++late[work[i].program].late;
    else if (std::exchange(last, work[i].program) != work[i].program)
      add_internal_error(analysis, program.location,
                         "the simulation of " + program.kernel + " failed: " + launch.error);
  }
  note_late(analysis, late, options.stop_reason);
  return complete;
}

/// What the launches compute beside their accesses, by pipe.
void count_arithmetic(ArithmeticOfKernels &arithmetic, const AnalysisOptions &options, FileAnalysis &analysis) {
  std::vector<CountingJob> counting;
  for (LaunchAnalysis &launch : analysis.launches) {
    const Program &program = analysis.programs[launch.program];
    calibrate(launch.result);
    counting.push_back({&program, &launch.launch, &arithmetic[program.mangled]});
    launch.arithmetic = arithmetic_of(launch.result, counting.back().arithmetic->blocks);
  }
  const CountedLaunches counted = count_launches(counting, options);
  for (std::size_t i = 0; i < analysis.launches.size(); ++i)
    analysis.launches[i].arithmetic += counted.work[i];
  if (!counted.error.empty())
    add_internal_error(analysis, {normalise_path(analysis.file), 0, 0},
                       "the count of instructions of " + counted.error);
}

/// Searches for races. The programs before optimisation that it needed.
std::vector<Program> judge_races(const AnalysisOptions &options, const FrontendResult &parsed,
                                 const LowerOptions &lowering, FileAnalysis &analysis) {
  if ((!options.races && !options.global_races) || !parsed.source || options.frontend.stop.stop_requested())
    return {};
  std::set<std::string> judged;
  for (const LaunchAnalysis &launch : analysis.launches)
    if (may_judge_races(launch.launch))
      judged.insert(analysis.programs[launch.program].mangled);
  const std::vector<Program> sources =
      lower_source_module(*parsed.source, judged, parsed.index, lowering, rules_for(options.frontend.toolkit.version));
  for (const auto &[wanted, memory] :
       {std::pair(options.races, RaceMemory::Shared), std::pair(options.global_races, RaceMemory::Global)})
    if (wanted)
      find_launch_races(analysis.launches, analysis.programs, sources, parsed.index, options, memory);
  return sources;
}

} // namespace

FileAnalysis analyze_file(const AnalysisOptions &options) {
  FileAnalysis analysis;
  analysis.file = options.frontend.file;
  analysis.architecture = options.frontend.architecture;
  analysis.toolkit = options.frontend.toolkit;
  const auto ended = [&] { return options.frontend.stop.stop_requested(); };
  const auto report = [&](AnalysisProgress::Phase phase) {
    if (options.progress)
      options.progress({phase, {}, 0, 0});
  };
  const auto not_analysed = [&] {
    analysis.diagnostics.push_back({Diagnostic::Severity::Error,
                                    {normalise_path(analysis.file), 0, 0},
                                    "not analysed: " + options.stop_reason,
                                    /*incomplete=*/true});
    analysis.stopped = true;
  };

  report(AnalysisProgress::Phase::FrontEnd);
  MachineCodeSource machine_code(options); // compiled meanwhile
  FrontendOptions frontend = with_wanted_kernels(options);
  frontend.keep_source = options.races || options.global_races;
  frontend.stated = [&](const SourceIndex &index) { return stated_launches(options, index); };
  FrontendResult parsed = run_frontend(frontend);
  report(AnalysisProgress::Phase::Lowering);
  if (ended()) { // what there is of it may be half of it
    not_analysed();
    return analysis;
  }
  analysis.diagnostics = std::move(parsed.diagnostics);
  for (Diagnostic &diagnostic : analysis.diagnostics) // of flags: their place is in the command, which nobody sees
    if (diagnostic.location.file.empty())
      diagnostic.location.file = analysis.file;
  analysis.dependencies = std::move(parsed.dependencies);
  analysis.parsed = parsed.ok;
  analysis.assumed_headers = std::move(parsed.assumed_headers);
  analysis.doubts_headers = parsed.lacks_headers || parsed.chose_headers;
  analysis.arrays = std::move(parsed.arrays);
  analysis.unit = std::move(parsed.launches.unit);
  add_foreign(options.frontend.foreign, parsed.launches);
  if (options.host_digest)
    analysis.host_digest = options.host_digest(parsed.launches);
  if (options.frontend.for_others || !parsed.ok || !parsed.module)
    return analysis;
  note_uncounted(uncounted_accesses(*parsed.module, lower_options(options.frontend.toolkit)), analysis.diagnostics);
  LowerOptions lowering = lower_options(options.frontend.toolkit);
  lowering.whole_program = !makes_relocatable_code(options.frontend.compiler_flags);
  lowering.stop = options.frontend.stop;
  ArithmeticOfKernels arithmetic;
  analysis.programs =
      lower_module(*parsed.module, parsed.index, lowering, rules_for(options.frontend.toolkit.version), &arithmetic);
  if (ended()) {
    analysis.programs.clear();
    not_analysed();
    return analysis;
  }
  std::stable_sort(analysis.programs.begin(), analysis.programs.end(), [](const Program &a, const Program &b) {
    return std::tie(a.location, a.kernel) < std::tie(b.location, b.kernel);
  });

  leave_to_library(options, parsed, analysis.programs);
  for (Program &program : analysis.programs)
    add_loop_loads(program, *options.frontend.architecture);
  analysis.sources = source_versions(options.frontend, analysis.programs, lower_options(options.frontend.toolkit));
  LaunchComments comments = read_comments(options.frontend, analysis.programs);
  std::move(comments.diagnostics.begin(), comments.diagnostics.end(), std::back_inserter(analysis.diagnostics));

  const auto is_wanted = [&](const Program &program) { return wanted_by(options, program); };
  std::vector<std::vector<PlannedLaunch>> plans(analysis.programs.size());
  for (std::size_t i = 0; i < analysis.programs.size(); ++i)
    if (is_wanted(analysis.programs[i]))
      plans[i] = plan_kernel(options, parsed, comments.comments, i, analysis);
  find_patterns_of(analysis, options);
  std::vector<SimulationJob> work;
  for (std::size_t i = 0; i < plans.size(); ++i)
    for (const PlannedLaunch &launch : plans[i])
      work.push_back({i, &launch});
  SimulatedLaunches simulated = simulate_launches(analysis.programs, work, options, parsed.source_bytes);
  std::vector<bool> complete = take_launches(work, simulated, options, analysis);
  count_arithmetic(arithmetic, options, analysis);
  settle_launches(machine_code, work, complete, lowering, options, analysis);
  for (LaunchAnalysis &launch : analysis.launches)
    assume_rules(launch.result, *options.frontend.architecture);
  for (const Program &program : analysis.programs)
    if (!is_wanted(program))
      analysis.left_out.push_back(program.kernel);
  keep_programs(analysis, is_wanted);
  sample_requests(analysis);
  const std::vector<Program> sources = judge_races(options, parsed, lowering, analysis);
  assume_headers(analysis);
  note_end(analysis, options);
  note_array_widths(analysis.programs, sources);
  note_overlooked(options.frontend, analysis);
  return analysis;
}

std::vector<std::size_t> keep_programs(FileAnalysis &analysis, const std::function<bool(const Program &)> &keep) {
  std::vector<std::size_t> position;
  std::vector<Program> programs;
  std::vector<std::vector<Pattern>> patterns;
  for (std::size_t i = 0; i < analysis.programs.size(); ++i) {
    const bool stays = keep(analysis.programs[i]);
    position.push_back(stays ? programs.size() : SIZE_MAX);
    if (!stays)
      continue;
    programs.push_back(std::move(analysis.programs[i]));
    if (i < analysis.patterns.size())
      patterns.push_back(std::move(analysis.patterns[i]));
  }
  std::vector<LaunchAnalysis> launches;
  for (LaunchAnalysis &launch : analysis.launches)
    if (const std::size_t to = position[launch.program]; to != SIZE_MAX) {
      launch.program = to;
      launches.push_back(std::move(launch));
    }
  analysis.programs = std::move(programs);
  analysis.patterns = std::move(patterns);
  analysis.launches = std::move(launches);
  return position;
}

} // namespace smem
