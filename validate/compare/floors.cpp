#include "floors.h"

#include "json_fields.h"
#include "sinks/escape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <tuple>

namespace smem::compare {
namespace {

constexpr const char *kDuration = "gpu__time_duration.sum";
constexpr std::string_view kPercent = ".pct_of_peak_sustained_elapsed";

/// The fields of a line of CSV: quotes around a field, doubled ones inside it.
std::vector<std::string> fields_of(const std::string &line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[++i];
      else
        quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else if (line[i] != '\r') {
      fields.back() += line[i];
    }
  }
  return fields;
}

/// "1,234.5" as well; nullopt: not a number, as of a metric that there is none of.
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value)
                                                                                          : std::nullopt;
}

/// "(64, 1, 1)"
std::optional<Dim3> dim_of_text(const std::string &text) {
  std::array<std::uint64_t, 3> all{};
  const char *at = text.data(), *const end = at + text.size();
  for (std::uint64_t &one : all) {
    at = std::find_if(at, end, [](char c) { return c >= '0' && c <= '9'; });
    const auto parsed = std::from_chars(at, end, one);
    if (parsed.ec != std::errc())
      return std::nullopt;
    at = parsed.ptr;
  }
  return Dim3{all[0], all[1], all[2]};
}

/// What two programs that demangle agree on: "void a::k<(int)32, float>(float *)" -> "a::k<32,float>".
std::string plain_name(std::string_view name) {
  if (name.starts_with("void "))
    name.remove_prefix(5);
  std::string out;
  int angles = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '(') {
      const std::size_t end = name.find(')', i);
      if (end == std::string_view::npos || (angles == 0 && !name.substr(i).starts_with("(anonymous")))
        break;
      if (angles == 0)
        out += name.substr(i, end - i + 1);
      i = end; // a cast of an argument
      continue;
    }
    angles += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    if (name[i] != ' ')
      out += name[i];
  }
  return out;
}

using Key =
    std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
template <class Launch> Key key_of(const Launch &launch) {
  return {plain_name(launch.kernel),
          launch.grid.x,
          launch.grid.y,
          launch.grid.z,
          launch.block.x,
          launch.block.y,
          launch.block.z};
}

std::string text_of_dim(const Dim3 &dim) {
  return "(" + std::to_string(dim.x) + "," + std::to_string(dim.y) + "," + std::to_string(dim.z) + ")";
}

std::string with_digits(const char *format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// "sm__throughput" of "sm__throughput.avg.pct_of_peak_sustained_elapsed"
std::string unit_name(const std::string &metric) { return metric.substr(0, metric.find('.')); }

} // namespace

std::vector<ProfiledLaunch> read_profile(std::istream &in, const std::string &name) {
  std::vector<ProfiledLaunch> launches;
  std::vector<std::string> header;
  std::string line;
  std::size_t number = 0;
  while (std::getline(in, line)) {
    ++number;
    if (!line.starts_with('"')) // what ncu and the program say
      continue;
    const std::vector<std::string> fields = fields_of(line);
    if (header.empty()) {
      header = fields;
      for (const char *needed : {"Kernel Name", "Block Size", "Grid Size", kDuration})
        if (std::ranges::find(header, needed) == header.end())
          throw InputError(name + ":" + std::to_string(number) + ": there is no column '" + needed +
                           "'; ncu --csv --page raw --print-units base --metrics " + kDuration + ",... writes it");
      continue;
    }
    if (fields.size() != header.size())
      throw InputError(name + ":" + std::to_string(number) + ": " + std::to_string(fields.size()) +
                       " fields where the header has " + std::to_string(header.size()));
    ProfiledLaunch launch;
    std::optional<Dim3> grid, block;
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (header[i] == "Kernel Name")
        launch.kernel = fields[i];
      else if (header[i] == "Grid Size")
        grid = dim_of_text(fields[i]);
      else if (header[i] == "Block Size")
        block = dim_of_text(fields[i]);
      else if (header[i] == kDuration)
        launch.ns = number_of(fields[i]).value_or(0);
      else if (const auto value = number_of(fields[i]); value && header[i].ends_with(kPercent))
        launch.units.emplace_back(unit_name(header[i]), *value);
    }
    if (launch.kernel.empty()) { // the line of units
      const std::string &unit = fields[static_cast<std::size_t>(std::ranges::find(header, kDuration) - header.begin())];
      if (unit != "ns" && unit != "nsecond")
        throw InputError(name + ":" + std::to_string(number) + ": times are in '" + unit +
                         "'; ncu --print-units base has them in ns");
      continue;
    }
    if (!grid || !block || launch.ns <= 0)
      throw InputError(name + ":" + std::to_string(number) + ": a launch without grid, block or time");
    launch.grid = *grid;
    launch.block = *block;
    std::ranges::stable_sort(launch.units, std::greater(), &std::pair<std::string, double>::second);
    launches.push_back(std::move(launch));
  }
  if (header.empty())
    throw InputError(name + ": no table of ncu --csv --page raw");
  return launches;
}

std::vector<FlooredLaunch> read_floors(std::istream &in, const std::string &name) {
  const Json root = Json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded() || !find(root, "launches"))
    throw InputError(name + ": not what smem-lint --format=json writes");
  std::vector<FlooredLaunch> launches;
  try {
    for (const Json &launch : array_of(root, "launches")) {
      const Json *floor = find(launch, "floor");
      if (!floor)
        continue;
      const Json *bound = find(*floor, "bound_by_throughput");
      launches.push_back({text_of(launch, "kernel"), dim_of(launch, "grid"), dim_of(launch, "block"),
                          static_cast<double>(required_count(*floor, "ns")), text_of(*floor, "gpu"),
                          text_of(*floor, "binding"), !bound || !bound->is_boolean() || bound->get<bool>()});
    }
  } catch (const InputError &error) {
    throw InputError(name + ": " + error.what());
  }
  return launches;
}

std::vector<FloorRow> compare_floors(const std::vector<FlooredLaunch> &predicted,
                                     const std::vector<ProfiledLaunch> &measured) {
  std::map<Key, const ProfiledLaunch *> fastest;
  for (const ProfiledLaunch &launch : measured)
    if (const auto [at, is_new] = fastest.try_emplace(key_of(launch), &launch); !is_new && launch.ns < at->second->ns)
      at->second = &launch;
  // Launches of one shape may have other arguments: which is the fastest one is not known, so the floor of all holds.
  std::map<Key, const FlooredLaunch *> lowest;
  for (const FlooredLaunch &launch : predicted)
    if (const auto [at, is_new] = lowest.try_emplace(key_of(launch), &launch); !is_new && launch.ns < at->second->ns)
      at->second = &launch;
  std::vector<FloorRow> rows;
  for (const auto &[key, launch] : lowest)
    if (const auto found = fastest.find(key); found != fastest.end())
      rows.push_back({*launch, *found->second});
  std::ranges::stable_sort(rows, {}, &FloorRow::share);
  return rows;
}

std::string floors_text(const std::vector<FloorRow> &rows) {
  std::size_t widest = 6;
  const auto launch_text = [](const FloorRow &row) {
    return sinks::line(plain_name(row.predicted.kernel)) + " " + text_of_dim(row.predicted.grid) + " " +
           text_of_dim(row.predicted.block);
  };
  for (const FloorRow &row : rows)
    widest = std::max(widest, launch_text(row).size());
  std::string out = "launch" + std::string(widest - 6, ' ') +
                    "    floor us  measured us  share  binding unit -> the units that were busiest\n";
  std::size_t above = 0;
  for (const FloorRow &row : rows) {
    const std::string launch = launch_text(row);
    out += launch + std::string(widest - launch.size(), ' ') + with_digits("%12.2f", row.predicted.ns / 1e3) +
           with_digits("%13.2f", row.measured.ns / 1e3) + with_digits("%7.2f", row.share()) + "  " +
           (row.predicted.bound_by_throughput ? sinks::line(row.predicted.binding) : "not bound by throughput") + " ->";
    for (std::size_t i = 0; i < std::min<std::size_t>(row.measured.units.size(), 2); ++i)
      out += (i ? ", " : " ") + sinks::line(row.measured.units[i].first) +
             with_digits(" %.0f%%", row.measured.units[i].second);
    out += "\n";
    above += row.share() > 1;
  }
  return out + std::to_string(rows.size()) + (rows.size() == 1 ? " launch, " : " launches, ") + std::to_string(above) +
         " with a floor above the measured time\n";
}

std::string floors_json(const std::vector<FloorRow> &rows) {
  Json all = Json::array();
  for (const FloorRow &row : rows) {
    Json units = Json::object();
    for (const auto &[unit, percent] : row.measured.units)
      units[unit] = percent;
    all.push_back({{"kernel", row.predicted.kernel},
                   {"grid", {row.predicted.grid.x, row.predicted.grid.y, row.predicted.grid.z}},
                   {"block", {row.predicted.block.x, row.predicted.block.y, row.predicted.block.z}},
                   {"gpu", row.predicted.gpu},
                   {"floor_ns", row.predicted.ns},
                   {"measured_ns", row.measured.ns},
                   {"share", row.share()},
                   {"binding", row.predicted.binding},
                   {"bound_by_throughput", row.predicted.bound_by_throughput},
                   {"units_percent", std::move(units)}});
  }
  return Json({{"schema_version", "1.0"}, {"kind", "smem-validate-floors"}, {"launches", std::move(all)}})
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

} // namespace smem::compare
