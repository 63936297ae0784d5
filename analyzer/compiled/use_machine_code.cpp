#include "compiled/use_machine_code.h"

#include <algorithm>
#include <filesystem>

#include "source/paths.h"

namespace smem::compiled {
namespace {

/// How many components two paths have in common from their end.
std::size_t common_tail(const std::filesystem::path &a, const std::filesystem::path &b) {
  std::vector<std::string> left, right;
  for (const auto &part : a)
    left.push_back(part.string());
  for (const auto &part : b)
    right.push_back(part.string());
  return static_cast<std::size_t>(std::mismatch(left.rbegin(), left.rend(), right.rbegin(), right.rend()).first - left.rbegin());
}

} // namespace

MachineCode::MachineCode(Listing listing, const std::vector<Program> &programs, LowerOptions options)
    : listing_(std::move(listing)), options_(std::move(options)) {
  for (const Program &program : programs) {
    kernels_.push_back(program.mangled);
    files_.insert(program.location.file);
    for (const Site &site : program.sites) {
      files_.insert(site.location.file);
      for (const InlineFrame &frame : site.inlined_at)
        files_.insert(frame.call.file);
    }
  }
  files_.erase(std::string());
}

std::string MachineCode::unusable(std::string_view architecture) const {
  // The letter of a feature-specific target makes no difference.
  const auto plain = [](std::string_view name) { return name.substr(0, name.find_last_of("0123456789") + 1); };
  if (plain(listing_.architecture) != plain(architecture))
    return "the machine code is of " + listing_.architecture + " and what is modelled is " + std::string(architecture) + ": --arch=" +
           std::string(plain(listing_.architecture)) + " models it, nvcc -arch=" + std::string(architecture) + " makes the other";
  if (!listing_.has_places)
    return "the machine code has no line information: nvcc needs -lineinfo and nvdisasm -gi (or -g)";
  const auto is_kernel = [&](const std::string &name) { return listing_.find(name) != nullptr; };
  if (std::none_of(kernels_.begin(), kernels_.end(), is_kernel))
    return "the machine code has none of this file's kernels; its first function is '" + listing_.functions.front().name + "'";
  for (const std::string &kernel : kernels_)
    if (const ListedFunction *function = listing_.find(kernel))
      for (const ListedInstruction &instruction : function->code)
        if (!instruction.places.empty() && files_.contains(place(instruction.places).file))
          return {};
  return "the machine code of this file's kernels was compiled from other files: none of its places lies in this one";
}

SourceLocation MachineCode::place(const std::vector<ListedPlace> &chain) const {
  const ListedPlace *chosen = nullptr;
  for (const ListedPlace &place : chain)
    if (!chosen && place.line != 0 && !is_toolkit_file(options_, place.file))
      chosen = &place;
  if (!chosen && !chain.empty())
    chosen = &chain.front();
  if (!chosen)
    return {};
  const std::string path = normalise_path(chosen->file);
  const std::string *best = nullptr;
  std::size_t longest = 0;
  for (const std::string &file : files_)
    if (const std::size_t common = common_tail(path, file); common > longest) {
      best = &file;
      longest = common;
    }
  return {best ? *best : path, chosen->line, 0};
}

LoweredMachineCode MachineCode::lowered(const Program &source) const {
  const ListedFunction *function = listing_.find(source.mangled);
  if (!function)
    return {{}, false, {}, "the machine code has no kernel of this name", true};
  MachineCodeOptions options;
  options.place = [this](const std::vector<ListedPlace> &chain) { return place(chain); };
  // nvdisasm prints a place where the innermost one changes, and not where the same line of a header was inlined for another call.
  options.in_doubt = [this](const ListedInstruction &instruction) {
    return instruction.places_carried && !instruction.places.empty() && is_toolkit_file(options_, instruction.places.front().file);
  };
  return lower_machine_code(listing_, *function, source, options);
}

} // namespace smem::compiled
