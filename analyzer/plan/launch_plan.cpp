#include "plan/launch_plan.h"

#include "plan/draft.h"
#include "plan/kernel_facts.h"
#include "plan/kernel_uses.h"
#include "plan/plausible_arguments.h"
#include "smem/pattern.h"
#include "smem/shared_layout.h"
#include "support/paths.h"
#include "support/scalar_text.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace smem {
namespace {

constexpr const char *kNotReached = "no values were found with which host code gets here";

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
    argument.pointer =
        piece.width == 64 && *value && (program.parameters[piece.index].pointer || *value >= kLeastPointer);
    const std::uint64_t sign = std::uint64_t{1} << (piece.width - 1);
    const bool negative = (*value & sign) && program.parameters[piece.index].type.find("unsigned") == std::string::npos;
    argument.value = static_cast<std::int64_t>(argument.pointer ? *value % argument.alignment
                                               : negative       ? (*value ^ sign) - sign
                                                                : *value);
    if (argument.pointer)
      argument.origin = {PointerOrigin::kRecorded, *value, std::nullopt};
    if (!arguments.empty() && arguments.back().index == piece.index && arguments.back().offset == piece.offset)
      arguments.back() = argument; // the wider of two readings
    else
      arguments.push_back(argument);
  }
  return arguments;
}

/// Recorded launches, with their arguments; where these were not recorded, with those of launches in host code that may be the same.
std::vector<Draft> recorded_drafts(std::span<const RecordedLaunch> recorded, const std::vector<Draft> &host,
                                   const Program &program, const Uses &uses) {
  std::vector<Draft> drafts;
  for (const RecordedLaunch &record : recorded) {
    const auto add = [&](Draft draft) {
      draft.launch.grid = record.grid;
      draft.launch.block = record.block;
      draft.launch.dynamic_shared_bytes = record.dynamic_shared_bytes;
      draft.grid_known = draft.block_known = draft.dynamic_known = true;
      draft.grid_said = draft.block_said = draft.dynamic_said = true;
      draft.searched = false;
      draft.launch.shape_provenance = Provenance::Recorded;
      draft.launch.location = record.location;
      if (!record.arguments.empty())
        draft.launch.arguments = recorded_arguments(record, program, uses);
      const auto before =
          std::find_if(drafts.rbegin(), drafts.rend(), [&](const Draft &other) { return same_shape(draft, other); });
      if (before == drafts.rend() || !same(draft, *before))
        drafts.push_back(std::move(draft));
      else
        keep_common_origins(before->launch.arguments, draft.launch.arguments);
    };
    const auto may_be = [&](const Draft &draft) {
      return (!draft.grid_known || draft.launch.grid == record.grid) &&
             (!draft.block_known || draft.launch.block == record.block) &&
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

auto at_piece_of(const Uses::Piece &piece) {
  return [piece](const auto &argument) { return argument.index == piece.index && argument.offset == piece.offset; };
}

/// Gives a value to every argument that the kernel's addresses or branches need, a structure's members one by one. What several scalars
/// are read from at once stays without one, and what depends on it is unknown. Sizes are `extent`.
void complete_arguments(Draft &draft, const Program &program, const Uses &uses, std::int64_t extent) {
  Launch &launch = draft.launch;
  for (const Uses::Piece &piece : uses.arguments) {
    const std::optional<PlausibleArgument> plausible = plausible_argument(program, piece.index, piece.offset);
    if (!plausible || piece.offset != plausible->offset || piece.width > 8 * plausible->size)
      continue;
    const auto at_piece = at_piece_of(piece);
    ArgumentFacts facts;
    SourceLocation facts_location;
    if (const auto known = std::find_if(launch.arguments.begin(), launch.arguments.end(), at_piece);
        known != launch.arguments.end()) {
      if (known->value || known->pointer)
        continue;
      facts = known->facts;
      facts_location = known->facts_location;
    }
    if (const auto lost = std::ranges::find_if(draft.lost, at_piece_of(piece)); lost != draft.lost.end()) {
      launch.not_known.push_back(lost->name + ": " + lost->reason);
      continue;
    }
    std::erase_if(launch.arguments, at_piece);
    ArgumentValue argument;
    argument.index = piece.index;
    argument.offset = piece.offset;
    argument.width_bits = static_cast<std::uint32_t>(8 * plausible->size);
    argument.pointer = plausible->pointer;
    argument.provenance = Provenance::Assumed;
    if (plausible->pointer) {
      if (launch.shape_provenance == Provenance::Recorded) {
        argument.alignment = 1;
        draft.open_pointers.push_back({piece.index, piece.offset, plausible->name, "a recording does not have it"});
      } else {
        argument.value = 0; // the start of an allocation, aligned as cudaMalloc aligns it
      }
    } else if (plausible->any_value) {
      argument.facts = facts;
      launch.not_known.push_back(plausible->name + ": a tensor may have any strides");
    } else {
      argument.facts = facts;
      argument.facts_location = facts_location;
      const bool is_extent = plausible->value == kPlausibleExtent && extent != kPlausibleExtent;
      argument.value = facts.nearest(is_extent ? extent : plausible->value);
      const std::string text = argument.value == plausible->value ? plausible->text : std::to_string(*argument.value);
      launch.assumptions.push_back(
          {plausible->name + "=" + text + ": " +
               reason_for(draft, "argument '" + plausible->name + "'", "not known from the source"),
           piece.index});
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
  draft.launch.dynamic_known = draft.dynamic_known || !needed;
  if (draft.launch.dynamic_known || draft.dynamic_follows)
    return;
  const std::uint64_t start = layout_shared(program.shared_arrays, architecture).dynamic_offset;
  const std::uint64_t most = architecture.capacity.shared_default;
  draft.launch.dynamic_shared_bytes = start < most ? most - start : 0;
  draft.launch.assumptions.push_back({"dynamic=" + std::to_string(draft.launch.dynamic_shared_bytes) + ": " +
                                      reason_for(draft, "dynamic", "not known from the source") +
                                      " (bytes of dynamic shared memory)"});
}

/// Where less than this is known of a pointer's alignment, the requests through it may differ.
constexpr std::uint64_t kSufficientAlignment = 128;

std::vector<Assumption> pointer_assumptions(const Draft &draft, const Program &program, const Uses &uses) {
  std::vector<Assumption> assumptions;
  for (const OpenArgument &open : draft.open_pointers) {
    const auto is_piece = [&](const auto &piece) { return piece.index == open.index && piece.offset == open.offset; };
    const auto argument = std::find_if(draft.launch.arguments.begin(), draft.launch.arguments.end(), is_piece);
    const bool vague = argument != draft.launch.arguments.end() && argument->pointer && !argument->value &&
                       argument->alignment < kSufficientAlignment;
    if (vague && std::any_of(uses.arguments.begin(), uses.arguments.end(), is_piece))
      assumptions.push_back(
          {open.name + " is a multiple of " + std::to_string(ArgumentValue().alignment) + " bytes: " + open.reason});
  }
  // Arrays of the module follow each other in its memory, each aligned as declared.
  std::string names;
  for (const GlobalObject &object : program.global_objects)
    if (!object.constant_space && object.alignment < kSufficientAlignment && object.size > object.alignment)
      names += (names.empty() ? "" : ", ") + object.name;
  if (!names.empty())
    assumptions.push_back({names + " start at multiples of " + std::to_string(ArgumentValue().alignment) +
                           " bytes: __device__ variables are only aligned as their types are"});
  return assumptions;
}

/// Is all that the kernel looks at said by something stronger than host code?
bool overrides_host(const Draft &draft, const Program &program, const Uses &uses) {
  const bool dynamic = std::any_of(program.shared_arrays.begin(), program.shared_arrays.end(),
                                   [](const SharedArray &array) { return array.dynamic; });
  const auto of_host = [&](const Uses::Piece &piece) { // pointers are not there to be said
    const bool pointer = piece.index < program.parameters.size() && program.parameters[piece.index].pointer;
    return !pointer && std::any_of(draft.launch.arguments.begin(), draft.launch.arguments.end(),
                                   [&](const ArgumentValue &argument) {
                                     return argument.index == piece.index && argument.offset == piece.offset &&
                                            argument.provenance == Provenance::HostCode;
                                   });
  };
  return draft.grid_said && draft.block_said && (draft.dynamic_said || !dynamic) &&
         std::none_of(uses.arguments.begin(), uses.arguments.end(), of_host);
}

/// Whether what is stated, or known, agrees with a launch that follows from chosen values.
bool agrees(const Draft &draft, const ConsistentLaunch &follows) {
  if ((draft.grid_known && follows.grid_known && draft.launch.grid != follows.launch.grid) ||
      (draft.block_known && follows.block_known && draft.launch.block != follows.launch.block) ||
      (draft.dynamic_known && follows.dynamic_known &&
       draft.launch.dynamic_shared_bytes != follows.launch.dynamic_shared_bytes))
    return false;
  if (!draft.block_known && follows.block_known && draft.block_stated &&
      !admits(*draft.block_stated, follows.launch.block))
    return false;
  return std::all_of(draft.launch.arguments.begin(), draft.launch.arguments.end(), [&](const ArgumentValue &argument) {
    if (argument.pointer)
      return true;
    return std::all_of(
        follows.launch.arguments.begin(), follows.launch.arguments.end(), [&](const ArgumentValue &other) {
          return other.index != argument.index || other.offset != argument.offset || other.pointer || !other.value ||
                 (argument.value ? *argument.value == *other.value : argument.facts.admits(*other.value));
        });
  });
}

/// "n = 1024, K = 256 (parameters of encode)" of chosen quantities, in their order.
std::string chosen_text(const std::vector<const ChosenQuantity *> &chosen) {
  constexpr std::string_view kParameter = "parameter of ";
  std::string text;
  for (std::size_t i = 0; i < chosen.size();) {
    std::size_t end = i;
    for (; end < chosen.size() && chosen[end]->origin == chosen[i]->origin; ++end)
      text += (text.empty() ? "" : ", ") + chosen[end]->name + " = " + std::to_string(chosen[end]->value);
    const std::string &origin = chosen[i]->origin;
    const bool several = end - i > 1 && origin.starts_with(kParameter);
    text += " (" + (several ? "parameters of " + origin.substr(kParameter.size()) : origin) + ")";
    i = end;
  }
  return text;
}

const std::string &type_at(const Parameter &parameter, std::uint64_t offset) {
  const auto member =
      std::ranges::find_if(parameter.members, [&](const ParameterMember &one) { return one.offset == offset; });
  return member == parameter.members.end() ? parameter.type : member->type;
}

/// Whether a floating-point argument is that number.
bool is_number(const ArgumentValue &argument, std::int64_t number) {
  switch (argument.width_bits) {
  case 32:
    return static_cast<std::uint32_t>(*argument.value) == std::bit_cast<std::uint32_t>(static_cast<float>(number));
  case 64:
    return static_cast<std::uint64_t>(*argument.value) == std::bit_cast<std::uint64_t>(static_cast<double>(number));
  default: return number == 1; // what is chosen for one
  }
}

/// Whether the value was stated: of the function's parameter, or of the kernel's that host code passes it as.
bool is_stated(const ChosenQuantity &quantity, const Draft &draft, const ConsistentLaunch &follows,
               const Program &program) {
  const auto namesakes = std::ranges::count_if(
      follows.launch.chosen, [&](const ChosenQuantity &other) { return other.name == quantity.name; });
  if (namesakes != 1)
    return false;
  if (quantity.origin.starts_with("parameter of ") &&
      std::ranges::find(draft.stated_of_host, std::pair(quantity.name, quantity.value)) != draft.stated_of_host.end())
    return true;
  for (const PassedScalar &passed : passed_scalars(program)) {
    const auto as_it_stands = [&](const LaunchExpression &one) {
      return one.part == passed.scalar.name && one.text == quantity.name;
    };
    if (std::ranges::any_of(follows.launch.expressions, as_it_stands) &&
        std::ranges::any_of(draft.launch.arguments, [&](const ArgumentValue &argument) {
          return argument.index == passed.index && argument.offset == passed.scalar.offset && !argument.pointer &&
                 argument.value == quantity.value && argument.provenance < Provenance::HostCode;
        }))
      return true;
  }
  return false;
}

/// Where all that was chosen is stated, host code says the rest: nothing of it is assumed. False: something is.
bool follow_stated(Draft &draft, const ConsistentLaunch &follows, const Program &program) {
  if (follows.launch.chosen.empty() || !follows.reached || !follows.lost.empty() ||
      std::ranges::any_of(follows.launch.chosen, [&](const ChosenQuantity &quantity) {
        return !is_stated(quantity, draft, follows, program);
      }))
    return false;
  Launch &launch = draft.launch;
  const auto take = [](bool &known, bool follows_known, auto &value, const auto &followed) {
    if (!known && follows_known) {
      value = followed;
      known = true;
    }
  };
  take(draft.grid_known, follows.grid_known, launch.grid, follows.launch.grid);
  take(draft.block_known, follows.block_known, launch.block, follows.launch.block);
  take(draft.dynamic_known, follows.dynamic_known, launch.dynamic_shared_bytes, follows.launch.dynamic_shared_bytes);
  for (ArgumentValue value : follows.launch.arguments) {
    if (value.pointer || !value.value)
      continue;
    const auto known = std::ranges::find_if(launch.arguments, [&](const ArgumentValue &one) {
      return one.index == value.index && one.offset == value.offset;
    });
    value.provenance = Provenance::HostCode;
    if (known == launch.arguments.end())
      launch.arguments.push_back(value);
    else if (!known->value && !known->pointer)
      *known = value;
  }
  launch.chosen = follows.launch.chosen; // by name, so that what was stated is known to have been of use
  return true;
}

/// Fills what is not known with what follows from chosen values.
void follow(Draft &draft, const ConsistentLaunch &follows, const Program &program, const Uses &uses) {
  if (follow_stated(draft, follows, program))
    return;
  Launch &launch = draft.launch;
  std::vector<std::string> parts; // that follow
  bool shape = false;
  const auto take = [&](bool known, bool follows_known, bool rests_on_chosen, std::string part) {
    if (known || !follows_known)
      return false;
    parts.push_back(std::move(part));
    shape |= rests_on_chosen;
    return true;
  };
  const bool dynamic = std::any_of(program.shared_arrays.begin(), program.shared_arrays.end(),
                                   [](const SharedArray &array) { return array.dynamic; });
  if (take(draft.grid_known, follows.grid_known, follows.grid_chosen, "grid=" + to_string(follows.launch.grid)))
    launch.grid = follows.launch.grid, draft.grid_follows = true;
  if (take(draft.block_known, follows.block_known, follows.block_chosen, "block=" + to_string(follows.launch.block)))
    launch.block = follows.launch.block, draft.block_follows = true;
  if (dynamic &&
      take(draft.dynamic_known, follows.dynamic_known, follows.dynamic_chosen,
           "dynamic=" + std::to_string(follows.launch.dynamic_shared_bytes) + " (bytes of dynamic shared memory)"))
    draft.dynamic_follows = true;
  if (!draft.dynamic_known && follows.dynamic_known)
    launch.dynamic_shared_bytes = follows.launch.dynamic_shared_bytes;
  std::vector<const ChosenQuantity *> of_shape;
  for (std::size_t q = 0; q < follows.launch.chosen.size(); ++q)
    if (shape && follows.decides_shape[q])
      of_shape.push_back(&follows.launch.chosen[q]);
  if (!parts.empty()) {
    std::string text;
    for (const std::string &part : parts)
      text += (text.empty() ? "" : ", ") + part;
    text += parts.size() > 1 ? " follow from the host code" : " follows from the host code";
    const std::string chosen = chosen_text(of_shape);
    launch.assumptions.push_back({chosen.empty() ? text : chosen + ": " + text});
  }
  for (std::size_t i = 0; i < follows.launch.arguments.size(); ++i) {
    const ArgumentValue &value = follows.launch.arguments[i];
    const auto is_piece = [&](const auto &piece) { return piece.index == value.index && piece.offset == value.offset; };
    if (value.pointer || !value.value || value.provenance != Provenance::Assumed ||
        value.index >= program.parameters.size() ||
        std::none_of(uses.arguments.begin(), uses.arguments.end(), is_piece))
      continue;
    auto known = std::find_if(launch.arguments.begin(), launch.arguments.end(), is_piece);
    if (known == launch.arguments.end())
      known = launch.arguments.insert(launch.arguments.end(), value);
    else if (known->value || known->pointer)
      continue;
    const ArgumentFacts facts = known->facts;
    const SourceLocation facts_location = known->facts_location;
    *known = value;
    known->facts = facts;
    known->facts_location = facts_location;
    // What the shape rests on has been named with it.
    std::vector<const ChosenQuantity *> chosen;
    bool named = false;
    for (const auto &[argument, quantity] : follows.argument_quantities)
      if (argument == i) {
        chosen.push_back(&follows.launch.chosen[quantity]);
        named |= shape && follows.decides_shape[quantity];
      }
    if (named)
      continue;
    const std::optional<PlausibleArgument> scalar = plausible_argument(program, value.index, value.offset);
    const std::string name = scalar ? scalar->name : "argument " + std::to_string(value.index);
    const bool as_it_stands = chosen.size() == 1 && (scalar && scalar->floating ? is_number(value, chosen[0]->value)
                                                                                : chosen[0]->value == *value.value);
    std::string text = chosen.empty() ? std::string() : chosen_text(chosen);
    if (!as_it_stands || text.empty())
      text = name + "=" +
             scalar_text(*value.value, type_at(program.parameters[value.index], value.offset), value.width_bits / 8) +
             (text.empty() ? ": follows from the host code" : " follows from " + text);
    launch.assumptions.push_back({std::move(text), value.index});
  }
  if (!follows.reached)
    launch.assumptions.push_back({kNotReached});
  draft.lost = follows.lost;
  launch.chosen = follows.launch.chosen;
  launch.expressions = follows.launch.expressions;
}

/// How many bools and enumerations have a value under which the kernel comes to fewer of its accesses than under another one.
std::size_t less_plausible(const ConsistentLaunch &launch, const Program &program) {
  return static_cast<std::size_t>(std::ranges::count_if(launch.launch.arguments, [&](const ArgumentValue &value) {
    if (value.pointer || !value.value || value.provenance != Provenance::Assumed)
      return false;
    const std::optional<PlausibleArgument> best = plausible_argument(program, value.index, value.offset);
    return best && best->discrete && best->value != *value.value;
  }));
}

/// Where the kernel says how many threads it is made for.
std::string bounds_text(const Program &program) {
  SourceLocation place = program.location;
  place.file = seen_from_here(place.file);
  return "__launch_bounds__(" + std::to_string(*program.max_threads) + ")" +
         (place.known() ? " at " + to_string(place) : "");
}

/// Limits that what is stated exceeds by itself.
std::string impossible(const Draft &draft, const Program &program, const Architecture &architecture) {
  const Launch &launch = draft.launch;
  const std::string on = " on " + std::string(architecture.name);
  if (draft.block_said) {
    const std::string block =
        "block=" + to_string(launch.block) + " has " + std::to_string(launch.block.count()) + " threads; ";
    if (launch.block.count() > architecture.max_threads_per_block)
      return block + "at most " + std::to_string(architecture.max_threads_per_block) + " are allowed" + on;
    if (program.max_threads && launch.block.count() > *program.max_threads)
      return block + "the kernel has " + bounds_text(program);
    if (launch.block.z > 64)
      return "block=" + to_string(launch.block) + ": block.z is at most 64";
  }
  if (draft.grid_said && (launch.grid.x > 0x7fffffffu || launch.grid.y > 65535 || launch.grid.z > 65535))
    return "grid=" + to_string(launch.grid) + " exceeds (2147483647,65535,65535)";
  if (draft.dynamic_said) {
    const std::uint64_t bytes =
        layout_shared(program.shared_arrays, architecture).dynamic_offset + launch.dynamic_shared_bytes;
    if (bytes > architecture.capacity.shared_per_block)
      return "dynamic=" + std::to_string(launch.dynamic_shared_bytes) + " makes " + std::to_string(bytes) +
             " bytes of shared memory a block; at most " + std::to_string(architecture.capacity.shared_per_block) +
             " are allowed" + on;
  }
  return {};
}

bool said(const BlockFacts &facts) { return !std::ranges::all_of(facts, &ArgumentFacts::empty); }

std::uint32_t most_threads(const Program &program, const Architecture &architecture) {
  return std::min(architecture.max_threads_per_block, program.max_threads.value_or(UINT32_MAX));
}

/// A block of which that is known, with a usual number of threads if it may have one.
std::optional<Dim3> nearest_block(const BlockFacts &facts, std::uint32_t most_threads) {
  constexpr std::int64_t kPlausibleThreads = 256;
  const auto axis = [&](std::size_t which, std::int64_t others) -> std::int64_t {
    ArgumentFacts possible;
    possible.least = 1;
    possible.most = most_threads / others;
    const std::optional<ArgumentFacts> both = *possible.most < 1 ? std::nullopt : combine(facts[which], possible);
    return both ? both->nearest(std::max<std::int64_t>(kPlausibleThreads / others, 1)).value_or(0) : 0;
  };
  const std::int64_t least_y = facts[1].nearest(1).value_or(0), z = facts[2].nearest(1).value_or(0);
  const std::int64_t x = least_y < 1 || z < 1 || least_y > most_threads || z > 64 ? 0 : axis(0, least_y * z);
  const std::int64_t y = x < 1 ? 0 : axis(1, x * z);
  if (y < 1)
    return std::nullopt;
  return Dim3{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)};
}

/// The blocks that are plausible, of those that are possible by what is known of them; empty: none is.
std::vector<Dim3> blocks_of(const Draft &draft, const Program &program, const Uses &uses,
                            const Architecture &architecture) {
  const BlockFacts &facts = draft.launch.block_facts;
  const std::vector<Dim3> plausible = plausible_blocks(program, uses);
  if (!said(facts))
    return plausible;
  std::vector<Dim3> blocks = plausible;
  std::erase_if(blocks, [&](const Dim3 &block) { return !admits(facts, block); });
  if (!blocks.empty())
    return blocks;
  if (const std::optional<Dim3> block = nearest_block(facts, most_threads(program, architecture)))
    return {*block};
  return draft.block_stated ? blocks : plausible;
}

PlannedLaunch complete(const Draft &draft, const Program &program, const Uses &uses, const Architecture &architecture,
                       std::uint64_t opted_in_bytes) {
  PlannedLaunch planned;
  planned.contradictions = draft.contradictions;
  if (draft.by_user)
    planned.impossible = impossible(draft, program, architecture);
  const std::vector<Dim3> blocks = blocks_of(draft, program, uses, architecture);
  if (blocks.empty() && !draft.block_known) {
    planned.impossible = "no block of at most " + std::to_string(most_threads(program, architecture)) +
                         " threads is one of '" + kernel_fact_text(draft.launch.block_facts) + "'" +
                         (program.max_threads ? "; the kernel has " + bounds_text(program) : std::string());
    planned.candidates.emplace_back();
    planned.candidates.back().location = draft.block_stated_at;
    return planned;
  }
  const std::uint8_t shapes =
      draft.launch.contradicted ? 0 : shapes_of(draft.launch.block_facts, most_threads(program, architecture));
  bool follows_host = false;
  const auto add = [&](Draft candidate, std::optional<Dim3> block, std::int64_t extent) {
    Launch &launch = candidate.launch;
    const std::size_t assumed = launch.assumptions.size();
    launch.mangled = program.mangled;
    launch.opted_in_bytes = opted_in_bytes;
    launch.grid_known = candidate.grid_known;
    launch.block_known = candidate.block_known;
    launch.block_shapes = shapes ? shapes : kAllShapes;
    const std::size_t of_host = overrides_host(draft, program, uses) ? 0 : draft.of_host.size();
    if (of_host != 0)
      launch.assumptions.insert(launch.assumptions.begin(), draft.of_host.begin(), draft.of_host.end());
    if (block) {
      launch.block = *block;
      const bool bounds = program.max_threads && block->count() == *program.max_threads;
      launch.shape_provenance = bounds ? Provenance::LaunchBounds : Provenance::Assumed;
      launch.assumptions.push_back({"block=" + to_string(*block) + ": " +
                                    reason_for(draft, "block",
                                               draft.block_stated ? "one of " + kernel_fact_text(*draft.block_stated)
                                               : bounds           ? "from __launch_bounds__"
                                                                  : "no launch found")});
    } else if (candidate.block_follows) {
      launch.shape_provenance = Provenance::Assumed;
    }
    if (!candidate.grid_known) {
      if (candidate.block_known && launch.shape_provenance == Provenance::HostCode)
        launch.shape_provenance = Provenance::Assumed;
      if (!candidate.grid_follows) {
        launch.grid = plausible_grid(launch.block, uses);
        launch.assumptions.push_back(
            {"grid=" + to_string(launch.grid) + ": " + reason_for(draft, "grid", "no launch found")});
      }
    }
    complete_dynamic(candidate, program, architecture);
    complete_arguments(candidate, program, uses, extent);
    if (draft.searched && !follows_host && launch.assumptions.size() > assumed + of_host)
      launch.assumptions.push_back({kNotReached});
    planned.pointer_assumptions = pointer_assumptions(candidate, program, uses); // the same for all
    planned.candidates.push_back(std::move(launch));
  };
  const auto add_with_blocks = [&](const Draft &candidate, std::int64_t extent) {
    if (candidate.block_known || candidate.block_follows)
      return add(candidate, std::nullopt, extent);
    for (const Dim3 &block : blocks)
      add(candidate, block, extent);
  };
  std::vector<const ConsistentLaunch *> agreeing;
  for (const ConsistentLaunch &follows : draft.consistent)
    if (agrees(draft, follows))
      agreeing.push_back(&follows);
  std::ranges::stable_sort(agreeing, {},
                           [&](const ConsistentLaunch *follows) { return less_plausible(*follows, program); });
  follows_host = true;
  for (const ConsistentLaunch *follows : agreeing) {
    Draft candidate = draft;
    follow(candidate, *follows, program, uses);
    add_with_blocks(candidate, kPlausibleExtent);
  }
  if (!planned.candidates.empty())
    return planned;
  follows_host = false;
  add_with_blocks(draft, kPlausibleExtent);
  if (const Launch &first = planned.candidates.front();
      std::any_of(first.arguments.begin(), first.arguments.end(),
                  [](const ArgumentValue &a) { return a.provenance == Provenance::Assumed && !a.pointer; }))
    for (const std::int64_t extent : {256, 128, 64, 32, 16, 8, 1})
      add(draft, draft.block_known ? std::nullopt : std::optional(blocks.front()), extent);
  return planned;
}

/// What the kernel's own code says of its arguments wherever it accesses memory: launches of which it does not hold access nothing. What is stated
/// otherwise stays, and both places are said.
void add_kernel_facts(std::vector<Draft> &drafts, std::span<const PlacedWish> wishes, const Program &program,
                      const Uses &uses) {
  const std::vector<ParameterFact> all = facts_of_all_sites(program);
  if (all.empty())
    return;
  for (const PassedScalar &passed : passed_scalars(program)) {
    if (passed.scalar.pointer)
      continue;
    const auto fact = std::ranges::find_if(all, [&](const ParameterFact &one) {
      return one.index == passed.index && one.offset == passed.scalar.offset && one.width == 8 * passed.scalar.size;
    });
    const bool needed = std::ranges::any_of(uses.arguments, [&](const Uses::Piece &piece) {
      return piece.index == passed.index && piece.offset == passed.scalar.offset;
    });
    if (fact == all.end() || !needed)
      continue;
    std::vector<Diagnostic> contradictions;
    const auto contradicts = [&](const PlacedWish &placed, const std::string &text) {
      SourceLocation place = fact->location;
      place.file = seen_from_here(place.file);
      contradictions.push_back(
          {Diagnostic::Severity::Warning,
           placed.wish->location.known() ? placed.wish->location
           : placed.location.known()     ? placed.location
                                         : fact->location,
           text + " of " + program.kernel + " contradicts " + to_string(fact->facts, passed.scalar.name) +
               (place.known() ? " of the kernel's code at " + to_string(place) : " of the kernel's code") +
               "; what is stated is taken"});
    };
    for (const PlacedWish &placed : wishes) {
      for (const auto &[name, facts] : said_of_parameters(*placed.wish))
        if (name == passed.scalar.name && !combine(facts, fact->facts))
          contradicts(placed, to_string(facts, name));
    }
    for (Draft &draft : drafts) {
      ArgumentValue &argument = argument_of(draft.launch, passed);
      if (&draft == &drafts.front())
        draft.contradictions.insert(draft.contradictions.end(), contradictions.begin(), contradictions.end());
      if (argument.value || argument.pointer)
        continue;
      const std::optional<ArgumentFacts> both = combine(argument.facts, fact->facts);
      if (!both || *both == argument.facts)
        continue;
      argument.facts = *both;
      argument.facts_location = fact->location;
    }
  }
}

} // namespace

std::vector<PlannedLaunch> plan_launches(const Program &program, const LaunchSources &sources,
                                         const Architecture &architecture) {
  // A launch that the default run does not reach is worth analysing if it is known or if there is no other.
  const bool any_reached = std::any_of(sources.host.begin(), sources.host.end(), [&](const HostLaunch &host) {
    return host.launch.mangled == program.mangled && host.reached;
  });
  std::vector<Draft> drafts;
  for (const HostLaunch &host : sources.host)
    if (host.launch.mangled == program.mangled && (host.reached || host.shape_known || !any_reached)) {
      Draft draft = draft_of(host);
      const auto known = std::ranges::find_if(drafts, [&](const Draft &other) { return same(draft, other); });
      if (known == drafts.end())
        drafts.push_back(std::move(draft));
      else {
        known->launch.reached |= draft.launch.reached;
        keep_common_origins(known->launch.arguments, draft.launch.arguments);
      }
    }
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
  add_kernel_facts(drafts, sources.wishes, program, uses);

  std::vector<PlannedLaunch> planned;
  for (const Draft &draft : drafts)
    planned.push_back(complete(draft, program, uses, architecture, sources.opted_in_bytes));
  return planned;
}

} // namespace smem
