#include "plan/launch_plan.h"

#include "smem/shared_layout.h"

#include <algorithm>
#include <map>
#include <set>

namespace smem {
namespace {

/// What a kernel reads of its position and its arguments.
struct Uses {
  bool thread_y = false, thread_z = false, block_y = false, block_z = false;
  struct Piece {
    std::uint32_t index;
    std::uint64_t offset;
    std::uint32_t width;
    auto operator<=>(const Piece &) const = default;
  };
  std::set<Piece> arguments;
};

Uses uses_of(const Program &program) {
  Uses uses;
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions) {
      if (instruction.opcode == Opcode::Argument)
        uses.arguments.insert({instruction.index, static_cast<std::uint64_t>(instruction.immediate), instruction.width});
      if (instruction.opcode != Opcode::Special)
        continue;
      switch (static_cast<SpecialRegister>(instruction.immediate)) {
      case SpecialRegister::ThreadY:
      case SpecialRegister::BlockDimY: uses.thread_y = true; break;
      case SpecialRegister::ThreadZ:
      case SpecialRegister::BlockDimZ: uses.thread_z = true; break;
      case SpecialRegister::BlockY:
      case SpecialRegister::GridDimY: uses.block_y = true; break;
      case SpecialRegister::BlockZ:
      case SpecialRegister::GridDimZ: uses.block_z = true; break;
      default: break;
      }
    }
  return uses;
}

/// The edge of the square tiles that a kernel keeps in shared memory, padded or not; 0 if it has none.
std::uint32_t tile_edge(const Program &program) {
  for (const SharedArray &array : program.shared_arrays)
    for (const std::uint32_t edge : {32u, 16u, 8u})
      for (const std::uint32_t element : {4u, 2u, 8u})
        for (const std::uint32_t padding : {0u, 1u})
          if (array.size == std::uint64_t{element} * edge * (edge + padding) &&
              std::count(array.declaration.begin(), array.declaration.end(), '[') == 2)
            return edge;
  return 0;
}

std::vector<Dim3> plausible_blocks(const Program &program, const Uses &uses) {
  std::vector<Dim3> blocks;
  const std::uint32_t most = program.max_threads.value_or(1024);
  const auto add = [&](Dim3 block) {
    if (block.count() <= most && std::find(blocks.begin(), blocks.end(), block) == blocks.end())
      blocks.push_back(block);
  };
  if (uses.thread_z)
    add({8, 8, 4});
  else if (uses.thread_y) {
    if (const std::uint32_t edge = tile_edge(program))
      add({edge, edge, 1});
    if (program.max_threads && *program.max_threads % 32 == 0)
      add({32, *program.max_threads / 32, 1});
    add({32, 8, 1});
    add({16, 16, 1});
    add({32, 32, 1});
    add({8, 8, 1});
  } else {
    if (program.max_threads)
      add({*program.max_threads, 1, 1});
    for (const std::uint32_t threads : {256u, 128u, 512u, 64u, 32u})
      add({threads, 1, 1});
  }
  if (blocks.empty())
    blocks.push_back({std::min(most, 32u), 1, 1});
  return blocks;
}

constexpr std::int64_t kPlausibleExtent = 1024; ///< of matrices and the like

Dim3 plausible_grid(const Dim3 &block, const Uses &uses) {
  if (!uses.block_y && !uses.block_z)
    return {64, 1, 1};
  const auto across = [](std::uint32_t threads) { return std::max<std::uint32_t>(1, kPlausibleExtent / threads); };
  return {across(block.x), across(block.y), uses.block_z ? 4u : 1u};
}

/// A launch on its way: what is known so far, and what is not.
struct Draft {
  Launch launch;
  bool grid_known = false, block_known = false, dynamic_known = false;
  std::vector<std::string> unknown; ///< the host code's reasons
  std::vector<OpenPointer> open_pointers;
  std::vector<Assumption> of_host;  ///< what the host code's part of it rests on
  bool grid_said = false, block_said = false, dynamic_said = false; ///< by something stronger than host code
};

bool about(const std::string &reason, std::string_view subject) { return std::string_view(reason).starts_with(subject); }

Draft draft_of(const HostLaunch &host) {
  Draft draft;
  draft.launch = host.launch;
  draft.of_host = std::move(draft.launch.assumptions);
  draft.launch.assumptions.clear();
  draft.unknown = host.unknown;
  draft.open_pointers = host.open_pointers;
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
  return draft;
}

/// What the launch says of a parameter as a whole; made where it says nothing.
ArgumentValue &whole_argument(Launch &launch, std::uint32_t index, const Parameter &parameter) {
  const auto known = std::find_if(launch.arguments.begin(), launch.arguments.end(),
                                  [&](const ArgumentValue &a) { return a.index == index && a.offset == 0; });
  ArgumentValue &argument = known != launch.arguments.end() ? *known : launch.arguments.emplace_back();
  argument.index = index;
  argument.width_bits = static_cast<std::uint32_t>(8 * parameter.size);
  return argument;
}

void set_scalar(Launch &launch, const Program &program, const std::string &name, std::int64_t value, Provenance provenance) {
  for (std::uint32_t index = 0; index < program.parameters.size(); ++index) {
    const Parameter &parameter = program.parameters[index];
    if (parameter.name != name)
      continue;
    ArgumentValue &argument = whole_argument(launch, index, parameter);
    argument.pointer = parameter.pointer;
    argument.value = value;
    argument.provenance = provenance;
    if (!argument.facts.admits(value))
      argument.facts = {}; // those of a weaker statement
  }
}

/// Facts about a parameter. A value that a weaker statement gave it stays if it satisfies them.
void set_facts(Draft &draft, const Program &program, const std::string &name, const ArgumentFacts &facts) {
  for (std::uint32_t index = 0; index < program.parameters.size(); ++index) {
    const Parameter &parameter = program.parameters[index];
    if (parameter.name != name || parameter.pointer)
      continue;
    ArgumentValue &argument = whole_argument(draft.launch, index, parameter);
    argument.facts = combine(argument.facts, facts).value_or(facts);
    if (!argument.value || (!facts.empty() && facts.admits(*argument.value)))
      continue;
    draft.unknown.push_back("argument '" + name + "': " +
                            (facts.empty() ? "said to be not known"
                                           : std::to_string(*argument.value) + " (" + std::string(to_string(argument.provenance)) + ") contradicts " + to_string(facts, name)));
    argument.value.reset();
  }
}

void apply(Draft &draft, const PlacedWish &placed, const Program &program) {
  const LaunchWish &wish = *placed.wish;
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
  if (wish.grid || wish.block) {
    draft.launch.shape_provenance = wish.provenance;
    draft.launch.location = placed.location;
  }
  for (const auto &[name, value] : wish.scalars)
    set_scalar(draft.launch, program, name, value, wish.provenance);
  for (const auto &[name, facts] : wish.facts)
    set_facts(draft, program, name, facts);
}

bool same_shape(const Draft &a, const Draft &b) {
  return a.launch.grid == b.launch.grid && a.launch.block == b.launch.block &&
         a.launch.dynamic_shared_bytes == b.launch.dynamic_shared_bytes;
}

bool same(const Draft &a, const Draft &b) {
  const auto arguments_match = [](const Launch &x, const Launch &y) {
    return std::equal(x.arguments.begin(), x.arguments.end(), y.arguments.begin(), y.arguments.end(),
                      [](const ArgumentValue &p, const ArgumentValue &q) {
                        return p.index == q.index && p.offset == q.offset && p.value == q.value && p.alignment == q.alignment &&
                               p.facts == q.facts;
                      });
  };
  return same_shape(a, b) && a.grid_known == b.grid_known && a.block_known == b.block_known && arguments_match(a.launch, b.launch);
}

/// Wishes of one strength: those about one launch multiply (two --launch are two launches), bare values hold for all.
std::vector<Draft> apply_level(std::vector<Draft> drafts, const std::vector<PlacedWish> &wishes, const Program &program) {
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

/// Above this a 64-bit value is taken for a pointer. What is said of one holds for any number: its remainder.
constexpr std::uint64_t kLeastPointer = std::uint64_t{1} << 40;

/// The pieces of the arguments that the kernel reads, as they were recorded.
std::vector<ArgumentValue> recorded_arguments(const RecordedLaunch &record, const Program &program, const Uses &uses) {
  std::vector<ArgumentValue> arguments;
  for (const Uses::Piece &piece : uses.arguments) {
    const auto value = record.argument(piece.index, piece.offset, piece.width);
    if (!value || piece.index >= program.parameters.size())
      continue;
    ArgumentValue argument;
    argument.index = piece.index;
    argument.offset = piece.offset;
    argument.width_bits = piece.width;
    argument.provenance = Provenance::Recorded;
    // A null pointer is a number, so that a kernel's question for it is answered.
    argument.pointer = piece.width == 64 && *value && (program.parameters[piece.index].pointer || *value >= kLeastPointer);
    const std::uint64_t sign = std::uint64_t{1} << (piece.width - 1);
    const bool negative = (*value & sign) && program.parameters[piece.index].type.find("unsigned") == std::string::npos;
    argument.value = static_cast<std::int64_t>(argument.pointer ? *value % argument.alignment : negative ? (*value ^ sign) - sign : *value);
    if (!arguments.empty() && arguments.back().index == piece.index && arguments.back().offset == piece.offset)
      arguments.back() = argument; // the wider of two readings
    else
      arguments.push_back(argument);
  }
  return arguments;
}

/// Recorded launches, with their arguments; where these were not recorded, with those of launches in host code that may be the same.
std::vector<Draft> recorded_drafts(std::span<const RecordedLaunch> recorded, const std::vector<Draft> &host, const Program &program,
                                   const Uses &uses) {
  std::vector<Draft> drafts;
  for (const RecordedLaunch &record : recorded) {
    const auto add = [&](Draft draft) {
      draft.launch.grid = record.grid;
      draft.launch.block = record.block;
      draft.launch.dynamic_shared_bytes = record.dynamic_shared_bytes;
      draft.grid_known = draft.block_known = draft.dynamic_known = true;
      draft.grid_said = draft.block_said = draft.dynamic_said = true;
      draft.launch.shape_provenance = Provenance::Recorded;
      draft.launch.location = record.location;
      if (!record.arguments.empty())
        draft.launch.arguments = recorded_arguments(record, program, uses);
      const auto before = std::find_if(drafts.rbegin(), drafts.rend(), [&](const Draft &other) { return same_shape(draft, other); });
      if (before == drafts.rend() || !same(draft, *before))
        drafts.push_back(std::move(draft));
    };
    const auto may_be = [&](const Draft &draft) {
      return (!draft.grid_known || draft.launch.grid == record.grid) && (!draft.block_known || draft.launch.block == record.block) &&
             (!draft.dynamic_known || draft.launch.dynamic_shared_bytes == record.dynamic_shared_bytes);
    };
    if (!record.arguments.empty() || std::none_of(host.begin(), host.end(), may_be))
      add({});
    else
      for (const Draft &draft : host)
        if (may_be(draft))
          add(draft);
  }
  return drafts;
}

std::string reason_for(const Draft &draft, std::string_view subject, std::string_view otherwise) {
  for (const std::string &reason : draft.unknown)
    if (about(reason, subject))
      if (const std::size_t colon = reason.find(": "); colon != std::string::npos)
        return reason.substr(colon + 2);
  return std::string(otherwise);
}

bool is_floating(const std::string &type) {
  return type.find("float") != std::string::npos || type.find("double") != std::string::npos ||
         type.find("half") != std::string::npos || type.find("bfloat16") != std::string::npos;
}

/// Gives a value to every argument that the kernel's addresses or branches need. What cannot be assumed sensibly (fields of
/// structures, floating point) stays without one, and what depends on it is unknown.
void complete_arguments(Draft &draft, const Program &program, const Uses &uses) {
  Launch &launch = draft.launch;
  std::map<std::uint32_t, std::vector<const Uses::Piece *>> pieces;
  for (const Uses::Piece &piece : uses.arguments)
    pieces[piece.index].push_back(&piece);
  for (const auto &[index, used] : pieces) {
    if (index >= program.parameters.size())
      continue;
    const Parameter &parameter = program.parameters[index];
    const bool whole = used.size() == 1 && used[0]->offset == 0 && used[0]->width == 8 * parameter.size;
    auto known = std::find_if(launch.arguments.begin(), launch.arguments.end(),
                              [&, i = index](const ArgumentValue &a) { return a.index == i && (a.value || a.pointer || !whole); });
    if (known != launch.arguments.end())
      continue;
    if (!whole || (!parameter.pointer && is_floating(parameter.type)))
      continue;
    ArgumentFacts facts;
    for (const ArgumentValue &argument : launch.arguments)
      if (argument.index == index && argument.offset == 0)
        facts = argument.facts;
    launch.arguments.erase(std::remove_if(launch.arguments.begin(), launch.arguments.end(),
                                          [i = index](const ArgumentValue &a) { return a.index == i; }),
                           launch.arguments.end());
    ArgumentValue argument;
    argument.index = index;
    argument.width_bits = used[0]->width;
    argument.pointer = parameter.pointer;
    argument.provenance = Provenance::Assumed;
    if (parameter.pointer) {
      if (launch.shape_provenance == Provenance::Recorded) {
        argument.alignment = 1;
        draft.open_pointers.push_back({index, 0, parameter.name, "a recording does not have it"});
      } else {
        argument.value = 0; // the start of an allocation, aligned as cudaMalloc aligns it
      }
    } else {
      argument.facts = facts;
      argument.value = facts.nearest(argument.width_bits >= 16 ? kPlausibleExtent : 1);
      const std::string name = parameter.name.empty() ? "argument " + std::to_string(index) : parameter.name;
      launch.assumptions.push_back({name + "=" + std::to_string(*argument.value) + ": " +
                                        reason_for(draft, "argument '" + name + "'", "not known from the source"),
                                    index});
    }
    launch.arguments.push_back(argument);
  }
  std::sort(launch.arguments.begin(), launch.arguments.end(), [](const ArgumentValue &a, const ArgumentValue &b) {
    return std::pair{a.index, a.offset} < std::pair{b.index, b.offset};
  });
}

void complete_dynamic(Draft &draft, const Program &program, const Architecture &architecture) {
  const bool needed = std::any_of(program.shared_arrays.begin(), program.shared_arrays.end(),
                                  [](const SharedArray &array) { return array.dynamic; });
  if (draft.dynamic_known || !needed)
    return;
  const std::uint64_t start = layout_shared(program.shared_arrays, architecture).dynamic_offset;
  const std::uint64_t most = architecture.capacity.shared_default;
  draft.launch.dynamic_shared_bytes = start < most ? most - start : 0;
  draft.launch.assumptions.push_back({"dynamic=" + std::to_string(draft.launch.dynamic_shared_bytes) + ": " +
                                      reason_for(draft, "dynamic", "not known from the source")});
}

/// Where less than this is known of a pointer's alignment, the requests through it may differ.
constexpr std::uint64_t kSufficientAlignment = 128;

std::vector<Assumption> pointer_assumptions(const Draft &draft, const Uses &uses) {
  std::vector<Assumption> assumptions;
  for (const OpenPointer &open : draft.open_pointers) {
    const auto is_piece = [&](const auto &piece) { return piece.index == open.index && piece.offset == open.offset; };
    const auto argument = std::find_if(draft.launch.arguments.begin(), draft.launch.arguments.end(), is_piece);
    const bool vague = argument != draft.launch.arguments.end() && argument->pointer && !argument->value &&
                       argument->alignment < kSufficientAlignment;
    if (vague && std::any_of(uses.arguments.begin(), uses.arguments.end(), is_piece))
      assumptions.push_back({open.name + " is a multiple of " + std::to_string(ArgumentValue().alignment) + " bytes: " + open.reason});
  }
  return assumptions;
}

/// Is all that the kernel looks at said by something stronger than host code?
bool overrides_host(const Draft &draft, const Program &program, const Uses &uses) {
  const bool dynamic = std::any_of(program.shared_arrays.begin(), program.shared_arrays.end(), [](const SharedArray &array) { return array.dynamic; });
  const auto of_host = [&](const Uses::Piece &piece) { // pointers are not there to be said
    const bool pointer = piece.index < program.parameters.size() && program.parameters[piece.index].pointer;
    return !pointer && std::any_of(draft.launch.arguments.begin(), draft.launch.arguments.end(), [&](const ArgumentValue &argument) {
      return argument.index == piece.index && argument.offset == piece.offset && argument.provenance == Provenance::HostCode;
    });
  };
  return draft.grid_said && draft.block_said && (draft.dynamic_said || !dynamic) && std::none_of(uses.arguments.begin(), uses.arguments.end(), of_host);
}

PlannedLaunch complete(const Draft &draft, const Program &program, const Uses &uses, const Architecture &architecture) {
  PlannedLaunch planned;
  const std::vector<Dim3> blocks = draft.block_known ? std::vector<Dim3>{draft.launch.block} : plausible_blocks(program, uses);
  for (const Dim3 &block : blocks) {
    Draft candidate = draft;
    Launch &launch = candidate.launch;
    launch.mangled = program.mangled;
    launch.grid_known = draft.grid_known;
    if (!overrides_host(draft, program, uses))
      launch.assumptions.insert(launch.assumptions.begin(), draft.of_host.begin(), draft.of_host.end());
    if (!draft.block_known) {
      launch.block = block;
      const bool bounds = program.max_threads && block.count() == *program.max_threads;
      launch.shape_provenance = bounds ? Provenance::LaunchBounds : Provenance::Assumed;
      launch.assumptions.push_back({"block=" + to_string(block) + ": " +
                                    reason_for(draft, "block", bounds ? "from __launch_bounds__" : "no launch found")});
    }
    if (!draft.grid_known) {
      launch.grid = plausible_grid(block, uses);
      if (draft.block_known && launch.shape_provenance == Provenance::HostCode)
        launch.shape_provenance = Provenance::Assumed;
      launch.assumptions.push_back({"grid=" + to_string(launch.grid) + ": " + reason_for(draft, "grid", "no launch found")});
    }
    complete_dynamic(candidate, program, architecture);
    complete_arguments(candidate, program, uses);
    planned.pointer_assumptions = pointer_assumptions(candidate, uses); // the same for all
    planned.candidates.push_back(std::move(launch));
  }
  return planned;
}

} // namespace

std::vector<PlannedLaunch> plan_launches(const Program &program, const LaunchSources &sources, const Architecture &architecture) {
  // A launch that the default run does not reach is worth analysing if it is known or if there is no other.
  const bool any_reached = std::any_of(sources.host.begin(), sources.host.end(), [&](const HostLaunch &host) {
    return host.launch.mangled == program.mangled && host.reached;
  });
  std::vector<Draft> drafts;
  for (const HostLaunch &host : sources.host)
    if (host.launch.mangled == program.mangled && (host.reached || host.shape_known || !any_reached))
      if (Draft draft = draft_of(host);
          std::none_of(drafts.begin(), drafts.end(), [&](const Draft &other) { return same(draft, other); }))
        drafts.push_back(std::move(draft));
  const Uses uses = uses_of(program);
  if (!sources.recorded.empty())
    drafts = recorded_drafts(sources.recorded, drafts, program, uses);
  if (drafts.empty()) {
    Draft draft;
    draft.launch.shape_provenance = Provenance::Assumed;
    drafts.push_back(std::move(draft));
  }

  // From the weakest to the strongest, so that the last word is the strongest one's.
  std::map<Provenance, std::vector<PlacedWish>, std::greater<>> levels;
  for (const PlacedWish &placed : sources.wishes)
    levels[placed.wish->provenance].push_back(placed);
  for (const auto &[provenance, level] : levels)
    drafts = apply_level(std::move(drafts), level, program);

  std::vector<PlannedLaunch> planned;
  for (const Draft &draft : drafts)
    planned.push_back(complete(draft, program, uses, architecture));
  return planned;
}

} // namespace smem
