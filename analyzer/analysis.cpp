#include "analysis.h"

#include "compiled/settle.h"
#include "compiled/toolchain.h"
#include "compiled/use_machine_code.h"
#include "frontend/headers.h"
#include "frontend/translate_flags.h"
#include "lower/lower.h"
#include "lower/uncounted.h"
#include "plan/launch_comments.h"
#include "plan/launch_plan.h"
#include "plan/launch_spec.h"
#include "plan/recorded_launches.h"
#include "source/paths.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

namespace smem {
namespace {

std::string text_of(const std::string &path, const FrontendOptions &options) {
  if (options.contents && path == normalise_path(options.file))
    return *options.contents;
  if (const auto overlay = options.overlays.find(path); overlay != options.overlays.end())
    return overlay->second;
  std::ostringstream text;
  if (std::ifstream in(path, std::ios::binary); in)
    text << in.rdbuf();
  return text.str();
}

std::string sha256_of(const std::string &text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

/// The versions of the files that the predictions of `programs` have places in, sorted by path.
std::vector<SourceVersion> source_versions(const FrontendOptions &options, const std::vector<Program> &programs) {
  std::set<std::string> files{normalise_path(options.file)};
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
    versions.push_back({file, sha256_of(text_of(file, options))});
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

/// What is slow already is not to be multiplied.
bool is_costly(const SimulationResult &result, const SimulationOptions &options) { return result.steps > options.max_steps / 8; }

/// What one launch may cost. Most need next to nothing; those that exhaust their budget must not add up in a file that has many.
class FileBudget {
public:
  FileBudget(const SimulationOptions &options, std::size_t launches) : options(options), left(2 * options.max_steps), launches(launches) {}

  /// Several times its share is left to a launch, but half of all at most.
  SimulationOptions next() const {
    SimulationOptions launch = options;
    const std::uint64_t share = left / std::max<std::size_t>(launches, 1) * kShares;
    launch.max_steps = std::clamp(std::min(left / 2, share), std::max<std::uint64_t>(options.max_steps / kLeastShare, 1), options.max_steps);
    return launch;
  }
  void spend(std::uint64_t steps) { left -= std::min(left, steps); }
  void end_launch() { launches -= launches != 0; }

private:
  static constexpr std::uint64_t kLeastShare = 128, kShares = 4;
  const SimulationOptions &options;
  std::uint64_t left;
  std::size_t launches; ///< still to come
};

/// Problems that a wrongly assumed block may be the cause of.
bool shape_looks_wrong(const SimulationResult &result) {
  return std::any_of(result.problems.begin(), result.problems.end(), [](const Problem &problem) {
    return problem.kind == Problem::Kind::OutOfBounds || problem.kind == Problem::Kind::LaunchLimit ||
           problem.kind == Problem::Kind::SharedCapacity;
  });
}

/// The counts of a launch whose pointers are aligned as far as is known. Where they depend on more than that, the counts under
/// the assumption that the pointers are aligned as allocations are.
SimulationResult simulate_launch(const Program &program, const Launch &launch, const std::vector<Assumption> &pointer_assumptions,
                                 const Architecture &architecture, const SimulationOptions &options) {
  SimulationResult result = simulate(program, launch, architecture, options);
  const auto is_unknown = [](const SiteResult &site) { return site.verdict == Verdict::Unknown; };
  if (pointer_assumptions.empty() || is_costly(result, options) || std::none_of(result.sites.begin(), result.sites.end(), is_unknown))
    return result;
  Launch aligned = launch;
  for (ArgumentValue &argument : aligned.arguments)
    if (argument.pointer && !argument.value)
      argument.alignment = ArgumentValue().alignment;
  aligned.assumptions.insert(aligned.assumptions.end(), pointer_assumptions.begin(), pointer_assumptions.end());
  SimulationResult supposed = simulate(program, aligned, architecture, options);
  for (std::size_t i = 0; i < result.sites.size(); ++i)
    if (is_unknown(result.sites[i]) && !is_unknown(supposed.sites[i]))
      result.sites[i] = std::move(supposed.sites[i]);
  result.steps += supposed.steps;
  return result;
}

/// The launch with what was only assumed of arguments and of the grid left open.
OpenLaunch leave_open(const Launch &launch) {
  OpenLaunch open{launch, {}};
  for (ArgumentValue &argument : open.launch.arguments)
    if (argument.provenance == Provenance::Assumed && !argument.pointer)
      argument.value.reset();
  if (!launch.grid_known) // axes that the kernel does not look at have one block
    open.grid = {true, launch.grid.y > 1, launch.grid.z > 1};
  return open;
}

bool leaves_anything_open(const Program &program, const OpenLaunch &open) {
  const auto is_open = [&](const Instruction &instruction) {
    if (instruction.opcode != Opcode::Argument || instruction.index >= program.parameters.size() || program.parameters[instruction.index].pointer)
      return false;
    return std::none_of(open.launch.arguments.begin(), open.launch.arguments.end(), [&](const ArgumentValue &a) {
      return a.index == instruction.index && a.offset == static_cast<std::uint64_t>(instruction.immediate) && (a.value || a.pointer);
    });
  };
  return std::find(open.grid.begin(), open.grid.end(), true) != open.grid.end() ||
         std::any_of(program.blocks.begin(), program.blocks.end(),
                     [&](const BasicBlock &block) { return std::any_of(block.instructions.begin(), block.instructions.end(), is_open); });
}

/// A site whose counts are the same for all values of an argument does not rest on the one that was assumed.
void drop_needless_assumptions(SiteResult &site) {
  if (site.verdict != Verdict::Assumed || !site.symbolic || !site.symbolic->known() || site.symbolic->presumes)
    return;
  const SymbolicCounts &any = *site.symbolic;
  for (const Formula *formula : {&any.requests_formula, &any.wavefronts_formula, &any.ideal_wavefronts_formula, &any.sectors_formula,
                                 &any.ideal_sectors_formula, &any.tags_formula})
    if (!formula->constant())
      return;
  std::erase_if(site.assumptions, [](const Assumption &assumption) { return assumption.argument.has_value(); });
  site.reason = to_string(site.assumptions);
  if (site.assumptions.empty())
    site.verdict = Verdict::Exact;
}

/// Formulas for what the launch leaves open.
void add_formulas(const Program &program, LaunchAnalysis &analysis, const Architecture &architecture, const SimulationOptions &options) {
  const OpenLaunch open = leave_open(analysis.launch);
  if (program.sites.empty() || !leaves_anything_open(program, open))
    return;
  SimulationOptions briefly = options;
  briefly.max_steps = std::max<std::uint64_t>(options.max_steps / 8, 1);
  SymbolicResult symbolic = simulate_symbolic(program, open, architecture, briefly);
  for (const SymbolicResult::Quantity &quantity : symbolic.quantities) {
    LaunchSymbol symbol{quantity.name, {}, quantity.most};
    for (const ArgumentValue &argument : open.launch.arguments)
      if (quantity.argument == argument.index && !argument.pointer)
        symbol.facts = to_string(argument.facts, program.parameters[argument.index].name);
    analysis.symbols.push_back(std::move(symbol));
  }
  for (std::size_t i = 0; i < symbolic.sites.size(); ++i) {
    SiteResult &site = analysis.result.sites[i];
    site.symbolic = std::move(symbolic.sites[i]);
    drop_needless_assumptions(site);
  }
}

LaunchAnalysis analyze_launch(std::size_t program_index, const Program &program, const PlannedLaunch &planned,
                              const Architecture &architecture, FileBudget &budget) {
  LaunchAnalysis chosen;
  for (std::size_t i = 0; i < planned.candidates.size(); ++i) {
    const Launch &launch = planned.candidates[i];
    const SimulationOptions simulation = budget.next();
    SimulationResult result = simulate_launch(program, launch, planned.pointer_assumptions, architecture, simulation);
    budget.spend(result.steps);
    const bool wrong = shape_looks_wrong(result);
    const bool costly = is_costly(result, simulation);
    if (i == 0 || !wrong)
      chosen = {program_index, launch, std::move(result), {}};
    if (!wrong || costly)
      break;
  }
  add_formulas(program, chosen, architecture, budget.next());
  budget.end_launch();
  return chosen;
}

/// Device headers, whichever are in use, are not the user's own files.
LowerOptions lower_options(const Toolkit &toolkit) {
  LowerOptions options;
  options.is_toolkit_file = [root = toolkit.shipped ? std::string() : normalise_path(toolkit.root),
                             headers = normalise_path(find_shipped_headers())](std::string_view path) {
    const auto lies_in = [path](const std::string &folder) {
      return !folder.empty() && path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
    };
    return lies_in(root) || lies_in(headers);
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
    const auto first = std::find_if(accesses.begin(), accesses.end(), [wanted = unit](const Uncounted &access) { return access.unit == wanted; });
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
    diagnostics.push_back({Diagnostic::Severity::Note, first->location, std::string(message) + (lines.size() > 1 ? ": lines " : ": line ") + list});
  }
}

/// The machine code that the rows are to be settled with; nothing, and an error among the diagnostics, if it is of no use.
std::optional<compiled::MachineCode> obtain_machine_code(const AnalysisOptions &options, FileAnalysis &analysis) {
  if (!options.as_compiled || analysis.programs.empty())
    return std::nullopt;
  const FrontendOptions &frontend = options.frontend;
  const std::string toolkit = frontend.toolkit.shipped ? std::string() : frontend.toolkit.root;
  compiled::ObtainedListing obtained =
      options.as_compiled->empty()
          ? compiled::compile_and_disassemble({frontend.file, target_of(frontend), toolkit, frontend.compiler_flags})
          : compiled::read_prepared(*options.as_compiled, toolkit);
  std::string error = std::move(obtained.error);
  std::optional<compiled::MachineCode> code;
  if (obtained.listing) {
    code.emplace(std::move(*obtained.listing), analysis.programs, lower_options(frontend.toolkit));
    error = code->unusable(frontend.architecture->name);
  }
  if (error.empty()) {
    analysis.compiled.from = obtained.from;
    return code;
  }
  analysis.diagnostics.push_back({Diagnostic::Severity::Error, {normalise_path(frontend.file), 0, 0}, "--as-compiled: " + error});
  return std::nullopt;
}

/// The launches of one kernel as its machine code has them, too: what differs is settled.
void settle_kernel(const compiled::MachineCode &code, std::size_t index, const std::vector<const PlannedLaunch *> &planned, FileBudget &budget,
                   FileAnalysis &analysis) {
  Program &program = analysis.programs[index];
  const compiled::LoweredMachineCode lowered = code.lowered(program);
  if (!lowered.error.empty()) {
    analysis.diagnostics.push_back(
        {Diagnostic::Severity::Warning, program.location, "--as-compiled: " + program.kernel + " is not settled: " + lowered.error});
    if (!lowered.missing)
      for (LaunchAnalysis &launch : analysis.launches)
        if (launch.program == index)
          compiled::leave_unsettled(launch.result, "the machine code cannot be followed: " + lowered.error);
    return;
  }
  std::vector<compiled::SimulatedTwice> launches;
  std::size_t number = 0;
  for (LaunchAnalysis &launch : analysis.launches) {
    if (launch.program != index)
      continue;
    SimulationResult machine =
        simulate_launch(lowered.program, launch.launch, planned[number++]->pointer_assumptions, *analysis.architecture, budget.next());
    budget.spend(machine.steps);
    budget.end_launch();
    launches.push_back({&launch.result, std::move(machine)});
  }
  const compiled::Settled settled = compiled::settle(program, lowered, launches);
  analysis.compiled.confirmed += settled.confirmed;
  analysis.compiled.corrected += settled.corrected;
  analysis.compiled.absent += settled.absent;
  analysis.compiled.open += settled.open;
}

} // namespace

FileAnalysis analyze_file(const AnalysisOptions &options) {
  FileAnalysis analysis;
  analysis.file = options.frontend.file;
  analysis.architecture = options.frontend.architecture;
  analysis.toolkit = options.frontend.toolkit;
  const auto internal_error = [&](const SourceLocation &location, const std::string &what) {
    analysis.diagnostics.push_back({Diagnostic::Severity::Error, location, "internal error: " + what});
  };

  FrontendResult parsed = run_frontend(options.frontend);
  analysis.diagnostics = std::move(parsed.diagnostics);
  for (Diagnostic &diagnostic : analysis.diagnostics) // of flags: their place is in the command, which nobody sees
    if (diagnostic.location.file.empty())
      diagnostic.location.file = analysis.file;
  analysis.dependencies = std::move(parsed.dependencies);
  analysis.parsed = parsed.ok;
  analysis.arrays = std::move(parsed.arrays);
  if (!parsed.ok || !parsed.module)
    return analysis;
  note_uncounted(uncounted_accesses(*parsed.module, lower_options(options.frontend.toolkit)), analysis.diagnostics);
  analysis.programs = lower_module(*parsed.module, parsed.index, lower_options(options.frontend.toolkit));
  std::stable_sort(analysis.programs.begin(), analysis.programs.end(), [](const Program &a, const Program &b) {
    return std::tie(a.location, a.kernel) < std::tie(b.location, b.kernel);
  });

  for (Program &program : analysis.programs)
    add_loop_loads(program, *options.frontend.architecture);
  analysis.sources = source_versions(options.frontend, analysis.programs);
  LaunchComments comments = read_comments(options.frontend, analysis.programs);
  std::move(comments.diagnostics.begin(), comments.diagnostics.end(), std::back_inserter(analysis.diagnostics));

  const std::optional<compiled::MachineCode> machine_code = obtain_machine_code(options, analysis);
  const auto is_wanted = [&](const Program &program) {
    return options.kernels.empty() || std::any_of(options.kernels.begin(), options.kernels.end(), [&](const std::string &glob) { return kernel_matches(glob, program); });
  };
  std::vector<std::vector<PlannedLaunch>> plans(analysis.programs.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < analysis.programs.size(); ++i) {
    const Program &program = analysis.programs[i];
    if (!is_wanted(program))
      continue;
    if (const std::string wrong = verify(program); !wrong.empty()) {
      internal_error(program.location, "the program of " + program.kernel + " is malformed: " + wrong);
      continue;
    }
    std::vector<PlacedWish> wishes;
    for (const LaunchWish &wish : options.wishes)
      if (wish_matches(wish, program))
        wishes.push_back({&wish, {}});
    for (const LaunchComment &comment : comments.comments)
      if (std::find(comment.programs.begin(), comment.programs.end(), i) != comment.programs.end())
        wishes.push_back({&comment.wish, comment.location});
    std::span<const RecordedLaunch> recorded;
    if (options.recorded)
      recorded = options.recorded->of(program.mangled);
    try {
      plans[i] = plan_launches(program, {parsed.launches.launches, recorded, wishes}, *options.frontend.architecture);
    } catch (const std::exception &error) {
      internal_error(program.location, "the launches of " + program.kernel + " cannot be told: " + error.what());
    }
    count += plans[i].size();
  }
  FileBudget budget(options.simulation, count), machine_budget(options.simulation, count);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const Program &program = analysis.programs[i];
    try {
      std::vector<const PlannedLaunch *> planned;
      for (const PlannedLaunch &launch : plans[i]) {
        analysis.launches.push_back(analyze_launch(i, program, launch, *options.frontend.architecture, budget));
        planned.push_back(&launch);
      }
      if (machine_code && !planned.empty())
        settle_kernel(*machine_code, i, planned, machine_budget, analysis);
    } catch (const std::exception &error) {
      internal_error(program.location, "the simulation of " + program.kernel + " failed: " + error.what());
    }
  }
  for (const Program &program : analysis.programs)
    if (!is_wanted(program))
      analysis.left_out.push_back(program.kernel);
  keep_programs(analysis, is_wanted);
  return analysis;
}

std::vector<std::size_t> keep_programs(FileAnalysis &analysis, const std::function<bool(const Program &)> &keep) {
  std::vector<std::size_t> position;
  std::vector<Program> programs;
  for (Program &program : analysis.programs) {
    const bool stays = keep(program);
    position.push_back(stays ? programs.size() : SIZE_MAX);
    if (stays)
      programs.push_back(std::move(program));
  }
  std::vector<LaunchAnalysis> launches;
  for (LaunchAnalysis &launch : analysis.launches)
    if (const std::size_t to = position[launch.program]; to != SIZE_MAX) {
      launch.program = to;
      launches.push_back(std::move(launch));
    }
  analysis.programs = std::move(programs);
  analysis.launches = std::move(launches);
  return position;
}

} // namespace smem
