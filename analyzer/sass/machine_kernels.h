// The kernels of a listing as Programs of their own: machine code that has no source beside it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sass/lower_machine_code.h"

namespace smem::compiled {

/// Where the line tables of machine code lead to here.
struct SourcePlaces {
  /// The place under the name that it has here, out of a chain of inlining; not known: no place of it is of use.
  std::function<SourceLocation(const std::vector<ListedPlace> &)> place;
  /// The line of a source, without blanks around it; empty: the file is not here, or another version of it.
  std::function<std::string(const SourceLocation &)> text;
  std::function<bool(std::string_view path)> is_toolkit_file;
};

struct MachineKernel {
  Program program;                                   ///< parameters are arg0, arg1, ...; with `error`, without code
  std::vector<std::vector<std::uint64_t>> addresses; ///< by site: of the instructions
  std::vector<SiteId> local;                         ///< sites of local memory, of which only requests are counted
  KernelArithmetic arithmetic;                       ///< all instructions, by pipe
  ListedResources resources;
  std::optional<std::array<std::uint32_t, 3>> required_block;
  bool complete = true; ///< it calls no function whose code is elsewhere
  std::string error;    ///< not empty: it cannot be followed, and why
};

/// `name`: mangled. `display`: as a person writes it.
MachineKernel machine_kernel(const Listing &listing, const ListedFunction &function, const std::string &display,
                             const SourcePlaces &places);

} // namespace smem::compiled
