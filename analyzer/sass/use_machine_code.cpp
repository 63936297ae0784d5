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

bool same_code(const ListedFunction &a, const ListedFunction &b) {
  return std::ranges::equal(a.code, b.code, [](const ListedInstruction &x, const ListedInstruction &y) {
    return x.guard == y.guard && x.opcode == y.opcode && x.operands == y.operands;
  });
}

LoweredMachineCode missing(std::string why) { return {{}, false, {}, {}, std::move(why), true, {}}; }

/// How the file on disk differs from the one that was compiled, by what the line table says of it; empty: it does not.
std::string other_file(const CompiledSource &compiled, const std::string &file) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error || compiled.bytes == 0 || compiled.bytes == bytes)
    return {};
  return "the machine code is of another version of the source: " + file + " had " + std::to_string(compiled.bytes) +
         " bytes when it was compiled and has " + std::to_string(bytes) + " now";
}

} // namespace

MachineCode::MachineCode(std::vector<Listing> listings, const std::vector<Program> &programs, LowerOptions options,
                         bool whole_paths)
    : listings_(std::move(listings)), options_(std::move(options)), whole_paths_(whole_paths) {
  for (const Program &program : programs) {
    kernels_.push_back({program.mangled, program.location});
    files_.insert(program.location.file);
    for (const Site &site : program.sites) {
      files_.insert(site.location.file);
      for (const InlineFrame &frame : site.inlined_at)
        files_.insert(frame.call.file);
    }
  }
  files_.erase(std::string());
}

std::vector<MachineCode::Found> MachineCode::find(std::string_view mangled) const {
  std::vector<Found> found;
  for (const Listing &listing : listings_)
    for (const ListedFunction *function : listing.find(mangled))
      found.push_back({&listing, function});
  // Of one name those of this file: in a library every file may have a static kernel of that name.
  if (std::ranges::any_of(found, [&](const Found &one) { return is_of_these_files(*one.function); }))
    std::erase_if(found, [&](const Found &one) { return !is_of_these_files(*one.function); });
  return found;
}

bool MachineCode::is_of_these_files(const ListedFunction &function) const {
  return std::ranges::any_of(function.code, [&](const ListedInstruction &instruction) {
    return !instruction.places.empty() && files_.contains(place(instruction.places).file);
  });
}

std::string MachineCode::unusable(std::string_view architecture) const {
  // The letter of a feature-specific target makes no difference.
  const auto plain = [](std::string_view name) { return name.substr(0, name.find_last_of("0123456789") + 1); };
  const std::string &made_for = listings_.front().architecture;
  if (plain(made_for) != plain(architecture))
    return "the machine code is of " + made_for + " and what is modelled is " + std::string(architecture) +
           ": --arch=" + std::string(plain(made_for)) + " models it, nvcc -arch=" + std::string(architecture) +
           " makes the other";
  if (std::ranges::none_of(listings_, &Listing::has_places))
    return "the machine code has no line information: nvcc needs -lineinfo and nvdisasm -gi (or -g)";
  std::vector<std::pair<Found, SourceLocation>> known;
  for (const Kernel &kernel : kernels_)
    for (const Found &one : find(kernel.mangled))
      known.emplace_back(one, kernel.location);
  if (known.empty())
    return "the machine code has none of this file's kernels; its first function is '" +
           listings_.front().functions.front().name + "'";
  if (std::ranges::none_of(known, [&](const auto &one) { return is_of_these_files(*one.first.function); }))
    return "the machine code of this file's kernels was compiled from other files: none of its places lies in this one";
  if (std::ranges::all_of(known, [&](const auto &one) { return !other_version(one.first, one.second).empty(); }))
    return other_version(known.front().first, known.front().second);
  return {};
}

std::string MachineCode::other_version(const Found &found, const SourceLocation &kernel) const {
  // nvcc attributes a kernel's first instruction to the line of its name: of 2,389 kernels without exception.
  for (const ListedInstruction &instruction : found.function->code) {
    if (instruction.places.empty())
      continue;
    const unsigned line = instruction.places.back().line;
    if (line != kernel.line)
      return "the machine code is of another version of the source: the kernel is at line " + std::to_string(line) +
             " there and at line " + std::to_string(kernel.line) + " here";
    break;
  }
  std::set<std::string> seen;
  for (const ListedInstruction &instruction : found.function->code)
    for (const ListedPlace &listed : instruction.places) {
      if (!seen.insert(listed.file).second)
        continue;
      // Of another folder's files only the kernel's own is certain to be the one that was compiled.
      const std::string file = place({{listed.file, 1}}).file;
      if (file != kernel.file && (file != normalise_path(listed.file) || !files_.contains(file)))
        continue;
      for (const CompiledSource &source : found.listing->sources)
        if (source.file == listed.file)
          if (std::string other = other_file(source, file); !other.empty())
            return other;
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
  if (whole_paths_)
    return {path, chosen->line, 0};
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
  std::vector<Found> found = find(source.mangled);
  if (found.empty())
    return missing("the machine code has no kernel of this name");
  if (std::string other = other_version(found.front(), source.location); !other.empty()) {
    std::erase_if(found, [&](const Found &one) { return !other_version(one, source.location).empty(); });
    if (found.empty())
      return missing(std::move(other));
  }
  if (std::ranges::any_of(found, [&](const Found &one) { return !same_code(*one.function, *found.front().function); }))
    return missing("the machine code has " + std::to_string(found.size()) +
                   " kernels of this name, which differ: name the object file of this source");
  const ListedFunction &function = *found.front().function;
  MachineCodeOptions options;
  options.place = [this](const std::vector<ListedPlace> &chain) { return place(chain); };
  // nvdisasm prints a place where the innermost one changes, and not where the same line of a header was inlined for another call.
  options.has_uncertain_line = [this](const ListedInstruction &instruction) {
    return instruction.places_carried && !instruction.places.empty() &&
           is_toolkit_file(options_, instruction.places.front().file);
  };
  return lower_machine_code(*found.front().listing, function, source, options);
}

} // namespace smem::compiled
