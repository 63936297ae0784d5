#include "fixes/fixes.h"

#include "fixes/combine.h"
#include "fixes/describe.h"
#include "fixes/launched_arrays.h"
#include "fixes/plans.h"
#include "fixes/prove.h"
#include "fixes/sites.h"
#include "fixes/source_texts.h"

#include <algorithm>
#include <utility>

namespace smem {
namespace {

using Arrays = std::vector<const LaunchedArray *>;
using Group = std::vector<std::size_t>; ///< of variables that address the same memory

/// The suggestion before any layout is chosen: its counts afterwards are the ideal.
FixSuggestion suggestion_of(const FileAnalysis &analysis, const Arrays &arrays, const LaunchedArray &worst) {
  FixSuggestion suggestion;
  for (const LaunchedArray *array : arrays) {
    suggestion.before += array->counts.counts;
    suggestion.verdict = std::max(suggestion.verdict, array->counts.verdict);
  }
  suggestion.after = suggestion.before;
  suggestion.after.wavefronts = suggestion.before.ideal_wavefronts;
  suggestion.after.conflict_degree = 1;
  suggestion.array = program_of(analysis, worst).shared_arrays[worst.array].name;
  suggestion.bytes_before = worst.instance.shared_bytes;
  return suggestion;
}

std::vector<Intent> intents_of(const FileAnalysis &analysis, const Arrays &arrays, const LayoutPlan &plan) {
  std::vector<Intent> all;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    all.push_back({analysis.launches[arrays[i]->launch].program, arrays[i]->array, plan.layouts[i],
                   arrays[i]->instance.traffic.extents});
  return all;
}

class FixFinder {
public:
  FixFinder(const FileAnalysis &analysis, const AnalysisOptions &options, const FixOptions &fix)
      : analysis_(analysis), options_(options), fix_(fix) {}

  FileFixes find() {
    const std::vector<std::vector<ArrayCounts>> counts = counts_by_launch(analysis_);
    const bool has_conflict = std::any_of(counts.begin(), counts.end(), [](const std::vector<ArrayCounts> &launch) {
      return std::any_of(launch.begin(), launch.end(), [](const ArrayCounts &array) { return array.excess() > 0; });
    });
    if (!has_conflict)
      return {};
    const LaunchedArrays launched = trace_launches(analysis_, counts);
    FileFixes fixes;
    for (const Group &group : variable_groups(analysis_.arrays)) {
      Arrays arrays;
      for (const LaunchedArray &array : launched.arrays)
        if (std::find(group.begin(), group.end(), array.variable) != group.end())
          arrays.push_back(&array);
      disproved_ = false;
      if (std::optional<FixSuggestion> found = suggest(group, arrays, fix_.edits))
        fixes.suggestions.push_back(std::move(*found));
      else if (!disproved_)
        for (const LaunchedArray *array : arrays) // a layout that suits one instance need not suit the others
          if (std::optional<FixSuggestion> alone = suggest_alone(group, *array))
            if (!suggestion_for(fixes.suggestions, alone->arrays.front().program, alone->arrays.front().array))
              fixes.suggestions.push_back(std::move(*alone));
    }
    fixes.sites = sites_of(fixes.suggestions, analysis_);
    fixes.texts = std::move(texts_);
    combine(fixes, analysis_, options_);
    return fixes;
  }

private:
  std::optional<FixSuggestion> suggest(const Group &group, const Arrays &arrays, bool edits) {
    std::uint64_t excess = 0;
    for (const LaunchedArray *array : arrays) {
      excess += array->counts.excess();
      // Others have to find the array as it is.
      if (program_of(analysis_, *array).shared_used_elsewhere)
        return std::nullopt;
    }
    if (excess == 0)
      return std::nullopt;
    const auto worst =
        *std::max_element(arrays.begin(), arrays.end(), [](const LaunchedArray *a, const LaunchedArray *b) {
          return a->counts.excess() < b->counts.excess();
        });
    FixSuggestion suggestion = suggestion_of(analysis_, arrays, *worst);
    std::vector<LayoutPlan> plans = layout_plans(analysis_, arrays, group.size() == 1);
    std::string refusal = "not asked for";
    const std::optional<LayoutPlan> plan = edits ? choose_written(group, arrays, std::move(plans), suggestion, refusal)
                                                 : choose_modelled(arrays, std::move(plans));
    if (!plan)
      return std::nullopt;
    if (suggestion.edits.empty())
      suggestion.no_edit = refusal;
    describe(suggestion, analysis_, arrays, *worst, *plan);
    return suggestion;
  }

  /// The first plan that holds in the model.
  static std::optional<LayoutPlan> choose_modelled(const Arrays &arrays, std::vector<LayoutPlan> plans) {
    const auto first =
        std::find_if(plans.begin(), plans.end(), [&](const LayoutPlan &plan) { return model_holds(arrays, plan); });
    return first == plans.end() ? std::nullopt : std::optional(std::move(*first));
  }

  static constexpr unsigned kMostCertain = 5; ///< plans that are tried where one holds that rests on what nvcc merges

  /// The first plan whose edits are proved, and rest on nothing that nvcc may do otherwise if there is such a one, which the suggestion then has; or else the first that holds in the model, and why its edits
  /// cannot be written or do not hold.
  std::optional<LayoutPlan> choose_written(const Group &group, const Arrays &arrays, std::vector<LayoutPlan> plans,
                                           FixSuggestion &suggestion, std::string &refusal) {
    refusal.clear();
    std::optional<LayoutPlan> in_words, merged;
    unsigned proofs = 0, most = fix_.proofs;
    for (LayoutPlan &plan : plans) {
      read_texts(texts_, analysis_, options_, group);
      const std::uint32_t element = arrays.front()->instance.traffic.extents.element;
      PlannedEdits planned = plan_edits(analysis_.arrays, group, plan.cases, element, texts_);
      if (planned.refusal.empty()) {
        if (++proofs > most)
          break;
        const Proof proof = prove(analysis_, options_, intents_of(analysis_, arrays, plan), planned.edits, texts_);
        if (proof.holds && proof.rests_on_merging && merged)
          continue;
        if (proof.holds) {
          suggestion.edits = std::move(planned.edits);
          suggestion.after = proof.counts;
          suggestion.verdict = proof.verdict;
          suggestion.rests_on_merging = proof.rests_on_merging;
          if (!proof.rests_on_merging)
            return std::move(plan);
          merged = std::move(plan); // another layout may not need that
          most = std::min(most, proofs + kMostCertain);
          continue;
        }
        planned.refusal = proof.why_not;
        disproved_ |= proof.useless;
        if (proof.useless)
          continue;
      }
      if (!in_words && model_holds(arrays, plan)) {
        in_words = std::move(plan);
        refusal = planned.refusal;
      }
    }
    return merged ? merged : in_words;
  }

  /// For one launch only, and no edit.
  std::optional<FixSuggestion> suggest_alone(const Group &group, const LaunchedArray &array) {
    if (std::optional<FixSuggestion> alone = suggest(group, {&array}, false)) {
      alone->no_edit = "the code that accesses `" + alone->array +
                       "` serves other kernels or instantiations too, which this layout does not suit";
      return alone;
    }
    const Extents &extents = array.instance.traffic.extents;
    if (extents.element <= 4 || extents.element % 4 != 0)
      return std::nullopt;
    LaunchedArray words = array; // of structures
    words.instance.traffic.extents = {4, {extents.bytes() / 4}};
    std::optional<FixSuggestion> found = suggest(group, {&words}, false);
    if (!found)
      return std::nullopt;
    found->action = "place word `i` of `" + found->array + "` (4 bytes each) at word `" +
                    expression(found->layout, 4, 4) + "`, or keep the fields in arrays of their own";
    found->no_edit =
        "an index of `" + found->array + "` selects a whole structure, and its fields would have to move apart";
    return found;
  }

  const FileAnalysis &analysis_;
  const AnalysisOptions &options_;
  const FixOptions &fix_;
  FileTexts texts_;
  bool disproved_ = false; ///< of the group at hand: an edited text was analysed and is not better
};

} // namespace

FileFixes find_fixes(const FileAnalysis &analysis, const AnalysisOptions &options, const FixOptions &fix) {
  return FixFinder(analysis, options, fix).find();
}

} // namespace smem
