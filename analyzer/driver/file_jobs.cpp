#include "driver/file_jobs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <llvm/ADT/StringExtras.h>

#include "flags/translate_flags.h"
#include "support/paths.h"

namespace smem {
namespace {

constexpr const char *kDefaultArchitecture = "sm_90";

} // namespace

FileJob JobPlanner::job(const std::string &file, std::string includer) {
  FileJob job;
  FrontendOptions &frontend = job.options.frontend;
  frontend.file = file;
  if (file == "-") {
    frontend.file = stdin_name(options);
    frontend.contents = inputs.stdin_contents;
  }
  frontend.toolkit = inputs.toolkit;
  frontend.overlays = inputs.unsaved;
  if (includer.empty())
    includer = includer_of(file, job.diagnostics);
  if (!includer.empty()) {
    job.header = file;
    frontend.file = includer;
    job.diagnostics.push_back(
        {Diagnostic::Severity::Note, {file, 0, 0}, "analysed as part of " + includer + ", which includes it"});
  }
  job.options.input = is_cuda_source(frontend.file) || file == "-" ? compiled::MachineInput::None
                                                                   : compiled::machine_input(frontend.file);
  const bool is_machine_code = job.options.input != compiled::MachineInput::None;
  if (const auto own = frontend.overlays.find(normalise_path(frontend.file)); own != frontend.overlays.end()) {
    frontend.contents = std::move(own->second);
    frontend.overlays.erase(own);
  }
  const Config &config = inputs.configuration_of(frontend.file);
  frontend.prefixes = inputs.prefixes;
  frontend.precompile_leading = options.for_editor || options.watch;
  frontend.max_instantiations = options.max_instantiations;
  frontend.max_device_code = options.max_device_code;
  job.options.machine_code = machine_code(config);
  job.options.listings = inputs.cache ? &inputs.cache->listings() : nullptr;
  if (is_machine_code) {
    frontend.target = target_of(options.architecture.empty() ? config.architecture.value_or("") : options.architecture);
  } else {
    set_flags(config, job);
    frontend.target = target(frontend, config, job.diagnostics);
  }
  frontend.architecture = find_architecture(frontend.target);
  job.options.kernels = options.kernels;
  job.options.wishes = options.wishes;
  job.options.wishes.insert(job.options.wishes.end(), config.launches.begin(), config.launches.end());
  job.options.recorded = inputs.recorded;
  job.options.simulation.max_steps = options.max_steps;
  const WantedRaces wanted = inputs.wants_races(frontend.file);
  job.options.races = wanted.shared;
  job.options.global_races = wanted.global;
  job.options.tools = inputs.tools;
  return job;
}

compiled::MachineCodeWish JobPlanner::machine_code(const Config &config) const {
  if (options.machine_code || !config.machine_code || options.suggest_fixes)
    return options.machine_code.value_or(compiled::MachineCodeWish());
  return {*config.machine_code, {}};
}

void JobPlanner::set_flags(const Config &config, FileJob &job) {
  const std::string &file = job.options.frontend.file;
  std::vector<std::string> left_out;
  const auto add = [&](const std::vector<std::string> &flags, bool trusted) {
    std::vector<std::string> &all = job.options.frontend.compiler_flags, &nvcc = job.options.nvcc_flags;
    all.insert(all.end(), flags.begin(), flags.end());
    if (!job.options.machine_code.compiles())
      return;
    TranslatedFlags harmless = trusted ? TranslatedFlags() : translate_flags(flags);
    const std::vector<std::string> &handed = trusted ? flags : harmless.nvcc;
    nvcc.insert(nvcc.end(), handed.begin(), handed.end());
    std::move(harmless.not_for_nvcc.begin(), harmless.not_for_nvcc.end(), std::back_inserter(left_out));
  };
  add(config.extra_args_before, config.trusted);
  add(options.flags_before, true);
  if (options.fixed_flags)
    add(*options.fixed_flags, true);
  const std::optional<CompileDatabase::Entry> known =
      options.fixed_flags ? std::nullopt : database_entry(original_of(file), job.diagnostics);
  job.options.frontend.search_project = !known; // a build knows where its headers are
  if (known) {
    std::vector<std::string> flags;
    for (const std::string &flag : known->flags)
      flags.push_back(relocated(flag));
    add(flags, options.trust);
  }
  add(config.extra_args, config.trusted);
  add(options.flags_after, true);
  if (!left_out.empty())
    job.diagnostics.push_back({Diagnostic::Severity::Note,
                               {file, 0, 0},
                               "--as-compiled: not handed to nvcc: " + quoted_list(left_out) +
                                   "; --trust hands on whatever the compilation database and the configuration name"});
}

std::string JobPlanner::original_of(const std::string &file) const {
  if (!inputs.relocation)
    return file;
  const auto &[original, copy] = *inputs.relocation;
  const std::string absolute = normalise_path(file);
  return absolute.starts_with(copy + "/") ? original + absolute.substr(copy.size()) : file;
}

std::string JobPlanner::relocated(const std::string &flag) const {
  if (!inputs.relocation)
    return flag;
  const auto &[original, copy] = *inputs.relocation;
  const std::size_t at = flag.find(original + "/");
  if (at == std::string::npos)
    return flag;
  const std::string moved = copy + flag.substr(at + original.size());
  std::error_code error;
  return std::filesystem::exists(moved, error) ? flag.substr(0, at) + moved : flag;
}

const CompileDatabase *JobPlanner::database(const std::string &file, std::vector<Diagnostic> &diagnostics) {
  const std::string path = options.build_path ? *options.build_path : CompileDatabase::find_above(file);
  if (path.empty())
    return nullptr;
  auto known = databases.find(path);
  if (known == databases.end()) {
    std::string error;
    known = databases.emplace(path, CompileDatabase::load(path, error)).first;
    if (!error.empty())
      diagnostics.push_back(
          {options.build_path ? Diagnostic::Severity::Error : Diagnostic::Severity::Warning, {path, 0, 0}, error});
    if (known->second)
      for (const std::string &problem : known->second->problems())
        diagnostics.push_back({Diagnostic::Severity::Warning, {path, 0, 0}, problem});
  }
  return known->second ? &*known->second : nullptr;
}

std::string JobPlanner::includer_of(const std::string &file, std::vector<Diagnostic> &diagnostics) {
  constexpr std::array<std::string_view, 6> kHeaders{".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl"};
  const bool header =
      std::any_of(kHeaders.begin(), kHeaders.end(), [&](std::string_view end) { return file.ends_with(end); });
  const CompileDatabase *commands = header && !options.fixed_flags ? database(file, diagnostics) : nullptr;
  return commands && !commands->find(file) ? commands->includer_of(file) : std::string();
}

std::optional<CompileDatabase::Entry> JobPlanner::database_entry(const std::string &file,
                                                                 std::vector<Diagnostic> &diagnostics) {
  const CompileDatabase *commands = database(file, diagnostics);
  if (!commands)
    return std::nullopt;
  std::optional<CompileDatabase::Entry> found = commands->find(file);
  if (!found && options.build_path)
    diagnostics.push_back(
        {Diagnostic::Severity::Warning,
         {file, 0, 0},
         "the compilation database in " + *options.build_path + " does not mention this file; analysed without flags"});
  if (found && found->ambiguous)
    diagnostics.push_back(
        {Diagnostic::Severity::Warning,
         {file, 0, 0},
         "several commands of the compilation database compile this file with different flags; the first one is taken"});
  return found;
}

std::string JobPlanner::target(const FrontendOptions &frontend, const Config &config,
                               std::vector<Diagnostic> &diagnostics) {
  const std::vector<std::string> named = translate_flags(frontend.compiler_flags).architectures;
  if (const std::string asked =
          target_of(!options.architecture.empty() ? options.architecture : config.architecture.value_or(""));
      !asked.empty()) {
    const auto same = std::find_if(named.begin(), named.end(), [&](const std::string &name) {
      return find_architecture(name) == find_architecture(asked);
    });
    return asked == find_architecture(asked)->name && same != named.end() ? target_of(*same) : asked;
  }
  for (const std::string &name : named)
    if (const std::string found = target_of(name); !found.empty()) {
      if (named.size() > 1)
        diagnostics.push_back({Diagnostic::Severity::Note,
                               {frontend.file, 0, 0},
                               "the compiler flags name " + llvm::join(named, ", ") + "; modelled as " + name +
                                   " (--arch chooses another)"});
      return found;
    }
  if (!named.empty())
    diagnostics.push_back({Diagnostic::Severity::Warning,
                           {frontend.file, 0, 0},
                           "no table for " + named.front() + ", which the compiler flags name; modelled as " +
                               kDefaultArchitecture + " (--arch chooses another)"});
  return kDefaultArchitecture;
}

} // namespace smem
