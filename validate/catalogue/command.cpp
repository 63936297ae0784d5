#include "command.h"

#include "measure/measured_program.h"
#include "program.h"
#include "report.h"
#include "sinks/files.h"
#include "support/nvcc.h"

#include <boost/program_options.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace smem_lint::validate {
namespace {

namespace options = boost::program_options;
namespace fs = std::filesystem;

constexpr int kAllMeasured = 0, kSomeNot = 1, kNothingMeasured = 2;

struct Settings {
  std::string kernels, out, arch, nvcc, library;
  std::vector<std::string> names, defines;
  unsigned jobs = 1, repeat = 1;
  bool no_time = false, help = false;
};

options::options_description visible_options(Settings &settings) {
  options::options_description description("Options");
  description.add_options()("help,h", options::bool_switch(&settings.help), "show this text")(
      "kernels", options::value(&settings.kernels)->default_value("kernels")->value_name("DIR"),
      "where the programs are")("output,o",
                                options::value(&settings.out)->default_value("catalogue-measured")->value_name("DIR"),
                                "where to put programs, records (NAME.jsonl) and catalogue.json")(
      "arch", options::value(&settings.arch)->default_value("sm_90"),
      "what to compile for")("nvcc", options::value(&settings.nvcc)->value_name("FILE"),
                             "the compiler (default: from PATH, CUDA_HOME or /usr/local/cuda)")(
      "define,D", options::value(&settings.defines)->value_name("NAME[=VALUE]"),
      "a macro for the compiler, such as GEMM_SIZE=4096")(
      "repeat", options::value(&settings.repeat)->default_value(1)->value_name("N"),
      "measure every program N times; the integers have to be the same")(
      "no-time", options::bool_switch(&settings.no_time), "count only")(
      "jobs,j",
      options::value(&settings.jobs)->default_value(std::max(1u, std::thread::hardware_concurrency()))->value_name("N"),
      "compilations at a time, and programs at a time with --no-time")(
      "library", options::value(&settings.library)->value_name("FILE"), "path of libsmem_measure_inject.so");
  return description;
}

void parse(const std::vector<std::string> &arguments, Settings &settings, const options::options_description &visible) {
  namespace style = options::command_line_style;
  options::options_description all;
  all.add(visible).add_options()("names", options::value(&settings.names), "");
  options::positional_options_description positional;
  positional.add("names", -1);
  options::variables_map values;
  options::store(options::command_line_parser(arguments)
                     .options(all)
                     .positional(positional)
                     .style(style::default_style & ~style::allow_guessing)
                     .run(),
                 values);
  options::notify(values);
  if (settings.repeat == 0)
    throw options::error("--repeat is at least 1");
}

std::vector<Program> find_programs(const Settings &settings) {
  std::vector<std::string> names = settings.names;
  if (!fs::is_directory(settings.kernels))
    throw std::runtime_error(settings.kernels + " is not a folder");
  if (names.empty())
    for (const auto &entry : fs::directory_iterator(settings.kernels))
      if (entry.path().extension() == ".cu")
        names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Program> programs;
  for (const auto &name : names) {
    Program program;
    program.name = name;
    program.source = settings.kernels + "/" + name + ".cu";
    program.record = settings.out + "/" + name + ".jsonl";
    if (!fs::exists(program.source))
      throw std::runtime_error("there is no " + program.source);
    programs.push_back(std::move(program));
  }
  if (programs.empty())
    throw std::runtime_error("no .cu file in " + settings.kernels);
  return programs;
}

Defines parse_defines(const std::vector<std::string> &texts) {
  Defines defines;
  for (const auto &text : texts) {
    const auto at = text.find('=');
    defines[text.substr(0, at)] = at == std::string::npos ? "" : text.substr(at + 1);
  }
  return defines;
}

Work read_work(const std::string &kernels) {
  const std::string name = kernels + "/work.json";
  std::ifstream in(name);
  if (!in)
    return {};
  return Work::parse(std::string(std::istreambuf_iterator<char>(in), {}), name);
}

// As it was given, but for places of this machine.
std::string command_line(const std::vector<std::string> &arguments) {
  std::string line = "smem-validate catalogue";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    const bool place = argument == "-o" || argument == "--output" || argument == "--library" || argument == "--nvcc" ||
                       argument == "--kernels";
    if (place)
      ++i;
    else if (argument.rfind("--output=", 0) != 0 && argument.rfind("--library=", 0) != 0 &&
             argument.rfind("--nvcc=", 0) != 0 && argument.rfind("--kernels=", 0) != 0)
      line += " " + argument;
  }
  return line;
}

int run_catalogue(Settings &settings, const std::vector<std::string> &arguments) {
  settings.kernels = fs::path(settings.kernels).lexically_normal().string();
  if (settings.kernels.size() > 1 && settings.kernels.back() == '/')
    settings.kernels.pop_back();
  settings.out = fs::absolute(settings.out).string();
  std::vector<Program> programs = find_programs(settings);
  const Work work = read_work(settings.kernels);
  const std::string nvcc = find_nvcc(settings.nvcc);
  if (nvcc.empty())
    throw std::runtime_error(settings.nvcc.empty() ? "nvcc not found: install the CUDA toolkit, or name it with --nvcc"
                                                   : "cannot run " + settings.nvcc);
  const auto library = find_library(settings.library);
  if (!library)
    throw std::runtime_error(
        "libsmem_measure_inject.so not found; it is built where CUDA and CUPTI are, or give --library");
  std::error_code failure;
  fs::create_directories(settings.out, failure);
  if (failure)
    throw std::runtime_error("cannot make " + settings.out + ": " + failure.message());

  const Defines defines = parse_defines(settings.defines);
  build(programs, {nvcc, settings.arch, settings.out, defines, settings.jobs});
  measure(programs, {*library, defines, !settings.no_time, settings.repeat, settings.jobs}, work);

  Provenance provenance = provenance_of(programs);
  provenance.toolkit = nvcc_version(nvcc);
  provenance.command = command_line(arguments);
  write_text(std::cout, programs);
  const std::string report = settings.out + "/catalogue.json";
  std::ostringstream text;
  write_json(text, programs, provenance, defines);
  if (const std::string wrong = smem::sinks::write_file(report, text.str()); !wrong.empty())
    throw std::runtime_error(wrong);
  std::cerr << "smem-validate: " << headline(programs) << "; " << report << '\n';
  const auto measured = [](const Program &program) { return program.outcome == Outcome::Measured; };
  if (std::all_of(programs.begin(), programs.end(), measured))
    return kAllMeasured;
  const auto never = [](const Program &program) {
    return program.outcome == Outcome::NotBuilt || program.outcome == Outcome::NotMeasured;
  };
  return std::all_of(programs.begin(), programs.end(), never) ? kNothingMeasured : kSomeNot;
}

} // namespace

int catalogue(const std::vector<std::string> &arguments) {
  Settings settings;
  const auto visible = visible_options(settings);
  try {
    parse(arguments, settings, visible);
    if (settings.help) {
      std::cout
          << "usage: smem-validate catalogue [options] [NAME...]\n\n"
             "Builds the programs with nvcc -O3 -lineinfo, runs them, reads the counters of every launch, and times every launch.\n"
             "Exit code: 0 all measured, 1 some not, 2 none.\n\n"
          << visible;
      return kAllMeasured;
    }
    return run_catalogue(settings, arguments);
  } catch (const options::error &error) {
    std::cerr << "smem-validate: error: " << error.what() << '\n';
  } catch (const std::runtime_error &error) {
    std::cerr << "smem-validate: error: " << error.what() << '\n';
  }
  return kNothingMeasured;
}

} // namespace smem_lint::validate
