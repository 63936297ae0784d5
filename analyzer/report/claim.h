// What can be claimed of an access's cost, and how far the claim holds: the one place that decides it. Findings, the gate and all formats go by it.
//
// A request's cost is claimed if the launch is known, if its pattern has it in all launches, or if its formulas have it for every value of what
// the launch leaves open; how often it runs may be assumed all the same. A cost that rests on a value which the analysis had to assume is none,
// and neither is one of a template that nothing instantiates: with other arguments it is another kernel.
#pragma once

#include "report/figures.h"
#include "report/finding.h"

#include <cstdint>
#include <string>
#include <vector>

namespace smem {

/// Of one access in one launch and in one unit.
struct Claim {
  Reach reach = Reach::Launch;
  bool certain = false;        ///< proved without the counts: `request` has the least cost of those that are
  bool launch_assumed = false; ///< the counts rest on something that was assumed of the launch
  PatternCase request;         ///< certain by a pattern
  bool has_request = false;
  bool at_least = false; ///< has_request: some launches have dearer ones
  bool up_to =
      false; ///< has_request: other instructions of the same place, copies of a loop's body, cost less or are not known
  bool all_lanes = false; ///< has_request: of requests of all lanes; of others the pattern has a bound only
  /// The pattern proves it of what nvcc's model makes of the access, and of that only: `request`, and the uncertainty's sentence and id.
  std::string if_modelled;
  std::string
      words; ///< where it holds, to follow a message: "in all launches", "when blockDim.x % 32 == 0"; may be empty
  std::vector<std::string>
      rests_on; ///< Assumed: the values that were assumed and may matter: "SEQ=32", "width=1024", "block=(256,1,1)"
  std::string assumed_headers;       ///< Assumed: what has to hold of headers that are not there
  bool of_template = false;          ///< Assumed: some of these are arguments of the kernel's template
  std::vector<std::string> to_state; ///< Assumed: what a launch is stated with: "width", "block"
};

/// `least_ratio`: of the actual to the ideal, from which a request counts as costly; anything above the ideal if it is 1.
Claim claim_of(const SiteRow &row, const FileAnalysis &file, const LaunchAnalysis &analysis, Unit unit,
               double least_ratio = 1);

/// Whether blocks and arguments of which the launch's facts hold may have the case; its known values exclude nothing here.
bool admitted(const PatternCase &one, const Launch &launch);
/// Whether the pattern has a case for each of these blocks.
bool all_admitted_known(const Pattern &pattern, const Launch &launch);

/// Something of the launch was assumed that the row's counts rest on.
bool rests_on_launch(const SiteRow &row, const LaunchAnalysis &analysis);

/// Fills in `rests_on` and `to_state`: the assumed values that may decide what a request costs. First those that the pattern's cases name. Where these turn on
/// quantities without words, or there are none, what the address is computed from, then what decides whether lanes come there; the grid, and whatever else was
/// assumed, where nothing of this was.
void name_assumed(Claim &claim, const SiteRow &row, const Program &program, const Launch &launch);
/// To follow what rests on them: " if width=1024, which is assumed".
std::string if_assumed(const Claim &claim);
/// "state it: --launch 'k:width=<value>'"; empty where they cannot be.
std::string how_to_state(const Claim &claim, const std::string &kernel);

/// What requests of all launches cost that are as what is known of this one, with nothing that was assumed.
struct Extremes {
  std::optional<Metrics> least; ///< of requests of all lanes; none: not known
  std::optional<Metrics> most;
};
Extremes extremes_of(const SiteRow &row, const Launch &launch);

/// Something that was assumed of the launch decides whether lanes come to the access: that none did says nothing of other launches.
bool may_be_reached(const SiteRow &row, const LaunchAnalysis &analysis);

/// What the pattern says of a row in words, of what the launch's known values leave of its cases: "32-way in all launches", "2-way when
/// blockDim.x == 16 in full warps, else conflict-free", "depends on loaded data". Empty: nothing is known of it.
std::string pattern_words(const SiteRow &row, const Launch &launch);

/// `8-way`, `conflict-free`, `16 sectors instead of 4`: what a request costs in one case.
std::string case_words(const PatternCase &one, const SiteRow &row);

/// The launch may have the case by the values that it was analysed with, assumed ones included. Conditions on what no launch states leave it open.
bool may_have(const Launch &launch, const PatternCase &one);

/// The dearest request that the pattern leaves possible in the launch; none: it is not known, or only a bound is.
std::optional<Metrics> pattern_metrics(const SiteRow &row, const Launch &launch);

} // namespace smem
