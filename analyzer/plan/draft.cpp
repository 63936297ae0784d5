#include "plan/draft.h"

#include <algorithm>
#include <map>

#include "plan/kernel_facts.h"
#include "plan/plausible_arguments.h"
#include "support/paths.h"
#include "support/scalar_text.h"

namespace smem {

bool about(const std::string &reason, std::string_view subject) {
  return std::string_view(reason).starts_with(subject);
}

Draft draft_of(const HostLaunch &host) {
  Draft draft;
  draft.launch = host.launch;
  draft.launch.reached = host.reached;
  draft.of_host = std::move(draft.launch.assumptions);
  draft.launch.assumptions.clear();
  draft.host_arguments = draft.launch.arguments;
  draft.unknown = host.unknown;
  draft.open_pointers = host.open_pointers;
  draft.consistent = host.consistent;
  bool grid_missing = false, block_missing = false, dynamic_missing = false;
  for (const std::string &reason : host.unknown) {
    grid_missing |= about(reason, "grid");
    block_missing |= about(reason, "block");
    dynamic_missing |= about(reason, "dynamic");
  }
  const bool unclear = !host.shape_known && !grid_missing && !block_missing;
  draft.grid_known = !grid_missing && !unclear;
  draft.block_known = !block_missing && !unclear;
  draft.dynamic_known = !dynamic_missing;
  draft.searched = !draft.grid_known || !draft.block_known || !draft.dynamic_known ||
                   std::ranges::any_of(draft.launch.arguments, [](const ArgumentValue &argument) {
                     return !argument.pointer && !argument.value;
                   });
  return draft;
}

ArgumentValue &argument_of(Launch &launch, const PassedScalar &passed) {
  const auto known = std::find_if(launch.arguments.begin(), launch.arguments.end(), [&](const ArgumentValue &a) {
    return a.index == passed.index && a.offset == passed.scalar.offset;
  });
  ArgumentValue &argument = known != launch.arguments.end() ? *known : launch.arguments.emplace_back();
  argument.index = passed.index;
  argument.offset = passed.scalar.offset;
  argument.width_bits = static_cast<std::uint32_t>(8 * passed.scalar.size);
  return argument;
}

namespace {

/// Where something is stated, and the launch that it is stated of.
struct Stated {
  SourceLocation at, launch;
};

/// Both sides of a contradiction, where both have a place.
void note_contradiction(Draft &draft, const Program &program, const Stated &stated, const std::string &fact,
                        const std::string &value) {
  draft.launch.contradicted = true;
  if (!stated.at.known() || !stated.launch.known())
    return;
  SourceLocation launch = stated.launch;
  launch.file = seen_from_here(launch.file);
  draft.contradictions.push_back({Diagnostic::Severity::Warning, stated.at,
                                  fact + " of " + program.kernel + " contradicts " + value + " of the launch at " +
                                      to_string(launch) + "; what stands here is taken"});
}

/// What host code says of a scalar; what else is stated of it is not the launch's.
const ArgumentValue *host_argument(const Draft &draft, const PassedScalar &passed) {
  for (const ArgumentValue &one : draft.host_arguments)
    if (one.index == passed.index && one.offset == passed.scalar.offset && !one.pointer)
      return &one;
  return nullptr;
}

void set_scalar(Draft &draft, const Program &program, const std::string &name, std::int64_t value,
                const LaunchWish &wish, const Stated &stated) {
  for (const PassedScalar &passed : passed_scalars(program)) {
    if (passed.scalar.name != name)
      continue;
    ArgumentValue &argument = argument_of(draft.launch, passed);
    if (wish.all && argument.provenance == Provenance::HostCode && !argument.pointer) {
      if (argument.value && *argument.value != value)
        note_contradiction(draft, program, stated, name + ": " + std::to_string(value),
                           name + "=" + std::to_string(*argument.value));
      else if (const ArgumentValue *host = host_argument(draft, passed);
               host && !argument.value && !host->facts.admits(value))
        note_contradiction(draft, program, stated, name + ": " + std::to_string(value), said_by_code(*host, name));
    }
    // An option about a parameter alone has no place: that of the code is said.
    if (!wish.all && !wish.grid && !wish.block && wish.provenance == Provenance::Option && !argument.pointer &&
        !argument.value && argument.facts_location.known() && !argument.facts.admits(value))
      draft.contradictions.push_back({Diagnostic::Severity::Warning, argument.facts_location,
                                      name + "=" + std::to_string(value) + " of " + program.kernel + " contradicts " +
                                          to_string(argument.facts, name) +
                                          " of the code here; what is stated is taken"});
    argument.pointer = passed.scalar.pointer;
    argument.value = value;
    argument.provenance = wish.provenance;
    if (!argument.facts.admits(value))
      argument.facts = {}; // those of a weaker statement
  }
}

/// Facts about a scalar. A value that a weaker statement gave it stays if it satisfies them.
void set_facts(Draft &draft, const Program &program, const std::string &name, const ArgumentFacts &facts,
               const Stated &stated) {
  for (const PassedScalar &passed : passed_scalars(program)) {
    if (passed.scalar.name != name || passed.scalar.pointer)
      continue;
    ArgumentValue &argument = argument_of(draft.launch, passed);
    const std::optional<ArgumentFacts> both = combine(argument.facts, facts);
    const ArgumentValue *host = host_argument(draft, passed);
    if (!both && host && argument.provenance == Provenance::HostCode && !argument.value && !combine(host->facts, facts))
      note_contradiction(draft, program, stated, to_string(facts, name), said_by_code(*host, name));
    argument.facts = both.value_or(facts);
    if (!argument.value || (!facts.empty() && facts.admits(*argument.value)))
      continue;
    draft.unknown.push_back("argument '" + name + "': " +
                            (facts.empty() ? "said to be not known"
                                           : std::to_string(*argument.value) + " (" +
                                                 std::string(to_string(argument.provenance)) + ") contradicts " +
                                                 to_string(facts, name)));
    if (!facts.empty() && argument.provenance == Provenance::HostCode)
      note_contradiction(draft, program, stated, to_string(facts, name), name + "=" + std::to_string(*argument.value));
    argument.value.reset();
  }
}

/// What a launch has of its block, for messages: "block=(48,1,1)", "blockDim.y == 8".
std::string block_text(const Draft &draft) {
  return draft.block_known ? "block=" + to_string(draft.launch.block) : block_words(draft.launch.block_facts);
}

/// What is known of blocks. A shape that a weaker statement gave it stays if it is one of them.
void set_block_facts(Draft &draft, const Program &program, const BlockFacts &facts, const Stated &stated) {
  draft.block_stated = draft.block_stated ? combine(*draft.block_stated, facts).value_or(facts) : facts;
  draft.block_stated_at = stated.at;
  const std::optional<BlockFacts> both = combine(draft.launch.block_facts, facts);
  const bool agrees = draft.block_known ? admits(facts, draft.launch.block) : both.has_value();
  if (!agrees) {
    const std::string block = block_text(draft);
    note_contradiction(draft, program, stated, "block: " + kernel_fact_text(facts), block);
    draft.unknown.push_back("block: " + block + " contradicts " + kernel_fact_text(facts));
    draft.block_known = draft.block_said = false;
  }
  draft.launch.block_facts = both.value_or(facts);
}

/// A shape that is said to be that of all launches. `level`: what else is said so.
void note_other_block(Draft &draft, const Program &program, const std::vector<PlacedWish> &level,
                      const Stated &stated) {
  std::string said;
  for (const PlacedWish &placed : level) {
    if (!placed.wish->all || !placed.wish->block)
      continue;
    const Dim3 &block = *placed.wish->block;
    if (draft.block_known ? draft.launch.block == block : admits(draft.launch.block_facts, block))
      return;
    said += (said.empty() ? "" : " or ") + to_string(block);
  }
  note_contradiction(draft, program, stated, "block: " + said, block_text(draft));
}

void apply(Draft &draft, const PlacedWish &placed, const std::vector<PlacedWish> &level, const Program &program) {
  const LaunchWish &wish = *placed.wish;
  // The launch before a statement of a shape takes its place.
  const Stated stated{placed.location.known() ? placed.location : wish.location, draft.launch.location};
  if (wish.block_facts)
    set_block_facts(draft, program, *wish.block_facts, stated);
  if (wish.grid) {
    if (wish.all && draft.grid_known && draft.launch.shape_provenance == Provenance::HostCode &&
        draft.launch.grid != *wish.grid)
      note_contradiction(draft, program, stated, "grid: " + to_string(*wish.grid),
                         "grid=" + to_string(draft.launch.grid));
    draft.launch.grid = *wish.grid;
    draft.grid_known = draft.grid_said = true;
  }
  if (wish.grid_open) {
    draft.grid_known = false;
    draft.unknown.push_back("grid: said to be not known");
  }
  if (wish.block) {
    if (wish.all && draft.launch.shape_provenance == Provenance::HostCode)
      note_other_block(draft, program, level, stated);
    draft.launch.block = *wish.block;
    draft.launch.block_facts = {};
    draft.block_known = draft.block_said = true;
  }
  if (wish.dynamic_shared_bytes) {
    draft.launch.dynamic_shared_bytes = *wish.dynamic_shared_bytes;
    draft.dynamic_known = draft.dynamic_said = true;
  }
  draft.by_user |=
      (wish.provenance == Provenance::Option || wish.all) && (wish.grid || wish.block || wish.dynamic_shared_bytes);
  if (wish.grid || wish.block) {
    draft.launch.reached = true; // somebody says so
    draft.launch.shape_provenance = wish.provenance;
    draft.launch.location = stated.at;
  }
  const std::vector<PassedScalar> scalars = passed_scalars(program);
  for (const auto &[name, value] : wish.scalars) {
    set_scalar(draft, program, name, value, wish, stated);
    if (std::ranges::none_of(scalars, [&](const PassedScalar &one) { return one.scalar.name == name; })) {
      std::erase_if(draft.stated_of_host, [&](const auto &before) { return before.first == name; });
      draft.stated_of_host.emplace_back(name, value);
    }
  }
  for (const auto &[name, facts] : wish.facts)
    set_facts(draft, program, name, facts, stated);
}

/// What one wish says of one parameter.
struct Said {
  const PlacedWish *placed;
  std::string name;
  ArgumentFacts facts;
};

SourceLocation location_of(const PlacedWish &placed) {
  return placed.location.known() ? placed.location : placed.wish->location;
}

/// Statements of one strength about one parameter that cannot both hold: the last one is taken, and said. Facts that are stated of one
/// glob are compared where the options are read, whether a kernel matches or not.
void note_second_statements(Draft &draft, const Program &program, const std::vector<PlacedWish> &wishes) {
  std::map<std::string, Said> before;
  const std::vector<PassedScalar> scalars = passed_scalars(program);
  for (const PlacedWish &placed : wishes)
    for (const auto &[name, facts] : said_of_parameters(*placed.wish)) {
      const Said said{&placed, name, facts};
      if (std::ranges::none_of(scalars, [&](const PassedScalar &one) { return one.scalar.name == said.name; }))
        continue;
      const auto [entry, first] = before.try_emplace(said.name, said);
      if (first)
        continue;
      Said &other = entry->second;
      const auto single = [](const Said &one) { return one.facts.least && one.facts.least == one.facts.most; };
      const bool compared_before =
          other.placed->wish->kernel == placed.wish->kernel && !(single(other) && single(said));
      if (!combine(other.facts, said.facts) && !compared_before) {
        SourceLocation at = location_of(*other.placed);
        at.file = seen_from_here(at.file);
        draft.contradictions.push_back({Diagnostic::Severity::Warning, location_of(placed),
                                        to_string(said.facts, said.name) + " of " + program.kernel + " contradicts " +
                                            to_string(other.facts, other.name) +
                                            (at.known() ? " at " + to_string(at) : ", stated before") + "; " +
                                            to_string(said.facts, said.name) + " is taken"});
      }
      other = said;
    }
}

/// By the name of its type, as far as that tells.
bool is_unsigned(std::string_view type) {
  constexpr std::string_view kConst = "const ", kStd = "std::";
  type.remove_prefix(type.starts_with(kConst) ? kConst.size() : 0);
  type.remove_prefix(type.starts_with(kStd) ? kStd.size() : 0);
  return type.starts_with("unsigned") || type.starts_with("uint") || type == "uchar" || type == "ushort" ||
         type == "ulong" || type == "size_t" || type == "bool";
}

/// Values that the type of a parameter does not have.
void note_impossible_values(Draft &draft, const Program &program, const std::vector<PlacedWish> &wishes) {
  const std::vector<PassedScalar> scalars = passed_scalars(program);
  for (const PlacedWish &placed : wishes)
    for (const auto &[name, facts] : said_of_parameters(*placed.wish)) {
      const auto passed =
          std::ranges::find_if(scalars, [&](const PassedScalar &one) { return one.scalar.name == name; });
      if (passed == scalars.end() || passed->scalar.pointer || is_floating_type(passed->scalar.type) ||
          !passed->scalar.enumerators.empty() || passed->scalar.size == 0)
        continue;
      const unsigned bits = static_cast<unsigned>(8 * passed->scalar.size);
      const bool no_sign = is_unsigned(passed->scalar.type);
      const std::int64_t most = bits >= 63 ? INT64_MAX : (std::int64_t{1} << bits) - 1;
      const std::int64_t least = no_sign ? 0 : bits >= 64 ? INT64_MIN : -(std::int64_t{1} << (bits - 1));
      const bool above = facts.least && *facts.least > most, below = facts.most && *facts.most < least;
      if (!above && !below)
        continue;
      const bool value = facts.least == facts.most;
      const std::string passes =
          value && bits < 64
              ? "; its low bits are passed, which are " +
                    std::to_string(static_cast<std::uint64_t>(*facts.least) & static_cast<std::uint64_t>(most))
              : "";
      draft.contradictions.push_back({Diagnostic::Severity::Warning, location_of(placed),
                                      to_string(facts, name) + " of " + program.kernel + ": '" + passed->scalar.type +
                                          "' has no such value" + passes});
    }
}

} // namespace

bool same_shape(const Draft &a, const Draft &b) {
  return a.launch.grid == b.launch.grid && a.launch.block == b.launch.block &&
         a.launch.dynamic_shared_bytes == b.launch.dynamic_shared_bytes;
}

bool same(const Draft &a, const Draft &b) {
  const auto arguments_match = [](const Launch &x, const Launch &y) {
    return std::equal(x.arguments.begin(), x.arguments.end(), y.arguments.begin(), y.arguments.end(),
                      [](const ArgumentValue &p, const ArgumentValue &q) {
                        return p.index == q.index && p.offset == q.offset && p.value == q.value &&
                               p.alignment == q.alignment && p.facts == q.facts;
                      });
  };
  return same_shape(a, b) && a.grid_known == b.grid_known && a.block_known == b.block_known &&
         a.launch.block_facts == b.launch.block_facts && arguments_match(a.launch, b.launch);
}

std::vector<Draft> apply_level(std::vector<Draft> drafts, const std::vector<PlacedWish> &wishes,
                               const Program &program) {
  std::vector<PlacedWish> launches, values;
  for (const PlacedWish &placed : wishes) {
    const LaunchWish &wish = *placed.wish;
    (wish.grid || wish.grid_open || wish.block || wish.dynamic_shared_bytes ? launches : values).push_back(placed);
  }
  if (!launches.empty()) {
    std::vector<Draft> product;
    for (const Draft &draft : drafts)
      for (const PlacedWish &placed : launches) {
        Draft wished = draft;
        std::vector<PlacedWish> together{placed};
        together.insert(together.end(), values.begin(), values.end());
        note_second_statements(wished, program, together);
        note_impossible_values(wished, program, together);
        apply(wished, placed, launches, program);
        const auto known = std::ranges::find_if(product, [&](const Draft &other) { return same(wished, other); });
        if (known == product.end())
          product.push_back(std::move(wished));
        else
          keep_common_origins(known->launch.arguments, wished.launch.arguments);
      }
    drafts = std::move(product);
  }
  for (Draft &draft : drafts) {
    if (launches.empty()) {
      note_second_statements(draft, program, values);
      note_impossible_values(draft, program, values);
    }
    for (const PlacedWish &placed : values)
      apply(draft, placed, values, program);
  }
  return drafts;
}

} // namespace smem
