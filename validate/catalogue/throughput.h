// What a timed launch moved and computed in a second.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace smem_lint::validate {

// One launch of a record that `smem-validate measure --time` wrote.
struct LaunchRates {
  std::string kernel; // demangled
  std::uint64_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint64_t requested_bytes =
      0;                          // active lanes × width of every global load, store and copy; atomics are not counted
  std::uint64_t sector_bytes = 0; // 32 × sectors: what L1 was asked for, atomics included
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
  std::optional<std::uint64_t> median_ns, fastest_ns, slowest_ns;
  std::string not_timed;      // why there is no time
  std::optional<double> flop; // that the algorithm needs, not those executed; from the table of work

  // Per nanosecond, which is 10^9 per second; nothing without a time.
  std::optional<double> requested_gbs() const { return rate(static_cast<double>(requested_bytes)); }
  std::optional<double> sector_gbs() const { return rate(static_cast<double>(sector_bytes)); }
  std::optional<double> gflops() const { return flop ? rate(*flop) : std::nullopt; }

private:
  std::optional<double> rate(double amount) const {
    if (!median_ns || *median_ns == 0)
      return std::nullopt;
    return amount / static_cast<double>(*median_ns);
  }
};

// Floating-point operations of the catalogue's kernels: factors, each a number or a macro that the build may define.
class Work {
public:
  Work() = default;
  // Throws std::runtime_error with a message if the text is not such a table.
  static Work parse(const std::string &json, const std::string &name);

  // Of one launch of this kernel; nothing if the table has none. A kernel's own entry, `program/kernel`, wins over the program's.
  std::optional<double> flop(const std::string &program, const std::string &kernel,
                             const std::map<std::string, std::string> &defines) const;

private:
  std::map<std::string, std::vector<std::string>> factors_;
  std::map<std::string, double> defaults_;
};

// The launches of a record, with their times where it has them. Lines that are cut off are left out.
std::vector<LaunchRates> read_rates(std::istream &record);

} // namespace smem_lint::validate
