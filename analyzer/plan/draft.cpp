#include "plan/draft.h"

#include <algorithm>

#include "plan/kernel_facts.h"
#include "plan/plausible_arguments.h"
#include "support/paths.h"

namespace smem {

bool about(const std::string &reason, std::string_view subject) {
  return std::string_view(reason).starts_with(subject);
}

Draft draft_of(const HostLaunch &host) {
  Draft draft;
  draft.launch = host.launch;
  draft.of_host = std::move(draft.launch.assumptions);
  draft.launch.assumptions.clear();
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

void set_scalar(Launch &launch, const Program &program, const std::string &name, std::int64_t value,
                Provenance provenance) {
  for (const PassedScalar &passed : passed_scalars(program)) {
    if (passed.scalar.name != name)
      continue;
    ArgumentValue &argument = argument_of(launch, passed);
    argument.pointer = passed.scalar.pointer;
    argument.value = value;
    argument.provenance = provenance;
    if (!argument.facts.admits(value))
      argument.facts = {}; // those of a weaker statement
  }
}

/// Both sides of a contradiction, where both have a place.
void note_contradiction(Draft &draft, const Program &program, const SourceLocation &stated, SourceLocation launch,
                        const std::string &fact, const std::string &value) {
  if (!stated.known() || !launch.known())
    return;
  launch.file = seen_from_here(launch.file);
  draft.contradictions.push_back({Diagnostic::Severity::Warning, stated,
                                  fact + " of " + program.kernel + " contradicts " + value + " of the launch at " +
                                      to_string(launch) + "; what stands here is taken"});
}

/// Facts about a scalar. A value that a weaker statement gave it stays if it satisfies them.
void set_facts(Draft &draft, const Program &program, const std::string &name, const ArgumentFacts &facts,
               const SourceLocation &stated, const SourceLocation &launch) {
  for (const PassedScalar &passed : passed_scalars(program)) {
    if (passed.scalar.name != name || passed.scalar.pointer)
      continue;
    ArgumentValue &argument = argument_of(draft.launch, passed);
    argument.facts = combine(argument.facts, facts).value_or(facts);
    if (!argument.value || (!facts.empty() && facts.admits(*argument.value)))
      continue;
    draft.unknown.push_back("argument '" + name + "': " +
                            (facts.empty() ? "said to be not known"
                                           : std::to_string(*argument.value) + " (" +
                                                 std::string(to_string(argument.provenance)) + ") contradicts " +
                                                 to_string(facts, name)));
    if (!facts.empty() && argument.provenance == Provenance::HostCode)
      note_contradiction(draft, program, stated, launch, to_string(facts, name),
                         name + "=" + std::to_string(*argument.value));
    argument.value.reset();
  }
}

/// What is known of the threads of a block. A shape that a weaker statement gave it stays if it has so many.
void set_threads(Draft &draft, const Program &program, const ArgumentFacts &threads, const SourceLocation &stated) {
  draft.threads = draft.threads ? combine(*draft.threads, threads).value_or(threads) : threads;
  draft.threads_stated = stated;
  if (!draft.block_known || threads.admits(static_cast<std::int64_t>(draft.launch.block.count())))
    return;
  const std::string block = "block=" + to_string(draft.launch.block);
  note_contradiction(draft, program, stated, draft.launch.location, "block: " + kernel_fact_text(threads), block);
  draft.unknown.push_back("block: " + block + " contradicts " + kernel_fact_text(threads));
  draft.block_known = draft.block_said = false;
}

void apply(Draft &draft, const PlacedWish &placed, const Program &program) {
  const LaunchWish &wish = *placed.wish;
  const SourceLocation &stated = placed.location.known() ? placed.location : wish.location;
  const SourceLocation launch = draft.launch.location; // before a statement of a shape takes its place
  if (wish.threads)
    set_threads(draft, program, *wish.threads, stated);
  if (wish.grid) {
    draft.launch.grid = *wish.grid;
    draft.grid_known = draft.grid_said = true;
  }
  if (wish.grid_open) {
    draft.grid_known = false;
    draft.unknown.push_back("grid: said to be not known");
  }
  if (wish.block) {
    draft.launch.block = *wish.block;
    draft.block_known = draft.block_said = true;
  }
  if (wish.dynamic_shared_bytes) {
    draft.launch.dynamic_shared_bytes = *wish.dynamic_shared_bytes;
    draft.dynamic_known = draft.dynamic_said = true;
  }
  draft.by_option |= wish.provenance == Provenance::Option && (wish.grid || wish.block || wish.dynamic_shared_bytes);
  if (wish.grid || wish.block) {
    draft.launch.shape_provenance = wish.provenance;
    draft.launch.location = stated;
  }
  for (const auto &[name, value] : wish.scalars)
    set_scalar(draft.launch, program, name, value, wish.provenance);
  for (const auto &[name, facts] : wish.facts)
    set_facts(draft, program, name, facts, stated, launch);
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
         arguments_match(a.launch, b.launch);
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
        apply(wished, placed, program);
        if (std::none_of(product.begin(), product.end(), [&](const Draft &other) { return same(wished, other); }))
          product.push_back(std::move(wished));
      }
    drafts = std::move(product);
  }
  for (Draft &draft : drafts)
    for (const PlacedWish &placed : values)
      apply(draft, placed, program);
  return drafts;
}

} // namespace smem
