#include "plan/follow_host.h"

#include <algorithm>
#include <bit>

#include "plan/plausible_arguments.h"
#include "support/scalar_text.h"

namespace smem {
namespace {

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

const std::string &type_at(const Parameter &parameter, std::uint64_t offset) {
  const auto member =
      std::ranges::find_if(parameter.members, [&](const ParameterMember &one) { return one.offset == offset; });
  return member == parameter.members.end() ? parameter.type : member->type;
}

} // namespace

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
    const std::optional<PlausibleArgument> scalar = plausible_argument(program, value.index, value.offset);
    if (scalar && scalar->shifts && static_cast<std::uint64_t>(*value.value) >= value.width_bits)
      continue; // host code had no reason to choose fewer
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

std::size_t less_plausible(const ConsistentLaunch &launch, const Program &program) {
  return static_cast<std::size_t>(std::ranges::count_if(launch.launch.arguments, [&](const ArgumentValue &value) {
    if (value.pointer || !value.value || value.provenance != Provenance::Assumed)
      return false;
    const std::optional<PlausibleArgument> best = plausible_argument(program, value.index, value.offset);
    return best && best->discrete && best->value != *value.value;
  }));
}

} // namespace smem
