#include "command.h"

#include <boost/program_options.hpp>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>

namespace smem_lint::validate {
namespace {

namespace options = boost::program_options;
using nlohmann::json;

constexpr int kNothingMeasured = 2;

struct Settings {
  std::vector<std::string> program;
  std::string out, kernel, library;
  unsigned long skip = 0;
  std::optional<unsigned long> count;
  bool all = false;
};

std::optional<std::string> find_library(const std::string& given) {
  if (!given.empty()) return std::filesystem::exists(given) ? std::optional(given) : std::nullopt;
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const auto& directory : {here, here / "../lib", here / "../lib/smem-lint", here / "../validate"}) {
    const auto path = directory / "libsmem_measure_inject.so";
    if (std::filesystem::exists(path)) return std::filesystem::canonical(path).string();
  }
  return std::nullopt;
}

// The child's wait status, or nothing if it could not be started.
std::optional<int> run(const Settings& settings, const std::string& library) {
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    setenv("CUDA_INJECTION64_PATH", library.c_str(), 1);
    setenv("SMEM_MEASURE_OUT", settings.out.c_str(), 1);
    if (!settings.kernel.empty()) setenv("SMEM_MEASURE_KERNEL", settings.kernel.c_str(), 1);
    if (settings.skip) setenv("SMEM_MEASURE_SKIP", std::to_string(settings.skip).c_str(), 1);
    if (settings.count) setenv("SMEM_MEASURE_COUNT", std::to_string(*settings.count).c_str(), 1);
    if (settings.all) setenv("SMEM_MEASURE_ALL", "1", 1);
    std::vector<char*> arguments;
    for (const auto& argument : settings.program) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::cerr << "smem-validate: cannot run " << settings.program[0] << ": " << std::strerror(errno) << '\n';
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return std::nullopt;
  return status;
}

struct Summary {
  unsigned launches = 0, rows = 0, failed_launches = 0, without_lines = 0;
  bool session = false, ended = false, error = false;
  std::set<std::string> kernels;
};

Summary summarise(const std::string& path) {
  Summary summary;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const json record = json::parse(line, nullptr, false);
    if (record.is_discarded() || !record.is_object()) continue;  // the last line of a program that was killed
    const std::string kind = record.value("kind", "");
    if (kind == "session") summary.session = true;
    if (kind == "end") summary.ended = true;
    if (kind == "error") summary.error = true;
    if (kind != "launch" && kind != "graph") continue;
    ++summary.launches;
    summary.kernels.insert(record.value("demangled", ""));
    if (record.value("result", "success") != "success") ++summary.failed_launches;
    else if (!record.value("line_info", true)) ++summary.without_lines;
    if (record.contains("instructions")) summary.rows += static_cast<unsigned>(record["instructions"].size());
  }
  return summary;
}

int report(const Settings& settings, const Summary& summary, int status) {
  const auto plural = [](unsigned n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : n && what[std::strlen(what) - 1] == 'h' ? "es" : "s"); };
  if (summary.launches)
    std::cerr << "smem-validate: " << plural(summary.launches, "launch") << " of " << plural(static_cast<unsigned>(summary.kernels.size()), "kernel")
              << ", " << plural(summary.rows, "row") << " in " << settings.out << '\n';
  if (summary.failed_launches)
    std::cerr << "smem-validate: warning: " << plural(summary.failed_launches, "launch") << " failed and were not measured\n";
  if (summary.without_lines)
    std::cerr << "smem-validate: warning: " << plural(summary.without_lines, "launch")
              << " without line information, measured by instruction only; build with -lineinfo to see source lines\n";
  if (!summary.ended && summary.launches)
    std::cerr << "smem-validate: warning: the program did not end normally; everything up to its last launch was kept\n";
  int code = 0;
  if (summary.error) code = kNothingMeasured;
  else if (!summary.launches) {
    code = kNothingMeasured;
    if (summary.session && !settings.kernel.empty())
      std::cerr << "smem-validate: error: no launch matched --kernel '" << settings.kernel << "'\n";
    else if (summary.session) std::cerr << "smem-validate: error: the program launched no kernel\n";
    else
      std::cerr << "smem-validate: error: nothing measured: the program did not use CUDA, or there is no driver or GPU "
                   "(`nvidia-smi` lists them)\n";
  }
  if (WIFSIGNALED(status)) {
    std::cerr << "smem-validate: error: " << settings.program[0] << " was killed by signal " << WTERMSIG(status) << '\n';
    return 128 + WTERMSIG(status);
  }
  if (WEXITSTATUS(status) != 0) {
    std::cerr << "smem-validate: error: " << settings.program[0] << " exited with " << WEXITSTATUS(status) << '\n';
    return WEXITSTATUS(status);
  }
  return code;
}

}  // namespace

int measure(const std::vector<std::string>& arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  Settings settings;
  if (separator != arguments.end()) settings.program.assign(separator + 1, arguments.end());
  options::options_description description("smem-validate measure [options] -- PROGRAM [arguments]\n\nOptions");
  unsigned long count = 0;
  description.add_options()
      ("help,h", "show this text")
      ("output,o", options::value(&settings.out)->default_value("measured.jsonl"), "where to write, one line of JSON a launch")
      ("kernel,k", options::value(&settings.kernel), "only kernels whose name matches this regular expression")
      ("launch-skip", options::value(&settings.skip), "leave out the first N matching launches")
      ("launch-count", options::value(&count), "measure at most N matching launches")
      ("all-instructions", options::bool_switch(&settings.all), "rows for every instruction, not only memory accesses")
      ("library", options::value(&settings.library), "path of libsmem_measure_inject.so");
  options::variables_map values;
  try {
    namespace style = options::command_line_style;
    options::store(options::command_line_parser({arguments.begin(), separator})
                       .options(description)
                       .style(style::default_style & ~style::allow_guessing)
                       .positional({})
                       .run(),
                   values);
    options::notify(values);
  } catch (const options::error& error) {
    std::cerr << "smem-validate: " << error.what() << "\n" << description;
    return kNothingMeasured;
  }
  if (values.count("help")) {
    std::cout << description;
    return 0;
  }
  if (values.count("launch-count")) settings.count = count;
  if (settings.program.empty()) {
    std::cerr << "smem-validate: no program to measure; give it after --\n" << description;
    return kNothingMeasured;
  }
  const auto library = find_library(settings.library);
  if (!library) {
    std::cerr << "smem-validate: libsmem_measure_inject.so not found; it is built where CUDA and CUPTI are, or give --library\n";
    return kNothingMeasured;
  }
  if (!std::ofstream(settings.out, std::ios::trunc)) {
    std::cerr << "smem-validate: cannot write " << settings.out << '\n';
    return kNothingMeasured;
  }
  settings.out = std::filesystem::absolute(settings.out).string();
  const auto status = run(settings, *library);
  if (!status) {
    std::cerr << "smem-validate: cannot start a process: " << std::strerror(errno) << '\n';
    return kNothingMeasured;
  }
  return report(settings, summarise(settings.out), *status);
}

}  // namespace smem_lint::validate
