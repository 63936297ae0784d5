#include "command.h"

#include "diagnose.h"
#include "measure/measured_program.h"
#include "probe.h"
#include "sinks/escape.h"
#include "support/driver_version.h"
#include "support/nvcc.h"
#include "support/process.h"
#include "support/scratch_folder.h"

#include <boost/program_options.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace smem_lint::validate {
namespace {

namespace options = boost::program_options;
using nlohmann::json;

constexpr int kCannotMeasure = 2;

std::string text_of(const std::filesystem::path &file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void read_session(const std::filesystem::path &record, Facts &facts) {
  std::ifstream in(record);
  for (std::string line; std::getline(in, line);) {
    const json entry = json::parse(line, nullptr, false);
    const std::string kind = entry.is_object() ? entry.value("kind", "") : "";
    if (kind == "session") {
      facts.counters = true;
      facts.chip = entry.value("chip", "");
      facts.cupti = entry.value("cupti", 0u);
    }
    if (kind == "error") {
      facts.counters_error = entry.value("message", "");
      facts.counters_hint = entry.value("hint", "");
    }
  }
}

json last_object(const std::filesystem::path &file) {
  std::ifstream in(file);
  json last;
  for (std::string line; std::getline(in, line);)
    if (json object = json::parse(line, nullptr, false); object.is_object())
      last = std::move(object);
  return last;
}

// In a process of its own, injected like any other: a driver that crashes or prints takes nothing along.
void try_library(Facts &facts) {
  const ScratchFolder folder;
  const auto output = folder.path() / "output", record = folder.path() / "record";
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto ending = run({{self, "probe-library", facts.library},
                           {{"CUDA_INJECTION64_PATH", facts.library}, {"SMEM_MEASURE_OUT", record.string()}},
                           output.string()});
  const json found = last_object(output);
  if (!found.is_object()) {
    facts.library_error = "its probe ended with " + std::to_string(ending ? ending->code : -1);
    return;
  }
  facts.library_error = found.value("load_error", "");
  facts.cuda = found.value("driver", 0);
  facts.init_error = found.value("error", "");
  for (const json &entry : found.value("devices", json::array()))
    facts.devices.push_back({entry.value("name", ""), entry.value("compute_capability", "")});
  facts.counters_error = found.value("context_error", "");
  read_session(record, facts);
}

std::optional<bool> counters_are_reserved() {
  const std::string parameters = text_of("/proc/driver/nvidia/params");
  const auto at = parameters.find("RmProfilingAdminOnly: ");
  if (at == std::string::npos)
    return std::nullopt;
  return parameters[at + 22] == '1';
}

} // namespace

int doctor(const std::vector<std::string> &arguments) {
  Facts facts;
  std::string library, nvcc;
  options::options_description description("smem-validate doctor [options]\n\nOptions");
  description.add_options()("help,h", "show this text")("nvcc", options::value(&nvcc), "path of nvcc")(
      "library", options::value(&library), "path of libsmem_measure_inject.so");
  try {
    namespace style = options::command_line_style;
    options::variables_map values;
    options::store(options::command_line_parser(arguments)
                       .options(description)
                       .style(style::default_style & ~style::allow_guessing)
                       .positional({})
                       .run(),
                   values);
    options::notify(values);
    if (values.count("help")) {
      std::cout << description;
      return 0;
    }
  } catch (const options::error &error) {
    std::cerr << "smem-validate: " << error.what() << "\n" << description;
    return kCannotMeasure;
  }
  facts.library = find_library(library).value_or("");
  if (!facts.library.empty())
    try_library(facts);
  facts.driver_version = driver_version();
  facts.admin_only = counters_are_reserved();
  facts.administrator = geteuid() == 0;
  facts.nvcc = find_nvcc(nvcc);
  if (!facts.nvcc.empty())
    facts.nvcc_version = nvcc_version(facts.nvcc);

  const auto checks = diagnose(facts);
  for (const auto &check : checks) {
    static constexpr const char *kStates[] = {"ok     ", "note   ", "MISSING"};
    std::cout << kStates[static_cast<int>(check.state)] << "  " << check.subject
              << std::string(10 - check.subject.size(), ' ') << smem::sinks::line(check.finding) << '\n';
    if (!check.mend.empty())
      std::cout << std::string(19, ' ') << "-> " << smem::sinks::line(check.mend) << '\n';
  }
  const bool able = can_measure(checks);
  std::cout << (able ? "this machine can measure\n" : "this machine cannot measure; it can compare\n");
  return able ? 0 : kCannotMeasure;
}

int probe_library(const std::vector<std::string> &arguments) {
  if (arguments.size() != 1)
    return kCannotMeasure;
  probe(arguments[0], std::cout);
  _exit(0); // no destructors of libraries that may be half initialised
}

} // namespace smem_lint::validate
