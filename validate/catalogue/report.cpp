#include "report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace smem_lint::validate {
namespace {

using nlohmann::ordered_json;

std::string fixed(const std::optional<double> &value, int digits) {
  if (!value)
    return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, *value);
  return text;
}

std::string shape(const std::uint64_t (&d)[3]) {
  std::string text = "(" + std::to_string(d[0]);
  for (int i = 1; i < 3 && (d[i] > 1 || (i == 1 && d[2] > 1)); ++i)
    text += "," + std::to_string(d[i]);
  return text + ")";
}

// Without the types of its arguments.
std::string short_name(const std::string &kernel) {
  std::string name = kernel.substr(0, kernel.find('('));
  if (name.starts_with("void "))
    name.erase(0, 5);
  return name;
}

double rounded(double value) { return std::round(value * 100) / 100; }

ordered_json json_of(const LaunchRates &launch) {
  ordered_json entry{{"kernel", short_name(launch.kernel)}, {"grid", launch.grid}, {"block", launch.block}};
  if (launch.median_ns)
    entry["median_ns"] = *launch.median_ns, entry["fastest_ns"] = *launch.fastest_ns,
    entry["slowest_ns"] = *launch.slowest_ns;
  else
    entry["not_timed"] = launch.not_timed.empty() ? "no time was recorded" : launch.not_timed;
  entry["requested_bytes"] = launch.requested_bytes;
  entry["sector_bytes"] = launch.sector_bytes;
  entry["wavefronts"] = launch.wavefronts;
  entry["ideal_wavefronts"] = launch.ideal_wavefronts;
  if (launch.flop)
    entry["flop"] = static_cast<std::uint64_t>(*launch.flop);
  if (const auto rate = launch.requested_gbs())
    entry["requested_gbs"] = rounded(*rate);
  if (const auto rate = launch.sector_gbs())
    entry["sector_gbs"] = rounded(*rate);
  if (const auto rate = launch.gflops())
    entry["gflops"] = rounded(*rate);
  return entry;
}

void write_row(std::ostream &out, const LaunchRates &launch, std::size_t width) {
  char numbers[160];
  const auto time = launch.median_ns ? std::optional(static_cast<double>(*launch.median_ns) / 1000) : std::nullopt;
  std::snprintf(numbers, sizeof numbers, "%12s %12s %12s %10s", fixed(time, 2).c_str(),
                fixed(launch.requested_gbs(), 1).c_str(), fixed(launch.sector_gbs(), 1).c_str(),
                fixed(launch.gflops(), 1).c_str());
  std::string name = "  " + short_name(launch.kernel) + " " + shape(launch.grid) + shape(launch.block);
  name.resize(std::max(name.size(), width), ' ');
  out << name << numbers << '\n';
}

} // namespace

Provenance provenance_of(const std::vector<Program> &programs) {
  for (const Program &program : programs) {
    std::ifstream in(program.record);
    for (std::string line; std::getline(in, line);) {
      const auto entry = nlohmann::json::parse(line, nullptr, false);
      if (!entry.is_object() || entry.value("kind", "") != "session")
        continue;
      return {entry.value("gpu", ""),
              entry.value("chip", ""),
              entry.value("driver_version", ""),
              "",
              entry.value("date", ""),
              ""};
    }
  }
  return {};
}

void write_text(std::ostream &out, const std::vector<Program> &programs) {
  std::size_t width = 20;
  bool timed = false;
  for (const Program &program : programs)
    for (const LaunchRates &launch : program.launches) {
      width = std::max(width,
                       short_name(launch.kernel).size() + shape(launch.grid).size() + shape(launch.block).size() + 4);
      timed = timed || launch.median_ns;
    }
  if (timed) {
    char titles[160];
    std::snprintf(titles, sizeof titles, "%12s %12s %12s %10s", "us", "requested", "sectors", "GFLOP/s");
    out << std::string(width, ' ') << titles << '\n'
        << std::string(width, ' ') << "      median         GB/s         GB/s\n";
  }
  for (const Program &program : programs) {
    out << program.name << ": " << to_string(program.outcome);
    if (!program.reason.empty())
      out << ": " << program.reason;
    else if (program.repeats > 1)
      out << ", " << program.repeats << " times with the same integers";
    out << '\n';
    for (const auto &place : program.unstable)
      out << "  differs: " << place << '\n';
    if (timed)
      for (const LaunchRates &launch : program.launches)
        write_row(out, launch, width);
  }
}

void write_json(std::ostream &out, const std::vector<Program> &programs, const Provenance &provenance,
                const Defines &defines) {
  ordered_json head{{"schema_version", 1},           {"gpu", provenance.gpu},
                    {"chip", provenance.chip},       {"driver_version", provenance.driver},
                    {"toolkit", provenance.toolkit}, {"date", provenance.date},
                    {"command", provenance.command}, {"defines", defines}};
  std::string text = head.dump();
  text.pop_back();
  out << text << ",\n\"programs\": [";
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const Program &program = programs[i];
    out << (i ? ",\n" : "\n") << "{\"name\": " << ordered_json(program.name).dump() << ", \"outcome\": \""
        << to_string(program.outcome) << '"';
    if (!program.reason.empty())
      out << ", \"reason\": " << ordered_json(program.reason).dump();
    if (program.repeats)
      out << ", \"repeats\": " << program.repeats;
    if (!program.unstable.empty())
      out << ", \"unstable\": " << ordered_json(program.unstable).dump();
    out << ", \"seconds\": " << rounded(program.seconds) << ", \"launches\": [";
    for (std::size_t l = 0; l < program.launches.size(); ++l)
      out << (l ? ",\n  " : "\n  ") << json_of(program.launches[l]).dump();
    out << "]}";
  }
  out << "\n]}\n";
}

std::string headline(const std::vector<Program> &programs) {
  const auto count = [&](Outcome outcome) {
    return std::count_if(programs.begin(), programs.end(),
                         [&](const Program &program) { return program.outcome == outcome; });
  };
  std::string text =
      std::to_string(count(Outcome::Measured)) + " of " + std::to_string(programs.size()) + " programs measured";
  for (const Outcome outcome : {Outcome::NotBuilt, Outcome::NotMeasured, Outcome::Failed, Outcome::Unstable})
    if (const auto n = count(outcome))
      text += ", " + std::to_string(n) + " " + to_string(outcome);
  return text;
}

} // namespace smem_lint::validate
