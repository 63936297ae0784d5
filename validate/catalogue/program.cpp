#include "program.h"

#include "measure/measured_program.h"
#include "repeats.h"
#include "support/process.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

namespace smem_lint::validate {
namespace {

// Calls `work` for every index, `jobs` at a time.
void parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)> &work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < std::min<std::size_t>(std::max(1u, jobs), count); ++t)
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++)
        work(i);
    });
}

std::string first_error(const std::string &log) {
  std::ifstream in(log);
  std::string first;
  for (std::string line; std::getline(in, line);) {
    if (line.find("error") != std::string::npos)
      return line;
    if (first.empty())
      first = line;
  }
  return first.empty() ? "nvcc failed" : first;
}

void build_one(Program &program, const BuildSettings &settings) {
  program.binary = settings.folder + "/" + program.name;
  const std::string log = program.binary + ".build.log";
  Command command{
      {settings.nvcc, "-O3", "-lineinfo", "-std=c++17", "-arch=" + settings.arch, program.source, "-o", program.binary},
      {},
      log};
  for (const auto &[name, value] : settings.defines)
    command.arguments.push_back("-D" + name + (value.empty() ? "" : "=" + value));
  const auto ending = run(command);
  if (ending && ending->code == 0)
    return;
  program.outcome = Outcome::NotBuilt;
  program.reason = ending ? first_error(log) : "no process could be made";
}

void check_repeats(Program &program, MeasureRequest request, unsigned repeat) {
  request.time = false;
  request.out = program.record + ".repeat";
  for (program.repeats = 1; program.repeats < repeat; ++program.repeats) {
    const auto outcome = measure_program(request);
    std::ifstream first(program.record), again(request.out);
    if (outcome)
      program.unstable.merge(differing_places(first, again));
    else
      program.unstable.insert("no process could be made");
  }
  if (!program.unstable.empty()) {
    program.outcome = Outcome::Unstable;
    program.reason = "not the same integers in " + std::to_string(repeat) + " measurements";
  }
  std::remove(request.out.c_str());
}

} // namespace

const char *to_string(Outcome outcome) {
  switch (outcome) {
  case Outcome::Measured: return "measured";
  case Outcome::NotBuilt: return "not built";
  case Outcome::NotMeasured: return "not measured";
  case Outcome::Failed: return "failed";
  case Outcome::Unstable: return "unstable";
  }
  return "";
}

void build(std::vector<Program> &programs, const BuildSettings &settings) {
  parallel(programs.size(), settings.jobs, [&](std::size_t i) { build_one(programs[i], settings); });
}

void measure(Program &program, const MeasureSettings &settings, const Work &work) {
  if (program.outcome == Outcome::NotBuilt)
    return;
  MeasureRequest request;
  request.program = {program.binary};
  request.out = program.record;
  request.library = settings.library;
  request.program_output = program.binary + ".log";
  request.time = settings.time;
  const auto before = std::chrono::steady_clock::now();
  const auto outcome = measure_program(request);
  program.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  if (!outcome || !outcome->measured()) {
    program.outcome = Outcome::NotMeasured;
    program.reason = outcome ? why_not_measured(request, *outcome) : "no process could be made";
    return;
  }
  if (outcome->ending.code) {
    program.outcome = Outcome::Failed;
    program.reason = (outcome->ending.signal ? "killed by signal " : "exited with ") +
                     std::to_string(outcome->ending.signal ? outcome->ending.signal : outcome->ending.code) + "; see " +
                     request.program_output;
  } else if (outcome->timed_ending && outcome->timed_ending->code) {
    program.outcome = Outcome::Failed;
    program.reason = "when it was timed it exited with " + std::to_string(outcome->timed_ending->code);
  } else if (settings.repeat > 1) {
    check_repeats(program, request, settings.repeat);
  }
  std::ifstream record(program.record);
  program.launches = read_rates(record);
  for (auto &launch : program.launches)
    launch.flop = work.flop(program.name, launch.kernel, settings.defines);
}

void measure(std::vector<Program> &programs, const MeasureSettings &settings, const Work &work) {
  parallel(programs.size(), settings.time ? 1 : settings.jobs,
           [&](std::size_t i) { measure(programs[i], settings, work); });
}

} // namespace smem_lint::validate
