// Sites: where an access stands in the source, and what it is called there.
#include "ir/kernel_lowering.h"

#include <algorithm>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/GlobalVariable.h>

#include "ir/address_text.h"
#include "nvcc/access_record.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {

SiteId KernelLowering::site(const llvm::Instruction &instruction, const Pointer &pointer, const Access &access,
                            const std::string &not_lowered) {
  Site site;
  AttributedLocation place = locations_.attributed(instruction);
  site.location = place.location;
  site.inlined_at = place.inlined_at;
  if (place.lost)
    site.assumption = assumption(Uncertainty::LostLocation);
  else if (const std::optional<Uncertainty> kind = assumed(instruction))
    site.assumption = assumption(*kind);
  else if (const std::optional<Uncertainty> raised = uncertainty_of(instruction))
    site.assumption = assumption(*raised);
  site.access = access;
  site.generic = pointer.space == AddressSpace::Generic || pointer.elsewhere;
  site.not_lowered = not_lowered;
  const auto variable_name = [&](const llvm::GlobalVariable &variable) {
    const auto source = index_.variables.find(variable.getName().str());
    if (source != index_.variables.end())
      return source->second.name;
    const std::string full = llvm::demangle(variable.getName());
    const std::size_t colon = full.rfind("::");
    return colon == std::string::npos ? full : full.substr(colon + 2);
  };
  const auto parameter_name = [&](const llvm::Argument &argument) {
    return program_.parameters[argument.getArgNo()].name;
  };
  if (const auto *variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(pointer.base)) {
    site.array = variable_name(*variable);
    if (const auto source = index_.variables.find(variable->getName().str()); source != index_.variables.end())
      site.array_location = source->second.location;
  } else if (const auto *argument = llvm::dyn_cast_or_null<llvm::Argument>(pointer.base)) {
    site.array = parameter_name(*argument);
  }
  // What nvcc has made of several accesses may stand where the source has one of another parameter.
  const auto is_of_another = [&](const ExpressionText &text) {
    return site.inlined_at.empty() && llvm::isa_and_nonnull<llvm::Argument>(pointer.base) && text.base != site.array &&
           std::ranges::any_of(program_.parameters, [&](const Parameter &parameter) {
             return parameter.pointer && parameter.name == text.base;
           });
  };
  if (const ExpressionText *text = find_expression(index_, site.location, access.operation == Operation::Load);
      text && !is_of_another(*text)) {
    site.expression = text->text;
    if (site.array.empty())
      site.array = text->base;
  }

  if (site.expression.empty() && !site.array.empty()) {
    // The optimiser gave the access a place of its own making: the nearest one of the array on the line.
    const auto distance = [&](const SourceLocation &place) {
      return place.column > site.location.column ? place.column - site.location.column
                                                 : site.location.column - place.column;
    };
    const std::pair<const SourceLocation, ExpressionText> *nearest = nullptr;
    for (auto it = index_.expressions.lower_bound({site.location.file, site.location.line, 0});
         it != index_.expressions.end() && it->first.file == site.location.file && it->first.line == site.location.line;
         ++it)
      if (it->second.base == site.array && (!nearest || distance(it->first) < distance(nearest->first)))
        nearest = &*it;
    if (nearest)
      site.expression = nearest->second.text;
  }

  const bool called = place.innermost.file != place.location.file || place.innermost.line != place.location.line;
  const auto move_to_nvccs = [](SourceLocation &location, const std::string &function, const auto &places) {
    if (const auto known = places.find({function, location}); known != places.end())
      location = known->second;
  };
  move_to_nvccs(site.location, place.function, called ? index_.constructed_at : index_.attributed_to);
  for (std::size_t i = 0; i < site.inlined_at.size(); ++i)
    move_to_nvccs(site.inlined_at[i].call, place.callers[i], index_.constructed_at);

  SiteKey key;
  key.location = site.location;
  for (const InlineFrame &frame : site.inlined_at)
    key.calls.push_back(frame.call);
  key.access = access;
  key.generic = site.generic;
  key.array = site.array;
  key.not_lowered = not_lowered;
  key.assumption = site.assumption.text;
  // What a pointer leads to need not lie where the pointer was found.
  if (site.generic && pointer.value)
    if (const auto *found = llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(pointer.value)))
      key.followed = found->getDebugLoc() == instruction.getDebugLoc();
  const auto [it, inserted] = sites_.try_emplace(key, static_cast<SiteId>(program_.sites.size()));
  if (inserted) {
    if (pointer.value)
      site.address = address_text(*pointer.value, pointer.offset, layout_, {variable_name, parameter_name});
    program_.sites.push_back(std::move(site));
  }
  shared_lines_.add(it->second, place, access.operation, instruction);
  if (access.operation == Operation::Load || access.operation == Operation::Store)
    ++marked_[it->second][instruction.getParent()];
  return it->second;
}

} // namespace smem::lower
