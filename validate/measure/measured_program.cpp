#include "measured_program.h"

#include "sources.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace smem_lint::validate {
namespace {

using nlohmann::json;

Command command_of(const MeasureRequest &request) {
  Command command{request.program, {}, request.program_output};
  command.environment["CUDA_INJECTION64_PATH"] = request.library;
  command.environment["SMEM_MEASURE_OUT"] = request.out;
  if (!request.kernel.empty())
    command.environment["SMEM_MEASURE_KERNEL"] = request.kernel;
  if (request.skip)
    command.environment["SMEM_MEASURE_SKIP"] = std::to_string(request.skip);
  if (request.count)
    command.environment["SMEM_MEASURE_COUNT"] = std::to_string(*request.count);
  if (request.each)
    command.environment["SMEM_MEASURE_EACH"] = std::to_string(*request.each);
  if (request.all_instructions)
    command.environment["SMEM_MEASURE_ALL"] = "1";
  return command;
}

void append(const std::string &path, const json &record) {
  std::ofstream(path, std::ios::app) << record.dump() << '\n';
}

void add_files(const json &place, std::set<std::string> &files) {
  if (const std::string file = place.value("file", ""); !file.empty())
    files.insert(file);
}

void add_record(const json &record, MeasuredSummary &summary) {
  const std::string kind = record.value("kind", "");
  if (kind == "session") {
    summary.session = true;
    summary.compute_capability = record.value("compute_capability", "");
    summary.program = record.value("program", "");
  }
  if (kind == "end") {
    summary.ended = true;
    summary.other_contexts += record.value("other_contexts", 0u);
  }
  if (kind == "error" && summary.error.empty()) {
    summary.error = record.value("message", "unknown");
    summary.hint = record.value("hint", "");
  }
  if (kind == "time")
    ++(record.contains("not_timed") ? summary.not_timed : summary.timed);
  if (kind != "launch" && kind != "graph")
    return;
  const json &instructions = record.at("instructions");
  if (!instructions.is_array())
    return;
  summary.kernels.insert(record.at("demangled").get<std::string>());
  ++summary.launches;
  if (record.value("result", "success") != "success")
    ++summary.failed_launches;
  else if (!record.value("line_info", true))
    ++summary.without_lines;
  for (const json &instruction : instructions) {
    ++summary.rows;
    add_files(instruction, summary.files);
    for (const json &frame : instruction.value("inlined_at", json::array()))
      add_files(frame, summary.files);
  }
}

} // namespace

std::optional<std::string> find_library(const std::string &given) {
  if (!given.empty())
    return std::filesystem::exists(given) ? std::optional(std::filesystem::absolute(given).string()) : std::nullopt;
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const auto &directory : {here, here / "../lib", here / "../lib/smem-lint", here / "../validate"}) {
    const auto path = directory / "libsmem_measure_inject.so";
    if (std::filesystem::exists(path))
      return std::filesystem::canonical(path).string();
  }
  return std::nullopt;
}

MeasuredSummary summarise(const std::string &path) {
  MeasuredSummary summary;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const json record = json::parse(line, nullptr, false);
    if (record.is_discarded() || !record.is_object())
      continue; // the last line of a program that was killed
    try {
      add_record(record, summary);
    } catch (const json::exception &) {
      // not a record of ours: the program itself may have written to the file
    }
  }
  return summary;
}

std::optional<MeasureOutcome> measure_program(const MeasureRequest &request) {
  std::ofstream(request.out, std::ios::trunc);
  Command command = command_of(request);
  const auto ending = run(command);
  if (!ending)
    return std::nullopt;
  MeasureOutcome outcome{*ending, {}, summarise(request.out), {}};
  const Sources sources = find_sources(outcome.summary.files, outcome.summary.program);
  outcome.changed_sources = sources.changed;
  if (!sources.files.empty()) {
    json list = json::array();
    for (const auto &[file, hash] : sources.files)
      list.push_back({{"file", file}, {"sha256", hash}});
    append(request.out, {{"kind", "sources"}, {"sources", list}});
  }
  if (request.time && outcome.measured()) {
    command.environment["SMEM_MEASURE_TIME"] = "1";
    outcome.timed_ending = run(command);
    const MeasuredSummary both = summarise(request.out);
    outcome.summary.timed = both.timed, outcome.summary.not_timed = both.not_timed;
  }
  return outcome;
}

std::string why_not_measured(const MeasureRequest &request, const MeasureOutcome &outcome) {
  const MeasuredSummary &summary = outcome.summary;
  if (outcome.measured())
    return {};
  if (!outcome.ending.started)
    return "cannot run " + request.program[0];
  if (!summary.error.empty())
    return summary.error + (summary.hint.empty() ? "" : "; " + summary.hint);
  if (summary.launches)
    return "every launch failed";
  if (summary.session && !request.kernel.empty())
    return "no launch matched --kernel '" + request.kernel + "'";
  if (summary.session)
    return "the program launched no kernel";
  return "the program did not use CUDA, or there is no driver or GPU (`smem-validate doctor` tells)";
}

} // namespace smem_lint::validate
