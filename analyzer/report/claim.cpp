#include "report/claim.h"

#include "report/claim_certain.h"
#include "report/format.h"
#include "report/pattern_cases.h"
#include "nvcc/uncertainties.h"
#include "plan/kernel_facts.h"
#include "plan/kernel_uses.h"
#include "support/paths.h"
#include "support/scalar_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <iterator>
#include <limits>
#include <tuple>

namespace smem {
namespace {

/// Whether a request costs what the model says, whatever becomes of what is assumed.
bool costs_as_modelled(const Assumption &assumption) {
  const UncertaintyInfo *info = find_uncertainty(assumption.id);
  return assumption.empty() || (info && info->scope == UncertaintyScope::Counts);
}

/// How many times the one is the other, whatever the values are; 0: that depends on them.
double times(const Formula &formula, const Formula &other) {
  const auto ratio = [&](std::size_t i) {
    return static_cast<double>(formula.terms[i].coefficient) / static_cast<double>(other.terms[i].coefficient);
  };
  if (formula.terms.empty() || formula.terms.size() != other.terms.size())
    return 0;
  for (std::size_t i = 0; i < formula.terms.size(); ++i)
    if (formula.terms[i].factors != other.terms[i].factors || ratio(i) != ratio(0))
      return 0;
  return ratio(0);
}

/// Each request of the formulas is costly, or all of them together are.
bool costly_for_all(const SymbolicCounts &any, Unit unit, double least_ratio, const SiteRow &row) {
  if (!any.known() || any.requests_formula.terms.empty())
    return false;
  // A bank that has to serve two words takes more than the ideal; of sectors the spans know no ideal, but the counts do.
  if (unit == Unit::Wavefronts)
    return row.site->access.operation != Operation::Atomic &&
           (any.conflict_degree.least > 1 ||
            (any.conflict_degree.most > 1 &&
             times(any.wavefronts_formula, any.ideal_wavefronts_formula) > std::max(1.0, least_ratio)));
  return any.sectors.least == any.sectors.most && row.verdict != Verdict::Unknown && row.counts.requests != 0 &&
         static_cast<double>(any.sectors.least) * static_cast<double>(row.counts.requests) >=
             least_ratio * static_cast<double>(row.counts.ideal_sectors);
}

bool in_pieces(const ArgumentValue &argument, const std::vector<PatternInputs::Piece> &pieces) {
  return std::ranges::any_of(pieces, [&](const PatternInputs::Piece &piece) {
    return piece.argument == argument.index && argument.offset < piece.offset + (piece.width + 7U) / 8 &&
           piece.offset < argument.offset + (argument.width_bits + 7) / 8;
  });
}

bool is_assumed(const ArgumentValue &argument) {
  return !argument.pointer && (argument.provenance == Provenance::Assumed || !argument.value);
}

/// All requests were counted, none is as dear as one of all lanes, and nothing that was assumed decides which lanes come there: that whole warps ever do is
/// not known.
bool lacks_full_warps(const SiteRow &row, const Launch &launch, const PatternCase &of_all_lanes, Unit unit) {
  if (unit != Unit::Wavefronts || row.verdict == Verdict::Unknown || row.counts.requests == 0 ||
      row.counts.conflict_degree >= of_all_lanes.conflict_degree)
    return false;
  const PatternInputs &inputs = row.pattern->inputs;
  return (launch.block_known || !inputs.block_in_guards) && (launch.grid_known || !inputs.grid_in_guards) &&
         std::ranges::none_of(launch.arguments, [&](const ArgumentValue &argument) {
           return is_assumed(argument) && (in_pieces(argument, inputs.address) || in_pieces(argument, inputs.guards));
         });
}

/// Only blocks of several rows have one of these shapes, and rows that are no whole warps.
bool of_rows_only(std::uint8_t shapes) {
  constexpr std::uint8_t kOneRow =
      1U << static_cast<unsigned>(BlockShape::WholeWarps) | 1U << static_cast<unsigned>(BlockShape::Line);
  return shapes != 0 && (shapes & kOneRow) == 0;
}

/// Else it is written for blocks of one row.
bool reads_rows(const Program &program) {
  const Uses uses = uses_of(program);
  return uses.thread_y || uses.thread_z;
}

} // namespace

std::string_view to_string(Reach reach) {
  switch (reach) {
  case Reach::AllLaunches: return "all launches";
  case Reach::OpenValues: return "open values";
  case Reach::Launch: return "launch";
  case Reach::Assumed: break;
  }
  return "assumed";
}

bool rests_on_launch(const SiteRow &row, const LaunchAnalysis &analysis) {
  if (analysis.launch.assumptions.empty() || row.verdict == Verdict::Exact)
    return false;
  if (row.verdict == Verdict::Unknown)
    return true;
  return std::any_of(row.ids.begin(), row.ids.end(), [&](SiteId id) {
    return std::any_of(analysis.result.sites[id].assumptions.begin(), analysis.result.sites[id].assumptions.end(),
                       [&](const Assumption &one) {
                         return std::find(analysis.launch.assumptions.begin(), analysis.launch.assumptions.end(),
                                          one) != analysis.launch.assumptions.end();
                       });
  });
}

/// The assumed values that may decide what a request costs. First those that the pattern's cases name. Where these turn on quantities without words, or there
/// are none, what the address is computed from, then what decides whether lanes come there; the grid, and whatever else was assumed, where nothing of this was.
void name_assumed(Claim &claim, const SiteRow &row, const Program &program, const Launch &launch) {
  using Kind = PatternCondition::Kind;
  constexpr std::size_t kMost = 3;
  const std::vector<PassedScalar> scalars = passed_scalars(program);
  const auto add = [&](const std::string &name, const std::string &value, bool can_be_stated) {
    const std::string text = name + "=" + value;
    if (std::find(claim.rests_on.begin(), claim.rests_on.end(), text) != claim.rests_on.end() ||
        claim.rests_on.size() == kMost)
      return;
    claim.rests_on.push_back(text);
    if (can_be_stated)
      claim.to_state.push_back(name);
  };
  const auto add_argument = [&](const ArgumentValue &argument) {
    const auto passed = std::ranges::find_if(scalars, [&](const PassedScalar &one) {
      return one.index == argument.index && one.scalar.offset == argument.offset;
    });
    if (!argument.pointer && argument.provenance == Provenance::Assumed && argument.value && passed != scalars.end())
      add(passed->scalar.name, scalar_text(*argument.value, passed->scalar.type, passed->scalar.size),
          argument.width_bits == 8 * passed->scalar.size);
  };
  const auto add_block = [&] {
    if (!launch.block_known)
      add("block", to_string(launch.block), true);
  };
  const auto add_pieces = [&](const std::vector<PatternInputs::Piece> &pieces) {
    for (const ArgumentValue &argument : launch.arguments)
      if (in_pieces(argument, pieces))
        add_argument(argument);
  };
  const bool has_cases = row.pattern && row.pattern->verdict == PatternVerdict::Cases;
  bool in_words = has_cases; // all that the cases turn on has a name
  if (has_cases)
    for (const PatternCase &one : row.pattern->cases)
      for (const PatternCondition &condition : one.when) {
        if (condition.kind == Kind::Shape)
          add_block();
        else if (const ArgumentValue *argument =
                     condition.kind == Kind::Argument ? argument_of(launch, condition) : nullptr)
          add_argument(*argument);
        in_words &=
            condition.kind != Kind::Quantity && condition.kind != Kind::Address && condition.kind != Kind::Source;
      }
  if (has_cases && in_words && !claim.rests_on.empty())
    return;
  if (!has_cases)
    add_block();
  if (row.pattern) {
    const PatternInputs &inputs = row.pattern->inputs;
    add_pieces(inputs.address);
    if (claim.rests_on.empty())
      add_pieces(inputs.guards);
    if (claim.rests_on.empty() && !launch.grid_known && (inputs.grid_in_address || inputs.grid_in_guards))
      add("grid", to_string(launch.grid), true);
  }
  if (!claim.rests_on.empty())
    return;
  for (const ArgumentValue &argument : launch.arguments)
    add_argument(argument);
  add_block();
  if (!launch.grid_known)
    add("grid", to_string(launch.grid), true);
}

namespace {

/// "SEQ=32": at most three. Those that the access names, then other numbers; types come last.
std::vector<std::string> likeliest_first(std::vector<std::string> arguments, std::string_view expression) {
  constexpr std::size_t kMost = 3;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto is_named = [&](std::string_view name) {
    for (std::size_t at = 0; (at = expression.find(name, at)) != std::string_view::npos; at += name.size()) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !is_part(expression[at - 1])) && (end == expression.size() || !is_part(expression[end])))
        return true;
    }
    return false;
  };
  std::ranges::stable_sort(arguments, {}, [&](const std::string &one) {
    const std::size_t value = one.find('=') + 1;
    const bool number = one[value] == '-' || std::isdigit(static_cast<unsigned char>(one[value])) != 0;
    return is_named(std::string_view(one).substr(0, value - 1)) ? 0 : number ? 1 : 2;
  });
  arguments.resize(std::min(kMost, arguments.size()));
  return arguments;
}

} // namespace

Claim claim_of(const SiteRow &row, const FileAnalysis &file, const LaunchAnalysis &analysis, Unit unit,
               double least_ratio) {
  Claim claim;
  const Program &program = file.programs[analysis.program];
  const bool assumed = claim.launch_assumed = rests_on_launch(row, analysis);
  const std::vector<Pattern> *patterns = patterns_of(file, analysis.program);
  std::optional<Certain> certain;
  // The same of an instruction with which nvcc may do otherwise: no proof, but nothing that the launch decides.
  std::optional<Certain> as_modelled;
  const Assumption *presumed = nullptr;
  const auto keep_dearest = [unit](std::optional<Certain> &kept, const Certain &one) {
    const bool dearer = !kept || actual_of(one.least, unit) > actual_of(kept->least, unit);
    if (dearer)
      kept = one;
    return dearer;
  };
  // Of several instructions at one place the dearest speaks for it: that others cost nothing takes nothing from it.
  for (const SiteId id : row.ids) {
    if (!patterns || id >= patterns->size())
      continue;
    const std::optional<Certain> one = certain_cost((*patterns)[id], analysis.launch, unit, least_ratio);
    if (one && costs_as_modelled(program.sites[id].assumption))
      keep_dearest(certain, *one);
    else if (one && keep_dearest(as_modelled, *one))
      presumed = &program.sites[id].assumption;
  }
  for (std::optional<Certain> *one : {&certain, &as_modelled}) {
    if (!*one)
      continue;
    const bool of_no_warp =
        row.pattern && (*one)->all_lanes && lacks_full_warps(row, analysis.launch, (*one)->least, unit);
    if (of_no_warp || (!analysis.launch.block_known && of_rows_only((*one)->shapes) && !reads_rows(program)))
      one->reset();
  }
  if (certain || as_modelled) {
    const Certain &dearest = certain ? *certain : *as_modelled;
    claim.up_to = std::ranges::any_of(row.ids, [&](SiteId id) {
      if (!patterns || id >= patterns->size() || !(*patterns)[id].reached)
        return false;
      const std::optional<Certain> one = certain_cost((*patterns)[id], analysis.launch, unit, least_ratio);
      return !one || actual_of(one->least, unit) < actual_of(dearest.least, unit);
    });
    claim.up_to |= dearest.of_some_copies;
  }
  if (certain) {
    claim.certain = claim.has_request = true;
    claim.request = certain->least;
    claim.reach = certain->by_values ? Reach::OpenValues : Reach::AllLaunches;
    claim.words = words_of(*certain, analysis.launch, assumed);
    claim.all_lanes = certain->all_lanes;
    claim.at_least = certain->at_least;
  } else if (as_modelled && (assumed || row.verdict == Verdict::Unknown)) {
    claim.has_request = true;
    claim.request = as_modelled->least;
    claim.at_least = as_modelled->at_least;
    claim.reach = as_modelled->by_values ? Reach::OpenValues : Reach::AllLaunches;
    claim.words = words_of(*as_modelled, analysis.launch, assumed);
    claim.all_lanes = as_modelled->all_lanes;
    claim.if_modelled = presumed->text + " [" + presumed->id + "]";
  } else if (assumed && analysis.launch.block_known && row.symbolic &&
             costly_for_all(*row.symbolic, unit, least_ratio, row)) {
    claim.certain = true;
    claim.reach = Reach::OpenValues;
    if (unit == Unit::Wavefronts && row.shared_example && row.symbolic->conflict_degree.least > 1) {
      claim.has_request = true;
      claim.request.conflict_degree = static_cast<std::uint32_t>(row.symbolic->conflict_degree.least);
      claim.request.wavefronts = static_cast<std::uint32_t>(row.symbolic->wavefronts.least);
      claim.request.ideal_wavefronts = row.shared_example->cost.ideal_wavefronts;
      claim.at_least = row.symbolic->wavefronts.least != row.symbolic->wavefronts.most;
    }
    std::string names;
    for (std::size_t i = 0; i < analysis.symbols.size() && i < 3; ++i)
      names += (names.empty() ? "" : ", ") + analysis.symbols[i].name;
    claim.words = names.empty() ? "in all launches with block=" + to_string(analysis.launch.block)
                                : "for any value of " + names + (analysis.symbols.size() > 3 ? ", ..." : "");
  } else if (assumed) {
    claim.reach = Reach::Assumed;
    name_assumed(claim, row, program, analysis.launch);
  }
  if (!analysis.launch.template_arguments.empty()) {
    claim.reach = Reach::Assumed;
    claim.of_template = true;
    claim.certain = false;
    const std::vector<std::string> made_up = likeliest_first(analysis.launch.template_arguments, row.site->expression);
    claim.rests_on.insert(claim.rests_on.begin(), made_up.begin(), made_up.end());
  }
  if (file.doubts_headers) {
    claim.reach = Reach::Assumed;
    claim.certain = false;
    claim.assumed_headers = file.assumed_headers;
  }
  return claim;
}

bool may_be_reached(const SiteRow &row, const LaunchAnalysis &analysis) {
  const Launch &launch = analysis.launch;
  if (launch.assumptions.empty() || !row.pattern || !row.pattern->reached)
    return false;
  const PatternInputs &inputs = row.pattern->inputs;
  if (!launch.block_known || (!launch.grid_known && (inputs.grid_in_address || inputs.grid_in_guards)))
    return true;
  const bool never = row.symbolic && row.symbolic->known() && row.symbolic->requests_formula.terms.empty();
  return !never && std::ranges::any_of(launch.arguments, [&](const ArgumentValue &argument) {
    return is_assumed(argument) && (in_pieces(argument, inputs.address) || in_pieces(argument, inputs.guards));
  });
}

Extremes extremes_of(const SiteRow &row, const Launch &launch) {
  Extremes out;
  const SymbolicCounts *any = launch.block_known && row.symbolic && row.symbolic->known() ? &*row.symbolic : nullptr;
  if (any && !any->requests_formula.terms.empty()) {
    const auto metrics = [&](std::uint32_t Span::*end) {
      Metrics metrics;
      metrics.degree = static_cast<std::uint32_t>(any->conflict_degree.*end);
      metrics.wavefronts = static_cast<double>(any->wavefronts.*end);
      metrics.sectors = static_cast<double>(any->sectors.*end);
      return metrics;
    };
    out.least = metrics(&Span::least);
    out.most = metrics(&Span::most);
    return out;
  }
  if (!row.pattern || !row.pattern->reached || !covers(*row.pattern, launch))
    return out;
  constexpr auto kMany = std::numeric_limits<std::uint32_t>::max();
  Metrics least{kMany, kMany, 0, kMany, 0}, most;
  for (const PatternCase &one : row.pattern->cases) {
    // Of blocks whose rows fill no warps a bound says only that they were not looked at.
    if (!possible(one, launch) || (one.at_most && !launch.block_known && shapes_of(one) == kOtherShape))
      continue;
    most.degree = std::max(most.degree, one.conflict_degree);
    most.wavefronts = std::max(most.wavefronts, static_cast<double>(one.wavefronts));
    most.sectors = std::max(most.sectors, static_cast<double>(one.sectors));
    if (has(one, PatternCondition::Kind::FewerLanes))
      continue;
    least.degree = std::min(least.degree, one.at_most ? 0 : one.conflict_degree);
    least.wavefronts = std::min(least.wavefronts, one.at_most ? 0 : static_cast<double>(one.wavefronts));
    least.sectors = std::min(least.sectors, one.at_most ? 0 : static_cast<double>(one.sectors));
  }
  out.most = most;
  if (least.degree != kMany)
    out.least = least;
  return out;
}

std::optional<Metrics> pattern_metrics(const SiteRow &row, const Launch &launch) {
  if (!row.pattern || !row.pattern->reached || !covers(*row.pattern, launch))
    return std::nullopt;
  Metrics worst, bound;
  bool any = false;
  double wavefronts = 0, sectors = 0; // quotients
  const auto dearest = [](double actual, double ideal, double &quotient, double &kept_ideal) {
    if (const double its = ideal > 0 ? actual / ideal : 1; its > quotient || (its == quotient && ideal > kept_ideal)) {
      quotient = its;
      kept_ideal = ideal;
    }
  };
  const auto add = [](Metrics &to, const PatternCase &one) {
    to.degree = std::max(to.degree, one.conflict_degree);
    to.wavefronts = std::max(to.wavefronts, static_cast<double>(one.wavefronts));
    to.sectors = std::max(to.sectors, static_cast<double>(one.sectors));
  };
  for (const PatternCase &one : row.pattern->cases) {
    if (!possible(one, launch))
      continue;
    if (one.at_most && !has(one, PatternCondition::Kind::FewerLanes))
      return std::nullopt;
    if (one.at_most) {
      add(bound, one);
      continue;
    }
    any = true;
    add(worst, one);
    dearest(one.wavefronts, one.ideal_wavefronts, wavefronts, worst.ideal_wavefronts);
    dearest(one.sectors, one.ideal_sectors, sectors, worst.ideal_sectors);
  }
  // Requests of fewer lanes: known to be no dearer, or not known.
  if (bound.degree > worst.degree || bound.wavefronts > worst.wavefronts || bound.sectors > worst.sectors)
    return std::nullopt;
  return any ? std::optional(worst) : std::nullopt;
}

} // namespace smem
