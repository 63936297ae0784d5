#include "throughput.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace smem_lint::validate {
namespace {

using nlohmann::json;

constexpr std::uint64_t kSectorBytes = 32;

// "gemm_wmma" of "void gemm_wmma<40>(float const*, ...)"
std::string plain_name(const std::string &kernel) {
  const auto end = std::min(kernel.find('('), kernel.find('<'));
  const auto begin = kernel.rfind(' ', end == std::string::npos ? end : end - (end > 0));
  const auto from = begin == std::string::npos || begin > end ? 0 : begin + 1;
  return kernel.substr(from, end == std::string::npos ? end : end - from);
}

void read_shape(const json &record, LaunchRates &launch) {
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = record.at("grid").at(i);
    launch.block[i] = record.at("block").at(i);
  }
}

LaunchRates read_launch(const json &record) {
  LaunchRates launch;
  launch.kernel = record.value("demangled", "");
  read_shape(record, launch);
  for (const json &row : record.at("instructions")) {
    const std::uint64_t sectors = row.value("sectors", std::uint64_t{0});
    launch.sector_bytes += kSectorBytes * sectors;
    if (sectors)
      launch.requested_bytes += row.value("threads", std::uint64_t{0}) * (row.value("width", std::uint64_t{0}) / 8);
    launch.wavefronts += row.value("wavefronts", std::uint64_t{0});
    launch.ideal_wavefronts += row.value("wavefronts_ideal", std::uint64_t{0});
  }
  return launch;
}

void add_time(const json &record, LaunchRates &launch) {
  launch.not_timed = record.value("not_timed", "");
  if (!record.contains("median_ns"))
    return;
  launch.median_ns = record.at("median_ns").get<std::uint64_t>();
  launch.fastest_ns = record.at("fastest_ns").get<std::uint64_t>();
  launch.slowest_ns = record.at("slowest_ns").get<std::uint64_t>();
}

std::optional<double> number(const std::string &text) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0 ? std::optional(value) : std::nullopt;
}

} // namespace

Work Work::parse(const std::string &text, const std::string &name) {
  const json table = json::parse(text, nullptr, false);
  const auto refuse = [&](const std::string &why) -> std::runtime_error {
    return std::runtime_error(name + ": " + why);
  };
  if (!table.is_object() || !table.contains("flop"))
    throw refuse("not a table of work: an object with `flop` is expected");
  Work work;
  const json defaults = table.value("defaults", json::object());
  for (const auto &[macro, value] : defaults.items()) {
    if (!value.is_number())
      throw refuse("the default of " + macro + " is not a number");
    work.defaults_[macro] = value.get<double>();
  }
  for (const auto &[key, factors] : table["flop"].items()) {
    if (!factors.is_array())
      throw refuse(key + " is not a list of factors");
    auto &spelled_factors = work.factors_[key]; // an empty list: nothing to count
    for (const json &factor : factors) {
      const std::string spelled = factor.is_string()   ? factor.get<std::string>()
                                  : factor.is_number() ? factor.dump()
                                                       : "";
      if (spelled.empty() || (!number(spelled) && !work.defaults_.contains(spelled)))
        throw refuse(key + ": " + factor.dump() + " is neither a number nor a macro with a default");
      spelled_factors.push_back(spelled);
    }
  }
  return work;
}

std::optional<double> Work::flop(const std::string &program, const std::string &kernel,
                                 const std::map<std::string, std::string> &defines) const {
  auto entry = factors_.find(program + "/" + plain_name(kernel));
  if (entry == factors_.end())
    entry = factors_.find(program);
  if (entry == factors_.end() || entry->second.empty())
    return std::nullopt;
  double product = 1;
  for (const auto &factor : entry->second) {
    const auto defined = defines.find(factor);
    const auto value = defined != defines.end() ? number(defined->second) : number(factor);
    if (defined != defines.end() && !value)
      return std::nullopt; // an expression: not ours to evaluate
    product *= value ? *value : defaults_.at(factor);
  }
  return product;
}

std::vector<LaunchRates> read_rates(std::istream &record) {
  std::vector<LaunchRates> launches;
  std::map<std::uint64_t, std::size_t> by_index;
  const auto add = [&](const json &entry) {
    const std::string kind = entry.value("kind", "");
    const auto index = entry.value("index", std::uint64_t{0});
    if (kind == "launch" && entry.value("result", "success") == "success") {
      launches.push_back(read_launch(entry));
      by_index[index] = launches.size() - 1;
    } else if (kind == "time") {
      const auto found = by_index.find(index);
      if (found != by_index.end() && launches[found->second].kernel == entry.value("demangled", ""))
        add_time(entry, launches[found->second]);
    }
  };
  for (std::string line; std::getline(record, line);) {
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object())
      continue;
    try {
      add(entry);
    } catch (const json::exception &) {
      // not a record of ours
    }
  }
  return launches;
}

} // namespace smem_lint::validate
