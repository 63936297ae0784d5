#include "fixes/fixes.h"

#include "fixes/cases.h"
#include "fixes/prove.h"
#include "fixes/search.h"
#include "sinks/files.h"
#include "smem/shared_layout.h"
#include "support/paths.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <tuple>

namespace smem {
namespace {

constexpr std::uint64_t kTraceSteps = 3'000'000;
constexpr unsigned kOffersOfAKind = 3;

/// An array in one launch.
struct Place {
  std::size_t launch = 0;
  std::uint32_t array = 0;
  std::size_t variable = 0;
  ArrayCounts counts;
  ArrayInstance instance;
};

/// A layout for each place of a group, and how the source says it.
struct Plan {
  LayoutCases cases;
  std::vector<Layout> layouts; ///< parallel to the group's places
};

class Finder {
public:
  Finder(const FileAnalysis &analysis, const AnalysisOptions &options, const FixOptions &fix)
      : analysis_(analysis), options_(options), fix_(fix) {}

  FileFixes find() {
    if (!has_conflict())
      return {};
    FileFixes fixes;
    trace();
    for (const std::vector<std::size_t> &group : groups()) {
      std::vector<const Place *> places;
      for (const Place &place : places_)
        if (std::find(group.begin(), group.end(), place.variable) != group.end())
          places.push_back(&place);
      disproved_ = false;
      if (std::optional<FixSuggestion> found = suggest(group, places, fix_.edits))
        fixes.suggestions.push_back(std::move(*found));
      else if (!disproved_)
        for (const Place *place : places) // a layout that suits one instance need not suit the others
          if (std::optional<FixSuggestion> alone = suggest_alone(group, *place))
            if (!suggestion_for(fixes, alone->arrays.front().program, alone->arrays.front().array))
              fixes.suggestions.push_back(std::move(*alone));
    }
    note_sites(fixes);
    combine(fixes);
    fixes.texts = std::move(texts_);
    return fixes;
  }

private:
  bool has_conflict() {
    bool conflict = false;
    for (const LaunchAnalysis &launch : analysis_.launches) {
      counts_.push_back(counts_by_array(analysis_.programs[launch.program], launch, *analysis_.architecture));
      conflict |= std::any_of(counts_.back().begin(), counts_.back().end(),
                              [](const ArrayCounts &array) { return array.excess() > 0; });
    }
    return conflict;
  }

  /// The requests of every launch that shares a program's arrays with one that has a conflict.
  void trace() {
    SimulationOptions simulation;
    simulation.max_steps = kTraceSteps;
    traces_.resize(analysis_.launches.size());
    for (std::size_t i = 0; i < analysis_.launches.size(); ++i) {
      const LaunchAnalysis &launch = analysis_.launches[i];
      const Program &program = analysis_.programs[launch.program];
      if (program.shared_arrays.empty())
        continue;
      traces_[i] = trace_first_block(program, launch.launch, *analysis_.architecture, simulation);
      const SharedLayout layout = layout_shared(program.shared_arrays, *analysis_.architecture);
      for (std::uint32_t array = 0; array < program.shared_arrays.size(); ++array)
        if (const auto variable = variable_of(program, array)) {
          Place place{i, array, *variable, counts_[i][array], {}};
          const Extents extents = extents_of(program, launch.launch, array, *variable);
          if (extents.bytes() == 0)
            continue;
          place.instance.traffic = traffic_of(program, layout, launch.launch.dynamic_shared_bytes, array, extents,
                                              traces_[i], *analysis_.architecture);
          place.instance.threads = launch.launch.block.count();
          place.instance.shared_bytes = launch.result.shared_bytes;
          places_.push_back(std::move(place));
        }
    }
  }

  std::optional<std::size_t> variable_of(const Program &program, std::uint32_t array) const {
    const std::vector<ArrayVariable> &all = analysis_.arrays.variables;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].shared && all[i].location == program.shared_arrays[array].location)
        return i;
    return std::nullopt;
  }

  Extents extents_of(const Program &program, const Launch &launch, std::uint32_t array, std::size_t variable) const {
    Extents extents;
    const auto known = analysis_.arrays.shapes.find(variable);
    if (known == analysis_.arrays.shapes.end())
      return {4, {0}};
    const auto suits = [&](const ArrayShape &shape) {
      Extents candidate{shape.element, shape.extents};
      return program.shared_arrays[array].dynamic || candidate.bytes() == program.shared_arrays[array].size;
    };
    const ArrayShape *best = nullptr;
    for (const ArrayShape &shape : known->second)
      if (shape.element != 0 && suits(shape) && (!best || shape.function == program.mangled))
        best = &shape;
    if (!best)
      return {4, {0}};
    extents = {best->element, best->extents};
    if (program.shared_arrays[array].dynamic)
      extents.sizes = {launch.dynamic_shared_bytes / best->element};
    return extents;
  }

  /// Variables that address the same memory: one layout serves all of a group.
  std::vector<std::vector<std::size_t>> groups() const {
    const std::vector<ArrayVariable> &all = analysis_.arrays.variables;
    std::vector<std::size_t> leader(all.size());
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    const auto find = [&](std::size_t i) {
      while (leader[i] != i)
        i = leader[i];
      return i;
    };
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const std::size_t to : all[i].flows_to)
        leader[std::max(find(i), find(to))] = std::min(find(i), find(to));
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < all.size(); ++i)
      members[find(i)].push_back(i);
    std::vector<std::vector<std::size_t>> out;
    for (auto &[first, group] : members)
      out.push_back(std::move(group));
    return out;
  }

  std::optional<FixSuggestion> suggest(const std::vector<std::size_t> &group, const std::vector<const Place *> &places,
                                       bool edits) {
    std::uint64_t excess = 0;
    for (const Place *place : places) {
      excess += place->counts.excess();
      // Others have to find the array as it is.
      if (analysis_.programs[analysis_.launches[place->launch].program].shared_used_elsewhere)
        return std::nullopt;
    }
    if (excess == 0)
      return std::nullopt;
    FixSuggestion suggestion;
    for (const Place *place : places) {
      suggestion.before += place->counts.counts;
      suggestion.verdict = std::max(suggestion.verdict, place->counts.verdict);
    }
    suggestion.after = suggestion.before;
    suggestion.after.wavefronts = suggestion.before.ideal_wavefronts;
    suggestion.after.conflict_degree = 1;
    const auto worst = *std::max_element(places.begin(), places.end(), [](const Place *a, const Place *b) {
      return a->counts.excess() < b->counts.excess();
    });
    suggestion.array = program(*worst).shared_arrays[worst->array].name;
    suggestion.bytes_before = worst->instance.shared_bytes;

    std::string refusal;
    std::optional<Plan> offered, in_words;
    unsigned proofs = 0;
    for (Plan &plan : plans(group, places)) {
      if (!edits) {
        if (!model_holds(places, plan))
          continue;
        offered = std::move(plan);
        break;
      }
      read_texts(group);
      const std::uint32_t element = places.front()->instance.traffic.extents.element;
      PlannedEdits planned = plan_edits(analysis_.arrays, group, plan.cases, element, texts_);
      if (planned.refusal.empty()) {
        if (++proofs > fix_.proofs)
          break;
        const Proof proof = prove(analysis_, options_, intents(places, plan), planned.edits, texts_);
        if (proof.holds) {
          suggestion.edits = std::move(planned.edits);
          suggestion.after = proof.counts;
          suggestion.verdict = proof.verdict;
          offered = std::move(plan);
          break;
        }
        planned.refusal = proof.why_not;
        disproved_ |= proof.useless;
        if (proof.useless)
          continue;
      }
      if (!in_words && model_holds(places, plan)) {
        in_words = std::move(plan);
        refusal = planned.refusal;
      }
    }
    if (!offered)
      offered = std::move(in_words);
    if (!offered)
      return std::nullopt;
    if (suggestion.edits.empty())
      suggestion.no_edit = edits ? refusal : "not asked for";
    describe(suggestion, places, *worst, *offered);
    return suggestion;
  }

  /// For one launch only, and no edit.
  std::optional<FixSuggestion> suggest_alone(const std::vector<std::size_t> &group, const Place &place) {
    if (std::optional<FixSuggestion> alone = suggest(group, {&place}, false)) {
      alone->no_edit = "the code that accesses `" + alone->array +
                       "` serves other kernels or instantiations too, which this layout does not suit";
      return alone;
    }
    const Extents &extents = place.instance.traffic.extents;
    if (extents.element <= 4 || extents.element % 4 != 0)
      return std::nullopt;
    Place words = place; // of structures
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

  /// What may be done, the cheapest first.
  std::vector<Plan> plans(const std::vector<std::size_t> &group, const std::vector<const Place *> &places) {
    std::vector<Plan> found;
    std::vector<const ArrayInstance *> instances;
    std::set<std::uint32_t> elements;
    Freedom freedom;
    for (const Place *place : places) {
      instances.push_back(&place->instance);
      elements.insert(place->instance.traffic.extents.element);
      freedom.grow &= !program(*place).shared_arrays[place->array].dynamic;
    }
    const auto uniform = [&](const Candidate &candidate) {
      found.push_back({{{{{}, candidate.layout}}, {}, {}}, std::vector<Layout>(places.size(), candidate.layout)});
    };
    if (elements.size() == 1) {
      // Of each kind a few: what defeats one of them (the compiler no longer merges accesses) defeats its likes.
      std::map<Layout::Kind, unsigned> offered;
      for (const Candidate &candidate : conflict_free(instances, freedom))
        if (++offered[candidate.layout.kind] <= kOffersOfAKind)
          uniform(candidate);
      if (freedom.grow)
        for (const Candidate &candidate : aligned_rows(instances))
          uniform(candidate);
    }
    // Template parameters of the kernel can be named in the kernel only.
    if (group.size() == 1) {
      if (std::optional<Plan> by_variant = plan_by_variant(places, freedom))
        found.push_back(std::move(*by_variant));
      else if (std::optional<Plan> by_stride = plan_by_stride(places, freedom))
        found.push_back(std::move(*by_stride));
    }
    // Longer rows are the edit that changes least.
    std::stable_partition(found.begin(), found.end(), [](const Plan &plan) {
      return std::all_of(plan.layouts.begin(), plan.layouts.end(),
                         [](const Layout &layout) { return !layout.moves_elements(); });
    });
    return found;
  }

  /// One template of a kernel with a stride among its parameters: the power of two in it says how many lanes meet in a bank.
  std::optional<Plan> plan_by_stride(const std::vector<const Place *> &places, const Freedom &freedom) const {
    std::map<std::string, std::vector<std::uint32_t>> strides; // by parameter: of each place
    std::set<std::uint32_t> elements;
    const std::string &type = analysis_.arrays.variables[places.front()->variable].element_type;
    for (const Place *place : places) {
      const auto arguments = analysis_.arrays.templates.find(program(*place).mangled);
      if (arguments == analysis_.arrays.templates.end() || place->variable != places.front()->variable ||
          program(*place).location != program(*places.front()).location)
        return std::nullopt;
      for (const TemplateArgument &argument : arguments->second)
        if (!argument.type)
          if (const int value = std::atoi(argument.value.c_str()); value > 0)
            strides[argument.name].push_back(static_cast<std::uint32_t>(value));
      elements.insert(place->instance.traffic.extents.element);
    }
    const std::string size = "sizeof(" + type + ")";
    for (const auto &[parameter, values] : strides) {
      if (values.size() != places.size())
        continue;
      Plan plan;
      bool holds = true;
      for (std::size_t i = 0; holds && i < places.size(); ++i) {
        const ArrayTraffic &traffic = places[i]->instance.traffic;
        const std::uint32_t power = values[i] & -values[i];
        Layout layout;
        layout.spread = std::max(1u, 4 / traffic.extents.element);
        layout.kind = Layout::Kind::Swizzle;
        layout.period = std::min(32u, 128 / traffic.extents.element);
        layout.terms[0] = {std::max(power, layout.period), power, 1};
        holds = (freedom.grow || layout.spread == 1) && fits(layout, traffic.extents) &&
                price(traffic, layout, 0).has_value();
        plan.layouts.push_back(layout);
        plan.cases.cases.push_back({{}, layout});
      }
      if (!holds)
        continue;
      const bool narrow = *elements.begin() < 4, mixed = elements.size() > 1;
      const std::string row = !mixed   ? std::to_string(plan.layouts.front().period)
                              : narrow ? size + " < 4 ? 32 : 128 / " + size
                                       : "128 / " + size;
      plan.cases.spread = !narrow ? "1"
                          : mixed ? size + " < 4 ? 4 / " + size + " : 1"
                                  : std::to_string(4 / *elements.begin());
      plan.cases.index =
          "constexpr unsigned row = " + row + ", power = " + parameter + " & -" + parameter + "; return ";
      const std::string swizzled = "i ^ (i / (power > row ? power : row) % power % row)";
      plan.cases.index += plan.cases.spread == "1" ? swizzled : "(" + swizzled + ") * (" + plan.cases.spread + ")";
      return plan;
    }
    return std::nullopt;
  }

  /// One template of a kernel whose instantiations want different layouts.
  std::optional<Plan> plan_by_variant(const std::vector<const Place *> &places, const Freedom &freedom) {
    std::map<std::size_t, std::vector<std::size_t>> by_program; // indices into `places`
    for (std::size_t i = 0; i < places.size(); ++i) {
      by_program[analysis_.launches[places[i]->launch].program].push_back(i);
      if (program(*places[i]).location != program(*places.front()).location ||
          places[i]->variable != places.front()->variable)
        return std::nullopt;
    }
    if (by_program.size() < 2)
      return std::nullopt;
    std::vector<Variant> variants;
    for (const auto &[number, members] : by_program) {
      Variant variant;
      const auto arguments = analysis_.arrays.templates.find(analysis_.programs[number].mangled);
      if (arguments == analysis_.arrays.templates.end())
        return std::nullopt;
      variant.arguments = arguments->second;
      const ArrayVariable &variable = analysis_.arrays.variables[places[members.front()]->variable];
      if (!variable.element_type.empty())
        variant.arguments.push_back(
            {variable.element_type, std::to_string(places[members.front()]->instance.traffic.extents.element), true});
      std::uint64_t excess = 0;
      std::vector<const ArrayInstance *> instances;
      for (const std::size_t i : members) {
        excess += places[i]->counts.excess();
        instances.push_back(&places[i]->instance);
      }
      if (excess == 0)
        variant.layouts.push_back({});
      const std::vector<Candidate> candidates = conflict_free(instances, freedom);
      for (const Candidate &candidate : candidates)
        if (candidate.blocks_lost == candidates.front().blocks_lost || excess != 0)
          variant.layouts.push_back(candidate.layout);
      if (variant.layouts.empty())
        return std::nullopt;
      variants.push_back(std::move(variant));
    }
    Plan plan;
    std::vector<Layout> chosen;
    plan.cases = distinguish(variants, chosen);
    if (plan.cases.cases.empty())
      return std::nullopt;
    plan.layouts.resize(places.size());
    std::size_t v = 0;
    for (const auto &[number, members] : by_program) {
      for (const std::size_t i : members)
        plan.layouts[i] = chosen[v];
      ++v;
    }
    return plan;
  }

  std::vector<Intent> intents(const std::vector<const Place *> &places, const Plan &plan) const {
    std::vector<Intent> all;
    for (std::size_t i = 0; i < places.size(); ++i)
      all.push_back({analysis_.launches[places[i]->launch].program, places[i]->array, plan.layouts[i],
                     places[i]->instance.traffic.extents});
    return all;
  }

  bool model_holds(const std::vector<const Place *> &places, const Plan &plan) const {
    for (std::size_t i = 0; i < places.size(); ++i)
      if (const std::optional<Price> cost = price(places[i]->instance.traffic, plan.layouts[i], 0); !cost)
        return false;
    return true;
  }

  /// "swizzle the index where W == 16, pad the rows elsewhere"
  static std::string in_words(const LayoutCases &cases) {
    std::string text;
    for (const LayoutCase &one : cases.cases) {
      const char *what = one.layout == Layout{}        ? "leave the rows as they are"
                         : one.layout.spread != 1      ? "give each element a word"
                         : one.layout.swizzles()       ? "swizzle the index"
                         : one.layout.moves_elements() ? "leave room between the elements"
                                                       : "pad the rows";
      text += (text.empty() ? "" : ", ") + std::string(what) +
              (one.condition.empty() ? " elsewhere" : " where " + one.condition);
    }
    return text;
  }

  void describe(FixSuggestion &suggestion, const std::vector<const Place *> &places, const Place &worst,
                const Plan &plan) {
    for (std::size_t i = 0; i < places.size(); ++i)
      suggestion.arrays.push_back({analysis_.launches[places[i]->launch].program, places[i]->array, plan.layouts[i],
                                   places[i]->instance.traffic.extents});
    std::sort(suggestion.arrays.begin(), suggestion.arrays.end());
    suggestion.arrays.erase(std::unique(suggestion.arrays.begin(), suggestion.arrays.end()), suggestion.arrays.end());
    const std::size_t at = static_cast<std::size_t>(std::find(places.begin(), places.end(), &worst) - places.begin());
    const Extents &extents = worst.instance.traffic.extents;
    const Layout &layout = plan.layouts[at];
    suggestion.layout = layout;
    suggestion.bytes_after = suggestion.bytes_before + bytes(layout, extents) - extents.bytes();
    suggestion.blocks_before = blocks_per_sm(*analysis_.architecture, worst.instance.threads, suggestion.bytes_before);
    suggestion.blocks_after = blocks_per_sm(*analysis_.architecture, worst.instance.threads, suggestion.bytes_after);
    const std::string &name = suggestion.array;
    const std::string declared =
        edited_declaration(program(worst).shared_arrays[worst.array].declaration, {{{{}, layout}}, {}, {}});
    if (plan.cases.cases.size() > 1 && plan.cases.index.empty())
      suggestion.action = in_words(plan.cases) + ": `" +
                          edited_declaration(program(worst).shared_arrays[worst.array].declaration, plan.cases) + "`";
    else if (!layout.moves_elements())
      suggestion.action = "pad the rows: `" + declared + "`";
    else {
      std::string index = expression(layout, extents.element, extents.element);
      suggestion.action = std::string(layout.spread != 1  ? "give each element a word"
                                      : layout.swizzles() ? "swizzle the index"
                                                          : "leave room between the elements") +
                          ": `" + name + (extents.sizes.size() > 1 ? "[row]" : "") + "[" + index + "]` for `" + name +
                          (extents.sizes.size() > 1 ? "[row]" : "") + "[i]`";
      if (bytes(layout, extents) != extents.bytes())
        suggestion.action += ", `" + declared + "`";
    }
  }

  static const FixSuggestion *suggestion_for(const FileFixes &fixes, std::size_t program, std::uint32_t array) {
    for (const FixSuggestion &suggestion : fixes.suggestions)
      for (const FixedArray &each : suggestion.arrays)
        if (each.program == program && each.array == array)
          return &suggestion;
    return nullptr;
  }

  /// Which accesses the suggestions are about.
  void note_sites(FileFixes &fixes) const {
    for (std::size_t i = 0; i < analysis_.launches.size(); ++i) {
      const LaunchAnalysis &launch = analysis_.launches[i];
      const Program &program = analysis_.programs[launch.program];
      const SharedLayout layout = layout_shared(program.shared_arrays, *analysis_.architecture);
      for (const MemoryOperation &operation : program.memory_operations) {
        const SiteResult *site =
            operation.site < launch.result.sites.size() ? &launch.result.sites[operation.site] : nullptr;
        if (!site || !site->shared_example || site->shared_example->request.active == 0 ||
            site->counts.wavefronts <= site->counts.ideal_wavefronts)
          continue;
        const Request &request = site->shared_example->request;
        const std::uint32_t array =
            array_of(program, layout, launch.launch.dynamic_shared_bytes, operation,
                     request.address[static_cast<std::size_t>(std::countr_zero(request.active))]);
        if (const FixSuggestion *suggestion = suggestion_for(fixes, launch.program, array))
          fixes.sites.push_back({i, operation.site, static_cast<std::size_t>(suggestion - fixes.suggestions.data()),
                                 moved(*site->shared_example, operation.access, *suggestion, launch.program, array,
                                       layout.offset[array])});
      }
    }
  }

  /// The request under the layout, and what it costs there.
  std::optional<Example> moved(const Example &example, Access access, const FixSuggestion &suggestion,
                               std::size_t program, std::uint32_t array, std::uint64_t base) const {
    const auto own = std::find_if(suggestion.arrays.begin(), suggestion.arrays.end(), [&](const FixedArray &each) {
      return each.program == program && each.array == array;
    });
    Example out = example;
    access.space = Space::Shared;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (!(example.request.active >> lane & 1))
        continue;
      out.request.address[lane] = base + place(own->layout, own->extents, example.request.address[lane] - base);
      if (out.request.address[lane] % (access.width_bits / 8u) != 0)
        return std::nullopt;
    }
    if (access.operation == Operation::AsyncCopy || !unsupported_reason(access, *analysis_.architecture).empty())
      return std::nullopt;
    out.cost = evaluate(out.request, access, *analysis_.architecture);
    return out;
  }

  /// What holds alone may not hold together: another array's size moves the banks. Keeps what does.
  void combine(FileFixes &fixes) {
    std::vector<const FixSuggestion *> written;
    for (const FixSuggestion &suggestion : fixes.suggestions)
      if (!suggestion.edits.empty())
        written.push_back(&suggestion);
    if (written.empty() || together(written, fixes))
      return;
    std::vector<const FixSuggestion *> kept;
    for (const FixSuggestion *each : written) {
      kept.push_back(each);
      if (!together(kept, fixes))
        kept.pop_back();
    }
  }

  /// Whether these hold together; then they become the combined edits.
  bool together(const std::vector<const FixSuggestion *> &suggestions, FileFixes &fixes) {
    std::vector<Edit> edits;
    std::vector<Intent> wanted;
    for (const FixSuggestion *suggestion : suggestions) {
      edits.insert(edits.end(), suggestion->edits.begin(), suggestion->edits.end());
      for (const FixedArray &each : suggestion->arrays)
        wanted.push_back({each.program, each.array, each.layout, each.extents});
    }
    std::stable_sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) {
      return std::tie(a.file, a.offset) < std::tie(b.file, b.offset);
    });
    edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
    const auto overlap = [](const Edit &a, const Edit &b) {
      return a.file == b.file && a.offset + a.length > b.offset;
    };
    if (std::adjacent_find(edits.begin(), edits.end(), overlap) != edits.end())
      return false;
    Proof proof = prove(analysis_, options_, wanted, edits, texts_);
    if (proof.holds) {
      fixes.combined = std::move(edits);
      fixes.after = std::move(proof.after);
    }
    return proof.holds;
  }

  void read_texts(const std::vector<std::size_t> &group) {
    const auto read = [&](const std::string &file) {
      if (file.empty() || texts_.count(file))
        return;
      std::string contents;
      if (options_.frontend.contents && file == normalise_path(options_.frontend.file)) {
        contents = *options_.frontend.contents;
      } else if (const auto overlay = options_.frontend.overlays.find(file);
                 overlay != options_.frontend.overlays.end()) {
        contents = overlay->second;
      } else {
        std::string wrong;
        contents = sinks::read_file(file, wrong).value_or("");
      }
      // What was compiled may be a rewritten form of it.
      const auto compiled = analysis_.arrays.texts.find(file);
      if (compiled != analysis_.arrays.texts.end() && compiled->second == std::hash<std::string>{}(contents))
        texts_[file] = std::move(contents);
    };
    for (const std::size_t i : group) {
      const ArrayVariable &variable = analysis_.arrays.variables[i];
      read(variable.extent.file);
      for (const ArrayUse &use : variable.uses)
        read(use.index.file);
      for (const TextRange &pitch : variable.pitches)
        read(pitch.file);
    }
  }

  const Program &program(const Place &place) const {
    return analysis_.programs[analysis_.launches[place.launch].program];
  }

  const FileAnalysis &analysis_;
  const AnalysisOptions &options_;
  const FixOptions &fix_;
  std::vector<std::vector<ArrayCounts>> counts_; ///< by launch and array
  std::vector<Trace> traces_;
  std::vector<Place> places_;
  FileTexts texts_;
  bool disproved_ = false; ///< of the group at hand: an edited text was analysed and is not better
};

} // namespace

FileFixes find_fixes(const FileAnalysis &analysis, const AnalysisOptions &options, const FixOptions &fix) {
  return Finder(analysis, options, fix).find();
}

} // namespace smem
