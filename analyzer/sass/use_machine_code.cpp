#include "sass/use_machine_code.h"

#include <algorithm>
#include <filesystem>

#include "support/paths.h"

namespace smem::compiled {
namespace {

/// How many components two paths have in common from their end.
std::size_t common_tail(const std::filesystem::path &a, const std::filesystem::path &b) {
  std::vector<std::string> left, right;
  for (const auto &part : a)
    left.push_back(part.string());
  for (const auto &part : b)
    right.push_back(part.string());
  return static_cast<std::size_t>(std::mismatch(left.rbegin(), left.rend(), right.rbegin(), right.rend()).first -
                                  left.rbegin());
}

} // namespace

MachineCode::MachineCode(Listing listing, const std::vector<Program> &programs, LowerOptions options)
    : listing_(std::move(listing)), options_(std::move(options)) {
  for (const Program &program : programs) {
    kernels_.emplace_back(program.mangled, program.location);
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
    return "the machine code is of " + listing_.architecture + " and what is modelled is " + std::string(architecture) +
           ": --arch=" + std::string(plain(listing_.architecture)) +
           " models it, nvcc -arch=" + std::string(architecture) + " makes the other";
  if (!listing_.has_places)
    return "the machine code has no line information: nvcc needs -lineinfo and nvdisasm -gi (or -g)";
  std::vector<std::pair<const ListedFunction *, SourceLocation>> found;
  for (const auto &[name, location] : kernels_)
    if (const ListedFunction *function = listing_.find(name))
      found.emplace_back(function, location);
  if (found.empty())
    return "the machine code has none of this file's kernels; its first function is '" +
           listing_.functions.front().name + "'";
  const auto is_of_this_file = [&](const auto &kernel) {
    return std::any_of(kernel.first->code.begin(), kernel.first->code.end(), [&](const ListedInstruction &instruction) {
      return !instruction.places.empty() && files_.contains(place(instruction.places).file);
    });
  };
  if (std::none_of(found.begin(), found.end(), is_of_this_file))
    return "the machine code of this file's kernels was compiled from other files: none of its places lies in this one";
  if (std::all_of(found.begin(), found.end(),
                  [&](const auto &kernel) { return !other_version(*kernel.first, kernel.second).empty(); }))
    return other_version(*found.front().first, found.front().second);
  return {};
}

std::string MachineCode::other_version(const ListedFunction &function, const SourceLocation &kernel) const {
  // nvcc books a kernel's first instruction on the line of its name: of 2,389 kernels without exception.
  for (const ListedInstruction &instruction : function.code) {
    if (instruction.places.empty())
      continue;
    const unsigned line = instruction.places.back().line;
    return line == kernel.line
               ? std::string()
               : "the machine code is of another version of the source: the kernel is at line " + std::to_string(line) +
                     " there and at line " + std::to_string(kernel.line) + " here";
  }
  return {};
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
  if (std::string other = other_version(*function, source.location); !other.empty())
    return {{}, false, {}, std::move(other), true};
  MachineCodeOptions options;
  options.place = [this](const std::vector<ListedPlace> &chain) { return place(chain); };
  // nvdisasm prints a place where the innermost one changes, and not where the same line of a header was inlined for another call.
  options.in_doubt = [this](const ListedInstruction &instruction) {
    return instruction.places_carried && !instruction.places.empty() &&
           is_toolkit_file(options_, instruction.places.front().file);
  };
  return lower_machine_code(listing_, *function, source, options);
}

} // namespace smem::compiled
