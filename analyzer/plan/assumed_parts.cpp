#include "plan/assumed_parts.h"

#include <algorithm>

#include "plan/plausible_arguments.h"
#include "smem/shared_layout.h"

namespace smem {
namespace {

auto at_piece_of(const Uses::Piece &piece) {
  return [piece](const auto &argument) { return argument.index == piece.index && argument.offset == piece.offset; };
}

/// Where less than this is known of a pointer's alignment, the requests through it may differ.
constexpr std::uint64_t kSufficientAlignment = 128;

} // namespace

std::string reason_for(const Draft &draft, std::string_view subject, std::string_view otherwise) {
  for (const std::string &reason : draft.unknown)
    if (about(reason, subject))
      if (const std::size_t colon = reason.find(": "); colon != std::string::npos)
        return reason.substr(colon + 2);
  return std::string(otherwise);
}

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

} // namespace smem
