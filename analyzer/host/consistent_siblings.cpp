// Launches of which a function has more than can be looked for one by one: a kernel's instantiations, each behind as many flags as it has.
#include "host/consistent.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>

#include "host/stated_launches.h"

namespace smem {
namespace {

/// Instantiations of one template that differ in flags alone.
bool differ_in_flags(const clang::FunctionDecl &a, const clang::FunctionDecl &b, const clang::ASTContext &context) {
  const clang::TemplateArgumentList *of_a = a.getTemplateSpecializationArgs(),
                                    *of_b = b.getTemplateSpecializationArgs();
  if (!of_a || !of_b || of_a->size() != of_b->size() || !a.getTemplateInstantiationPattern() ||
      a.getTemplateInstantiationPattern() != b.getTemplateInstantiationPattern() ||
      !context.hasSameType(a.getType(), b.getType()))
    return false;
  for (unsigned i = 0; i < of_a->size(); ++i) {
    const clang::TemplateArgument &one = of_a->get(i), &other = of_b->get(i);
    const bool flags = one.getKind() == clang::TemplateArgument::Integral &&
                       other.getKind() == clang::TemplateArgument::Integral && one.getIntegralType()->isBooleanType();
    if (!flags && !one.structurallyEquals(other))
      return false;
  }
  return true;
}

/// The launch without what has only led to it; nullopt if a flag that has decided anything is left.
std::optional<ConsistentLaunch> without_the_way(ConsistentLaunch launch) {
  std::vector<bool> kept = launch.decides_shape;
  for (const auto &[argument, quantity] : launch.argument_quantities)
    kept[quantity] = true;
  std::vector<std::uint32_t> position(kept.size());
  std::size_t count = 0;
  for (std::size_t q = 0; q < kept.size(); ++q) {
    if (!kept[q])
      continue;
    if (!launch.is_size[q] && launch.decisive[q])
      return std::nullopt;
    position[q] = static_cast<std::uint32_t>(count);
    launch.launch.chosen[count] = launch.launch.chosen[q];
    launch.decides_shape[count] = launch.decides_shape[q];
    launch.is_size[count] = launch.is_size[q];
    launch.decisive[count] = launch.decisive[q];
    launch.keys[count] = launch.keys[q];
    ++count;
  }
  if (count == 0) // nothing would be assumed of it
    return std::nullopt;
  launch.launch.chosen.resize(count);
  launch.decides_shape.resize(count);
  launch.is_size.resize(count);
  launch.decisive.resize(count);
  launch.keys.resize(count);
  for (auto &[argument, quantity] : launch.argument_quantities)
    quantity = position[quantity];
  return launch;
}

} // namespace

std::vector<ConsistentLaunch> ConsistentLaunches::of_siblings(const Open &missing,
                                                              const std::vector<Open> &open) const {
  std::vector<ConsistentLaunch> result;
  const Entry &entry = *missing.entry;
  const HostLaunch &known = entry.launch;
  if (says_anything(missing.stated))
    return result;
  for (const Open &other : open) {
    if (other.fit != Fit::Good || other.found.empty() || says_anything(other.stated) ||
        other.entry->site->getBeginLoc() != entry.site->getBeginLoc() ||
        !differ_in_flags(*entry.kernel, *other.entry->kernel, context_))
      continue;
    for (const ConsistentLaunch &found : other.found) {
      std::optional<ConsistentLaunch> launch = without_the_way(found);
      const bool agrees =
          launch && (!known.grid_known || known.launch.grid == launch->launch.grid) &&
          (!known.block_known || known.launch.block == launch->launch.block) &&
          (!known.dynamic_known || known.launch.dynamic_shared_bytes == launch->launch.dynamic_shared_bytes);
      if (!agrees)
        continue;
      launch->launch.mangled = known.launch.mangled;
      launch->launch.location = known.launch.location;
      for (ArgumentValue &argument : launch->launch.arguments) {
        const auto own = std::ranges::find_if(known.launch.arguments, [&](const ArgumentValue &each) {
          return each.index == argument.index && each.offset == argument.offset;
        });
        if (own != known.launch.arguments.end() && (own->value || own->pointer))
          argument = *own;
      }
      result.push_back(std::move(*launch));
    }
    if (!result.empty())
      break;
  }
  return result;
}

} // namespace smem
