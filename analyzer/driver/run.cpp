#include "driver/run.h"

#include "analysis/exchange.h"
#include "archive/archive.h"
#include "driver/memory.h"
#include "driver/output.h"
#include "driver/file_jobs.h"
#include "driver/included_sources.h"
#include "driver/processes.h"
#include "driver/progress.h"
#include "driver/time_limit.h"
#include "driver/workers.h"
#include "flags/translate_flags.h"
#include "frontend/assumed_templates.h"
#include "sinks/files.h"
#include "support/paths.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace smem {
namespace {

using Keep = std::function<bool(const Program &)>;

/// Leaves the kernels that are to be kept, and of fixes what is theirs.
void keep_only(FileAnalysis &analysis, FileFixes *fixes, const Keep &keep) {
  const std::vector<LaunchAnalysis> launches = fixes ? analysis.launches : std::vector<LaunchAnalysis>();
  const std::vector<std::size_t> position = keep_programs(analysis, keep);
  if (!fixes)
    return;
  std::vector<std::size_t> launch_position;
  for (std::size_t i = 0, next = 0; i < launches.size(); ++i)
    launch_position.push_back(position[launches[i].program] == SIZE_MAX ? SIZE_MAX : next++);
  std::erase_if(fixes->sites, [&](const FixedSite &site) { return launch_position[site.launch] == SIZE_MAX; });
  for (FixedSite &site : fixes->sites)
    site.launch = launch_position[site.launch];
  if (fixes->after.parsed)
    keep_programs(fixes->after, keep);
}

/// A template that other files instantiate is analysed there, and needs no arguments that are made up.
void leave_to_others(FileAnalysis &analysis, FileFixes *fixes, const std::set<SourceLocation> &instantiated) {
  std::set<std::string> assumed;
  for (const UnitDefinition &kernel : analysis.unit.kernels)
    if (kernel.assumed && instantiated.contains(kernel.location))
      assumed.insert(kernel.mangled);
  std::erase_if(analysis.diagnostics, [&](const Diagnostic &one) {
    return instantiated.contains(one.location) && one.message.find(kNotInstantiated) != std::string::npos;
  });
  for (const Program &program : analysis.programs)
    if (assumed.contains(program.mangled))
      analysis.left_out.push_back(program.kernel);
  if (!assumed.empty())
    keep_only(analysis, fixes, [&](const Program &program) { return !assumed.contains(program.mangled); });
}

/// The analysis, and the fixes if they are wanted.
Outcome run_job(const FileJob &job, const PrefixCache *prefixes, bool wants_fixes) {
  const bool is_source = job.options.input == compiled::MachineInput::None;
  Outcome outcome{is_source ? analyze_file(job.options) : analyse_machine_code(job.options), {}, {}};
  FileAnalysis &analysis = outcome.analysis;
  FileFixes *const fixes = &outcome.fixes;
  if (wants_fixes && is_source && analysis.parsed && !analysis.assumed_headers.empty()) {
    analysis.diagnostics.push_back({Diagnostic::Severity::Note,
                                    {normalise_path(analysis.file), 0, 0},
                                    "no repairs are suggested: they would hold if " + analysis.assumed_headers});
  } else if (wants_fixes && is_source && analysis.parsed && !analysis.stopped) {
    *fixes = find_fixes(analysis, job.options);
    if (job.options.frontend.stop.stop_requested()) { // what was tried by then is no proof
      *fixes = {};
      analysis.diagnostics.push_back({Diagnostic::Severity::Error, // "nothing to repair" would be another answer
                                      {normalise_path(analysis.file), 0, 0},
                                      "no repairs are suggested: " + job.options.stop_reason,
                                      /*incomplete=*/true});
    }
    fixes->after.diagnostics.insert(fixes->after.diagnostics.begin(), job.diagnostics.begin(), job.diagnostics.end());
  }
  if (wants_fixes && !is_source)
    analysis.diagnostics.push_back({Diagnostic::Severity::Note,
                                    {normalise_path(analysis.file), 0, 0},
                                    "it is machine code: repairs are made in sources"});
  if (prefixes)
    outcome.remark = prefixes->remark();
  return outcome;
}

/// Leaves what is wanted of an analysis, with what was said before it.
void finish(const FileJob &job, bool wants_fixes, Outcome &outcome) {
  FileAnalysis &analysis = outcome.analysis;
  if (!job.header.empty()) {
    analysis.file = outcome.fixes.after.file = job.header;
    keep_only(analysis, wants_fixes ? &outcome.fixes : nullptr,
              [path = normalise_path(job.header)](const Program &program) { return program.location.file == path; });
  }
  analysis.diagnostics.insert(analysis.diagnostics.begin(), job.diagnostics.begin(), job.diagnostics.end());
}

/// What there is of a file whose process has ended before its analysis had.
Outcome not_analysed(const FileJob &job, const std::string &why) {
  Outcome outcome;
  FileAnalysis &analysis = outcome.analysis;
  analysis.file = job.options.frontend.file;
  analysis.architecture = job.options.frontend.architecture;
  analysis.toolkit = job.options.frontend.toolkit;
  analysis.diagnostics.push_back({Diagnostic::Severity::Error,
                                  {normalise_path(analysis.file), 0, 0},
                                  "not analysed: " + why,
                                  /*incomplete=*/true});
  return outcome;
}

Outcome outcome_of(const FileJob &job, const DriverOptions &options, const Ending &ending) {
  if (ending.whole)
    if (std::optional<Outcome> outcome = read_outcome(ending.result))
      return std::move(*outcome);
  if (!ending.why.empty())
    return not_analysed(job, "no process can be started for it: " + ending.why);
  if (ending.code == kOutOfMemory)
    return not_analysed(job, needs_more_memory(options.max_memory));
  if (ending.code == kOutOfTime)
    return not_analysed(job, TimeLimit(options.timeout).text());
  const char *signal = ending.signal != 0 ? sigabbrev_np(ending.signal) : nullptr;
  // Nothing says whether the stack overflowed: some of what Clang parses it parses by recursion without a bound.
  const char *remedy =
      ending.signal == SIGSEGV
          ? ", a defect of smem-lint or Clang unless the code is nested very deeply: leave the file out, or report it"
          : "";
  return not_analysed(job, signal ? std::string("its analysis ended by SIG") + signal + remedy
                                  : "its analysis ended without a result");
}

/// Progress between processes.
std::string text_of(const AnalysisProgress &progress) {
  return std::to_string(static_cast<int>(progress.phase)) + " " + std::to_string(progress.number) + " " +
         std::to_string(progress.total) + " " + progress.kernel;
}

AnalysisProgress progress_of(std::string_view text) {
  AnalysisProgress progress;
  std::istringstream in{std::string(text)};
  int phase = 0;
  in >> phase >> progress.number >> progress.total;
  in.ignore();
  std::getline(in, progress.kernel);
  progress.phase = static_cast<AnalysisProgress::Phase>(phase);
  return progress;
}

/// What `make` makes; a thread that cannot have a stack has too little memory.
template <typename Make> auto within_memory(Make make) {
  try {
    return make();
  } catch (const std::system_error &) {
    end_for_memory();
  }
}

/// Runs jobs, each in a process of its own, unless a cache knows what comes of them.
class UnitRun {
public:
  UnitRun(const DriverOptions &options, const AnalysisInputs &inputs, std::vector<FileJob> &jobs,
          std::vector<FileAnalysis> &results, std::vector<FileFixes> *fixes)
      : options_(options), jobs_(jobs), results_(results), fixes_(fixes),
        // Its results lack what fixes and pictures are made of, its keys what is not saved.
        cache_(fixes || options.format == Format::Html || options.for_editor ? nullptr : inputs.cache),
        prefixes_(inputs.prefixes), shown_(!options.quiet && isatty(STDERR_FILENO) != 0), progress_(shown_) {}

  /// Analyses those of the jobs that `which` names.
  void analyse(const std::vector<std::size_t> &which) {
    run(which, fixes_ != nullptr, [&](std::size_t n, Outcome outcome) {
      const std::size_t i = which[n];
      finish(jobs_[i], fixes_ != nullptr, outcome);
      results_[i] = std::move(outcome.analysis);
      if (fixes_)
        (*fixes_)[i] = std::move(outcome.fixes);
    });
  }

  /// Only what others want of these, and what would come of their launches: no kernel is looked at.
  std::vector<FileAnalysis> read(const std::vector<std::size_t> &which) {
    std::vector<FileAnalysis> read(which.size());
    std::vector<bool> before;
    for (const std::size_t i : which)
      before.push_back(std::exchange(jobs_[i].options.frontend.for_others, true));
    run(which, false, [&](std::size_t n, Outcome outcome) { read[n] = std::move(outcome.analysis); });
    for (std::size_t n = 0; n < which.size(); ++n)
      jobs_[which[n]].options.frontend.for_others = before[n];
    return read;
  }

private:
  using Take = std::function<void(std::size_t, Outcome)>;

  void run(const std::vector<std::size_t> &which, bool wants_fixes, const Take &take) {
    progress_.expect(which.size());
    std::vector<std::optional<std::string>> known = look_up(which);
    std::vector<std::size_t> missing, held; // positions in `which`
    for (std::size_t n = 0; n < which.size(); ++n)
      (known[n] ? held : missing).push_back(n);
    JobSlots slots(options_.jobs, missing.size());
    const auto begin = [&](std::size_t n) { progress_.begin(which[n], jobs_[which[n]].options.frontend.file); };
    const auto end = [&](std::size_t n, Outcome outcome) {
      take(n, std::move(outcome));
      progress_.end(which[n]);
    };
    ProcessWork work;
    work.begin = [&](std::size_t m) { begin(missing[m]); };
    work.run = [&](std::size_t m, const std::function<void(std::string_view)> &tell) {
      bound_process(options_.max_memory);
      Workers workers(slots, m);
      TimeLimit limit = within_memory([&] { return TimeLimit(options_.timeout, [] { _exit(kOutOfTime); }); });
      FileJob &job = jobs_[which[missing[m]]];
      AnalysisOptions &analysis = job.options;
      analysis.frontend.stop = analysis.simulation.stop = limit.token();
      analysis.stop_reason = limit.text();
      analysis.host_digest = host_digest;
      analysis.progress = [&](const AnalysisProgress &now) {
        limit.check();
        if (shown_)
          tell(text_of(now));
      };
      analysis.parallel_for = [&](std::size_t count, const std::function<void(std::size_t)> &body) {
        workers.for_each(count, body);
      };
      return write_outcome(run_job(job, prefixes_, wants_fixes));
    };
    work.told = [&](std::size_t m, std::string_view text) { progress_.update(which[missing[m]], progress_of(text)); };
    work.end = [&](std::size_t m, const Ending &ending) {
      const FileJob &job = jobs_[which[missing[m]]];
      Outcome outcome = outcome_of(job, options_, ending);
      if (options_.verbose && !outcome.remark.empty() && remarks_.insert(outcome.remark).second)
        remark("note: " + outcome.remark);
      if (cache_ && is_source(which[missing[m]]))
        cache_->keep(job.options, outcome.analysis);
      end(missing[m], std::move(outcome));
    };
    work.meanwhile = [&] {
      std::vector<Outcome> outcomes(held.size());
      side_by_side(held.size(), [&](std::size_t h) {
        std::optional<FileAnalysis> analysis = read_analysis(*std::exchange(known[held[h]], std::nullopt));
        outcomes[h] = analysis ? Outcome{*std::move(analysis), {}, {}}
                               : not_analysed(jobs_[which[held[h]]], "its result in the cache cannot be read");
      });
      for (std::size_t h = 0; h < held.size(); ++h) {
        begin(held[h]);
        end(held[h], std::move(outcomes[h]));
      }
    };
    run_in_processes(missing.size(), slots, work);
  }

  void side_by_side(std::size_t count, const std::function<void(std::size_t)> &body) const {
    JobSlots slots(options_.jobs, 1);
    slots.take(0); // of this thread
    Workers(slots, 0).for_each(count, body);
  }

  /// The others are read anew: what tools made of them is not kept.
  bool is_source(std::size_t job) const { return jobs_[job].options.input == compiled::MachineInput::None; }

  /// What the cache has of them.
  std::vector<std::optional<std::string>> look_up(const std::vector<std::size_t> &which) const {
    std::vector<std::optional<std::string>> known(which.size());
    if (cache_)
      side_by_side(which.size(), [&](std::size_t n) {
        if (is_source(which[n]))
          known[n] = cache_->known(jobs_[which[n]].options);
      });
    return known;
  }

  const DriverOptions &options_;
  std::vector<FileJob> &jobs_;
  std::vector<FileAnalysis> &results_;
  std::vector<FileFixes> *fixes_;
  ResultCache *const cache_;
  const PrefixCache *const prefixes_;
  std::set<std::string> remarks_; ///< that were printed
  const bool shown_;
  ProgressLine progress_;
};

/// The names, without namespaces and arguments, of what a unit would like to see launched or called.
void add_names(const UnitInterface &unit, std::set<std::string> &names) {
  const auto add = [&](const UnitDefinition &definition) {
    const std::string full = llvm::demangle(definition.mangled);
    std::string_view name = std::string_view(full).substr(0, full.find_first_of("<("));
    name.remove_prefix(name.find_last_of(": ") + 1); // npos + 1 is 0
    names.insert(std::string(name));
  };
  for (const UnitDefinition &kernel : unit.kernels)
    if (!kernel.launched)
      add(kernel);
  std::ranges::for_each(unit.launchers, add);
}

/// A file that does not compile and includes nothing itself is a part of the source that includes it.
void analyse_within_includers(JobPlanner &planner, UnitRun &run, std::vector<FileJob> &jobs,
                              const std::vector<FileAnalysis> &results, std::vector<std::size_t> which) {
  std::erase_if(which, [&](std::size_t i) {
    const FileJob &job = jobs[i];
    if (results[i].parsed || results[i].stopped || job.role != FileRole::Analysed || !job.header.empty() ||
        job.options.frontend.contents)
      return true;
    const std::string includer = source_around(job.options.frontend.file);
    if (includer.empty())
      return true;
    FileJob within = planner.job(job.options.frontend.file, seen_from_here(includer));
    within.role = job.role;
    jobs[i] = std::move(within);
    return false;
  });
  if (!which.empty())
    run.analyse(which);
}

/// All jobs. Those that others turn out to launch or to call something of are read again until none learns anything new, and analysed again where that
/// changes what they launch.
void run_units(const DriverOptions &options, const AnalysisInputs &inputs, JobPlanner &planner,
               std::vector<FileJob> &jobs, std::vector<FileAnalysis> &results, std::vector<FileFixes> *fixes) {
  constexpr int kMostRounds = 8; // main calls a wrapper, which calls a launcher: each step takes two
  UnitRun run(options, inputs, jobs, results, fixes);
  std::vector<std::size_t> which, waiting;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    (jobs[i].role == FileRole::ReadIfNamed ? waiting : which).push_back(i);
  run.analyse(which);
  analyse_within_includers(planner, run, jobs, results, which);
  if (jobs.size() < 2)
    return;
  std::vector<bool> stale(jobs.size());
  Exchanged news;
  for (int round = 0;; ++round) {
    std::set<std::string> names;
    for (const FileAnalysis &result : results)
      add_names(result.unit, names);
    which.clear();
    for (const std::size_t i : waiting) {
      std::string wrong;
      const std::optional<std::string> text = sinks::read_file(jobs[i].options.frontend.file, wrong);
      if (text && names_any(*text, names))
        which.push_back(i);
    }
    if (!which.empty()) { // they are read first, as the others have been
      std::erase_if(waiting, [&](std::size_t i) { return std::ranges::binary_search(which, i); });
      run.analyse(which);
      continue;
    }
    std::vector<const UnitInterface *> units;
    std::vector<std::string> files;
    for (const FileAnalysis &result : results) {
      units.push_back(&result.unit);
      files.push_back(result.file);
    }
    news = smem::exchange(units, files);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      ForeignCode &foreign = jobs[i].options.frontend.foreign;
      if (foreign_text(news.foreign[i]) == foreign_text(foreign))
        continue;
      if (round >= kMostRounds) {
        news.diagnostics[i].push_back(
            {Diagnostic::Severity::Warning,
             {normalise_path(results[i].file), 0, 0},
             "calls between files lead to this one over and over; launches that they would still make are missing"});
        continue;
      }
      foreign = std::move(news.foreign[i]);
      which.push_back(i);
    }
    if (which.empty())
      break;
    std::vector<FileAnalysis> read = run.read(which);
    for (std::size_t n = 0; n < which.size(); ++n) {
      const std::size_t i = which[n];
      stale[i] = !read[n].parsed || read[n].stopped || read[n].host_digest != results[i].host_digest;
      if (read[n].parsed)
        results[i].unit = std::move(read[n].unit);
    }
  }
  which.clear();
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (stale[i] && jobs[i].role == FileRole::Analysed)
      which.push_back(i);
  run.analyse(which);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    leave_to_others(results[i], fixes ? &(*fixes)[i] : nullptr, news.instantiated);
    std::ranges::move(news.diagnostics[i], std::back_inserter(results[i].diagnostics));
  }
}

} // namespace

std::string stdin_name(const DriverOptions &options) {
  return options.stdin_filename.empty() ? "<stdin>" : options.stdin_filename;
}

std::vector<FileAnalysis> analyze_all(const DriverOptions &options, const AnalysisInputs &inputs,
                                      std::vector<FileFixes> *fixes) {
  // Sorted and each once: the order of the command line does not show in the output.
  std::set<std::string> files(options.files.begin(), options.files.end());
  const std::set<std::string> callers(options.callers.begin(), options.callers.end());
  files.insert(callers.begin(), callers.end());
  JobPlanner planner(options, inputs);
  const std::optional<Includers> includers =
      inputs.changed ? std::optional<Includers>(std::in_place, *inputs.changed) : std::nullopt;
  std::vector<FileJob> jobs;
  std::vector<std::size_t> wanted;
  std::size_t number = 0; // among those that are concerned
  for (const std::string &file : files) {
    FileJob &job = jobs.emplace_back(planner.job(file));
    const FrontendOptions &frontend = job.options.frontend;
    const bool concerned = !callers.contains(file) && (!options.only || options.only->contains(normalise_path(file))) &&
                           (!includers || includers->concerns(frontend.file, frontend.compiler_flags));
    const bool own = concerned && (!options.shard || number++ % options.shard->count + 1 == options.shard->index);
    job.role = own ? FileRole::Analysed : concerned ? FileRole::Read : FileRole::ReadIfNamed;
    job.options.frontend.for_others = !own;
    // Of many files, what only one begins with is not worth keeping.
    job.options.frontend.precompile_leading |= files.size() == 1;
    if (own)
      wanted.push_back(jobs.size() - 1);
  }
  std::vector<FileAnalysis> results(jobs.size());
  std::vector<FileFixes> all_fixes(fixes ? jobs.size() : 0);
  run_units(options, inputs, planner, jobs, results, fixes ? &all_fixes : nullptr);

  std::vector<FileAnalysis> own;
  for (const std::size_t at : wanted) {
    own.push_back(std::move(results[at]));
    if (fixes)
      fixes->push_back(std::move(all_fixes[at]));
  }
  return own;
}

} // namespace smem
