// A finding: what a rule has to say about a place in the source. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures.h"
#include "report/fix.h"
#include "report/rules.h"
#include "smem/program.h"
#include "smem/simulate.h"
#include "smem/source.h"

namespace smem {

/// What one request of an instruction costs on average. Quotients of the launch's sums, so equal counts give equal values.
struct Metrics {
  std::uint32_t degree = 0;                    ///< the highest of any request
  double wavefronts = 0, ideal_wavefronts = 0; ///< per request
  double sectors = 0, ideal_sectors = 0;       ///< per request

  bool operator==(const Metrics &) const = default;
};
Metrics metrics_of(const Counts &counts);

/// A finding as one kernel (instantiation) has it: what recognises it in another version of the source, and its cost there.
struct Occurrence {
  std::string kernel;     ///< with template arguments: `transpose<float, 32>`
  std::string expression; ///< of the access, normalised; empty where the finding is about no access
  unsigned ordinal = 0;   ///< among the kernel's accesses of that expression, in the order of the source
  Metrics metrics;        ///< of the worst launch
};

/// How far what a finding says holds; claim.h decides it.
enum class Reach : std::uint8_t {
  AllLaunches, ///< by the pattern: in all launches, or in all of a stated case, which the message names
  OpenValues, ///< by the formulas, or by the cases that the launch's known values leave: whatever the values that it leaves open
  Launch,  ///< of the launch that was analysed: nothing that matters was assumed of it
  Assumed, ///< of a launch of which a value was assumed that may matter: no claim, and nothing to fail a run for
};
std::string_view to_string(Reach reach); // "all launches" | "open values" | "launch" | "assumed"

/// A finding as one launch has it.
struct Instance {
  std::size_t file = 0, launch = 0, program = 0; ///< indices, as a finding has them
  std::optional<SiteId> site;
  Diagnostic::Severity severity = Diagnostic::Severity::Warning;
  Verdict verdict = Verdict::Exact;
  std::string cost;
  std::optional<Traffic> traffic;
  Reach reach = Reach::Launch;
};

/// Why a finding is not shown among the others.
struct Suppression {
  SourceLocation location; ///< of the NOLINT comment
  std::string reason;      ///< what stands behind it; may be empty
};

/// What removing a finding does to the floor under a launch's time on a GPU, and what it can gain.
struct Worth {
  std::uint64_t ns = 0, ns_without = 0; ///< of the launch that is shown
  bool waits = false;                   ///< for something else than units: its floor says nothing
  std::optional<double>
      most_gain; ///< how many times as fast a launch that has it becomes at most; none: nothing is known

  /// How many times as low the floor becomes: at least 1.
  double gain() const {
    return waits || ns_without == 0 || ns_without >= ns ? 1 : static_cast<double>(ns) / static_cast<double>(ns_without);
  }
};

/// Compared with a baseline.
enum class BaselineState : std::uint8_t { None, New, Worse, Unchanged, Better };

/// What a thread does somewhere.
struct ThreadStep {
  SourceLocation location;
  std::string text; ///< "thread (1,0,0) writes it here"
};

struct Finding {
  const Rule *rule = nullptr;
  Diagnostic::Severity severity = Diagnostic::Severity::Warning;
  SourceLocation location;
  std::string message; ///< one line, no full stop
  std::string cost;    ///< how much, how often, how sure; may be empty
  std::string cause;   ///< in lanes, banks and sectors; may be empty
  std::string hint;    ///< what to do; may be empty
  std::vector<Fix>
      fixes; ///< the cheapest first. Filled in by fixes/, never by the rules; a proved fix replaces the hint in reports

  // Where it comes from: indices into the analysed files.
  std::size_t file = 0;
  std::size_t launch = kNoIndex;    ///< of the file's launches; kNoIndex: about the source, not about a launch
  std::size_t program = kNoIndex;   ///< of the file's programs; kNoIndex: about no kernel
  std::optional<SiteId> site;       ///< the first site of its row
  Verdict verdict = Verdict::Exact; ///< of the sums over the launch
  Reach reach = Reach::Launch;      ///< of what the message says
  Counts counts;
  std::optional<Traffic> traffic;         ///< of the access; none where the finding is about no cost
  Operation operation = Operation::Load;  ///< of the access that `counts` and `traffic` are of
  std::vector<std::string> uncertainties; ///< as SiteRow has them
  std::string subject; ///< what one finding is about, beside rule and place: the same in all instantiations of a kernel
  std::vector<Instance>
      instances;            ///< the launches that have it, as analysed; what stands above is of the worst of them
  std::size_t launches = 1; ///< how many launches these are
  std::string extent;       ///< "in 8 of 12 instantiations; the worst is shown"; empty where there is one instance
  std::vector<Occurrence> occurrences; ///< one a kernel, sorted; never empty for findings about an access

  std::vector<ThreadStep> threads;    ///< of a race: what each of the two does, that at `location` first
  std::optional<std::size_t> witness; ///< and which of the launch's witnesses in shared memory it is

  std::optional<Worth>
      worth; ///< filled in by add_worth(); none: of no known launch, or nothing is known to be avoidable

  std::vector<std::string> fingerprints; ///< of the occurrences, in their order; filled in by the gate

  std::optional<Suppression> suppression;
  BaselineState baseline = BaselineState::None; ///< of the worst occurrence

  std::uint64_t excess() const { return traffic ? traffic->excess() : 0; } ///< wavefronts or sectors beyond the ideal
  double avoidable() const {
    return traffic ? traffic->avoidable() : 0;
  } ///< what part of the kernel's they are, 0 to 1

  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);
};

} // namespace smem
