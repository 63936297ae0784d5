#include "analysis/exchange.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <llvm/Demangle/Demangle.h>

#include "support/paths.h"

namespace smem {
namespace {

constexpr std::size_t kMostLaunches = 1024, kMostCalls = 1024; ///< of one kernel, of one function, in other units

/// The definitions of one name in all units: usually one, in a header's case one for each unit.
struct Definitions {
  struct One {
    std::size_t unit;
    const UnitDefinition *definition;
  };
  std::vector<One> all;

  const UnitDefinition *of(std::size_t unit) const {
    const auto found = std::ranges::find(all, unit, &One::unit);
    return found == all.end() ? nullptr : found->definition;
  }
  /// Another definition than this one that other units can name.
  const UnitDefinition *rival(const UnitDefinition &one) const {
    const auto found = std::ranges::find_if(all, [&](const One &other) {
      return other.definition->external && other.definition->location != one.location;
    });
    return found == all.end() ? nullptr : found->definition;
  }
};

/// As a reader in this folder writes it.
std::string text_of(SourceLocation location) {
  location.file = seen_from_here(location.file);
  return to_string(location);
}

using Names = std::map<std::string_view, Definitions>;

class Exchange {
public:
  Exchange(std::span<const UnitInterface *const> units, std::span<const std::string> files)
      : units_(units), files_(files) {
    result_.foreign.resize(units.size());
    result_.diagnostics.resize(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (!units[i])
        continue;
      for (const UnitDefinition &kernel : units[i]->kernels)
        kernels_[kernel.mangled].all.push_back({i, &kernel});
      for (const UnitDefinition &launcher : units[i]->launchers)
        launchers_[launcher.mangled].all.push_back({i, &launcher});
      for (const PassedCall &call : units[i]->calls)
        calls_[call.function].push_back({i, &call});
      for (const HostLaunch &launch : units[i]->launches)
        launches_[launch.launch.mangled].push_back({i, &launch});
    }
  }

  Exchanged run() {
    for (std::size_t i = 0; i < units_.size(); ++i) {
      if (!units_[i])
        continue;
      hand_launchers(i);
      hand_calls(i);
      for (const UnitDefinition &kernel : units_[i]->kernels) {
        if (!kernel.launched)
          hand_launches(i, kernel);
        if (!kernel.assumed)
          result_.instantiated.insert(kernel.location);
      }
    }
    for (const auto &[name, definitions] : kernels_)
      note_differences(definitions);
    return std::move(result_);
  }

private:
  template <class T> using Placed = std::vector<std::pair<std::size_t, const T *>>;

  void say(std::size_t unit, const SourceLocation &at, std::string message) {
    if (said_.insert({at, message}).second)
      result_.diagnostics[unit].push_back({Diagnostic::Severity::Warning, at, std::move(message)});
  }
  void say_ambiguous(std::size_t unit, const SourceLocation &at, const std::string &name, const UnitDefinition &one,
                     const UnitDefinition &other) {
    const auto [first, second] = std::minmax(one.location, other.location);
    say(unit, at,
        "'" + llvm::demangle(name) + "' is defined at " + text_of(first) + " and at " + text_of(second) +
            ": this is taken for neither");
  }

  /// A header's kernel that macros make another one of in some units. Each is right by itself; in one program they are not.
  void note_differences(const Definitions &definitions) {
    std::map<SourceLocation, Definitions::One> firsts;
    for (const Definitions::One &one : definitions.all) {
      const UnitDefinition &kernel = *one.definition;
      const Definitions::One &first = firsts.try_emplace(kernel.location, one).first->second;
      if (!kernel.external || kernel.code == first.definition->code || !said_.insert({kernel.location, {}}).second)
        continue;
      result_.diagnostics[one.unit].push_back(
          {Diagnostic::Severity::Note, kernel.location,
           "kernel '" + llvm::demangle(kernel.mangled) + "' is not the same in " +
               seen_from_here(normalise_path(files_[first.unit])) + " and in " +
               seen_from_here(normalise_path(files_[one.unit])) +
               ": macros differ between the two; a program that has both runs one of them for both"});
    }
  }

  void hand_launchers(std::size_t unit) {
    for (const std::string &name : units_[unit]->undefined)
      if (const auto known = launchers_.find(name); known != launchers_.end())
        result_.foreign[unit].launchers.push_back(name);
  }

  void hand_calls(std::size_t unit) {
    for (const UnitDefinition &function : units_[unit]->launchers) {
      const auto found = calls_.find(function.mangled);
      if (found == calls_.end())
        continue;
      const auto says = [](const auto &call) {
        return says_anything(call.second->object) || std::ranges::any_of(call.second->arguments, says_anything);
      };
      if (std::ranges::none_of(found->second, says))
        continue; // the function by itself says as much
      std::vector<PassedCall> calls;
      for (const auto &[from, call] : found->second) {
        if (from == unit)
          continue;
        if (const UnitDefinition *rival = launchers_[function.mangled].rival(function)) {
          say_ambiguous(from, call->location, function.mangled, function, *rival);
          continue;
        }
        // A header's function that calls does so in each unit that includes it.
        const bool known = std::ranges::find(calls, *call) != calls.end();
        if (!known && calls.size() < kMostCalls)
          calls.push_back(*call);
      }
      std::ranges::move(calls, std::back_inserter(result_.foreign[unit].calls));
    }
  }

  void hand_launches(std::size_t unit, const UnitDefinition &kernel) {
    const auto found = launches_.find(kernel.mangled);
    if (found == launches_.end())
      return;
    const Definitions &definitions = kernels_[kernel.mangled];
    std::size_t count = 0;
    ForeignCode &foreign = result_.foreign[unit];
    for (const auto &[from, launch] : found->second) {
      if (from == unit || !is_of(unit, kernel, definitions, from, *launch))
        continue;
      const bool known = std::ranges::any_of(foreign.launches, [&](const HostLaunch &other) { // as above
        return other.launch == launch->launch && other.unknown == launch->unknown && other.reached == launch->reached;
      });
      if (known)
        continue;
      if (count == kMostLaunches) {
        say(unit, kernel.location,
            "other files launch this kernel with more than " + std::to_string(kMostLaunches) +
                " different configurations or arguments; only the first " + std::to_string(kMostLaunches) +
                " are analysed");
        break;
      }
      foreign.launches.push_back(*launch);
      ++count;
    }
    for (const UnitInterface *other : units_)
      if (other)
        for (const auto &opted : other->opted_in)
          if (count != 0 && opted.first == kernel.mangled &&
              std::ranges::find(foreign.opted_in, opted) == foreign.opted_in.end())
            foreign.opted_in.push_back(opted);
  }

  /// Whether the launch in unit `from` is one of this definition.
  bool is_of(std::size_t unit, const UnitDefinition &kernel, const Definitions &definitions, std::size_t from,
             const HostLaunch &launch) {
    if (const UnitDefinition *there = definitions.of(from)) {
      if (there->location != kernel.location)
        return false;
      if (there->code != kernel.code)
        say(unit, kernel.location,
            "kernel '" + llvm::demangle(kernel.mangled) + "' is another one in the unit that launches it at " +
                text_of(launch.launch.location) +
                ": macros differ between the two; this one is analysed without that launch");
      return there->code == kernel.code;
    }
    if (!kernel.external)
      return false;
    const UnitDefinition *rival = definitions.rival(kernel);
    if (rival)
      say_ambiguous(from, launch.launch.location, kernel.mangled, kernel, *rival);
    return !rival;
  }

  std::span<const UnitInterface *const> units_;
  std::span<const std::string> files_;
  Names kernels_, launchers_;
  std::map<std::string_view, Placed<PassedCall>> calls_;
  std::map<std::string_view, Placed<HostLaunch>> launches_;
  std::set<std::pair<SourceLocation, std::string>> said_;
  Exchanged result_;
};

} // namespace

Exchanged exchange(std::span<const UnitInterface *const> units, std::span<const std::string> files) {
  return Exchange(units, files).run();
}

} // namespace smem
